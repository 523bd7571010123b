"""Our own mails as they come back: quoted, re-wrapped, re-encoded and stripped by all kinds of programs."""

import base64
import binascii
import html as html_module
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

Choose = Callable[[Sequence[Any]], Any]

CUT = "~~~ adjudicator: write above this line ~~~"
HEADS = (
    "On Sat, Mar 1, 2031 at 8:00 PM A Few Acres of Snow by mail <games@play.example.org> wrote:",
    "On Sat, Mar 1, 2031 at 8:00 PM A Few Acres of Snow by mail\n<games@play.example.org> wrote:",
    "Am Sa., 1. März 2031 um 20:00 Uhr schrieb A Few Acres of Snow by mail <games@play.example.org>:",
    "Am 01.03.31 um 20:00 schrieb A Few Acres of Snow by mail:",
    "Le sam. 1 mars 2031 à 20:00, A Few Acres of Snow by mail <games@play.example.org> a écrit :",
    "El sáb, 1 mar 2031 a las 20:00, A Few Acres of Snow by mail (<games@play.example.org>) escribió:",
    "Il giorno sab 1 mar 2031 alle ore 20:00 A Few Acres of Snow by mail <games@play.example.org> ha scritto:",
    "A Few Acres of Snow by mail <games@play.example.org> ezt írta (időpont: 2031. márc. 1., Szo, 20:00):",
    "Den lör 1 mars 2031 kl 20:00 skrev A Few Acres of Snow by mail <games@play.example.org>:",
    "сб, 1 мар. 2031 г. в 20:00, A Few Acres of Snow by mail <games@play.example.org>:",  # noqa: RUF001
    "2031年3月1日(土) 20:00 A Few Acres of Snow by mail <games@play.example.org>:",
    "sob., 1 mar 2031 o 20:00 A Few Acres of Snow by mail <games@play.example.org> napisał(a):",
    (
        "-----Original Message-----\nFrom: A Few Acres of Snow by mail <games@play.example.org>\n"
        "Sent: Saturday, March 1, 2031 8:00 PM\nTo: ann@example.org\nSubject: [g17] Turn 3: you are to move (British)"
    ),
    (
        "________________________________\nVon: A Few Acres of Snow by mail <games@play.example.org>\n"
        "Gesendet: Samstag, 1. März 2031 20:00\nAn: ann@example.org\nBetreff: [g17] Turn 3: you are to move (British)"
    ),
    (
        "From: A Few Acres of Snow by mail <games@play.example.org>\nDate: Saturday, 1 March 2031 at 20:00\n"
        "To: ann@example.org\nSubject: [g17] Turn 3: you are to move (British)"
    ),
)
MARKS = ("> ", ">", ">> ", "| ", " > ", "AG> ")
OWN = ("", "Thanks, that was fun.", "Sorry, I have no time before Sunday.\n\nAnn", "Hello,\n\nsee below.\n\n-- \nAnn")


def quoted_back(text: str, choose: Choose, said: str | None = None) -> tuple[str, bytes]:
    """A mail that quotes `text`, and in short how; it has no order in it but what is `said`."""
    wall = choose(("marks", "marks and head", "head", "html", "cut line", "none"))
    said = choose(OWN) if said is None else said
    ways = [wall]
    if wall != "cut line":
        text = _cut_line(text, choose, ways)
    if wall == "html":
        return ", ".join(ways), _html(text, said, choose, ways)
    text = _wrapped(text, choose, ways, early=False) if wall == "none" else _wrapped(text, choose, ways, early=True)
    if wall.startswith("marks"):
        text = _marked(text, choose, ways)
    if "head" in wall:
        text = choose(HEADS) + choose(("\n", "\n\n")) + text
    place = choose(("below", "above", "between")) if wall.startswith("marks") else choose(("above",))
    ways.append(f"answered {place}")
    body = _with_own(text, said, place)
    return ", ".join(ways), _text_mail(body, choose, ways)


def _cut_line(text: str, choose: Choose, ways: list[str]) -> str:
    cut = choose((CUT, CUT, "", CUT.strip("~ "), CUT[:20] + "\n" + CUT[20:], "~~~ Bitte oberhalb antworten ~~~"))
    if cut != CUT:
        ways.append(f"cut line {cut!r}")
    return text.replace(CUT, cut)


def _wrapped(text: str, choose: Choose, ways: list[str], *, early: bool) -> str:
    """Re-wrap; `early`: no-break spaces may become ordinary ones before that, not only afterwards."""
    blanks = choose(("kept", "before", "after")) if early else choose(("kept", "after"))
    how = choose(("", "lines", "paragraphs"))
    width = choose((60, 64, 66, 68, 70, 72, 74, 76, 78))
    ways.append(f"no-break spaces {blanks}, {how or 'not'} re-wrapped at {width}")
    if blanks == "before":
        text = text.replace("\u00a0", " ")
    if how == "lines":
        text = "\n".join(part for line in text.split("\n") for part in textwrap.wrap(line, width) or [""])
    elif how == "paragraphs":
        parts = (re.sub(r"[ \n]+", " ", part) for part in re.split(r"\n\s*\n", text))
        text = "\n\n".join("\n".join(textwrap.wrap(part, width)) for part in parts)
    return text.replace("\u00a0", " ") if blanks == "after" else text


def _marked(text: str, choose: Choose, ways: list[str]) -> str:
    """Put marks before the lines; some programs wrap afterwards and mark only the first piece of each line."""
    mark = choose(MARKS)
    ways.append(f"mark {mark!r}")
    lines = [f"{mark}{line}" for line in text.split("\n")]
    if choose((False, False, True)):
        width = choose((72, 76, 78))
        ways.append(f"wrapped after marking at {width}")
        lines = [part for line in lines for part in textwrap.wrap(re.sub(r"(?<=\S)  +", " ", line), width) or [line]]
    return "\n".join(lines)


def _with_own(text: str, said: str, place: str) -> str:
    if place == "below":
        return f"{text}\n\n{said}"
    if place == "between":
        lines = text.split("\n")
        marked = [">" in line[:4] or "|" in line[:4] for line in lines]  # not between a line and its torn-off end
        half = next(at for at in range(len(lines) // 2, -1, -1) if at == 0 or (marked[at - 1] and marked[at]))
        return "\n".join([*lines[:half], "", *said.split("\n"), "", *lines[half:]])
    return f"{said}\n\n{text}"


def _text_mail(body: str, choose: Choose, ways: list[str]) -> bytes:
    flowed = choose((False, False, True))
    if flowed:
        body = _flowed(body)
    charset = choose(("utf-8", "utf-8", "iso-8859-1", "windows-1252", "x-unknown"))
    encoding = choose(("8bit", "quoted-printable", "base64"))
    ways.append(f"{'flowed ' if flowed else ''}{charset} {encoding}")
    codec = {"x-unknown": "utf-8"}.get(charset, charset)
    kind = f"text/plain; charset={charset}" + ("; format=flowed" if flowed else "")
    return _mail(kind, encoding, body.replace("\n", "\r\n").encode(codec, "replace"))


def _mail(kind: str, encoding: str, raw: bytes) -> bytes:
    head = (
        "From: Ann <ann@example.org>\r\nTo: <g17.3-abcd@play.example.org>\r\n"
        "Subject: Re: [g17] Turn 3: you are to move (British)\r\nMessage-ID: <1@example.org>\r\n"
        f"MIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    return head.encode() + encoded(raw, encoding) + b"\r\n"


def encoded(raw: bytes, encoding: str) -> bytes:
    """Bytes in a transfer encoding."""
    if encoding == "base64":
        return base64.encodebytes(raw).replace(b"\n", b"\r\n")
    if encoding == "quoted-printable":
        soft = binascii.b2a_qp(raw.replace(b"\r\n", b"\n"), istext=True)
        return soft.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return raw


def _flowed(body: str) -> str:
    """Break long lines softly, as format=flowed has it."""
    out = []
    for line in body.split("\n"):
        mark = re.match(r"[> ]*", line)[0] if line.startswith(">") else ""
        pieces = textwrap.wrap(line[len(mark) :], 66, drop_whitespace=True, break_long_words=False) or [""]
        stuffed = [" " + piece if piece.startswith((">", "From ", " ")) and not mark else piece for piece in pieces]
        out += [f"{mark}{piece} " for piece in stuffed[:-1]] + [mark + stuffed[-1].rstrip()]
    return "\n".join(out)


def _html(text: str, said: str, choose: Choose, ways: list[str]) -> bytes:
    if choose((False, True)):
        text = text.replace("\u00a0", " ")
    shape = choose(sorted(PAGES))
    lines = choose(("br", "div", "p", "pre"))
    ways.append(f"html {shape}, lines by {lines}")
    inner = _html_lines(text, lines)
    head = html_module.escape(choose(HEADS).replace("\n", " "))
    page = PAGES[shape].format(said=_html_lines(said, "div"), quote=inner, head=head)
    return _mail("text/html; charset=utf-8", choose(("8bit", "quoted-printable", "base64")), page.encode())


def _html_lines(text: str, how: str) -> str:
    lines = [html_module.escape(line).replace("\u00a0", "&nbsp;") for line in text.split("\n")]
    if how == "pre":
        return "<pre>" + "\n".join(lines) + "</pre>"
    if how == "br":
        return "<br>\n".join(lines)
    return "".join(f"<{how}>{line or '<br>'}</{how}>\n" for line in lines)


PAGES = {
    "gmail": '<div dir="ltr">{said}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{head}<br>'
    '</div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{quote}</blockquote></div>',
    "thunderbird": '<html><body>{said}<div class="moz-cite-prefix">{head}<br></div>'
    '<blockquote type="cite" cite="mid:1@play.example.org">{quote}</blockquote></body></html>',
    "apple": '<html><body>{said}<br><div><blockquote type="cite"><div>{head}</div><br>'
    "<div>{quote}</div></blockquote></div></body></html>",
    "outlook": '<html><body>{said}<hr style="width:98%"><div id="divRplyFwdMsg"><b>From:</b> games</div>'
    "<div>{quote}</div></body></html>",
    "outlook, head only": "<html><body>{said}<div><p>{head}</p></div><div>{quote}</div></body></html>",
    "yahoo": '<div>{said}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>{head}</div>{quote}</div>',
    "proton": '{said}<div class="protonmail_quote">{head}<br><blockquote type="cite">{quote}</blockquote></div>',
    "bare blockquote": "{said}<blockquote>{quote}</blockquote>",
    "bottom": '<blockquote type="cite">{quote}</blockquote>{said}',
}
