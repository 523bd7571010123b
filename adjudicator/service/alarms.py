"""Mails to the moderators about trouble; with no moderators set the log has to do."""

from datetime import datetime
from hashlib import sha256
from typing import Literal

from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost

Trouble = Literal["quarantined", "came-back", "house-stuck"]


def alarm(config: Config, tx: Transaction, trouble: Trouble, now: datetime, game: str = "", **values: str) -> None:
    """Tell every moderator once; the same trouble with the same values is told only once."""
    draft = encode(Draft(kind="notice", game=game, notice=trouble, values=values))
    posts = []
    for to in config.moderators:
        mark = sha256(draft + to.encode()).hexdigest()[:24]
        message_id = f"<{trouble}.{mark}@{config.domain}>"
        if tx.post_by_message_id(message_id) is None:
            posts.append(
                NewPost(
                    to_address=to,
                    message_id=message_id,
                    bounce_key=sha256(message_id.encode()).hexdigest()[:32],
                    kind="notice",
                    cause=trouble,
                    reply_to=f"postmaster@{config.domain}",
                    created_at=now,
                    due_at=now,
                    report=draft,
                )
            )
    tx.add_posts(posts)
