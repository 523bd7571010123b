"""Mail that is about no game: `games@`, the moderators' addresses, and reports about our own mails."""

import logging
from datetime import datetime
from hashlib import sha256

from adjudicator.mail.letter import Letter
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.inbox import letter_row
from adjudicator.service.loops import noted
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost

log = logging.getLogger("adjudicator")


def at_desk(config: Config, tx: Transaction, letter: Letter, raw: bytes, desk: str, now: datetime) -> None:
    """Take a mail to `games@`, `postmaster@` or `abuse@`."""
    if tx.find_letter(letter.key):
        return
    outcome = noted(config, tx, letter)
    if outcome or not letter.from_address:
        tx.add_letter(letter_row(letter, raw, outcome or "automatic"))
        return
    if desk in ("postmaster", "abuse"):
        tx.add_letter(letter_row(letter, raw, desk))
        tx.add_posts([_forward(config, letter, raw, to, now) for to in config.moderators])
        log.warning("mail to %s", desk)
        return
    post = _welcome_stranger(config, letter, now)
    told = tx.may_tell(letter.from_address, today=now.date())
    tx.add_letter(letter_row(letter, raw, "stranger", answer_id=post.message_id if told else None))
    if told:
        tx.add_posts([post])


def _welcome_stranger(config: Config, letter: Letter, now: datetime) -> NewPost:
    """The one fixed confirmation a day; nothing of the letter is in it (contract 3)."""
    mark = sha256(f"{letter.from_address}\0{now.date()}".encode()).hexdigest()[:24]
    return NewPost(
        to_address=letter.from_address,
        message_id=f"<games.{mark}@{config.domain}>",
        bounce_key=sha256(f"stranger{mark}{letter.key}".encode()).hexdigest()[:32],
        kind="stranger",
        cause="stranger",
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(Draft(kind="stranger")),
        in_reply_to=letter.message_id,
        references=letter.message_id or "",
    )


def _forward(config: Config, letter: Letter, raw: bytes, to: str, now: datetime) -> NewPost:
    """A letter to the moderators, as it came."""
    mark = sha256(f"{letter.key}\0{to}".encode()).hexdigest()[:24]
    return NewPost(
        to_address=to,
        message_id=f"<forward.{mark}@{config.domain}>",
        bounce_key=sha256(f"forward{mark}".encode()).hexdigest()[:32],
        kind="forward",
        cause=letter.key,
        reply_to=letter.from_address,
        created_at=now,
        due_at=now,
        raw=raw,
    )
