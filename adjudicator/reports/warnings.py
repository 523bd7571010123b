"""What can end the game soon, so that nobody ends a turn without knowing it (S15.2, S15.4)."""

from typing import Literal

import msgspec

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Side, other
from adjudicator.game.view import View

ENOUGH_CAPTURED = 12
"""Captured points that end the game (S15.4 b)."""


class Warned(msgspec.Struct, frozen=True):
    """One danger. `side` is the one whose turn would end the game."""

    kind: Literal["no-villages", "no-towns", "captured", "siege", "open-capital"]
    side: Side
    place: str | None = None


def warnings(seen: View) -> tuple[Warned, ...]:
    """All that can end the game at or in the next turn of either side, as the position stands."""
    if seen.to_move is None:
        return ()
    return tuple(danger for side in SIDES for danger in (*_points(seen, side), *_capitals(seen, side)))


def _points(seen: View, side: Side) -> list[Warned]:
    """The points ends, checked at the start of the side's own turn (S15.4)."""
    player = seen.players.of(side)
    dangers = []
    if player.stock.villages == 0:
        dangers.append(Warned("no-villages", side))
    if player.stock.towns == 0:
        dangers.append(Warned("no-towns", side))
    if player.score.captured >= ENOUGH_CAPTURED:
        dangers.append(Warned("captured", side))
    return dangers


def _capitals(seen: View, side: Side) -> list[Warned]:
    """The instant wins of a side: a siege of an enemy capital, or one that stands empty (S15.2)."""
    capitals = facts.CAPITALS[other(side)]
    siege = seen.sieges.of(side)
    dangers = [Warned("siege", side, siege.location)] if siege and siege.location in capitals else []
    empty = [place for place in capitals if place not in seen.board]
    return dangers + [Warned("open-capital", side, place) for place in empty]
