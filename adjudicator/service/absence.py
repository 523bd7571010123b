"""Days off, and the zone in which a player's days count: what changes the clocks of all his games at once.

Promise: leave is declared before it begins and within its limits, his opponents are told of it at once, and it ends
with a move of his in any game. Each deadline that it changes is an event. Each opponent gets one mail a game that tells
of it with the new deadline; he himself gets none besides the answer to his letter, which tells all his new deadlines.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from adjudicator.errors import Refusal
from adjudicator.game.model import Side, other, replace
from adjudicator.league.clock import Clocks, Interval
from adjudicator.league.leave import Leave, check_leave, interval_of, today_in, used
from adjudicator.league.running import end_free, free, rezone
from adjudicator.league.wall import zone_of
from adjudicator.service.changes import Changes, NewEnd
from adjudicator.service.config import Config
from adjudicator.service.deadlines import Why, retime
from adjudicator.service.locking import games_of
from adjudicator.service.stored import stored
from adjudicator.service.timing import clocks_of, time_told
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import LeaveRow, NewLeave

Ends = tuple[NewEnd, ...]
Became = Literal["done", "void"] | Refusal
Wish = Leave | None
"""Days off that are wanted; None if those that were declared are not wanted any more."""
WITH_POSITION = frozenset({"turn", "over"})
"""The kinds of mail that tell an opponent what was played."""


def change_leave(
    config: Config,
    tx: Transaction,
    player_id: int,
    wishes: Sequence[Wish],
    now: datetime,
    *,
    here: Changes | None = None,
) -> tuple[tuple[Became, ...], Ends]:
    """Declare days off and take them back as one letter says; `here` is a game that is being changed.

    Returns what became of each wish, and the deadlines of his that this changes, which the caller tells him. What the
    same letter takes back again is "void": nobody is told of it.
    """
    _lock(tx, player_id)
    taken_back = max((number for number, wish in enumerate(wishes) if wish is None), default=-1)
    ended: list[LeaveRow] = []
    declared: list[tuple[Leave, Interval]] = []
    became: list[Became] = []
    for number, wish in enumerate(wishes):
        try:
            if number < taken_back:
                became.append("void")
                continue
            if wish:
                declared.append(_declare(tx, player_id, wish, now))
            else:
                ended = _end_all(tx, player_id, now)
            became.append("done")
        except Refusal as refusal:
            became.append("void" if wish is None and any(wishes[:number]) else refusal)
    if not (ended or declared):
        return tuple(became), ()
    cause = " ".join(
        ["leave", *(["cancelled"] if ended else []), *(f"{days.first} {days.last}" for days, _ in declared)]
    )
    about, values = _told_of(ended, declared)
    ends: list[NewEnd] = []
    for changes, side in _games(config, tx, player_id, now, cause, here):
        clock, clocks = clocks_of(changes.game.row)
        if ended:
            clocks = _without(changes, side, ended)
        for _, interval in declared:
            clocks = free(clock, clocks, side, interval, now)
        end = _retime(changes, side, clocks, "leave" if declared else "leave-over")
        ends += _told(changes, side, about, end, values)
    return tuple(became), tuple(ends)


def come_back(changes: Changes, side: Side) -> None:
    """End the leave that a player is on, who has just moved, in this game and in all his others.

    The answer to his letter tells him; the opponent in this game is told in the mail about the move, if he gets one.
    """
    player_id, now = changes.game.seats[side].player_id, changes.now
    if player_id is None:
        return
    rows = [row for row in changes.tx.leaves(player_id) if row.ended_at is None and row.starts_at <= now < row.ends_at]
    if not rows:
        return
    for row in rows:
        changes.tx.end_leave(row.id, at=now)
    changes.tx.lock_games(games_of(changes.tx, player_id))
    changes.remark("Your days off have ended with this move.")
    for one, his in _games(changes.config, changes.tx, player_id, now, "back", changes):
        end = _retime(one, his, _without(one, his, rows), "leave-over")
        if end and one is changes:  # the answer to a move shows the deadline of its own game
            changes.noted_for(other(side), "back-other")
            _told(one, his, "back", end, spoken=True)
        elif end:
            changes.remark_ends(_told(one, his, "back", end))


def change_zone(
    config: Config, tx: Transaction, player_id: int, zone: str, now: datetime, *, here: Changes | None = None
) -> tuple[str, Ends]:
    """Let a player's days count in another zone from now on; returns its name as it is written, and his new deadlines.

    Raises: Refusal for an unknown zone, with the nearest names.
    """
    try:
        name = zone_of(zone).key
    except ValueError as error:
        near = str(error).rpartition("the nearest are ")[2]
        raise Refusal("No time zone is called that. The nearest are: {near}.", near=near) from error
    _lock(tx, player_id)
    tx.set_zone(player_id, name)
    ends: list[NewEnd] = []
    for changes, side in _games(config, tx, player_id, now, f"zone {name}", here):
        clock, clocks = clocks_of(changes.game.row)
        if end := _retime(changes, side, rezone(clock, clocks, side, name, now), "zone"):
            ends += _told(changes, side, "deadline-zone", end)
    return name, tuple(ends)


def leave_ahead(tx: Transaction, player_id: int | None, now: datetime) -> tuple[Interval, ...]:
    """The leave of a player that is not over yet: free time for the clock of a game that he begins, or takes over."""
    rows = tx.leaves(player_id) if player_id else []
    return tuple(Interval(row.starts_at, row.ends_at) for row in rows if row.ended_at is None and row.ends_at > now)


def _declare(tx: Transaction, player_id: int, wanted: Leave, now: datetime) -> tuple[Leave, Interval]:
    """Enter days off; returns them with the time that they are. Raises: Refusal."""
    zone = _zone(tx, player_id)
    check_leave(wanted, _taken(tx, player_id, zone), today_in(zone, now))
    days = interval_of(wanted, zone)
    tx.add_leave(NewLeave(player_id, wanted.first, wanted.last, days.start, days.end, now))
    return wanted, days


def _end_all(tx: Transaction, player_id: int, now: datetime) -> list[LeaveRow]:
    """Take back all leave that is yet to come, and end that which is going on. Raises: Refusal if there is none."""
    rows = [row for row in tx.leaves(player_id) if row.ended_at is None and row.ends_at > now]
    if not rows:
        raise Refusal("There are no days off that could be taken back.")
    for row in rows:
        tx.end_leave(row.id, at=now)
    return rows


def _told_of(ended: list[LeaveRow], declared: list[tuple[Leave, Interval]]) -> tuple[str, dict[str, str]]:
    """The notice to the opponents, and what it tells: days as two dates, further ones a line each."""
    if not declared:
        return "leave-cancelled", {}
    first, *more = [(days.first.isoformat(), days.last.isoformat()) for days, _ in declared]
    further = "\n".join(" ".join(days) for days in more)
    return "leave", {"first": first[0], "last": first[1], "more": further, "cancelled": "yes" if ended else ""}


def _lock(tx: Transaction, player_id: int) -> None:
    """Let nobody else change a player and his games."""
    tx.lock_games(games_of(tx, player_id))
    tx.lock_player(player_id)


def _zone(tx: Transaction, player_id: int) -> str:
    player = tx.player(player_id)
    assert player
    return player.zone


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


def _retime(changes: Changes, side: Side, clocks: Clocks, cause: Why) -> NewEnd | None:
    """Give a game other clocks because of a player's days; returns his deadline if it changes by that."""
    before = changes.game.row.deadline_at
    who = f"player {changes.game.seats[side].player_id}"
    retime(changes, clocks, cause, who=who, tell=())
    after = changes.game.row.deadline_at
    if before is None or after is None or before == after:
        return None
    return NewEnd(changes.game.row.name, side, before, after, clocks.of(side).zone)


def _told(
    changes: Changes,
    side: Side,
    about: str,
    end: NewEnd | None,
    values: dict[str, str] | None = None,
    *,
    spoken: bool = False,
) -> Ends:
    """Tell a player's opponent, once all else is done; returns what the player himself has to be told.

    `spoken`: only if he gets no other mail with the position. A deadline is told if it still holds then.
    """
    foe, waiting = other(side), clocks_of(changes.game.row)[1].waiting

    def tell() -> None:
        if spoken and any(post.side == foe and post.kind in WITH_POSITION for post in changes.posts):
            return
        until = {"before": "", "after": ""}
        now = clocks_of(changes.game.row)[1].waiting
        if end and waiting and now and (now.side, now.since) == (waiting.side, waiting.since):
            until = {"before": end.before.isoformat(), "after": end.after.isoformat()}
        zone = str(time_told(changes.game.row, foe, changes.now)["zone"])
        told = {**(values or {}), **until, "zone": zone, "side": side, "mine": "False"}
        changes.tell(foe, changes.box.draft("notice", foe, None, notice=about, values=told))

    changes.last.append(tell)
    return (end,) if end else ()
