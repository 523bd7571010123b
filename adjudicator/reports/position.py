"""A position as plain values: what every mail about a running game tells its reader."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from adjudicator.game import actions as act
from adjudicator.game import facts
from adjudicator.game.board import besieged, owned, supplied
from adjudicator.game.edition import Rules
from adjudicator.game.model import Side, State
from adjudicator.game.view import view
from adjudicator.orders import idle, read_standing
from adjudicator.orders.answers import asks
from adjudicator.orders.writer import write
from adjudicator.reports.opening import opening, possible
from adjudicator.reports.options import options
from adjudicator.reports.wait import Wait
from adjudicator.reports.warnings import warnings

Values = dict[str, Any]


class Situation(msgspec.Struct, frozen=True):
    """A game as one reader meets it: what every mail about it tells.

    `state` is what `side` may look at now (see `view`). `standing` is the text of his own standing orders,
    `opponent` the other player's name; he is `unreachable` if mail to him comes back. Times are told in the reader's
    `zone`; who is waited for has `left` seconds, the reader `own_left` for his next turns if that is not he, and
    `wait` tells the rest.
    """

    game: str
    side: Side
    rules: Rules
    state: State
    opponent: str = ""
    deadline_at: datetime | None = None
    standing: str = ""
    unreachable: bool = False
    zone: str = "UTC"
    clock: str = ""
    left: int = 0
    own_left: int = 0
    wait: Wait = Wait()


def position(situation: Situation) -> Values:
    """What every mail about a running game tells."""
    state, side = situation.state, situation.side
    seen = view(state, side)
    begun, coming = opening(situation.rules, state, side)
    legal = possible(situation.rules, begun, side, at_once=state.question is not None)
    question = begun.question if begun.question and begun.question.to == side else None
    standing = read_standing(situation.standing, side)
    values = {
        "game": situation.game,
        "side": side,
        "opponent": situation.opponent,
        "unreachable": situation.unreachable,
        "edition": situation.rules.edition,
        "variants": situation.rules.variants,
        "view": seen,
        "question": question,
        "before_actions": state.question is None and question is not None,
        "must_say": question is not None and asks(question, begun, standing),
        "coming": coming,
        "your_move": seen.waiting_for == side,
        "options": options(legal),
        "examples": _examples(legal, state, side),
        "warnings": warnings(seen),
        "standing": situation.standing,
        "idle": dict(idle(standing, situation.rules, state, side)),
        "deadline_at": situation.deadline_at,
        "zone": situation.zone,
        "clock": situation.clock,
        "left": situation.left,
        "own_left": situation.own_left,
        "wait": situation.wait,
        "actions_left": _actions_left(state),
        "unusable": _unusable(begun, side),
    }
    return plain(values)


def _actions_left(state: State) -> int:
    """The mover's actions, those of a turn not yet begun included (S3.1)."""
    if state.open:
        return state.open.actions_left
    return 1 if state.turn <= 2 else 2  # noqa: PLR2004 - each side's first turn (S3.2)


def _unusable(state: State, side: Side) -> dict[str, str]:
    """The location cards in hand that cannot be played now, and why (S5.3)."""
    held, under_siege = owned(state, side), besieged(state)
    supply = supplied(side, held)
    reasons: dict[str, str] = {}
    for card in state.players.of(side).hand:
        if card in facts.LOCATIONS:
            if card not in held:
                reasons[card] = "lost"
            elif card in under_siege:
                reasons[card] = "besieged"
            elif card not in supply:
                reasons[card] = "cut-off"
    return reasons


_ANSWERS = (
    act.Block, act.NoBlock, act.Give, act.Lose, act.SettleWon, act.NoSettle, act.Exchange, act.NoExchange,
    act.StartWith, act.DiscardDrawn,
)  # fmt: skip
_SHOWN_FIRST = (*_ANSWERS, act.Settle, act.Draft, act.Besiege, act.TakeMoney, act.Develop, act.Reserve, act.Discard)


def _examples(legal: Iterable[act.Action], state: State, side: Side) -> list[str]:
    """Two orders valid in this very position, of different words, the shortest of their kinds; answers come first."""
    piles = {**state.available_empire.of(side), **state.neutral_supply}
    shortest: dict[type, str] = {}
    for action in legal:
        # A card that a siege is about to give back is not certain yet.
        if isinstance(action, act.Draft) and not piles.get(action.card):
            continue
        if isinstance(action, _SHOWN_FIRST):
            text = write(action, side)
            known = shortest.get(type(action))
            if known is None or (len(text), text) < (len(known), known):
                shortest[type(action)] = text
    return [shortest[kind] for kind in _SHOWN_FIRST if kind in shortest][:2]


def plain(values: Values) -> Values:
    """The same as plain JSON values."""
    plain: Values = msgspec.to_builtins(values)
    return plain
