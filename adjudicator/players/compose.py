"""From the actions that a player has in mind to the body of a mail."""

from collections.abc import Callable
from random import Random

import msgspec

from adjudicator.game.actions import Action, Done, Exchange, Lose
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.engine import apply, begin, decider
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import MustLose, Side, State
from adjudicator.orders import NOTHING_SAID, answer, write
from adjudicator.players.imagine import dice, imagined, imagined_chance
from adjudicator.turns import reveals


class Thought(msgspec.Struct, frozen=True):
    """What a player thinks with: an imagined position whose decider is `side`, and what to try things out with.

    `luck` breaks ties and makes the games of one player differ.
    """

    rules: Rules
    state: State
    side: Side
    chance: Chance
    luck: Random

    def at(self, state: State) -> "Thought":
        """The same thought at another position."""
        return msgspec.structs.replace(self, state=state)

    def after(self, state: State, action: Action) -> State:
        """The position after an action of the own side."""
        return self.settled(apply(self.rules, state, self.side, action, self.chance).state)[0]

    def settled(self, state: State, events: tuple[Event, ...] = ()) -> tuple[State, GameOver | None]:
        """The position once the other side has answered what it is asked, by the defaults; and the end, if it is one.

        `events` are those that led to the position.
        """
        while state.question and state.question.to != self.side:
            reply = answer(self.rules, state, NOTHING_SAID)
            if reply is None:
                break
            step = apply(self.rules, state, state.question.to, reply, self.chance)
            state, events = step.state, step.events
        return state, next((event for event in events if isinstance(event, GameOver)), None)

    def reveals(self, state: State, action: Action) -> bool:
        """Whether to stop after this order and see what comes of it: a reveal, or variant 5's new card."""
        return isinstance(action, Exchange) or reveals(state, self.side, action)


Player = Callable[[Thought], list[Action]]
"""Returns the next actions: up to one that reveals something, or up to Done and what is asked after it."""


def written(player: Player, rules: Rules, state: State, side: Side, seed: bytes) -> str:
    """The body of one mail of a player, as `compose_orders` promises.

    Raises: ValueError if `side` has nothing to decide.
    """
    if decider(state) != side:
        raise ValueError(f"the {side} side has nothing to decide")
    blank = Thought(rules, imagined(state, side, seed), side, imagined_chance(seed), dice(seed, "taste"))
    start = blank.settled(begin(rules, blank.state).state)[0]
    if decider(start) != side:
        return "done\n"  # the game ends with the checks at the start of the turn
    actions = player(blank.at(start))
    return "".join(f"{write(action, side)}\n" for action in _in_order(actions, start))


def _in_order(actions: list[Action], start: State) -> list[Action]:
    """`lose` is asked after the end of the turn and written before it: nothing may stand after `done`.

    The other questions of the end of a turn (variant 0) depend on cards not yet drawn: they are left to the defaults.
    """
    if start.question and isinstance(start.question, MustLose):
        return actions
    if Done not in map(type, actions):
        return actions
    end = next(place for place, action in enumerate(actions) if isinstance(action, Done))
    losses = [action for action in actions[end:] if isinstance(action, Lose)]
    return [*actions[:end], *losses, actions[end]]
