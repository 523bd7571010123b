"""Mails in, out and in quarantine as commands print them."""

from datetime import datetime

from adjudicator.cli.shapes import JsonObject
from adjudicator.cli.told import table
from adjudicator.errors import UsageError
from adjudicator.mail.readable import header_of, readable
from adjudicator.service.mailroom import Mail
from adjudicator.store.rows import QuarantineRow

HIDDEN = "about a running game: --why TEXT shows what it says, and the look is logged"


def mail_json(mail: Mail) -> JsonObject:
    """Return a mail; `text`, the mail as it was sent, is null where it may not be seen."""
    return {**_line_json(mail), "text": None if mail.raw is None else mail.raw.decode("utf-8", "replace")}


def mails_json(mails: list[Mail]) -> list[JsonObject]:
    """Return what `mail list` prints."""
    return [_line_json(one) for one in mails]


def _line_json(mail: Mail) -> JsonObject:
    return {
        "id": mail.id,
        "direction": mail.id.partition("-")[0],
        "game": mail.game,
        "side": mail.side,
        "from": mail.from_address,
        "to": mail.to_address,
        "message_id": mail.message_id,
        "kind": mail.kind,
        "state": mail.state,
        "at": _time(mail.at),
        "due": _time(mail.due_at),
        "attempts": mail.attempts,
        "error": mail.error,
        "answer": mail.answer,
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None


def mails_text(mails: list[Mail]) -> str:
    """Return `mail list` as a table."""
    if not mails:
        return "no mails"
    rows = [["id", "when", "game", "kind", "state", "whom"]]
    for one in mails:
        whom = one.from_address if one.id.startswith("in-") else one.to_address
        rows.append([one.id, f"{one.at:%m-%d %H:%M}", one.game or "-", one.kind, one.state, whom])
    return table(rows)


def mail_text(mail: Mail) -> str:
    """Return a mail for a person to read: what is known of it, then the mail itself, decoded."""
    facts = [f"{name}: {value}" for name, value in _line_json(mail).items() if value not in (None, "")]
    return "\n".join([*facts, "", f"({HIDDEN})" if mail.raw is None else readable(mail.raw)])


def mail_raw(mail: Mail) -> bytes:
    """Return a mail byte for byte.

    Raises: UsageError if it may not be seen.
    """
    if mail.raw is None:
        raise UsageError(HIDDEN)
    return mail.raw


def mail_reply_to(mail: Mail) -> str:
    """Return the address that answers to a mail go to.

    Raises: UsageError if it may not be seen, or there is none.
    """
    address = header_of(mail_raw(mail), "reply-to")
    if not address:
        raise UsageError(f"mail {mail.id} has no Reply-To")
    return address


def held_json(held: list[QuarantineRow]) -> list[JsonObject]:
    """Return what `mail quarantine` prints."""
    return [
        {
            "id": f"held-{row.id}",
            "from": row.mail_from,
            "to": row.rcpt,
            "error": row.error,
            "received": _time(row.received_at),
            "retried": _time(row.retried_at),
            "settled": _time(row.resolved_at),
        }
        for row in held
    ]


def held_text(held: list[QuarantineRow]) -> str:
    """Return `mail quarantine` as a table."""
    if not held:
        return "the quarantine is empty"
    rows = [["id", "when", "from", "error"]]
    rows += [[f"held-{row.id}", f"{row.received_at:%m-%d %H:%M}", row.mail_from or "<>", row.error] for row in held]
    return table(rows)
