"""A mail from bytes to a `Letter`: who wrote it, in answer to what, and which lines are the writer's own.

Reading never crashes and never takes long: whatever cannot be read is `Unreadable`, with a sentence for the
sender.
"""

import re
from datetime import datetime
from hashlib import sha256

import msgspec

from adjudicator.errors import Unreadable
from adjudicator.mail.allowance import Allowance
from adjudicator.mail.automatic import automatic_reason
from adjudicator.mail.bounces import Bounce, read_bounce
from adjudicator.mail.charsets import decode_header
from adjudicator.mail.mime import Part, parse
from adjudicator.mail.quotes import Kind
from adjudicator.mail.text import read_lines

MAX_BYTES = 1_048_576

_MAX_FROM = 2_000  # characters of a From header that are read
_MAX_REFERENCES = 50
_ID = re.compile(r"<[^<>\s]{1,900}>")
_FROM_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<[^<>]*>|[(),;:]|[^"<(),;:]+|.', re.DOTALL)
_ADDRESS = re.compile(r'("[^"\s]+"|[^\s"@<>(),;:\\\[\]]+)@([^\s"@<>(),;:\\\[\]]+|\[[^\s\[\]]+\])')


class Line(msgspec.Struct, frozen=True):
    """One line of a letter: `number` counts from 1 in the decoded body, `kind` says whose line it is."""

    number: int
    text: str
    kind: Kind


class Letter(msgspec.Struct, frozen=True):
    """A mail that has been read.

    `key` is the same for each copy of one mail to one recipient; `digest` is that of its text, so that
    another text under the same key is noticed; neither depends on the way the mail took. `from_address` is in
    lower case, "" where the From header names not exactly one address. Message-IDs are with their angle
    brackets; `message_id` and `in_reply_to` are None where missing. `mail_from` is the envelope sender, ""
    for the null path. `automatic` is the reason why this is automatic mail, None for a person's. `unread` are
    the names ("" where they have none) of attached text files that were not read, since the mail has a text.
    """

    key: str
    digest: str
    message_id: str | None
    from_address: str
    from_name: str
    rcpt: str
    mail_from: str
    subject: str
    in_reply_to: str | None
    references: tuple[str, ...]
    received_at: datetime
    automatic: str | None
    bounce: Bounce | None
    lines: tuple[Line, ...]
    unread: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The writer's own lines."""
        return "\n".join(line.text for line in self.lines if line.kind == "own")


def read_letter(
    raw: bytes,
    *,
    rcpt: str,
    mail_from: str,
    received_at: datetime,
    max_bytes: int = MAX_BYTES,
    allowance: Allowance | None = None,
) -> Letter:
    """Return the letter in `raw`, as sent to `rcpt` by the envelope sender `mail_from`.

    Raises:
        Unreadable: it is larger than `max_bytes`, goes beyond another limit of this package, or is no mail at
        all.
            The message is one sentence for the sender, in ASCII.
    """
    if len(raw) > max_bytes:
        raise Unreadable(f"this mail is larger than {max_bytes // 1024} KB")
    try:
        return _read(raw, _bare(rcpt).lower(), _bare(mail_from), received_at, allowance or Allowance())
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable("this mail cannot be read") from error


def _read(raw: bytes, rcpt: str, mail_from: str, received_at: datetime, allowance: Allowance) -> Letter:
    mail = parse(raw, allowance)
    lines, unread = read_lines(mail, allowance)
    name, address = from_header(mail)
    subject = mail.value("subject")
    message_id = _first_id(mail.value("message-id"), whole=True)
    digest = sha256("\n".join(text for text, _ in lines).strip().encode("utf-8", "surrogatepass")).hexdigest()
    return Letter(
        key=_key(mail, rcpt, address, message_id, digest),
        digest=digest,
        message_id=message_id,
        from_address=address,
        from_name=name,
        rcpt=rcpt,
        mail_from=mail_from,
        subject=subject,
        in_reply_to=_first_id(mail.value("in-reply-to")),
        references=tuple(_ID.findall(mail.value("references"))[-_MAX_REFERENCES:]),
        received_at=received_at,
        automatic=automatic_reason(mail, mail_from, address, subject),
        bounce=read_bounce(mail, raw, mail_from, address),
        lines=tuple(Line(number, text, kind) for number, (text, kind) in enumerate(lines, 1)),
        unread=unread,
    )


def _bare(address: str) -> str:
    return address.strip().removeprefix("<").removesuffix(">")


def _first_id(value: str, *, whole: bool = False) -> str | None:
    """Return the first `<...>` of a value; with `whole` a value without brackets counts as it stands."""
    found = _ID.search(value)
    if found:
        return found[0]
    return f"<{value[:900]}>" if whole and value else None


def _key(mail: Part, rcpt: str, address: str, message_id: str | None, digest: str) -> str:
    """Return the key under which a letter takes effect once."""
    sender = address or mail.value("from")
    named: tuple[str, ...] = (rcpt, sender, message_id or "")
    if message_id is None:
        named = (rcpt, sender, mail.value("date"), mail.value("subject"), mail.value("in-reply-to"), digest)
    return sha256("\0".join((str(len(named)), *named)).encode("utf-8", "surrogatepass")).hexdigest()


def from_header(mail: Part) -> tuple[str, str]:
    """Return the display name and the lower-case address of the From header.

    Both are "" if there is not exactly one From header with exactly one address: who wrote such a mail is a
    matter of taste, and two programs would disagree about it.
    """
    values = mail.headers.get("from", [])
    if len(values) != 1:
        return "", ""
    name, addresses = _read_from(values[0])
    if len(addresses) != 1 or not _ADDRESS.fullmatch(addresses[0]):
        return "", ""
    return name, addresses[0].lower()


def _read_from(value: bytes) -> tuple[str, list[str]]:
    """Split a From value into its name and its addresses; comments are skipped, names are decoded afterwards.

    Encoded words are decoded last: an address within one is a name only (RFC 2047 section 5).
    """
    text = " ".join(value[:_MAX_FROM].decode("utf-8", "surrogateescape").split())
    words, bare, angles, depth = list[str](), list[str](), list[str](), 0
    for piece in _FROM_TOKEN.findall(text):
        if piece in {"(", ")"}:
            depth = max(0, depth + (1 if piece == "(" else -1))
        elif depth:
            continue
        elif piece.startswith("<") and len(piece) > 1:
            angles.append(piece[1:-1].rpartition(":")[2].strip())
        else:
            words.append(re.sub(r"\\(.)", r"\1", piece[1:-1]) if piece.startswith('"') else piece.strip())
            bare.append(piece)
    if angles:
        return decode_header(" ".join(words).encode("utf-8", "surrogateescape")), angles
    return "", [address.strip() for address in re.split("[,;]", "".join(bare)) if address.strip()]
