"""`bench crash`: `serve` is killed again and again under load, and each mail must have had its effect exactly once.

Promise: a kill is a SIGKILL at a moment that chance chooses, within the start too; afterwards another `serve` starts on
what is left before anything is compared. The mails that come out go to a relay which is never killed.
"""

import random
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adjudicator.errors import UsageError
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade
from adjudicator.stress.audit import delivery_faults, faults
from adjudicator.stress.process import Serve
from adjudicator.stress.relay import Relay
from adjudicator.stress.tables import Table, folder_url, set_tables
from adjudicator.stress.writers import Writer

TIMES = 200
WRITERS = 6
LOAD_SECONDS = 1.0
"""The longest time from the start of the load to the kill."""
START_SECONDS = 1.5
"""The longest time from the start of a process to the kill, of those that are killed while they start."""
START_SHARE = 0.2
EMPTYING_SECONDS = 120.0
LOOKING_SECONDS = 0.05
MOST_TOLD = 20


def crash(
    times: int = TIMES,
    url: str | None = None,
    seed: int | None = None,
    told: Callable[[int, int], None] = lambda _done, _times: None,
) -> dict[str, Any]:
    """Kill a service so many times; "ok" says that there is no fault. `url` is an empty database, else SQLite's.

    `told` hears how many kills of how many are done.

    Raises:
        UsageError: the database is not empty.
        Unavailable: it cannot be used.
    """
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="crash") as name, Relay() as relay:
        run = Run(Path(name), url or folder_url(Path(name)), relay, random.Random(seed))  # noqa: S311 - no secret
        run.prepare()
        begun = time.monotonic()
        for number in range(times):
            run.kill_once()
            told(number + 1, times)
        run.end()
        return run.figures() | {"seed": seed, "seconds": round(time.monotonic() - begun, 1)}


class Run:
    """The kills so far, and what was found."""

    def __init__(self, folder: Path, url: str, relay: Relay, rng: random.Random) -> None:
        self._folder, self._url, self._relay, self._rng = folder, url, relay, rng
        self._tables: deque[Table] = deque()
        self._writers = [Writer(relay, random.Random(rng.random()), self._next_table) for _ in range(WRITERS)]  # noqa: S311
        self._faults: list[str] = []
        self._kills = self._early_kills = 0

    def prepare(self) -> None:
        """Make the tables of the database, and the first games.

        Raises: UsageError if there are games already.
        """
        database = open_database(self._url)
        try:
            upgrade(database)
            with Ledger(database).read() as tx:
                if tx.games():
                    raise UsageError("bench crash needs a database without games")
            self._set_tables(Ledger(database))
        finally:
            database.close()

    def kill_once(self) -> None:
        """Start it, look at what the last kill left, load it, kill it."""
        with self._serve() as serve:
            if self._rng.random() < START_SHARE:
                self._early_kills += 1
                time.sleep(self._rng.uniform(0, START_SECONDS))
            else:
                serve.wait()
                with self._ledger() as ledger:
                    self._faults += faults(ledger, self._sent())
                    self._set_tables(ledger)
                self._load(serve)
        self._kills += 1

    def _load(self, serve: Serve) -> None:
        """Let all write, and kill it in the middle of that."""
        over = threading.Event()
        threads = [threading.Thread(target=writer.write, args=(serve.port, over)) for writer in self._writers]
        for thread in threads:
            thread.start()
        time.sleep(self._rng.uniform(0, LOAD_SECONDS))
        serve.kill()
        over.set()
        for thread in threads:
            thread.join()

    def end(self) -> None:
        """Let the last `serve` send all that is left, and look at everything once more."""
        with self._serve() as serve, self._ledger() as ledger:
            serve.wait()
            until = time.monotonic() + EMPTYING_SECONDS
            while self._unsent(ledger) and time.monotonic() < until:
                time.sleep(LOOKING_SECONDS)
            serve.stop()
            self._faults += faults(ledger, self._sent()) + delivery_faults(ledger, self._relay)

    def figures(self) -> dict[str, Any]:
        """What was done and found."""
        sent, copies = list(self._sent()), self._relay.copies
        with self._ledger() as ledger, ledger.read() as tx:
            stored = {letter.message_id for letter in tx.letters(limit=10_000_000)}
            games = len(tx.games())
        return {
            "kills": self._kills,
            "while_starting": self._early_kills,
            "games": games,
            "letters": len(sent),
            "taken": sum(one.taken for one in sent),
            "sent_again": sum(one.tries > 1 for one in sent),
            "effect_without_250": sum(not one.taken and one.message_id in stored for one in sent),
            "neither": sum(not one.taken and one.message_id not in stored for one in sent),
            "mails_out": len(copies),
            "mails_out_again": copies.total() - len(copies),
            "faults": len(self._faults),
            "first_faults": self._faults[:MOST_TOLD],
            "ok": not self._faults,
        }

    def _serve(self) -> Serve:
        return Serve(self._folder, RELAY=self._relay.setting, DATABASE_URL=self._url)

    @contextmanager
    def _ledger(self) -> Iterator[Ledger]:
        """The database, opened for a moment: what a dead process left is taken up by the next `serve` alone."""
        database = open_database(self._url)
        try:
            yield Ledger(database)
        finally:
            database.close()

    def _sent(self) -> Iterator[Any]:
        return (one for writer in self._writers for one in writer.sent)

    def _unsent(self, ledger: Ledger) -> bool:
        with ledger.read() as tx:
            return bool(tx.unsent_posts(limit=1))

    def _set_tables(self, ledger: Ledger) -> None:
        """Have as many games ready as there are writers."""
        self._tables.extend(set_tables(ledger, WRITERS - len(self._tables)))

    def _next_table(self) -> Table | None:
        """A game that nobody plays yet; None if there is none."""
        try:
            return self._tables.popleft()
        except IndexError:
            return None
