"""What one player's letter about a game comes to: exactly one answer, and whatever it changes.

Game orders count only in answer to the position that the seat was last shown; standing orders, press, notes and
resignation are taken whatever they answer (contract 4, point 4). Answers that tell of no move, and press, count for the
budget of the address that they go to (contract 4, point 5).
"""

import logging
from datetime import datetime

import msgspec

from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order, Reading, read
from adjudicator.reports.heard import Lines
from adjudicator.service.absence import come_back
from adjudicator.service.ahead import confirmed, drop_rest, ends_turn, goes_on, keep_rest, pass_on, put_off, told
from adjudicator.service.answers import ANSWERS, ASKED_OF_ANY_GAME
from adjudicator.service.asides import ask_back, says_more, tell_record
from adjudicator.service.bounced import tell_position
from adjudicator.service.changes import Cause, Changes
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft
from adjudicator.service.heard import heard
from adjudicator.service.inbox import letter_row
from adjudicator.service.press import passed_on
from adjudicator.service.stored import Stored
from adjudicator.service.taken import take_words
from adjudicator.store.ledger import Transaction
from adjudicator.turns import Outcome, play

log = logging.getLogger("adjudicator")

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
    def answer_at(self) -> str | None:
        """Where the answer goes, if not to the address of record."""
        return self.letter.from_address if self.second else None


class Answer(msgspec.Struct, frozen=True):
    """What a letter comes to: the draft of its answer, one word for the inbox, and its orders that were carried out.

    `played` is what was entered, and `untold` what the other side is to hear of it.
    """

    draft: Draft
    outcome: str = "answered"
    carried_out: Lines = ()
    played: Outcome | None = None
    untold: tuple[Event, ...] = ()


def answer_letter(tx: Transaction, mailed: Mailed, raw: bytes) -> None:
    """Apply the letter and write its one answer."""
    lines = [(line.number, line.text) for line in mailed.letter.lines if line.kind == "own"]
    reading = read(lines, mailed.side)
    changes = Changes(mailed.config, tx, mailed.game, mailed.now, mailed.letter.key, acted_at=mailed.letter.received_at)
    noted = () if mailed.changed_id or reading.refused else take_words(changes, mailed.side, reading)
    answer_id = _question_back(mailed, changes, reading) if "asked" in noted else None
    answer = None
    if "asked" in noted and answer_id is None:
        noted = tuple("asked-later" if kind == "asked" else kind for kind in noted)
    stopped = _stopped(mailed, changes, reading) if reading.said("stop") else ()
    noted = (*noted, *stopped)
    if answer_id is None or says_more(reading, noted):
        to_play = _without_stop(reading) if "rest-dropped" in stopped else reading
        answer = _answer(mailed, changes, to_play, noted)
        if answer.played and goes_on(changes, mailed.side, answer.played):
            answer = replace(answer, draft=replace(answer.draft, noted=(*answer.draft.noted, "goes-on")))
        came = heard(mailed.letter, reading, answer.draft, noted, answer.carried_out, changes.undone)
        if "press" in noted:
            came = replace(came, passed_on=passed_on(changes, mailed.side, reading.said("press")))
        draft = replace(answer.draft, remarks=tuple(changes.remarks), heard=came)
        told = {"answers": mailed.letter.message_id, "at": mailed.answer_at, "counted": not changes.is_moved}
        answer_id = changes.tell(mailed.side, draft, **told)  # type: ignore[arg-type]
        if answer.played:
            pass_on(changes, mailed.side, answer.played, answer.untold)
    if mailed.second:
        tell_record(mailed.config, tx, changes.box, changes.reachable(mailed.side), mailed.letter)
    outcome = answer.outcome if answer else "answered"
    row = letter_row(mailed.letter, raw, outcome, game=mailed.game, side=mailed.side, answer_id=answer_id)
    changes.write(tx.add_letter(row))
    if mailed.revived and (answer is None or answer.draft.state is None):
        tell_position(mailed.config, tx, changes.game, mailed.side, mailed.now)
    log.info("game %s: a letter of the %s was %s", mailed.game.row.name, mailed.side, outcome)


def _question_back(m: Mailed, changes: Changes, reading: Reading) -> str | None:
    """Ask the writer whether he wants what he asks for about himself; returns the Message-ID of that mail."""
    seat = changes.reachable(m.side)
    seat = replace(seat, address=m.answer_at, bounced_at=None) if m.answer_at else seat
    return ask_back(m.config, changes.tx, changes.box, seat, m.letter, reading)


def _stopped(m: Mailed, changes: Changes, reading: Reading) -> tuple[str, ...]:
    """Take back what waits for the other side's answer, as `stop` asks for; returns what is noted of that.

    It counts as game orders do: in answer to the newest position, and if each line of the letter can be read.
    """
    if m.changed_id or reading.refused or m.game.row.status != "running" or _is_forecast(m, reading):
        return ()
    if m.seq != m.game.seats[m.side].seq:
        return ("stop-late",)
    if not drop_rest(changes, m.side):
        return ()
    changes.remark("What waited for your opponent's answer is taken back. Your turn stays open.")
    return ("rest-dropped",)


def _without_stop(reading: Reading) -> Reading:
    return replace(reading, orders=tuple(order for order in reading.orders if order.word != "stop"))


def _answer(m: Mailed, changes: Changes, reading: Reading, noted: tuple[str, ...]) -> Answer:
    """The answer, after doing what the letter says."""
    words = {order.word: order for order in reading.orders if order.kind == "word"}
    orders = [order for order in reading.orders if order.plays and order.word != "stop"]
    if m.changed_id:
        return Answer(changes.box.draft("notice", m.side, None, notice="same-id"))
    if m.game.row.status != "running" and not words.keys() & ASKED_OF_ANY_GAME:
        return Answer(_standstill(m, changes), "refused")
    if (orders or reading.refused) and m.seq != m.game.seats[m.side].seq:
        told = len(orders) + len(reading.refused)
        return Answer(changes.box.draft("stale", m.side, changes.shown(m.side), orders=told), "stale")
    if orders or reading.refused:
        return _ordered(m, changes, reading, noted)
    if "confirm" in words and _is_forecast(m, reading):
        del words["confirm"]  # who asks what would happen does not say yes
    if "confirm" in words and (lines := confirmed(changes, m.side, m.seq, m.letter.in_reply_to)):
        wanted = (*lines, "stop") if "stop" in words else lines
        played = _play(m, changes, read(list(enumerate(wanted, 1)), m.side), (*noted, "confirmed"))
        return replace(played, carried_out=())  # they are no lines of this letter
    return _spoken(m, changes, words, noted)


def _ordered(m: Mailed, changes: Changes, reading: Reading, noted: tuple[str, ...]) -> Answer:
    """The answer to game orders: carried out, foretold, or put off until their writer says yes to the forecast."""
    game, side = changes.game, m.side
    forecast, asks = _is_forecast(m, reading), game.seats[side].confirms and not reading.refused
    if not forecast and not asks:
        return _play(m, changes, reading, noted)
    outcome = play(
        game.rules, game.state, side, reading, game.chance(), game.standing(), forecast=True, earlier=changes.untold()
    )
    if asks and not forecast and not outcome.refused:
        return Answer(replace(put_off(changes, side, reading, outcome), noted=noted), "asked", ())
    draft = _told(changes, side, outcome, noted, forecast=True)
    ahead = replace(told(changes, side, outcome), ends_turn=ends_turn(reading, outcome))
    return Answer(replace(draft, ahead=ahead), "forecast", outcome.carried_out)


def _spoken(m: Mailed, changes: Changes, words: dict[str, Order], noted: tuple[str, ...]) -> Answer:
    """The answer to a letter without a game order: to the first of its words that has one, or how the game stands."""
    for word, answered in ANSWERS.items():
        if word in words:
            draft, outcome = answered(changes, m.side, words[word], m.letter)
            return Answer(draft, outcome)
    ahead = told(changes, m.side)
    return Answer(changes.box.draft("answer", m.side, changes.shown(m.side), noted=noted, ahead=ahead))


def _standstill(m: Mailed, changes: Changes) -> Draft:
    """The answer to whatever is written about a game that is over, or halted by a moderator."""
    if m.game.row.status == "finished":
        over = msgspec.json.decode(m.game.row.result or b"", type=GameOver)
        return changes.box.over_draft(m.side, m.game.state, over, ())
    values = {"why": "your mail changed nothing in it"}
    return changes.box.draft("notice", m.side, None, notice="paused", values=values)


def _is_forecast(m: Mailed, reading: Reading) -> bool:
    """Whether a letter only asks what would happen; `check` may also be its whole subject (contract 4, point 6)."""
    subject = m.letter.subject.rpartition("]")[2].rpartition(":")[2]
    return reading.is_forecast or subject.strip().lower() == "check"


def _play(m: Mailed, changes: Changes, reading: Reading, noted: tuple[str, ...]) -> Answer:
    return play_orders(changes, m.side, reading, noted, "house" if changes.game.is_house(m.side) else "mail")


def play_orders(changes: Changes, side: Side, reading: Reading, noted: tuple[str, ...], cause: Cause) -> Answer:
    """Play the game orders of a side and write down what came of them."""
    game, earlier = changes.game, changes.untold()
    outcome = play(game.rules, game.state, side, reading, game.chance(), game.standing(), earlier=earlier)
    untold: tuple[Event, ...] = ()
    entered = bool(outcome.moves or outcome.over or outcome.question != game.state.question)
    if entered:
        come_back(changes, side)
        untold = changes.enter(side, outcome, cause)
        outcome = keep_rest(changes, side, outcome)
    draft = _told(changes, side, outcome, noted)
    word = "refused" if outcome.refused else "applied"
    return Answer(draft, word, outcome.carried_out, outcome if entered else None, untold)


def _told(changes: Changes, side: Side, outcome: Outcome, noted: tuple[str, ...], *, forecast: bool = False) -> Draft:
    """The answer to played orders."""
    state = outcome.state if changes.is_moved or forecast else changes.shown(side)
    ahead = told(changes, side, outcome)
    if outcome.over and not forecast:
        return replace(changes.box.over_draft(side, state, outcome.over, outcome.events), ahead=ahead)
    return changes.box.draft(
        "turn" if outcome.ended and not forecast else "answer",
        side,
        state,
        events=outcome.events,
        applied=outcome.applied,
        refused=outcome.refused,
        not_tried=outcome.not_tried,
        noted=noted,
        forecast=forecast,
        ahead=ahead,
    )
