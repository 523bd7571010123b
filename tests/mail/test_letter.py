"""Reading letters: identity, limits, and input that was written to do harm."""

import time
from base64 import b64encode
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.errors import Unreadable
from adjudicator.mail import letter as letter_module
from adjudicator.mail.allowance import MAX_HTML_BYTES, MAX_PARTS, MAX_SECONDS, Allowance
from adjudicator.mail.charsets import decode_bytes, decode_header, plain
from adjudicator.mail.letter import MAX_BYTES, read_letter
from adjudicator.mail.markup import MAX_HTML_DEPTH
from adjudicator.mail.mime import MAX_DEPTH, MAX_HEADER_BYTES
from adjudicator.mail.text import MAX_LINES

NOW = datetime(2027, 1, 1, tzinfo=UTC)
UTF8 = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HEAD = b"From: Ann <ann@example.net>\r\nMessage-ID: <1@example.net>\r\nSubject: Re: x\r\n"
SECONDS = 3  # of CPU; no mail may take longer, on a slow machine; what is quadratic takes minutes


def read(raw, rcpt="game.secret@example.org", mail_from="ann@example.net", **more):
    return read_letter(raw, rcpt=rcpt, mail_from=mail_from, received_at=NOW, **more)


def own(raw):
    return [line.text for line in read(raw).lines if line.kind == "own"]


def with_file(body, name=b"orders.txt", text=b"draft bateaux\r\n", kind=b"text/plain"):
    part = b'--x\r\nContent-Type: %s\r\nContent-Disposition: attachment; filename="%s"\r\n\r\n%s--x--\r\n'
    head = HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\n"
    return head + body + part % (kind, name, text)


def test_a_text_file_beside_a_text_is_named_and_not_read():
    letter = read(with_file(b"draft governor\r\n"))
    assert (letter.text, letter.unread) == ("draft governor", ("orders.txt",))
    assert read(with_file(b"Hello\r\n", name=b"")).unread == ("",)
    for raw in (
        mail(), with_file(b"\r\n"), with_file(b"> old\r\n"), with_file(b"draft governor\r\n", text=b"\r\n"),
        with_file(b"draft governor\r\n", kind=b"image/png"),
    ):  # fmt: skip
        assert read(raw).unread == ()
    assert read(with_file(b"> old\r\n")).text == "draft bateaux"


# --- identity ---


def mail(body=b"draft governor\r\n", head=HEAD):
    return head + b"\r\n" + body


def test_the_way_a_mail_took_does_not_change_key_and_digest():
    direct = read(mail())
    relayed = read(b"Return-Path: <x@y>\r\nReceived: from a by b\r\n\tfor c\r\nDKIM-Signature: z\r\n" + mail())
    assert (relayed.key, relayed.digest) == (direct.key, direct.digest)


def test_another_transfer_encoding_or_line_end_does_not_change_the_digest():
    accented = mail("draft Québec\r\n".encode(), HEAD + b"Content-Type: text/plain; charset=utf-8\r\n")
    encoded = mail(
        b"draft Qu=C3=\r\n=A9bec\r\n\r\n",
        HEAD + b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n",
    )
    bare = accented.replace(b"\r\n", b"\n")
    assert read(accented).digest == read(encoded).digest == read(bare).digest


def test_another_text_changes_the_digest_but_not_the_key():
    first, second = read(mail()), read(mail(b"draft bateaux\r\n"))
    assert first.key == second.key
    assert first.digest != second.digest


@pytest.mark.parametrize(
    "changed",
    [
        {"rcpt": "other.secret@example.org"},
        {"raw": mail().replace(b"ann@", b"bob@")},
        {"raw": mail().replace(b"<1@", b"<2@")},
    ],
)
def test_the_key_is_of_recipient_sender_and_message_id(changed):
    assert read(**{"raw": mail(), **changed}).key != read(mail()).key


def test_the_key_does_not_depend_on_case_of_addresses():
    assert read(mail(), rcpt="<GAME.Secret@Example.ORG>").key == read(mail()).key
    assert read(mail().replace(b"ann@", b"Ann@")).key == read(mail()).key


NO_ID = (
    b"From: ann@example.net\r\nDate: Fri, 1 Jan 2027 20:00:00 +0000\r\nSubject: x\r\nIn-Reply-To: <4@example.org>\r\n"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"20:00:00", b"20:00:01"),
        (b"Subject: x", b"Subject: y"),
        (b"<4@", b"<5@"),
        (b"governor", b"bateaux"),
        (b"ann@", b"bob@"),
    ],
)
def test_without_message_id_the_key_is_of_what_the_writer_made(old, new):
    raw = mail(head=NO_ID)
    assert read(raw).message_id is None
    assert read(raw.replace(old, new)).key != read(raw).key
    assert read(b"Received: from a by b\r\n" + raw).key == read(raw).key


def test_fields_cannot_run_into_each_other_in_the_key():
    one = mail(head=b"From: ann@example.net\r\nSubject: ab\r\nDate: c\r\n")
    two = mail(head=b"From: ann@example.net\r\nSubject: b\r\nDate: ca\r\n")
    assert read(one).key != read(two).key


# --- the From header ---


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ann@example.net", ("", "ann@example.net")),
        ("Ann Player <Ann@Example.NET>", ("Ann Player", "ann@example.net")),
        ('"Player, Ann" <ann@example.net>', ("Player, Ann", "ann@example.net")),
        (
            '"Ann \\"A\\" <eve@example.net>" <ann@example.net>',
            ('Ann "A" <eve@example.net>', "ann@example.net"),
        ),
        ("ann@example.net (Ann (the) Player)", ("", "ann@example.net")),
        ("(eve@example.net) ann@example.net", ("", "ann@example.net")),
        (
            "=?utf-8?q?Ann_=3Ceve=40example=2Enet=3E?= <ann@example.net>",
            ("Ann <eve@example.net>", "ann@example.net"),
        ),
        ("=?utf-8?q?eve=40example.net?=", ("", "")),
        ("ann@example.net, eve@example.net", ("", "")),
        ("Ann <ann@example.net>, Eve <eve@example.net>", ("", "")),
        ("<ann@example.net> <eve@example.net>", ("", "")),
        ("Ann <>", ("", "")),
        ("Ann", ("", "")),
        ("", ("", "")),
        ("ann @ example.net", ("", "")),
        ("Játékos <jános@példa.example>", ("Játékos", "jános@példa.example")),
        ("Ann\r\n <ann@example.net>", ("Ann", "ann@example.net")),
    ],
)
def test_who_wrote_it(value, expected):
    letter = read(f"From: {value}\r\n\r\nx".encode())
    assert (letter.from_name, letter.from_address) == expected


def test_two_from_headers_are_nobodys():
    assert read(b"From: ann@example.net\r\nFrom: eve@example.net\r\n\r\nx").from_address == ""


# --- limits ---


def test_size_at_both_edges():
    room = MAX_BYTES - len(mail(b""))
    assert read(mail(b"x" * room)).lines
    with pytest.raises(Unreadable, match="larger than 1024 KB"):
        read(mail(b"x" * (room + 1)))
    with pytest.raises(Unreadable, match="larger than 1 KB"):
        read(mail(b"x" * 1025), max_bytes=1024)


def test_header_block_at_both_edges():
    room = MAX_HEADER_BYTES - len(HEAD) - len(b"X: \r\n")
    assert read(HEAD + b"X: " + b"a" * room + b"\r\n\r\nx").text == "x"
    with pytest.raises(Unreadable, match="headers of this mail are longer than 64 KB"):
        read(HEAD + b"X: " + b"a" * (room + 1) + b"\r\n\r\nx")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_lines_at_both_edges(end):
    assert len(read(mail(("x" + end).encode() * MAX_LINES)).lines) == MAX_LINES
    with pytest.raises(Unreadable, match="longer than 2000 lines"):
        read(mail(("x" + end).encode() * (MAX_LINES + 1)))


def multipart(count):
    parts = b"".join(b"--b\r\n\r\nx\r\n" for _ in range(count))
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + parts + b"--b--\r\n"


def test_parts_at_both_edges():
    assert len(read(multipart(MAX_PARTS)).lines) == MAX_PARTS
    with pytest.raises(Unreadable, match="more than 100 parts"):
        read(multipart(MAX_PARTS + 1))


def nested(depth):
    raw = b"\r\ndraft governor\r\n"
    for level in range(depth):
        mark = b"b%d" % level
        raw = (
            b"Content-Type: multipart/mixed; boundary=" + mark
            + b"\r\n\r\n--" + mark + b"\r\n" + raw + b"\r\n--" + mark + b"--\r\n"
        )  # fmt: skip
    return HEAD + raw


def test_nesting_at_both_edges():
    assert read(nested(MAX_DEPTH)).text == "draft governor"
    with pytest.raises(Unreadable, match="nested more than 20 deep"):
        read(nested(MAX_DEPTH + 1))


HTML = HEAD + b"Content-Type: text/html\r\n\r\n"


def test_html_size_at_both_edges():
    page = b"<div>draft governor</div>"
    assert read(HTML + page + b" " * (MAX_HTML_BYTES - len(page))).text == "draft governor"
    with pytest.raises(Unreadable, match="HTML of this mail is longer than 64 KB; please send plain text"):
        read(HTML + page + b" " * (MAX_HTML_BYTES - len(page) + 1))


def test_html_in_several_parts_counts_together():
    def pages(size):
        half = b"--b\r\nContent-Type: text/html\r\n\r\n" + b"<p>x</p>" + b" " * (size - 8) + b"\r\n"
        return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + half * 2 + b"--b--\r\n"

    assert read(pages(MAX_HTML_BYTES // 2)).text.split() == ["x", "x"]
    with pytest.raises(Unreadable, match="HTML of this mail is longer than 64 KB"):
        read(pages(MAX_HTML_BYTES // 2 + 1))


def test_lookalikes_of_boundaries_at_both_edges():
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ndraft governor\r\n"
    assert read(head + b"--bx\r\n" * 1_000 + b"--b--\r\n").text.startswith("draft governor")
    with pytest.raises(Unreadable, match="parts of this mail cannot be told apart"):
        read(head + b"--bx\r\n" * 1_001 + b"--b--\r\n")


@pytest.mark.parametrize(
    "raw", [mail(b"draft governor\r\n" * 50), HEAD + b"Content-Type: text/html\r\n\r\n<p>x", multipart(3)]
)
def test_time_at_both_edges(raw):
    def clock(seconds):
        times = iter([100.0])
        return lambda: next(times, 100.0 + seconds)

    assert read(raw, allowance=Allowance(clock=clock(MAX_SECONDS))).lines
    with pytest.raises(Unreadable, match="takes more than 3 seconds to read; please send plain text"):
        read(raw, allowance=Allowance(clock=clock(MAX_SECONDS + 0.001)))


def test_style_sheets_and_comments_do_not_count_towards_the_size_of_html():
    page = b"<!-- " + b"x" * MAX_HTML_BYTES + b" --><STYLE>" + b"y" * MAX_HTML_BYTES + b"</style><p>draft governor</p>"
    assert read(HTML + page).text.strip() == "draft governor"


def test_html_nesting_at_both_edges():
    assert read(HTML + b"<div>" * MAX_HTML_DEPTH + b"draft governor").text == "draft governor"
    with pytest.raises(Unreadable, match="nested more than 500 deep"):
        read(HTML + b"<div>" * (MAX_HTML_DEPTH + 1) + b"draft governor")


def test_every_refusal_is_one_ascii_sentence():
    with pytest.raises(Unreadable) as refusal:
        read(multipart(MAX_PARTS + 1))
    assert str(refusal.value).isascii()
    assert "\n" not in str(refusal.value)


def test_an_unexpected_fault_is_unreadable(monkeypatch):
    monkeypatch.setattr("adjudicator.mail.letter.parse", lambda _raw: 1 / 0)
    with pytest.raises(Unreadable, match="cannot be read"):
        read(mail())


# --- hostile input ---

MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
MIB = MAX_BYTES - 1000
NOT_REACHED = (
    b"From: mailer-daemon@mx.example.net\r\n\r\nYour message\r\n\r\n did not reach the following recipient(s):\r\n\r\n"
)
HOSTILE = {
    "many addresses": b"From: " + b"a@b.example, " * 5000 + b"\r\n\r\nx",
    "open comments": b"From: " + b"(" * 60_000 + b"\r\n\r\nx",
    "open quotes": b'From: "' + b'\\"' * 30_000 + b"\r\n\r\nx",
    "group": b"From: x;m:\r\n\r\nx",
    "odd message id": b"Message-ID: <[\r\nFrom: a@b\r\n\r\nx",
    "many ids": b"References: " + b"<" * 60_000 + b"\r\n\r\nx",
    "encoded words": b"Subject: " + b"=?utf-8?q?=?= " * 4000 + b"\r\n\r\nx",
    "half encoded words": b"Subject: " + b"=?a?q?" * 10_000 + b"\r\n\r\nx",
    "folds": b"Subject: x" + b"\r\n " * 20_000 + b"\r\n\r\nx",
    "idna codec": HEAD + b"Content-Type: text/plain; charset=idna\r\n\r\n" + b"\xc3\xa9" * (MIB // 2),
    "escape codec": HEAD + b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n\\ud800",
    "utf-7": HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + b"+" * MIB,
    "carriage returns": HEAD + b"\r\n" + b"\r" * MIB,
    "line feeds": HEAD + b"\r\n" + b"\n" * MIB,
    "one long line": HEAD + b"\r\n" + b"a@b 20:00 " * (MIB // 10),
    "colon lines": HEAD + b"\r\n" + b"a@b 2027 20:00 x:y\r\n" * 2000,
    "nearly heads": HEAD + b"\r\n" + (b"On 1 Jan 2027 at 20:00 <a@b" + b" w" * 150 + b"\r\n") * 2000,
    "nearly rules": HEAD + b"\r\n" + (b"-" * 390 + b"\r\n") * 2000,
    "quotes of quotes": HEAD + b"\r\n" + (b">" * 500 + b"\r\n") * 2000,
    "combining marks": HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + "\u0315\u0300".encode() * 250_000,
    "expanding letters": HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + "\ufdfa".encode() * 300_000,
    "near boundaries": MIXED + b"\n--bx" * (MIB // 5),
    "boundaries in boundaries": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b" * (MIB // 3),
    "parameters": HEAD + b"Content-Type: text/plain" + b';a="\\' * 10_000 + b"\r\n\r\nx",
    "quoted printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=" * MIB,
    "base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=A" * (MIB // 2),
    "tags": HTML + b"<a " * 20_000,
    "nested lists": HTML + b"<ul><li>" * 8000,
    "nested fonts": HTML + b"<font size=1><p>" * 4000,
    "nested tables": HTML + b"<table><tr><td>" * 4000,
    "open comments in html": HTML + b"<!--" * 200_000,
    "open styles in html": HTML + b"<style" * 150_000,
    "quote containers": HTML + b'<b class="gmail_quote">' * 2500 + b"x",
    "nulls": HEAD + b"\r\n" + b"\0" * MIB,
    "only headers": b"a:b\r\n" * 10_000,
    "no headers": b"draft governor",
    "nothing": b"",
    "digest of digests": HEAD + b"Content-Type: multipart/digest; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * 5000,
    "bounce": b"From: mailer-daemon@x\r\n\r\n" + b"<a@b>:\n  " * 50_000,
    "long line in a bounce": NOT_REACHED + b"rfc822;" * 9_000,
    "lines in a bounce": NOT_REACHED + (b"rfc822;" * 70 + b"\r\n") * 130,
    "coded line in a bounce": NOT_REACHED.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n", 1)
    + b64encode(b"rfc822;" * 9_000),
    "delivery status": HEAD + b"Content-Type: message/delivery-status\r\n\r\n" + b"Final-Recipient: a\r\n\r\n" * 40_000,
    "surrogates": HEAD + b"Content-Type: text/plain; charset=utf-16\r\n\r\n" + b"\xd8\x00" * 1000,
}


class _Never(Exception):  # noqa: N818
    """Stands in for Exception, so that the net below the parser does not catch its faults."""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_mail_takes_long_or_crashes(name, monkeypatch):
    monkeypatch.setattr(letter_module, "Exception", _Never, raising=False)
    start = time.process_time()
    with suppress(Unreadable):
        read(HOSTILE[name])
    assert time.process_time() - start < SECONDS


def test_many_levels_each_with_many_near_boundaries():
    raw = b"\n--b19x" * 900 + b"y" * (MIB - 20_000)
    for level in reversed(range(MAX_DEPTH)):
        raw = b"Content-Type: multipart/mixed; boundary=b%02d\r\n\r\n--b%02d\r\n" % (level, level) + raw
    start = time.process_time()
    assert read(HEAD + raw).lines
    assert time.process_time() - start < SECONDS


PIECES = st.sampled_from([
    b"From: ", b"a@b.example", b"Subject: ", b"Content-Type: ", b"multipart/mixed; boundary=b", b"text/html",
    b"\r\n",
    b"\n", b"\r", b"--b", b"--b--", b"\r\n\r\n", b"<div>", b"<blockquote>", b"</div>", b"=?utf-8?q?", b"?=",
    b"> ", b"wrote:", b"2027", b"20:00", b"-- ", b"charset=", b"shift_jis", b"; ", b'"', b"(", b"<", b">",
    b"\xff", b"\0",
    b"Content-Transfer-Encoding: base64", b"message/rfc822", b"format=flowed", b"draft governor",
    b"\xe2\x80\xa8",
    b"Content-Type: message/delivery-status\r\n\r\n", b"Status: 5.1.1", b"Final-Recipient: rfc822; a@b",
    b"Action: failed",
])  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.binary(max_size=20)), max_size=60).map(b"".join))
@settings(max_examples=400, deadline=None)
@example(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b")
def test_any_bytes_give_a_letter_or_a_limit(raw):
    letter = read(raw)
    assert [line.number for line in letter.lines] == list(range(1, len(letter.lines) + 1))
    assert all("\n" not in line.text and "\r" not in line.text for line in letter.lines)


# --- text ---


@given(
    st.binary(max_size=200),
    st.sampled_from(["", "utf-8", "shift_jis", "koi8-r", "utf-16", "hex", "x-none", "big5"]),
)
def test_decoding_never_fails(raw, charset):
    assert isinstance(decode_bytes(raw, charset), str)
    assert isinstance(decode_header(raw), str)


def test_damaged_utf8_stays_utf8():
    assert decode_bytes("Québec, Trois-Rivières \xff".encode() + b"\xff", "utf-8").startswith("Québec, Trois-Rivières")


@given(st.text(max_size=500))
def test_plain_text_is_a_fixed_point(text):
    assert plain(plain(text)) == plain(text)


def test_plain_keeps_accents_and_drops_typography():
    assert plain("É\u00a0ﬁ \u201cx\u201d \u2018y\u2019 \u2014 ①\u200b") == "É fi \"x\" 'y' -- (1) "
    assert plain("e\u0301" * 300) == "é" * 300


def test_flowed_quotes_are_joined_and_never_with_answers():
    flowed = HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\n"
    lines = read(
        flowed + b"> a long \r\n> quote \r\ndraft \r\ngovernor\r\n>> deep \r\n> less deep\r\n-- \r\nAnn\r\n"
    ).lines
    assert [(line.text, line.kind) for line in lines] == [
        ("> a long quote", "quote"), ("draft governor", "own"), (">> deep", "quote"), ("> less deep", "quote"),
        ("--", "signature"), ("Ann", "signature"),
    ]  # fmt: skip


def test_an_order_far_below_is_still_read():
    assert own(mail(b"\r\n" * 500 + b"draft governor\r\n"))[-1] == "draft governor"


def test_a_report_with_raw_8bit_headers_is_still_read(caplog):
    raw = "From: MAILER-DAEMON@mx.example.net (Poštář)\r\nSubject: Vráceno\r\n\r\n".encode() + (
        b"Hi. This is the qmail-send program at mx.example.net.\r\n\r\n<bob@example.net>:\r\n550 no such user\r\n"
    )
    bounce = read(raw, mail_from="").bounce
    assert bounce is not None
    assert (bounce.recipients, bounce.permanent) == (("bob@example.net",), True)
    assert not caplog.records


@pytest.mark.parametrize(
    "struck",
    [
        "<s>draft Ships</s>",
        "<del>draft Ships</del>",
        '<span style="text-decoration: line-through">draft Ships</span>',
        '<div style="DISPLAY:none">draft Ships</div>',
        "<p hidden>draft Ships</p>",
    ],
)
def test_what_is_struck_out_or_unseen_is_not_the_writers_word(struck):
    html = f"<html><body><p>draft Militia</p><p>{struck}</p></body></html>"
    raw = f"From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}\r\n"
    letter = read_letter(raw.encode(), rcpt="g@example.org", mail_from="ann@example.org", received_at=datetime.now(UTC))
    assert "draft Militia" in letter.text
    assert "Ships" not in letter.text
