"""`my data` and `erase me`: all of a player, and then nothing of him; the games and the log hold."""

import json
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from desk_people import BEN, EVE, as_sent, got, newest, player, register, reply, told, write
from post_office import PostOffice

from adjudicator.game.verify import verify
from adjudicator.mail.letter import read_letter
from adjudicator.mail.sender import Deferred
from adjudicator.render.inert import assert_inert
from adjudicator.service import personal
from adjudicator.service.config import Config
from adjudicator.service.forgetting import erase
from adjudicator.service.moderate import Warrant
from adjudicator.service.records import export
from adjudicator.service.roster import find_player
from adjudicator.service.stored import stored
from adjudicator.store.side_tables import ALL_TABLES

ZED, NAME = "zebulon.quuxley@example.org", "Zebulon Quuxley"
OLD = "zeb.old@example.net"
TRACES = ("zebulon", "quuxley", "zeb.old", "xylophone", "hush-note", "brandy")
"""What would tell of him: name, addresses, words to others and to himself, the word of an open challenge."""


def played(office: PostOffice) -> None:
    """Zebulon registers, adds an address, plays Ben, writes words and notes, offers a game, and writes much else."""
    office.config = Config(domain="play.example.org", moderators=("moderator@example.org",))
    for address, name in ((ZED, NAME), (BEN, "Ben"), (EVE, "Eve")):
        register(office, address, name)
    write(office, ZED, f"set address add {OLD}")
    reply(office, newest(office, ZED))
    reply(office, newest(office, OLD))
    write(office, ZED, "challenge as British clock 20d")
    reply(office, newest(office, ZED))
    write(office, BEN, "join 1 word SALT")
    reply(office, newest(office, BEN))
    welcome = office.boxes[ZED][-1]
    reply(office, welcome, "note: hush-note\n\non raid: block never\n\npress: I play the xylophone")
    mail = next(one for one in reversed(office.boxes[BEN]) if "xylophone" in told(one))
    quoted = "".join(f"> {line}\n" for line in as_sent(mail).splitlines())
    reply(office, mail, f"press: a xylophone, Zebulon?\n\n{quoted}")
    write(office, ZED, "challenge word brandy")
    reply(office, newest(office, ZED))
    write(office, ZED, "Please help me, I am Zebulon Quuxley", "postmaster@play.example.org")
    write(office, OLD, "help")


def erased(office: PostOffice, address: str = ZED) -> EmailMessage:
    """Let him be forgotten; returns the mail that asked him."""
    write(office, address, "erase me")
    asked = newest(office, address)
    assert reply(office, asked).code == 250
    return asked


def everything(office: PostOffice) -> str:
    """All values of all tables, in lower case."""
    with office.ledger.database.engine.connect() as connection:
        rows = [row for table in ALL_TABLES.sorted_tables for row in connection.execute(table.select())]
    cells = [bytes(cell) if isinstance(cell, memoryview) else cell for row in rows for cell in row]
    return "\n".join(repr(cell) for cell in cells).lower()


@pytest.fixture
def service(office: PostOffice) -> PostOffice:
    played(office)
    return office


def test_nothing_of_him_is_left_and_the_log_and_the_game_hold(service: PostOffice):
    before = everything(service)
    for trace in TRACES:
        assert trace in before, trace
    number = player(service, ZED)
    erased(service)
    after = everything(service)
    assert [trace for trace in TRACES if trace in after] == []
    with service.ledger.read() as tx:
        assert tx.broken_audit() is None
        row = tx.player(number)
        assert row
        assert row.name == f"player {number}"
        assert row.erased_at
        found = tx.game("g1", lock=False)
        assert found
        assert found.game.status == "finished"
        record = export(tx, stored(found))
        (deed,) = [one for one in tx.audit() if one.command == "player erase"]
        assert deed.data == {"player": number, "given_up": ["g1"]}
        assert tx.open_challenges() == []
    verify(record)
    assert record.result
    assert (record.result.winner, record.result.reason) == ("french", "resignation")


def test_the_bytes_are_gone_from_the_file_too(sqlite_office: PostOffice, sqlite_url: str):
    played(sqlite_office)
    erased(sqlite_office)
    sqlite_office.ledger.database.close()  # the last connection takes the write-ahead log with it
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    raw = b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*")).lower()
    assert [trace for trace in TRACES if trace.encode() in raw] == []
    assert b"ben@example.net" in raw


def test_the_mail_that_asks_tells_what_it_means_and_nothing_happens_before(service: PostOffice):
    before = everything(service)
    write(service, ZED, "erase me\nset name Zed")
    mail = newest(service, ZED)
    assert "you are forgotten, for ever" in told(mail)
    assert "opponents win" in told(mail)
    left_out = told(mail).partition("Left out, as nothing is left then that it could be about: ")[2]
    assert left_out.startswith("- your name becomes Zed If you want that instead")
    assert_inert(as_sent(mail))
    with service.ledger.read() as tx:
        assert tx.player(player(service, ZED)).erased_at is None
    assert "zebulon quuxley" in before


def test_the_last_mail_goes_out_and_its_address_is_forgotten(service: PostOffice):
    count = got(service, ZED)
    erased(service)
    last = newest(service, ZED)
    assert got(service, ZED) == count + 2
    assert "You are forgotten here" in last["Subject"]
    assert_inert(as_sent(last))
    service.now += timedelta(days=1)
    assert service.deliver() == 0
    assert got(service, OLD) <= 3


def test_the_opponent_is_told_that_he_won_and_never_the_name_again(service: PostOffice):
    erased(service)
    last = newest(service, BEN)
    assert "game is over" in last["Subject"]
    assert "Zebulon" not in last.as_string()
    assert reply(service, last, "board").code == 250
    assert "Zebulon" not in newest(service, BEN).as_string()


def test_a_mail_that_was_still_to_go_out_names_him_no_more(service: PostOffice):
    welcome = next(one for one in service.boxes[ZED] if "A new game" in one["Subject"])
    deliver, service.deliver = service.deliver, lambda: 0  # type: ignore[method-assign]
    reply(service, welcome, "press: more xylophone\nstatus")
    with service.ledger.begin() as tx:
        posts = erase(service.config, tx, player(service, ZED), Warrant("op", "asked", service.now))
        tx.add_posts(posts)
    service.deliver = deliver  # type: ignore[method-assign]
    count = got(service, BEN)
    service.deliver()
    for mail in service.boxes[BEN][count:]:
        assert "xylophone" not in mail.as_string()
        assert "Zebulon" not in mail.as_string()
    assert got(service, BEN) == count + 1


def test_he_is_a_stranger_afterwards_and_may_come_back(service: PostOffice):
    asked = erased(service)
    assert reply(service, asked).code == 550
    welcome = next(one for one in service.boxes[ZED] if "A new game" in one["Subject"])
    assert reply(service, welcome, "status").code == 550
    register(service, ZED, NAME)
    with service.ledger.read() as tx:
        assert find_player(tx, NAME).row.id == player(service, ZED)
        assert tx.seats_of(player(service, ZED)) == []


def test_copies_of_his_letters_are_still_known(service: PostOffice):
    welcome = next(one for one in service.boxes[ZED] if "A new game" in one["Subject"])
    with service.ledger.read() as tx:
        count = len(tx.letters(limit=1000))
    erased(service)
    with service.ledger.read() as tx:
        letters = tx.letters(limit=1000)
        assert len(letters) == count + 2
        raw = [tx.letter_raw(one.id) for one in letters if one.rcpt == welcome["Reply-To"].lower()]
    assert set(raw) == {b""}


def test_reports_of_his_mails_that_come_back_later_leave_no_trace(service: PostOffice):
    erased(service)
    path = service.paths[newest(service, ZED)["Message-ID"]]
    lines = (
        "From: MAILER-DAEMON@mx.example.org", f"To: {path}", "Message-ID: <r1@mx.example.org>", "Subject: Undelivered",
        "Auto-Submitted: auto-replied",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b", "",
        "--b", "Content-Type: text/plain", "", "No such user",
        "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx", "",
        f"Final-Recipient: rfc822; {ZED}", "Action: failed", "Status: 5.1.1", "", "--b--", "",
    )  # fmt: skip
    report = "\r\n".join(lines)
    assert service.post(report.encode(), path, "").code == 250
    assert "zebulon" not in everything(service)


def test_a_paused_game_is_given_up_too_and_finished_ones_stay(service: PostOffice):
    with service.ledger.begin() as tx:
        found = tx.game("g1")
        row = found.game
        tx.update_game(msgspec.structs.replace(row, status="paused"), row)
    erased(service)
    assert service.game().row.status == "finished"


# my data


def data_of(mail: EmailMessage) -> dict[str, list[dict[str, object]]]:
    (part,) = mail.iter_attachments()
    assert part.get_filename() == "my-data.json"
    return json.loads(part.get_payload(decode=True))


def test_all_that_is_kept_of_him_comes_as_a_file(service: PostOffice):
    write(service, ZED, "my data")
    assert "mailed to this address" in told(newest(service, ZED))
    assert list(newest(service, ZED).iter_attachments()) == []
    reply(service, newest(service, ZED))
    mail = next(one for one in service.boxes[ZED][-2:] if list(one.iter_attachments()))
    assert_inert(as_sent(mail))
    data = data_of(mail)
    assert data["player"][0]["name"] == NAME
    assert [row["address"] for row in data["addresses"]] == [ZED, OLD]
    (seat,) = data["seats"]
    assert (seat["name"], seat["side"], seat["notes"]) == ("g1", "british", "hush-note\n")
    assert "on raid: no block" in str(seat["standing"])
    assert [row["word"] for row in data["challenges"]] == ["", "brandy"]
    assert {row["from_address"] for row in data["letters"]} == {ZED, OLD}
    assert {row["to_address"] for row in data["mails"]} == {ZED, OLD}
    assert [row["command"] for row in data["log"]] == ["challenge open", "challenge open"]


def test_nothing_of_anybody_else_is_in_it(service: PostOffice):
    reply(service, next(m for m in service.boxes[ZED] if "A new game" in m["Subject"]), "note: mine")
    secrets = {}
    with service.ledger.read() as tx:
        found = tx.game("g1", lock=False)
        assert found
        secrets = {found.game.seed.hex(), found.seats["french"].token_key.hex()}
    write(service, ZED, "my data")
    reply(service, newest(service, ZED))
    mail = next(one for one in service.boxes[ZED][-2:] if list(one.iter_attachments()))
    raw = json.dumps(data_of(mail))
    for foreign in ("ben@example.net", "eve@example.com", "Ben", "deck", "hand", "seed", "token", *secrets):
        assert foreign not in raw, foreign


def test_the_file_is_no_order_when_it_comes_back(service: PostOffice):
    write(service, ZED, "my data")
    reply(service, newest(service, ZED))
    mail = next(one for one in service.boxes[ZED][-2:] if list(one.iter_attachments()))
    letter = read_letter(mail.as_bytes(), rcpt="games@play.example.org", mail_from=ZED, received_at=service.now)
    assert "hush-note" not in letter.text


# both at once, and what else stands beside them


def asks_for_both(service: PostOffice, body: str = "my data\nerase me") -> EmailMessage:
    """Ask at the desk; returns the mail that asks back."""
    write(service, ZED, body)
    mail = newest(service, ZED)
    assert_inert(as_sent(mail))
    return mail


@pytest.mark.parametrize("body", ["my data\nerase me", "erase me\n\nmy data"])
def test_the_data_go_out_first_and_then_he_is_forgotten(service: PostOffice, body: str):
    mail = asks_for_both(service, body)
    said = told(mail)
    assert said.index("all that is kept about you is mailed") < said.index("you are forgotten, for ever")
    assert "The data go out first" in said
    count = got(service, ZED)
    reply(service, mail)
    file, farewell = service.boxes[ZED][count:]
    assert data_of(file)["player"][0]["name"] == NAME
    assert "You are forgotten here" in farewell["Subject"]
    after = everything(service)
    assert [trace for trace in TRACES if trace in after] == []


def test_the_data_survive_the_erasure_until_a_relay_takes_them(service: PostOffice):
    mail, send = asks_for_both(service), service.send

    def away(*_: object) -> None:
        raise Deferred("the relay is away")

    service.send = away  # type: ignore[method-assign]
    reply(service, mail)
    service.deliver()
    service.send = send  # type: ignore[method-assign]
    count = got(service, ZED)
    service.now += timedelta(days=1)
    service.deliver()
    assert data_of(service.boxes[ZED][count])["player"][0]["name"] == NAME
    assert got(service, ZED) == count + 2
    assert [trace for trace in TRACES if trace in everything(service)] == []


def test_a_farewell_that_comes_before_the_data_tells_the_truth(service: PostOffice):
    mail, send = asks_for_both(service), service.send

    def full(raw: bytes, mail_from: str, rcpt: str) -> None:
        if b"my-data.json" in raw:
            raise Deferred("no room for so large a mail")
        send(raw, mail_from, rcpt)

    service.send = full  # type: ignore[method-assign]
    reply(service, mail)
    farewell = told(newest(service, ZED))
    assert "You are forgotten here" in newest(service, ZED)["Subject"]
    assert "the last mail" not in farewell
    assert "If you asked for your data as well, they are in a mail of their own, which may come later" in farewell
    service.send = send  # type: ignore[method-assign]
    service.now += timedelta(days=1)
    service.deliver()
    assert data_of(newest(service, ZED))["player"][0]["name"] == NAME


def test_nobody_is_forgotten_whose_data_are_too_large_for_a_mail(service: PostOffice, monkeypatch):
    mail = asks_for_both(service)
    monkeypatch.setattr(personal, "MOST_BYTES", 10)
    reply(service, mail)
    assert "too much for a mail" in told(newest(service, ZED))
    assert "you are not forgotten yet" in told(newest(service, ZED))
    with service.ledger.read() as tx:
        assert tx.player(player(service, ZED)).erased_at is None


def test_data_asked_for_with_the_confirmation_are_to_be_had_too(service: PostOffice):
    write(service, ZED, "erase me")
    count = got(service, ZED)
    reply(service, newest(service, ZED), "confirm\nmy data")
    assert data_of(service.boxes[ZED][count])["player"][0]["name"] == NAME


def test_an_answer_that_adds_the_erasure_leaves_the_rest_out(service: PostOffice):
    write(service, ZED, "set name Zed")
    reply(service, newest(service, ZED), "erase me")
    said = told(newest(service, ZED))
    assert "you are forgotten, for ever" in said
    assert said.index("Left out") < said.index("your name becomes Zed")


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ("challenge edition 1 as French", "you offer this game to everybody"),
        ("join 1", "you take up challenge c1"),
        ("observe g1", "you watch game g1"),
        ("set name Abel", "your name becomes Abel"),
    ],
)
@pytest.mark.parametrize("place", ["desk", "game"])
def test_what_makes_no_sense_beside_it_is_named_as_left_out(service: PostOffice, wish: str, named: str, place: str):
    if place == "desk":
        mail = asks_for_both(service, f"{wish}\nmy data\nerase me")
    else:
        welcome = next(one for one in service.boxes[ZED] if "A new game" in one["Subject"])
        reply(service, welcome, f"{wish}\nmy data\nerase me")
        mail = newest(service, ZED)
        assert_inert(as_sent(mail))
    asked, _, left_out = told(mail).partition("Left out")
    assert "all that is kept about you is mailed" in asked
    assert "you are forgotten, for ever" in asked
    assert named not in asked
    assert named in left_out
    count = got(service, ZED)
    reply(service, mail)
    assert data_of(service.boxes[ZED][count])["player"][0]["name"] == NAME
    assert [trace for trace in TRACES if trace in everything(service)] == []
