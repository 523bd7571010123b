"""New secrets for a seat: all its reply addresses until now are worthless at once."""

import secrets
from datetime import datetime

import msgspec

from adjudicator.game.model import Side
from adjudicator.service.budget import refresh
from adjudicator.service.config import Config
from adjudicator.service.stored import Postbox, Stored, shown
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import SeatRow

KEY_BYTES = 16
replace = msgspec.structs.replace


def rekeyed(seat: SeatRow) -> SeatRow:
    """Return the seat with a new key, from which its reply addresses follow."""
    return replace(seat, token_key=secrets.token_bytes(KEY_BYTES))


def rekey(config: Config, tx: Transaction, game: Stored, side: Side, now: datetime) -> Stored:
    """Give a seat of a locked game a new key, and send it the position with a new address; returns the game."""
    seat = rekeyed(game.seats[side])
    game = replace(game, seats={**game.seats, side: seat})
    box, position = Postbox(game, config.domain, now), shown(tx, game, side)
    refresh(tx, box, seat, position)
    draft = box.draft("turn", side, position, noted=("newkey",))
    if post := box.post(draft, seat, f"newkey {now.isoformat()}"):
        tx.add_posts([post])
        seat = replace(seat, last_id=post.message_id, thread_id=seat.thread_id or post.message_id)
    tx.update_seat(seat)
    return replace(game, seats={**game.seats, side: seat})
