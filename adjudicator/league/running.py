"""The clocks of a game as they run: start, stop, hold, free time, and what a moderator may change.

Each function takes the clock (rules), the clocks (values) and the time, and returns new clocks. Nothing is charged
until a wait ends, so that time declared free later, an outage for one, is free as if it had always been so.
"""

from datetime import datetime

from adjudicator.game.model import SIDES, BySide, Side, replace
from adjudicator.league.clock import DAY, HOUR, Clock, Clocks, Interval, Kind, SideClock, Waiting
from adjudicator.league.wall import after, at_seconds, elapsed, seconds_of, zone_of

REMINDERS = (3 * DAY, 1 * DAY)
"""How long before a deadline the player is reminded."""

SILENCE = 14 * DAY
"""Where a wait has no end: how long until the player is reminded, again and again."""

GRACE = 12 * HOUR
"""How late a turn may be once a season."""

CLAIM = 14 * DAY
"""How long a claim may wait until the game is lost without it."""

LAST_CALL = DAY
"""How long before that it is announced once more."""

_EVERY_DAY = Clock()


def set_up(clock: Clock, zones: BySide[str]) -> Clocks:
    """The clocks of a new game, waiting for nobody. Raises: ValueError for an unknown zone."""
    british, french = (SideClock(clock.budget, zone_of(zones.of(side)).key) for side in SIDES)
    return Clocks(british, french)


def start(clock: Clock, clocks: Clocks, side: Side, kind: Kind, now: datetime) -> Clocks:
    """From now the game waits for a side; what it waited for is stopped."""
    clocks = stop(clock, clocks, now, ended=False)
    now, own = at_seconds(seconds_of(now)), clocks.of(side)
    current = tuple(each for each in own.free if each.end > now)
    if current != own.free:
        clocks = clocks.put(side, replace(own, free=current))
    left = own.left if kind == "turn" else clock.questions
    return timed_anew(clock, clocks, Waiting(side, kind, now, now, left), now)


def stop(clock: Clock, clocks: Clocks, now: datetime, *, ended: bool) -> Clocks:
    """The wait is over: a turn is charged what it took, a question nothing.

    `ended`: the player has ended his turn, so the increment is added; it never lifts him above the cap. Nothing
    happens if the game waits for nobody.
    """
    waiting = clocks.waiting
    if waiting is None:
        return clocks
    if waiting.kind == "turn" and clock.budget:
        left = left_now(clock, clocks, waiting.side, now)
        own = clocks.of(waiting.side)
        own = replace(own, left=_with_increment(clock, left), passed=0) if ended else replace(own, left=left)
        clocks = clocks.put(waiting.side, own)
    return replace(clocks, waiting=None)


def lapse(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:
    """The clock has ended the turn by passes (policy `passes`): as `stop`, and it is counted in `passed`."""
    if clocks.waiting is None:
        return clocks
    side = clocks.waiting.side
    passed = clocks.of(side).passed + 1
    clocks = stop(clock, clocks, now, ended=True)
    return clocks.put(side, replace(clocks.of(side), passed=passed))


def _with_increment(clock: Clock, left: int) -> int:
    if clock.fixed:
        return clock.budget
    return max(left, min(left + clock.increment, clock.cap))


def left_now(clock: Clock, clocks: Clocks, side: Side, now: datetime) -> int:
    """The seconds that a side has left of its own time; for whom a question waits, of the time for its answer."""
    waiting = clocks.waiting
    if waiting is None or waiting.side != side or not clock.limits(waiting.kind):
        return clocks.of(side).left
    until = min(now, clocks.held) if clocks.held else now
    return max(0, waiting.left - elapsed(clock, clocks.of(side), waiting.counts_from, until))


def hold(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:  # noqa: ARG001 - they all take the clock
    """From now nothing counts and nothing comes due, until `release`. Held clocks stay held since they were."""
    return clocks if clocks.held else replace(clocks, held=at_seconds(seconds_of(now)))


def release(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:
    """The clocks go on, and the time since `hold` was free for both sides."""
    if clocks.held is None:
        return clocks
    return free(clock, replace(clocks, held=None), None, Interval(clocks.held, now), now)


def free(clock: Clock, clocks: Clocks, side: Side | None, interval: Interval, now: datetime) -> Clocks:
    """Time that does not count for a side, or for both (None); it may lie in the past or be yet to come."""
    begin, end = at_seconds(seconds_of(interval.start)), at_seconds(seconds_of(interval.end))
    for each in SIDES if side is None else (side,):
        own = clocks.of(each)
        if begin < end:
            clocks = clocks.put(each, replace(own, free=_joined((*own.free, Interval(begin, end)))))
    return _retimed(clock, clocks, now)


def end_free(clock: Clock, clocks: Clocks, side: Side, now: datetime) -> Clocks:
    """The free stretch that a side is in ends now; what begins later stays."""
    now, own = at_seconds(seconds_of(now)), clocks.of(side)
    kept = tuple(replace(each, end=min(each.end, now)) if each.start < now else each for each in own.free)
    kept = tuple(each for each in kept if each.start != now)
    return clocks if kept == own.free else _retimed(clock, clocks.put(side, replace(own, free=kept)), now)


def _joined(intervals: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """The same time without overlaps, sorted. What only adjoins stays apart, as its parts end apart."""
    joined: list[Interval] = []
    for each in sorted(intervals):
        if joined and each.start < joined[-1].end:
            joined[-1] = Interval(joined[-1].start, max(joined[-1].end, each.end))
        else:
            joined.append(each)
    return tuple(joined)


def extend(clock: Clock, clocks: Clocks, side: Side, by: int, now: datetime) -> Clocks:
    """So many seconds more (or fewer, if negative) for what a side is waited for, else for its own time.

    If that time has already run out, they count from now.
    """
    left = left_now(clock, clocks, side, now)
    if left or clocks.waiting is None or clocks.waiting.side != side:
        return _with_left(clock, clocks, side, max(0, left + by), now)
    return _with_left(clock, clocks, side, max(0, by), now)


def set_left(clock: Clock, clocks: Clocks, side: Side, left: int, now: datetime) -> Clocks:
    """A side has so many seconds of its own time, counted from now; above the cap too."""
    waiting = clocks.waiting
    if waiting and waiting.side == side and waiting.kind == "question":
        return clocks.put(side, replace(clocks.of(side), left=left))
    return _with_left(clock, clocks, side, left, now)


def _with_left(clock: Clock, clocks: Clocks, side: Side, left: int, now: datetime) -> Clocks:
    waiting = clocks.waiting
    if waiting is None or waiting.side != side:
        return clocks.put(side, replace(clocks.of(side), left=left))
    now = at_seconds(seconds_of(now))
    if waiting.kind == "turn":
        clocks = clocks.put(side, replace(clocks.of(side), left=left))
    return timed_anew(clock, clocks, replace(waiting, left=left, counts_from=now), now)


def rezone(clock: Clock, clocks: Clocks, side: Side, zone: str, now: datetime) -> Clocks:
    """A side lives in another zone from now. A deadline that has passed stays. Raises: ValueError."""
    left, waiting = left_now(clock, clocks, side, now), clocks.waiting
    moved = clocks.put(side, replace(clocks.of(side), zone=zone_of(zone).key))
    if waiting is None or waiting.side != side or waiting.deadline is None or waiting.deadline <= now:
        return moved
    return _with_left(clock, moved, side, left, now)


def _retimed(clock: Clock, clocks: Clocks, now: datetime) -> Clocks:
    return timed_anew(clock, clocks, clocks.waiting, now) if clocks.waiting else clocks


def timed_anew(clock: Clock, clocks: Clocks, waiting: Waiting, now: datetime) -> Clocks:
    """The clocks with this wait, its end and what comes before and after its end counted anew."""
    own = clocks.of(waiting.side)
    if not clock.limits(waiting.kind):
        quiet = after(_EVERY_DAY, own, waiting.counts_from, SILENCE)
        return replace(clocks, waiting=replace(waiting, remind_at=quiet))
    deadline = after(clock, own, waiting.counts_from, waiting.left)
    timed = replace(waiting, deadline=deadline)
    if deadline > now:
        remind = next_reminder(deadline, now)
        timed = replace(timed, remind_at=remind, grace_until=None, out_at=None, falls_at=None)
    elif waiting.out_at:
        timed = out(own, timed, waiting.out_at)
    elif waiting.grace_until:
        timed = replace(timed, grace_until=max(waiting.grace_until, later(own, deadline, GRACE)))
    return replace(clocks, waiting=timed)


def later(own: SideClock, start: datetime, seconds: int) -> datetime:
    """So much after an instant on every day of the week; leave and outages are cut out."""
    return after(_EVERY_DAY, own, start, seconds)


def next_reminder(deadline: datetime, now: datetime) -> datetime | None:
    """When the next mail before a deadline is due; None if there is less time than the last one needs."""
    end, at = seconds_of(deadline), seconds_of(now)
    return next((at_seconds(end - span) for span in REMINDERS if end - span > at), None)


def out(own: SideClock, waiting: Waiting, out_at: datetime) -> Waiting:
    """The wait after its time: never lost sooner than announced, and the last call is made once."""
    falls = max(waiting.falls_at or out_at, later(own, out_at, CLAIM))
    called = waiting.falls_at is not None and waiting.remind_at is None
    remind = None if called else at_seconds(seconds_of(falls) - LAST_CALL)
    return replace(waiting, out_at=out_at, falls_at=falls, remind_at=remind)
