"""Stored games as records (contract section 6)."""

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.actions import Done
from adjudicator.game.engine import new_game
from adjudicator.game.events import GameOver
from adjudicator.game.export import Game, Played, record_of, result_of
from adjudicator.game.model import SIDES, BySide
from adjudicator.game.public import PublicRecord, public_record
from adjudicator.game.record import Kept, Record, Result, Seated
from adjudicator.service.stored import ACTION, STATE, Stored, line_of_play, side_of
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, MoveRow, SeatRow

OVER = msgspec.json.Decoder(GameOver)


def public_export(tx: Transaction, game: Stored) -> Record | PublicRecord:
    """Return what anybody may see of a game now."""
    return public_record(_export(tx, game, kept=None))


def export(tx: Transaction, game: Stored) -> Record:
    """Return a finished game whole; who played it and their standing orders are left out.

    Raises: UsageError while the game runs: then everything in it is secret or public.
    """
    if game.row.status != "finished":
        raise UsageError(f"game {game.row.name} is not over: its record needs --why TEXT (logged), or --public")
    return _export(tx, game, kept=None)


def full_export(tx: Transaction, game: Stored) -> Record:
    """Return everything that makes an equal game of an import: secrets, seats and addresses too."""
    return _export(tx, game, kept=_kept(game))


def _export(tx: Transaction, game: Stored, kept: Kept | None) -> Record:
    """Play the stored moves again from the start; `kept` makes it a full export."""
    row, chance = game.row, game.chance()
    start = STATE.decode(row.start or b"")
    finished = row.status == "finished"
    standing = {side: text for side in SIDES if (text := game.seats[side].standing)}
    facts = Game(
        id=row.name,
        commitment=row.commitment,
        words=BySide(row.words.get("british", ""), row.words.get("french", "")),
        seed=row.seed if finished or kept else None,
        from_position=game.scripted is not None or start != new_game(game.rules, chance).state,
        standing=standing if kept else {},
        kept=kept,
        result=result_of_row(row),
    )
    line = [_played(one) if isinstance(one, MoveRow) else one for one in line_of_play(tx, row.id)]
    return record_of(game.rules, start, line, chance, facts)


def result_of_row(row: GameRow) -> Result | None:
    """Return how a stored game ended."""
    return result_of(OVER.decode(row.result)) if row.result else None


def _played(move: MoveRow) -> Played:
    """Return a stored move; `order` is what the mover wrote himself: no standing order, no end of the turn."""
    action = ACTION.decode(move.action)
    said = move.cause != "standing" and not isinstance(action, Done)
    return Played(side_of(move), action, move.text if said else "", move.at)


def _kept(game: Stored) -> Kept:
    row = game.row
    status = row.status
    assert status in ("running", "paused", "finished")
    return Kept(
        status=status,  # type: ignore[arg-type]  # just asserted
        position_number=row.seq,
        seats=BySide(*(_seated(game.seats[side]) for side in SIDES)),
        deadline=row.deadline_at,
        clock=row.clock,
        clocks=msgspec.json.decode(row.clocks) if row.clocks else {},
        anonymous=row.anonymous,
        public=row.public,
    )


def _seated(seat: SeatRow) -> Seated:
    return Seated(
        key=seat.token_key.hex(),
        position_number=seat.seq,
        name=seat.name,
        address=seat.address,
        house=seat.house,
        thread=seat.thread_id,
        last=seat.last_id,
        notes=seat.notes,
        ahead=seat.ahead,
        pending=seat.pending,
        confirms=seat.confirms,
    )
