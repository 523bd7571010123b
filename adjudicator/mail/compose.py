"""A `Outgoing` to the bytes of a mail: CRLF, 7-bit where the addresses allow it, no line over 998 bytes.

This module alone guards header safety: no value with a line end or another control character gets into a
header. Headers are written by hand, long or non-ASCII ones by the legacy `email.header.Header`: the newer
classes of the standard library lose blanks in long non-ASCII subjects and are twenty times slower.
"""

import base64
import binascii
import re
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from hashlib import sha256
from typing import Literal

import msgspec

_WIDTH = 76
_HARD_LIMIT = 990  # bytes of a line, without its end; RFC 5322 allows 998
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
_ADDRESS = re.compile(r'[^\s"<>(),:;@\\\[\]]+@[^\s"<>(),:;@\\\[\]]+')
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,900}>")
_LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")
_CID = re.compile(r"[A-Za-z0-9._@-]{1,200}")
_IMAGE_TYPES = ((b"\x89PNG", "image/png"), (b"GIF8", "image/gif"), (b"\xff\xd8", "image/jpeg"))


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """A mail to be written.

    Message-IDs are with their angle brackets. `date` is aware. `images` are pairs of Content-ID (without
    brackets) and bytes, shown by `cid:` in `html`; without `html` they are attached. Line ends in `text` and
    `html` do not matter. `files` are pairs of a name and JSON text in UTF-8.
    """

    from_address: str
    to_address: str
    subject: str
    message_id: str
    date: datetime
    text: str
    from_name: str = ""
    reply_to: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    html: str | None = None
    images: tuple[tuple[str, bytes], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    auto_submitted: Literal["auto-replied", "auto-generated"] = "auto-generated"
    language: str = "en"


def compose(post: Outgoing) -> bytes:
    """Return the mail as bytes, the same for the same `post`.

    Raises:
        ValueError: an address or Message-ID is malformed, a value that goes into a header holds a control
            character, or the date is not aware.

    Source: RFC 5322, RFC 2045 to 2047, RFC 3834 section 5.
    """
    if post.date.tzinfo is None:
        raise ValueError("the date of a mail must be aware")
    headers = [
        b"Date: " + format_datetime(post.date).encode("ascii"),
        b"From: " + _mailbox(post.from_name, post.from_address),
        b"To: " + _mailbox("", post.to_address),
    ]
    if post.reply_to:
        headers.append(b"Reply-To: " + _mailbox("", post.reply_to))
    headers += [
        _subject(post.subject),
        b"Message-ID: " + _message_id(post.message_id),
        *_threading(post),
        b"Auto-Submitted: " + _token(post.auto_submitted, _LANGUAGE),
        b"X-Auto-Response-Suppress: All",
        b"Content-Language: " + _token(post.language, _LANGUAGE),
        b"MIME-Version: 1.0",
    ]
    return b"\r\n".join(headers) + b"\r\n" + _body(post)


def _threading(post: Outgoing) -> list[bytes]:
    """Return what links a mail to others.

    Other people's programs made some of it: what is malformed is left out, or their mails could never be
    answered.
    """
    answered, references = _well_formed((post.in_reply_to or "",)), _well_formed(post.references)
    headers = [b"In-Reply-To: " + _message_id(value) for value in answered]
    if references:
        headers.append(b"References: " + b"\r\n ".join(map(_message_id, references)))
    return headers


def _well_formed(values: tuple[str, ...]) -> list[str]:
    return [value for value in values if _MESSAGE_ID.fullmatch(value) and not _CONTROL.search(value)]


def _safe(value: str) -> str:
    """Return `value` if it may stand in a header. The one guard against injected headers."""
    if _CONTROL.search(value):
        raise ValueError(f"a control character in a header value: {value!r}")
    return value


def _token(value: str, pattern: re.Pattern[str]) -> bytes:
    if not pattern.fullmatch(_safe(value)):
        raise ValueError(f"cannot stand in a header: {value!r}")
    return value.encode("utf-8")


def _message_id(value: str) -> bytes:
    return _token(value, _MESSAGE_ID)


def _subject(value: str) -> bytes:
    text = " ".join(_safe(value).split())
    if text.isascii() and "=?" not in text and len(text) <= _WIDTH - len("Subject: "):
        return b"Subject: " + text.encode("ascii")
    return b"Subject: " + _encoded(text, "Subject")


def _encoded(text: str, name: str) -> bytes:
    """Return text as encoded words, folded (RFC 2047)."""
    return Header(text, "utf-8", header_name=name).encode(linesep="\r\n").encode("ascii")


def _mailbox(name: str, address: str) -> bytes:
    bare = _token(address, _ADDRESS)
    text = " ".join(_safe(name).split())
    if not text:
        return bare
    if not text.isascii() or "=?" in text or len(text) > _WIDTH // 2:
        return _encoded(text, "From") + b"\r\n <" + bare + b">"
    if not _ATOMS.fullmatch(text):
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text.encode("ascii") + b" <" + bare + b">"


def _body(post: Outgoing) -> bytes:
    """Return the Content-Type header, the empty line and what follows it."""
    body = _words(post)
    if not post.files:
        return body
    mark = "f" + sha256(post.message_id.encode("utf-8")).hexdigest()[:24]
    return _multipart("mixed", mark, [body, *(_file_part(name, data) for name, data in post.files)])


def _words(post: Outgoing) -> bytes:
    """Return the text with its other forms and its images."""
    plain = _text_part("plain", post.text)
    mark = sha256(post.message_id.encode("utf-8")).hexdigest()[:24]
    images = [_image_part(cid, data) for cid, data in post.images]
    if post.html is None:
        return _multipart("mixed", mark, [plain, *images]) if images else plain
    page = _text_part("html", post.html)
    if images:
        page = _multipart("related", "r" + mark, [page, *images], more=b'; type="text/html"')
    return _multipart("alternative", mark, [plain, page])


def _multipart(subtype: str, mark: str, parts: list[bytes], more: bytes = b"") -> bytes:
    # "=_" stands in no quoted-printable or base64 text, and `_text_part` encodes any text that holds it.
    boundary = b"=_" + mark.encode("ascii")
    head = b"Content-Type: multipart/" + subtype.encode("ascii") + b'; boundary="' + boundary + b'"' + more
    opening = b"\r\n--" + boundary + b"\r\n"
    return head + b"\r\n" + b"".join(opening + part for part in parts) + b"\r\n--" + boundary + b"--\r\n"


def _text_part(subtype: str, text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")
    raw = ("\r\n".join(lines) + "\r\n").encode("utf-8", "replace")
    head = b"Content-Type: text/" + subtype.encode("ascii") + b"; charset=utf-8\r\n"
    head += b"Content-Transfer-Encoding: "
    if raw.isascii() and b"\0" not in raw and b"=_" not in raw and max(map(len, lines)) <= _HARD_LIMIT:
        return head + b"7bit\r\n\r\n" + raw
    return head + b"quoted-printable\r\n\r\n" + _quoted_printable(raw)


def _quoted_printable(raw: bytes) -> bytes:
    encoded = binascii.b2a_qp(raw.replace(b"\r\n", b"\n"), istext=True)
    return encoded.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _image_part(cid: str, data: bytes) -> bytes:
    kind = next((name for magic, name in _IMAGE_TYPES if data.startswith(magic)), "application/octet-stream")
    name = _token(cid, _CID)
    encoded = base64.encodebytes(data).replace(b"\n", b"\r\n")
    return (
        b"Content-Type: " + kind.encode("ascii") + b"\r\nContent-Transfer-Encoding: base64\r\n"
        b"Content-ID: <" + name + b">\r\nContent-Disposition: inline\r\n\r\n" + encoded
    )


def _file_part(name: str, data: bytes) -> bytes:
    encoded = base64.encodebytes(data).replace(b"\n", b"\r\n")
    return (
        b"Content-Type: application/json\r\nContent-Transfer-Encoding: base64\r\n"
        b'Content-Disposition: attachment; filename="' + _token(name, _CID) + b'"\r\n\r\n' + encoded
    )
