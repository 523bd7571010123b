"""Short floods and a few kills; and that the audit after a kill sees what a worse service would do."""

import json
import random
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from adjudicator.cli import app
from adjudicator.errors import UsageError
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.receive import receive
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.stress import rubbish
from adjudicator.stress.audit import delivery_faults, faults
from adjudicator.stress.crash import crash
from adjudicator.stress.flood import flood
from adjudicator.stress.relay import Relay, position_of
from adjudicator.stress.tables import set_tables
from adjudicator.stress.wire import Envelope, Wire, stuffed
from adjudicator.stress.writers import Writer

CONFIG = Config()


@pytest.mark.slow
def test_a_short_flood():
    found = flood(mails=240, connections=12)
    assert found["ok"], found
    assert (found["orders"], found["unanswered"], found["quarantined"]) == (120, 0, 0)
    replies = found["rubbish"]
    assert sum(sum(kinds.values()) for kinds in replies.values()) == 120
    for kind in {"unknown", "guessed", "foreign", "heads", "nested", "parts", "lines"} & set(replies):
        assert set(replies[kind]) == {"550"}, (found["seed"], kind)
    assert found["memory_mb"]["first"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("url", [None, pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_few_kills(url, request):
    given = request.getfixturevalue("postgres_url") if url else None
    found = crash(times=4, url=given)
    assert found["ok"], found
    assert found["kills"] == 4
    assert found["mails_out"] >= found["games"] * 2
    assert found["letters"] >= found["taken"]


def test_a_database_in_use_is_left_alone(sqlite_url):
    database = open_database(sqlite_url)
    set_tables(Ledger(database), 1)
    database.close()
    with pytest.raises(UsageError, match="without games"):
        crash(times=1, url=sqlite_url)


@pytest.mark.parametrize(("name", "good"), [("flood", True), ("flood", False), ("crash", True), ("crash", False)])
def test_the_command_tells_all_and_ends_with_1_if_something_is_wrong(monkeypatch, name, good):
    asked = []
    monkeypatch.setattr(f"adjudicator.stress.{name}.{name}", lambda *words: asked.append(words) or {"ok": good})
    words = ["--mails", "7", "--connections", "2"] if name == "flood" else ["--times", "3", "--database", "sqlite:///x"]
    done = CliRunner().invoke(app, ["bench", name, *words, "--seed", "5"])
    assert (done.exit_code, json.loads(done.stdout)) == (0 if good else 1, {name: {"ok": good}})
    assert asked[0][:3] == ((7, 2, 5) if name == "flood" else (3, "sqlite:///x", 5))


# --- the audit ---


class Afternoon:
    """Some letters at one table, taken and delivered, without any socket in."""

    def __init__(self, ledger, relay):
        self.ledger, self.relay = ledger, relay
        (self.table,) = set_tables(ledger, 1)
        self.deliver()
        writer = Writer(relay, Dice(), lambda: self.table)
        for _ in range(2):
            one = writer._choose()  # noqa: SLF001 - without a connection
            assert (
                receive(CONFIG, ledger, one.mail.raw, one.mail.rcpt, one.mail.mail_from, datetime.now(UTC)).code == 250
            )
            one.taken, one.tries = True, 1
            self.deliver()
        self.sent = writer.sent
        assert faults(ledger, self.sent) == []

    def send(self, raw, mail_from, rcpt):
        self.relay._take(raw, rcpt, mail_from, datetime.now(UTC))  # noqa: SLF001

    def close(self):
        pass

    def deliver(self):
        deliver(CONFIG, self.ledger, self, datetime.now(UTC))

    def spoil(self, statement):
        with self.ledger.begin() as tx:
            tx.connection.execute(text(statement))

    def faults(self):
        return faults(self.ledger, self.sent) + delivery_faults(self.ledger, self.relay)


class Dice:
    """Chance that lets each letter be of the side that is to move, with press and an order."""

    def __init__(self):
        self.sides = iter(("british", "french"))

    def random(self):
        return 0.2

    def choice(self, options):
        return next(one for one in [next(self.sides)] if one in options)


@pytest.fixture
def afternoon(ledger):
    return Afternoon(ledger, Relay())


def test_nothing_is_wrong_where_nothing_is(afternoon):
    assert afternoon.faults() == []
    with afternoon.ledger.read() as tx:
        assert [letter.outcome for letter in tx.letters()] == ["applied", "applied"]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE seat SET notes = '' WHERE side = 'british'", "noted 0 times"),
        ("UPDATE seat SET notes = notes || notes WHERE side = 'french'", "noted 2 times"),
        ("UPDATE letter SET message_id = 'another' WHERE side = 'british'", "stored 0 times"),
        ("UPDATE letter SET answer_id = NULL WHERE side = 'british'", "0 answers"),
        ("UPDATE post SET cause = 'another' WHERE kind = 'notice'", "0 other mails|1 other mails"),
        ("UPDATE move SET letter_id = NULL WHERE n = 0", "a move of a letter that is not there"),
        ("UPDATE move SET n = n + 5 WHERE n = 0", "moves, stored"),
        ("UPDATE game SET seq = seq + 1", "position 4 after 2 letters"),
        ("UPDATE game SET state = start", "its moves lead elsewhere"),
        ("UPDATE post SET sent_at = NULL WHERE kind = 'turn'", "was not sent"),
        ("UPDATE post SET message_id = message_id || 'x' WHERE kind = 'welcome'", "did not arrive"),
        ("UPDATE post SET message_id = message_id || 'x' WHERE kind = 'welcome'", "nothing is known of it"),
    ],
)
def test_what_is_lost_double_or_half_is_seen(afternoon, statement, told):
    afternoon.spoil(statement)
    assert any(part in line for line in afternoon.faults() for part in told.split("|")), afternoon.faults()


def test_a_letter_that_was_never_taken_may_be_there_or_not(afternoon):
    one, other = afternoon.sent
    one.taken = False
    assert afternoon.faults() == []
    other.message_id, other.mark, other.taken = "<nobody@example.org>", "mark-0", False
    assert afternoon.faults() == []
    other.taken = True
    assert any("stored 0 times" in line for line in afternoon.faults())


def test_a_mail_that_comes_again_with_other_bytes_is_seen(afternoon):
    relay = afternoon.relay
    message_id = next(iter(relay.copies))
    afternoon.send(f"Message-ID: {message_id}\r\n\r\nother".encode(), "", "ann@example.org")
    assert [line for line in afternoon.faults() if "with other bytes" in line]


# --- the tools ---


def test_the_relay_knows_the_latest_position_whatever_comes_last():
    relay = Relay()
    now = datetime.now(UTC)
    for number, seq in enumerate((1, 3, 2)):
        raw = f"Message-ID: <{number}>\r\nReply-To: g1.{seq}-abc@localhost\r\n\r\n".encode()
        relay._take(raw, "ann@example.org", "", now)  # noqa: SLF001
    assert relay.position("ann@example.org") == 3
    assert relay.position("ben@example.org") == 0
    assert position_of("games@localhost") == 0
    assert not relay.wait_until(lambda: False, 0.01)


@pytest.mark.parametrize(
    ("raw", "sent"), [(b"", b"\r\n"), (b".", b"..\r\n"), (b"a\r\n.\r\n..b", b"a\r\n..\r\n...b\r\n")]
)
def test_dots_are_doubled_on_the_way(raw, sent):
    assert stuffed(raw) == sent


@pytest.mark.parametrize("kind", rubbish.MAILS)
def test_no_rubbish_moves_a_game_or_is_answered_twice(sqlite_url, kind):
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    database = open_database(sqlite_url)
    afternoon = Afternoon(Ledger(database), Relay())
    before = set(afternoon.relay.copies)
    for _ in range(4):
        mail = rubbish.MAILS[kind](rng, rubbish.Target(0, "g1", afternoon.sent[-1].mail))
        reply = receive(CONFIG, afternoon.ledger, mail.raw, mail.rcpt, mail.mail_from, datetime.now(UTC))
        assert reply.code in {250, 550}, f"seed {seed}"
    afternoon.deliver()
    assert afternoon.faults() == [], f"seed {seed}"
    with afternoon.ledger.read() as tx:
        assert tx.held() == [], f"seed {seed}"
    assert len(set(afternoon.relay.copies) - before) <= 1, f"seed {seed}"
    database.close()


def test_attacks_end_whatever_the_other_side_does_and_leave_it_alive():
    rng = random.Random(1)
    with Relay() as relay:
        for kind in rubbish.ATTACKS:
            assert rubbish.attack(kind, rng, rubbish.Target(relay.port, "g1", None)) in {"hung up", "sent away"}, kind
        wire = Wire(relay.port)
        wire.greet()
        mail = Envelope("ann@example.org", "ben@example.org", b"Message-ID: <1@example.org>\r\n\r\n.\r\n")
        assert wire.send(mail).startswith("250")
        wire.close()
        assert list(relay.copies) == ["<1@example.org>"]
    assert rubbish.attack("junk", rng, rubbish.Target(relay.port, "g1", None)) == "sent away"
