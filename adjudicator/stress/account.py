"""An account of everybody's time, kept apart from the clocks: nobody may lose on time who had time left by it.

It knows only when the game began to wait for a side and when that ended, and which stretches do not count; it adds and
subtracts hours, and allows for what a change of daylight saving or of a zone may make of them.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from adjudicator.game.model import SIDES, BySide, Side
from adjudicator.league.clock import Clock, parse_clock
from adjudicator.store.ledger import Transaction
from adjudicator.stress.network import Span

DAY = timedelta(days=1)
NOTHING = timedelta(0)
ALLOWED = timedelta(hours=2)
"""Two changes of daylight saving in one turn."""
ALLOWED_WEEKENDS = timedelta(hours=30)
"""His Saturday may have begun in another zone, where the service did not know his yet."""
SATURDAY = 5


class Account(msgspec.Struct):
    """One side's time in one game; `since` is when the game began to wait for him, None if it does not."""

    clock: Clock
    zone: ZoneInfo
    left: timedelta
    since: datetime | None = None

    def begin(self, now: datetime) -> None:
        """The game waits for him."""
        self.since = now

    def end(self, now: datetime, free: Iterable[Span]) -> None:
        """His turn is over; `free` are stretches that did not count."""
        if self.since is None:
            return
        left = max(NOTHING, self.left - self.used(now, free))
        budget, increment, cap = (
            timedelta(seconds=n) for n in (self.clock.budget, self.clock.increment, self.clock.cap)
        )
        self.left = budget if self.clock.fixed else max(left, min(left + increment, cap))
        self.since = None

    def used(self, now: datetime, free: Iterable[Span]) -> timedelta:
        """How much of the present wait counts."""
        if self.since is None:
            return NOTHING
        spans = [*free, *(weekends(self.since, now, self.zone) if self.clock.weekends else ())]
        return counted(Span(self.since, now), spans)

    def had_time(self, now: datetime, free: Iterable[Span]) -> bool:
        """Whether he surely had time left."""
        allowed = ALLOWED_WEEKENDS if self.clock.weekends else ALLOWED
        return self.used(now, free) < self.left - allowed


class Table(msgspec.Struct):
    """A game's two accounts, for whom it waits in which turn, and who its players are."""

    accounts: dict[Side, Account]
    players: dict[Side, int]
    turn: int = 0
    waits_for: str | None = None


class Accounts:
    """The accounts of all games; `counts` tells what clocks went through. Outages are free for everybody."""

    def __init__(self, outages: Iterable[Span]) -> None:
        self.counts: Counter[str] = Counter()
        self._outages = tuple(outages)
        self._tables: dict[str, Table] = {}

    def open(self, tx: Transaction, name: str, zones: BySide[ZoneInfo], now: datetime) -> None:
        """A game has begun."""
        found = tx.game(name, lock=False)
        assert found
        clock = parse_clock(found.game.clock)
        budget = timedelta(seconds=clock.budget)
        accounts = {side: Account(clock, zones.of(side), budget) for side in SIDES}
        players = {side: found.seats[side].player_id or 0 for side in SIDES}
        self._tables[name] = Table(accounts, players)
        self.look(tx, name, found.game.turn, found.game.waiting_for, now)

    def look(self, tx: Transaction, name: str, turn: int, waits_for: str | None, now: datetime) -> None:
        """The game has perhaps gone on."""
        table = self._tables[name]
        if (turn, waits_for) == (table.turn, table.waits_for):
            return
        for side in SIDES:
            account = table.accounts[side]
            if side == table.waits_for:
                self._count_change(account, now)
                account.end(now, self._free(tx, table.players[side]))
            if side == waits_for:
                account.begin(now)
        table.turn, table.waits_for = turn, waits_for

    def _count_change(self, account: Account, now: datetime) -> None:
        """Count turns in which daylight saving began or ended for the player."""
        assert account.since
        before, after = (moment.astimezone(account.zone).utcoffset() for moment in (account.since, now))
        if before and after and before != after:
            self.counts["daylight saving began" if after > before else "daylight saving ended"] += 1

    def lost(self, tx: Transaction, name: str, loser: Side, now: datetime) -> bool:
        """Whether somebody has lost on time who had none left, as it should be."""
        table = self._tables[name]
        return not table.accounts[loser].had_time(now, self._free(tx, table.players[loser]))

    def _free(self, tx: Transaction, player_id: int) -> list[Span]:
        """What does not count for a player: his leave, and outages."""
        leave = [Span(row.starts_at, row.ended_at or row.ends_at) for row in tx.leaves(player_id)]
        return [*self._outages, *(span for span in leave if span.start < span.end)]


def counted(span: Span, free: Iterable[Span]) -> timedelta:
    """How long a span is without what is free of it."""
    total, at = NOTHING, span.start
    for one in sorted(free, key=lambda each: each.start):
        start, end = max(one.start, at), min(one.end, span.end)
        if start < end:
            total += start - at
            at = end
    return total + max(NOTHING, span.end - at)


def weekends(start: datetime, end: datetime, zone: ZoneInfo) -> list[Span]:
    """The Saturdays and Sundays of a zone between two moments."""
    found = []
    day = start.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    while day < end:
        following = day + DAY  # on the wall
        if day.weekday() >= SATURDAY:
            found.append(Span(day.astimezone(UTC), following.astimezone(UTC)))
        day = following
    return found
