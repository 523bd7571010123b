"""The games of a player, and how they stand: what he may know at any time, and no cards."""

from datetime import datetime

from adjudicator.game.events import GameOver
from adjudicator.service.records import OVER
from adjudicator.service.stored import seated
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, GameWithSeats, PlayersSeat

MOST_FINISHED = 10
"""So many games that are over are told of, the newest."""


def played(tx: Transaction, player_id: int, now: datetime) -> str:
    """The games of a player, one a line: those that go on, then the last ones that are over.

    Parts of a line: name, his side, opponent ("" if that is not told), turn, how it stands, and more of that. How it
    stands is "yours", "theirs" (until when, or ""), "yours-late", "theirs-late", "claimable" (since when), "paused",
    or "won", "lost", "drawn" (the points, his first). Behind that stands the zone in which he is told of times.
    """
    seats = tx.seats_of(player_id)
    going = [seat for seat in seats if seat.status != "finished"]
    over = [seat for seat in seats if seat.status == "finished"][-MOST_FINISHED:]
    found = [(seat, tx.game(seat.game, lock=False)) for seat in (*going, *reversed(over))]
    return "\n".join("\t".join(_parts(seat, game, now)) for seat, game in found if game)


def _parts(seat: PlayersSeat, game: GameWithSeats, now: datetime) -> tuple[str, ...]:
    row = game.game
    foe = game.seats["french" if seat.side == "british" else "british"]
    opponent = "" if row.anonymous else seated(foe)
    zone = clocks_of(row)[1].of("british" if seat.side == "british" else "french").zone
    return row.name, seat.side, opponent, str(row.turn), *_standing(row, seat.side, now), zone


def _standing(row: GameRow, side: str, now: datetime) -> tuple[str, str]:
    if row.result:
        return _result(OVER.decode(row.result), side)
    if row.status != "running":
        return "paused", ""
    until = row.deadline_at.isoformat() if row.deadline_at else ""
    whose = "yours" if row.waiting_for == side else "theirs"
    if row.deadline_at is None or row.deadline_at > now:
        return whose, until
    waiting = clocks_of(row)[1].waiting
    can_claim = whose == "theirs" and waiting is not None and waiting.out_at is not None
    return "claimable" if can_claim else f"{whose}-late", until


def _result(over: GameOver, side: str) -> tuple[str, str]:
    mine, foes = (over.british, over.french) if side == "british" else (over.french, over.british)
    points = f"{mine.total} {foes.total}"
    if over.winner is None:
        return "drawn", points
    return "won" if over.winner == side else "lost", points
