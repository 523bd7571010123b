"""Words that ask for an answer, and have no place beside game orders: questions about the game, and resigning.

Each is a function of the changes, the side that asks, the order and the letter. It does what is asked and returns the
draft of the answer and one word for the inbox.
"""

from collections.abc import Callable

from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import Side, other
from adjudicator.game.scoring import scores
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order
from adjudicator.service.asked_first import desk_answer
from adjudicator.service.changes import Changes
from adjudicator.service.drafts import Draft
from adjudicator.service.ending import end
from adjudicator.service.looks import deeds_told
from adjudicator.service.offers import accept, decline, offer
from adjudicator.service.recorded import send_record
from adjudicator.service.stored import events_of, moves_in_force
from adjudicator.service.time_words import claim

Spoken = tuple[Draft, str]
RESIGN = "resign-asked:"
"""How the cause of the mail begins that asks whether a resignation is meant (see `Changes.tell`)."""
ASKED_OF_ANY_GAME = frozenset({"board", "history", "help", "rules", "record", "challenges", "games"})
"""What is answered about a halted game, and one that is over, too."""


def _confirm(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    """Carry a resignation out that was asked for: `confirm` answers the mail that asked (contract 3)."""
    asked = changes.tx.post_by_message_id(letter.in_reply_to) if letter.in_reply_to else None
    row = changes.game.row
    fits = asked and asked.cause.startswith(RESIGN) and asked.game_id == row.id and asked.side == side
    if not fits or row.status != "running":
        return changes.box.draft("notice", side, None, notice="nothing-to-confirm"), "answered"
    points = scores(changes.game.state)
    over = GameOver(other(side), "resignation", side, points.british, points.french)
    return end(changes, over, side), "resigned"


def _resign(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    return changes.box.draft("notice", side, None, notice="resign-asked"), "answered"


def _position(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    return changes.box.draft(order.word, side, changes.shown(side)), "answered"


def _history(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    """What happened so far; an open turn is for its mover."""
    state = changes.game.state
    moves = moves_in_force(changes.tx, changes.game.row.id)
    seen = [move for move in moves if side == state.to_move or state.open is None or move.turn != state.turn]
    events: tuple[Event, ...] = events_of(seen)
    values = {"deeds": deeds_told(changes.tx, changes.game.row.id)}
    return changes.box.draft("history", side, changes.shown(side), events=events, values=values), "answered"


def _rules(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    return changes.box.draft("rules", side, None, values={"word": order.argument}), "answered"


def _help(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    return changes.box.draft("help", side, None), "answered"


ANSWERS: dict[str, Callable[[Changes, Side, Order, Letter], Spoken]] = {
    "confirm": _confirm,
    "resign": _resign,
    "claim": claim,
    "accept": accept,
    "decline": decline,
    "offer": offer,
    "status": _position,
    "board": _position,
    "history": _history,
    "record": send_record,
    "rules": _rules,
    "help": _help,
    "challenges": desk_answer,
    "games": desk_answer,
}
"""By word; of several in one letter the first in this table is answered."""
