"""What was played, as rows of the history, and the row of a game that is over."""

from datetime import datetime

import msgspec

from adjudicator.game.events import GameOver
from adjudicator.service.stored import ENCODER, Stored
from adjudicator.store.rows import GameRow, NewMove
from adjudicator.turns import Outcome

replace = msgspec.structs.replace


def moves_of(game: Stored, outcome: Outcome, seq: int, now: datetime, cause: str) -> list[NewMove]:
    """The rows of the moves; what happened at the start of the turn goes with the first.

    `cause` is why they were made, where no standing order or default made them.
    """
    first = game.row.moves
    turn = game.state.turn
    rows = []
    for number, move in enumerate(outcome.moves):
        events = outcome.begun + move.events if number == 0 else move.events
        rows.append(
            NewMove(
                game_id=game.row.id,
                n=first + number,
                side=move.side,
                turn=turn,
                seq=seq,
                cause="standing" if move.cause == "standing" else cause,
                text=move.text,
                action=ENCODER.encode(move.action),
                events=ENCODER.encode(events),
                at=now,
            )
        )
    return rows


def finished(row: GameRow, over: GameOver, now: datetime) -> GameRow:
    """The row of a game that is over."""
    return replace(
        row,
        status="finished",
        waiting_for=None,
        deadline_at=None,
        due_at=None,
        offer=None,
        result=ENCODER.encode(over),
        finished_at=now,
    )
