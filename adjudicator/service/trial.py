"""Deeds that are only tried: done in a transaction that is rolled back, and told as what they would change."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import msgspec

from adjudicator.game.model import SIDES, Side
from adjudicator.league.running import left_now
from adjudicator.render import render
from adjudicator.service.changes import Changes
from adjudicator.service.drafts import report_of
from adjudicator.service.stored import Stored
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Ledger, Transaction


class Mailing(msgspec.Struct, frozen=True):
    """A mail that a deed writes."""

    to: Side | None
    address: str
    subject: str


class Deed(msgspec.Struct, frozen=True):
    """What a deed changes: of each thing how it was and how it is now; and the mails that go out.

    `status` is that of the game after it; `orders` tells what became of orders that it gave, if it gave any.
    """

    game: str
    status: str
    dry_run: bool
    changes: dict[str, tuple[object, object]]
    mails: tuple[Mailing, ...]
    orders: dict[str, tuple[str, ...]] = {}


@contextmanager
def carrying_out(ledger: Ledger, *, dry_run: bool) -> Iterator[Transaction]:
    """A transaction that changes things, or one that keeps nothing.

    Raises: as `Ledger.begin`.
    """
    with ledger.begin() as tx:
        yield tx
        if dry_run:
            tx.connection.rollback()


def deed_of(changes: Changes, *, dry_run: bool) -> Deed:
    """What written changes have come to."""
    row = changes.game.row
    return Deed(
        row.name, row.status, dry_run, dict(_differences(changes)), tuple(_mailings(changes)), orders=changes.orders
    )


def _differences(changes: Changes) -> Iterator[tuple[str, tuple[object, object]]]:
    was, now = changes.was, changes.game
    for shown, field in _FIELDS.items():
        before, after = getattr(was.row, field), getattr(now.row, field)
        if before != after:
            yield shown, (before, after)
    for side in SIDES:
        before, after = (_left(one, side, changes.now) for one in (was, now))
        if (before is None) != (after is None) or abs((before or 0) - (after or 0)) >= _MINUTE:
            yield f"time_of_{side}_seconds", (before, after)
        one, two = was.seats[side], now.seats[side]
        if (one.player_id, one.house) != (two.player_id, two.house):
            yield side, (one.house or one.address, two.house or two.address)
        if one.standing != two.standing:
            yield f"standing orders of the {side}", (one.standing, two.standing)


_MINUTE = 60
"""Seconds; less is only the time that passes while a moderator writes."""


def _left(game: Stored, side: Side, now: datetime) -> int | None:
    """What a side has left of its time, None if it has no clock or the game is over."""
    clock, clocks = clocks_of(game.row)
    if not clock.budget or game.is_house(side) or game.row.status == "finished":
        return None
    return left_now(clock, clocks, side, now)


_FIELDS = {
    "status": "status",
    "turn": "turn",
    "position_number": "seq",
    "waiting_for": "waiting_for",
    "clock": "clock",
    "deadline": "deadline_at",
}


def _mailings(changes: Changes) -> Iterator[Mailing]:
    for post in changes.posts:
        subject = render(report_of(post.report or b"")).subject
        side: Side | None = "british" if post.side == "british" else "french" if post.side == "french" else None
        yield Mailing(side, post.to_address, subject)
