"""What comes due, when, and that it is done once."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.game.model import BySide
from adjudicator.league.clock import Clocks, Interval, parse_clock
from adjudicator.league.due import (
    Due,
    deadline,
    due,
    due_at,
    grant_grace,
    is_late_grace,
    may_have_grace,
    reminded,
    run_out,
    season_of,
)
from adjudicator.league.running import extend, free, hold, release, set_left, set_up, start, stop

NOW = datetime(2030, 6, 3, 16, tzinfo=UTC)
BANK, SHORT, NONE = parse_clock("10d+1d/14d"), parse_clock("48h+12h/72h"), parse_clock("none")
LATE = timedelta(minutes=10)
SECOND = timedelta(seconds=1)


def days(count: float) -> timedelta:
    return timedelta(days=count)


def begun(clock=BANK, kind="turn") -> Clocks:
    return start(clock, set_up(clock, BySide("UTC", "UTC")), "british", kind, NOW)


def all_due(clock, clocks, until) -> list[tuple[str, timedelta]]:
    """Everything that comes due until then, each done at once, with its time after the start."""
    found = []
    while (at := due_at(clocks)) and at <= until:
        assert due(clocks, at - SECOND) is None
        one = due(clocks, at)
        assert one == Due(one.kind, "british", at)
        found.append((one.kind, at - NOW))
        match one.kind:
            case "remind" | "silence" | "last-call":
                clocks = reminded(clock, clocks, at)
            case "deadline":
                clocks = grant_grace(clock, clocks, at)
            case "grace-over":
                clocks = run_out(clock, clocks, at)
            case _:
                return found
    return found


def test_the_whole_way_of_a_turn_that_never_comes():
    assert all_due(BANK, begun(), NOW + days(100)) == [
        ("remind", days(7)),
        ("remind", days(9)),
        ("deadline", days(10) + LATE),
        ("grace-over", days(10.5) + LATE),
        ("last-call", days(23.5) + LATE),
        ("fallback", days(24.5) + LATE),
    ]


def test_reminders_for_which_there_was_no_time_are_left_out():
    assert all_due(SHORT, begun(SHORT), NOW + days(2)) == [("remind", days(1))]
    day = parse_clock("24h+12h/72h")
    assert all_due(day, begun(day), NOW + days(1)) == []


def test_a_question_ends_with_the_answer_for_who_says_nothing():
    assert all_due(BANK, begun(kind="question"), NOW + days(9)) == [
        ("remind", days(2)),
        ("question-over", days(3) + LATE),
    ]


def test_where_nothing_ends_there_are_reminders_all_the_same():
    assert all_due(NONE, begun(NONE), NOW + days(50)) == [("silence", days(n)) for n in (14, 28, 42)]
    away = free(NONE, begun(NONE), "british", Interval(NOW + days(5), NOW + days(15)), NOW)
    assert all_due(NONE, away, NOW + days(30)) == [("silence", days(24))]


def test_a_late_look_sends_one_reminder_and_the_end_goes_first():
    clocks = begun()
    assert due(clocks, NOW + days(9.5)).kind == "remind"
    assert due(reminded(BANK, clocks, NOW + days(9.5)), NOW + days(9.5)) is None
    assert due(clocks, NOW + days(11)).kind == "deadline"


def test_nothing_is_due_without_a_wait_or_while_held():
    assert due_at(set_up(BANK, BySide("UTC", "UTC"))) is None
    held = hold(BANK, begun(), NOW)
    assert due(held, NOW + days(99)) is due_at(held) is deadline(held) is None
    assert due_at(release(BANK, held, NOW + days(2))) == NOW + days(9)
    assert due_at(stop(BANK, begun(), NOW, ended=True)) is None


def test_the_marks_change_nothing_where_nobody_is_waited_for():
    clocks = set_up(BANK, BySide("UTC", "UTC"))
    for mark in (reminded, grant_grace, run_out):
        assert mark(BANK, clocks, NOW) == clocks
    assert grant_grace(NONE, begun(NONE), NOW) == begun(NONE)


def test_grace_is_shown_and_a_turn_in_it_is_on_time():
    clocks = grant_grace(BANK, begun(), NOW + days(10) + LATE)
    assert deadline(clocks) == NOW + days(10.5)
    assert stop(BANK, clocks, NOW + days(10.4), ended=True).british.left == 86400


@pytest.mark.parametrize(
    ("hours", "until"), [(1, 12), (4, 12), (11, 12), (11.5, 12.5), (20, 21), (70, 71)], ids=lambda hours: f"{hours} h"
)
def test_grace_is_counted_from_the_deadline_and_who_is_told_late_has_an_hour(hours: float, until: float):
    end = NOW + days(10)
    graced = grant_grace(BANK, begun(), end + days(hours / 24))
    assert deadline(graced) == end + days(until / 24)
    assert is_late_grace(graced) == (until > 12)


def test_an_outage_in_the_time_of_grace_or_claim_is_free_too():
    outage = Interval(NOW + days(10.2), NOW + days(12.2))
    graced = free(BANK, grant_grace(BANK, begun(), NOW + days(10) + LATE), None, outage, NOW + days(12.2))
    assert deadline(graced) == NOW + days(12.5)
    out = run_out(BANK, begun(), NOW + days(10) + LATE)
    assert out.waiting.falls_at == NOW + days(24) + LATE
    later = free(BANK, out, None, outage, NOW + days(12.2))
    assert later.waiting.falls_at == NOW + days(26) + LATE
    assert due(later, NOW + days(25) + LATE).kind == "last-call"


def test_an_outage_over_the_deadline_gives_all_of_it_back():
    clocks = run_out(BANK, begun(), NOW + days(12))
    back = free(BANK, clocks, None, Interval(NOW + days(9), NOW + days(12)), NOW + days(12))
    assert deadline(back) == NOW + days(13)
    assert back.waiting.out_at is back.waiting.falls_at is None
    assert due_at(back) == NOW + days(13) + LATE  # the last day has no reminder: the change itself is mailed


def test_after_a_late_last_call_there_is_still_a_day():
    out = run_out(BANK, begun(), NOW + days(10))
    called = reminded(BANK, out, NOW + days(30))
    assert due(called, NOW + days(30)) is None
    assert due_at(called) == NOW + days(31)
    again = free(BANK, called, None, Interval(NOW + days(5), NOW + days(6)), NOW + days(30))
    assert due_at(again) == NOW + days(31)


def test_the_last_call_is_made_once_and_run_out_noted_once():
    out = run_out(BANK, begun(), NOW + days(10))
    assert run_out(BANK, out, NOW + days(12)) == out
    called = reminded(BANK, out, NOW + days(23))
    moved = free(BANK, called, None, Interval(NOW + days(20), NOW + days(22)), NOW + days(23))
    assert due(moved, NOW + days(26)).kind == "fallback"


@pytest.mark.parametrize("change", [extend, set_left])
def test_time_from_a_moderator_undoes_grace_and_run_out(change):
    for mark in (grant_grace, run_out):
        clocks = change(BANK, mark(BANK, begun(), NOW + days(11)), "british", 4 * 86400, NOW + days(12))
        assert deadline(clocks) == NOW + days(16)
        assert [kind for kind, _ in all_due(BANK, clocks, NOW + days(16) + LATE)] == ["remind", "remind", "deadline"]


def test_a_deadline_that_moves_away_is_reminded_of_again():
    clocks = reminded(BANK, begun(), NOW + days(7))
    moved = extend(BANK, clocks, "british", 5 * 86400, NOW + days(8))
    assert due_at(moved) == NOW + days(12)


@given(st.integers(0, 60 * 24), st.sampled_from(["turn", "question"]), st.sampled_from(["10d+1d/14d", "none", "5d"]))
def test_due_at_is_when_something_is_due(hours, kind, spec):
    clock = parse_clock(spec)
    clocks, now = begun(clock, kind), NOW + timedelta(hours=hours)
    at = due_at(clocks)
    assert (due(clocks, now) is not None) == (at is not None and at <= now)


@pytest.mark.parametrize(
    ("at", "season"),
    [
        ("2030-01-01T00:00+00:00", (2030, 1)),
        ("2030-06-30T23:59+00:00", (2030, 1)),
        ("2030-07-01T00:00+00:00", (2030, 2)),
        ("2030-07-01T01:00+02:00", (2030, 1)),
        ("2031-01-01T00:30+14:00", (2030, 2)),
    ],
)
def test_a_season_is_half_a_year(at, season):
    assert season_of(datetime.fromisoformat(at)) == season


def test_grace_is_given_once_a_season():
    assert may_have_grace(None, NOW)
    assert not may_have_grace(NOW - days(100), NOW)
    assert may_have_grace(NOW - days(200), NOW)
    assert may_have_grace(NOW, NOW + days(60))
