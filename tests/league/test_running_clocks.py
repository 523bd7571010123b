"""Clocks as they run: what is charged, what is free, and that nothing moves a deadline but what is meant to."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.game.model import BySide, other
from adjudicator.league.clock import DAY, HOUR, Clocks, Interval, parse_clock
from adjudicator.league.due import deadline
from adjudicator.league.running import (
    end_free,
    extend,
    free,
    hold,
    lapse,
    left_now,
    release,
    rezone,
    set_left,
    set_up,
    start,
    stop,
)

NOW = datetime(2030, 6, 3, 16, tzinfo=UTC)  # a Monday
BANK = parse_clock("10d+1d/14d")
FIXED = parse_clock("5d")
NONE = parse_clock("none")
ZONES = BySide("Europe/Berlin", "America/New_York")
SPECS = ("10d+1d/14d", "5d", "5d weekends", "36h+12h/72h holidays DE", "none", "none questions 2d")


def days(count: float) -> timedelta:
    return timedelta(days=count)


def begun(clock=BANK, side="british", kind="turn", now=NOW, zones=ZONES) -> Clocks:
    return start(clock, set_up(clock, zones), side, kind, now)


moments = st.integers(-200 * 24, 200 * 24).map(lambda n: NOW + timedelta(hours=n))
zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Asia/Kathmandu"]
)
spans = st.integers(0, 30 * 24).map(lambda n: timedelta(hours=n))


def test_a_new_game_waits_for_nobody():
    clocks = set_up(BANK, ZONES)
    assert clocks.british.left == clocks.french.left == 10 * DAY
    assert (clocks.british.zone, clocks.french.zone) == ("Europe/Berlin", "America/New_York")
    assert clocks.waiting is None
    assert deadline(clocks) is None
    with pytest.raises(ValueError, match="no time zone"):
        set_up(BANK, BySide("UTC", "Nowhere"))


def test_a_turn_is_charged_and_earns_its_increment():
    clocks = begun()
    assert deadline(clocks) == NOW + days(10)
    assert left_now(BANK, clocks, "british", NOW + days(4)) == 6 * DAY
    clocks = stop(BANK, clocks, NOW + days(4), ended=True)
    assert clocks.british.left == 7 * DAY
    assert clocks.french.left == 10 * DAY
    assert clocks.waiting is None


def test_the_cap_ends_saving_but_takes_nothing():
    clocks = set_left(BANK, set_up(BANK, ZONES), "british", 13 * DAY + HOUR, NOW)
    assert stop(BANK, start(BANK, clocks, "british", "turn", NOW), NOW, ended=True).british.left == 14 * DAY
    clocks = set_left(BANK, clocks, "british", 20 * DAY, NOW)
    clocks = start(BANK, clocks, "british", "turn", NOW)
    assert stop(BANK, clocks, NOW + days(1), ended=True).british.left == 19 * DAY


def test_fixed_days_are_the_same_each_turn():
    clocks = begun(FIXED)
    assert stop(FIXED, clocks, NOW + days(4), ended=False).british.left == DAY
    assert stop(FIXED, clocks, NOW + days(4), ended=True).british.left == 5 * DAY
    longer = extend(FIXED, clocks, "british", 3 * DAY, NOW)
    assert deadline(longer) == NOW + days(8)
    assert stop(FIXED, longer, NOW, ended=True).british.left == 5 * DAY


def test_a_late_turn_has_nothing_left_but_its_increment():
    clocks = stop(BANK, begun(), NOW + days(11), ended=True)
    assert clocks.british.left == DAY


def test_a_question_has_its_own_time_and_costs_nobody_anything():
    clocks = start(BANK, begun(), "french", "question", NOW + days(2))
    assert deadline(clocks) == NOW + days(5)
    assert clocks.british.left == 8 * DAY
    assert left_now(BANK, clocks, "french", NOW + days(3)) == 2 * DAY
    clocks = stop(BANK, clocks, NOW + days(4), ended=False)
    assert clocks.french.left == 10 * DAY
    assert deadline(start(BANK, clocks, "british", "turn", NOW + days(4))) == NOW + days(12)


def test_without_a_clock_nothing_ends_and_nothing_is_charged():
    clocks = begun(NONE)
    assert deadline(clocks) is None
    assert stop(NONE, clocks, NOW + days(400), ended=True).british.left == 0
    assert deadline(begun(NONE, kind="question")) is None
    assert deadline(begun(parse_clock("none questions 2d"), kind="question")) == NOW + days(2)


def test_lapsed_turns_are_counted_until_he_plays():
    clocks = begun()
    for number in (1, 2):
        clocks = lapse(BANK, clocks, NOW + days(30 * number))
        assert (clocks.british.passed, clocks.british.left) == (number, DAY)
        clocks = start(BANK, clocks, "british", "turn", NOW + days(30 * number))
    assert stop(BANK, clocks, NOW + days(60), ended=False).british.passed == 2
    assert stop(BANK, clocks, NOW + days(60), ended=True).british.passed == 0


def test_nothing_to_stop_changes_nothing():
    clocks = set_up(BANK, ZONES)
    assert stop(BANK, clocks, NOW, ended=True) == lapse(BANK, clocks, NOW) == clocks
    assert release(BANK, clocks, NOW) == clocks


@given(st.sampled_from(SPECS), zones, moments, st.lists(spans, max_size=8), st.booleans())
def test_stopping_and_starting_with_no_time_between_moves_no_deadline(spec, zone, now, pauses, restart):
    clock = parse_clock(spec)
    clocks = first = start(clock, set_up(clock, BySide(zone, zone)), "british", "turn", now)
    for pause in pauses:
        at = now + pause / 8
        if first.waiting.deadline and at > first.waiting.deadline:
            continue
        if not restart:
            clocks = stop(clock, clocks, at, ended=False)
        clocks = start(clock, clocks, "british", "turn", at)
        if not skipped(clocks.waiting.deadline, zone):
            assert deadline(clocks) == deadline(first)
        now = max(now, at)


def skipped(at, zone) -> bool:
    """Whether readings are left out just there: then several times left end at the same instant."""
    there = ZoneInfo(zone)
    return (
        at is not None and (at - timedelta(seconds=1)).astimezone(there).utcoffset() < at.astimezone(there).utcoffset()
    )


@given(st.sampled_from(SPECS[:4]), zones, moments, spans, spans, st.sampled_from(["before", "within", "after"]))
def test_free_time_freezes_exactly(spec, zone, now, ago, length, declared):
    clock = parse_clock(spec)
    clocks = start(clock, set_up(clock, BySide(zone, zone)), "british", "turn", now)
    begin, end = now + ago / 10, now + ago / 10 + length
    at = {"before": now, "within": begin + length / 2, "after": end}[declared]
    left = left_now(clock, clocks, "british", begin)
    rest = free(clock, clocks, "british", Interval(begin, end), at)
    assert left_now(clock, rest, "british", begin) == left
    assert left_now(clock, rest, "british", begin + length / 3) == left
    assert left_now(clock, rest, "british", end) == left
    if left:
        resumed = start(clock, stop(clock, rest, end, ended=False), "british", "turn", end)
        assert deadline(resumed) == deadline(rest) >= end
    assert rest.french == clocks.french


@given(st.sampled_from(SPECS[:4]), zones, moments, spans, spans)
def test_a_pause_is_free_time(spec, zone, now, ago, length):
    clock = parse_clock(spec)
    clocks = start(clock, set_up(clock, BySide(zone, zone)), "british", "turn", now)
    begin, end = now + ago / 10, now + ago / 10 + length
    held = hold(clock, clocks, begin)
    assert deadline(held) is None
    assert left_now(clock, held, "british", end) == left_now(clock, clocks, "british", begin)
    assert hold(clock, held, end) == held
    assert release(clock, held, end) == free(clock, clocks, None, Interval(begin, end), end)
    stopped = stop(clock, held, end, ended=False)
    assert stopped.british.left == left_now(clock, clocks, "british", begin)


def test_a_turn_that_begins_in_a_pause_is_charged_from_its_end():
    clocks = hold(BANK, set_up(BANK, ZONES), NOW)
    clocks = release(BANK, start(BANK, clocks, "british", "turn", NOW + days(2)), NOW + days(5))
    assert deadline(clocks) == NOW + days(15)


def test_a_pause_without_time_leaves_everything():
    clocks = begun()
    assert release(BANK, hold(BANK, clocks, NOW + days(1)), NOW + days(1)) == clocks


stretches = st.lists(
    st.tuples(st.sampled_from([None, "british", "french"]), moments, spans), min_size=2, max_size=5
).flatmap(lambda all_of_them: st.tuples(st.just(all_of_them), st.permutations(all_of_them)))


@given(st.sampled_from(SPECS), stretches)
def test_the_order_in_which_time_is_freed_does_not_matter(spec, orders):
    clock, results = parse_clock(spec), []
    for order in orders:
        clocks = begun(clock)
        for side, begin, length in order:
            clocks = free(clock, clocks, side, Interval(begin, begin + length), NOW)
        results.append(clocks)
    assert results[0] == results[1]


@given(st.sampled_from(SPECS), st.lists(st.tuples(moments, spans), max_size=5))
def test_free_time_never_brings_a_deadline_forward(spec, stretches):
    clock = parse_clock(spec)
    clocks = begun(clock)
    for begin, length in stretches:
        more = free(clock, clocks, "british", Interval(begin, begin + length), NOW)
        assert (deadline(more) or NOW) >= (deadline(clocks) or NOW)
        clocks = more


def test_an_outage_freezes_both_sides_and_is_dropped_when_it_is_past():
    clocks = free(BANK, begun(), None, Interval(NOW + days(1), NOW + days(3)), NOW + days(3))
    assert deadline(clocks) == NOW + days(12)
    assert clocks.british.free == clocks.french.free != ()
    clocks = stop(BANK, clocks, NOW + days(3), ended=True)
    assert clocks.british.left == 10 * DAY
    assert start(BANK, clocks, "french", "turn", NOW + days(3)).french.free == ()


def test_a_leave_ends_early_with_a_move():
    first = free(BANK, begun(), "british", Interval(NOW + days(1), NOW + days(8)), NOW)
    both = free(BANK, first, "british", Interval(NOW + days(8), NOW + days(9)), NOW)
    assert deadline(both) == NOW + days(18)
    ended = end_free(BANK, both, "british", NOW + days(3))
    assert deadline(ended) == NOW + days(13)  # the leave that adjoins stays
    assert left_now(BANK, ended, "british", NOW + days(4)) == 8 * DAY
    assert end_free(BANK, both, "french", NOW + days(3)) == both
    assert end_free(BANK, both, "british", NOW) == both
    assert end_free(BANK, first, "british", NOW + days(1)).british.free == ()
    assert end_free(BANK, first, "british", NOW + days(20)) == first


def test_a_moderator_gives_time_to_him_who_is_waited_for():
    clocks = extend(BANK, begun(), "british", 2 * DAY, NOW + days(1))
    assert deadline(clocks) == NOW + days(12)
    assert left_now(BANK, clocks, "british", NOW + days(1)) == 11 * DAY
    assert extend(BANK, clocks, "french", 2 * DAY, NOW).french.left == 12 * DAY
    assert deadline(extend(BANK, clocks, "british", -2 * DAY, NOW + days(1))) == NOW + days(10)
    question = start(BANK, clocks, "french", "question", NOW + days(1))
    longer = extend(BANK, question, "french", DAY, NOW + days(2))
    assert deadline(longer) == NOW + days(5)
    assert longer.french.left == 10 * DAY


def test_time_given_after_the_end_counts_from_now():
    clocks = extend(BANK, begun(), "british", 2 * DAY, NOW + days(30))
    assert deadline(clocks) == NOW + days(32)
    assert extend(BANK, begun(), "british", -DAY, NOW + days(30)).waiting.left == 0


def test_time_is_set():
    clocks = set_left(BANK, begun(), "british", 20 * DAY, NOW + days(1))
    assert deadline(clocks) == NOW + days(21)
    assert stop(BANK, clocks, NOW + days(2), ended=False).british.left == 19 * DAY
    question = start(BANK, begun(), "french", "question", NOW)
    changed = set_left(BANK, question, "french", DAY, NOW)
    assert (changed.french.left, deadline(changed)) == (DAY, deadline(question))
    assert set_left(BANK, begun(), "french", DAY, NOW).french.left == DAY


def test_another_zone_counts_from_now_on():
    late = begun(now=datetime(2030, 10, 20, 16, tzinfo=UTC))
    assert deadline(late) == datetime(2030, 10, 30, 17, tzinfo=UTC)  # 18:00 after the change in Berlin
    moved = rezone(BANK, late, "british", "asia/kathmandu", datetime(2030, 10, 21, 16, tzinfo=UTC))
    assert moved.british.zone == "Asia/Kathmandu"
    assert deadline(moved) == datetime(2030, 10, 30, 16, tzinfo=UTC)
    assert deadline(rezone(BANK, late, "french", "UTC", NOW)) == deadline(late)
    with pytest.raises(ValueError, match="no time zone"):
        rezone(BANK, late, "british", "Moon", NOW)


def test_another_zone_brings_no_time_back_that_is_over():
    clocks = begun()
    moved = rezone(BANK, clocks, "british", "America/New_York", NOW + days(11))
    assert moved.waiting == clocks.waiting


steps = st.lists(
    st.tuples(
        st.sampled_from(["move", "ask", "leave", "outage", "hold", "release", "extend", "zone", "back"]), spans, zones
    ),
    max_size=25,
)


def stepped(clock, clocks, step, now, span, zone) -> Clocks:
    side = clocks.waiting.side
    acts = {
        "move": lambda: start(clock, stop(clock, clocks, now, ended=True), other(side), "turn", now),
        "ask": lambda: start(clock, clocks, other(side), "question", now),
        "leave": lambda: free(clock, clocks, side, Interval(now + days(1), now + days(1) + span), now),
        "outage": lambda: free(clock, clocks, None, Interval(now - span / 6, now), now),
        "hold": lambda: hold(clock, clocks, now),
        "release": lambda: release(clock, clocks, now),
        "extend": lambda: extend(clock, clocks, side, DAY, now),
        "zone": lambda: rezone(clock, clocks, side, zone, now),
        "back": lambda: end_free(clock, clocks, side, now),
    }
    return acts[step]()


@given(st.sampled_from(SPECS), steps)
def test_whatever_happens_the_clocks_stay_in_their_bounds(spec, steps):
    clock = parse_clock(spec)
    clocks, now = begun(clock), NOW
    for step, span, zone in steps:
        now += span / 6
        clocks = stepped(clock, clocks, step, now, span, zone)
        side, end = clocks.waiting.side, deadline(clocks)
        assert msgspec.json.decode(msgspec.json.encode(clocks), type=Clocks) == clocks
        assert min(clocks.british.left, clocks.french.left, left_now(clock, clocks, side, now)) >= 0
        if end and end > now:
            assert left_now(clock, clocks, side, end) == 0
            if not skipped(end, clocks.of(side).zone):
                assert left_now(clock, clocks, side, end - timedelta(seconds=1)) <= 1
