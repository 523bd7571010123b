"""Which part of a mail its writer wrote in, and its lines.

Plain text is preferred to HTML. A text attachment is read only where the body itself says nothing.
"""

import re
from collections.abc import Iterator, Sequence

from adjudicator.errors import Unreadable
from adjudicator.mail.allowance import Allowance
from adjudicator.mail.charsets import plain
from adjudicator.mail.markup import html_lines
from adjudicator.mail.mime import Part, text_of
from adjudicator.mail.quotes import Kind, classify

MAX_LINES = 2_000

_NOT_PROSE = frozenset({
    "text/calendar", "text/csv", "text/vcard", "text/x-vcard", "text/directory", "text/x-amp-html",
    "text/rfc822-headers", "text/css",
})  # fmt: skip
_STUB = re.compile(r"\bhtml\b", re.IGNORECASE)
_LONGEST_STUB = 300
_MORE_LINE_ENDS = re.compile("[\x85\u2028\u2029]")

Lines = list[tuple[str, Kind]]


def read_lines(mail: Part, allowance: Allowance) -> tuple[Lines, tuple[str, ...]]:
    """Return every line of the text that counts, made plain, each with its kind; and the text files not read.

    Raises:
        Unreadable: more than MAX_LINES lines, HTML beyond the limits of `markup`, or `allowance` is used up.
    """
    body = _classified(_shown(mail, allowance, root=True), allowance)
    if any(kind == "own" and text for text, kind in body):
        return body, tuple(part.filename for part in _attachments(mail) if part.body.strip())
    for part in _attachments(mail):
        body = body + _classified(_text_lines(part, allowance), allowance)
        _check_count(body)
    return body, ()


def shown_lines(mail: Part, allowance: Allowance) -> list[str]:
    """Return the lines that a mail program would show, quotes and all.

    Raises: Unreadable as `read_lines` does.
    """
    return [text for text, _ in _shown(mail, allowance, root=True)]


def _classified(lines: Lines, allowance: Allowance) -> Lines:
    _check_count(lines)
    texts = []
    for text, _ in lines:
        allowance.check_time()
        texts.append(plain(text).rstrip())
    return list(zip(texts, classify(texts, [kind for _, kind in lines]), strict=True))


def _check_count(lines: Sequence[object]) -> None:
    if len(lines) > MAX_LINES:
        raise Unreadable(f"the text of this mail is longer than {MAX_LINES} lines")


def _shown(part: Part, allowance: Allowance, *, root: bool = False) -> Lines:
    """Return the lines of this part that a mail program would show."""
    if part.kind.startswith("message/"):
        return [(text, "quote") for inner in part.parts for text, _ in _shown(inner, allowance, root=True)]
    if part.attached and not root:
        return []
    if part.parts:
        return _shown_of_many(part, allowance)
    return _text_lines(part, allowance)


def _shown_of_many(part: Part, allowance: Allowance) -> Lines:
    if part.kind == "multipart/alternative":
        found: Lines = []
        for inner in sorted(part.parts, key=_rank):
            lines = _shown(inner, allowance)
            if any(text.strip() for text, _ in lines):
                if not _is_stub(lines):
                    return lines
                found = found or lines
        return found
    if part.kind in {"multipart/related", "multipart/signed", "multipart/report"}:
        return _shown(part.parts[0], allowance)
    joined: Lines = []
    for inner in part.parts:
        joined += _shown(inner, allowance)
        _check_count(joined)
    return joined


def _is_stub(lines: Lines) -> bool:
    """Tell whether a text only says that the mail is to be read in its other form ("this message needs HTML")."""
    text = " ".join(text for text, _ in lines).strip()
    return len(text) <= _LONGEST_STUB and _STUB.search(text) is not None


def _rank(part: Part) -> int:
    """Order the alternatives: plain text, then anything that holds a text, then the rest."""
    if part.kind == "text/plain":
        return 0
    return 1 if part.kind == "text/html" or part.parts else 2


def _text_lines(part: Part, allowance: Allowance) -> Lines:
    if part.kind == "text/html":
        return html_lines(text_of(part), allowance)
    if part.kind in _NOT_PROSE or not (part.kind.startswith(("text/", "multipart/")) or _is_text_file(part)):
        return []
    lines = _split(text_of(part))
    if part.params.get("format", "").lower() == "flowed":
        lines = _unflowed(lines, delsp=part.params.get("delsp", "").lower() == "yes")
    return [(line, "own") for line in lines]


def _split(text: str) -> list[str]:
    text = text.removeprefix("\ufeff").replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = _MORE_LINE_ENDS.sub("\n", text)
    text = text.rstrip("\n")
    if text.count("\n") >= MAX_LINES:
        _check_count(range(MAX_LINES + 1))
    return text.split("\n")


def _unflowed(lines: Sequence[str], *, delsp: bool) -> list[str]:
    """Join what format=flowed broke, quotes of one depth too; a signature mark is never joined.

    Source: RFC 3676 sections 4.2 to 4.5.
    """
    out: list[str] = []
    open_line: list[str] = []
    open_depth = 0
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        if open_line and (depth != open_depth or text == "-- "):
            out.append(_behind_marks(open_depth, open_line))
            open_line.clear()
        open_depth = depth
        if text.endswith(" ") and text != "-- ":
            open_line.append(text[:-1] if delsp else text)
        else:
            out.append(_behind_marks(depth, (*open_line, text)))
            open_line.clear()
    if open_line:
        out.append(_behind_marks(open_depth, open_line))
    return out


def _behind_marks(depth: int, pieces: Sequence[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth else text


def _is_text_file(part: Part) -> bool:
    return part.kind == "application/octet-stream" and part.filename.lower().endswith(".txt")


def _attachments(part: Part) -> Iterator[Part]:
    """Yield the text files that are attached, but none of a mail that is attached or forwarded."""
    if part.kind.startswith("message/"):
        return
    if not part.parts and ((part.attached and part.kind == "text/plain") or _is_text_file(part)):
        yield part
    for inner in part.parts:
        yield from _attachments(inner)
