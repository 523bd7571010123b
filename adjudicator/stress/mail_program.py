"""What a player's mail program does: it reads what was delivered, and writes an answer above the quoted text."""

from datetime import datetime
from email.utils import format_datetime

import msgspec

from adjudicator.mail.allowance import Allowance
from adjudicator.mail.mime import Part, parse, text_of


class Got(msgspec.Struct, frozen=True):
    """A mail as its reader sees it; `mail_from` is the envelope sender, to which a bounce would go."""

    message_id: str
    reply_to: str
    in_reply_to: str
    subject: str
    mail_from: str
    text: str


def read(raw: bytes, mail_from: str = "") -> Got:
    """Return a mail that was delivered.

    Raises: Unreadable.
    """
    mail = parse(raw, Allowance())
    plain = _plain(mail)
    return Got(
        message_id=mail.value("message-id").strip(),
        reply_to=mail.value("reply-to").strip(),
        in_reply_to=mail.value("in-reply-to").strip(),
        subject=mail.value("subject").strip(),
        mail_from=mail_from,
        text=text_of(plain) if plain else "",
    )


def _plain(part: Part) -> Part | None:
    """The first part that is plain text."""
    if part.kind == "text/plain":
        return part
    return next((found for one in part.parts if (found := _plain(one))), None)


def answer(got: Got, sender: str, body: str, message_id: str, at: datetime) -> bytes:
    """Return the mail that answers `got`; `at` is what the sender's clock and zone say."""
    quoted = "".join(f"> {line}\n" for line in got.text.splitlines())
    lines = (
        f"From: Somebody <{sender}>",
        f"To: {got.reply_to}",
        f"Subject: Re: {got.subject}",
        f"Date: {format_datetime(at)}",
        f"Message-ID: {message_id}",
        f"In-Reply-To: {got.message_id}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        body.strip(),
        "",
        "Best wishes",
        "",
        f"On {at:%d %B %Y}, games wrote:",
        quoted,
    )
    return "\n".join(lines).replace("\n", "\r\n").encode()
