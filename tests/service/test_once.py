"""Each mail has one effect and one answer, however often, by whatever way and in whatever company it comes."""

import smtplib
import threading
from collections.abc import Callable

import pytest
from post_office import ADDRESSES, PostOffice, text_of
from smtp_door import WAIT, smtp_door

from adjudicator.service.receive import receive

RECEIVED = (
    "Received: from a.example.net by b.example.org; Sat, 1 Mar 2031 20:00:{n:02} +0000\r\n"
    "Received: from laptop by a.example.net with ESMTPSA id {n}; Sat, 1 Mar 2031 20:00:00 +0000\r\n"
)
HEAD = "From: Ann <{ann}>\r\nTo: {to}\r\nSubject: Re: my turn\r\nDate: Sat, 1 Mar 2031 20:00:00 +0000\r\n"


def together(*deeds: Callable[[], object]) -> None:
    """Do all at once, each in a thread of its own."""
    start = threading.Barrier(len(deeds))
    faults: list[BaseException] = []

    def run(deed: Callable[[], object]) -> None:
        start.wait(WAIT)
        try:
            deed()
        except BaseException as error:  # noqa: BLE001 - told by the test itself
            faults.append(error)

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert not faults, faults
    assert not any(thread.is_alive() for thread in threads)


def letter(office: PostOffice, body: str, message_id: str | None = "<one@example.org>", more: str = "") -> bytes:
    """A letter of Ann's that answers her newest mail, always with the same Date."""
    asked = office.last("british")
    head = HEAD.format(ann=ADDRESSES["british"], to=asked["Reply-To"])
    head += f"In-Reply-To: {asked['Message-ID']}\r\n" + (f"Message-ID: {message_id}\r\n" if message_id else "")
    return (more + head + "\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()


@pytest.mark.parametrize("message_id", ["<one@example.org>", None], ids=["with a Message-ID", "without"])
@pytest.mark.parametrize("threads", [0, 4], ids=["one after the other", "in threads"])
def test_forty_copies_over_four_connections_are_one_mail(office: PostOffice, threads: int, message_id: str | None):
    office.new_game()
    asked = office.last("british")
    copies = [letter(office, "draft governor\nstop", message_id, RECEIVED.format(n=n)) for n in range(40)]
    replies: list[int] = []
    with smtp_door(office, threads) as door:

        def hand_over(mine: list[bytes]) -> None:
            with smtplib.SMTP("127.0.0.1", door.port, timeout=WAIT) as client:
                client.ehlo("relay.example.net")
                for raw in mine:
                    client.mail(ADDRESSES["british"])
                    client.rcpt(asked["Reply-To"])
                    replies.append(client.data(raw)[0])

        together(*(lambda mine=copies[n::4]: hand_over(mine) for n in range(4)))
        office.deliver()
    assert replies == [250] * 40
    assert office.game().row.moves == 1
    assert office.count("british") == 2
    with office.ledger.read() as tx:
        assert len(tx.letters()) == 1


def test_copies_to_the_desk_that_come_at_one_moment_are_all_taken(office: PostOffice):
    raws = [
        (RECEIVED.format(n=n) + "From: eve@example.com\r\nMessage-ID: <1@example.com>\r\n\r\nhello\r\n").encode()
        for n in range(8)
    ]
    replies = []
    together(
        *(
            lambda raw=raw: replies.append(
                receive(office.config, office.ledger, raw, "games@play.example.org", "eve@example.com", office.now).code
            )
            for raw in raws
        )
    )
    assert replies == [250] * 8
    with office.ledger.read() as tx:
        assert len(tx.letters()) == 1


QUOTED_PRINTABLE = b"\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
BODY = "draft governor\nstop\nnote: café"
SHAPES = {
    "trace headers": lambda raw: RECEIVED.format(n=7).encode() + b"Return-Path: <x@y.example>\r\n" + raw,
    "headers in another order": lambda raw: b"\r\n".join(
        [*sorted(raw.partition(b"\r\n\r\n")[0].split(b"\r\n")), b"", raw.partition(b"\r\n\r\n")[2]]
    ),
    "a filter's marks": lambda raw: b"X-Spam-Status: No\r\nDKIM-Signature: v=1; b=abc\r\n" + raw,
    "header names in capitals": lambda raw: raw.replace(b"From:", b"FROM:").replace(b"Date:", b"DATE:"),
    "a folded Subject": lambda raw: raw.replace(b"Re: my turn", b"Re: my\r\n turn"),
    "an encoded Subject": lambda raw: raw.replace(b"Re: my turn", b"=?utf-8?q?Re=3A_my_turn?="),
    "another name before the address": lambda raw: raw.replace(b"Ann <", b'"Ann A." <'),
    "the address in capitals": lambda raw: raw.replace(b"<ann@", b"<Ann@"),
    "quoted-printable": lambda raw: raw.replace(
        b"\r\n\r\n",
        b"\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
    ).replace("é".encode(), b"=C3=A9"),
    "blank lines at the end": lambda raw: raw + b"\r\n\r\n",
}


@pytest.mark.parametrize("message_id", ["<one@example.org>", None], ids=["with a Message-ID", "without"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", [1, -1], ids=["original first", "copy first"])
def test_a_copy_that_took_another_way_does_nothing(
    sqlite_office: PostOffice, shape: str, message_id: str | None, order: int
):
    office = sqlite_office
    office.new_game()
    asked = office.last("british")
    raw = letter(office, BODY, message_id)
    copy = SHAPES[shape](raw)
    assert copy != raw
    for one in [raw, copy][::order]:
        assert office.post(one, asked["Reply-To"]).code == 250
    assert office.game().row.moves == 1
    assert office.game().seats["british"].notes.count("caf") == 1
    assert office.count("british") == 2


def test_copies_are_told_from_what_only_looks_alike(office: PostOffice):
    """Without a Message-ID another date, subject, answered mail or text makes another mail."""
    office.new_game()
    asked = office.last("british")
    raw = letter(office, "note: x", None)
    others = [
        raw.replace(b"20:00:00", b"20:00:01"),
        raw.replace(b"my turn", b"my other turn"),
        raw.replace(b"note: x", b"note: y"),
    ]
    for number, one in enumerate([raw, *others], 2):
        office.post(one, asked["Reply-To"])
        assert office.count("british") == number


def test_a_copy_in_upper_case_to_the_same_address_is_one(office: PostOffice):
    office.new_game()
    asked = office.last("british")["Reply-To"]
    raw = letter(office, "draft governor\nstop")
    office.post(raw, asked)
    office.post(raw, asked.upper())
    assert office.count("british") == 2


def test_a_copy_after_the_game_went_on_is_still_one(office: PostOffice):
    office.new_game()
    asked = office.last("british")["Reply-To"]
    raw = letter(office, "draft governor")
    office.post(raw, asked)
    office.answer("french", "draft coureurs")
    before = office.game(), office.count("british")
    assert office.post(raw, asked).code == 250
    assert (office.game(), office.count("british")) == before


def test_another_text_under_one_message_id_is_answered_once_whichever_comes_first(office: PostOffice):
    office.new_game()
    asked = office.last("british")["Reply-To"]
    first, second = letter(office, "draft governor\nstop"), letter(office, "draft militia\nstop")
    for raw in (second, first, first, second):
        assert office.post(raw, asked).code == 250
    assert office.game().state.players.british.discard == ("militia",)
    assert office.count("british") == 3
    assert "Message-ID of an earlier one" in text_of(office.last("british"))


def test_two_letters_at_one_moment_are_taken_one_after_the_other(office: PostOffice):
    """Both are orders for the same position: one is carried out, the other answered an older position by then."""
    office.new_game()
    asked = office.last("british")
    raws = [office.letter("british", f"draft {card}\nstop") for card in ("governor", "militia")]
    status = office.letter("french", "status")
    codes = []

    def hand(raw: bytes, rcpt: str) -> None:
        codes.append(receive(office.config, office.ledger, raw, rcpt, "x@example.org", office.now).code)

    together(
        *(lambda raw=raw: hand(raw, asked["Reply-To"]) for raw in raws),
        lambda: hand(status, office.last("french")["Reply-To"]),
    )
    office.deliver()
    assert codes == [250] * 3
    game = office.game()
    assert game.row.moves == 1
    assert game.row.seq == 2
    assert (office.count("british"), office.count("french")) == (3, 2)
    subjects = [mail["Subject"] for mail in office.boxes[ADDRESSES["british"]][1:]]
    assert sum("older position" in subject for subject in subjects) == 1, subjects


def test_both_sides_letters_at_one_moment_lose_nothing(office: PostOffice):
    office.new_game()
    raws = [(office.letter("british", "draft governor"), office.last("british")["Reply-To"])]
    raws += [(office.letter("french", f"note: {n}"), office.last("french")["Reply-To"]) for n in range(6)]
    together(
        *(
            lambda raw=raw, to=to: receive(office.config, office.ledger, raw, to, "x@example.org", office.now)
            for raw, to in raws
        )
    )
    office.deliver()
    notes = office.game().seats["french"].notes.split()
    assert sorted(notes) == [str(n) for n in range(6)]
    assert office.game().state.to_move == "french"
    assert (office.count("british"), office.count("french")) == (2, 8)
