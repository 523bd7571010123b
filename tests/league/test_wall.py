"""Time on a player's wall clock, against an oracle that looks at the clock every quarter of an hour."""

import itertools
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from adjudicator.league import wall
from adjudicator.league.clock import DAY, HOUR, Clock, Interval, SideClock
from adjudicator.league.free_days import canonical_region, is_holiday, is_weekend
from adjudicator.league.wall import after, elapsed, instant, reading, zone_of

QUARTER = 900
CHANGES = {
    "Europe/Berlin": ("2030-03-31T01:00", "2030-10-27T01:00"),
    "America/New_York": ("2030-03-10T07:00", "2030-11-03T06:00"),
    "Australia/Lord_Howe": ("2030-10-05T15:30", "2030-04-06T15:00"),
    "Pacific/Apia": ("2011-12-30T10:00", "2011-12-30T10:00"),
    "America/Havana": ("2030-03-10T05:00", "2030-11-03T05:00"),
    "Asia/Kathmandu": ("2030-06-01T00:00", "2030-06-01T00:00"),
    "UTC": ("2030-06-01T00:00", "2030-06-01T00:00"),
}
"""Zones with their changes in UTC, spring and autumn; two zones have none."""

EVERY_DAY, WEEKENDS = Clock(), Clock(weekends=True)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(text: str, zone: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


zones_and_times = st.sampled_from(sorted(CHANGES)).flatmap(
    lambda zone: st.tuples(
        st.just(zone),
        st.sampled_from(CHANGES[zone]).flatmap(
            lambda change: st.integers(-60 * HOUR // QUARTER, 60 * HOUR // QUARTER).map(
                lambda n: utc(change) + timedelta(seconds=n * QUARTER)
            )
        ),
    )
)
lengths = st.integers(0, 100 * HOUR // QUARTER).map(lambda n: n * QUARTER)


@st.composite
def intervals(draw, near: datetime) -> tuple[Interval, ...]:
    found = []
    for _ in range(draw(st.integers(0, 3))):
        start = near + timedelta(seconds=draw(lengths) - 50 * HOUR)
        found.append(Interval(start, start + timedelta(seconds=draw(lengths) / 4 // QUARTER * QUARTER)))
    return tuple(sorted(found))


@cache
def seen(zone: str, at: datetime) -> datetime:
    """The least reading from now on: what is shown twice is taken as the later one."""
    looks = (at + timedelta(seconds=n * QUARTER) for n in range(3 * HOUR // QUARTER))
    return min(look.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for look in looks)


def counted(clock: Clock, side: SideClock, start: datetime, end: datetime) -> int:
    """By counting quarters of an hour: each reading once, those free left out."""
    at, last, count = seen(side.zone, start), seen(side.zone, end), 0
    free = [(seen(side.zone, each.start), seen(side.zone, each.end)) for each in side.free]
    while at < last:
        rests = (clock.weekends and at.weekday() >= 5) or any(begin <= at < stop for begin, stop in free)
        count += 0 if rests else QUARTER
        at += timedelta(seconds=QUARTER)
    return count


@given(zones_and_times, lengths, st.data(), st.booleans())
def test_elapsed_is_what_counting_quarters_gives(zone_and_time, length, data, weekends):
    zone, start = zone_and_time
    clock, side = Clock(weekends=weekends), SideClock(0, zone, data.draw(intervals(start)))
    end = start + timedelta(seconds=length)
    assert elapsed(clock, side, start, end) == counted(clock, side, start, end)


@given(zones_and_times, st.integers(0, 20 * DAY), st.data(), st.booleans())
def test_a_deadline_is_the_last_instant_within_the_time(zone_and_time, seconds, data, weekends):
    zone, start = zone_and_time
    clock, side = Clock(weekends=weekends), SideClock(0, zone, data.draw(intervals(start)))
    end, second = after(clock, side, start, seconds), timedelta(seconds=1)
    assert end >= start
    assert elapsed(clock, side, start, end + second) > seconds
    assert elapsed(clock, side, start, end - second) <= seconds
    if (end - second).astimezone(ZoneInfo(zone)).utcoffset() >= end.astimezone(ZoneInfo(zone)).utcoffset():
        assert elapsed(clock, side, start, end) == seconds


@given(zones_and_times, lengths, lengths, lengths, st.data())
def test_more_time_never_ends_earlier_and_parts_add_up(zone_and_time, one, two, seconds, data):
    zone, start = zone_and_time
    side = SideClock(0, zone, data.draw(intervals(start)))
    middle, end = start + timedelta(seconds=one), start + timedelta(seconds=one + two)
    parts = elapsed(EVERY_DAY, side, start, middle) + elapsed(EVERY_DAY, side, middle, end)
    assert elapsed(EVERY_DAY, side, start, end) == parts
    assert after(EVERY_DAY, side, start, seconds + one) >= after(EVERY_DAY, side, start, seconds)
    assert after(EVERY_DAY, side, middle, seconds) >= after(EVERY_DAY, side, start, seconds)


@given(zones_and_times)
def test_a_reading_never_goes_back(zone_and_time):
    zone, at = ZoneInfo(zone_and_time[0]), int(zone_and_time[1].timestamp())
    readings = [reading(at + n * 60, zone) for n in range(200)]
    assert readings == sorted(readings)
    for one in readings[:20]:
        assert reading(instant(one, zone), zone) == one
        assert instant(one - 1, zone) <= instant(one, zone) < instant(one + 1, zone)


@given(st.sampled_from(sorted(CHANGES)), st.integers(0, 4_000_000_000))
@example("Africa/Casablanca", 1_900_000_000)
@example("Europe/Dublin", 0)
def test_far_from_changes_a_reading_is_the_local_time(zone, at):
    there = datetime.fromtimestamp(at, ZoneInfo(zone))
    assume(there.utcoffset() == (there + timedelta(hours=2)).astimezone(UTC).astimezone(ZoneInfo(zone)).utcoffset())
    shown = int(there.replace(tzinfo=UTC).timestamp())
    assume(there.utcoffset() == there.replace(fold=1).utcoffset())
    assert reading(at, ZoneInfo(zone)) == shown


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("change", [0, 1])
def test_ten_days_from_six_in_the_evening_end_at_six(zone, change):
    for ago in range(12):
        day = (utc(CHANGES[zone][change]) - timedelta(days=ago)).astimezone(ZoneInfo(zone))
        start = day.replace(hour=18, minute=0)
        end = after(EVERY_DAY, SideClock(0, zone), start, 10 * DAY).astimezone(ZoneInfo(zone))
        assert end.replace(tzinfo=None) == start.replace(tzinfo=None) + timedelta(days=10)
        assert elapsed(EVERY_DAY, SideClock(0, zone), start, end) == 10 * DAY


@pytest.mark.parametrize(
    ("zone", "start", "hours", "end"),
    [
        # 02:30 is shown twice: the later one; never: the first time after it.
        ("Europe/Berlin", "2030-10-26T02:30+02:00", 24, "2030-10-27T02:30+01:00"),
        ("Europe/Berlin", "2030-10-27T02:30+02:00", 1, "2030-10-27T03:00+01:00"),
        ("Europe/Berlin", "2030-10-27T02:30+01:00", 1, "2030-10-27T03:30+01:00"),
        ("Europe/Berlin", "2030-03-30T02:30+01:00", 24, "2030-03-31T03:00+02:00"),
        ("Europe/Berlin", "2030-03-30T03:00+01:00", 24, "2030-03-31T03:00+02:00"),
        ("America/New_York", "2030-11-02T01:30-04:00", 24, "2030-11-03T01:30-05:00"),
        ("America/New_York", "2030-03-09T02:10-05:00", 24, "2030-03-10T03:00-04:00"),
        ("Australia/Lord_Howe", "2030-04-06T01:45+11:00", 24, "2030-04-07T01:45+10:30"),
        ("Australia/Lord_Howe", "2030-10-05T02:10+10:30", 24, "2030-10-06T02:30+11:00"),
        ("Pacific/Apia", "2011-12-29T18:00-10:00", 24, "2011-12-31T00:00+14:00"),
        ("Pacific/Apia", "2011-12-29T18:00-10:00", 48, "2011-12-31T18:00+14:00"),
        ("America/Havana", "2030-11-02T00:30-04:00", 24, "2030-11-03T00:30-05:00"),
    ],
)
def test_hours_shown_twice_or_never(zone, start, hours, end):
    found = after(EVERY_DAY, SideClock(0, zone), datetime.fromisoformat(start), hours * HOUR)
    assert found == datetime.fromisoformat(end)


@pytest.mark.parametrize(
    ("start", "days", "end"),
    [
        ("2030-06-05T18:00", 5, "2030-06-12T18:00"),  # from a Wednesday
        ("2030-06-08T10:00", 1, "2030-06-11T00:00"),  # from a Saturday: all of Monday
        ("2030-06-07T00:00", 1, "2030-06-10T00:00"),  # a Friday: it ends with the weekend, not before it
        ("2030-06-03T09:00", 10, "2030-06-17T09:00"),
    ],
)
def test_weekends_are_free(start, days, end):
    berlin = SideClock(0, "Europe/Berlin")
    found = after(WEEKENDS, berlin, local(start, "Europe/Berlin"), days * DAY)
    assert found == local(end, "Europe/Berlin")


def test_holidays_are_free_where_they_are_holidays():
    start = local("2030-06-19T12:00", "Europe/Berlin")  # 20 June 2030 is Corpus Christi, in Bavaria
    berlin = SideClock(0, "Europe/Berlin")
    assert after(Clock(holidays="DE-BY"), berlin, start, DAY) == local("2030-06-21T12:00", "Europe/Berlin")
    assert after(Clock(holidays="DE-HH"), berlin, start, DAY) == local("2030-06-20T12:00", "Europe/Berlin")
    both = Clock(weekends=True, holidays="DE-BY")
    assert after(both, berlin, start, 2 * DAY) == local("2030-06-24T12:00", "Europe/Berlin")
    assert elapsed(both, berlin, start, local("2030-06-24T12:00", "Europe/Berlin")) == 2 * DAY


def test_free_days_of_the_calendar():
    days = [(date(2030, 12, n) - date(1970, 1, 1)).days for n in range(1, 32)]
    assert [day - days[0] + 1 for day in days if is_weekend(day)] == [1, 7, 8, 14, 15, 21, 22, 28, 29]
    assert [day - days[0] + 1 for day in days if is_holiday(day, "DE")] == [25, 26]
    assert canonical_region("us-ny") == "US-NY"


@pytest.mark.parametrize(("region", "near"), [("DE-BZ", "DE-B"), ("GX", "G"), ("DEU", "DE"), ("", "nearest")])
def test_an_unknown_country_is_refused_with_near_ones(region, near):
    with pytest.raises(ValueError, match="no code") as refused:
        canonical_region(region)
    assert near in str(refused.value)


def test_days_that_are_all_free_end_with_an_error(monkeypatch):
    wall._free_days_in.cache_clear()  # noqa: SLF001
    monkeypatch.setattr(wall, "is_weekend", lambda _: True)
    try:
        with pytest.raises(ValueError, match="ten years"):
            after(WEEKENDS, SideClock(0, "Europe/Berlin"), utc("2030-01-01"), DAY)
        assert elapsed(WEEKENDS, SideClock(0, "UTC"), utc("2030-01-01"), utc("2031-01-01")) == 0
    finally:
        wall._free_days_in.cache_clear()  # noqa: SLF001


def test_a_leave_without_end_is_an_error_too():
    forever = (Interval(utc("2030-01-02"), utc("2060-01-01")),)
    with pytest.raises(ValueError, match="ten years"):
        after(EVERY_DAY, SideClock(0, "UTC", forever), utc("2030-01-01"), 2 * DAY)


@given(
    st.permutations([("2030-06-01", "2030-06-03"), ("2030-06-02", "2030-06-05"), ("2030-06-04", "2030-06-04T12:00")])
)
def test_overlapping_stretches_count_once(spans):
    free = tuple(sorted(Interval(utc(one), utc(two)) for one, two in spans))
    assert after(EVERY_DAY, SideClock(0, "UTC", free), utc("2030-05-31"), 2 * DAY) == utc("2030-06-06")


def test_the_wrong_order_counts_nothing():
    assert elapsed(EVERY_DAY, SideClock(0), utc("2030-06-02"), utc("2030-06-01")) == 0


def test_a_second_that_has_begun_is_not_counted():
    start, end = utc("2030-06-01T00:00:00.9"), utc("2030-06-01T00:00:10.999999")
    assert elapsed(EVERY_DAY, SideClock(0), start, end) == 10
    assert after(EVERY_DAY, SideClock(0), start, 5) == utc("2030-06-01T00:00:05")


@pytest.mark.parametrize(
    ("name", "found"), [("Europe/Berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("utc", "UTC")]
)
def test_zones_are_found_whatever_their_case(name, found):
    assert zone_of(name).key == found


@pytest.mark.parametrize(
    ("name", "near"),
    [("Europe/Berln", "Europe/Berlin"), ("Paris", "Europe/Paris"), ("../etc/passwd", "nearest"), ("", "nearest")],
)
def test_an_unknown_zone_is_refused_with_near_ones(name, near):
    with pytest.raises(ValueError, match="no time zone") as refused:
        zone_of(name)
    assert near in str(refused.value)


def test_the_kept_offsets_change_nothing(monkeypatch):
    spots = [
        (ZoneInfo(zone), int(utc(change).timestamp()) + n * 3 * HOUR + 7)
        for zone, changes in CHANGES.items()
        for change, n in itertools.product(changes, range(-80, 80))
    ]
    quick = [(reading(at, zone), instant(at, zone)) for zone, at in spots]
    monkeypatch.setattr(wall, "_steady", lambda *_: None)
    assert quick == [(reading(at, zone), instant(at, zone)) for zone, at in spots]
