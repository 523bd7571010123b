"""A mail as a person reads it: headers and text decoded. Only for showing; nothing is judged here."""

from adjudicator.errors import Unreadable
from adjudicator.mail.allowance import Allowance
from adjudicator.mail.mime import Part, parse
from adjudicator.mail.text import shown_lines

_SHOWN = ("date", "from", "to", "reply-to", "subject", "message-id", "in-reply-to")


def readable(raw: bytes) -> str:
    """Return a mail with its headers and its text decoded; what cannot be read as a mail is shown as it stands.

    Signs that could steer a terminal become question marks.
    """
    try:
        text = _told(raw)
    except Exception:  # noqa: BLE001 - anybody may have sent it, and it is to be seen nevertheless
        text = "(as it stands)\n\n" + raw.decode("utf-8", "replace").replace("\r\n", "\n")
    return "".join(sign if sign.isprintable() or sign in "\n\xa0" else _plain(sign) for sign in text)


def header_of(raw: bytes, name: str) -> str:
    """Return the first header of this name (in lower case), decoded; "" if there is none, or no mail at all."""
    try:
        return parse(raw, Allowance()).value(name)
    except Unreadable:  # its header is too long, or its parts too many
        return ""


def _told(raw: bytes) -> str:
    allowance = Allowance()
    mail = parse(raw, allowance)
    lines = [f"{name.title().replace('Id', 'ID')}: {mail.value(name)}" for name in _SHOWN if mail.value(name)]
    lines += [f"Attached: {name}" for name in _attached(mail)]
    return "\n".join([*lines, "", *shown_lines(mail, allowance)]).rstrip("\n") + "\n"


def _attached(part: Part) -> list[str]:
    """Return the names of all attached files, their kind where they have none."""
    inner = [name for one in part.parts for name in _attached(one)]
    return [part.filename or part.kind, *inner] if part.attached else inner


def _plain(sign: str) -> str:
    return " " if sign.isspace() else "?"
