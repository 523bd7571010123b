"""What an order mail costs from the socket to the durable 250, beside a bare aiosmtpd that keeps nothing.

Each server runs in a process of its own and tells its user and system CPU before and after the same mails over the same
kept connections. Each mail is an order that changes a game of its own, quoted text below it as mail programs do. What
leaves the outbox later is not part of it.
"""

import asyncio
import os
import re
import resource
import shutil
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Literal, NamedTuple

from adjudicator.service.config import Config
from adjudicator.service.start import Wish, start_game
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade

CONNECTIONS = 8
MAILS = 400
"""Mails of one round; as many games are prepared."""

WARMING = 80
"""Mails before the measure, for caches to fill."""

SIZE = 2048
ORDERS = "draft Militia"
ROUNDS = 5
BUDGET = 1_000_000
"""Answers an hour: one sender writes all mails here."""

Kind = Literal["ours", "bare"]
_SENDER = "british@example.org"


class Mail(NamedTuple):
    """A mail and its only recipient."""

    rcpt: str
    raw: bytes


def mail(rounds: int = ROUNDS, mails: int = MAILS) -> dict[str, float | int | None]:
    """Milliseconds of CPU a mail (medians of the rounds), ours by bare, and syncs a mail (None without strace)."""
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        sent = _prepared(folder / "prepared.db", mails + WARMING)
        ours, bare = [], []
        for _ in range(rounds):
            ours.append(_round("ours", folder, sent))
            bare.append(_round("bare", folder, sent))
        syncs = _syncs(folder, sent) if shutil.which("strace") else None
    return {
        "bytes": len(sent[0].raw),
        "connections": CONNECTIONS,
        "ours_ms": median(ours),
        "bare_ms": median(bare),
        "ratio": median(mine / theirs for mine, theirs in zip(ours, bare, strict=True)),
        "syncs_per_mail": syncs,
    }


def _prepared(path: Path, games: int) -> list[Mail]:
    """Make a database with so many games, and return an order mail for each."""
    database = open_database(f"sqlite:///{path}")
    upgrade(database)
    ledger, now = Ledger(database), datetime.now(UTC)
    wish = Wish(_SENDER, "french@example.org", seed=bytes(32))
    with ledger.begin() as tx:
        for _ in range(games):
            start_game(Config(), tx, wish, now)
    with ledger.read() as tx:
        posts = [tx.post(line.id) for line in tx.posts(limit=2 * games) if line.side == "british"]
    database.close()
    return [_order_mail(post.reply_to, post.message_id) for post in posts if post]


def _order_mail(rcpt: str, in_reply_to: str) -> Mail:
    """An order mail of `SIZE` bytes as a mail program writes it."""
    head = (
        f"From: British <{_SENDER}>\nTo: {rcpt}\nSubject: Re: A new game\nDate: Tue, 01 Jan 2030 12:00:00 +0000\n"
        f"Message-ID: <{rcpt.replace('@', '.')}@example.org>\nIn-Reply-To: {in_reply_to}\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        f"Good evening,\n\n{ORDERS}\n\nBest wishes\n\nOn 1 January 2030, the games wrote:\n"
    )
    line = "> A line of the mail that this one answers, as most programs quote it.\n"
    text = head + line * ((SIZE - len(head)) // (len(line) + 1))
    return Mail(rcpt, text.replace("\n", "\r\n").encode())


def _round(kind: Kind, folder: Path, mails: Sequence[Mail]) -> float:
    """CPU milliseconds of a fresh server for each mail after the warming ones."""
    with _server(kind, _copy(folder)) as (process, port):
        _send(port, mails[:WARMING])
        before = _ask(process)
        _send(port, mails[WARMING:])
        used = _ask(process) - before
    if kind == "ours":
        _need_applied(folder / "round.db", len(mails))
    return used / (len(mails) - WARMING) * 1000


def _copy(folder: Path) -> Path:
    """A fresh copy of the prepared database."""
    for old in folder.glob("round.db*"):
        old.unlink()
    return Path(shutil.copy(folder / "prepared.db", folder / "round.db"))


def _need_applied(path: Path, mails: int) -> None:
    """Raises: RuntimeError if not every mail has changed its game."""
    database = open_database(f"sqlite:///{path}")
    with Ledger(database).read() as tx:
        applied = sum(letter.outcome == "applied" for letter in tx.letters(limit=10 * mails))
    database.close()
    if applied != mails:
        raise RuntimeError(f"{applied} of {mails} mails were applied")


@contextmanager
def _server(kind: Kind, path: Path, *wrapper: str) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A server in a process of its own, and its port; it ends when its standard input does."""
    command = [*wrapper, sys.executable, "-m", "adjudicator.mail_bench", kind, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    assert process.stdin
    assert process.stdout
    try:
        yield process, int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait(timeout=30)
        process.stdout.close()


def _ask(process: "subprocess.Popen[str]") -> float:
    """The CPU seconds that a server has used so far."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def _send(port: int, mails: Sequence[Mail]) -> None:
    """Send mails over `CONNECTIONS` connections that are kept, each waiting for its answer before the next.

    Raises: RuntimeError if one is not taken.
    """

    def send(own: Sequence[Mail]) -> None:
        with smtplib.SMTP("127.0.0.1", port, local_hostname="client.example.org", timeout=60) as server:
            for one in own:
                server.sendmail(_SENDER, [one.rcpt], one.raw)

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(send, (mails[start::CONNECTIONS] for start in range(CONNECTIONS))))


def _syncs(folder: Path, mails: Sequence[Mail]) -> float | None:
    """Syncs a mail, the service's start left out; None if strace may not look."""
    log = folder / "strace.txt"
    traced = ("strace", "-f", "-q", "-e", "trace=fsync,fdatasync,sync_file_range,msync", "-o", str(log))
    try:
        with _server("ours", _copy(folder), *traced) as (process, port):
            _send(port, mails[:WARMING])
            _ask(process)
            before = _count(log)
            _send(port, mails[WARMING:])
            _ask(process)
            return (_count(log) - before) / (len(mails) - WARMING)
    except (ValueError, OSError):
        return None


def _count(log: Path) -> int:
    return len(re.findall(r"^\S+ +\w+\(", log.read_text(), re.MULTILINE))


async def _serve(kind: Kind, path: Path) -> None:
    """Listen, print the port, and answer each line of standard input with the CPU used."""
    port = await (_listen_ours(path) if kind == "ours" else _listen_bare())
    print(port, flush=True)  # noqa: T201 - it is what the other process waits for
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        usage = resource.getrusage(resource.RUSAGE_SELF)
        print(usage.ru_utime + usage.ru_stime, flush=True)  # noqa: T201


async def _listen_ours(path: Path) -> int:
    from adjudicator.mail.listener import Listener  # noqa: PLC0415 - the bare server loads none of it
    from adjudicator.mail.session import Reply  # noqa: PLC0415
    from adjudicator.service.door import Door  # noqa: PLC0415
    from adjudicator.service.receive import receive  # noqa: PLC0415

    config, ledger = Config(answers_per_hour=BUDGET), Ledger(open_database(f"sqlite:///{path}"))

    def take(raw: bytes, rcpt: str, mail_from: str, received_at: datetime) -> Reply:
        return receive(config, ledger, raw, rcpt, mail_from, received_at)

    _, port = await Listener(take, Door(config, ledger).knows).start()
    return port


async def _listen_bare() -> int:
    from aiosmtpd.smtp import SMTP, Envelope, Session  # noqa: PLC0415

    class Nothing:
        async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
            return "250 OK"

    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Nothing(), loop=loop), "127.0.0.1", 0)
    return int(server.sockets[0].getsockname()[1])


if __name__ == "__main__":
    asyncio.run(_serve("ours" if sys.argv[1] == "ours" else "bare", Path(sys.argv[2])))
    os._exit(0)
