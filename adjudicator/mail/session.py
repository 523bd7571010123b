"""One SMTP or LMTP connection: aiosmtpd's protocol with its gaps closed.

What is our own here: DATA (aiosmtpd buffers without bound where no CRLF comes, refuses long lines, and
answers LMTP but once), the reading of paths (aiosmtpd's takes long and crashes on junk), the counting of
connections and bytes, and the end of a connection when the service stops.
"""

import asyncio
import logging
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import AnyStr

import msgspec
from aiosmtpd.smtp import SMTP, Envelope, Session, TLSSetupException, syntax

from adjudicator.mail.envelope import client_of, split_path

log = logging.getLogger(__name__)
# aiosmtpd logs each command at INFO: our addresses hold the players' secrets.
logging.getLogger("mail.log").setLevel(logging.ERROR)

_END = b"\r\n.\r\n"
_STUFFED = b"\r\n."
_DOT = b".\r\n"
_CLOSING_SECONDS = 2.0  # what a client gets to read our last words
_UNLIMITED = 1_000_000  # commands of a kind on one connection: a relay may send mails by the thousand


class Reply(msgspec.Struct, frozen=True):
    """What is said to the client for one recipient: an SMTP code and one line of text."""

    code: int
    text: str


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What clients may use: bytes, connections, seconds."""

    message_bytes: int = 1_048_576
    bytes_in_flight: int = 33_554_432
    connections: int = 500
    connections_per_client: int = 100
    recipients: int = 100
    command_seconds: float = 120.0
    data_seconds: float = 300.0
    junk_commands: int = 1_000
    refusals: int = 1_000


Deliver = Callable[[bytes, list[str], str], Awaitable[list[Reply]]]


class Shared:
    """What the connections of one listener have in common."""

    def __init__(self, limits: Limits, deliver: Deliver, knows: Callable[[str], bool], *, lmtp: bool) -> None:
        self.limits = limits
        self.deliver = deliver
        self.knows = knows
        self.lmtp = lmtp
        self.live: set[Connection] = set()
        self.clients: Counter[str] = Counter()
        self.bytes_in_flight = 0
        self.draining = False
        self.empty = asyncio.Event()  # set while there is no connection
        self.empty.set()

    def refusal(self, client: str) -> str | None:
        """Return why no further connection of this client is taken, None if it is."""
        if self.draining or len(self.live) >= self.limits.connections:
            return "421 4.3.2 Busy, try again later"
        if client and self.clients[client] >= self.limits.connections_per_client:
            return "421 4.7.0 Too many connections from your host"
        return None


class Hooks:
    """aiosmtpd's hooks: recipients, the EHLO answer, and errors that must not show."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Leave out AUTH, which aiosmtpd offers after STARTTLS even with nothing to log in to."""
        session.host_name = hostname
        kept = [line for line in responses if not line[4:].startswith("AUTH")]
        return [*kept[:-1], "250-PIPELINING", *kept[-1:]]

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take the recipients that are ours."""
        if len(envelope.rcpt_tos) >= self._shared.limits.recipients:
            return "452 4.5.3 Too many recipients"
        try:
            known = self._shared.knows(address)
        except Exception:
            log.exception("cannot tell whether a recipient is ours")
            return "451 4.3.0 Try again later"
        if not known:
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        """Say nothing about our own fault but that it is ours."""
        if isinstance(error, TLSSetupException):
            log.info("a client asked for encryption and did not get there: %s", error.__cause__)
            return ""
        log.error("a command failed", exc_info=error)
        return "451 4.3.0 Try again later"


class Connection(SMTP):
    """One client."""

    line_length_limit = 65_536  # of a piece that is read at once; the length of a line itself has no limit

    def __init__(self, shared: Shared, domain: str, tls: ssl.SSLContext | None) -> None:
        limits = shared.limits
        calls = {"*": limits.junk_commands} | dict.fromkeys(("MAIL", "RCPT", "DATA", "RSET"), _UNLIMITED)
        super().__init__(
            Hooks(shared),
            data_size_limit=limits.message_bytes,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="LMTP" if shared.lmtp else "ESMTP",
            tls_context=tls,
            timeout=limits.command_seconds,
            command_call_limit=calls,
            loop=asyncio.get_running_loop(),
        )
        self._shared = shared
        self._client = ""
        self._counted = False
        self._held = 0
        self._refusals = 0
        self.in_data = False
        for name in ("AUTH", *(("HELO", "EHLO") if shared.lmtp else ("LHLO",))):
            self._smtp_methods.pop(name)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the client, or say why not."""
        if not self._counted:  # STARTTLS makes the connection a second time
            client = "" if self._shared.lmtp else client_of(transport.get_extra_info("peername"))
            refusal = self._shared.refusal(client)
            if refusal:
                assert isinstance(transport, asyncio.WriteTransport)
                transport.write(refusal.encode() + b"\r\n")
                transport.close()
                return
            self._client = client
            self._counted = True
            self._shared.live.add(self)
            self._shared.empty.clear()
            self._shared.clients[client] += 1
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Give back what the client held."""
        if not self._counted:
            return
        if self in self._shared.live:
            self._shared.live.discard(self)
            self._shared.clients[self._client] -= 1
            if not self._shared.clients[self._client]:
                del self._shared.clients[self._client]
            self._release()
            if not self._shared.live:
                self._shared.empty.set()
        super().connection_lost(error)

    def say_goodbye(self) -> None:
        """End an idle connection; one that is within DATA ends by itself after its answer."""
        if not self.in_data:
            self._end("421 4.3.2 Service is stopping, try again later")

    def abort(self) -> None:
        """End the connection at once, whatever the client has not read yet."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    def _end(self, words: str) -> None:
        """End the connection with last words, and for certain: closing alone waits for a client that reads nothing."""
        if not isinstance(self.transport, asyncio.WriteTransport) or self.transport.is_closing():
            return
        self.transport.write(words.encode() + b"\r\n")
        self.transport.close()
        self.loop.call_later(_CLOSING_SECONDS, self.abort)

    def _timeout_cb(self) -> None:
        if self.transport is not None and self.transport.is_closing():
            self.abort()  # aiosmtpd itself has closed it, and the client does not read
        self._end("421 4.4.2 That took too long")

    async def push(self, status: AnyStr) -> None:
        """Answer; a client that is refused again and again is sent away, and one that is gone is left alone."""
        if self.transport is None or self.transport.is_closing():
            assert self._handler_coroutine is not None
            self._handler_coroutine.cancel()  # commands that lie in the buffer are nobody's any more
            await asyncio.sleep(0)
            return
        await super().push(status)
        if status[:1] in {"4", "5", b"4", b"5"}:
            self._refusals += 1
            if self._refusals >= self._shared.limits.refusals:
                self._end("421 4.7.0 Too many refusals")

    @syntax("STARTTLS", when="tls_context")
    async def smtp_STARTTLS(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Go on in TLS (RFC 3207), once.

        Raises: TLSSetupException if the client is gone before it is set up.
        """
        if self._tls_protocol is not None:
            await self.push("503 5.5.1 Error: this is TLS already")
            return
        await super().smtp_STARTTLS(arg)
        assert self.session is not None
        if self._tls_protocol is not None and self.session.ssl is None:
            # The connection was aborted meanwhile: asyncio tells this as a success, and nobody else.
            raise TLSSetupException

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Greet, in LMTP (RFC 2033 section 4.1)."""
        await self.smtp_EHLO(arg)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take a mail; in LMTP there is one answer for each recipient (RFC 2033 section 4.2)."""
        if await self.check_helo_needed("LHLO" if self._shared.lmtp else "HELO"):
            return
        assert self.envelope is not None
        if not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 Error: need RCPT command")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        self.in_data = True
        try:
            await self._take_mail(self.envelope.rcpt_tos, self.envelope.mail_from or "")
        finally:
            self.in_data = False
            self._release()
            self.envelope = self._create_envelope()
        if self._shared.draining:
            self.say_goodbye()

    async def _take_mail(self, rcpts: list[str], mail_from: str) -> None:
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        self._reset_timeout(self._shared.limits.data_seconds)
        raw = await self._read_mail()
        if isinstance(raw, Reply):
            replies = [raw] * len(rcpts)
        else:
            replies = await self._shared.deliver(raw, rcpts, "" if mail_from == "<>" else mail_from)
        self._release()
        self._reset_timeout()
        if not self._shared.lmtp:
            replies = [worst(replies)]
        await self.push("\r\n".join(map(_line, replies)))

    async def _read_mail(self) -> bytes | Reply:
        """Read up to CRLF . CRLF and undo the dot-stuffing (RFC 5321 section 4.5.2).

        What is beyond a limit is read on and thrown away, so that the answer comes where the client expects
        it. Lines are not looked at one by one: a mail of nothing but line ends would cost seconds, and memory
        many times its size.
        """
        self._reader._buffer[:0] = b"\r\n"  # type: ignore[attr-defined]  # noqa: SLF001 - the first line may be the end
        pieces: list[bytes] = []
        refusal, ended, size = None, False, -len(_END)
        while not ended:
            piece, ended = await self._read_piece()
            size += len(piece) - piece.count(_STUFFED)
            if refusal is None:
                refusal = self._hold(len(piece), size - len(pieces))  # a dot may hide between two pieces
            if refusal is None:
                pieces.append(piece)
            elif pieces:
                pieces.clear()
                self._release()
        raw = b"".join(pieces)[: -len(_DOT)].replace(_STUFFED, b"\r\n")[2:]
        return refusal or self._too_large(len(raw)) or raw

    async def _read_piece(self) -> tuple[bytes, bool]:
        """Return what is there, and whether the mail ends with it; an end is never cut in two."""
        try:
            return await self._reader.readuntil(_END), True
        except asyncio.LimitOverrunError as error:
            return await self._reader.read(error.consumed), False

    def _too_large(self, size: int) -> Reply | None:
        limit = self._shared.limits.message_bytes
        return Reply(552, f"5.3.4 This mail is larger than {limit // 1024} KB") if size > limit else None

    def _hold(self, count: int, size: int) -> Reply | None:
        if refusal := self._too_large(size):
            return refusal
        if self._shared.bytes_in_flight + count > self._shared.limits.bytes_in_flight:
            return Reply(452, "4.3.1 Busy, try again later")
        self._held += count
        self._shared.bytes_in_flight += count
        return None

    def _release(self) -> None:
        self._shared.bytes_in_flight -= self._held
        self._held = 0

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Split `<path> parameters`; the null path is "<>", None a malformed one."""
        return split_path(arg)


def worst(replies: list[Reply]) -> Reply:
    """Return the one answer that SMTP has for several recipients.

    A temporary failure for any of them asks for the mail again: those who had it know it by its key.
    Otherwise one who accepted is enough; a refusal is told only where nobody accepted.
    """
    for low, high in ((400, 500), (200, 300), (500, 600)):
        for reply in replies:
            if low <= reply.code < high:
                return reply
    return Reply(451, "4.3.0 Try again later")


def _line(reply: Reply) -> str:
    text = " ".join(reply.text.encode("ascii", "replace").decode().split())
    return f"{reply.code} {text[:400]}"
