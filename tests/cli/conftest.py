"""The command line in a folder of its own, with an empty database."""

import json
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.cli import app
from adjudicator.game import engine
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.record import Position, written


class Terminal:
    """Runs commands in one folder; `out` and `err` are those of the last one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = self.err = ""

    def run(self, *words: object, code: int = 0, typed: str | bytes = "") -> str:
        """Run a command that ends with an exit code; returns what it prints."""
        result = CliRunner().invoke(app, [str(word) for word in words], input=typed)
        self.out, self.err = result.stdout, result.stderr
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, (words, result.exit_code, self.out, self.err)
        return self.out

    def json(self, *words: object, **more: object) -> object:
        """Run a command and read the JSON it prints, which is one line and nothing else."""
        assert self.run(*words, "--json", **more).count("\n") == 1
        return json.loads(self.out)

    def error(self, *words: object, code: int = 1) -> str:
        """Run a command that fails; returns the one line on stderr, without `Error: ` (usage errors: the last line)."""
        self.run(*words, code=code)
        assert self.out == ""
        lines = self.err.splitlines()
        assert code != 1 or len(lines) == 1, lines
        assert lines[-1].startswith("Error: ")
        return lines[-1].removeprefix("Error: ")

    def mails(self, address: str) -> list[str]:
        """The mails that lie in the outbox for an address, the oldest first."""
        found = sorted(self.folder.glob("var/outbox/new/*"), key=lambda path: path.stat().st_mtime_ns)
        texts = [path.read_text() for path in found]
        return [text for text in texts if f"Delivered-To: {address}\n" in text]

    def reply_to(self, address: str) -> str:
        """The Reply-To of the newest mail to an address."""
        return header(self.mails(address)[-1], "Reply-To")

    def letter(self, address: str, body: str, name: str = "letter") -> Path:
        """A file with an answer to the newest mail; line ends are bare LF."""
        path = self.folder / f"{name}.eml"
        head = f"From: {address}\nTo: {self.reply_to(address)}\nSubject: Re: orders\nMessage-ID: <{name}@example.org>\n"
        path.write_text(f"{head}\n{body}\n")
        return path

    def feed(self, address: str, body: str, name: str = "letter") -> str:
        """Answer the newest mail by `mail feed`; returns the SMTP reply."""
        to = self.reply_to(address)
        return self.run("mail", "feed", self.letter(address, body, name), "--from", address, "--to", to).strip()


def header(text: str, name: str) -> str:
    """A header field of a mail."""
    return next(line.removeprefix(f"{name}: ") for line in text.splitlines() if line.startswith(f"{name}: "))


@pytest.fixture
def terminal(tmp_path, monkeypatch, _sqlite_template):
    """A folder with an empty database in its default place, and no settings but the defaults."""
    for name in os.environ:
        if name.startswith("ADJUDICATOR_") and not name.startswith("ADJUDICATOR_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "var").mkdir()
    shutil.copy(_sqlite_template, tmp_path / "var/adjudicator.db")
    return Terminal(tmp_path)


@pytest.fixture
def start():
    """The state at the start of a game, the British to move."""
    return engine.new_game(rules_for(), seeded(SILENT)).state


@pytest.fixture
def position_file(tmp_path, start):
    """A position file with the start of a game."""
    path = tmp_path / "position.json"
    path.write_bytes(written(Position(format="afas-position/1", edition=2, state=start)))
    return path
