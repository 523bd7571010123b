"""Mails to the moderators about trouble; with no moderators set, or over their budget, the log has to do."""

import logging
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Literal

from adjudicator.service.budget import is_spent
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost

log = logging.getLogger("adjudicator")

Trouble = Literal["quarantined", "came-back", "house-stuck", "clock-stuck", "clock-waits"]


def alarm(config: Config, tx: Transaction, trouble: Trouble, now: datetime, game: str = "", **values: str) -> None:
    """Tell every moderator once; the same trouble with the same values is told only once."""
    draft = encode(Draft(kind="notice", game=game, notice=trouble, values=values))
    posts = []
    for to in config.moderators:
        mark = sha256(draft + to.encode()).hexdigest()[:24]
        message_id = f"<{trouble}.{mark}@{config.domain}>"
        if tx.post_by_message_id(message_id) is not None:
            continue
        if is_spent(config, tx, to, now):
            log.warning("a moderator has got too many mails to be told of this one's matter: %s", trouble)
        else:
            posts.append(
                NewPost(
                    to_address=to,
                    message_id=message_id,
                    bounce_key=secrets.token_hex(16),
                    kind="notice",
                    cause=trouble,
                    reply_to=f"postmaster@{config.domain}",
                    created_at=now,
                    due_at=now,
                    report=draft,
                    counted=True,
                )
            )
    tx.add_posts(posts)
