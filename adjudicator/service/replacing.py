"""Somebody else takes a seat over: another player, or a house player as a stopgap, and back again.

He gets what the side knows, its hand and its history, and a full clock. What was his predecessor's own is dropped:
notes, standing orders, orders sent ahead, and every reply address.
"""

import secrets
from datetime import datetime

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.engine import decider
from adjudicator.game.model import Side, other
from adjudicator.league.clock import Clocks
from adjudicator.league.running import free, rezone, set_left, start, stop
from adjudicator.service.absence import leave_ahead
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.keys import new_key
from adjudicator.service.moderate import Warrant, note, to_change
from adjudicator.service.start import house_name, need_admitted, player_at
from adjudicator.service.stored import Stored, events_of, moves_in_force, seated, stored
from adjudicator.service.timing import clocks_of, time_told, with_clocks
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost, SeatRow


def replace(config: Config, tx: Transaction, game: Stored, side: Side, who: str, warrant: Warrant) -> Changes:
    """Give a seat of a locked game to an address, `house` or `house:NAME`; all three people are told.

    Raises: UsageError if that cannot be, if he sits in this game already, or if he is banned.
    """
    if game.row.status == "finished":
        raise UsageError(f"game {game.row.name} is over")
    before = game.seats[side]
    now = warrant.now
    _seat(tx, game, side, who, now)
    found = tx.game(game.row.name)
    assert found
    changes = Changes(config, tx, stored(found, game.scripted), now, f"replace {side} {now.isoformat()}")
    deadline = changes.game.row.deadline_at
    clocks = _fresh(tx, changes.game, side, now)
    row = with_clocks(changes.game.row, clocks)
    changes.set_row(clocks=row.clocks, deadline_at=row.deadline_at, due_at=row.due_at, offer=None)
    new = changes.game.seats[side]
    numbers = {"before": before.player_id, "after": new.player_id}
    note(tx, warrant, "game replace", changes.game, side=side, house=new.house is not None, **numbers)
    if deadline != row.deadline_at:
        times = {"before": _text(deadline), "after": _text(row.deadline_at), "cause": "replaced"}
        note(tx, warrant, "deadline", changes.game, side=decider(changes.game.state), **times)
    _tell(changes, side, before, warrant.why)
    changes.write()
    return changes


def replace_player(config: Config, tx: Transaction, name: str, side: Side, who: str, warrant: Warrant) -> Changes:
    """Give a seat of the game of this name to somebody else, as `replace`."""
    return replace(config, tx, to_change(tx, name, warrant), side, who, warrant)


def _seat(tx: Transaction, game: Stored, side: Side, who: str, now: datetime) -> None:
    """Write the seat anew, and drop what waits to be told to who sat there."""
    house = house_name(who)
    player = None if house else player_at(tx, who, now)
    if player and player in {seat.player_id for seat in game.seats.values()}:
        raise UsageError(f"{who} plays in game {game.row.name} already")
    if player:
        need_admitted(tx, player)
    if joined := tx.joined_post(game.row.id, side):
        tx.mark_failed(joined.id, at=now, error="the seat has gone to somebody else")
    tx.give_seat(
        msgspec.structs.replace(
            game.seats[side],
            player_id=player,
            house=house,
            token_key=new_key(),
            standing="",
            notes="",
            ahead="",
            pending="",
            confirms=False,
            thread_id=None,
            last_id=None,
        )
    )


def _fresh(tx: Transaction, game: Stored, side: Side, now: datetime) -> Clocks:
    """The clocks with all the time that a new game gives for who sits there now, in his zone."""
    clock, clocks = clocks_of(game.row)
    waits = decider(game.state) == side
    if waits:
        clocks = stop(clock, clocks, now, ended=False)
    own = clocks.of(side)
    seat = game.seats[side]
    clocks = clocks.put(side, msgspec.structs.replace(own, free=(), passed=0))
    for interval in leave_ahead(tx, seat.player_id, now):
        clocks = free(clock, clocks, side, interval, now)
    clocks = set_left(clock, clocks, side, clock.budget, now)
    player = tx.player(seat.player_id) if seat.player_id else None
    clocks = rezone(clock, clocks, side, player.zone if player else "UTC", now)
    if waits and not seat.house:
        clocks = start(clock, clocks, side, "turn" if game.state.to_move == side else "question", now)
    return clocks


def _tell(changes: Changes, side: Side, before: SeatRow, why: str) -> None:
    """Tell the new one how the game went, and both others that he plays."""
    game = changes.game
    seen = [one for one in moves_in_force(changes.tx, game.row.id) if _may_see(game, side, one.turn)]
    draft = changes.box.draft("takeover", side, changes.shown(side), events=events_of(seen))
    changes.tell(side, msgspec.structs.replace(draft, commitment=game.row.commitment))
    seat = game.seats[side]
    name = "" if game.row.anonymous else seated(seat)
    until = game.row.deadline_at if game.row.waiting_for == side else None
    zone = str(time_told(game.row, other(side), changes.now)["zone"])
    values = {"side": side, "name": name, "why": why, "house": "yes" if seat.house else ""}
    values |= {"until": _text(until), "zone": zone}
    changes.tell(other(side), changes.box.draft("notice", other(side), None, notice="replaced", values=values))
    if before.address and not before.bounced_at:
        changes.posts.append(_farewell(changes, before, why))


def _may_see(game: Stored, side: Side, turn: int) -> bool:
    state = game.state
    return side in (state.to_move, decider(state)) or state.open is None or turn != state.turn


def _farewell(changes: Changes, before: SeatRow, why: str) -> NewPost:
    """The mail to who sat there; it is answered at `games@`."""
    name, domain = changes.game.row.name, changes.config.domain
    draft = Draft(kind="notice", game=name, notice="replaced-you", values={"why": why})
    return NewPost(
        to_address=before.address or "",
        message_id=f"<{name}.farewell.{secrets.token_hex(12)}@{domain}>",
        bounce_key=secrets.token_hex(16),
        kind="notice",
        cause="replaced",
        reply_to=f"games@{domain}",
        created_at=changes.now,
        due_at=changes.now,
        report=encode(draft),
        game_id=changes.game.row.id,
    )


def _text(at: datetime | None) -> str:
    return at.isoformat() if at else ""
