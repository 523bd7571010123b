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
from adjudicator.service.addresses import BounceAddress, ConfirmAddress, SeatAddress, read_address, seat_of
from adjudicator.service.alarms import alarm
from adjudicator.service.bounced import note_report, revive
from adjudicator.service.config import Config
from adjudicator.service.desk import at_desk
from adjudicator.service.inbox import letter_row
from adjudicator.service.locking import in_order
from adjudicator.service.loops import noted
from adjudicator.service.mailed import Mailed, answer_letter
from adjudicator.service.people import at_confirmation
from adjudicator.service.senders import authorise, is_proven, is_second, need_proof, tell_owner
from adjudicator.service.stored import Stored, stored
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.letters import SameLetter

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
        proven = not own and is_proven(config, letter, raw)

        def work(tx: Transaction) -> None:
            take(config, tx, letter, raw, address, now, own=own, proven=proven)

        try:
            in_order(ledger, work)
        except SameLetter:  # a copy came at the same moment; this time it is found
            in_order(ledger, work)
    except Unreadable as error:
        return Reply(550, f"5.6.0 {error}")
    except NotAuthorised as error:
        tell_owner(config, ledger, error, now)
        return REFUSED
    except Unavailable:
        log.exception("a mail was deferred: the database is not to be had")
        return LATER
    except Exception as error:  # noqa: BLE001 - any fault of ours: the letter must not be lost
        return _quarantine(config, ledger, raw, rcpt, mail_from, error, now)
    return ACCEPTED


def take(  # noqa: PLR0913 - a mail, whom it is to, what is known of its sender, and when
    config: Config,
    tx: Transaction,
    letter: Letter,
    raw: bytes,
    address: object,
    now: datetime,
    *,
    own: bool = False,
    proven: bool = False,
) -> None:
    """Authorise, apply, and write down what came of it; `proven` is what `is_proven` said of the sender.

    Raises: NotAuthorised.
    """
    if isinstance(address, BounceAddress):
        note_report(config, tx, letter, raw, address, now)
        return
    if not isinstance(address, SeatAddress):
        _take_apart(config, tx, letter, raw, address, now, proven=proven)
        return
    found = tx.game(address.game)
    game = stored(found, config.chance) if found else None
    side = seat_of(address, _keys(game)) if game else None
    if game is None or side is None:
        raise NotAuthorised("no such secret")
    known = tx.find_letter(letter.key)
    if known and known.digest == letter.digest:
        log.info("game %s: a copy of a letter of the %s did nothing", game.row.name, side)
        return
    if known:
        letter = msgspec.structs.replace(letter, key=_second_key(letter))
        if tx.find_letter(letter.key):
            return
    # Before the sender is looked at: a notice to the owner would be an answer too.
    if not own and (outcome := noted(config, tx, letter)):
        tx.add_letter(letter_row(letter, raw, outcome, game=game, side=side))
        log.info("game %s: mail to the %s seat was noted as %s", game.row.name, side, outcome)
        return
    if not own:
        authorise(config, tx, game.seats[side], letter, proven=proven)
    revived = revive(config, tx, game, side, letter, now)
    mailed = Mailed(
        config=config,
        game=revived or game,
        side=side,
        letter=letter,
        seq=address.seq,
        now=now,
        changed_id=bool(known),
        revived=revived is not None,
        second=not own and is_second(tx, (revived or game).seats[side], letter.from_address),
    )
    answer_letter(tx, mailed, raw)


def _take_apart(
    config: Config, tx: Transaction, letter: Letter, raw: bytes, address: object, now: datetime, *, proven: bool
) -> None:
    """Take a letter that is about no game."""
    if address == "games" or isinstance(address, ConfirmAddress):
        need_proof(config, proven=proven)
    if isinstance(address, ConfirmAddress):
        at_confirmation(config, tx, letter, raw, address, now)
    else:
        at_desk(config, tx, letter, raw, str(address), now)


def _second_key(letter: Letter) -> str:
    """The key of another text under a Message-ID that was used before."""
    return sha256(f"{letter.key}\0{letter.digest}".encode()).hexdigest()


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
