"""Mail that is about no game: to `games@` and to the moderators' addresses."""

import logging
import secrets
from datetime import datetime
from hashlib import sha256

from adjudicator.mail.letter import Letter
from adjudicator.service.config import Config
from adjudicator.service.inbox import letter_row
from adjudicator.service.loops import noted
from adjudicator.service.people import at_games
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
    at_games(config, tx, letter, raw, now)


def _forward(config: Config, letter: Letter, raw: bytes, to: str, now: datetime) -> NewPost:
    """A letter to the moderators, as it came."""
    mark = sha256(f"{letter.key}\0{to}".encode()).hexdigest()[:24]
    return NewPost(
        to_address=to,
        message_id=f"<forward.{mark}@{config.domain}>",
        bounce_key=secrets.token_hex(16),
        kind="forward",
        cause=letter.key,
        reply_to=letter.from_address,
        created_at=now,
        due_at=now,
        raw=raw,
    )
