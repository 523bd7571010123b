"""Mails that each say the same two orders, in the many shapes that programs and people give them.

The oracle: whatever the shape, the mail orders ORDERS and nothing else. What is quoted, signed or attached beside it
holds orders of its own, which must never be read.
"""

import html as html_module
from collections.abc import Callable

from letters.quoting import HEADS, Choose, encoded

ORDERS = ("draft governor", "draft bateaux")
OLD = (
    "It is your turn, British.",
    "",
    "Your last orders were:",
    "draft trader",
    "raid Boston with Coureurs de Bois",
    "pass",
    "",
    "priest",
    "on raid: no block",
    "--",
    "The games service",
)
GREETINGS = ("", "Hi,", "Hello Ben,\n\nhere are my orders for this turn:", "Hallo,\n\nanbei meine Züge:", "Szia!",
             "Bonjour à tous,", "こんにちは。", "Привет!", "Dear all\n\nI thought about it for long.")  # fmt: skip
CLOSINGS = ("", "Thanks!", "Mit freundlichen Grüßen\nAnn", "Üdv,\nAnna", "よろしくお願いします。", "С уважением,\nАнна",  # noqa: RUF001
            "Best, Ann", "Merci d'avance")  # fmt: skip
SIGNATURES = ("", "-- \nAnn\ndraft trader", "--\nAnn\npass", "Sent from my phone", "Von meinem iPhone gesendet",
              "Envoyé de mon iPhone", "Отправлено с iPhone", "iPhoneから送信")  # fmt: skip  # noqa: RUF001
MORE_HEADS = (
    "Em sáb., 1 de mar. de 2031 às 20:00, Game 17 <games@play.example.org> escreveu:",
    "Op za 1 mrt 2031 om 20:00 schreef Game 17 <games@play.example.org>:",
    "la 1. maalisk. 2031 klo 20.00 Game 17 (games@play.example.org) kirjoitti:",
    "2031년 3월 1일 (토) 오후 8:00, Game 17 <games@play.example.org>님이 작성:",
    "so 1. 3. 2031 v 20:00 odesílatel Game 17 <games@play.example.org> napsal:",
    "Game 17 <games@play.example.org>, 1 Mar 2031 Cmt, 20:00 tarihinde şunu yazdı:",  # noqa: RUF001
    "Vào 20:00, Th 7, 1 thg 3, 2031 Game 17 <games@play.example.org> đã viết:",
    "Game 17 <games@play.example.org> 于2031年3月1日周六 20:00写道：",  # noqa: RUF001
    "Den lør. 1. mar. 2031 kl. 20.00 skrev Game 17 <games@play.example.org>:",
    "Στις Σάβ 1 Μαρ 2031 στις 20:00 ο χρήστης Game 17 <games@play.example.org> έγραψε:",  # noqa: RUF001
)
NOISES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as it is", lambda line: line),
    ("capitals", str.upper),
    ("title", str.title),
    ("no-break spaces", lambda line: line.replace(" ", "\u00a0")),
    ("wide blanks", lambda line: line.replace(" ", " \u2003 ")),
    ("zero-width", lambda line: line[:3] + "\u200b" + line[3:].replace(" ", "\u200b \ufeff")),
    ("full-width", lambda line: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" for c in line)),
    ("full stop", lambda line: line + "."),
    ("quotes", lambda line: f"\u201c{line}\u201d"),
    ("bullet", lambda line: f"\u2022 {line}"),
    ("dash", lambda line: f"- {line}"),
    ("number", lambda line: f"1. {line}"),
    ("number and bracket", lambda line: f"2) {line}"),
    ("filler", lambda line: "please " + line.replace(" ", " the ") + " card"),
    ("indented", lambda line: f"    {line}  "),
    ("bold", lambda line: f"*{line}*"),
    ("soft hyphen", lambda line: line.replace("governor", "gover\u00adnor")),
    ("accents", lambda line: line.replace("governor", "gövernör").replace("bateaux", "bâteaux")),
    ("semicolon at the end", lambda line: line + ";"),
)
CHARSETS = {
    "utf-8": "utf-8", "UTF8": "utf-8", "iso-8859-1": "latin-1", "iso-8859-15": "iso8859-15", "windows-1252": "cp1252",
    "iso-8859-2": "iso8859-2", "windows-1250": "cp1250", "windows-1251": "cp1251", "koi8-r": "koi8-r",
    "iso-2022-jp": "iso2022_jp", "shift_jis": "cp932", "euc-jp": "euc_jp", "gb18030": "gb18030", "gb2312": "gb18030",
    "big5": "big5", "euc-kr": "euc_kr", "us-ascii": "utf-8", "x-unknown": "utf-8", "utf-16": "utf-16", "utf-7": "utf-7",
    "": "utf-8",
}  # fmt: skip


def order_mail(choose: Choose) -> tuple[str, bytes]:
    """A mail that says ORDERS, and in short how it is made."""
    ways: list[str] = []
    own = _own(choose, ways)
    make = choose((_plain, _plain, _html_only, _alternative, _alternative, _mixed, _attached))
    ways.append(make.__name__.strip("_"))
    kind, encoding, raw = make(own, choose, ways)
    raw = _headers(kind, encoding, choose, ways) + raw
    ends = choose(("CRLF", "CRLF", "LF"))
    ways.append(ends)
    return ", ".join(ways), raw if ends == "CRLF" else raw.replace(b"\r\n", b"\n")


def _own(choose: Choose, ways: list[str]) -> list[str]:
    name, noise = choose(NOISES)
    ways.append(name)
    lines = [noise(order) for order in ORDERS]
    if name not in ("quotes", "bullet", "dash", "bold", "indented") and choose((True, False, False)):
        ways.append("on one line")
        lines = [choose(("; ", ";", " ;  ", "\uff1b")).join(line.rstrip(";") for line in lines)]
    elif choose((True, False, False)):
        lines = [lines[0], "", lines[1]]
    greeting, closing = choose(GREETINGS), choose(CLOSINGS)
    return [*greeting.split("\n"), "", *lines, "", *closing.split("\n")]


def _plain_text(own: list[str], choose: Choose, ways: list[str]) -> str:
    signature, quote = choose(SIGNATURES), choose(("none", "marks", "head", "marks above", "marks between"))
    ways.append(f"quote {quote}, signature {signature[:12]!r}")
    head = choose((*HEADS, *MORE_HEADS))
    mark = choose(("> ", ">", ">> ", "| "))
    quoted = "\n".join(f"{mark}{line}" for line in OLD)
    body, signed = "\n".join(own), f"\n{signature}\n" if signature else ""
    match quote:
        case "marks":
            return f"{body}{signed}\n{head}\n{quoted}\n"
        case "head":
            gap = choose(("\n", "\n\n"))
            return f"{body}{signed}\n{head}{gap}" + "\n".join(OLD) + "\n"
        case "marks above":
            return f"{head}\n{quoted}\n\n{body}{signed}"
        case "marks between":
            return f"{head}\n{mark}{OLD[0]}\n\n{body}\n\n{quoted}{signed}"
        case _:
            return body + signed


def _text(own: list[str], choose: Choose, ways: list[str]) -> tuple[str, str, bytes]:
    text = _plain_text(own, choose, ways)
    flowed = choose(("", "", "; format=flowed", "; format=flowed; delsp=yes"))
    if flowed:
        text = _flow(text, delsp="delsp" in flowed)
    charset = choose(sorted(CHARSETS))
    codec = CHARSETS[charset]
    try:
        raw = text.replace("\n", "\r\n").encode(codec)
    except UnicodeEncodeError:
        charset = "utf-8"
        raw = text.replace("\n", "\r\n").encode()
    encoding = choose(("8bit", "quoted-printable", "base64", "7bit", "BASE64", "Quoted-Printable"))
    if charset in ("utf-16", "utf-7") and encoding.lower() != "base64":
        encoding = "base64"
    ways.append(f"{charset}{flowed} {encoding}")
    declared = f"text/plain; charset={charset}" if charset else "text/plain"
    return declared + flowed, encoding, encoded(raw, encoding.lower())


def _flow(text: str, *, delsp: bool) -> str:
    """Break the orders themselves softly, at each blank, and stuff what needs it."""
    out = []
    for line in text.split("\n"):
        if line.casefold().startswith("draft ") and " " in line:
            first, rest = line.split(" ", 1)
            out += [f"{first} {' ' if delsp else ''}", rest.rstrip()]
        elif line == "-- " or line.startswith(">"):
            out.append(line)
        else:
            out.append((" " if line.startswith((" ", "From ")) else "") + line.rstrip())
    return "\n".join(out)


def _plain(own: list[str], choose: Choose, ways: list[str]) -> tuple[str, str, bytes]:
    return _text(own, choose, ways)


OLD_HTML = "<br>\n".join(html_module.escape(line) for line in OLD)
PAGES = {
    "gmail": '<div dir="ltr">{own}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{head}<br></div>'
    '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{old}</blockquote></div>',
    "gmail with signature": '<div dir="ltr">{own}<br>-- <br><div class="gmail_signature">draft trader</div></div>'
    '<div class="gmail_quote"><blockquote class="gmail_quote">{old}</blockquote></div>',
    "outlook": '<html><head><style>p.MsoNormal {{margin:0}}</style></head><body lang="EN-GB"><div class="WordSection1">'
    '{own}</div><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Game 17<br><b>Sent:</b> Saturday</div><div>{old}</div>'
    "</body></html>",
    "outlook border": '<html><body>{own}<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">'
    "<b>From:</b> Game 17 &lt;games@play.example.org&gt;<br><b>Sent:</b> Saturday, 1 March 2031 20:00<br><b>To:</b> Ann"
    "<br><b>Subject:</b> [g17] Turn 3</p></div>{old}</body></html>",
    "apple": '<html><body dir="auto">{own}<div dir="ltr"><br><blockquote type="cite">{head}<br><br></blockquote></div>'
    '<blockquote type="cite"><div dir="ltr">{old}</div></blockquote></body></html>',
    "thunderbird": "<!DOCTYPE html><html><head><meta charset=UTF-8></head><body>{own}"
    '<div class="moz-cite-prefix">{head}</div><blockquote type="cite" cite="mid:1@x">{old}</blockquote></body></html>',
    "thunderbird below": '<html><body><div class="moz-cite-prefix">{head}</div><blockquote type="cite">{old}'
    "</blockquote>{own}</body></html>",
    "yahoo": '<html><body><div class="ydp-style-wrap">{own}</div><div id="ydp1yahoo_quoted_1" class="yahoo_quoted">'
    "<div>{head}</div><div>{old}</div></div></body></html>",
    "proton": '<div style="font-family: Arial">{own}</div><div class="protonmail_quote">{head}<br>'
    '<blockquote class="protonmail_quote" type="cite">{old}</blockquote></div>',
    "head only": "<html><body>{own}<div>{head}</div><div>{old}</div></body></html>",
    "alone": "{own}",
}


def _page(own: list[str], choose: Choose, ways: list[str]) -> bytes:
    shape, lines = choose(sorted(PAGES)), choose(("div", "p", "br", "p class=MsoNormal", "li", "tr"))
    ways.append(f"page {shape}, lines by {lines}")
    texts = [html_module.escape(line).replace("\u00a0", choose(("&nbsp;", "&#160;", "\u00a0"))) for line in own]
    tag = lines.split(maxsplit=1)[0]
    if lines == "br":
        body = "<br>\n".join(texts)
    elif lines == "tr":
        body = "<table>" + "".join(f"<tr><td>{text}</td></tr>" for text in texts) + "</table>"
    else:
        inner = "".join(f"<{lines}>{text or '<br>'}</{tag}>\n" for text in texts)
        body = f"<ol>{inner}</ol>" if lines == "li" else inner
    head = html_module.escape(choose((*HEADS, *MORE_HEADS))).replace("\n", choose(("<br>", "<br>", " ")))
    return PAGES[shape].format(own=body, head=head, old=OLD_HTML).replace("\n", "\r\n").encode()


def _html(own: list[str], choose: Choose, ways: list[str]) -> tuple[str, str, bytes]:
    raw = _page(own, choose, ways)
    encoding = choose(("8bit", "quoted-printable", "base64"))
    return "text/html; charset=utf-8", encoding, encoded(raw, encoding)


def _html_only(own: list[str], choose: Choose, ways: list[str]) -> tuple[str, str, bytes]:
    return _html(own, choose, ways)


Made = tuple[str, str, bytes]


def _part(made: Made, more: str = "") -> bytes:
    kind, encoding, raw = made
    head = f"Content-Type: {kind}\r\n{more}"
    if encoding != "7bit":
        head += f"Content-Transfer-Encoding: {encoding}\r\n"
    return head.encode() + b"\r\n" + raw


def _joined(subtype: str, parts: list[bytes], choose: Choose, ways: list[str]) -> Made:
    mark = choose(("b1", "=_Part_1.2", "----=_NextPart_000_0001", "a b'()+,-./:=?", "Apple-Mail=_0A1B"))
    mark += "=" * (sum(way.startswith("boundary") for way in ways))  # each is the beginning of the next one
    ways.append(f"boundary {mark}")
    preamble = choose((b"", b"This is a multi-part message in MIME format.\r\n", b"draft trader\r\n"))
    raw = preamble + b"".join(b"\r\n--%s\r\n%s" % (mark.encode(), part) for part in parts)
    raw += b"\r\n--%s--\r\n" % mark.encode() + choose((b"", b"\r\n", b"draft trader\r\n"))
    return f'multipart/{subtype}; boundary="{mark}"', "7bit", raw.removeprefix(b"\r\n")


def _alternative(own: list[str], choose: Choose, ways: list[str]) -> Made:
    parts = [_part(_text(own, choose, ways)), _part(_html(own, choose, ways))]
    if choose((False, False, True)):
        ways.append("html in related")
        picture = _part(("image/png", "base64", b"iVBORw0KGgo=\r\n"), "Content-ID: <1@x>\r\n")
        parts[1] = _part(_joined("related", [parts[1], picture], lambda _options: _options[-1], ways))
    if choose((False, False, True)):
        ways.append("html first")
        parts.reverse()
    return _joined("alternative", parts, choose, ways)


EXTRAS: tuple[tuple[str, Made, str], ...] = (
    ("picture", ("image/jpeg", "base64", b"/9j/4AAQ\r\n"), 'Content-Disposition: attachment; filename="a.jpg"\r\n'),
    ("text file", ("text/plain; name=old.txt", "7bit", b"draft trader\r\n"), "Content-Disposition: attachment\r\n"),
    ("forwarded", ("message/rfc822", "7bit", b"From: x@example.net\r\nSubject: y\r\n\r\ndraft trader\r\n"), ""),
    ("card", ("text/vcard", "7bit", b"BEGIN:VCARD\r\npass\r\nEND:VCARD\r\n"), ""),
    ("calendar", ("text/calendar", "7bit", b"BEGIN:VCALENDAR\r\npass\r\nEND:VCALENDAR\r\n"), ""),
    ("key", ("application/pgp-keys; name=key.asc", "7bit", b"pass\r\n"), "Content-Disposition: attachment\r\n"),
)


def _mixed(own: list[str], choose: Choose, ways: list[str]) -> Made:
    name, made, more = choose(EXTRAS)
    body = choose((_text, _html, _alternative))(own, choose, ways)
    ways.append(f"beside a {name}")
    if choose((False, False, True)):
        ways.append("signed")
        signature = ("application/pkcs7-signature; name=smime.p7s", "base64", b"MIAGCSqG\r\n")
        return _joined("signed", [_part(body), _part(signature)], choose, ways)
    return _joined("mixed", [_part(body), _part(made, more)], choose, ways)


def _attached(own: list[str], choose: Choose, ways: list[str]) -> Made:
    """Orders in a file, and nothing beside it."""
    orders = "\n".join(line for line in own if line)
    kind = choose(("text/plain; name=orders.txt", "text/plain; charset=utf-8", "application/octet-stream"))
    ways.append(kind)
    encoding = choose(("8bit", "base64", "quoted-printable"))
    made = (kind, encoding, encoded(orders.replace("\n", "\r\n").encode(), encoding))
    file = _part(made, 'Content-Disposition: attachment; filename="orders.txt"\r\n')
    empty = _part(("text/plain; charset=utf-8", "7bit", choose((b"", b"\r\n\r\n", b"-- \r\nAnn\r\n"))))
    return _joined("mixed", [empty, file], choose, ways)


def _headers(kind: str, encoding: str, choose: Choose, ways: list[str]) -> bytes:
    style = choose(("as usual", "lower case", "folded", "MIME last", "with a trace"))
    ways.append(f"headers {style}")
    subject = choose(("Re: [g17] Turn 3", "AW: [g17] Turn 3", "", "=?utf-8?B?UmU6IMOc?=", "check the map, please"))
    lines = [
        "From: Ann <ann@example.org>", "To: <g17.3-abcd@play.example.org>", f"Subject: {subject}",
        "Message-ID: <1@example.org>", "Date: Sat, 1 Mar 2031 21:00:00 +0100",
    ]  # fmt: skip
    if style == "folded":
        kind = kind.replace("; ", ";\r\n\t")
    mime = ["MIME-Version: 1.0", f"Content-Type: {kind}"]
    if encoding != "7bit":
        mime.append(f"Content-Transfer-Encoding: {encoding}")
    lines = [*lines, *mime] if style == "MIME last" else [*mime, *lines]
    if style == "with a trace":
        lines = ["Return-Path: <ann@example.org>", "Received: from a by b;\r\n\tSat, 1 Mar 2031 20:00:01 +0000", *lines]
    if style == "lower case":
        lines = [name.lower() + ":" + value for name, _, value in (line.partition(":") for line in lines)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"
