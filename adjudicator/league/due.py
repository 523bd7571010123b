"""What comes due while a game waits, and what is noted when it is done.

One thing is due at a time; who has done it notes it, and asks again:

    remind         a mail before the deadline                         `reminded`
    silence        a mail where the wait has no end                   `reminded`
    deadline       the time is over: grace (`grant_grace`), or what the policy says: `run_out` (claim),
                   the game is lost (loss), or `running.lapse` (passes)
    grace-over     the same without grace
    last-call      a day before the game is lost without a claim      `reminded`
    fallback       nobody has claimed: the game is lost
    question-over  the answer that is given for who says nothing
"""

from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from adjudicator.game.model import Side, replace
from adjudicator.league.clock import HOUR, Clock, Clocks, Waiting
from adjudicator.league.running import GRACE, LAST_CALL, later, next_reminder, out, timed_anew
from adjudicator.league.wall import at_seconds, seconds_of

Need = Literal["remind", "silence", "deadline", "grace-over", "last-call", "fallback", "question-over"]

ARRIVAL = timedelta(minutes=10)
"""How long after a deadline it is acted on: letters that came before it are worked on first."""

PASSES_LOST = 3
"""With so many turns in a row ended by the clock (`SideClock.passed`) the game is lost."""


class Due(msgspec.Struct, frozen=True):
    """Something whose time has come: what, about whom, and since when."""

    kind: Need
    side: Side
    at: datetime


def due(clocks: Clocks, now: datetime) -> Due | None:
    """What has to be done now; the end of a wait goes before a reminder that is late. Nothing while held."""
    return next((each for each in _coming(clocks) if each.at <= now), None)


def due_at(clocks: Clocks) -> datetime | None:
    """When something comes due next."""
    return min((each.at for each in _coming(clocks)), default=None)


def deadline(clocks: Clocks) -> datetime | None:
    """The end of the wait that is shown, with grace if that was given; None while held or if there is none."""
    waiting = clocks.waiting
    if waiting is None or clocks.held:
        return None
    return waiting.grace_until or waiting.deadline


def _coming(clocks: Clocks) -> tuple[Due, ...]:
    waiting = clocks.waiting
    if waiting is None or clocks.held:
        return ()
    return tuple(Due(kind, waiting.side, at) for kind, at in (_end(waiting), _mail(waiting)) if at)


def _end(waiting: Waiting) -> tuple[Need, datetime | None]:
    if waiting.falls_at:
        return "fallback", None if waiting.remind_at else waiting.falls_at
    if waiting.grace_until:
        return "grace-over", waiting.grace_until + ARRIVAL
    kind: Need = "deadline" if waiting.kind == "turn" else "question-over"
    return kind, waiting.deadline + ARRIVAL if waiting.deadline else None


def _mail(waiting: Waiting) -> tuple[Need, datetime | None]:
    if waiting.falls_at:
        return "last-call", waiting.remind_at
    return "remind" if waiting.deadline else "silence", waiting.remind_at


def reminded(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:
    """The mail that was due (`remind`, `silence` or `last-call`) is written; after a last call there is a day left."""
    waiting, now = clocks.waiting, at_seconds(seconds_of(now))
    if waiting is None:
        return clocks
    if waiting.falls_at:
        falls = max(waiting.falls_at, at_seconds(seconds_of(now) + LAST_CALL))
        return replace(clocks, waiting=replace(waiting, remind_at=None, falls_at=falls))
    if waiting.deadline is None:
        return timed_anew(clock, clocks, replace(waiting, counts_from=now), now)
    return replace(clocks, waiting=replace(waiting, remind_at=next_reminder(waiting.deadline, now)))


def grant_grace(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:  # noqa: ARG001 - they all take the clock
    """The turn is on time up to twelve hours after the deadline, however late that was noticed.

    Who is told of it has an hour at least: nobody's time is over before he could know how he stands.
    """
    waiting = clocks.waiting
    if waiting is None or waiting.deadline is None:
        return clocks
    end = later(clocks.of(waiting.side), waiting.deadline, GRACE)
    until = max(end, at_seconds(seconds_of(now) + HOUR))
    return replace(clocks, waiting=replace(waiting, grace_until=until, remind_at=None))


def is_late_grace(clocks: Clocks) -> bool:
    """Whether grace goes on for longer than twelve hours after the deadline, as that was noticed late."""
    waiting = clocks.waiting
    if waiting is None or waiting.deadline is None or waiting.grace_until is None:
        return False
    return waiting.grace_until > later(clocks.of(waiting.side), waiting.deadline, GRACE)


def run_out(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:  # noqa: ARG001
    """The time is over, and from now the opponent may claim (policy `claim`)."""
    waiting = clocks.waiting
    if waiting is None or waiting.out_at:
        return clocks
    over = out(clocks.of(waiting.side), waiting, at_seconds(seconds_of(now)))
    return replace(clocks, waiting=over)


def season_of(now: datetime) -> tuple[int, int]:
    """The half-year (1 or 2) of an instant, in UTC, with its year."""
    day = now.astimezone(UTC)
    return day.year, 1 if day.month <= 6 else 2  # noqa: PLR2004 - June


def may_have_grace(graced_at: datetime | None, now: datetime) -> bool:
    """Whether a player who had grace then may have it now: once a season."""
    return graced_at is None or season_of(graced_at) != season_of(now)
