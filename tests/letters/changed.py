"""Mails changed at random: ways that must not matter, and damage that must do no harm."""

import re

from letters.quoting import Choose, encoded

PIECES = (
    b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"\0", b"\xff\xfe", b"\xe2\x80\xa8", b"\xc2\xa0", b"\xe2\x80\x8b",
    b"=?utf-8?q?", b"?=", b"=\r\n", b"=", b"--", b"--b1", b"--b1--", b"> ", b"|", b"-- \r\n", b"<div>", b"</div>",
    b"<blockquote>", b"<!--", b"-->", b"<style>", b"<a ", b"&#x110000;", b"&", b"Content-Type: text/html\r\n",
    b"Content-Type: multipart/", b"mixed; boundary=b1\r\n", b"Content-Transfer-Encoding: base64\r\n",
    b"charset=iso-2022-jp", b"\x1b$B", b"\x1b(B", b"format=flowed", b"From: x@example.net\r\n", b"From: ", b",",
    b";", b"(", b")", b"\\", b"<", b">", b":", b"@", b"On 1 Mar 2031 at 20:00 x <a@b> wrote:",
    b"-----Original Message-----", b"Status: 5.1.1\r\n", b"Action: failed\r\n", b"message/rfc822",
    b"message/delivery-status", b"draft trader\r\n", b"pass", b"; ", b"\xf0\x9f\x98\x80", b"%s%n",
    b"~~~ adjudicator: write above this line ~~~", b" " * 300, b"x" * 1200, b"\xcc\x95\xcc\x80" * 100, b'"',
)  # fmt: skip


def damaged(raw: bytes, other: bytes, choose: Choose) -> bytes:
    """`raw` after a few blows: bytes lost, doubled, changed, put in, or spliced with another mail."""
    for _ in range(choose((1, 2, 3, 5, 8, 20))):
        at = choose(range(len(raw) + 1))
        to = min(len(raw), at + choose((0, 1, 2, 5, 20, 100, 1000)))
        match choose(("lose", "double", "put in", "change", "cut off", "splice", "swap lines", "repeat a piece")):
            case "lose":
                raw = raw[:at] + raw[to:]
            case "double":
                raw = raw[:to] + raw[at:]
            case "put in":
                raw = raw[:at] + choose(PIECES) + raw[at:]
            case "change":
                raw = raw[:at] + bytes([choose(range(256))]) + raw[at + 1 :]
            case "cut off":
                raw = raw[:at] if choose((True, False)) else raw[at:]
            case "splice":
                raw = raw[:at] + other[choose(range(len(other) + 1)) :]
            case "swap lines":
                lines = raw.splitlines(keepends=True) or [b""]
                lines.append(lines.pop(choose(range(len(lines)))))
                raw = b"".join(lines)
            case "repeat a piece":
                raw = raw[:at] + choose(PIECES) * choose((10, 100, 500)) + raw[at:]
    return raw[:200_000]


def travelled(raw: bytes, choose: Choose) -> bytes:
    """`raw` as other servers and programs may hand it on: nothing of this changes what the mail says."""
    for way in (_traces, _case_of_names, _order_of_headers, _folds, _line_ends, _other_encoding):
        if choose((True, False)):
            raw = way(raw, choose)
    return raw


def _split(raw: bytes) -> tuple[list[bytes], bytes, bytes]:
    """The header fields without line ends, the line end, and the body."""
    end = b"\r\n" if b"\r\n" in raw.partition(b"\n\n")[0] else b"\n"
    head, _, body = raw.partition(end + end)
    return re.split(rb"\r?\n(?![ \t])", head), end, body


def _joined(fields: list[bytes], end: bytes, body: bytes) -> bytes:
    return end.join(fields) + end + end + body


def _traces(raw: bytes, choose: Choose) -> bytes:
    fields, end, body = _split(raw)
    traces = (
        b"Received: from a.example.net by b.example.net;" + end + b"\tSat, 1 Mar 2031 20:00:00 +0000",
        b"X-Spam-Status: No, score=-1.0", b"DKIM-Signature: v=1; a=rsa-sha256; b=" + b"A" * 200,
        b"Authentication-Results: mx.example.net; spf=pass", b"X-Originating-IP: [192.0.2.1]",
    )  # fmt: skip
    return _joined([choose(traces), choose(traces), *fields], end, body)


def _case_of_names(raw: bytes, choose: Choose) -> bytes:
    fields, end, body = _split(raw)
    change = choose((bytes.lower, bytes.upper))
    return _joined([change(f.partition(b":")[0]) + f[len(f.partition(b":")[0]) :] for f in fields], end, body)


def _order_of_headers(raw: bytes, choose: Choose) -> bytes:
    fields, end, body = _split(raw)
    at = choose(range(len(fields)))
    return _joined(fields[at:] + fields[:at], end, body)


def _folds(raw: bytes, choose: Choose) -> bytes:
    fields, end, body = _split(raw)
    fold = choose((b" ", b"\t"))
    return _joined([field.replace(b"; ", b";" + end + fold) for field in fields], end, body)


def _line_ends(raw: bytes, choose: Choose) -> bytes:
    return raw.replace(b"\r\n", b"\n").replace(b"\n", choose((b"\n", b"\r\n")))


def _other_encoding(raw: bytes, choose: Choose) -> bytes:
    """Encode a body of one part anew, if it is not encoded yet."""
    fields, end, body = _split(raw)
    names = {field.partition(b":")[0].lower(): field for field in fields}
    kind = names.get(b"content-type", b"").lower()
    if b"multipart" in kind or b"message" in kind:
        return raw
    old = names.get(b"content-transfer-encoding", b":7bit").lower()
    if old.partition(b":")[2].strip() not in (b"7bit", b"8bit"):
        return raw
    encoding = choose(("base64", "quoted-printable"))
    kept = [field for field in fields if not field.lower().startswith(b"content-transfer-encoding:")]
    body = body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    kept.append(b"Content-Transfer-Encoding: " + encoding.encode())
    return _joined(kept, end, encoded(body, encoding).replace(b"\r\n", end))
