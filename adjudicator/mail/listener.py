"""SMTP and LMTP in, over two plain functions.

The promise: 250 is said only after `receive` has said it, for each recipient by itself; whatever goes wrong
before is a 451, so that the sender's server keeps the mail. See `session` for what a single client can and
cannot do.
"""

import asyncio
import logging
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.mail.session import Connection, Limits, Reply, Shared

__all__ = ["Limits", "Listener", "Receive", "Reply"]

log = logging.getLogger(__name__)

Receive = Callable[[bytes, str, str, datetime], Reply]

_FAULT = Reply(451, "4.3.0 Try again later")
_BACKLOG = 200
_FOR_ALL = 0o666


class Listener:
    """A listening socket and its connections.

    `receive(raw, rcpt, mail_from, received_at)` is called once for each recipient; `knows(rcpt)` says at RCPT
    whether an address is ours. Both are called in the event loop itself (an ordinary letter takes less time
    than handing it to a thread does); with `threads` greater than 0, `receive` is called in that many threads
    instead. `tls` is asked at each connection for what STARTTLS encrypts with; without it there is no STARTTLS.
    """

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        receive: Receive,
        knows: Callable[[str], bool],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        lmtp: bool = False,
        unix_path: Path | None = None,
        domain: str = "localhost",
        limits: Limits | None = None,
        tls: Callable[[], ssl.SSLContext] | None = None,
        threads: int = 0,
    ) -> None:
        self._receive = receive
        self._host, self._port, self._unix_path = host, port, unix_path
        self._domain, self._tls = domain, tls
        self._pool = ThreadPoolExecutor(threads, "receive") if threads else None
        self._shared = Shared(limits or Limits(), self._deliver, knows, lmtp=lmtp)
        self._server: asyncio.Server | None = None

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return len(self._shared.live)

    @property
    def bytes_in_flight(self) -> int:
        """How many bytes of mails that are being received are held in memory."""
        return self._shared.bytes_in_flight

    async def start(self) -> tuple[str, int]:
        """Begin to listen; return the host and port really bound (the path and 0 for a Unix socket).

        Raises:
            OSError: the address cannot be bound.
        """
        loop = asyncio.get_running_loop()
        if self._unix_path is not None:
            self._server = await loop.create_unix_server(self._connect, str(self._unix_path), backlog=_BACKLOG)
            # Whoever may enter its folder may use it: a mail server runs as a user of its own.
            self._unix_path.chmod(_FOR_ALL)
            return str(self._unix_path), 0
        self._server = await loop.create_server(self._connect, self._host, self._port, backlog=_BACKLOG)
        host, port = self._server.sockets[0].getsockname()[:2]
        return str(host), int(port)

    def _connect(self) -> Connection:
        return Connection(self._shared, self._domain, self._tls() if self._tls else None)

    async def stop(self, drain_seconds: float = 30.0) -> None:
        """Take no more connections, let mails under way finish within `drain_seconds`, and end."""
        if self._server is None:
            return
        self._server.close()
        self._shared.draining = True
        for connection in list(self._shared.live):
            connection.say_goodbye()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._shared.empty.wait(), drain_seconds)
        for connection in list(self._shared.live):
            connection.abort()
        await asyncio.sleep(0)
        await self._server.wait_closed()
        self._server = None
        if self._pool is not None:
            self._pool.shutdown()
        if self._unix_path is not None:
            self._unix_path.unlink(missing_ok=True)

    async def _deliver(self, raw: bytes, rcpts: list[str], mail_from: str) -> list[Reply]:
        received_at = datetime.now(UTC)
        replies: dict[str, Reply] = {}
        for rcpt in rcpts:
            if rcpt not in replies:  # named twice: received once, answered twice
                replies[rcpt] = await self._deliver_one(raw, rcpt, mail_from, received_at)
        return [replies[rcpt] for rcpt in rcpts]

    async def _deliver_one(self, raw: bytes, rcpt: str, mail_from: str, received_at: datetime) -> Reply:
        try:
            if self._pool is None:
                return self._receive(raw, rcpt, mail_from, received_at)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._receive, raw, rcpt, mail_from, received_at)
        except Exception:
            log.exception("a mail could not be received")
            return _FAULT
