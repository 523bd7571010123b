"""Loops: machines are not answered, and what gets past that cannot make the service write faster than its budget."""

from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage

import msgspec
import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.mail.letter import read_letter
from adjudicator.service.config import Config
from adjudicator.service.moderate import Warrant
from adjudicator.service.receive import receive

HOUR = timedelta(hours=1)
BUDGET = 5


@pytest.fixture
def small(office: PostOffice) -> PostOffice:
    """A service that answers an address five times an hour, and a game in it."""
    office.config = Config(domain="play.example.org", answers_per_hour=BUDGET, moderators=("mod@example.org",))
    office.new_game()
    return office


def dates(office: PostOffice, address: str) -> list[datetime]:
    """When the mails that count for an address's budget are dated, those that wait included."""
    with office.ledger.read() as tx:
        posts = [tx.post(line.id) for line in tx.posts(limit=100_000)]
    return sorted(post.created_at for post in posts if post and post.counted and post.to_address == address)


def most_within_an_hour(times: list[datetime]) -> int:
    """The most mails of any hour."""
    return max((sum(begin <= one < begin + HOUR for one in times) for begin in times), default=0)


def ask(office: PostOffice, body: str, times: int, **headers: str) -> None:
    """Ann writes the same again and again, a second apart."""
    for _ in range(times):
        office.now += timedelta(seconds=1) - timedelta(minutes=1)
        assert office.answer("british", body, office.boxes[ADDRESSES["british"]][0], **headers).code == 250


def joined(office: PostOffice, address: str = ADDRESSES["british"]) -> list[EmailMessage]:
    """The joined answers that an address has got."""
    return [mail for mail in office.boxes.get(address, []) if "several mails" in mail["Subject"]]


def test_answers_beyond_the_budget_are_joined_into_one_later(small: PostOffice):
    ask(small, "note: remember", 12)
    assert small.count("british") == 1 + BUDGET
    assert small.game().seats["british"].notes.count("remember") == 12
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small)
    assert small.count("british") == 1 + BUDGET + 1
    assert mail["Reply-To"] == small.boxes[ADDRESSES["british"]][0]["Reply-To"]
    assert text_of(mail).count("it was taken") == 12 - BUDGET
    with small.ledger.read() as tx:
        letters = tx.letters()
    assert [row.answer_id == mail["Message-ID"] for row in letters] == [True] * 7 + [False] * 5
    small.deliver()
    assert small.count("british") == 1 + BUDGET + 1


def test_the_joined_answer_can_be_answered_and_the_budget_comes_back(small: PostOffice):
    ask(small, "status", 8)
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small)
    assert small.answer("british", "draft governor", mail).code == 250
    assert small.game().row.turn == 2
    small.answer("british", "status")
    assert "How the game stands" in small.last("british")["Subject"]


def test_the_budget_is_of_any_hour_and_not_of_the_clock(small: PostOffice):
    for _ in range(90):
        small.now += timedelta(minutes=2)
        small.answer("british", "status")
    small.now += HOUR
    small.deliver()
    times = dates(small, ADDRESSES["british"])
    assert most_within_an_hour(times) == BUDGET
    assert len(times) in (5 * BUDGET, 5 * BUDGET + 1)  # four hours and a half, and one more


def test_moves_are_answered_at_once_and_renew_the_joined_answer(small: PostOffice):
    ask(small, "status", 7)
    before = small.count("british")
    small.answer("british", "draft governor\nstop")
    assert small.count("british") == before + 1
    assert "1 of 1 order applied" in small.last("british")["Subject"]
    newest = small.last("british")["Reply-To"]
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small)
    assert mail["Reply-To"] == newest
    assert "Turn 1" in mail["Subject"]
    assert "the position is" not in mail["Subject"]


def test_the_opponents_move_renews_the_joined_answer_too(small: PostOffice):
    for _ in range(8):
        small.answer("french", "status")
    small.answer("british", "draft governor")
    turn = small.last("french")
    assert "you are to move" in turn["Subject"]
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small, ADDRESSES["french"])
    assert mail["Reply-To"] == turn["Reply-To"]
    assert "You are to move" in text_of(mail)
    assert small.answer("french", "draft coureurs", mail).code == 250
    assert small.game().row.turn == 3


@pytest.mark.parametrize("first", ["the letters", "the half turn"])
def test_an_open_turn_stays_hidden_in_a_joined_answer(small: PostOffice, first: str):
    """Whether the joined answer waits already when the other side begins its turn, or is begun after that."""
    small.answer("british", "draft governor")
    small.answer("french", "draft coureurs")
    seen = small.last("french")

    def position(mail: EmailMessage) -> str:
        return text_of(mail).partition("== On the board")[2].partition("== What is done")[0].partition("== How to")[0]

    assert "British discard pile" in position(seen)
    british = small.last("british")
    for _ in range(BUDGET + 1 if first == "the letters" else BUDGET):
        small.answer("french", "status", seen)
    small.answer("british", "draft militia\nstop", british)
    assert small.game().state.players.british.discard[-1] == "militia"
    if first == "the half turn":
        small.answer("french", "status", seen)
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small, ADDRESSES["french"])
    assert mail["Reply-To"] == seen["Reply-To"]
    assert position(mail) == position(seen)


def test_what_was_refused_is_told_in_the_joined_answer(small: PostOffice):
    ask(small, "status", BUDGET)
    ask(small, "draft governer", 1)
    ask(small, "draft governor\ndraft bateaux", 1)
    ask(small, "check\ndraft governor", 1)
    ask(small, "resign", 1)
    ask(small, "", 1)
    old = small.boxes[ADDRESSES["british"]][0]
    small.answer("british", "draft governor\nstop", old)
    ask(small, "draft militia", 1)
    small.now += HOUR
    small.deliver()
    told = text_of(joined(small)[-1])
    for words in ("governer", "S3.2", "forecast", "give the game up", "no order in it", "older position"):
        assert words in told, words
    assert small.game().row.status == "running"


def test_a_joined_answer_tells_of_the_last_letters_only(small: PostOffice):
    ask(small, "draft governer", 60)
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small)
    assert "35 mails more before these" in text_of(mail)
    assert text_of(mail).count("refused, and nothing") == 20
    assert len(mail.as_bytes()) < 40_000


def test_a_sender_that_has_begun_keeps_the_mail_as_it_was(small: PostOffice):
    """What comes after the first try to send goes into another mail: one Message-ID, one text."""
    ask(small, "note: a", BUDGET + 1)
    small.now += HOUR
    with small.ledger.begin() as tx:
        (first,) = tx.due_posts(small.now, limit=9, lease=timedelta(minutes=5))
    ask(small, "note: b", BUDGET + 2)
    with small.ledger.read() as tx:
        assert tx.post(first.id).report == first.report
    small.now += 2 * HOUR
    small.deliver()
    assert [text_of(mail).count("it was taken") for mail in joined(small)] == [1, 3]


def test_letters_and_budget_are_one_transaction(small: PostOffice, monkeypatch: pytest.MonkeyPatch):
    ask(small, "note: a", BUDGET + 1)
    monkeypatch.setattr("adjudicator.service.mailed.Changes.write", lambda *_: 1 / 0)
    ask(small, "note: b", 1)
    monkeypatch.undo()
    small.now += HOUR
    small.deliver()
    assert text_of(joined(small)[0]).count("it was taken") == 1


def test_words_to_the_opponent_cannot_flood_him(small: PostOffice):
    for number in range(9):
        small.answer("british", f"press: hello {number}\n\npress: and {number} again")
    got = [text_of(mail) for mail in small.boxes[ADDRESSES["french"]][1:]]
    assert len(got) == BUDGET
    assert "hello 0" in got[0]
    assert "and 0 again" in got[0]
    small.now += HOUR
    small.deliver()
    (mail,) = joined(small, ADDRESSES["french"])
    for number in range(BUDGET, 9):
        assert f"hello {number}" in text_of(mail)
        assert f"and {number} again" in text_of(mail)


def test_one_addresss_budget_is_not_anothers_but_of_all_its_games(small: PostOffice):
    small.new_game()
    ask(small, "status", BUDGET)
    small.answer("french", "status")
    assert "How the game stands" in small.last("french")["Subject"]
    second = next(mail for mail in small.boxes[ADDRESSES["british"]] if mail["Subject"].startswith("[g2]"))
    before = small.count("british")
    for _ in range(3):
        small.answer("british", "status", second)
        small.answer("british", "help", small.boxes[ADDRESSES["british"]][0])
    assert small.count("british") == before
    small.now += HOUR
    small.deliver()
    assert sorted(mail["Subject"][:4] for mail in joined(small)) == ["[g1]", "[g2]"]
    assert most_within_an_hour(dates(small, ADDRESSES["british"])) == BUDGET


@pytest.mark.parametrize("budget", [1, 2, 3, 4])
def test_who_plays_both_sides_has_one_budget(office: PostOffice, budget: int):
    """A letter with words to the opponent then makes two mails to one address; such games come by import only."""
    office.config = Config(domain="play.example.org", answers_per_hour=budget)
    office.new_game()
    with office.ledger.begin() as tx:
        seats = office.game().seats
        tx.update_seat(msgspec.structs.replace(seats["french"], player_id=seats["british"].player_id))
    first = office.boxes[ADDRESSES["british"]][0]
    for _ in range(4):
        office.answer("british", "press: hello", first)
    office.now += 2 * HOUR
    office.deliver()
    assert most_within_an_hour(dates(office, ADDRESSES["british"])) == budget


def test_strangers_with_a_right_secret_cannot_flood_its_owner(small: PostOffice):
    asked = small.last("british")
    for number in range(20):
        assert small.answer("british", "hello", asked, From=f"eve{number}@example.com").code == 550
    assert small.count("british") == 1 + BUDGET


def test_our_faults_do_not_flood_the_moderators(small: PostOffice, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("adjudicator.service.receive.answer_letter", lambda *_: 1 / 0)
    ask(small, "status", 20)
    assert len(small.boxes["mod@example.org"]) == BUDGET
    with small.ledger.read() as tx:
        assert len(tx.held()) == 20


def test_a_resent_mail_does_not_spend_the_budget(small: PostOffice):
    ask(small, "status", 1)
    with small.ledger.begin() as tx:
        for line in tx.posts():
            tx.resend(line.id, at=Warrant("mod", "", small.now).now)
    small.deliver()
    ask(small, "status", BUDGET - 1)
    assert not joined(small)


# --- machines ---

AWAY = "I am away from my desk until Monday.\nYour mail has not been forwarded.\n\n-- \nAnn"
QUIET: dict[str, str] = {"Subject": "Thank you for your mail"}
PROPER: list[dict[str, str]] = [
    {"Auto_Submitted": "auto-replied"},
    {"Auto_Submitted": "auto-replied (vacation)"},
    {"Auto_Submitted": "Auto-Generated; owner-email=x@y.example"},
    {"Precedence": "bulk"},
    {"Precedence": "auto_reply"},
    {"X_Autoreply": "yes"},
    {"X_Autorespond": "yes"},
    {"X_Auto_Response_Suppress": "All"},
    {"List_Id": "<away.example.org>"},
    {"Subject": "Automatische Antwort: [g1] Turn 1"},
    {"Subject": "Out of office: [g1] Turn 1"},
    {"Content_Type": "multipart/report; report-type=disposition-notification; boundary=x"},
]


@pytest.mark.parametrize("headers", PROPER, ids=lambda headers: next(iter(headers.values()))[:30])
def test_an_absence_notice_to_every_mail_gets_not_one_in_return(sqlite_office: PostOffice, headers: dict[str, str]):
    office = sqlite_office
    office.new_game()
    for mail in list(office.boxes[ADDRESSES["british"]]):
        assert office.answer("british", AWAY, mail, **headers).code == 250
    assert office.count("british") == 1
    with office.ledger.read() as tx:
        assert [row.outcome for row in tx.letters()] == ["automatic"]


@pytest.mark.parametrize("sender", ["eve@example.com", "crm+8731@example.com"])
def test_an_automatic_mail_from_elsewhere_is_no_cause_for_a_notice(office: PostOffice, sender: str):
    """An answering machine that writes from ever new addresses would else be answered for ever."""
    office.new_game()
    assert office.answer("british", AWAY, From=sender, Auto_Submitted="auto-replied").code == 250
    assert office.count("british") == 1
    assert office.game().row.moves == 0


def test_an_absence_notice_to_the_envelope_sender_is_noted(office: PostOffice):
    """RFC 3834 section 4 sends it there."""
    office.new_game()
    mail = office.last("british")
    raw = office.letter("british", AWAY, mail, Auto_Submitted="auto-replied")
    assert office.post(raw, office.paths[mail["Message-ID"]], "").code == 250
    assert office.count("british") == 1
    with office.ledger.read() as tx:
        assert tx.address(ADDRESSES["british"]).bounced_at is None


def strip(raw: bytes, *names: str) -> bytes:
    """A mail without some of its headers."""
    head, _, body = raw.partition(b"\r\n\r\n")
    lost = tuple(f"{name.lower()}:".encode() for name in names)
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(lost)]
    return b"\r\n".join(kept) + b"\r\n\r\n" + body


MARKS = ("Auto-Submitted", "X-Auto-Response-Suppress")


@pytest.mark.parametrize("auth", ["token", "token+from"])
@pytest.mark.parametrize("where", ["reply", "games@play.example.org", "bounce"])
def test_our_own_mails_coming_home_are_noted(office: PostOffice, auth: str, where: str):
    """By a forwarding rule, as they are; or with all marks of a machine lost on the way."""
    office.config = Config(domain="play.example.org", auth=auth)
    office.new_game()
    mail = office.last("british")
    path = office.paths[mail["Message-ID"]]
    rcpt = {"reply": mail["Reply-To"], "bounce": path}.get(where, where)
    for lost in ((), MARKS, (*MARKS, "Message-ID")):
        raw = strip(office.sent[0], *lost)
        expected = 550 if where == "bounce" and lost else 250  # not for people
        assert office.post(raw, rcpt, path).code == expected, lost
    assert set(office.boxes) == set(ADDRESSES.values())
    assert (office.count("british"), office.count("french")) == (1, 1)


def test_a_message_id_that_only_looks_like_ours_is_a_persons(office: PostOffice):
    office.new_game()
    office.answer("british", "status", Message_ID="<made.up@play.example.org>")
    assert office.count("british") == 2


def test_a_copy_of_our_mail_from_the_player_is_noted(office: PostOffice):
    """Sent on by hand with its Message-ID kept ("redirect"): the From of such a mail is ours or the player's."""
    office.new_game()
    mail = office.last("british")
    office.answer("british", "draft governor", Message_ID=mail["Message-ID"])
    assert office.count("british") == 1
    assert office.game().row.moves == 0


def test_no_subject_of_ours_makes_a_mail_automatic(office: PostOffice):
    """Answers keep our subjects: a player must not be taken for a machine because of them."""
    office.new_game()
    for body in (
        "status", "board", "history", "help", "rules siege", "resign", "draft governor\nstop", "draft x",
        "check\ndraft militia", "note: x", "draft militia", "pass",
    ):  # fmt: skip
        office.answer("british", body)
    office.answer("french", "press: hello", From="eve@example.com")
    office.answer("french", "resign")
    office.answer("french", "confirm")
    subjects = {mail["Subject"] for box in office.boxes.values() for mail in box}
    assert len(subjects) > 12
    for subject in subjects:
        for prefix in ("", "Re: ", "AW: ", "Sv: RE: ", "Fwd: "):
            raw = f"From: ann@example.org\r\nSubject: {prefix}{subject}\r\n\r\nhello\r\n".encode()
            letter = read_letter(raw, rcpt="x@play.example.org", mail_from="ann@example.org", received_at=office.now)
            assert letter.automatic is None, prefix + subject


# --- two machines against the service ---

Machine = Callable[[PostOffice, EmailMessage, int], tuple[bytes, str]]
"""What a machine writes about a mail in a round, and to whom."""


def proper(office: PostOffice, mail: EmailMessage, _: int) -> tuple[bytes, str]:
    """A vacation program by the book."""
    return reply(office, mail, AWAY, {"Auto-Submitted": "auto-replied", "Precedence": "bulk"}), mail["Reply-To"]


def rude(office: PostOffice, mail: EmailMessage, _: int) -> tuple[bytes, str]:
    """One that nothing tells from a person, and that answers each mail."""
    return reply(office, mail, AWAY, QUIET), mail["Reply-To"]


def ticket_system(office: PostOffice, mail: EmailMessage, number: int) -> tuple[bytes, str]:
    """One with a new sender, a new subject and a quotation in each mail."""
    body = f"Your request [#{number}] was opened.\n\n> " + text_of(mail).replace("\n", "\n> ")[:3000]
    headers = {"Subject": f"[#{number}] {mail['Subject']}", "From": f"ticket+{number}@example.com"}
    return reply(office, mail, body, headers), mail["Reply-To"]


def parrot(office: PostOffice, mail: EmailMessage, _: int) -> tuple[bytes, str]:
    """One that sends every text back as its own, and words for the opponent besides."""
    return reply(office, mail, "press: ping\n\n" + text_of(mail), QUIET), mail["Reply-To"]


def reply(office: PostOffice, mail: EmailMessage, body: str, headers: dict[str, str]) -> bytes:
    """The bytes of a machine's answer."""
    lines = {
        "From": f"<{mail['To']}>",
        "To": mail["Reply-To"],
        "Subject": f"Re: {mail['Subject']}",
        "Message-ID": f"<m{next(office.numbers)}@example.org>",
        "In-Reply-To": mail["Message-ID"],
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return (head + "\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()


def run(office: PostOffice, machine: Machine, rounds: int, step: timedelta) -> int:
    """Let both seats' machines answer each mail that they get; returns how many letters that were."""
    read = dict.fromkeys(ADDRESSES.values(), 0)
    written = 0
    for number in range(rounds):
        for address in read:
            fresh = office.boxes[address][read[address] :]
            read[address] += len(fresh)
            for mail in fresh:
                raw, rcpt = machine(office, mail, number)
                receive(office.config, office.ledger, raw, rcpt, address, office.now)
                written += 1
        office.now += step
        office.deliver()
    return written


@pytest.mark.parametrize("auth", ["token", "token+from"])
@pytest.mark.parametrize("machine", [rude, ticket_system, parrot])
@pytest.mark.parametrize("step", [timedelta(seconds=1), timedelta(minutes=3)], ids=["a second", "three minutes"])
def test_two_machines_stay_within_the_budget(sqlite_office: PostOffice, machine: Machine, step: timedelta, auth: str):
    office = sqlite_office
    office.config = Config(domain="play.example.org", auth=auth, answers_per_hour=BUDGET)
    office.new_game()
    start = office.now
    run(office, machine, 200, step)
    hours = (office.now - start) / HOUR
    for address in ADDRESSES.values():
        times = dates(office, address)
        assert most_within_an_hour(times) <= BUDGET
        assert len(office.boxes[address]) - 1 <= BUDGET * (hours + 1)
    assert office.game().row.moves == 0


def test_the_default_budget_holds_a_loop_of_hours(sqlite_office: PostOffice):
    office = sqlite_office
    office.new_game()
    written = run(office, rude, 200, timedelta(minutes=1))
    assert written <= 2 * (1 + 30 * 4)
    for address in ADDRESSES.values():
        assert most_within_an_hour(dates(office, address)) <= 30
        assert 90 < len(office.boxes[address]) <= 1 + 30 * 4


def test_two_vacation_programs_by_the_book_are_never_answered(office: PostOffice):
    office.new_game()
    assert run(office, proper, 200, timedelta(minutes=1)) == 2
    assert (office.count("british"), office.count("french")) == (1, 1)


def test_two_services_do_not_talk_to_each_other(sqlite_office: PostOffice, tmp_path):
    """One's mail at the other's desk is automatic, whichever began."""
    office = sqlite_office
    office.new_game()
    for raw in list(office.sent):
        foreign = raw.replace(b"play.example.org", b"other.example.net")
        assert office.post(foreign, "games@play.example.org", "bounce.x@other.example.net").code == 250
    assert set(office.boxes) == set(ADDRESSES.values())
