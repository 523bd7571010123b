"""One mail from bytes to the posts it causes, in one transaction.

Promise: 250 is said after the commit. A copy of a mail does nothing; a mail that our own fault keeps from being read is
kept in quarantine; nothing that a stranger sends changes or starts anything.
"""

import logging
from datetime import datetime
from hashlib import sha256

import msgspec

from adjudicator.errors import NotAuthorised, Unavailable, Unreadable
from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter, read_letter
from adjudicator.mail.session import Reply
from adjudicator.service.addresses import BounceAddress, SeatAddress, read_address, seat_of
from adjudicator.service.alarms import alarm
from adjudicator.service.config import Config
from adjudicator.service.desk import at_desk, note_bounce
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.inbox import letter_row
from adjudicator.service.mailed import Mailed, answer_letter
from adjudicator.service.stored import Stored, stored
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.rows import NewPost, SeatRow

log = logging.getLogger("adjudicator")

ACCEPTED = Reply(250, "2.0.0 taken")
REFUSED = Reply(550, "5.7.1 not accepted from this sender at this address")
UNKNOWN = Reply(550, "5.1.1 no such address here")
LATER = Reply(451, "4.3.0 try again later")


def _keys(game: Stored) -> dict[Side, bytes]:
    return {side: seat.token_key for side, seat in game.seats.items()}


def receive(
    config: Config,
    ledger: Ledger,
    raw: bytes,
    rcpt: str,
    mail_from: str,
    now: datetime,
    *,
    own: bool = False,
) -> Reply:
    """Take one mail for one recipient; `own` says that it comes from our own process (house players).

    Returns the SMTP reply: 250, 451 (the database is away) or 550 (unreadable, or from nobody we know).
    """
    try:
        address = read_address(rcpt, config.domain)
        if address is None or (address == "house" and not own):
            return UNKNOWN
        letter = read_letter(raw, rcpt=rcpt.lower(), mail_from=mail_from, received_at=now)
        with ledger.begin() as tx:
            take(config, tx, letter, raw, address, now, own=own)
    except Unreadable as error:
        return Reply(550, f"5.6.0 {error}")
    except NotAuthorised as error:
        _tell_owner(config, ledger, error, now)
        return REFUSED
    except Unavailable:
        log.exception("a mail was deferred: the database is not to be had")
        return LATER
    except Exception as error:  # noqa: BLE001 - any fault of ours: the letter must not be lost
        return _quarantine(config, ledger, raw, rcpt, mail_from, error, now)
    return ACCEPTED


class _ForeignSender(NotAuthorised):
    """A right secret from an address that is not the player's; its owner is told once."""

    def __init__(self, game: str, side: str, sender: str) -> None:
        super().__init__(f"a foreign sender for {game} {side}")
        self.game = game
        self.side = side
        self.sender = sender


def take(
    config: Config, tx: Transaction, letter: Letter, raw: bytes, address: object, now: datetime, *, own: bool
) -> None:
    """Authorise, apply, and write down what came of it."""
    if isinstance(address, BounceAddress):
        note_bounce(config, tx, letter, raw, address, now)
        return
    if not isinstance(address, SeatAddress):
        at_desk(config, tx, letter, raw, str(address), now)
        return
    found = tx.game(address.game)
    game = stored(found, config.chance) if found else None
    side = seat_of(address, _keys(game)) if game else None
    if game is None or side is None:
        raise NotAuthorised("no such secret")
    if not own:
        _authorise(config, tx, game.seats[side], letter)
    if letter.bounce:
        tx.add_letter(letter_row(letter, raw, "bounce", game=game, side=side))
        return
    known = tx.find_letter(letter.key)
    if known and known.digest == letter.digest:
        log.info("game %s: a copy of a letter of the %s did nothing", game.row.name, side)
        return
    if known:
        letter = msgspec.structs.replace(letter, key=_second_key(letter))
        if tx.find_letter(letter.key):
            return
    if letter.automatic:
        tx.add_letter(letter_row(letter, raw, "automatic", game=game, side=side))
        log.info("game %s: automatic mail to the %s seat was noted", game.row.name, side)
        return
    mailed = Mailed(
        config=config, game=game, side=side, letter=letter, seq=address.seq, now=now, changed_id=bool(known)
    )
    answer_letter(tx, mailed, raw)


def _second_key(letter: Letter) -> str:
    """The key of another text under a Message-ID that was used before."""
    return sha256(f"{letter.key}\0{letter.digest}".encode()).hexdigest()


def _authorise(config: Config, tx: Transaction, seat: SeatRow, letter: Letter) -> None:
    """Whether the sender may speak for the seat (contract 2, AUTH; contract 3).

    Raises: NotAuthorised.
    """
    if seat.player_id is None:
        raise NotAuthorised("nobody sits there")
    if config.auth == "token":
        return
    known = tx.address(letter.from_address) if letter.from_address else None
    if known is None or known.player_id != seat.player_id or known.verified_at is None:
        raise _ForeignSender(tx.game_name(seat.game_id), seat.side, letter.from_address)


def _tell_owner(config: Config, ledger: Ledger, error: NotAuthorised, now: datetime) -> None:
    """One notice a day and sender to the address of record about a mail from a foreign address."""
    log.info("a mail was refused: %s", error)
    if not isinstance(error, _ForeignSender):
        return
    try:
        with ledger.begin() as tx:
            found = tx.game(error.game)
            if found is None:
                return
            seat = stored(found).seats["british" if error.side == "british" else "french"]
            post = _foreign_notice(config, seat, error, now)
            if post and tx.post_by_message_id(post.message_id) is None:
                tx.add_posts([post])
    except Unavailable:
        log.warning("game %s: the notice of a foreign sender was not written", error.game)


def _foreign_notice(config: Config, seat: SeatRow, error: _ForeignSender, now: datetime) -> NewPost | None:
    if not seat.address:
        return None
    mark = sha256(f"{error.sender}\0{now.date()}".encode()).hexdigest()[:16]
    local = f"{error.game}.{seat.side}.foreign.{mark}"
    draft = Draft(kind="notice", game=error.game, notice="foreign-sender", values={"sender": error.sender})
    return NewPost(
        to_address=seat.address,
        message_id=f"<{local}@{config.domain}>",
        bounce_key=sha256(seat.token_key + local.encode()).hexdigest()[:32],
        kind="notice",
        cause="foreign sender",
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(draft),
        game_id=seat.game_id,
        side=seat.side,
        in_reply_to=seat.thread_id,
        references=seat.thread_id or "",
    )


def _quarantine(
    config: Config, ledger: Ledger, raw: bytes, rcpt: str, mail_from: str, error: Exception, now: datetime
) -> Reply:
    """Keep a letter that our own fault stopped, in a transaction of its own, and tell the moderators."""
    log.error("a letter went to quarantine: %s", type(error).__name__, exc_info=error)
    try:
        with ledger.begin() as tx:
            number = tx.hold(raw, rcpt=rcpt, mail_from=mail_from, error=repr(error), received_at=now)
            alarm(config, tx, "quarantined", now, number=str(number), fault=type(error).__name__)
    except Exception:
        log.exception("a letter could not be kept in quarantine and was deferred")
        return LATER
    return ACCEPTED
