"""What a delivery report says: which address failed, and whether for good.

Reports in the standard form (RFC 3464) are read here; the many other forms are left to `flufl.bounce`.
"""

import logging
import re
from collections.abc import Iterator
from email import message_from_bytes

import msgspec
from flufl.bounce import all_failures

from adjudicator.mail.charsets import decode_header
from adjudicator.mail.mime import Part, content, split_header

_MAX_SCANNED = 65_536  # bytes; the scanners for the other forms are no match for hostile input
_LONG_LINE = re.compile(rb"([^\r\n]{500})[^\r\n]+")  # they take time quadratic in the length of a line
_ASCII = bytes(range(128)) + b"?" * 128  # the scanners take raw 8-bit headers for objects and stumble
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_BLANK_LINES = re.compile(rb"\r?\n(?:[ \t]*\r?\n)+")
_ID = re.compile(r"<[^<>\s]{1,900}>")
_REPORTERS = re.compile(r"(mailer-?daemon|postmaster|mail-?delivery)", re.IGNORECASE)

# The scanners log a traceback for each malformed mail; one that finds nothing is no event.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


class Bounce(msgspec.Struct, frozen=True):
    """A mail that could not be delivered.

    `status` is an enhanced status code ("5.1.1", "4.4.7") or "" where the report names none. `permanent`
    means that another try to the same address is pointless. `recipients` are lower-case addresses.
    `original_message_id` is with its angle brackets, None if the report does not hold it.
    """

    status: str
    permanent: bool
    recipients: tuple[str, ...]
    original_message_id: str | None


def read_bounce(mail: Part, raw: bytes, mail_from: str, from_address: str) -> Bounce | None:
    """Return what a delivery report says, None if this mail is none or reports a success.

    `raw` is the whole mail, `mail_from` the envelope sender ("" for the null path).
    """
    report = next((part for part in _walk(mail) if part.kind.endswith("/delivery-status")), None)
    if report is not None:
        return _standard(mail, report)
    if mail_from and not _REPORTERS.match(from_address):
        return None
    return _other(mail, raw)


def _standard(mail: Part, report: Part) -> Bounce | None:
    """Read a report in the standard form; one that says only "relayed" or "delivered" is no bounce.

    Source: RFC 3464 section 2.3.
    """
    statuses, recipients, actions = list[str](), list[str](), set[str]()
    for block in _BLANK_LINES.split(content(report).strip(b"\r\n"))[:200]:
        fields, _ = split_header(block + b"\r\n")
        action = _field(fields, "action").lower()
        address = _field(fields, "original-recipient") or _field(fields, "final-recipient")
        if not address or action not in {"failed", "delayed", ""}:
            continue
        actions.add(action)
        recipients.append(address.rpartition(";")[2].strip().strip("<>").lower())
        status = _STATUS.search(_field(fields, "status") or _field(fields, "diagnostic-code"))
        if status:
            statuses.append(status[0])
    if not recipients:
        return None
    status_code = max(statuses, default="")
    permanent = "delayed" not in actions and not status_code.startswith(("2", "4"))
    return Bounce(status_code, permanent, tuple(dict.fromkeys(recipients)), _original_id(mail))


def _other(mail: Part, raw: bytes) -> Bounce | None:
    scanned = _LONG_LINE.sub(rb"\1", raw[:_MAX_SCANNED].translate(_ASCII))
    try:
        temporary, permanent = all_failures(message_from_bytes(scanned))
    except Exception:  # noqa: BLE001 - the scanners meet whatever a stranger sends
        return None
    found = permanent or temporary
    if not found:
        return None
    recipients = sorted({_text(address).lower() for address in found})
    return Bounce("", bool(permanent), tuple(recipients), _original_id(mail))


def _text(address: str | bytes) -> str:
    return address.decode("ascii", "replace") if isinstance(address, bytes) else address


def _original_id(mail: Part) -> str | None:
    """Return the Message-ID of the mail that came back, from the copy of it or of its headers."""
    for part in _walk(mail):
        if part.kind in {"message/rfc822", "message/global"}:
            headers = part.parts[0].headers if part.parts else {}
        elif part.kind in {"text/rfc822-headers", "message/rfc822-headers", "message/global-headers"}:
            headers, _ = split_header(content(part)[:_MAX_SCANNED])
        else:
            continue
        found = _ID.search(_field(headers, "message-id"))
        if found:
            return found[0]
    return None


def _field(headers: dict[str, list[bytes]], name: str) -> str:
    values = headers.get(name)
    return decode_header(values[0]) if values else ""


def _walk(part: Part) -> Iterator[Part]:
    yield part
    for inner in part.parts:
        yield from _walk(inner)
