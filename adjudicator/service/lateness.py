"""Letters that came in time and are worked on late, through no fault of their writers."""

from adjudicator.game.model import Side
from adjudicator.service.addresses import SeatAddress, read_address, seat_of
from adjudicator.service.changes import Changes


def letter_held(changes: Changes, side: Side) -> int | None:
    """The number of a letter to a seat of the game that is in quarantine, None if there is none."""
    keys = {each: seat.token_key for each, seat in changes.game.seats.items()}
    for row in changes.tx.held():
        address = read_address(row.rcpt, changes.config.domain)
        named = isinstance(address, SeatAddress) and address.game == changes.game.row.name
        if named and seat_of(address, keys) == side:  # type: ignore[arg-type]
            return row.id
    return None
