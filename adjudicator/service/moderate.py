"""What a moderator looks at and does: lists, history, and the audit log of what was done.

All are plain functions in a transaction of the ledger.
"""

from datetime import datetime
from typing import Literal

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.actions import Lose
from adjudicator.service.stored import ACTION, Stored, moves_in_force, stored
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AuditRow, GameWithSeats, MoveRow

Status = Literal["open", "running", "paused", "finished"]


class Warrant(msgspec.Struct, frozen=True):
    """Who does something, when and why; `at` is the turn or position number that it was meant for."""

    who: str
    why: str
    now: datetime
    at: int | None = None


def note(tx: Transaction, warrant: Warrant, command: str, game: Stored | None = None, **data: object) -> None:
    """Write what was done into the audit log; `data` holds numbers and game words, never names of people."""
    if game:
        data = {"game": game.row.name, "position_number": game.row.seq, **data}
    tx.add_audit(
        at=warrant.now,
        who=warrant.who,
        command=command,
        why=warrant.why,
        game_id=game.row.id if game else None,
        data=data,
    )


def find(tx: Transaction, name: str, *, lock: bool = False) -> Stored:
    """Return a game that was named on the command line.

    Raises: UsageError if there is none.
    """
    found = tx.game(name, lock=lock)
    if found is None:
        raise UsageError(f"there is no game {name!r}")
    return stored(found)


def to_change(tx: Transaction, name: str, warrant: Warrant) -> Stored:
    """Return a game to change, locked.

    Raises: UsageError if there is none, or if it has moved on since the turn or position that is meant.
    """
    game = find(tx, name, lock=True)
    if warrant.at is not None and warrant.at not in (game.row.turn, game.row.seq):
        at = f"turn {game.row.turn}, position {game.row.seq}"
        raise UsageError(f"game {name} has moved on: it is at {at}, not at {warrant.at}")
    return game


def games(tx: Transaction, status: Status | None = None, *, due: bool = False) -> list[GameWithSeats]:
    """Return all games, or those of a status, the oldest first; `due`: those with a deadline, the next one first."""
    names = [line.name for line in tx.games() if status in (None, line.status)]
    found = [one for name in names if (one := tx.game(name, lock=False))]
    if not due:
        return found
    timed = [(one.game.deadline_at, one.game.id, one) for one in found if one.game.deadline_at]
    return [one for _, _, one in sorted(timed, key=lambda each: each[:2])]


class History(msgspec.Struct, frozen=True):
    """The moves and the moderators' deeds of a game, the oldest first; `hidden` moves are left out."""

    moves: list[MoveRow]
    hidden: int
    deeds: list[AuditRow]


def history(tx: Transaction, game: Stored, *, full: bool) -> History:
    """Return what happened; without `full` the open turn and cards named for sieges are left out."""
    moves = moves_in_force(tx, game.row.id)
    shown = moves if full or game.row.status == "finished" else [move for move in moves if _is_public(game, move)]
    return History(shown, len(moves) - len(shown), tx.audit(game_id=game.row.id))


def _is_public(game: Stored, move: MoveRow) -> bool:
    is_open = game.state.open is not None or game.state.question is not None
    if is_open and move.turn == game.state.turn:
        return False
    return not isinstance(ACTION.decode(move.action), Lose)
