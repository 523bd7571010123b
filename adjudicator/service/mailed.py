"""What one player's letter about a game comes to: exactly one answer, and whatever it changes.

Game orders count only in answer to the position that the seat was last shown; standing orders, press, notes and
resignation are taken whatever they answer (contract 4, point 4). Answers that tell of no move, and press, count for the
budget of the address that they go to (contract 4, point 5).
"""

import logging
from datetime import datetime

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import Side, other
from adjudicator.game.scoring import scores
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order, Reading, Standing, amend, read, write_standing
from adjudicator.reports.heard import Lines
from adjudicator.service.addresses import without_secrets
from adjudicator.service.asides import ask_back, says_more, tell_record
from adjudicator.service.bounced import tell_position
from adjudicator.service.budget import free_at, join, refresh
from adjudicator.service.config import Config
from adjudicator.service.deeds import NEWKEY, deed_of
from adjudicator.service.drafts import Draft
from adjudicator.service.heard import heard
from adjudicator.service.inbox import letter_row
from adjudicator.service.keys import rekeyed
from adjudicator.service.moves import finished, moves_of
from adjudicator.service.stored import ENCODER, STATE, Postbox, Stored, events_of, shown
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, NewMove, NewPost, SeatRow
from adjudicator.turns import Outcome, play

log = logging.getLogger("adjudicator")

QUERIES = ("status", "board", "history", "rules", "help")
RESIGN = "resign:"
replace = msgspec.structs.replace


class Mailed(msgspec.Struct, frozen=True):
    """A letter that may speak for `side`, in answer to position `seq`.

    `changed_id`: its Message-ID was used before with another text, so it is answered and not carried out.
    `revived`: mail to its writer came back until now, so he is to see the newest position whatever the answer is.
    `second`: it came from another verified address of the player's than that of record; its answer goes there.
    """

    config: Config
    game: Stored
    side: Side
    letter: Letter
    seq: int
    now: datetime
    changed_id: bool = False
    revived: bool = False
    second: bool = False

    @property
    def seat(self) -> SeatRow:
        """The seat that speaks."""
        return self.game.seats[self.side]

    @property
    def postbox(self) -> Postbox:
        """Where its answers go."""
        return Postbox(self.game, self.config.domain, self.now)


class Changes(msgspec.Struct):
    """What a letter changes, gathered before it is written; `before` are the seats as they were read."""

    row: GameRow
    seats: dict[Side, SeatRow]
    before: dict[Side, SeatRow]
    moves: list[NewMove] = []
    posts: list[NewPost] = []
    carried_out: Lines = ()
    answer_id: str | None = None
    outcome: str = "answered"


def answer_letter(tx: Transaction, mailed: Mailed, raw: bytes) -> None:
    """Apply the letter and write its one answer."""
    lines = [(line.number, line.text) for line in mailed.letter.lines if line.kind == "own"]
    reading = read(lines, mailed.side)
    changes = Changes(mailed.game.row, dict(mailed.game.seats), mailed.game.seats)
    noted = () if mailed.changed_id or reading.refused else _take_words(tx, mailed, reading, changes)
    mailed = replace(mailed, game=replace(mailed.game, seats=dict(changes.seats)))
    writer = _answered_at(tx, mailed, changes)
    asked = ask_back(mailed.config, tx, mailed.postbox, writer, mailed.letter, reading) if "asked" in noted else None
    draft = None
    if asked and not says_more(reading):
        changes.answer_id = asked
    else:
        draft = _draft(tx, mailed, reading, noted, changes)
        draft = replace(draft, heard=heard(mailed.letter, reading, draft, noted, changes.carried_out))
        changes.answer_id = _post(tx, mailed, changes, mailed.side, draft, counted=changes.row is mailed.game.row)
    if mailed.second:
        tell_record(mailed.config, tx, mailed.postbox, _reachable(tx, changes.seats[mailed.side]), mailed.letter)
    _write(tx, mailed, changes, raw)
    if mailed.revived and (draft is None or draft.state is None):
        found = replace(mailed.game, row=changes.row, seats=changes.seats)
        tell_position(mailed.config, tx, found, mailed.side, mailed.now)
    log.info("game %s: a letter of the %s was %s", mailed.game.row.name, mailed.side, changes.outcome)


def _draft(tx: Transaction, m: Mailed, reading: Reading, noted: tuple[str, ...], changes: Changes) -> Draft:
    """The answer, after doing what the letter says."""
    words = {order.word: order for order in reading.orders if order.kind == "word"}
    orders = [order for order in reading.orders if order.kind == "game" or order.word == "done"]
    if m.changed_id:
        return m.postbox.draft("notice", m.side, None, notice="same-id")
    if m.game.row.status != "running" and not words.keys() & {"board", "history", "help", "rules"}:
        changes.outcome = "refused"
        return _standstill(m)
    if (orders or reading.refused) and m.seq != m.seat.seq:
        changes.outcome = "stale"
        return m.postbox.draft("stale", m.side, shown(tx, m.game, m.side), orders=len(orders) + len(reading.refused))
    if orders or reading.refused:
        return _play(tx, m, reading, noted, changes, forecast=_is_forecast(m, reading))
    if "confirm" in words:
        return _confirm(tx, m, changes)
    if "resign" in words:
        return m.postbox.draft("notice", m.side, None, notice="resign-asked")
    for query in QUERIES:
        if query in words:
            return _page(tx, m, words[query])
    state = shown(tx, m.game, m.side)
    return m.postbox.draft("answer", m.side, state, noted=noted)


def _standstill(m: Mailed) -> Draft:
    """The answer to whatever is written about a game that is over, or halted by a moderator."""
    if m.game.row.status == "finished":
        over = msgspec.json.decode(m.game.row.result or b"", type=GameOver)
        return m.postbox.over_draft(m.side, m.game.state, over, ())
    return m.postbox.draft("notice", m.side, None, notice="paused", values={"why": "your mail changed nothing in it"})


def _is_forecast(m: Mailed, reading: Reading) -> bool:
    """Whether `check` stands before the first order, or is the whole subject (contract 4, point 6)."""
    first = next((order for order in reading.orders if order.word != "stop"), None)
    if first and first.word == "check":
        return True
    subject = m.letter.subject.rpartition("]")[2].rpartition(":")[2]
    return subject.strip().lower() == "check"


def _take_words(tx: Transaction, m: Mailed, reading: Reading, changes: Changes) -> tuple[str, ...]:
    """Keep standing orders, notes and press; returns the kinds that were found."""
    noted: list[str] = []
    seat = m.seat
    if reading.standing:
        said: Standing = amend(m.game.standing().of(m.side), reading.standing)
        seat = replace(seat, standing=write_standing(said, m.side))
        noted.append("standing")
    for order in reading.orders:
        if order.word == "note":
            seat = replace(seat, notes=f"{seat.notes}{order.argument}\n")
            noted.append("note")
        elif order.word == "press":
            noted.append("press")
        elif order.word == "set" and (deed := deed_of(order.argument, m.config.domain)):
            seat = rekeyed(seat) if deed == NEWKEY else seat
            noted.append("newkey" if deed == NEWKEY else "asked")
        elif order.word in ("leave", "set", "register", "join"):
            noted.append("unknown-here")
    changes.seats[m.side] = seat
    if "press" in noted:
        text = "\n\n".join(order.argument for order in reading.orders if order.word == "press")
        press = m.postbox.draft("notice", other(m.side), None, notice="press", values={"text": without_secrets(text)})
        _post(tx, m, changes, other(m.side), press, counted=True)
    return tuple(dict.fromkeys(noted))


def _page(tx: Transaction, m: Mailed, order: Order) -> Draft:
    """The answer to a question about the game or its rules."""
    if order.word == "rules":
        return m.postbox.draft("rules", m.side, None, values={"word": order.argument})
    if order.word == "help":
        return m.postbox.draft("help", m.side, None)
    events: tuple[Event, ...] = ()
    if order.word == "history":
        seen = [
            move for move in tx.moves(m.game.row.id) if m.side == m.game.state.to_move or not _is_open(m, move.turn)
        ]
        events = events_of(seen)
    return m.postbox.draft(order.word, m.side, shown(tx, m.game, m.side), events=events)


def _is_open(m: Mailed, turn: int) -> bool:
    """Whether a turn is the open one, which the side that waits does not see."""
    state = m.game.state
    return state.open is not None and turn == state.turn


def _play(
    tx: Transaction,
    m: Mailed,
    reading: Reading,
    noted: tuple[str, ...],
    changes: Changes,
    *,
    forecast: bool,
) -> Draft:
    """Play the game orders and write down what came of them."""
    game = m.game
    outcome = play(game.rules, game.state, m.side, reading, game.chance(), game.standing(), forecast=forecast)
    changes.carried_out = outcome.carried_out
    said = {
        "events": outcome.events,
        "applied": outcome.applied,
        "refused": outcome.refused,
        "not_tried": outcome.not_tried,
        "noted": noted,
    }
    if forecast:
        changes.outcome = "forecast"
        return m.postbox.draft("answer", m.side, outcome.state, forecast=True, **said)
    if outcome.moves or outcome.over or outcome.question != game.state.question:
        _enter(tx, m, outcome, changes)
    changes.outcome = "refused" if outcome.refused else "applied"
    state = outcome.state
    if changes.row is game.row:
        state = shown(tx, game, m.side)
    if outcome.over:
        return m.postbox.over_draft(m.side, state, outcome.over, outcome.events)
    return m.postbox.draft("turn" if outcome.ended else "answer", m.side, state, **said)


def _enter(tx: Transaction, m: Mailed, outcome: Outcome, changes: Changes) -> None:
    """The new position, its moves, and the mail to the other side if it is his to see."""
    game, foe = m.game, other(m.side)
    seq = game.row.seq + 1
    changes.moves = moves_of(m.game, m.side, outcome, seq, m.now)
    row = replace(
        game.row,
        state=ENCODER.encode(outcome.state),
        turn=outcome.state.turn,
        seq=seq,
        moves=game.row.moves + len(changes.moves),
        waiting_for=decider(outcome.state),
        updated_at=m.now,
    )
    changes.row = finished(row, outcome.over, m.now) if outcome.over else row
    changes.seats[m.side] = replace(changes.seats[m.side], seq=seq)
    if outcome.ended or decider(outcome.state) == foe:
        changes.seats[foe] = replace(changes.seats[foe], seq=seq)
        events = (*_earlier(tx, m), *outcome.events)
        if outcome.over:
            draft = m.postbox.over_draft(foe, outcome.state, outcome.over, events)
        else:
            draft = m.postbox.draft("turn", foe, outcome.state, events=events)
        _post(tx, m, changes, foe, draft)


def _earlier(tx: Transaction, m: Mailed) -> tuple[Event, ...]:
    """What happened in the open turn before this letter; the other side has not been told yet."""
    state = m.game.state
    if state.open is None and state.question is None:
        return ()
    return events_of(move for move in tx.moves(m.game.row.id) if move.turn == state.turn)


def _confirm(tx: Transaction, m: Mailed, changes: Changes) -> Draft:
    """Carry a resignation out that was asked for: `confirm` answers the mail that asked (contract 3)."""
    asked = tx.post_by_message_id(m.letter.in_reply_to) if m.letter.in_reply_to else None
    row = m.game.row
    fits = asked and asked.cause.startswith(RESIGN) and asked.game_id == row.id and asked.side == m.side
    if not fits or row.status != "running":
        return m.postbox.draft("notice", m.side, None, notice="nothing-to-confirm")
    points = scores(m.game.state)
    over = GameOver(other(m.side), "resignation", m.side, points.british, points.french)
    seq = row.seq + 1
    changes.row = finished(replace(row, seq=seq, updated_at=m.now), over, m.now)
    changes.seats = {side: replace(seat, seq=seq) for side, seat in changes.seats.items()}
    changes.outcome = "resigned"
    state = m.game.state
    _post(tx, m, changes, other(m.side), m.postbox.over_draft(other(m.side), state, over, (over,)))
    return m.postbox.over_draft(m.side, state, over, (over,))


def _post(
    tx: Transaction, m: Mailed, changes: Changes, side: Side, draft: Draft, *, counted: bool = False
) -> str | None:
    """Write a mail to a side, or tell it in a joined one later; returns its Message-ID, None if nobody gets it.

    The sender's own is the answer to his letter.
    """
    seat = _answered_at(tx, m, changes) if side == m.side else _reachable(tx, changes.seats[side])
    cause = f"{RESIGN if draft.notice == 'resign-asked' else ''}{m.letter.key}"
    if counted and seat.address and not seat.bounced_at:
        unwritten = sum(one.counted and one.to_address == seat.address for one in changes.posts)
        due_at = free_at(m.config, tx, seat.address, m.now, unwritten)
        if due_at > m.now:
            return join(tx, m.postbox, seat, draft, shown(tx, m.game, side), m.letter.key, due_at)
    post = m.postbox.post(draft, seat, cause, m.letter.message_id if side == m.side else None)
    if post is None:
        return None
    changes.posts.append(replace(post, counted=counted))
    thread_id = seat.thread_id or post.message_id
    changes.seats[side] = replace(changes.seats[side], last_id=post.message_id, thread_id=thread_id)
    return post.message_id


def _answered_at(tx: Transaction, m: Mailed, changes: Changes) -> SeatRow:
    """The writer's seat with the address that his answer goes to."""
    seat = _reachable(tx, changes.seats[m.side])
    return replace(seat, address=m.letter.from_address, bounced_at=None) if m.second else seat


def _reachable(tx: Transaction, seat: SeatRow) -> SeatRow:
    """The seat; if its address did not work when the game was read, as that is now (it has no lock)."""
    known = tx.address(seat.address) if seat.address and seat.bounced_at else None
    return replace(seat, bounced_at=known.bounced_at) if known else seat


def _write(tx: Transaction, m: Mailed, changes: Changes, raw: bytes) -> None:
    """Write everything down."""
    row = letter_row(m.letter, raw, changes.outcome, game=m.game, side=m.side, answer_id=changes.answer_id)
    letter_id = tx.add_letter(row)
    tx.add_posts(changes.posts)
    if changes.row is not m.game.row:
        tx.update_game(changes.row, m.game.row)
        tx.add_moves([replace(move, letter_id=letter_id) for move in changes.moves])
        _refresh(tx, m, changes)
    elif changes.seats[m.side].token_key != changes.before[m.side].token_key:
        refresh(tx, m.postbox, changes.seats[m.side], shown(tx, m.game, m.side))
    for side, seat in changes.seats.items():
        if seat is not changes.before[side]:
            tx.update_seat(seat)


def _refresh(tx: Transaction, m: Mailed, changes: Changes) -> None:
    """Let joined answers that still wait show the new position to whom it is shown."""
    if not tx.has_joined_post(m.game.row.id):
        return
    now = replace(m.game, row=changes.row, seats=changes.seats, state=STATE.decode(changes.row.state or b""))
    for seat in changes.seats.values():
        if seat.seq == changes.row.seq:
            refresh(tx, Postbox(now, m.config.domain, m.now), seat, now.state)
