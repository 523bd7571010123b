"""The clocks of a stored game as it goes on (see `league.running` for how they run).

House players have no clock: nobody waits for them. A question has its own time and is charged to nobody; meanwhile the
clock of the side that moves stands still.
"""

from datetime import datetime

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.model import BySide, State
from adjudicator.league.clock import Clock, Clocks, Kind, parse_clock
from adjudicator.league.due import deadline, due_at
from adjudicator.league.running import set_up, start, stop
from adjudicator.service.stored import Stored
from adjudicator.store.rows import GameRow
from adjudicator.turns import Outcome

replace = msgspec.structs.replace
_DECODER = msgspec.json.Decoder(Clocks)
_ENCODER = msgspec.json.Encoder()
NO_ZONES = BySide("UTC", "UTC")


def clocks_of(row: GameRow) -> tuple[Clock, Clocks]:
    """Return the rules of time of a game, and how its clocks stand."""
    clock = parse_clock(row.clock)
    return clock, _DECODER.decode(row.clocks) if row.clocks else set_up(clock, NO_ZONES)


def with_clocks(row: GameRow, clocks: Clocks) -> GameRow:
    """Return the row with other clocks, and what follows: the deadline, and when they want something done."""
    return replace(row, clocks=_ENCODER.encode(clocks), deadline_at=deadline(clocks), due_at=due_at(clocks))


def begun(game: Stored, zones: BySide[str], now: datetime) -> GameRow:
    """Return the row of a game that begins, with its clocks set going."""
    clock = parse_clock(game.row.clock)
    return with_clocks(game.row, _waiting(game, clock, set_up(clock, zones), game.state, now))


def moved(game: Stored, row: GameRow, outcome: Outcome, now: datetime) -> GameRow:
    """Return the row of a game in which somebody has just played, with the clocks as they go on.

    `game` is as it was before, `row` has all else that is new.
    """
    clock, clocks = clocks_of(row)
    mover = game.state.to_move
    if outcome.ended and mover:
        if clocks.waiting is None or clocks.waiting.side != mover:
            clocks = start(clock, clocks, mover, "turn", now)  # his turn ended with the other side's answer
        clocks = stop(clock, clocks, now, ended=True)
    return with_clocks(row, _waiting(game, clock, clocks, outcome.state, now))


def _waiting(game: Stored, clock: Clock, clocks: Clocks, state: State, now: datetime) -> Clocks:
    """The clocks waiting for whom the game waits in a state; as they are if that is nobody new."""
    side = decider(state)
    kind: Kind = "turn" if side == state.to_move else "question"
    if side is None or game.is_house(side):
        return stop(clock, clocks, now, ended=False)
    if clocks.waiting and (clocks.waiting.side, clocks.waiting.kind) == (side, kind):
        return clocks
    return start(clock, clocks, side, kind, now)
