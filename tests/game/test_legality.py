"""`apply` and `check` accept exactly what `legal_actions` lists."""

import random
from collections import Counter

import pytest
from support.brute import accepted, strangers_of
from support.play import chance_of, lively, played, rules_of, scrambled

from adjudicator.errors import IllegalAction, NotYourDecision
from adjudicator.game import actions as act
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, begin, check, decider, legal_actions, new_game
from adjudicator.game.kinds import ANSWERED_BY, RULES
from adjudicator.game.model import BySide, MustDiscard, MustLose, other, replace

GAMES = range(8)
SCRAMBLED = range(30)


def moments():
    """Positions from games and out of the air, each with its seed: mostly few, so that each can be gone through."""
    for seed in GAMES:
        rules = rules_of(seed)
        for number, (state, _, _) in enumerate(played(rules, seed, 260)):
            if number % 97 == seed or isinstance(state.question, MustLose | MustDiscard):
                yield f"game {seed} action {number}", rules, begin(rules, state).state
    for seed in SCRAMBLED:
        yield f"scrambled {seed}", rules_of(seed), scrambled(rules_of(seed), seed)


@pytest.fixture(scope="module")
def sample():
    return [(name, rules, state) for name, rules, state in moments() if decider(state)]


def test_the_checks_accept_exactly_what_is_listed(sample):
    seen = Counter()
    for name, rules, state in sample:
        side = decider(state)
        listed = legal_actions(rules, state)
        strangers = strangers_of(state, side, random.Random(name))
        assert set(listed) == set(accepted(rules, state, side, strangers)), name
        seen.update(map(type, listed))
    unseen = {kind.__name__ for kind in RULES} - {kind.__name__ for kind in seen}
    assert unseen <= {"Exchange", "NoExchange", "StartWith", "DiscardDrawn", "Lose"}, unseen


def test_each_action_is_listed_once(sample):
    for name, rules, state in sample:
        listed = legal_actions(rules, state)
        assert len(set(listed)) == len(listed), (name, [a for a, n in Counter(listed).items() if n > 1])


def test_the_list_does_not_depend_on_the_order_of_cards_and_places(sample):
    for name, rules, state in sample:
        dice = random.Random(f"order {name}")
        assert legal_actions(rules, shuffled(state, dice)) == legal_actions(rules, state), name


def shuffled(state, dice):
    """The same position with every pile and table in another order; the deck's order is left alone."""

    def mixed(things):
        things = list(things)
        return tuple(dice.sample(things, len(things)))

    def sorted_otherwise(player):
        piles = {name: mixed(getattr(player, name)) for name in ("hand", "discard", "reserve")}
        return replace(player, **piles)

    players = BySide(sorted_otherwise(state.players.british), sorted_otherwise(state.players.french))
    piles = state.available_empire
    sieges = state.sieges
    return replace(
        state,
        players=players,
        board=dict(mixed(state.board.items())),
        neutral_supply=dict(mixed(state.neutral_supply.items())),
        available_empire=BySide(dict(mixed(piles.british.items())), dict(mixed(piles.french.items()))),
        sieges=BySide(_mixed_siege(sieges.british, mixed), _mixed_siege(sieges.french, mixed)),
    )


def _mixed_siege(siege, mixed):
    if siege is None:
        return None
    return replace(siege, attacker_cards=mixed(siege.attacker_cards), defender_cards=mixed(siege.defender_cards))


def test_apply_agrees_with_the_checks(sample):
    """Some listed actions are carried out, some that are not listed are refused, by both doors alike."""
    for name, rules, state in sample:
        side = decider(state)
        dice = random.Random(f"apply {name}")
        listed = legal_actions(rules, state)
        for action in dice.sample(listed, min(12, len(listed))):
            check(rules, state, side, action)
            apply(rules, state, side, action, chance_of(name))
            with pytest.raises(NotYourDecision):
                apply(rules, state, other(side), action, chance_of(name))
        for action in NEVER:
            if action not in listed:
                with pytest.raises(IllegalAction):
                    check(rules, state, side, action)
                with pytest.raises(IllegalAction):
                    apply(rules, state, side, action, chance_of(name))


NEVER = [
    act.Pass(), act.Done(), act.Retrieve(), act.HomeSupport(), act.NoBlock(), act.NoSettle(), act.NoExchange(),
    act.Settle("boston", "norfolk", "norfolk", "norfolk"), act.Raid("quebec", ("trader",)), act.Raid("quebec", ()),
    act.Besiege("nowhere", "nothing", "nothing", "nothing"), act.Settle("nowhere", "boston", "boston"),
    act.Merchant("ships", ()), act.Trade(()), act.Discard(()), act.Govern(()), act.Draft("boston"),
    act.Lose("boston", "militia"), act.Give("militia", "siege", "boston"), act.Withdraw("nowhere", None),
    act.Develop("nowhere", "settlers"), act.Fortify("boston", "militia"), act.StartWith("nothing"),
    act.DiscardDrawn(()), act.Exchange("nothing"), act.Block("boston"), act.SettleWon("nothing"),
]  # fmt: skip


def test_only_some_kinds_can_be_asked_for(sample):
    for name, rules, state in sample:
        listed = legal_actions(rules, state)
        for kind in {type(action) for action in listed}:
            wanted = tuple(action for action in listed if type(action) is kind)
            assert legal_actions(rules, state, {kind}) == wanted, (name, kind)


def test_questions_that_only_variants_ask():
    """What the sample cannot hold: variants 0, 5 and 13, and the card for a lost siege."""
    found = Counter()
    for seed in range(40):
        rules = rules_for(2 - seed % 2, VARIANT_QUESTIONS)
        for state, _, _ in played(rules, 2 * seed + 1, 400):
            begun = begin(rules, state).state
            kind = type(begun.question).__name__
            if kind in {"MustDiscard", "MayExchange", "MustStartWith", "MustLose"} and found[kind] < 3:
                found[kind] += 1
                side = decider(begun)
                wanted = set(accepted(rules, begun, side, strangers_of(begun, side, random.Random(seed))))
                assert set(legal_actions(rules, begun)) == wanted, seed
        if len(found) == 4:
            return
    assert set(found) == {"MustDiscard", "MayExchange", "MustStartWith", "MustLose"}


VARIANT_QUESTIONS = ["reshuffle-penalty", "french-siege-redraw", "french-start-card", "natives-fight"]


def test_a_finished_game_lists_nothing():
    rules = rules_for()
    state = replace(new_game(rules, chance_of(1)).state, to_move=None)
    assert legal_actions(rules, state) == ()
    with pytest.raises(NotYourDecision):
        apply(rules, state, "british", act.Pass(), chance_of(1))


def test_every_question_has_its_answers():
    assert {kind for kinds in ANSWERED_BY.values() for kind in kinds} == set(act.ANSWERS)
    assert set(RULES) == set(act.Action.__args__)


def test_lively_play_chooses_kinds_evenly():
    """The support's own promise: a discard is not chosen just because there are so many."""
    listed = [act.Pass(), *map(act.Discard, [("a",), ("b",), ("c",), ("d",)])]
    chosen = Counter(type(lively(listed, random.Random(seed))) for seed in range(200))
    assert chosen[act.Pass] > 60
