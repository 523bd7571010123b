"""Which games stand still, since when and why: what a moderator looks at each day."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from adjudicator.league.clock import Waiting
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, GameWithSeats

SILENT = timedelta(days=14)
"""After so long without a move a game counts as stuck, whatever its clock says."""
ASKED = timedelta(days=1)
"""After so long a question that waits for an answer does."""
HOUSE = timedelta(minutes=10)
"""House players move at once; after so long something is wrong."""


class Stuck(msgspec.Struct, frozen=True, order=True):
    """One reason for which a game stands still."""

    since: datetime
    why: str


def still(tx: Transaction, games: list[GameWithSeats], now: datetime) -> dict[str, list[Stuck]]:
    """Return by game what keeps it from going on, the oldest first; games that go on and those over are left out."""
    held = _held(tx)
    found: dict[str, list[Stuck]] = {}
    for one in games:
        if one.game.status == "finished":
            continue
        reasons = [*_halted(tx, one.game), *_unheard(one), *_waiting(one, now), *held.get(one.game.name, ())]
        if reasons:
            found[one.game.name] = sorted(reasons)
    return found


def _halted(tx: Transaction, row: GameRow) -> Iterator[Stuck]:
    """A game that a moderator has paused."""
    if row.status == "paused":
        deeds = [deed.at for deed in tx.audit(game_id=row.id) if deed.command == "game pause"]
        yield Stuck(deeds[-1] if deeds else row.updated_at, "paused by a moderator")


def _unheard(one: GameWithSeats) -> Iterator[Stuck]:
    """Players to whom no mail goes."""
    for side, seat in one.seats.items():
        if seat.bounced_at:
            yield Stuck(seat.bounced_at, f"mail to the {side.capitalize()} comes back")
        elif not seat.house and not seat.address:
            yield Stuck(one.game.updated_at, f"nobody sits for the {side.capitalize()}")


def _waiting(one: GameWithSeats, now: datetime) -> Iterator[Stuck]:
    """What a running game waits for too long."""
    row = one.game
    if row.status != "running" or not row.waiting_for:
        return
    if one.seats[row.waiting_for].house:
        if row.updated_at <= now - HOUSE:
            yield Stuck(row.updated_at, f"the house player of the {row.waiting_for.capitalize()} does not move")
        return
    waiting = clocks_of(row)[1].waiting
    since = waiting.since if waiting else row.updated_at
    if waiting and waiting.out_at:
        yield Stuck(waiting.out_at, f"the time of the {waiting.side.capitalize()} is over, and nobody claims")
    elif _is_question(waiting) and since <= now - ASKED:
        yield Stuck(since, f"a question waits for the {row.waiting_for.capitalize()}")
    elif since <= now - SILENT:
        yield Stuck(since, f"no move of the {row.waiting_for.capitalize()}")


def _is_question(waiting: Waiting | None) -> bool:
    return waiting is not None and waiting.kind == "question"


def _held(tx: Transaction) -> dict[str, list[Stuck]]:
    """Letters in quarantine, by the game whose address they came to."""
    found: dict[str, list[Stuck]] = {}
    for row in tx.held():
        game = row.rcpt.partition("@")[0].partition(".")[0].lower()
        found.setdefault(game, []).append(Stuck(row.received_at, f"letter held-{row.id} is in quarantine"))
    return found
