"""How many answers an address gets, and the one mail that joins those beyond.

Promise: at most `Config.answers_per_hour` counted mails are dated within any hour to one address. Beyond that a letter
counts as ever, but what became of it is told later, in one mail a seat, as soon as the budget allows. So two machines
that answer each other can never do so faster than that, whatever their mails look like. Mails that tell of moves do not
count: a game moves only by orders that are legal in its newest position, which no loop keeps writing.
"""

import logging
from datetime import datetime, timedelta

import msgspec

from adjudicator.game.model import Side, State
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, Taken, decode, encode
from adjudicator.service.stored import Postbox
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import SeatRow

log = logging.getLogger("adjudicator")

WINDOW = timedelta(hours=1)
MOST_TOLD = 20
"""Of so many letters a joined answer tells, the last ones; of the others it gives the number."""
MOST_TEXT = 2_000
"""So many characters of an opponent's words are passed on in a joined answer."""

replace = msgspec.structs.replace


def free_at(config: Config, tx: Transaction, to_address: str, now: datetime, unwritten: int = 0) -> datetime:
    """Return when the next counted mail to an address may be dated; that is now, as long as its budget lasts.

    `unwritten` counted mails to it are of this moment and not in the outbox yet.
    """
    if unwritten >= config.answers_per_hour:
        return now + WINDOW
    oldest = tx.counted_before(to_address, config.answers_per_hour - 1 - unwritten)
    return now if oldest is None else max(now, oldest + WINDOW)


def is_spent(config: Config, tx: Transaction, to_address: str, now: datetime) -> bool:
    """Whether an address has got so many counted mails within the hour that another has to wait."""
    return free_at(config, tx, to_address, now) > now


def join(
    tx: Transaction, box: Postbox, seat: SeatRow, draft: Draft, position: State, cause: str, due_at: datetime
) -> str | None:
    """Tell a draft in the joined answer to its seat; returns the Message-ID of that, None if nobody gets it.

    `position` is what the seat may look at now. One that waits already is added to; a new one goes out at `due_at`.
    """
    entry = _taken(draft, box.now)
    waiting = tx.joined_post(seat.game_id, seat.side)
    if waiting:
        before = decode(waiting.report or b"")
        taken = (*before.taken, entry)
        told = _joined(box, _side(seat), position, taken[-MOST_TOLD:], before.earlier + len(taken[:-MOST_TOLD]))
        if _retell(tx, box, seat, waiting.id, told):
            return waiting.message_id
    post = box.post(_joined(box, _side(seat), position, (entry,)), seat, cause)
    if post is None:
        return None
    log.info("game %s: answers to the %s are joined until %s", box.game.row.name, seat.side, due_at)
    tx.add_posts([replace(post, created_at=due_at, due_at=due_at, counted=True)])
    return post.message_id


def refresh(tx: Transaction, box: Postbox, seat: SeatRow, position: State) -> None:
    """Let the joined answer to a seat, if one waits, show the position that the seat has now."""
    waiting = tx.joined_post(seat.game_id, seat.side)
    if waiting:
        before = decode(waiting.report or b"")
        _retell(tx, box, seat, waiting.id, _joined(box, _side(seat), position, before.taken, before.earlier))


def _joined(box: Postbox, side: Side, position: State, taken: tuple[Taken, ...], earlier: int = 0) -> Draft:
    return box.draft("joined", side, position, taken=taken, earlier=earlier)


def _retell(tx: Transaction, box: Postbox, seat: SeatRow, post_id: int, told: Draft) -> bool:
    """Write a waiting answer anew, to the seat's address and position of now; False if it has just gone out."""
    now = box.post(told, seat, "")
    return now is not None and tx.retell(post_id, encode(told), to_address=now.to_address, reply_to=now.reply_to)


def _side(seat: SeatRow) -> Side:
    return "british" if seat.side == "british" else "french"


def _taken(draft: Draft, at: datetime) -> Taken:
    """What of an answer goes into the joined one: what was refused, without the long lists of what is possible."""
    not_done = (*draft.refused, *(remark for remark in draft.remarks if remark.code != "Told"))
    kind = "forecast" if draft.forecast else draft.notice or draft.kind
    return Taken(
        at=at,
        kind=kind,
        refused=tuple(replace(refusal, choices=()) for refusal in not_done[:MOST_TOLD]),
        noted=draft.noted,
        orders=draft.orders,
        told=tuple(remark for remark in draft.remarks if remark.code == "Told")[:MOST_TOLD],
        text=draft.values.get("text", "")[:MOST_TEXT] if kind == "press" else "",
    )
