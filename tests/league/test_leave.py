"""Leave and its limits."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import Refusal
from adjudicator.league.leave import (
    MOST_A_YEAR,
    MOST_IN_A_ROW,
    Leave,
    check_leave,
    days_in,
    interval_of,
    today_in,
    used,
)

TODAY = date(2030, 3, 1)


def leave(first: str, last: str) -> Leave:
    return Leave(date.fromisoformat(first), date.fromisoformat(last))


def refused(wanted: Leave, *taken: Leave, today: date = TODAY) -> str:
    with pytest.raises(Refusal) as refusal:
        check_leave(wanted, taken, today)
    return refusal.value.message


def test_the_example_of_the_order_is_possible():
    check_leave(leave("2026-12-20", "2027-01-05"), [], date(2026, 12, 19))
    check_leave(leave("2026-12-20", "2027-01-05"), [leave("2026-06-01", "2026-06-18")], date(2026, 11, 30))
    assert "in 2026 you have 11 left, and this takes 12" in refused(
        leave("2026-12-20", "2027-01-05"), leave("2026-06-01", "2026-06-19"), today=date(2026, 11, 30)
    )


def test_it_begins_tomorrow_or_later():
    check_leave(leave("2030-03-02", "2030-03-03"), [], TODAY)
    assert "tomorrow is 2030-03-02" in refused(leave("2030-03-01", "2030-03-03"))
    assert "tomorrow" in refused(leave("2029-03-01", "2029-03-03"))


def test_today_is_the_day_where_the_player_lives():
    now = datetime(2030, 3, 1, 23, 30, tzinfo=UTC)
    assert today_in("UTC", now) == TODAY
    assert today_in("Europe/Berlin", now) == TODAY + timedelta(days=1)
    assert today_in("America/New_York", now) == TODAY


def test_it_ends_after_it_begins_and_not_too_far_ahead():
    assert "before it begins" in refused(leave("2030-03-05", "2030-03-04"))
    assert "5 years ahead" in refused(leave("2036-03-05", "2036-03-09"))
    assert "5 years ahead" in refused(leave("2030-03-05", "9999-12-31"))


def test_at_least_two_days_with_what_adjoins():
    assert "at least 2 days; this is 1" in refused(leave("2030-03-05", "2030-03-05"))
    check_leave(leave("2030-03-05", "2030-03-05"), [leave("2030-03-06", "2030-03-08")], TODAY)


def test_at_most_three_weeks_in_a_row_with_what_adjoins():
    check_leave(leave("2030-03-05", "2030-03-25"), [], TODAY)
    assert "this would make 22" in refused(leave("2030-03-05", "2030-03-26"))
    around = (leave("2030-03-05", "2030-03-14"), leave("2030-03-20", "2030-03-26"))
    assert "this would make 22" in refused(leave("2030-03-15", "2030-03-19"), *around)
    check_leave(leave("2030-03-16", "2030-03-19"), around, TODAY)


def test_over_the_turn_of_the_year_the_row_counts_whole_and_each_year_its_days():
    assert "this would make 22" in refused(leave("2030-12-20", "2031-01-10"))
    taken = leave("2031-02-01", "2031-02-20")
    check_leave(leave("2030-12-20", "2031-01-09"), [leave("2030-06-01", "2030-06-18")], TODAY)
    assert "in 2031 you have 10 left, and this takes 11" in refused(leave("2030-12-25", "2031-01-11"), taken)


def test_no_day_twice():
    assert "on 2030-03-08" in refused(leave("2030-03-05", "2030-03-09"), leave("2030-03-08", "2030-03-12"))


def test_what_was_ended_early_counts_the_days_that_had_begun():
    whole = leave("2030-03-05", "2030-03-14")
    assert used(whole, None) == whole
    assert used(whole, date(2030, 3, 5)) == leave("2030-03-05", "2030-03-05")
    assert used(whole, date(2030, 3, 8)) == leave("2030-03-05", "2030-03-08")
    assert used(whole, date(2030, 3, 14)) == used(whole, date(2030, 4, 1)) == whole
    assert used(whole, date(2030, 3, 4)) is None


@pytest.mark.parametrize(
    ("first", "last", "zone", "start", "end"),
    [
        ("2030-03-30", "2030-03-31", "Europe/Berlin", "2030-03-29T23:00", "2030-03-31T22:00"),
        ("2030-10-26", "2030-10-27", "Europe/Berlin", "2030-10-25T22:00", "2030-10-27T23:00"),
        ("2030-04-06", "2030-04-07", "Australia/Lord_Howe", "2030-04-05T13:00", "2030-04-07T13:30"),
        ("2011-12-29", "2011-12-30", "Pacific/Apia", "2011-12-29T10:00", "2011-12-30T10:00"),
        ("2030-06-01", "2030-06-02", "UTC", "2030-06-01T00:00", "2030-06-03T00:00"),
    ],
)
def test_it_lasts_from_midnight_to_midnight_where_the_player_lives(first, last, zone, start, end):
    interval = interval_of(leave(first, last), zone)
    assert interval.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert interval.end == datetime.fromisoformat(end).replace(tzinfo=UTC)


@given(st.lists(st.tuples(st.integers(-5, 700), st.integers(0, 30)), max_size=40))
def test_no_order_of_leaves_breaks_a_limit(wishes):
    taken: list[Leave] = []
    for begin, length in wishes:
        first = TODAY + timedelta(days=begin)
        wanted = Leave(first, first + timedelta(days=length))
        try:
            check_leave(wanted, taken, TODAY)
        except Refusal:
            continue
        taken.append(wanted)
    days = sorted(day for each in taken for day in each.days)
    assert len(days) == len(set(days))
    assert all(days_in(year, days) <= MOST_A_YEAR for year in (2030, 2031, 2032))
    assert all(day > TODAY.toordinal() for day in days)
    assert not any(later - day == MOST_IN_A_ROW for day, later in zip(days, days[MOST_IN_A_ROW:], strict=False))
