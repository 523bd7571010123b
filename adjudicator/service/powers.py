"""What a moderator may do with a game. Each deed is written to the audit log, and both players are told of it.

All are plain functions in a transaction of the ledger; they return what they have changed, written already. A dry run
is the same in a transaction that is rolled back (`service.trial`).
"""

from adjudicator.errors import UsageError
from adjudicator.game.events import GameOver
from adjudicator.game.model import SIDES, Side, replace
from adjudicator.game.scoring import scores
from adjudicator.league.clock import Clock, Clocks, parse_clock, parse_span, write_clock, write_span
from adjudicator.league.running import extend, hold, left_now, release, set_left, start, stop
from adjudicator.orders import Reading, read
from adjudicator.render.words import oneline
from adjudicator.service import keys
from adjudicator.service.ahead import pass_on
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.deadlines import note_deadline, retime
from adjudicator.service.heard import by_line
from adjudicator.service.locking import games_of
from adjudicator.service.mailed import play_orders
from adjudicator.service.moderate import Warrant, note, to_change
from adjudicator.service.records import OVER
from adjudicator.service.taken import take_words
from adjudicator.service.timing import clocks_of, time_told
from adjudicator.service.undo import back_draft, undo_to
from adjudicator.store.ledger import Transaction

ENDS_TURNS = frozenset({"done", "stop"})
"""The words that mean something beside game orders."""


def pause(config: Config, tx: Transaction, name: str, warrant: Warrant) -> Changes:
    """Pause a running game: orders are refused and no time runs until it is resumed.

    Raises: UsageError if there is no such running game.
    """
    changes = _opened(config, tx, name, warrant)
    _demand(changes, "running")
    clock, clocks = clocks_of(changes.game.row)
    _retimed(changes, hold(clock, clocks, changes.now), warrant)
    changes.set_row(status="paused")
    _tell_both(changes, "paused", why=warrant.why)
    return _written(changes, warrant, "game pause")


def resume(config: Config, tx: Transaction, name: str, warrant: Warrant) -> Changes:
    """Let a paused game go on; the time of the pause is charged to nobody.

    Raises: UsageError if there is no such paused game.
    """
    changes = _opened(config, tx, name, warrant)
    _demand(changes, "paused")
    changes.set_row(status="running")
    clock, clocks = clocks_of(changes.game.row)
    _retimed(changes, release(clock, clocks, changes.now), warrant)
    _tell_both(changes, "resumed", why=warrant.why)
    return _written(changes, warrant, "game resume")


def more_time(config: Config, tx: Transaction, name: str, side: Side, by: str, warrant: Warrant) -> Changes:
    """Give a side more time, for what it is waited for now, else for its turns to come.

    Raises: UsageError if the game has no clock, or `by` is no time like 3d.
    """
    changes = _opened(config, tx, name, warrant)
    clock, clocks = _timed(changes)
    seconds = _span(by)
    _retimed(changes, extend(clock, clocks, side, seconds, changes.now), warrant)
    has = str(_left(changes, side) or "")
    _tell_both(changes, "extended", why=warrant.why, whose=side, by=str(seconds), has=has)
    return _written(changes, warrant, "game extend", side=side, by=write_span(seconds))


def set_time(config: Config, tx: Transaction, name: str, side: Side, left: str, warrant: Warrant) -> Changes:
    """Set what a side has left of its time, counted from now.

    Raises: UsageError if the game has no clock, or `left` is no time like 5d.
    """
    changes = _opened(config, tx, name, warrant)
    clock, clocks = _timed(changes)
    seconds = _span(left)
    _retimed(changes, set_left(clock, clocks, side, seconds, changes.now), warrant)
    _tell_both(changes, "time-set", why=warrant.why, whose=side, left=str(seconds))
    return _written(changes, warrant, "game clock", side=side, left=write_span(seconds))


def set_clock(config: Config, tx: Transaction, name: str, spec: str, warrant: Warrant) -> Changes:
    """Give a game another clock; what a side has saved stays, as far as the new clock allows it.

    Raises: UsageError if it is no clock.
    """
    changes = _opened(config, tx, name, warrant)
    try:
        new = parse_clock(spec)
    except ValueError as error:
        raise UsageError(str(error)) from error
    old, clocks = clocks_of(changes.game.row)
    changes.set_row(clock=write_clock(new))
    _retimed(changes, _under(old, new, clocks, changes), warrant)
    tx.set_up_game(changes.game.row)
    _tell_both(changes, "clock-set", why=warrant.why, spec=write_clock(new))
    return _written(changes, warrant, "game clock", spec=write_clock(new))


def undo(
    config: Config, tx: Transaction, name: str, turn: int, warrant: Warrant, *, seed_known: bool = False
) -> Changes:
    """Take a game back to the start of a turn; one that is over runs again, but only if its seed may be `seed_known`.

    Raises: UsageError if that turn has not begun, if nothing of it has been played, or if the players know the seed.
    """
    changes = _opened(config, tx, name, warrant, over=True)
    over = changes.game.row.status == "finished"
    if over and not seed_known:
        raise UsageError(
            f"game {name} is over, and its seed was mailed to both players: who uses it can work out the shuffles to "
            "come; --seed-known takes the game back nevertheless, and tells both"
        )
    back = undo_to(changes, turn)
    note_deadline(changes, warrant, "undo")
    for side in SIDES:
        changes.tell(side, back_draft(changes, side, back, "moderator", warrant.why, seed_known=over))
    return _written(changes, warrant, "game undo", turn=turn, moves=back.moves, seed_known=over)


def order(config: Config, tx: Transaction, name: str, side: Side, text: str, warrant: Warrant) -> Changes:
    """Give orders for a player, by the same rules as his mail: what is refused is told him like any other refusal.

    Raises: UsageError if the game does not run, if there is more in the text than game orders and standing orders, or
    if nothing of it can be carried out.
    """
    if seats := tx.game(name, lock=False):
        player_id = seats.seats[side].player_id
        tx.lock_games([name, *(games_of(tx, player_id) if player_id else ())])  # a move ends his days off
    changes = _opened(config, tx, name, warrant)
    _demand(changes, "running")
    reading = _read(text, side)
    noted = take_words(changes, side, reading)
    answer = play_orders(changes, side, reading, (*noted, "moderator"), "moderator") if _plays(reading) else None
    if answer and answer.played is None and answer.draft.refused:
        raise UsageError(f"nothing was carried out: {answer.draft.refused[0].message}")
    noted = (*noted, "moderator")
    draft = answer.draft if answer else changes.box.draft("answer", side, changes.shown(side), noted=noted)
    came = by_line(reading, draft, noted, answer.carried_out if answer else ())
    changes.orders = {
        "applied": draft.applied,
        "refused": tuple(f"{one.text}: {one.message}" if one.text else one.message for one in draft.refused),
        "not_tried": draft.not_tried,
    }
    if warrant.why:
        changes.remark("Why a moderator gives orders for you: {why}", why=oneline(warrant.why))
    changes.tell(side, replace(draft, remarks=tuple(changes.remarks), heard=came))
    if answer and answer.played:
        pass_on(changes, side, answer.played, answer.untold)
    counted = {"orders": len(draft.applied), "refused": len(draft.refused), "standing": "standing" in noted}
    return _written(changes, warrant, "game order", side=side, **counted)


def decide(config: Config, tx: Transaction, name: str, winner: Side | None, warrant: Warrant) -> Changes:
    """End a game by decision, for a side or as a draw.

    Raises: UsageError if it is over.
    """
    return _ended(_opened(config, tx, name, warrant), winner, "decision", warrant, "game result")


def void(config: Config, tx: Transaction, name: str, warrant: Warrant) -> Changes:
    """End a game so that it never counted.

    Raises: UsageError if it is over.
    """
    return _ended(_opened(config, tx, name, warrant), None, "void", warrant, "game void")


def resend(config: Config, tx: Transaction, name: str, side: Side | None, warrant: Warrant) -> Changes:
    """Send the newest position, or the end of the game, to a side or to both.

    Raises: UsageError if nobody would get it.
    """
    changes = _opened(config, tx, name, warrant, over=True)
    sides = [one for one in SIDES if side in (None, one)]
    for one in sides:
        draft = changes.box.draft("turn", one, changes.shown(one), noted=("resent",))
        if changes.game.row.result:
            over = OVER.decode(changes.game.row.result)
            draft = changes.box.over_draft(one, changes.game.state, over, ())
            draft = replace(draft, values={**draft.values, "resent": "yes"})
        changes.tell(one, draft)
    if not changes.posts:
        raise UsageError(f"game {name}: no mail can be sent there: a house player, or an address that does not work")
    return _written(changes, warrant, "game resend", sides=sides)


def rekey(config: Config, tx: Transaction, name: str, side: Side | None, warrant: Warrant) -> Changes:
    """Make all reply addresses of a game's seats, or of one, void; the mails with the new ones follow.

    Raises: UsageError if there is no such game, if it is over, or if nobody is to be written to.
    """
    changes = _opened(config, tx, name, warrant)
    sides = [one for one in SIDES if side in (None, one) and not changes.game.is_house(one)]
    if not sides:
        raise UsageError(f"a house player sits there in game {name}")
    for one in sides:
        keys.rekey(changes, one)
    return _written(changes, warrant, "game rekey", sides=sides)


# --- what they share ---


def _opened(config: Config, tx: Transaction, name: str, warrant: Warrant, *, over: bool = False) -> Changes:
    game = to_change(tx, name, warrant)
    if game.row.status == "finished" and not over:
        raise UsageError(f"game {name} is over")
    return Changes(config, tx, game, warrant.now, f"moderator {warrant.now.isoformat()}")


def _demand(changes: Changes, status: str) -> None:
    row = changes.game.row
    if row.status != status:
        raise UsageError(f"game {row.name} is {row.status}, not {status}")


def _written(changes: Changes, warrant: Warrant, command: str, **data: object) -> Changes:
    note(changes.tx, warrant, command, changes.was, **data)
    changes.write()
    return changes


def _timed(changes: Changes) -> tuple[Clock, Clocks]:
    clock, clocks = clocks_of(changes.game.row)
    if not clock.budget:
        raise UsageError(f"game {changes.game.row.name} has no clock: game clock --spec gives it one")
    return clock, clocks


def _span(text: str) -> int:
    try:
        seconds = parse_span(text)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if not seconds:
        raise UsageError("the time must be at least 1h")
    return seconds


def _retimed(changes: Changes, clocks: Clocks, warrant: Warrant) -> None:
    """Give a game other clocks, with the row of the audit log that belongs to another deadline."""
    retime(changes, clocks, "moderator", who=warrant.who, why=warrant.why, tell=())


def _under(old: Clock, new: Clock, clocks: Clocks, changes: Changes) -> Clocks:
    """The clocks under other rules of time."""
    waiting, now = clocks.waiting, changes.now
    clocks = stop(old, clocks, now, ended=False)
    for side in SIDES:
        own = clocks.of(side)
        left = min(own.left, new.cap) if old.budget and not new.fixed else new.budget
        clocks = clocks.put(side, replace(own, left=left))
    return start(new, clocks, waiting.side, waiting.kind, now) if waiting else clocks


def _tell_both(changes: Changes, about: str, **values: str) -> None:
    """Tell both what was done, with the deadline; in a halted game with what the side that is waited for will have."""
    for side in SIDES:
        row = changes.game.row
        until = row.deadline_at.isoformat() if row.deadline_at else ""
        zone = str(time_told(row, side, changes.now)["zone"])
        left = _left(changes, row.waiting_for) if row.status == "paused" else None
        whole = {**values, "until": until, "zone": zone, "mover": row.waiting_for or "", "left_then": str(left or "")}
        changes.tell(side, changes.box.draft("notice", side, None, notice=about, values=whole))


def _left(changes: Changes, side: str | None) -> int | None:
    """The seconds that a side has for what it is waited for, else for its next turn; None if that has no end."""
    clock, clocks = clocks_of(changes.game.row)
    one = next((each for each in SIDES if each == side and not changes.game.is_house(each)), None)
    return left_now(clock, clocks, one, changes.now) if one and clock.budget else None


def _read(text: str, side: Side) -> Reading:
    reading = read(list(enumerate(text.splitlines(), 1)), side)
    if reading.refused:
        raise UsageError(f"nothing was carried out: {reading.refused[0].message}")
    if odd := [one.word for one in reading.orders if one.kind == "word" and one.word not in ENDS_TURNS]:
        raise UsageError(f"{odd[0]!r} is for the player himself: only game orders and standing orders can be given")
    if reading.ahead or reading.clears_ahead:
        raise UsageError("orders for the next turn are for the player himself")
    if not reading.orders and not reading.standing:
        raise UsageError("there is no order in the text")
    return reading


def _plays(reading: Reading) -> bool:
    return any(one.plays and one.word != "stop" for one in reading.orders)


def _ended(changes: Changes, winner: Side | None, reason: str, warrant: Warrant, command: str) -> Changes:
    state = changes.game.state
    points = scores(state)
    over = GameOver(winner, "void" if reason == "void" else "decision", None, points.british, points.french)
    changes.renumber()
    changes.finish(over)
    note_deadline(changes, warrant, reason)
    for side in SIDES:
        draft = changes.box.over_draft(side, state, over, (over,))
        changes.tell(side, replace(draft, values={**draft.values, "why": warrant.why}))
    return _written(changes, warrant, command, winner=winner)
