"""The clocks of a stored game as it goes on (see `league.running` for how they run).

House players have no clock: nobody waits for them. A question has its own time and is charged to nobody; meanwhile the
clock of the side that moves stands still.
"""

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.model import SIDES, BySide, Side, State
from adjudicator.league.clock import DAY, Clock, Clocks, Interval, Kind, parse_clock
from adjudicator.league.due import deadline, due_at
from adjudicator.league.running import free, left_now, set_up, start, stop
from adjudicator.league.wall import uncounted
from adjudicator.reports.wait import Wait
from adjudicator.store.rows import GameRow
from adjudicator.turns import Outcome

if TYPE_CHECKING:
    from adjudicator.service.stored import Stored

replace = msgspec.structs.replace
_DECODER = msgspec.json.Decoder(Clocks)
_ENCODER = msgspec.json.Encoder()
NO_ZONES = BySide("UTC", "UTC")
NO_LEAVE: BySide[tuple[Interval, ...]] = BySide((), ())


def clocks_of(row: GameRow) -> tuple[Clock, Clocks]:
    """Return the rules of time of a game, and how its clocks stand."""
    clock = parse_clock(row.clock)
    return clock, _DECODER.decode(row.clocks) if row.clocks else set_up(clock, NO_ZONES)


def with_clocks(row: GameRow, clocks: Clocks) -> GameRow:
    """Return the row with other clocks, and what follows: the deadline, and when they want something done."""
    return replace(row, clocks=_ENCODER.encode(clocks), deadline_at=deadline(clocks), due_at=due_at(clocks))


def begun(game: "Stored", zones: BySide[str], now: datetime, leave: BySide[tuple[Interval, ...]] = NO_LEAVE) -> GameRow:
    """Return the row of a game that begins, with its clocks set going; `leave` is what the players have declared."""
    clock = parse_clock(game.row.clock)
    clocks = set_up(clock, zones)
    for side in SIDES:
        for interval in leave.of(side):
            clocks = free(clock, clocks, side, interval, now)
    return with_clocks(game.row, _waiting(game, clock, clocks, game.state, now, now))


def moved(game: "Stored", row: GameRow, outcome: Outcome, now: datetime, acted_at: datetime) -> GameRow:
    """Return the row of a game in which somebody has just played, with the clocks as they go on.

    `game` is as it was before, `row` has all else that is new. Who has played did so at `acted_at`, when we got his
    letter; the other side's time begins now, when he is told.
    """
    clock, clocks = clocks_of(row)
    mover = game.state.to_move
    if outcome.ended and mover:
        if clocks.waiting is None or clocks.waiting.side != mover:
            clocks = start(clock, clocks, mover, "turn", acted_at)  # his turn ended with the other side's answer
        clocks = stop(clock, clocks, acted_at, ended=True)
    return with_clocks(row, _waiting(game, clock, clocks, outcome.state, now, acted_at))


def gone_back(game: "Stored", row: GameRow, state: State, now: datetime) -> GameRow:
    """Return the row of a game that an undo has taken back to a state, with the clocks as they go on.

    The wait that was going on is charged to nobody: each side has what it had when that began. Who has to move now has
    a day at least, or what the clock gives to begin with if that is less, however little he had.
    """
    clock, clocks = clocks_of(row)
    clocks, side = replace(clocks, waiting=None), decider(state)
    if side:
        own = clocks.of(side)
        clocks = clocks.put(side, replace(own, left=max(own.left, min(clock.budget, DAY)), passed=0))
    return with_clocks(row, _waiting(game, clock, clocks, state, now, now))


def time_told(row: GameRow, side: Side, now: datetime, *, claims: bool = True) -> dict[str, object]:
    """Return what a mail tells a side about time, as fields of a draft: zone, clock, and how much is left to whom.

    `claims`: whether who waits is somebody who may claim the game.
    """
    clock, clocks = clocks_of(row)
    waiting = clocks.waiting
    idle = clock.budget and row.status != "finished" and (waiting is None or waiting.side != side)
    return {
        "zone": clocks.of(side).zone,
        "clock": row.clock,
        "left": left_now(clock, clocks, waiting.side, now) if waiting and row.deadline_at else 0,
        "own_left": clocks.of(side).left if idle else 0,
        "wait": _wait_told(row, clock, clocks, now, claims=claims),
    }


def _wait_told(row: GameRow, clock: Clock, clocks: Clocks, now: datetime, *, claims: bool) -> Wait:
    """How the wait stands, if it has an end."""
    waiting, until = clocks.waiting, row.deadline_at
    if row.status == "paused":
        return Wait(stands="halted", claims=claims)
    if waiting is None or until is None:
        return Wait(claims=claims)
    if waiting.out_at:
        return Wait(stands="out", falls_at=waiting.falls_at, claims=claims)
    if until <= now:
        return Wait(stands="late", claims=claims)
    if waiting.grace_until:
        return Wait(stands="grace", claims=claims)
    own = clocks.of(waiting.side)
    away = any(each.start < until and each.end > now for each in own.free)
    return Wait(uncounted=uncounted(clock, own, now, until), away=away, claims=claims)


def _waiting(game: "Stored", clock: Clock, clocks: Clocks, state: State, now: datetime, acted_at: datetime) -> Clocks:
    """The clocks waiting for whom the game waits in a state; as they are if that is nobody new."""
    side = decider(state)
    kind: Kind = "turn" if side == state.to_move else "question"
    if side is not None and clocks.waiting and (clocks.waiting.side, clocks.waiting.kind) == (side, kind):
        return clocks
    clocks = stop(clock, clocks, acted_at, ended=False)
    return clocks if side is None or game.is_house(side) else start(clock, clocks, side, kind, now)
