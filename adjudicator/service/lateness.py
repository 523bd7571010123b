"""Letters that came in time and are worked on late, through no fault of their writers."""

from datetime import datetime

import msgspec

from adjudicator.game.model import Side
from adjudicator.league.clock import Interval
from adjudicator.league.running import free
from adjudicator.service.addresses import SeatAddress, read_address, seat_of
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.deadlines import retime
from adjudicator.service.stored import stored
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Transaction


class Wait(msgspec.Struct, frozen=True):
    """A game, the side that it waits for, and since when."""

    game: str
    side: Side
    since: datetime


def letter_held(changes: Changes, side: Side) -> int | None:
    """The number of a letter to a seat of the game that is in quarantine, None if there is none."""
    keys = {each: seat.token_key for each, seat in changes.game.seats.items()}
    for row in changes.tx.held():
        address = read_address(row.rcpt, changes.config.domain)
        named = isinstance(address, SeatAddress) and address.game == changes.game.row.name
        if named and seat_of(address, keys) == side:  # type: ignore[arg-type]
            return row.id
    return None


def waited_for(config: Config, tx: Transaction, address: object) -> Wait | None:
    """How a game waits for the seat that a letter in quarantine was sent to; None if it does not."""
    found = tx.game(address.game) if isinstance(address, SeatAddress) else None
    if found is None or found.game.state is None or found.game.status != "running":
        return None
    game = stored(found, config.chance)
    keys = {each: seat.token_key for each, seat in game.seats.items()}
    waiting = clocks_of(game.row)[1].waiting
    if waiting is None or seat_of(address, keys) != waiting.side:  # type: ignore[arg-type]
        return None
    return Wait(game.row.name, waiting.side, waiting.since)


def give_back(config: Config, tx: Transaction, wait: Wait, received_at: datetime, now: datetime) -> None:
    """Take the time that a letter lay in quarantine out of its writer's clock, if the same wait goes on after it."""
    found = tx.game(wait.game)
    if found is None or found.game.status != "running":
        return
    changes = Changes(config, tx, stored(found, config.chance), now, f"fault {received_at.isoformat()}")
    clock, clocks = clocks_of(changes.game.row)
    waiting = clocks.waiting
    if waiting and (waiting.side, waiting.since) == (wait.side, wait.since):
        retime(changes, free(clock, clocks, wait.side, Interval(received_at, now), now), "fault")
        changes.write()
