"""A season in made-up time: that it can be played, and that what watches over it sees what a worse service would do."""

import json
import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from adjudicator.cli import app
from adjudicator.errors import UsageError
from adjudicator.game.model import BySide
from adjudicator.league.clock import parse_clock
from adjudicator.mail.letter import read_letter
from adjudicator.mail.sender import Deferred, Rejected
from adjudicator.service.addresses import reply_address
from adjudicator.service.config import Config
from adjudicator.service.start import Wish, start_game
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.stress import mail_program, network, people
from adjudicator.stress import season as seasons
from adjudicator.stress.account import DAY, Account, Accounts, counted, weekends
from adjudicator.stress.network import Mailbox, Network, Span, delivery_report
from adjudicator.stress.people import Habits, Person
from adjudicator.stress.season import season
from adjudicator.stress.ticking import may_claim, tick
from adjudicator.stress.virtual import Agenda
from adjudicator.stress.watch import Watch

NOW = datetime(2030, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
BERLIN = ZoneInfo("Europe/Berlin")
NEVER = Span(NOW - DAY, NOW - DAY)
HEAD = b"Message-ID: <1@localhost>\r\nReply-To: g1.2-abc@localhost\r\nSubject: x\r\n\r\nNews.\r\n"


@pytest.mark.slow
def test_a_short_season():
    seed = random.randrange(2**32)
    found = season(games=6, seed=seed)
    assert found["ok"], found
    assert found["games"] == 6, f"seed {seed}"
    assert sum(found["ends"].values()) == 6, f"seed {seed}"
    assert found["letters"] >= 6, f"seed {seed}"
    assert found["replies"].keys() == {"250"}, f"seed {seed}"
    assert found["rendered"] > 0, f"seed {seed}"
    assert found["network"]["out"] > found["letters"], f"seed {seed}"


def test_a_database_in_use_is_left_alone(sqlite_url):
    database = open_database(sqlite_url)
    with Ledger(database).begin() as tx:
        start_game(Config(), tx, Wish("a@example.org", "b@example.org"), NOW)
    database.close()
    with pytest.raises(UsageError, match="without games"):
        season(games=1, url=sqlite_url)


@pytest.mark.parametrize("good", [True, False])
def test_the_command_ends_with_1_if_something_is_wrong(monkeypatch, good):
    asked = []

    def played(*words):
        asked.append(words[:3])
        words[3](10, 20)
        return {"ok": good}

    monkeypatch.setattr(seasons, "season", played)
    done = CliRunner().invoke(app, ["bench", "season", "--games", "7", "--seed", "5"])
    assert (done.exit_code, json.loads(done.stdout)) == (0 if good else 1, {"season": {"ok": good}})
    assert asked == [(7, None, 5)]
    assert "10 of 20 games" in done.stderr


# --- time ---


def test_things_happen_in_their_order_and_what_is_late_happens_next():
    agenda, happened = Agenda(NOW), []

    def note(what):
        return lambda: happened.append((what, agenda.now - NOW))

    agenda.after(2 * HOUR, note("second"))
    agenda.after(HOUR, lambda: (note("first")(), agenda.at(NOW, note("late"))))
    agenda.at(NOW + 9 * HOUR, note("never"))
    agenda.run(NOW + 5 * HOUR, lambda: False)
    assert happened == [("first", HOUR), ("late", HOUR), ("second", 2 * HOUR)]
    agenda.after(HOUR, note("not any more"))
    agenda.run(NOW + DAY, lambda: True)
    assert len(happened) == 3


# --- the network ---


class Chance(random.Random):
    """Chance that is told what to say; then it says nothing special."""

    def __init__(self, *says):
        super().__init__(1)
        self.says = list(says)

    def random(self):
        return self.says.pop(0) if self.says else 0.99


class Post:
    """A network with one mailbox and what came of it."""

    def __init__(self, *says, down=NEVER):
        self.agenda, self.taken, self.arrived = Agenda(NOW), [], []
        self.network = Network(self.agenda, Chance(*says), self.take, down)
        self.network.boxes["a@example.org"] = Mailbox(self.arrived.append)

    def take(self, *mail):
        self.taken.append((self.agenda.now, *mail))

    def out(self):
        self.network.send(HEAD, "bounce.1@localhost", "a@example.org")
        self.agenda.run(NOW + 30 * DAY, lambda: False)

    def into(self):
        self.network.post(HEAD, "a@example.org", "g1.2-abc@localhost")
        self.agenda.run(NOW + 30 * DAY, lambda: False)


def test_a_mail_goes_through_with_all_that_its_reader_needs():
    post = Post()
    post.out()
    (got,) = post.arrived
    assert (got.message_id, got.reply_to, got.mail_from) == (
        "<1@localhost>",
        "g1.2-abc@localhost",
        "bounce.1@localhost",
    )
    post.into()
    assert [one[1:] for one in post.taken] == [(HEAD, "g1.2-abc@localhost", "a@example.org")]
    assert post.network.counts == {"out": 1, "in": 1}


@pytest.mark.parametrize(("says", "copies", "counted"), [((0.0,), 0, "lost"), ((0.99, 0.0), 2, "doubled")])
def test_mails_are_lost_and_doubled_both_ways(says, copies, counted):
    post = Post(0.99, *says)
    post.out()
    assert len(post.arrived) == copies
    assert post.network.counts[f"out {counted}"] == 1
    post = Post(*says)
    post.into()
    assert len(post.taken) == copies
    assert post.network.counts[f"in {counted}"] == 1


def test_some_mails_are_late():
    post = Post(0.99, 0.99, 0.0, 0.5)
    post.into()
    assert post.taken[0][0] == NOW + network.LONG / 2


def test_a_server_that_says_later_is_heard():
    post = Post(0.0)
    with pytest.raises(Deferred):
        post.out()
    assert post.arrived == []


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_mailbox_that_does_not_work_refuses_or_sends_back(is_gone):
    post = Post()
    box = post.network.boxes["a@example.org"]
    box.broken, box.is_gone = Span(NOW, NOW + DAY), is_gone
    if is_gone:
        with pytest.raises(Rejected) as refused:
            post.out()
        assert refused.value.no_such_box
        assert post.taken == []
    else:
        post.out()
        ((_, raw, rcpt, mail_from),) = post.taken
        assert (rcpt, mail_from) == ("bounce.1@localhost", "")
        letter = read_letter(raw, rcpt=rcpt, mail_from="", received_at=NOW)
        assert letter.bounce
        assert letter.bounce.permanent
    assert post.arrived == []
    box.broken = Span(NOW - DAY, NOW)
    post.out()
    assert len(post.arrived) == 1


def test_while_the_service_is_down_its_mails_wait():
    post = Post(down=Span(NOW, NOW + 2 * DAY))
    post.into()
    ((when, *_),) = post.taken
    assert when >= NOW + 2 * DAY
    assert post.network.counts["in deferred"] > 10


def test_a_report_is_read_as_one():
    letter = read_letter(delivery_report("<1@localhost>", "a@example.org"), rcpt="x", mail_from="", received_at=NOW)
    assert letter.bounce
    assert letter.bounce.status == "5.1.1"


# --- the mail program ---


def test_an_answer_quotes_the_mail_and_its_orders_are_read():
    raw = HEAD.replace(b"News.", b"It is your turn.\r\ndone")
    got = mail_program.read(raw)
    mail = mail_program.answer(got, "a@example.org", "pass\ndone", "<2@example.org>", NOW)
    letter = read_letter(mail, rcpt=got.reply_to, mail_from="a@example.org", received_at=NOW)
    assert [line for line in letter.text.splitlines() if line in ("pass", "done")] == ["pass", "done"]
    assert (letter.in_reply_to, letter.message_id) == ("<1@localhost>", "<2@example.org>")
    assert letter.from_address == "a@example.org"


def test_the_plain_part_of_a_mail_is_read_wherever_it_is():
    parts = b"--x\r\nContent-Type: text/html\r\n\r\n<p>\r\n--x\r\nContent-Type: text/plain\r\n\r\nplain\r\n--x--\r\n"
    got = mail_program.read(b"Content-Type: multipart/alternative; boundary=x\r\n\r\n" + parts)
    assert got.text == "plain"
    assert mail_program.read(b"Content-Type: text/html\r\n\r\n<p>\r\n").text == ""


# --- people ---


class Room:
    """One game, one player who looks at his mails, and the service that he writes to."""

    def __init__(self, ledger, side="british", clock="none", **habits):
        self.post = Post()
        self.ledger = ledger
        self.side = side
        with ledger.begin() as tx:
            wish = Wish("p1@example.org", "p2@example.org", clock=clock, seed=bytes(32))
            self.name = start_game(Config(), tx, wish, NOW)
        self.person = Person(
            "p1@example.org",
            replace(Habits("random", BERLIN, HOUR), **habits),
            self.post.network,
            self.find,
            random.Random(1),
        )
        self.person.sit_down(self.name, side)

    def find(self, name):
        with self.ledger.read() as tx:
            found = tx.game(name, lock=False)
        return seasons.stored(found)

    def welcome(self, seq=None, message_id="<1@localhost>", in_reply_to=""):
        address = seat_address(self.find(self.name), self.side, seq)
        self.person.arrived(mail_program.Got(message_id, address, in_reply_to, "x", "", "News."))

    def run(self, days=1.0):
        self.post.agenda.run(NOW + days * DAY, lambda: False)
        return [raw for _, raw, _, _ in self.post.taken]


def seat_address(game, side, seq=None):
    seat = game.seats[side]
    return reply_address(seat.token_key, game.row.name, side, seat.seq if seq is None else seq, "localhost")


@pytest.fixture
def sqlite_ledger(sqlite_url):
    database = open_database(sqlite_url)
    yield Ledger(database)
    database.close()


def test_a_player_plays_by_day_says_his_zone_once_and_sends_again_what_nobody_answers(sqlite_ledger):
    room = Room(sqlite_ledger)
    room.welcome()
    (first,) = room.run(1.9)
    assert b"\r\nset zone Europe/Berlin\r\n" in first
    assert b"\r\ndone\r\n" in first
    assert people.UP <= room.post.taken[0][0].astimezone(BERLIN).hour <= people.TO_BED
    mails = room.run(3.5)
    assert mails == [first, first]
    assert room.person.counts == {"orders": 1, "sent again": 1}


def test_a_second_copy_is_thrown_away_and_an_answer_without_a_new_position_is_followed_by_done(sqlite_ledger):
    room = Room(sqlite_ledger)
    room.welcome()
    room.welcome()
    room.run(1)
    room.welcome(message_id="<2@localhost>", in_reply_to=room.person.seats[room.name].letter)
    mails = room.run(1.5)
    assert len(mails) == 2
    assert b"\r\n\r\ndone\r\n" in mails[1]


def test_nobody_plays_by_an_old_mail_or_another_game_but_asks_after_some_days(sqlite_ledger):
    room = Room(sqlite_ledger)
    room.welcome(seq=0)
    room.person.arrived(mail_program.Got("<9@localhost>", "g7.1-abc@localhost", "", "x", "", ""))
    assert room.run(3.9) == []
    mails = room.run(9)
    assert [b"\r\nstatus\r\n" in mail for mail in mails] == [True, True]


def test_who_is_away_looks_at_nothing_and_has_said_so(sqlite_ledger):
    away = Span(NOW + HOUR / 60, NOW + 6 * DAY)
    days = (away.start.date(), away.end.date())
    room = Room(sqlite_ledger, away=away, leave=days, announces=NOW + HOUR / 60)
    room.welcome()
    mails = room.run(5.9)
    assert [b"leave 2030-03-01 to 2030-03-07" in mail for mail in mails] == [True]
    assert len(room.run(8)) == 2


def test_who_has_given_up_does_nothing(sqlite_ledger):
    room = Room(sqlite_ledger, gives_up=NOW)
    room.welcome()
    assert room.run(30) == []


@pytest.mark.parametrize(("luck", "claims"), [(0.0, 1), (0.9, 0)])
def test_who_may_claim_does_or_leaves_it_to_the_service(sqlite_ledger, luck, claims):
    room = Room(sqlite_ledger, side="french", clock="24h")
    assert not may_claim(room.find(room.name), "french")
    for halves in range(76):  # with grace
        tick(Config(), sqlite_ledger, NOW + halves * HOUR / 2)
    assert may_claim(room.find(room.name), "french")
    assert not may_claim(room.find(room.name), "british")
    room.person._rng = Chance(0.5, luck)  # noqa: SLF001 - or the seed of this test would be chosen by trying
    room.welcome()
    assert [b"\r\n\r\nclaim\r\n" in mail for mail in room.run(2)] == [True] * claims


def test_what_was_down_for_two_days_counts_for_nobody(sqlite_ledger):
    room = Room(sqlite_ledger, clock="5d")
    before = room.find(room.name).row.deadline_at
    tick(Config(), sqlite_ledger, NOW + HOUR)
    tick(Config(), sqlite_ledger, NOW + 49 * HOUR)
    assert room.find(room.name).row.deadline_at - before == 48 * HOUR
    with sqlite_ledger.read() as tx:
        assert [row.data["cause"] for row in tx.audit() if row.command == "deadline"] == ["outage"]


def test_habits_differ():
    found = [seasons.habits(number, random.Random(number), Span(NOW, NOW + 200 * DAY)) for number in range(60)]
    assert len({one.zone for one in found}) == len(seasons.ZONES)
    assert {one.away is None for one in found} == {one.gives_up is None for one in found} == {True, False}
    assert all(one.announces < one.away.start for one in found if one.away)


# --- the account ---


def test_what_is_free_is_taken_out_once():
    span = Span(NOW, NOW + 10 * HOUR)
    free = [Span(NOW + 2 * HOUR, NOW + 4 * HOUR), Span(NOW + 3 * HOUR, NOW + 5 * HOUR), Span(NOW - DAY, NOW + HOUR)]
    assert counted(span, free) == 6 * HOUR
    assert counted(span, [Span(NOW - DAY, NOW + DAY)]) == timedelta(0)
    assert counted(span, []) == 10 * HOUR


def test_weekends_are_those_of_the_zone():
    found = weekends(NOW, NOW + 8 * DAY, ZoneInfo("Pacific/Auckland"))  # a Friday there
    assert found[0].start.isoformat() == "2030-03-01T11:00:00+00:00"
    assert len(found) == 4
    assert counted(Span(NOW, NOW + 7 * DAY), weekends(NOW, NOW + 7 * DAY, ZoneInfo("UTC"))) == 5 * DAY


def test_time_is_used_up_and_earned():
    account = Account(parse_clock("10d+1d/14d"), BERLIN, 10 * DAY)
    account.begin(NOW)
    assert account.had_time(NOW + 9 * DAY, [])
    assert not account.had_time(NOW + 10 * DAY, [])
    assert account.had_time(NOW + 10 * DAY, [Span(NOW, NOW + DAY)])
    account.end(NOW + 3 * DAY, [])
    assert (account.left, account.since) == (8 * DAY, None)
    account.end(NOW + 3 * DAY, [])
    assert account.left == 8 * DAY
    for _ in range(9):
        account.begin(NOW)
        account.end(NOW, [])
    assert account.left == 14 * DAY
    fixed = Account(parse_clock("5d"), BERLIN, 5 * DAY, NOW)
    fixed.end(NOW + 4 * DAY, [])
    assert fixed.left == 5 * DAY


# --- the watch ---


class Watched:
    """A game that is watched."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.watch = Watch(ledger, Accounts([]))
        with ledger.begin() as tx:
            wish = Wish("a@example.org", "b@example.org", clock="5d", seed=bytes(32))
            name = start_game(Config(), tx, wish, NOW)
            self.watch.accounts.open(tx, name, BySide(BERLIN, BERLIN), NOW)
        self.look()

    def look(self, days=0):
        return self.watch.look(NOW + days * DAY)

    def spoil(self, statement):
        with self.ledger.begin() as tx:
            tx.connection.exec_driver_sql(statement)


LATER = "UPDATE game SET deadline_at = '2031-01-01 00:00:00.000000'"


def test_a_deadline_that_changes_by_itself_is_a_fault(sqlite_ledger):
    watched = Watched(sqlite_ledger)
    assert watched.look() == []
    watched.spoil(LATER)
    watched.look()
    (fault,) = watched.watch.faults
    assert "its deadline went from" in fault
    assert watched.watch.changed == {"without either": 1}


def test_a_deadline_changes_with_a_move_or_an_event(sqlite_ledger):
    watched = Watched(sqlite_ledger)
    watched.spoil(LATER + ", seq = 2")
    watched.look()
    watched.spoil("UPDATE game SET deadline_at = '2031-02-01 00:00:00.000000'")
    with sqlite_ledger.begin() as tx:
        tx.add_audit(at=NOW, who="clock", command="deadline", why="leave", game_id=1)
    watched.look()
    assert watched.watch.faults == []
    assert watched.watch.changed == {"by a move": 1, "by an event": 1}


OVER = """UPDATE game SET status = 'finished', waiting_for = NULL, finished_at = updated_at, deadline_at = NULL,
    result =
    '{"type":"GameOver","winner":"french","reason":"time","by":"british",
      "british":{"locations":0,"captured":0,"total":0},"french":{"locations":0,"captured":0,"total":0}}'"""


@pytest.mark.parametrize(("days", "faults"), [(4, 1), (5.1, 0)])
def test_who_loses_on_time_must_have_none_left(sqlite_ledger, days, faults):
    watched = Watched(sqlite_ledger)
    watched.spoil(OVER)
    assert watched.look(days) == ["g1"]
    assert [("had time left" in fault) for fault in watched.watch.faults] == [True] * faults


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE game SET seq = seq", "has not ended"),
        (OVER.replace("finished_at", "commitment = 'ab', finished_at", 1), "commitment"),
        (OVER.replace("finished_at", f"seed = x'{'07' * 32}', finished_at", 1), "commitment"),
    ],
)
def test_what_is_wrong_at_the_end_is_told(sqlite_ledger, statement, told):
    watched = Watched(sqlite_ledger)
    watched.spoil(statement)
    watched.watch.end()
    assert any(told in fault for fault in watched.watch.faults), watched.watch.faults


def test_letters_without_an_answer_in_quarantine_and_a_broken_log_are_told(sqlite_ledger):
    watched = Watched(sqlite_ledger)
    watched.spoil(OVER)
    with sqlite_ledger.begin() as tx:
        tx.hold(b"x", rcpt="g1.1-x@localhost", mail_from="", error="Fault()", received_at=NOW)
        tx.add_audit(at=NOW, who="clock", command="deadline", why="leave", game_id=1)
    watched.spoil("UPDATE audit SET why = 'x'")
    watched.spoil(
        "INSERT INTO letter"
        " (key, digest, rcpt, mail_from, from_address, message_id, subject, received_at, outcome, raw)"
        " VALUES ('k', 'd', 'r', 'm', 'f', '<7@x>', 's', '2030-01-01 00:00:00.000000', 'applied', x'00')"
    )
    assert watched.watch.end() == {"time": 1}
    for part in ("quarantine", "does not follow", "letter <7@x> has 0 answers"):
        assert any(part in fault for fault in watched.watch.faults), part
