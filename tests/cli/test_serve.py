"""`serve` as a process of its own, talked to by SMTP; and commands as they run from a shell."""

import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

ANN = "ann@example.org"
COMMAND = (sys.executable, "-c", "from adjudicator.cli import app; app()")


class Process:
    """One running `serve`."""

    def __init__(self, folder, *words, **environment):
        self.process = subprocess.Popen(
            [*COMMAND, "serve", *words],
            cwd=folder,
            env={**os.environ, "ADJUDICATOR_LISTEN": "127.0.0.1:0", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.line = self.process.stdout.readline().strip()

    @property
    def port(self):
        return int(self.line.removeprefix("listening on 127.0.0.1:").partition(",")[0])

    def send(self, mail_from, rcpt, path):
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as client:
            client.sendmail(mail_from, [rcpt], path.read_bytes().replace(b"\n", b"\r\n"))

    def stop(self, number=signal.SIGTERM):
        """Send a signal; returns what it wrote on stderr."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=30)
        return err


@contextmanager
def served(folder, *words, **environment):
    process = Process(folder, *words, **environment)
    try:
        yield process
    finally:
        if process.process.poll() is None:
            process.process.kill()
            process.process.communicate()


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


def test_a_game_over_smtp_beside_the_command_line(terminal):
    """What commands cause while a serve runs is delivered by the serve; SIGTERM ends it with nothing left to do."""
    with served(terminal.folder) as process:
        assert process.line.startswith("listening on 127.0.0.1:")
        terminal.run("game", "new", "--british", ANN, "--french", "house")
        assert terminal.run("tick") == "a serve runs on this database and does what is due\n"
        until(lambda: len(terminal.mails(ANN)) == 1)
        process.send(ANN, terminal.reply_to(ANN), terminal.letter(ANN, "draft ships"))
        until(lambda: len(terminal.mails(ANN)) == 3)
        assert terminal.json("game", "show", "g1")["position"]["turn"] == 3
        with smtplib.SMTP("127.0.0.1", process.port, timeout=20) as client:
            client.ehlo()
            client.mail(ANN)
            for rcpt in ("who@localhost", "house@localhost", "g1.1-aaaa@localhost"):
                assert client.rcpt(rcpt)[0] == 550
        # A mail just before the end: it is answered before the process ends.
        process.send(ANN, terminal.reply_to(ANN), terminal.letter(ANN, "status", "late"))
        err = process.stop()
        assert process.process.returncode == 0
        assert len(terminal.mails(ANN)) == 4
    assert "Traceback" not in err
    assert "a letter of the british was applied" in err
    for mail in terminal.mails(ANN):
        secret = next(line for line in mail.splitlines() if line.startswith("Reply-To: "))
        assert secret.removeprefix("Reply-To: ") not in err


def test_a_second_serve_refuses(terminal):
    with served(terminal.folder) as first:
        assert first.line
        done = subprocess.run(
            [*COMMAND, "serve"], cwd=terminal.folder, capture_output=True, text=True, check=False, timeout=30
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "Error: another serve runs on this database already\n"
        first.process.kill()  # no goodbye: the lock ends with the process
        first.process.communicate()
    with served(terminal.folder, "--log-level", "warning") as again:
        assert again.line
        assert again.stop(signal.SIGINT) == ""
        assert again.process.returncode == 0


def test_a_new_folder_and_lmtp(terminal):
    path = terminal.folder / "lmtp"
    with served(terminal.folder, ADJUDICATOR_DATA="new", ADJUDICATOR_LMTP=f"unix:{path}") as process:
        assert process.line.endswith(f", unix:{path}")
        with smtplib.LMTP(str(path)) as client:
            assert client.ehlo()[0] == 250
        err = process.stop()
        assert err.startswith("made the tables of a new database\n")
    assert not path.exists()


def test_an_address_that_cannot_be_listened_on(terminal):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = shell(terminal, "adjudicator serve", ADJUDICATOR_LISTEN=place)
    assert done.returncode == 1
    assert f"Error: cannot listen on {place}: " in done.stderr
    assert "Traceback" not in done.stderr


def shell(terminal, line, **environment):
    script = f"adjudicator() {{ '{COMMAND[0]}' -c '{COMMAND[2]}' \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", script],
        cwd=terminal.folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize(
    "line",
    [
        "adjudicator position try position.json --side british --orders '' --json | head -c 1",
        "adjudicator --help | head -c 1",
        "adjudicator game show g1 --json | true",
    ],
)
def test_a_closed_pipe_is_no_traceback(terminal, position_file, line):
    terminal.run("game", "new", "--british", ANN, "--french", "house")
    assert "Traceback" not in shell(terminal, line).stderr


def test_output_is_utf8_whatever_the_terminal(terminal, position_file):
    line = "adjudicator position try position.json --side french --orders $'\\xff Gaspé'"
    done = shell(terminal, line, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, "")


def test_what_needs_no_database_starts_without_one(terminal, position_file):
    """`position try` and `record replay` load neither the database nor mail."""
    code = (
        "import sys; from typer.testing import CliRunner; from adjudicator.cli import app;"
        f"file = {str(position_file)!r}; run = CliRunner().invoke;"
        "run(app, ['position', 'try', file, '--side', 'british', '--orders', 'pass']);"
        "run(app, ['record', 'replay', file]);"
        "print(*[one for one in ('adjudicator.turns', 'adjudicator.game.replay', 'sqlalchemy', 'pydantic_settings',"
        " 'aiosmtpd', 'jinja2') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.split() == ["adjudicator.turns", "adjudicator.game.replay"]


@pytest.mark.postgres
def test_the_same_on_postgresql(terminal, postgres_url, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_DATABASE_URL", postgres_url)
    assert terminal.json("game", "new", "--british", ANN, "--french", "house") == {"game": "g1"}
    assert terminal.feed(ANN, "draft ships", "one") == "250 2.0.0 taken"
    with served(terminal.folder) as process:
        assert "another serve runs" in terminal.error("serve")
        assert terminal.run("tick") == "a serve runs on this database and does what is due\n"
        process.send(ANN, terminal.reply_to(ANN), terminal.letter(ANN, "status", "two"))
        until(lambda: len(terminal.mails(ANN)) == 4)
        assert "Traceback" not in process.stop()
    (terminal.folder / "g1.json").write_text(terminal.run("game", "export", "g1", "--why", "x"))
    assert terminal.run("game", "import", "g1.json", "--as", "g2") == "g2\n"
    assert terminal.run("db", "check").startswith("the tables are as they should be")
