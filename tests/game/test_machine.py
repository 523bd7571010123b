"""The engine as a state machine: Hypothesis chooses rules, actions and faults, and shrinks what goes wrong."""

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support.play import SWITCHES, chance_of
from test_conservation import check_whole

from adjudicator.errors import IllegalAction, NotYourDecision
from adjudicator.game import facts
from adjudicator.game.actions import Block, Discard, Draft, Give, Raid, Reinforce, Settle, Withdraw
from adjudicator.game.edition import VARIANTS, rules_for
from adjudicator.game.engine import apply, check, decider, legal_actions, new_game
from adjudicator.game.model import State, other

PLACE = some.sampled_from(sorted(facts.LOCATIONS))
CARD = some.sampled_from(sorted(facts.CARDS["british"] | facts.CARDS["french"]))
WRITTEN = some.one_of(
    some.builds(Settle, PLACE, CARD, CARD, some.none() | CARD),
    some.builds(Raid, PLACE, some.lists(CARD, min_size=1, max_size=3).map(lambda cards: tuple(sorted(cards)))),
    some.builds(Reinforce, PLACE, CARD),
    some.builds(Withdraw, PLACE, some.none() | CARD),
    some.builds(Draft, CARD),
    some.builds(Discard, some.lists(CARD, min_size=1, max_size=3).map(lambda cards: tuple(sorted(cards)))),
    some.builds(Block, CARD),
    some.builds(Give, CARD, some.sampled_from(["hand", "reserve", "siege"]), some.none() | PLACE),
)


class Game(RuleBasedStateMachine):
    """A game from its start; what Hypothesis draws decides everything."""

    @initialize(
        edition=some.sampled_from([1, 2]),
        variants=some.sets(some.sampled_from([name for name in VARIANTS if name != "french-start-bateaux"])),
        switches=some.fixed_dictionaries({}, optional={n: some.sampled_from(v) for n, v in SWITCHES.items()}),
        seed=some.integers(0, 2**16),
    )
    def begin(self, edition, variants, switches, seed):
        self.rules = rules_for(edition, variants, switches)
        self.chance = chance_of(seed)
        self.start = self.state = new_game(self.rules, self.chance).state
        self.done = []

    @precondition(lambda self: self.state.to_move)
    @rule(data=some.data())
    def act(self, data):
        """Any legal action, its kind first."""
        side = decider(self.state)
        listed = legal_actions(self.rules, self.state)
        assert len(set(listed)) == len(listed)
        kind = data.draw(some.sampled_from(sorted({type(action).__name__ for action in listed})))
        action = data.draw(some.sampled_from([one for one in listed if type(one).__name__ == kind]))
        self.state = apply(self.rules, self.state, side, action, self.chance).state
        self.done.append((side, action))

    @precondition(lambda self: self.state.to_move)
    @rule(action=WRITTEN)
    def write_anything(self, action):
        """An action out of the air is accepted if and only if it is listed, and changes nothing if it is not."""
        side = decider(self.state)
        listed = legal_actions(self.rules, self.state)
        try:
            check(self.rules, self.state, side, action)
        except IllegalAction as refusal:
            accepted = False
            text = refusal.message
        else:
            accepted, text = True, "accepted"
        assert text
        assert accepted == (action in listed), action

    @precondition(lambda self: self.state.to_move)
    @rule(data=some.data())
    def wrong_side(self, data):
        action = data.draw(some.sampled_from(legal_actions(self.rules, self.state)))
        try:
            apply(self.rules, self.state, other(decider(self.state)), action, self.chance)
        except NotYourDecision:
            return
        raise AssertionError("the wrong side has acted")

    @invariant()
    def whole(self):
        if hasattr(self, "rules"):
            check_whole(self.rules, self.state, "machine")

    @invariant()
    def never_stuck(self):
        if hasattr(self, "rules") and self.state.to_move:
            assert legal_actions(self.rules, self.state)

    @invariant()
    def survives_json(self):
        if hasattr(self, "rules"):
            assert msgspec.json.decode(msgspec.json.encode(self.state), type=State) == self.state

    def teardown(self):
        """The game is its actions and its seed."""
        if hasattr(self, "rules"):
            state = self.start
            for side, action in self.done:
                state = apply(self.rules, state, side, action, self.chance).state
            assert state == self.state


TestGame = Game.TestCase
TestGame.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,  # the same games each time; the long random play goes elsewhere
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
