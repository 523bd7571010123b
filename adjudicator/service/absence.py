"""Days off, and the zone in which a player's days count: what changes the clocks of all his games at once.

Promise: leave is declared before it begins and within its limits, his opponents are told of it at once, and it ends
with a move of his in any game. Each deadline that it changes is an event, and both players are told.
"""

from collections.abc import Iterator
from datetime import date, datetime

from adjudicator.errors import Refusal
from adjudicator.game.model import Side, other, replace
from adjudicator.league.clock import Clocks, Interval
from adjudicator.league.leave import Leave, check_leave, interval_of, today_in, used
from adjudicator.league.running import end_free, free, rezone
from adjudicator.league.wall import zone_of
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.deadlines import retime
from adjudicator.service.stored import stored
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import LeaveRow, NewLeave


def declare_leave(
    config: Config,
    tx: Transaction,
    player_id: int,
    first: date,
    last: date,
    now: datetime,
    *,
    here: Changes | None = None,
) -> None:
    """Let a player's clocks stand on days to come, and tell his opponents; `here` is a game that is being changed.

    Raises: Refusal, naming the limit that it would break and what is possible.
    """
    tx.lock_player(player_id)
    zone, wanted = _zone(tx, player_id), Leave(first, last)
    check_leave(wanted, _taken(tx, player_id, zone), today_in(zone, now))
    days = interval_of(wanted, zone)
    tx.add_leave(NewLeave(player_id, first, last, days.start, days.end, now))
    told = {"first": first.isoformat(), "last": last.isoformat()}
    for changes, side in _games(config, tx, player_id, now, f"leave {first} {last}", here):
        clock, clocks = clocks_of(changes.game.row)
        retime(changes, free(clock, clocks, side, days, now), "leave", who=_author(player_id))
        _tell_other(changes, side, "leave", told)


def cancel_leave(
    config: Config, tx: Transaction, player_id: int, now: datetime, *, here: Changes | None = None
) -> None:
    """Take back all leave that is yet to come, and end that which is going on.

    Raises: Refusal if there is none.
    """
    tx.lock_player(player_id)
    rows = [row for row in tx.leaves(player_id) if row.ended_at is None and row.ends_at > now]
    if not rows:
        raise Refusal("There are no days off that could be taken back.")
    for row in rows:
        tx.end_leave(row.id, at=now)
    for changes, side in _games(config, tx, player_id, now, "leave-cancelled", here):
        retime(changes, _without(changes, side, rows), "leave-over", who=_author(player_id))
        _tell_other(changes, side, "leave-cancelled", {})


def come_back(changes: Changes, side: Side) -> None:
    """End the leave that a player is on, who has just moved, in this game and in all his others."""
    player_id, now = changes.game.seats[side].player_id, changes.now
    if player_id is None:
        return
    rows = [row for row in changes.tx.leaves(player_id) if row.ended_at is None and row.starts_at <= now < row.ends_at]
    if not rows:
        return
    for row in rows:
        changes.tx.end_leave(row.id, at=now)
    for one, his in _games(changes.config, changes.tx, player_id, now, "back", changes):
        retime(one, _without(one, his, rows), "leave-over", who=_author(player_id))


def change_zone(
    config: Config, tx: Transaction, player_id: int, zone: str, now: datetime, *, here: Changes | None = None
) -> str:
    """Let a player's days count in another zone from now on; returns its name as it is written.

    Raises: Refusal for an unknown zone, with the nearest names.
    """
    try:
        name = zone_of(zone).key
    except ValueError as error:
        near = str(error).rpartition("the nearest are ")[2]
        raise Refusal("No time zone is called that. The nearest are: {near}.", near=near) from error
    tx.lock_player(player_id)
    tx.set_zone(player_id, name)
    for changes, side in _games(config, tx, player_id, now, f"zone {name}", here):
        clock, clocks = clocks_of(changes.game.row)
        retime(changes, rezone(clock, clocks, side, name, now), "zone", who=_author(player_id))
    return name


def leave_ahead(tx: Transaction, player_id: int | None, now: datetime) -> tuple[Interval, ...]:
    """The leave of a player that is not over yet: free time for the clock of a game that he begins, or takes over."""
    rows = tx.leaves(player_id) if player_id else []
    return tuple(Interval(row.starts_at, row.ends_at) for row in rows if row.ended_at is None and row.ends_at > now)


def _zone(tx: Transaction, player_id: int) -> str:
    player = tx.player(player_id)
    assert player
    return player.zone


def _author(player_id: int) -> str:
    return f"player {player_id}"


def _taken(tx: Transaction, player_id: int, zone: str) -> list[Leave]:
    """What counts of the leave that a player has had or declared."""
    found = []
    for row in tx.leaves(player_id):
        if row.ended_at is None or row.ended_at > row.starts_at:
            ended_on = today_in(zone, row.ended_at) if row.ended_at else None
            found.append(used(Leave(row.first, row.last), ended_on))
    return [leave for leave in found if leave]


def _games(
    config: Config,
    tx: Transaction,
    player_id: int,
    now: datetime,
    cause: str,
    here: Changes | None,
) -> Iterator[tuple[Changes, Side]]:
    """The games of a player that are not over, with his side, to be changed; all but `here` are then written."""
    for line in tx.seats_of(player_id):
        side: Side = "british" if line.side == "british" else "french"
        if line.status == "finished":
            continue
        if here and line.game == here.game.row.name:
            yield here, side
            continue
        found = tx.game(line.game)
        if found and found.game.state and found.game.status != "finished":
            changes = Changes(config, tx, stored(found, config.chance), now, f"{cause} {now.isoformat()}")
            yield changes, side
            changes.write()


def _without(changes: Changes, side: Side, rows: list[LeaveRow]) -> Clocks:
    """The clocks of a game after leave has ended or was taken back."""
    clock, clocks = clocks_of(changes.game.row)
    now = changes.now
    begun = any(row.starts_at <= now for row in rows)
    coming = {Interval(row.starts_at, row.ends_at) for row in rows if row.starts_at > now}
    if begun:
        clocks = end_free(clock, clocks, side, now)
    kept = tuple(each for each in clocks.of(side).free if each not in coming)
    clocks = clocks.put(side, replace(clocks.of(side), free=kept))
    return free(clock, clocks, side, Interval(now, now), now)  # nothing is freed, all is counted anew


def _tell_other(changes: Changes, side: Side, about: str, values: dict[str, str]) -> None:
    foe = other(side)
    changes.tell(foe, changes.box.draft("notice", foe, None, notice=about, values=values))
