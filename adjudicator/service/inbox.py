"""The row of a letter in the inbox."""

import msgspec

from adjudicator.mail.letter import Letter
from adjudicator.service.stored import Stored
from adjudicator.store.rows import NewLetter


def letter_row(
    letter: Letter,
    raw: bytes,
    outcome: str,
    *,
    game: Stored | None = None,
    side: str | None = None,
    answer_id: str | None = None,
) -> NewLetter:
    """A letter as it is kept: `outcome` is one word on what became of it."""
    return NewLetter(
        key=letter.key,
        digest=letter.digest,
        rcpt=letter.rcpt,
        mail_from=letter.mail_from,
        from_address=letter.from_address,
        message_id=letter.message_id or "",
        subject=letter.subject,
        received_at=letter.received_at,
        outcome=outcome,
        raw=raw,
        game_id=game.row.id if game else None,
        side=side,
        answer_id=answer_id,
    )


def without_traces(row: NewLetter) -> NewLetter:
    """The row of a letter whose writer is to be forgotten: copies of it are still known."""
    return msgspec.structs.replace(row, raw=b"", mail_from="", from_address="", message_id="", subject="")
