"""Where the service's mails go: a mail server that remembers what it was given."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from hashlib import sha256
from types import TracebackType
from typing import NamedTuple, Self

from adjudicator.mail.listener import Listener
from adjudicator.mail.mime import split_header
from adjudicator.mail.session import Reply

WAITING_SECONDS = 30.0
TAKEN = Reply(250, "2.0.0 taken")


class Got(NamedTuple):
    """A mail that the service has sent; `at` is monotonic, in seconds."""

    message_id: str
    in_reply_to: str
    reply_to: str
    rcpt: str
    at: float


class Relay:
    """A mail server on a free port, in a thread of its own; it outlives each `serve`.

    `copies` counts how often a mail came, by Message-ID; `changed` are those that came again with other bytes;
    `answers` are the mails by what they answer, `newest` by recipient the one about the latest position.
    """

    def __init__(self) -> None:
        self.copies: Counter[str] = Counter()
        self.changed: set[str] = set()
        self.answers: dict[str, list[Got]] = {}
        self.newest: dict[str, Got] = {}
        self._digests: dict[str, bytes] = {}
        self._news = threading.Condition()
        self._listening: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._listen()), daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.port = self._listening.result(WAITING_SECONDS)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    async def _listen(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        listener = Listener(self._take, lambda _: True)
        self._listening.set_result((await listener.start())[1])
        await self._over.wait()
        await listener.stop(0.1)

    @property
    def setting(self) -> str:
        """The RELAY that leads here."""
        return f"smtp://127.0.0.1:{self.port}"

    def wait_until(self, fact: Callable[[], bool], seconds: float = WAITING_SECONDS) -> bool:
        """Wait until something is so, looking whenever a mail has come; returns whether it is."""
        with self._news:
            return self._news.wait_for(fact, seconds)

    def position(self, address: str) -> int:
        """The latest position that a player was told of; 0 if he has got no mail."""
        found = self.newest.get(address)
        return position_of(found.reply_to) if found else 0

    def _take(self, raw: bytes, rcpt: str, _mail_from: str, _now: datetime) -> Reply:
        headers, _ = split_header(raw)
        message_id, answered, reply_to = (
            b"".join(headers.get(name, [])).decode("ascii", "replace").strip()
            for name in ("message-id", "in-reply-to", "reply-to")
        )
        got = Got(message_id, answered, reply_to, rcpt, time.monotonic())
        digest = sha256(raw).digest()
        with self._news:
            self.copies[message_id] += 1
            if self._digests.setdefault(message_id, digest) != digest:
                self.changed.add(message_id)
            if self.copies[message_id] == 1:
                self.answers.setdefault(answered, []).append(got)
                self.newest[rcpt] = max(got, self.newest.get(rcpt, got), key=lambda one: position_of(one.reply_to))
                self._news.notify_all()
        return TAKEN


def position_of(address: str) -> int:
    """The number of the position that a secret reply address belongs to; 0 for another address."""
    number = address.partition(".")[2].partition("-")[0]
    return int(number) if number.isdecimal() else 0
