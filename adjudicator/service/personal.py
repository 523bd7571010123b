"""`my data`: everything that is kept about a player, in a file that comes by mail."""

import secrets

import msgspec

from adjudicator.mail.compose import Outgoing, compose
from adjudicator.render import render
from adjudicator.reports import desk
from adjudicator.service.visits import Done, Visit
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewPost

MOST_BYTES = 8_000_000
"""A larger file goes by no mail: a moderator has to hand it over."""


def personal_data(tx: Transaction, player_id: int) -> bytes:
    """All that is kept about a player, as JSON; his mails themselves, and what only others may know, are not in it."""
    return msgspec.json.format(msgspec.json.encode(tx.kept_of(player_id)), indent=2)


def send_data(here: Visit, asked: AskingRow, _: str) -> Done:
    """Mail a player what is kept about him, to the address that he confirmed from."""
    assert asked.player_id
    data = personal_data(here.tx, asked.player_id)
    if len(data) > MOST_BYTES:
        return ("data-large", ""), []
    return ("data-sent", ""), [_mail(here, asked.address, data)]


def _mail(here: Visit, to: str, data: bytes) -> NewPost:
    message_id = f"<data.{secrets.token_hex(12)}@{here.config.domain}>"
    rendered = render(desk("data"))
    raw = compose(
        Outgoing(
            from_address=f"games@{here.config.domain}",
            from_name="A Few Acres of Snow by mail",
            to_address=to,
            reply_to=f"games@{here.config.domain}",
            subject=rendered.subject,
            message_id=message_id,
            date=here.now,
            text=rendered.text,
            files=(("my-data.json", data),),
            auto_submitted="auto-replied",
        )
    )
    return NewPost(
        to_address=to,
        message_id=message_id,
        bounce_key=secrets.token_hex(16),
        kind="desk",
        cause=here.letter.key,
        reply_to=f"games@{here.config.domain}",
        created_at=here.now,
        due_at=here.now,
        raw=raw,
    )
