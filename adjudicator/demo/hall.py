"""The service, running in threads of this process: a listener on a free port, and a sender into a Maildir.

Promise: nothing but SMTP leads in and nothing but the Maildir leads out; the readers here only look.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from adjudicator.errors import Unavailable
from adjudicator.game.record import Record
from adjudicator.mail.listener import Listener
from adjudicator.mail.sender import open_transport
from adjudicator.mail.session import Reply
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.door import Door
from adjudicator.service.receive import receive
from adjudicator.service.records import export
from adjudicator.service.start import Wish, start_game
from adjudicator.service.stored import Stored, stored
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade

log = logging.getLogger("adjudicator")

STARTING_SECONDS = 30
EMPTYING_SECONDS = 30
_LOOKING_SECONDS = 0.01
_ALL = 1_000_000


class Counts(NamedTuple):
    """Mails that were taken and sent, and those taken that have not one answer."""

    taken: int
    sent: int
    unanswered: int


class Hall:
    """The running service with a fresh SQLite file in `folder`; its mails lie in `folder/outbox`."""

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder = folder
        self.config = config
        self.outbox = folder / "outbox"
        self.port = 0
        self._database = open_database(f"sqlite:///{folder / 'adjudicator.db'}")
        self._ledger = Ledger(self._database)
        self._transport = open_transport(f"maildir:{self.outbox}")
        self._loop = asyncio.new_event_loop()
        self._listening = threading.Event()
        self._something_to_send = threading.Event()
        self._closing = False
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._listen, self._send)]

    def __enter__(self) -> Self:
        """Start to listen and to send."""
        upgrade(self._database)
        for thread in self._threads:
            thread.start()
        if not self._listening.wait(STARTING_SECONDS):
            raise TimeoutError("the listener did not start")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop both, mails under way first."""
        self._closing = True
        self._something_to_send.set()
        self._loop.call_soon_threadsafe(self._stopping.set)
        for thread in self._threads:
            thread.join(STARTING_SECONDS)
        self._loop.close()
        self._transport.close()
        self._database.close()

    def start(self, wish: Wish) -> str:
        """Begin a game; returns its name."""
        with self._ledger.begin() as tx:
            name = start_game(self.config, tx, wish, datetime.now(UTC))
        self._something_to_send.set()
        return name

    def game(self, name: str) -> Stored:
        """Return the game as it is stored now."""
        with self._ledger.read() as tx:
            found = tx.game(name, lock=False)
        assert found
        return stored(found, self.config.chance)

    def counts(self) -> Counts:
        """Count the mails, once the outbox is empty.

        Raises: TimeoutError if it does not become so.
        """
        until = time.monotonic() + EMPTYING_SECONDS
        while True:
            with self._ledger.read() as tx:
                letters, posts = tx.letters(limit=_ALL), tx.posts(limit=_ALL)
            if all(post.sent_at for post in posts):
                break
            if time.monotonic() > until:
                raise TimeoutError("some mails were not sent")
            time.sleep(_LOOKING_SECONDS)
        answers = Counter(post.message_id for post in posts)
        unanswered = sum(answers[letter.answer_id or ""] != 1 for letter in letters)
        return Counts(len(letters), len(posts), unanswered)

    def record(self, name: str) -> Record:
        """Return the record of a finished game.

        Raises: UsageError if it is not over.
        """
        game = self.game(name)
        with self._ledger.read() as tx:
            return export(tx, game)

    def _listen(self) -> None:
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()
        door = Door(self.config, self._ledger)
        listener = Listener(self._receive, door.knows, domain=self.config.domain)
        _, self.port = await listener.start()
        self._listening.set()
        await self._stopping.wait()
        await listener.stop()

    def _receive(self, raw: bytes, rcpt: str, mail_from: str, received_at: datetime) -> Reply:
        reply = receive(self.config, self._ledger, raw, rcpt, mail_from, received_at)
        self._something_to_send.set()
        return reply

    def _send(self) -> None:
        send = partial(deliver, self.config, self._ledger, self._transport)
        while not self._closing:
            self._something_to_send.wait()
            self._something_to_send.clear()
            try:
                send(datetime.now(UTC))
            except Unavailable:
                log.exception("the outbox waits: the database is not to be had")
