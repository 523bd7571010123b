"""The offer that is open in a game, as it is kept in its row."""

from datetime import datetime
from typing import Literal

import msgspec

from adjudicator.game.model import Side
from adjudicator.store.rows import GameRow

Kind = Literal["draw", "restart", "takeback"]
KINDS: tuple[Kind, ...] = ("draw", "restart", "takeback")


class Offer(msgspec.Struct, frozen=True):
    """An open offer: made `by` a side at position `seq`; `turn` is the one that would begin again."""

    kind: Kind
    by: Side
    seq: int
    at: datetime
    turn: int = 0


_OFFER = msgspec.json.Decoder(Offer)


def open_offer(row: GameRow) -> Offer | None:
    """The offer that is open in a game."""
    return _OFFER.decode(row.offer) if row.offer else None


def lapses(row: GameRow, mover: Side) -> bool:
    """Whether the open offer of a game lapses as the turn of a side ends."""
    found = open_offer(row)
    return found is not None and (found.kind == "takeback" or found.by != mover)
