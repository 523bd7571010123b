"""How time is counted in a game, and what is kept of it.

The text of a clock is a time and options, in any order after it:

    10d+1d/14d      ten days to begin with, one more for each completed turn, never more than fourteen
    5d              five days for each turn (what `5d+5d/5d` says too)
    none            turns have no end
    weekends        Saturdays and Sundays are free
    holidays DE-BY  the public holidays of that country, or of its part, are free
    claim           who ran out of time may be claimed against (the default); `loss`: has lost; `passes`: passes
    questions 2d    how long an answer to a question may take (the default is 3d; none without a clock)

A span is a number of days or hours: `5d`, `36h`. All spans here are whole seconds.
"""

import re
from datetime import datetime
from functools import lru_cache
from typing import Literal

import msgspec

from adjudicator.game.model import Side
from adjudicator.league.free_days import UnknownRegion, canonical_region

Policy = Literal["claim", "loss", "passes"]
Kind = Literal["turn", "question"]

HOUR, DAY = 3600, 86400
LONGEST = 365 * DAY
"""No span of a clock is longer."""

DEFAULT = "10d+1d/14d"
"""The clock of a game for which nothing else is said."""

QUESTIONS = 3 * DAY
"""The time for an answer where the clock says nothing of it."""

FORMS = (
    "a clock is like 10d+1d/14d, 5d or none, and after it any of: weekends, holidays COUNTRY, claim, loss, passes, "
    "questions 2d"
)
_SPAN = re.compile(r"([0-9]{1,5})([dh])")
_BANK = re.compile(r"([^+/]+)\+([^+/]+)/([^+/]+)")


class ClockFault(ValueError):  # noqa: N818 - refusals say what is wrong
    """A text that is no clock or no span; the message says in our own words what is wrong and what is possible."""


class Clock(msgspec.Struct, frozen=True):
    """The rules of time of one game. A budget of 0: turns have no end; questions of 0: nor have questions."""

    budget: int = 0
    increment: int = 0
    cap: int = 0
    weekends: bool = False
    holidays: str | None = None
    policy: Policy = "claim"
    questions: int = 0

    @property
    def fixed(self) -> bool:
        """Whether each turn has the same time, and nothing is saved."""
        return self.budget == self.increment == self.cap

    def limits(self, kind: Kind) -> bool:
        """Whether there is an end to waiting of this kind."""
        return bool(self.budget if kind == "turn" else self.questions)


class Interval(msgspec.Struct, frozen=True, order=True):
    """From `start` up to but without `end`; both aware UTC, whole seconds."""

    start: datetime
    end: datetime


class SideClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side's time. While his turn is waited for, `left` is what he had when it was last counted.

    `free` are sorted stretches that do not count: leave, outages, pauses. `passed` counts the turns in a row that
    the clock has ended by passes.
    """

    left: int
    zone: str = "UTC"
    free: tuple[Interval, ...] = ()
    passed: int = 0


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whom the game waits for, and how long yet.

    `since` is when this wait began; `left` seconds count from `counts_from`. `deadline` is None if the wait has no
    end. `remind_at` is when the next mail about it is due. `grace_until`: grace was given, up to then the turn is on
    time. `out_at`: since then the opponent may claim; without a claim the game is lost at `falls_at`.
    """

    side: Side
    kind: Kind
    since: datetime
    counts_from: datetime
    left: int
    deadline: datetime | None = None
    remind_at: datetime | None = None
    grace_until: datetime | None = None
    out_at: datetime | None = None
    falls_at: datetime | None = None


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time of a whole game. `held`: since then nothing counts (a pause)."""

    british: SideClock
    french: SideClock
    waiting: Waiting | None = None
    held: datetime | None = None

    def of(self, side: Side) -> SideClock:
        """The time of one side."""
        return self.british if side == "british" else self.french

    def put(self, side: Side, value: SideClock) -> "Clocks":
        """The same with another value for one side."""
        if side == "british":
            return msgspec.structs.replace(self, british=value)
        return msgspec.structs.replace(self, french=value)


def parse_span(text: str) -> int:
    """The seconds of `5d` or `36h`. Raises: ClockFault."""
    match = _SPAN.fullmatch(text)
    seconds = int(match[1]) * (DAY if match[2] == "d" else HOUR) if match else 0
    if not match or seconds > LONGEST:
        raise ClockFault(f"{text!r} is no time: write days or hours, like 5d or 36h, at most {LONGEST // DAY}d")
    return seconds


def write_span(seconds: int) -> str:
    """The shortest text of whole hours: `5d`, `36h`."""
    return f"{seconds // HOUR}h" if seconds % DAY else f"{seconds // DAY}d"


@lru_cache(maxsize=256)
def parse_clock(text: str) -> Clock:
    """The clock that the text says. Raises: ClockFault, saying what is wrong and what is possible."""
    words = text.lower().split()
    if not words:
        raise ClockFault(FORMS)
    clock = _time(words.pop(0))
    said: set[str] = set()
    while words:
        word = words.pop(0)
        clock, about = _option(clock, word, words)
        if about in said:
            raise ClockFault(f"{word!r}: {about} is said twice")
        said.add(about)
    if not clock.budget and said - {"questions"}:
        raise ClockFault("with the clock none only the time for questions can be said: none questions 2d")
    return clock


def _time(word: str) -> Clock:
    if word == "none":
        return Clock()
    bank = _BANK.fullmatch(word)
    if not bank and not _SPAN.fullmatch(word):
        hint = " (an increment needs a cap: 10d+1d/14d)" if "+" in word or "/" in word else ""
        raise ClockFault(f"{word!r} is no clock{hint}: {FORMS}")
    budget, increment, cap = map(parse_span, bank.groups() if bank else (word, word, word))
    if not budget:
        raise ClockFault(f"{word!r}: the time must be at least 1h; for no clock at all write none")
    if cap < max(budget, increment):
        raise ClockFault(f"{word!r}: the cap (after /) must not be less than the time or the increment")
    return Clock(budget, increment, cap, questions=QUESTIONS)


def _option(clock: Clock, word: str, words: list[str]) -> tuple[Clock, str]:
    """The clock with an option, whose value is taken off `words`, and what the option is about."""
    match word:
        case "weekends":
            return msgspec.structs.replace(clock, weekends=True), "weekends"
        case "claim" | "loss" | "passes":
            return msgspec.structs.replace(clock, policy=word), "what happens on time"
        case "holidays" | "questions" if not words:
            raise ClockFault(f"{word!r} needs a value: holidays DE-BY, questions 2d")
        case "holidays":
            return msgspec.structs.replace(clock, holidays=_region(words.pop(0))), "holidays"
        case "questions":
            return msgspec.structs.replace(clock, questions=_some(words.pop(0))), "questions"
    raise ClockFault(f"{word!r} is no option of a clock: {FORMS}")


def _region(text: str) -> str:
    try:
        return canonical_region(text)
    except UnknownRegion as fault:
        raise ClockFault(str(fault)) from None


def _some(text: str) -> int:
    seconds = parse_span(text)
    if not seconds:
        raise ClockFault("the time for questions must be at least 1h")
    return seconds


def write_clock(clock: Clock) -> str:
    """The one text of a clock: what is as always is left out; `parse_clock` reads it back."""
    budget, increment, cap = map(write_span, (clock.budget, clock.increment, clock.cap))
    parts = ["none" if not clock.budget else budget if clock.fixed else f"{budget}+{increment}/{cap}"]
    if clock.weekends:
        parts.append("weekends")
    if clock.holidays:
        parts.append(f"holidays {clock.holidays}")
    if clock.policy != "claim":
        parts.append(clock.policy)
    if clock.questions != (QUESTIONS if clock.budget else 0):
        parts.append(f"questions {write_span(clock.questions)}")
    return " ".join(parts)
