"""Leave: days on which a player's clocks stand, declared ahead, within limits.

A leave counts in whole days of the player's zone. One that he ended early, by a move, counts the days that had
begun by then.
"""

from collections.abc import Collection
from datetime import date, datetime, timedelta

import msgspec

from adjudicator.errors import Refusal
from adjudicator.league.clock import DAY, Interval
from adjudicator.league.wall import at_seconds, instant, zone_of

MOST_A_YEAR = 30
MOST_IN_A_ROW = 21
LEAST = 2
YEARS_AHEAD = 5

_EPOCH = date(1970, 1, 1)


class Leave(msgspec.Struct, frozen=True, order=True):
    """Days of leave, the first and the last one included."""

    first: date
    last: date

    @property
    def days(self) -> range:
        """The days as ordinals."""
        return range(self.first.toordinal(), self.last.toordinal() + 1)


def today_in(zone: str, now: datetime) -> date:
    """The date that a player's calendar shows. Raises: ValueError for an unknown zone."""
    return now.astimezone(zone_of(zone)).date()


def interval_of(leave: Leave, zone: str) -> Interval:
    """When the clocks stand: from the first midnight of the leave to the midnight after its last day."""
    place = zone_of(zone)
    first, behind = ((day - _EPOCH).days * DAY for day in (leave.first, leave.last + timedelta(days=1)))
    return Interval(at_seconds(instant(first, place)), at_seconds(instant(behind, place)))


def used(leave: Leave, ended_on: date | None) -> Leave | None:
    """What counts of a leave that was ended on that day (None: not early); None if it had not begun."""
    if ended_on is None or ended_on >= leave.last:
        return leave
    return Leave(leave.first, ended_on) if ended_on >= leave.first else None


def check_leave(wanted: Leave, taken: Collection[Leave], today: date) -> None:
    """Whether a player may take that leave besides what he has taken or declared (`used`).

    `today` is the date in his zone. Raises: Refusal, naming the limit.
    """
    if wanted.last < wanted.first:
        raise Refusal("A leave cannot end before it begins: its first day comes first.")
    if wanted.first <= today:
        raise Refusal(
            "A leave begins tomorrow or later, in your time zone; tomorrow is {tomorrow}.",
            tomorrow=today + timedelta(days=1),
        )
    if wanted.last.year > today.year + YEARS_AHEAD:
        raise Refusal("A leave cannot be declared more than {years} years ahead.", years=YEARS_AHEAD)
    before = {day for leave in taken for day in leave.days}
    if not before.isdisjoint(wanted.days):
        first = min(day for day in wanted.days if day in before)
        raise Refusal("You have a leave then already: on {day}.", day=date.fromordinal(first))
    _check_row(wanted, before)
    _check_years(wanted, before)


def _check_row(wanted: Leave, before: set[int]) -> None:
    """Leaves that adjoin count as one."""
    first, last = wanted.days[0], wanted.days[-1]
    while first - 1 in before:
        first -= 1
    while last + 1 in before:
        last += 1
    row = last - first + 1
    if row < LEAST:
        raise Refusal("A leave has at least {least} days; this is {row}.", least=LEAST, row=row)
    if row > MOST_IN_A_ROW:
        raise Refusal(
            "A leave has at most {most} days in a row, with those that adjoin it; this would make {row}.",
            most=MOST_IN_A_ROW,
            row=row,
        )


def _check_years(wanted: Leave, before: set[int]) -> None:
    """Each calendar year has its own days."""
    for year in sorted({wanted.first.year, wanted.last.year}):
        had, more = days_in(year, before), days_in(year, wanted.days)
        if had + more > MOST_A_YEAR:
            raise Refusal(
                "A year has at most {most} days of leave; in {year} you have {left} left, and this takes {more}.",
                most=MOST_A_YEAR,
                year=year,
                left=max(0, MOST_A_YEAR - had),
                more=more,
            )


def days_in(year: int, days: Collection[int]) -> int:
    """How many of these days (ordinals) lie in a calendar year."""
    return sum(date.fromordinal(day).year == year for day in days)
