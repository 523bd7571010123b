"""Records back in as games.

Promise: the imported game is equal to the exported one: same positions, shuffles to come, secrets of the seats and
position numbers. A record that the rules or its seed contradict is refused.
"""

import re
import secrets
from collections import deque
from collections.abc import Iterator
from datetime import datetime

import msgspec

from adjudicator.errors import Refusal, UsageError
from adjudicator.game.actions import Action, Done, StartWith
from adjudicator.game.chance import Chance, seeded
from adjudicator.game.compare import differing_states
from adjudicator.game.edition import Rules
from adjudicator.game.engine import apply, decider, new_game
from adjudicator.game.events import Event, GameOver
from adjudicator.game.export import Redealt, redealt
from adjudicator.game.model import SIDES, BySide, Side, State
from adjudicator.game.record import Kept, Record, Seated, rules_of, seed_of
from adjudicator.game.replay import Move, Replay
from adjudicator.game.scoring import scores
from adjudicator.game.verify import verify
from adjudicator.league.clock import Clocks, parse_clock
from adjudicator.league.due import due_at
from adjudicator.orders import read_standing, write
from adjudicator.players import PLAYERS
from adjudicator.service.keys import KEY_BYTES
from adjudicator.service.stored import ENCODER
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewGame, NewMove, NewSeat, NewUndone

replace = msgspec.structs.replace
_NAME = re.compile(r"[a-z0-9-]{1,24}")


class _Imported(msgspec.Struct, frozen=True):
    """A record that was checked, ready to be written: its moves from `start` lead to `state`."""

    record: Record
    rules: Rules
    seed: bytes
    start: State
    state: State
    moves: list[tuple[Move, tuple[Event, ...]]]
    redeals: list[tuple[int, Redealt]]
    seq: int


def import_record(tx: Transaction, record: Record, now: datetime, name: str | None = None) -> str:
    """Write a record as a game, under its id or another name; returns the name.

    Raises: UsageError if the name is taken, if the record is not whole (a running game needs a full export), or if
    the rules or the seed contradict it.
    """
    name = name or record.id
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a game: up to 24 letters a-z, digits and hyphens; --as gives another")
    if tx.has_game(name):
        raise UsageError(f"there is a game {name!r} already; --as gives the imported one another name")
    checked = _check(record)
    game_id = tx.create_game(_row(checked, name, now))
    tx.add_seats(*(_seat(tx, checked, side, game_id, now) for side in SIDES))
    tx.add_moves(_moves(checked, game_id, now))
    for place, one in checked.redeals:  # undos that took nothing back: what they took back is not in the record
        tx.add_undone(NewUndone(game_id, place, place, [(one.side, one.number)], now))
    return name


def _check(record: Record) -> _Imported:
    """Play the record again with the shuffles of its seed."""
    seed = seed_of(record)
    if seed is None or record.commitment is None:
        raise UsageError(f"{record.id}: no seed and commitment in it: only what `game export` wrote can be imported")
    if record.result is None and record.kept is None:
        raise UsageError(f"{record.id}: a running game without its seats: only a full export can be imported")
    played = verify(record)
    if played.mismatches:
        raise UsageError(f"{record.id}: {len(played.mismatches)} mismatches, the first: {played.mismatches[0]}")
    _check_kept(record)
    words = record.words or BySide("", "")
    chance = seeded(seed, words.british, words.french)
    rules = rules_of(record)
    try:
        return _replayed(record, rules, seed, chance, _line(played))
    except Refusal as refusal:
        raise UsageError(f"{record.id}: its moves are not legal one after the other: {refusal}") from refusal


def _check_kept(record: Record) -> None:
    """Refuse seats that cannot be, and standing orders that cannot be read."""
    for side in SIDES:
        house = record.kept and record.kept.seats.of(side).house
        if house is not None and house not in PLAYERS:
            raise UsageError(f"{record.id}: there is no house player {house!r}")
        try:
            read_standing(record.standing.get(side, ""), side)
        except Refusal as refusal:
            raise UsageError(f"{record.id}: standing orders of the {side} side: {refusal}") from refusal
    try:
        if record.kept:
            _clocks(record.kept)
    except ValueError as error:  # msgspec's own kind too
        raise UsageError(f"{record.id}: its clocks: {error}") from error
    if record.kept and (record.kept.status == "finished") != (record.result is not None):
        raise UsageError(f"{record.id}: a game has a result if it is finished, and only then")


def _line(played: Replay) -> list[Move | Redealt]:
    """The moves, and between them the decks that undos have shuffled anew."""
    line: list[Move | Redealt] = list(played.moves)
    for place, redeal in reversed(played.redeals):
        line.insert(place, redeal)
    return line


def _replayed(record: Record, rules: Rules, seed: bytes, chance: Chance, line: list[Move | Redealt]) -> _Imported:
    """Apply the moves one after the other, as they will be applied again whenever the game is read."""
    start = state = record.start
    if record.start_with and not record.from_position:
        start = state = new_game(rules, chance).state
        line = [Move(1, "french", StartWith(record.start_with), ()), *line]
    done: list[tuple[Move, tuple[Event, ...]]] = []
    redeals: list[tuple[int, Redealt]] = []
    for one in line:
        if isinstance(one, Redealt):
            state = redealt(state, one, chance)
            redeals.append((len(done), one))
            continue
        step = apply(rules, state, one.side, one.action, chance)
        state = step.state
        done.append((one, step.events))
    last = record.turns[-1].after if record.turns else record.start
    for difference in differing_states(last, state):
        raise UsageError(f"{record.id}: its moves do not lead to its last position: {difference.path} differs")
    seq = record.kept.position_number if record.kept else len(record.turns) + 1
    return _Imported(record, rules, seed, start, state, done, redeals, seq)


def _row(imported: _Imported, name: str, now: datetime) -> NewGame:
    record, state, over = imported.record, imported.state, _over(imported)
    kept = record.kept
    words = record.words or BySide("", "")
    times = [turn.at for turn in record.turns if turn.at]
    row = NewGame(
        name=name,
        status="finished" if over else kept.status if kept else "running",
        edition=imported.rules.edition,
        seed=imported.seed,
        commitment=record.commitment or "",
        created_at=times[0] if times else now,
        updated_at=times[-1] if times else now,
        variants=list(imported.rules.variants),
        switches=msgspec.to_builtins(imported.rules.switches),
        words={side: words.of(side) for side in SIDES},
        start=ENCODER.encode(imported.start),
        state=ENCODER.encode(state),
        turn=state.turn,
        seq=imported.seq,
        moves=len(imported.moves),
        waiting_for=None if over else decider(state),
        result=ENCODER.encode(over) if over else None,
        finished_at=(times[-1] if times else now) if over else None,
    )
    return _as_kept(row, kept) if kept else row


def _as_kept(row: NewGame, kept: Kept) -> NewGame:
    """The row with its clocks as they stood."""
    clocks = _clocks(kept)
    return replace(
        row,
        clock=kept.clock,
        clocks=ENCODER.encode(clocks) if clocks else None,
        deadline_at=kept.deadline,
        due_at=due_at(clocks) if clocks and row.status != "finished" else None,
        anonymous=kept.anonymous,
        public=kept.public,
    )


def _clocks(kept: Kept) -> Clocks | None:
    """The clocks of a full export. Raises: ValueError if they are none."""
    parse_clock(kept.clock)
    return msgspec.convert(kept.clocks, Clocks) if kept.clocks else None


def _over(imported: _Imported) -> GameOver | None:
    result = imported.record.result
    if result is None:
        return None
    points = result.scores or scores(imported.state)
    return GameOver(result.winner, result.reason, result.by, points.british, points.french)


def _seat(tx: Transaction, imported: _Imported, side: Side, game_id: int, now: datetime) -> NewSeat:
    kept: Kept | None = imported.record.kept
    seat = kept.seats.of(side) if kept else Seated(key=secrets.token_hex(KEY_BYTES), position_number=0)
    return NewSeat(
        game_id=game_id,
        side=side,
        token_key=bytes.fromhex(seat.key),
        player_id=_player(tx, seat, now),
        house=seat.house,
        seq=seat.position_number,
        standing=imported.record.standing.get(side, ""),
        thread_id=seat.thread,
        last_id=seat.last,
        notes=seat.notes,
        ahead=seat.ahead,
        pending=seat.pending,
        confirms=seat.confirms,
    )


def _player(tx: Transaction, seat: Seated, now: datetime) -> int | None:
    """Return the player with the seat's address, a new one if nobody has it."""
    if not seat.address:
        return None
    known = tx.address(seat.address)
    if known:
        return known.player_id
    player_id = tx.create_player(seat.name or seat.address.partition("@")[0], at=now)
    tx.add_address(player_id, seat.address, verified_at=now)
    return player_id


def _moves(imported: _Imported, game_id: int, now: datetime) -> list[NewMove]:
    """Return the rows of the moves."""
    turns = {turn.n: turn for turn in imported.record.turns}
    rows = []
    for number, (move, events, text, own) in enumerate(_signed(imported)):
        turn = turns.get(move.turn)
        rows.append(
            NewMove(
                game_id=game_id,
                n=number,
                side=move.side,
                turn=move.turn,
                seq=min(move.turn + 1, imported.seq),
                cause="mail" if own else "standing",
                text=text,
                action=ENCODER.encode(move.action),
                events=ENCODER.encode(events),
                at=(turn and turn.at) or now,
            )
        )
    return rows


def _signed(imported: _Imported) -> Iterator[tuple[Move, tuple[Event, ...], str, bool]]:
    """Tell for each move its canonical text, and whether its side ordered it: the record holds the mover's orders."""
    turns = {turn.n: turn for turn in imported.record.turns}
    orders = {number: deque(turn.orders) for number, turn in turns.items()}
    for move, events in imported.moves:
        text = write(move.action, move.side)
        turn, left = turns.get(move.turn), orders.get(move.turn)
        own = _is_own(move.action)
        if turn and left is not None and move.side == turn.side and not own:
            own = bool(left) and left[0] == text
            if own:
                left.popleft()
        yield move, events, text, own


def _is_own(action: Action) -> bool:
    """Whether only its own side can have ordered it, though no record lists it among the orders."""
    return isinstance(action, StartWith | Done)
