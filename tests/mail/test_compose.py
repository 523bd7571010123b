"""Writing mails: round trips through the standard library and through our own reader."""

import email
import email.header
import email.policy
import email.utils
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.compose import Outgoing, compose
from adjudicator.mail.letter import read_letter

POST = Outgoing(
    from_address="games@example.org",
    from_name="A Few Acres",
    to_address="ann@example.net",
    reply_to="game-17.abcd2345@example.org",
    subject="[Game 17] Turn 4",
    message_id="<17.4.british@example.org>",
    date=datetime(2027, 1, 1, 20, 0, tzinfo=timezone(timedelta(hours=1))),
    text="It is your turn.\n",
    in_reply_to="<1@example.net>",
    references=("<17.3.british@example.org>", "<1@example.net>"),
    auto_submitted="auto-replied",
    language="hu",
)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def composed(**changes):
    return compose(msgspec.structs.replace(POST, **changes))


def parsed(**changes):
    return email.message_from_bytes(composed(**changes), policy=email.policy.SMTP)


def content(part):
    return part.get_content().replace("\r\n", "\n")


def our_reading(**changes):
    return read_letter(composed(**changes), rcpt="x@example.org", mail_from="x@example.org", received_at=POST.date)


def test_every_header_is_there():
    mail = parsed()
    expected = {
        "Date": "Fri, 01 Jan 2027 20:00:00 +0100",
        "From": "A Few Acres <games@example.org>",
        "To": "ann@example.net",
        "Reply-To": "game-17.abcd2345@example.org",
        "Subject": "[Game 17] Turn 4",
        "Message-ID": "<17.4.british@example.org>",
        "In-Reply-To": "<1@example.net>",
        "References": "<17.3.british@example.org> <1@example.net>",
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "All",
        "Content-Language": "hu",
        "MIME-Version": "1.0",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "7bit",
    }
    assert {name: str(value) for name, value in mail.items()} == expected
    assert content(mail) == "It is your turn.\n"


def test_our_own_mail_is_automatic_to_us():
    assert our_reading().automatic == "Auto-Submitted: auto-replied"


def test_the_same_post_gives_the_same_bytes():
    assert composed(html="<p>x", images=(("map", PNG),)) == composed(html="<p>x", images=(("map", PNG),))


# All text that a header may hold: no controls, no surrogates, no line ends.
HEADER_TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf", "Cn", "Co")), max_size=120)
HUNGARIAN_WORDS = st.lists(
    st.sampled_from(["nyolc", "óra", "játék", "Ősz", "türelem", "日本の", "ゲーム"]), max_size=40
)


def one_line(text):
    return " ".join(text.split())


@given(st.one_of(HEADER_TEXT, HUNGARIAN_WORDS.map(" ".join)))
def test_any_subject_comes_back(subject):
    assert one_line(str(parsed(subject=subject)["Subject"] or "")) == one_line(subject)
    assert our_reading(subject=subject).subject == one_line(subject)


@given(HEADER_TEXT)
def test_any_name_comes_back(name):
    # The legacy reader: the newer one puts blanks between the encoded words of a name.
    value = email.message_from_bytes(composed(from_name=name))["From"]
    phrase, address = email.utils.parseaddr("".join(value.splitlines()))
    phrase = str(email.header.make_header(email.header.decode_header(phrase)))
    assert (one_line(phrase), address) == (one_line(name), POST.from_address)
    letter = our_reading(from_name=name)
    assert (letter.from_name, letter.from_address) == (one_line(name), POST.from_address)


BODY_TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\r\x85\u2028\u2029"))


@given(BODY_TEXT)
def test_any_text_comes_back(text):
    raw = composed(text=text)
    mail = email.message_from_bytes(raw, policy=email.policy.SMTP)
    payload = mail.get_payload(decode=True).decode("utf-8").replace("\r\n", "\n")
    assert payload.rstrip("\n") == text.rstrip("\n")
    check_lines(raw)


@given(st.lists(st.sampled_from([".", "..", "From x", " ", "-- ", "=", "=_", "é", "a" * 300, "日" * 200]), max_size=30))
def test_lines_that_servers_tamper_with_come_back(pieces):
    for text in ("".join(pieces), "\n".join(pieces)):
        payload = parsed(text=text).get_payload(decode=True).decode("utf-8").replace("\r\n", "\n")
        assert payload.rstrip("\n") == text.rstrip("\n")
        check_lines(composed(text=text))


def check_lines(raw):
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert raw.endswith(b"\r\n")


def test_long_ascii_lines_are_encoded_and_short_ones_are_not():
    assert b"7bit" in composed(text="x" * 990)
    assert b"quoted-printable" in composed(text="x" * 991)


@given(st.binary(max_size=3000))
def test_any_picture_comes_back(data):
    mail = parsed(html='<img src="cid:map">', images=(("map", PNG + data),))
    plain, related = mail.iter_parts()
    page, picture = related.iter_parts()
    assert (mail.get_content_type(), related.get_content_type()) == (
        "multipart/alternative",
        "multipart/related",
    )
    assert (plain.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
    assert picture.get_content() == PNG + data
    assert (picture.get_content_type(), picture["Content-ID"]) == ("image/png", "<map>")
    check_lines(composed(html='<img src="cid:map">', images=(("map", PNG + data),)))


def test_html_stands_beside_the_text():
    plain, page = parsed(html="<p>játék</p>").iter_parts()
    assert content(plain) == "It is your turn.\n"
    assert content(page) == "<p>játék</p>\n"


def test_pictures_without_html_are_attached():
    plain, picture = parsed(images=(("map", PNG),)).iter_parts()
    assert (plain.get_content_type(), picture.get_content()) == ("text/plain", PNG)


def test_a_text_that_holds_the_boundary_does_not_cut_the_mail():
    boundary = parsed(html="x").get_boundary()
    plain, _page = parsed(html="x", text=f"--{boundary}\nx\n--{boundary}--\n").iter_parts()
    assert content(plain) == f"--{boundary}\nx\n--{boundary}--\n"


def test_an_address_beyond_ascii_is_written_as_utf8():
    assert our_reading(from_address="játék@példa.example").from_address == "játék@példa.example"


ADDRESSES = ("from_address", "to_address", "reply_to", "message_id", "language")


@pytest.mark.parametrize("field", [*ADDRESSES, "from_name", "subject"])
@pytest.mark.parametrize("bad", ["\r", "\n", "\r\nBcc: eve@example.net", "\0", "\x0b", "\u2028", "\ud800", "\x85"])
def test_no_header_can_be_injected(field, bad):
    with pytest.raises(ValueError, match="control character"):
        composed(**{field: getattr(POST, field) + bad})


@pytest.mark.parametrize("bad", ["\n", "\r\nX: y"])
def test_no_header_can_be_injected_by_lists(bad):
    with pytest.raises(ValueError, match="control character"):
        composed(html="x", images=(("map" + bad, PNG),))


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("to_address", "ann"),
        ("to_address", "ann@example.net, eve@example.net"),
        ("to_address", "<ann@example.net>"),
        ("from_address", "ann@@example.net"),
        ("reply_to", "ann eve@example.net"),
        ("message_id", "1@example.net"),
        ("language", "en; x"),
        ("date", datetime(2027, 1, 1)),  # noqa: DTZ001 - a naive date is what must be refused
    ],
)
def test_malformed_values_are_refused(field, bad):
    with pytest.raises(ValueError, match=r"header|aware"):
        composed(**{field: bad})


def test_dates_are_written_with_their_zone():
    assert str(parsed(date=datetime(2027, 7, 1, tzinfo=UTC))["Date"]) == "Thu, 01 Jul 2027 00:00:00 +0000"


BAD_IDS = [
    "<a b@c>",
    "<<a@b>",
    "a@b",
    "",
    "<a@b>\r\nBcc: eve@example.net",
    "<a@b\x00>",
    "<" + "x" * 901 + ">",
    "<a@b> <c@d>",
]


@pytest.mark.parametrize("bad", BAD_IDS)
def test_what_others_made_of_an_id_is_left_out_and_the_mail_goes_out(bad):
    found = parsed(in_reply_to=bad, references=(bad, "<1@example.net>", bad))
    assert found["In-Reply-To"] is None
    assert found["References"] == "<1@example.net>"
    assert found["Bcc"] is None
    assert parsed(references=(bad,))["References"] is None


def test_a_file_comes_as_an_attachment_and_is_no_text_of_the_mail():
    data = ('{"note": "pass"}' * 500).encode()
    (part,) = parsed(files=(("my-data.json", data),)).iter_attachments()
    assert (part.get_filename(), part.get_content_type()) == ("my-data.json", "application/json")
    assert part.get_payload(decode=True) == data
    assert "pass" not in our_reading(files=(("my-data.json", data),)).text
    with pytest.raises(ValueError, match="cannot stand in a header"):
        composed(files=(('a"b', data),))
