"""Mails that come back: which reports count, whom they concern, and how an address works again."""

import threading
from datetime import timedelta

import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.mail.sender import Deferred, Rejected
from adjudicator.service import moderate
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.door import Door
from adjudicator.service.receive import receive
from adjudicator.service.stuck import still

MODERATOR = "mod@example.org"
ANN, BEN = ADDRESSES["british"], ADDRESSES["french"]

STANDARD = """From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{id}@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b17

--b17
Content-Type: text/plain; charset=utf-8

Undelivered.
draft governor

--b17
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; somebody@elsewhere.example
Action: {action}
Status: {status}

--b17
Content-Type: message/rfc822

From: games@play.example.org
Message-ID: <whatever@play.example.org>

draft governor
--b17--
"""
QMAIL = """From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: failure notice
Message-ID: <{id}@mx.example.net>

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ben@example.net>:
Sorry, no mailbox here by that name. (#5.1.1)
"""


@pytest.fixture
def watched(office: PostOffice) -> PostOffice:
    """A service with a moderator, and a game in it."""
    office.config = Config(domain="play.example.org", moderators=(MODERATOR,))
    office.new_game()
    return office


def come_back(
    office: PostOffice,
    address: str,
    status: str = "5.1.1",
    action: str = "failed",
    form: str = STANDARD,
    number: int = -1,
    path: str = "",
) -> int:
    """Let a mail to an address (the newest) come back; returns the code of the reply."""
    to = office.paths[office.boxes[address][number]["Message-ID"]]
    text = form.format(to=to, status=status, action=action, id=next(office.numbers))
    return office.post(text.replace("\n", "\r\n").encode(), to, path).code


def marked(office: PostOffice, address: str) -> bool:
    with office.ledger.read() as tx:
        row = tx.address(address)
    assert row
    return row.bounced_at is not None


def waiting(office: PostOffice) -> list[str]:
    with office.ledger.read() as tx:
        return [line.to_address for line in tx.unsent_posts()]


@pytest.mark.parametrize("form", [STANDARD, QMAIL], ids=["standard", "qmail"])
def test_a_permanent_failure_stops_mail_and_tells_who_has_to_know(watched: PostOffice, form: str):
    office = watched
    assert come_back(office, BEN, form=form) == 250
    assert marked(office, BEN)
    assert not marked(office, ANN)
    (alarm,) = office.boxes[MODERATOR]
    assert BEN in text_of(alarm)
    office.answer("british", "draft governor")
    assert office.count("french") == 1
    assert waiting(office) == []
    assert office.game().row.turn == 2
    told = text_of(office.last("british"))
    assert "Mail to your opponent does not arrive at present. The moderators know." in told
    assert BEN not in told
    assert "5.1.1" not in told


def test_the_next_letter_clears_it_and_brings_the_newest_position(watched: PostOffice):
    office = watched
    come_back(office, BEN)
    office.answer("british", "draft governor")
    old = office.last("french")
    office.answer("french", "draft coureurs", old)
    assert not marked(office, BEN)
    mail = office.last("french")
    assert "older position" in mail["Subject"]
    assert "You are to move" in text_of(mail)
    assert office.count("french") == 2
    office.answer("french", "draft coureurs", mail)
    assert office.game().row.turn == 3
    assert "does not arrive" not in text_of(office.last("british"))


@pytest.mark.parametrize("body", ["help", "resign", "rules siege"])
def test_an_answer_without_the_position_is_followed_by_it(watched: PostOffice, body: str):
    office = watched
    come_back(office, BEN)
    office.answer("british", "draft governor")
    office.answer("french", body, office.last("french"))
    assert office.count("french") == 3
    mail = office.last("french")
    assert "mail to you works again" in mail["Subject"]
    office.answer("french", "draft coureurs", mail)
    assert office.game().row.turn == 3
    assert office.count("french") == 4


def test_his_other_games_are_told_too(watched: PostOffice):
    office = watched
    office.new_game()
    office.new_game()
    mails = {mail["Subject"][1:3]: mail for mail in office.boxes[ANN]}
    come_back(office, BEN)
    office.answer("british", "draft governor", mails["g2"])
    with office.ledger.begin() as tx:
        looked = {"command": "game show", "why": "a dispute about cards"}
        tx.add_audit(at=office.now, who="moderator", game_id=office.game("g3").row.id, **looked)
    office.answer("british", "resign", mails["g3"])
    office.answer("british", "confirm")
    assert office.game("g3").row.status == "finished"
    before = office.count("french")
    assert before == 3
    office.answer("french", "draft coureurs", office.boxes[BEN][0])  # his turn has not come in g1
    subjects = [mail["Subject"] for mail in office.boxes[BEN][before:]]
    assert sorted(subject[:4] for subject in subjects) == ["[g1]", "[g2]", "[g3]"]
    by_game = {subject[1:3]: mail for subject, mail in zip(subjects, office.boxes[BEN][before:], strict=True)}
    assert "You are to move" in text_of(by_game["g2"])
    assert "French win" in by_game["g3"]["Subject"]
    assert office.game("g3").row.seed.hex() in text_of(by_game["g3"])
    assert "UTC: a dispute about cards" in text_of(by_game["g3"])
    office.answer("french", "draft coureurs", by_game["g2"])
    assert office.game("g2").row.turn == 3


@pytest.mark.parametrize(
    ("status", "action"),
    [("4.2.2", "failed"), ("4.4.7", "failed"), ("4.4.1", "delayed"), ("5.1.1", "delayed"), ("2.0.0", "delivered")],
)
def test_a_temporary_failure_does_nothing_lasting(watched: PostOffice, status: str, action: str):
    office = watched
    assert come_back(office, BEN, status, action) == 250
    assert not marked(office, BEN)
    assert MODERATOR not in office.boxes
    office.answer("british", "draft governor")
    assert office.count("french") == 2


def test_what_waits_in_the_outbox_is_given_up(watched: PostOffice):
    office = watched
    office.deliver = lambda: 0  # type: ignore[method-assign]
    office.answer("british", "draft governor")
    come_back(office, BEN)
    assert waiting(office) == [MODERATOR, ANN]
    with office.ledger.read() as tx:
        (failed,) = [line for line in tx.posts() if line.failed_at]
    assert failed.to_address == BEN
    assert "comes back: 5.1.1" in (failed.last_error or "")


def test_many_reports_are_one_alarm(watched: PostOffice):
    office = watched
    for _ in range(3):
        come_back(office, BEN)
    assert len(office.boxes[MODERATOR]) == 1
    office.answer("french", "status")
    come_back(office, BEN, number=0)
    assert not marked(office, BEN), "a mail from before he wrote"
    assert len(office.boxes[MODERATOR]) == 1
    come_back(office, BEN)
    assert marked(office, BEN)
    assert len(office.boxes[MODERATOR]) == 2


def test_a_copy_of_a_report_does_nothing(watched: PostOffice):
    office = watched
    to = office.paths[office.last("french")["Message-ID"]]
    raw = STANDARD.format(to=to, status="5.1.1", action="failed", id=1).replace("\n", "\r\n").encode()
    for one in (raw, b"Received: from x by y; Sat, 1 Mar 2031 20:00:00 +0000\r\n" + raw):
        assert office.post(one, to, "").code == 250
    with office.ledger.read() as tx:
        assert [row.outcome for row in tx.letters()] == ["bounce"]


def test_a_report_needs_the_secret_envelope_sender(watched: PostOffice):
    """A guess is refused at RCPT and at DATA; reports to other addresses of ours mark nobody."""
    office = watched
    door = Door(office.config, office.ledger)
    right = office.paths[office.last("french")["Message-ID"]]
    guess = f"bounce.{'0' * 32}@play.example.org"
    assert door.knows(right)
    assert door.knows(right.upper())
    assert not door.knows(guess)
    raw = STANDARD.format(to=guess, status="5.1.1", action="failed", id=1).replace("\n", "\r\n").encode()
    assert office.post(raw, guess, "").code == 550
    for rcpt in ("games@play.example.org", office.last("french")["Reply-To"]):
        assert office.post(raw, rcpt, "").code == 250
    assert not marked(office, BEN)
    assert set(office.boxes) == {ANN, BEN}


@pytest.mark.parametrize("sender", [BEN, "eve@example.com"])
def test_a_person_who_writes_to_the_envelope_sender_is_told_so(watched: PostOffice, sender: str):
    office = watched
    to = office.paths[office.last("french")["Message-ID"]]
    raw = office.letter("french", "draft governor", From=sender, To=to)
    assert office.post(raw, to, sender).code == 550
    assert office.count("french") == 1
    assert not marked(office, BEN)


def test_automatic_mail_and_strangers_clear_nothing(watched: PostOffice):
    office = watched
    come_back(office, BEN)
    office.answer("french", "draft governor", Auto_Submitted="auto-replied")
    assert office.answer("french", "draft governor", From="eve@example.com").code == 550
    raw = f"From: {BEN}\r\nMessage-ID: <x@example.net>\r\n\r\nhelp\r\n".encode()
    office.post(raw, "games@play.example.org", BEN)
    assert marked(office, BEN)
    assert [mail["Subject"] for mail in office.boxes[BEN] if mail["Subject"].startswith("[g1]")] == [
        office.boxes[BEN][0]["Subject"]
    ]


def test_another_address_that_works_gets_the_mails(watched: PostOffice):
    office = watched
    with office.ledger.begin() as tx:
        tx.add_address(tx.address(BEN).player_id, "ben@work.example", verified_at=office.now)
    come_back(office, BEN)
    (mail,) = office.boxes["ben@work.example"]
    assert "mail to you works again" in mail["Subject"]
    office.answer("british", "draft governor")
    assert office.count("french") == 1
    assert "You are to move" in text_of(office.boxes["ben@work.example"][-1])
    assert "does not arrive" not in text_of(office.last("british"))
    office.answer("french", "draft coureurs", office.boxes["ben@work.example"][-1], From="ben@work.example")
    assert office.game().row.turn == 3
    assert marked(office, BEN), "a letter from elsewhere says nothing of it"
    come_back(office, "ben@work.example")
    assert "does not arrive" not in text_of(office.last("british"))
    office.answer("british", "status")
    assert "does not arrive" in text_of(office.last("british"))


def test_with_auth_token_any_letter_with_the_secret_clears_it(watched: PostOffice):
    office = watched
    office.config = Config(domain="play.example.org", auth="token")
    come_back(office, BEN)
    office.answer("french", "status", From="ben+phone@example.net")
    assert not marked(office, BEN)


def test_with_auth_token_a_player_clears_no_address_but_his_own(watched: PostOffice):
    office = watched
    office.config = Config(domain="play.example.org", auth="token")
    come_back(office, BEN)
    office.answer("british", "status", From=BEN)
    assert marked(office, BEN)


def test_a_moderators_own_address_that_bounces_makes_no_loop(watched: PostOffice):
    office = watched
    come_back(office, BEN)
    for _ in range(5):
        come_back(office, MODERATOR)
    assert len(office.boxes[MODERATOR]) == 2


def test_a_strangers_address_that_bounces_troubles_nobody(watched: PostOffice):
    office = watched
    office.post(b"From: eve@example.com\r\n\r\nhello\r\n", "games@play.example.org", "eve@example.com")
    assert come_back(office, "eve@example.com") == 250
    assert MODERATOR not in office.boxes


def test_an_address_that_is_cleared_while_a_letter_waits_gets_its_mail(watched: PostOffice):
    """Addresses have no lock: what the letter has read of them, before it waited for the game, may be old."""
    office = watched
    come_back(office, BEN)
    raw, to = office.letter("british", "draft governor"), office.last("british")["Reply-To"]
    waiting = threading.Thread(target=receive, args=(office.config, office.ledger, raw, to, ANN, office.now))
    with office.ledger.begin() as tx:
        tx.game("g1")
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        tx.clear_address(BEN, at=office.now)
    waiting.join(20)
    office.deliver()
    assert office.game().row.turn == 2
    assert "you are to move" in office.last("french")["Subject"]


class Relay:
    """A relay that refuses one address, as it is told to."""

    def __init__(self, office: PostOffice, fault: Exception) -> None:
        self.office, self.fault = office, fault

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        if rcpt == BEN:
            raise self.fault
        self.office.send(raw, mail_from, rcpt)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("fault", "bad"),
    [
        (Rejected("550 5.1.1 no such user", no_such_box=True), True),
        (Rejected("554 5.7.1 we do not like this mail"), False),
        (Deferred("451 4.7.1 greylisted"), False),
    ],
)
def test_a_box_that_the_relay_does_not_know_is_marked(watched: PostOffice, fault: Exception, *, bad: bool):
    office = watched
    office.deliver = lambda: 0  # type: ignore[method-assign]
    office.answer("british", "draft governor")
    deliver(office.config, office.ledger, Relay(office, fault), office.now)
    assert marked(office, BEN) == bad
    deliver(office.config, office.ledger, office, office.now)
    assert (MODERATOR in office.boxes) == bad


def test_a_report_is_kept_with_its_game_and_hidden_with_it(watched: PostOffice):
    """It holds a copy of a mail that only its reader may see."""
    office = watched
    come_back(office, BEN)
    game = office.game()
    with office.ledger.read() as tx:
        (row,) = tx.letters(game_id=game.row.id)
    assert (row.outcome, row.side) == ("bounce", "french")


def test_stuck_games_are_listed(watched: PostOffice):
    office = watched
    office.new_game()

    def stuck() -> list[str]:
        with office.ledger.read() as tx:
            return [name for name, why in still(tx, moderate.games(tx), watched.now).items() if why]

    assert stuck() == []
    come_back(office, BEN)
    assert stuck() == ["g1", "g2"]
    office.answer("british", "resign", office.boxes[ANN][0])
    office.answer("british", "confirm")
    assert stuck() == ["g2"]
    office.answer("french", "status", office.boxes[BEN][0])
    assert stuck() == []


def test_a_joined_answer_to_an_address_that_fails_is_given_up_too(watched: PostOffice):
    office = watched
    office.config = Config(domain="play.example.org", answers_per_hour=2)
    for _ in range(4):
        office.answer("french", "status")
    come_back(office, BEN)
    office.now += timedelta(hours=2)
    office.deliver()
    assert office.count("french") == 3
    office.answer("french", "status")
    assert office.count("french") == 4
