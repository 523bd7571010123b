"""A mail shown to a person: decoded, whole, and harmless to a terminal."""

import pytest

from adjudicator.mail.readable import header_of, readable

MAIL = (
    b"From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.org>\r\nTo: games@example.net\r\nSubject: =?utf-8?b?w5xiZXI=?=\r\n"
    b"Message-ID: <1@example.org>\r\nReceived: from here\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
)


def test_headers_and_text_are_decoded_and_quotes_stay():
    assert readable(MAIL + b"draft Gasp=E9\r\n> on a long =\r\nline\r\n") == (
        "From: Jürgen <juergen@example.org>\nTo: games@example.net\nSubject: Über\nMessage-ID: <1@example.org>\n\n"
        "draft Gaspé\n> on a long line\n"
    )


def test_attached_files_are_named():
    part = b'--x\r\nContent-Type: %s\r\nContent-Disposition: attachment; filename="%s"\r\n\r\ndraft Militia\r\n'
    head = b"From: a@example.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhello\r\n"
    raw = head + part % (b"text/plain", b"orders.txt") + part % (b"image/png", b"map.png") + b"--x--\r\n"
    shown = readable(raw)
    assert "Attached: orders.txt\nAttached: map.png\n\nhello" in shown
    assert "draft Militia" not in shown


@pytest.mark.parametrize(
    "raw", [MAIL + b"a\x1b[2Jb\x07=9B\r\n", b"Subject: a\x1b[2Jb\r\n\r\nx", b"\x1b[2J" + b"h: x" * 99_999]
)
def test_nothing_steers_the_terminal(raw):
    shown = readable(raw)
    assert "[2J" in shown
    assert all(sign.isprintable() or sign in "\n\u00a0" for sign in shown)


@pytest.mark.parametrize("raw", [b"", b"\xff\0", b"A: " + b"x" * 70_000 + b"\n\nhello", b"no header"])
def test_what_is_no_mail_is_shown_all_the_same(raw):
    assert readable(raw).count("x") == raw.count(b"x")
    assert header_of(raw, "reply-to") == ""


def test_a_header_is_decoded():
    assert header_of(MAIL, "subject") == "Über"
