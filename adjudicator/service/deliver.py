"""The outbox on its way: drafts become mails and go to the relay.

Promise: each post is sent at least once, always with the same Message-ID; after a failure it is tried again for some
five days (see `mail.sender.retry_after`). What was sent is marked in one commit a batch. An address that the relay
refuses for good is marked as one that does not work.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from adjudicator.errors import Crossed
from adjudicator.mail.compose import Outgoing, compose
from adjudicator.mail.sender import Deferred, Rejected, Transport, retry_after
from adjudicator.render import render
from adjudicator.service.bounced import mark
from adjudicator.service.config import Config
from adjudicator.service.drafts import files_of, report_of
from adjudicator.store.forgetting import FAREWELL
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.rows import PostRow

log = logging.getLogger("adjudicator")

BATCH = 50
LEASE = timedelta(minutes=5)
TRIES = 3
"""So often what became of a batch is written down if another change is in the way."""
Written = Callable[[Config, PostRow], bytes]


def mail_of(config: Config, post: PostRow) -> bytes:
    """The bytes of a mail to send, the same at each attempt."""
    if post.raw is not None:
        return post.raw
    rendered = render(report_of(post.report or b""))
    return compose(
        Outgoing(
            from_address=f"games@{config.domain}",
            from_name="A Few Acres of Snow by mail",
            to_address=post.to_address,
            reply_to=post.reply_to,
            subject=rendered.subject,
            message_id=post.message_id,
            in_reply_to=post.in_reply_to,
            references=tuple(post.references.split()),
            date=post.created_at,
            text=rendered.text,
            html=rendered.html,
            images=rendered.images,
            files=files_of(post.report or b""),
            auto_submitted="auto-replied" if post.kind != "welcome" else "auto-generated",
        )
    )


def deliver(config: Config, ledger: Ledger, transport: Transport, now: datetime, written: Written = mail_of) -> int:
    """Send what is due, batch after batch; returns how many mails went out. `written` makes the bytes of one.

    Raises: Unavailable if the database is away.
    """
    sent = 0
    while True:
        with ledger.begin() as tx:
            posts = tx.due_posts(now, limit=BATCH, lease=LEASE)
        if not posts:
            return sent
        sent += _send_batch(config, ledger, transport, posts, now, written)


def _send_batch(
    config: Config, ledger: Ledger, transport: Transport, posts: list[PostRow], now: datetime, written: Written
) -> int:
    """Send one batch and write down what became of each; one mail's trouble is not another's."""
    gone: list[int] = []
    failed: list[tuple[PostRow, Exception]] = []
    for post in posts:
        try:
            transport.send(written(config, post), f"bounce.{post.bounce_key}@{config.domain}", post.to_address)
        except Exception as error:  # noqa: BLE001 - a fault of ours in one mail must not stop the others
            failed.append((post, error))
        else:
            gone.append(post.id)
    _note_down(ledger, lambda tx: _mark(config, tx, posts, gone, failed, now))
    for post, fault in failed:
        ours = None if isinstance(fault, Rejected | Deferred) else fault
        log.warning("mail %d was not sent: %s", post.id, type(fault).__name__, exc_info=ours)
    return len(gone)


def _note_down(ledger: Ledger, write: Callable[[Transaction], None]) -> None:
    """Write down what became of a batch; if the database breaks that off, again, as the mails would go out twice."""
    for left in reversed(range(TRIES)):
        try:
            with ledger.begin() as tx:
                write(tx)
        except Crossed:
            if not left:
                raise
        else:
            return


def _mark(
    config: Config,
    tx: Transaction,
    posts: list[PostRow],
    gone: list[int],
    failed: list[tuple[PostRow, Exception]],
    now: datetime,
) -> None:
    tx.mark_sent(gone, at=now)
    for post, fault in failed:
        again = None if isinstance(fault, Rejected) else retry_after(post.attempts)
        if again is None:
            tx.mark_failed(post.id, at=now, error=str(fault))
            if isinstance(fault, Rejected) and fault.no_such_box:
                mark(config, tx, post.to_address, str(fault), now, written_at=post.created_at)
        else:
            tx.mark_deferred(post.id, due_at=now + again, error=str(fault))
    if any(post.kind == FAREWELL for post in posts):
        tx.forget_farewells()
