"""`mail …`, `tick`, `db`, `config`, and what goes wrong with all commands."""

import json
import sqlite3

import pytest

from adjudicator import __version__
from adjudicator.store.migrate import newest_revision

ANN, BEN = "ann@example.org", "ben@example.net"


@pytest.fixture
def game(terminal):
    """A terminal with a game between Ann and Ben."""
    terminal.run("game", "new", "--british", ANN, "--french", BEN)
    return terminal


def test_feed_prints_the_reply_of_the_listener(game):
    assert game.feed(ANN, "draft ships", "one") == "250 2.0.0 taken"
    assert len(game.mails(ANN)) == len(game.mails(BEN)) == 2
    letter = game.letter(ANN, "hello", "two")
    unknown = game.run("mail", "feed", letter, "--from", ANN, "--to", "who@localhost")
    assert unknown == "550 5.1.1 no such address here\n"
    to = game.reply_to(BEN)
    assert game.run("mail", "feed", letter, "--from", ANN, "--to", to).startswith("550 5.7.1 ")
    assert "foreign" in "".join(one["kind"] + one["message_id"] for one in game.json("mail", "list"))


def test_feed_takes_any_bytes(game):
    path = game.folder / "bytes.eml"
    for raw in (b"", b"\0\xff", b"no header at all", b"From: x\r\n\r\n" + b"y" * 2_000_000):
        path.write_bytes(raw)
        reply = game.run("mail", "feed", path, "--from", "", "--to", game.reply_to(ANN))
        assert reply[:3] in ("250", "550", "552"), raw[:20]
    assert game.error("mail", "feed", "none", "--from", ANN, "--to", ANN) == "none: No such file or directory"


def test_list_show_and_resend(game):
    game.feed(ANN, "draft ships")
    listed = game.json("mail", "list")
    assert {one["id"] for one in listed} == {"in-1", "out-1", "out-2", "out-3", "out-4"}
    assert {one["state"] for one in listed} == {"applied", "sent"}
    assert len(game.json("mail", "list", "--game", "g1", "--limit", "1")) == 2
    assert game.json("mail", "list", "--unsent") == []
    text = game.run("mail", "list")
    assert max(map(len, text.splitlines())) <= 80
    assert game.reply_to(ANN) not in text
    assert game.json("mail", "show", "out-1")["text"] is None
    assert "--why TEXT shows what it says" in game.run("mail", "show", "in-1")
    assert "draft ships" in game.run("mail", "show", "in-1", "--why", "a dispute")
    before = game.mails(ANN)[:1]
    for path in game.folder.glob("var/outbox/new/*"):
        path.unlink()
    assert game.run("mail", "resend", "out-1", "--why", "lost") == "out-1: 1 mail sent\n"
    assert game.mails(ANN) == before
    assert game.mails(BEN) == []
    assert game.error("mail", "resend", "out-77") == "there is no mail out-77"
    assert game.error("mail", "resend", "in-1").startswith("'in-1' is no mail of this kind")
    assert game.error("mail", "show", "x").startswith("'x' is no mail of this kind")
    assert game.error("mail", "list", "--game", "g9") == "there is no game 'g9'"


def test_show_decodes_a_mail(game):
    text = game.run("mail", "show", "out", "--why", "a look")
    assert "Subject: [g1] A new game: you play the French" in text
    assert "== Your hand ==" in text
    assert "=3D" not in text
    assert game.run("mail", "show", "out-1", "--reply-to", "--why", "a look").strip() == game.reply_to(ANN)
    game.feed(ANN, "draft ships", "one")
    assert "draft ships" in game.run("mail", "show", "in", "--why", "a look")
    newest = game.run("mail", "show", "out", "--reply-to", "--why", "a look").strip()
    assert newest in (game.reply_to(ANN), game.reply_to(BEN))
    assert game.run("mail", "show", "out", "--raw", "--why", "a look").encode() == sent(game, newest)
    assert [deed["data"]["mail"] for deed in looks(game)][-1].startswith("out-")


def sent(game, reply_to):
    """The mail with a Reply-To as it lies in the outbox, without what was put in front of it on delivery."""
    raw = next(path.read_bytes() for path in game.folder.glob("var/outbox/new/*") if reply_to in path.read_text())
    return raw[raw.index(b"Date: ") :]


def looks(game):
    with sqlite3.connect("var/adjudicator.db") as connection:
        found = connection.execute("SELECT data FROM audit WHERE command = 'mail show' ORDER BY id").fetchall()
    connection.close()
    return [{"data": json.loads(data)} for (data,) in found]


def test_nothing_secret_is_shown_without_a_reason(terminal, game):
    for option in ("--raw", "--reply-to"):
        assert "--why TEXT shows what it says" in game.error("mail", "show", "out-1", option)
    assert "shows what it says" in game.error("mail", "show", "out", "--reply-to")
    game.feed(ANN, "draft ships", "one")
    assert game.error("mail", "show", "in-1", "--reply-to", "--why", "x") == "mail in-1 has no Reply-To"


def test_there_is_no_newest_mail_at_first(terminal):
    for kind in ("in", "out"):
        assert terminal.error("mail", "show", kind) == f"there is no mail {kind} yet"


def test_the_version(terminal):
    assert terminal.run("--version") == f"adjudicator {__version__}\n"


def broken(*_args):
    raise ZeroDivisionError("a fault of ours")


def test_quarantine_and_retry(game, monkeypatch):
    assert game.run("mail", "quarantine") == "the quarantine is empty\n"
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.service.receive.answer_letter", broken)
        assert game.feed(ANN, "draft ships", "one") == "250 2.0.0 taken"
        assert game.feed(ANN, "draft militia", "two") == "250 2.0.0 taken"
        assert game.run("mail", "retry", "held-1", code=1) == "held-1: failed again: ZeroDivisionError\n"
    assert [one["id"] for one in game.json("mail", "quarantine")] == ["held-1", "held-2"]
    assert "ZeroDivisionError" in game.run("mail", "quarantine")
    assert "draft ships" in game.run("mail", "show", "held-1", "--why", "x")
    assert game.error("mail", "quarantine", "--drop", "held-2") == "dropping a letter needs --why TEXT"
    assert [one["id"] for one in game.json("mail", "quarantine", "--drop", "held-2", "--why", "a copy")] == ["held-1"]
    assert game.run("mail", "retry", "--why", "mended") == "held-1: taken\n"
    assert game.json("game", "show", "g1")["position"]["turn"] == 2
    assert game.json("mail", "quarantine") == []
    assert [one["id"] for one in game.json("mail", "quarantine", "--all")] == ["held-1", "held-2"]
    assert game.error("mail", "retry", "held-1") == "there is no letter held-1 in quarantine"


def test_tick_sends_what_was_put_off(terminal, monkeypatch):
    (terminal.folder / "var/outbox").write_text("in the way")
    terminal.run("game", "new", "--british", ANN, "--french", "house", "--clock", "none")
    (waiting,) = terminal.json("mail", "list", "--unsent")
    assert (waiting["state"], waiting["attempts"]) == ("waiting", 1)
    assert "Maildir" in waiting["error"]
    (terminal.folder / "var/outbox").unlink()
    assert terminal.run("tick") == "0 mails of house players, 0 mails sent\n"
    assert terminal.run("tick", "--now", "2090-01-01T00:00Z").endswith("0 mails of house players, 2 mails sent\n")
    assert len(terminal.mails(ANN)) == 2
    for wrong in ("soon", "2030", "2030-13-01", "9999-12-31T23:59:59-23:00"):
        assert "a time looks like" in terminal.error("tick", "--now", wrong, code=2)


def test_db(terminal, monkeypatch):
    assert terminal.run("db", "upgrade").endswith("the tables are up to date\n")
    assert terminal.run("db", "check") == "the tables are as they should be, and the audit log is unbroken\n"
    with sqlite3.connect("var/adjudicator.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0000'")
    connection.close()
    assert "run adjudicator db upgrade" in terminal.error("game", "list")
    terminal.run("db", "check", code=1)
    assert terminal.out == f"the tables are at revision 0000, not {newest_revision()}\n"
    assert terminal.err == "Error: the database is not as it should be\n"
    monkeypatch.setenv("ADJUDICATOR_DATA", "new")
    terminal.run("db", "upgrade")
    assert terminal.err == "made the tables of a new database\n"


def test_config(terminal, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_DATABASE_URL", "postgresql://me:secret@localhost/x")
    (terminal.folder / "adjudicator.toml").write_text('domain = "play.example.org"\n')
    found = {one["setting"]: one for one in terminal.json("config")}
    assert found["DOMAIN"] == {"setting": "DOMAIN", "value": "play.example.org", "source": "adjudicator.toml"}
    assert found["DATABASE_URL"]["value"] == "postgresql://me:***@localhost/x"
    assert "secret" not in terminal.run("config")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("AUTH", "nothing", "setting AUTH (environment) must be 'token', 'token+from' or 'aligned'"),
        ("DOMAIN", "not a domain", "setting DOMAIN (environment) must be a domain"),
        ("COLOUR", "red", "unknown setting COLOUR (environment)"),
        ("DATABASE_URL", "mysql://x/y", "setting DATABASE_URL (environment) must begin with"),
        ("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/x", "the database cannot be used: "),
        ("DATABASE_URL", "sqlite:////proc/none/x.db", "the database file /proc/none/x.db cannot be opened"),
        ("DATA", "/proc/none", "the data folder /proc/none cannot be made"),
    ],
)
def test_settings_and_databases_that_cannot_be_used(terminal, monkeypatch, name, value, message):
    monkeypatch.setenv(f"ADJUDICATOR_{name}", value)
    assert terminal.error("game", "list").startswith(message)


def test_a_relay_that_cannot_be_read_is_told_before_anything_is_done(terminal, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_RELAY", "smtp://")
    assert terminal.error("game", "new", "--british", ANN, "--french", BEN).startswith("setting RELAY")
    monkeypatch.setenv("ADJUDICATOR_RELAY", "smtp://me:word@mail.example.org")
    line = terminal.error("game", "new", "--british", ANN, "--french", BEN)
    assert "password would go in clear" in line
    assert "word@" not in line
    monkeypatch.delenv("ADJUDICATOR_RELAY")
    assert terminal.json("game", "list") == []


def test_a_database_that_is_none(terminal):
    (terminal.folder / "var/adjudicator.db").write_bytes(b"this is no database, whatever its name says" * 99)
    assert terminal.error("game", "list").startswith("the database cannot be used")


def test_help_and_usage(terminal):
    assert "Commands:" in terminal.run("--help")
    for words in ((), ("game",), ("record",)):
        terminal.run(*words, code=2)
    for words in (("nothing",), ("game", "nothing"), ("--nothing",)):
        terminal.run(*words, code=2)
        assert "Error: No such" in terminal.err
