"""Mails taken by hand: from a file as the listener would, and again out of quarantine."""

import logging
from datetime import datetime

import msgspec

from adjudicator.errors import NotAuthorised, Unavailable, Unreadable, UsageError
from adjudicator.mail.letter import read_letter
from adjudicator.mail.session import Limits, Reply
from adjudicator.service.addresses import read_address
from adjudicator.service.config import Config
from adjudicator.service.door import Door
from adjudicator.service.lateness import give_back, waited_for
from adjudicator.service.locking import in_order
from adjudicator.service.receive import LATER, UNKNOWN, receive, take
from adjudicator.service.senders import is_proven
from adjudicator.store.ledger import Ledger, Transaction

log = logging.getLogger("adjudicator")


def take_by_hand(config: Config, ledger: Ledger, raw: bytes, rcpt: str, mail_from: str, now: datetime) -> Reply:
    """Take a mail as the listener would: its line ends made CRLF, its recipient asked for first; returns the reply."""
    raw = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    limit = Limits().message_bytes
    if len(raw) > limit:
        return Reply(552, f"5.3.4 This mail is larger than {limit // 1024} KB")
    try:
        if not Door(config, ledger).knows(rcpt):
            return UNKNOWN
    except Unavailable:
        return LATER
    return receive(config, ledger, raw, rcpt, mail_from, now)


class Retried(msgspec.Struct, frozen=True):
    """What reading a letter in quarantine again came to, in a few words; `failed` if it stays there."""

    said: str
    failed: bool = False


def retry_held(config: Config, ledger: Ledger, number: int, now: datetime) -> Retried:
    """Read a letter in quarantine again; what it does and its leaving the quarantine are one transaction.

    Raises: UsageError if it is not in quarantine; Unavailable if the database is away.
    """
    with ledger.read() as tx:
        row = tx.held_one(number)
        if row is None or row.resolved_at:
            raise UsageError(f"there is no letter held-{number} in quarantine")
        raw = tx.held_raw(number)
    address = read_address(row.rcpt, config.domain)
    if address is None or address == "house":
        with ledger.begin() as tx:
            tx.resolve(number, at=now)
        return Retried("refused: no address of ours")
    try:
        letter = read_letter(raw, rcpt=row.rcpt.lower(), mail_from=row.mail_from, received_at=row.received_at)
        proven = is_proven(config, letter, raw)

        def work(tx: Transaction) -> None:
            before = waited_for(config, tx, address)
            take(config, tx, letter, raw, address, now, proven=proven)
            tx.resolve(number, at=now)
            if before:
                give_back(config, tx, before, row.received_at, now)

        in_order(ledger, work)
    except (NotAuthorised, Unreadable) as error:
        with ledger.begin() as tx:
            tx.resolve(number, at=now)
        return Retried(f"refused: {error}")
    except Unavailable:
        raise
    except Exception as error:
        log.exception("a letter in quarantine failed again")
        with ledger.begin() as tx:
            tx.retry_failed(number, at=now, error=repr(error))
        return Retried(f"failed again: {type(error).__name__}", failed=True)
    return Retried("taken")
