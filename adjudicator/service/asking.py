"""Mails that ask for a confirmation.

Promise: whoever answers one has read it. Its reply address holds a secret that is used once and forgotten after
`DAYS`; only a hash of it is kept. Its Message-ID is as hard to guess, so an answer to `games@` that names it will do.
"""

import base64
import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from adjudicator.service.addresses import ConfirmAddress
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.petitions import Deed
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewAsking, NewPost

DAYS = timedelta(days=7)
_SECRET_BYTES = 15  # 24 letters


def ask(  # noqa: PLR0913 - a mail, to whom, about what, and when
    config: Config,
    tx: Transaction,
    draft: Draft,
    to_address: str,
    deeds: tuple[Deed, ...],
    now: datetime,
    *,
    player_id: int | None = None,
    in_reply_to: str | None = None,
) -> NewPost:
    """Return the mail that asks for a confirmation of some deeds, which are kept until it is answered."""
    secret, mark = _letters(), _letters()
    message_id = f"<ask.{mark}@{config.domain}>"
    tx.forget_asked(before=now - 2 * DAYS)
    tx.add_asking(
        NewAsking(
            key=_key(secret),
            message_id=message_id,
            address=to_address,
            created_at=now,
            player_id=player_id,
            deeds=[list(deed) for deed in deeds],
        )
    )
    return NewPost(
        to_address=to_address,
        message_id=message_id,
        bounce_key=sha256(secret.encode()).hexdigest()[:32],
        kind=draft.kind,
        cause="asking",
        reply_to=f"confirm.{secret}@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(draft),
        in_reply_to=in_reply_to,
        references=in_reply_to or "",
    )


def asked_at(tx: Transaction, address: ConfirmAddress, now: datetime, *, lock: bool = True) -> AskingRow | None:
    """Return the question that a reply address belongs to; None if there is none or it is too old."""
    return _fresh(tx.asking(_key(address.secret), lock=lock), now)


def asked_in(tx: Transaction, message_id: str | None, now: datetime) -> AskingRow | None:
    """Return the question that was asked in a mail; None if there is none or it is too old."""
    return _fresh(tx.asking_by_message_id(message_id), now) if message_id else None


def _fresh(row: AskingRow | None, now: datetime) -> AskingRow | None:
    return row if row and now - row.created_at <= DAYS else None


def _key(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _letters() -> str:
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode().lower()
