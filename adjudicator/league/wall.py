"""Time as a player's wall clock shows it.

A clock counts along the readings of the player's wall clock, so that ten days from 18:00 end at 18:00, over both
changes of daylight saving. The readings are made to never go back: while an hour is shown twice, the first pass
stands still and the second counts, so that an hour shown twice is taken as the later one. A reading that is never
shown (the skipped hour, or Samoa's skipped day of 2011) is taken as the first that is shown after it. So more time
never ends earlier. Free days and free stretches are cut out; an end never lies in free time but at its end.

Instants are whole seconds since 1970 UTC; readings are the seconds that a clock set to 1970-01-01 00:00 local time
would count. A second that has begun is not counted.
"""

import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from heapq import merge
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import process

from adjudicator.league.clock import DAY, Clock, SideClock
from adjudicator.league.free_days import is_holiday, is_weekend

FARTHEST = 10 * 366 * DAY
"""No wait may last longer: free days without end would keep a game for ever."""

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a reading has no zone
_STRETCH = 7 * DAY
_WEEKS = 28 * DAY
Stretch = tuple[int, int]


class UnknownZone(ValueError):  # noqa: N818 - refusals say what is wrong
    """A name that is no zone's; `near` are those that are most like it."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        super().__init__(f"{name!r} is no time zone; the nearest are {', '.join(near)}")
        self.near = near


def elapsed(clock: Clock, side: SideClock, start: datetime, end: datetime) -> int:
    """The seconds that count for a side between two instants; 0 if they are in the wrong order."""
    zone = zone_of(side.zone)
    first, last = reading(seconds_of(start), zone), reading(seconds_of(end), zone)
    count = 0
    for begin, stop in _free(clock, side, zone, first):
        if begin >= last:
            break
        count += max(0, begin - first)
        first = max(first, stop)
    return count + max(0, last - first)


def uncounted(clock: Clock, side: SideClock, start: datetime, end: datetime) -> int:
    """The seconds between two instants that do not count for a side; 0 if they are in the wrong order."""
    zone = zone_of(side.zone)
    whole = reading(seconds_of(end), zone) - reading(seconds_of(start), zone)
    return max(0, whole - elapsed(clock, side, start, end))


def after(clock: Clock, side: SideClock, start: datetime, seconds: int) -> datetime:
    """The last instant by which no more than so many seconds have counted.

    Raises: ValueError if there is none within ten years.
    """
    zone = zone_of(side.zone)
    first = at = reading(seconds_of(start), zone)
    for begin, stop in _free(clock, side, zone, first):
        if begin > at + seconds:
            break
        if stop > at:
            seconds -= max(0, begin - at)
            at = stop
    if at + seconds - first > FARTHEST:
        raise ValueError("a deadline more than ten years ahead")
    return at_seconds(instant(at + seconds, zone))


def seconds_of(at: datetime) -> int:
    """The whole seconds of an aware datetime, rounded down."""
    return math.floor(at.timestamp())


def at_seconds(seconds: int) -> datetime:
    """The other way round: aware UTC."""
    return datetime.fromtimestamp(seconds, UTC)


def _free(clock: Clock, side: SideClock, zone: ZoneInfo, start: int) -> Iterable[Stretch]:
    """The free stretches of readings, by their beginnings; they may overlap, and some may be over by `start`."""
    stretches = [(reading(seconds_of(each.start), zone), reading(seconds_of(each.end), zone)) for each in side.free]
    if clock.weekends or clock.holidays:
        return merge(stretches, _free_days(clock, start))
    return stretches


def _free_days(clock: Clock, start: int) -> Iterator[Stretch]:
    for number in range(start // _WEEKS, (start + FARTHEST) // _WEEKS + 1):
        yield from _free_days_in(clock.weekends, clock.holidays, number)


@lru_cache(maxsize=1024)
def _free_days_in(weekends: bool, region: str | None, number: int) -> tuple[Stretch, ...]:  # noqa: FBT001 - a key
    """The free days of one piece of the calendar, by their beginnings."""
    first = number * _WEEKS // DAY
    days = range(first, first + _WEEKS // DAY)
    return tuple(
        (day * DAY, (day + 1) * DAY)
        for day in days
        if (weekends and is_weekend(day)) or (region and is_holiday(day, region))
    )


@lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo:
    """The zone of that name (Europe/Berlin), whatever its case. Raises: UnknownZone with the nearest names."""
    known = _zones()
    if name.lower() not in known:
        near = process.extract(name.lower(), known.keys(), limit=3)
        raise UnknownZone(name, tuple(known[found] for found, _, _ in near))
    return ZoneInfo(known[name.lower()])


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() - {"Factory", "localtime"}}


def reading(at: int, zone: ZoneInfo) -> int:
    """What the wall clock shows at an instant, made to never go back."""
    steady = _steady(zone, at // _STRETCH)
    if steady is not None:
        return at + steady
    local = datetime.fromtimestamp(at, zone)
    offset, again = _offset(local), _offset(local.replace(fold=1))
    if again < offset:  # the first pass of what is shown twice
        return _change(zone, at, at + offset - again) + again
    return at + offset


def instant(shown: int, zone: ZoneInfo) -> int:
    """The last instant at which the wall clock shows no more than that."""
    steady = _steady(zone, shown // _STRETCH)
    if steady is not None:
        return shown - steady
    local = (_EPOCH + timedelta(seconds=shown)).replace(tzinfo=zone)
    before, behind = _offset(local), _offset(local.replace(fold=1))
    if before < behind:  # never shown
        return _change(zone, shown - behind, shown - before)
    return shown - behind


@lru_cache(maxsize=4096)
def _steady(zone: ZoneInfo, stretch: int) -> int | None:
    """The offset of a stretch of time, with a day on both sides; None if it changes in it.

    This only saves time: nearly every instant, and every reading, lies far from a change.
    """
    start = stretch * _STRETCH
    looks = range(start - DAY, start + _STRETCH + DAY + 1, DAY // 4)
    offsets = {_offset(datetime.fromtimestamp(at, zone)) for at in looks}
    return offsets.pop() if len(offsets) == 1 else None


def _offset(local: datetime) -> int:
    offset = local.utcoffset()
    assert offset is not None
    return offset.days * DAY + offset.seconds


def _change(zone: ZoneInfo, before: int, behind: int) -> int:
    """The first instant of the new offset between two instants with different ones."""
    old = _offset(datetime.fromtimestamp(before, zone))
    while behind - before > 1:
        middle = (before + behind) // 2
        if _offset(datetime.fromtimestamp(middle, zone)) == old:
            before = middle
        else:
            behind = middle
    return behind
