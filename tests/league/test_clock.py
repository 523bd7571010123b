"""The text of a clock: what it says, its one canonical form, and what is refused."""

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.league.clock import DAY, DEFAULT, HOUR, QUESTIONS, Clock, parse_clock, parse_span, write_clock

spans = st.one_of(st.integers(1, 365).map(lambda n: n * DAY), st.integers(1, 8760).map(lambda n: n * HOUR))


@st.composite
def clocks(draw) -> Clock:
    budget, increment, cap = draw(spans), draw(spans), 365 * DAY
    if draw(st.booleans()):
        increment = cap = budget
    return Clock(
        budget,
        increment,
        cap,
        draw(st.booleans()),
        draw(st.sampled_from([None, "DE", "DE-BY", "US-NY", "FR"])),
        draw(st.sampled_from(["claim", "loss", "passes"])),
        draw(spans),
    )


@given(clocks())
def test_a_clock_is_read_back_from_its_text(clock):
    text = write_clock(clock)
    assert parse_clock(text) == clock
    assert write_clock(parse_clock(text.upper())) == text
    assert msgspec.json.decode(msgspec.json.encode(clock), type=Clock) == clock


def test_the_default_clock():
    assert parse_clock(DEFAULT) == Clock(10 * DAY, DAY, 14 * DAY, questions=QUESTIONS)
    assert write_clock(parse_clock(DEFAULT)) == DEFAULT


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("5d+5d/5d", "5d"),
        ("24h", "1d"),
        ("36h", "36h"),
        ("5d questions 3d", "5d"),
        ("5d claim", "5d"),
        ("10d+1d/14d loss holidays de-by weekends", "10d+1d/14d weekends holidays DE-BY loss"),
        ("  5d   passes  ", "5d passes"),
        ("10d+0d/10d", "10d+0d/10d"),
        ("none", "none"),
        ("none questions 2d", "none questions 2d"),
    ],
)
def test_one_text_for_each_clock(text, canonical):
    assert write_clock(parse_clock(text)) == canonical


@pytest.mark.parametrize("kind", ["turn", "question"])
def test_none_has_no_ends(kind):
    assert not parse_clock("none").limits(kind)
    assert parse_clock("none questions 2d").limits(kind) == (kind == "question")
    assert parse_clock("5d").limits(kind)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["10d+1d/14d", "none", "questions 2d"]),
        ("soon", ["'soon'", "10d+1d/14d"]),
        ("10d+1d", ["needs a cap"]),
        ("10d/14d", ["needs a cap"]),
        ("10d+1w/14d", ["'1w'", "36h"]),
        ("-5d", ["'-5d'"]),
        ("5.5d", ["'5.5d'"]),
        ("\u0665d", ["no clock"]),
        ("0d", ["at least 1h"]),
        ("0d+0d/0d", ["at least 1h"]),
        ("366d", ["365d"]),
        ("99999d", ["365d"]),
        ("9" * 400 + "d", ["no clock"]),
        ("20d+1d/14d", ["cap"]),
        ("5d+15d/14d", ["cap"]),
        ("5d mondays", ["'mondays'", "weekends"]),
        ("5d weekends weekends", ["weekends is said twice"]),
        ("5d claim loss", ["what happens on time is said twice"]),
        ("5d questions", ["needs a value"]),
        ("5d questions 0h", ["at least 1h"]),
        ("5d questions weekends", ["'weekends' is no time"]),
        ("5d holidays", ["needs a value"]),
        ("5d holidays DE-BX", ["'de-bx'", "DE-BB"]),
        ("5d holidays Atlantis", ["nearest"]),
        ("none weekends", ["none questions 2d"]),
        ("none loss", ["none questions 2d"]),
    ],
)
def test_a_wrong_clock_is_refused_with_what_is_possible(text, words):
    with pytest.raises(ValueError) as refused:
        parse_clock(text)
    for word in words:
        assert word in str(refused.value)


@given(st.text(max_size=30))
def test_any_text_is_a_clock_or_a_value_error(text):
    try:
        clock = parse_clock(text)
    except ValueError:
        return
    assert parse_clock(write_clock(clock)) == clock


@pytest.mark.parametrize(("text", "seconds"), [("5d", 432000), ("36h", 129600), ("0d", 0), ("365d", 31536000)])
def test_spans(text, seconds):
    assert parse_span(text) == seconds


def test_holidays_are_loaded_only_for_a_clock_that_names_them():
    code = (
        "import sys\n"
        "from adjudicator.league import clock, due, leave\n"
        "clock.parse_clock('5d weekends'); assert 'holidays' not in sys.modules\n"
        "clock.parse_clock('5d holidays DE'); assert 'holidays' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
