"""Handing composed mails on: into a Maildir, or to a mail server by SMTP or LMTP.

The promise: `Transport.send` returns only when the mail is safe with the other side; `Deferred` means that
the same bytes are to be sent again later (`retry_after`), `Rejected` that this will not help. Delivery is at
least once with one Message-ID: when a connection breaks after the last byte, nobody can tell, and the mail is
sent again.
"""

import os
import re
import smtplib
import ssl
import time
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from adjudicator.errors import AdjudicatorError, UsageError
from adjudicator.mail.charsets import decode_header
from adjudicator.mail.mime import split_header

_TIMEOUT = 60.0  # seconds to wait for a server
_PORTS = {"smtp": 25, "smtps": 465, "lmtp": 24}
_PERMANENT = 500
_NO_SUCH_BOX = frozenset({550, 551, 552, 553})
_ENHANCED = re.compile(r"5\.(\d{1,3})\.\d{1,3}\b")
_AUTHENTICATION = frozenset({530, 534, 535, 538})  # our own login is refused: the mail is not to blame
_FORMS = "maildir:PATH, smtp://[user:pass@]host:port[?starttls=required], smtps://... or lmtp://..."
_MINUTES = (1, 5, 15, 30, 60, 120, 240, 480, *[720] * 9)  # five days in all


class Deferred(AdjudicatorError):  # noqa: N818 - says what happened to the mail
    """Not now: the network or the server is out of reach or busy; try again later."""


class Rejected(AdjudicatorError):  # noqa: N818
    """Never: the server refuses this mail for good; `no_such_box` if that is because of the recipient's address."""

    def __init__(self, message: str, *, no_such_box: bool = False) -> None:
        super().__init__(message)
        self.no_such_box = no_such_box


class Transport(Protocol):
    """A way for mails; keeps its connection until `close`."""

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Deliver one mail to one recipient; `mail_from` is "" for the null path.

        Raises:
            Deferred: try again later.
            Rejected: refused for good.
        """

    def close(self) -> None:
        """Let go of the connection; the next `send` opens another."""


def retry_after(attempts: int) -> timedelta | None:
    """Return how long to wait after `attempts` (1, 2, ...) failed tries, None to give up: after five days."""
    return timedelta(minutes=_MINUTES[attempts - 1]) if 0 < attempts <= len(_MINUTES) else None


def open_transport(relay: str, domain: str | None = None) -> Transport:
    """Return the transport for a `RELAY` setting; connects only when the first mail is sent.

    `domain` is how we introduce ourselves to the server; without it the name of this machine is looked up.

    Raises:
        UsageError: the setting is none of the known forms.
    """
    scheme, colon, path = relay.partition(":")
    if scheme == "maildir" and colon:
        if not path or path.startswith("//"):
            raise UsageError(f"RELAY: no folder in {relay!r}; write maildir:PATH")
        return MaildirTransport(Path(path))
    try:
        url = urlsplit(relay)
        port = url.port
    except ValueError as error:
        raise UsageError(f"RELAY: {error}; write {_FORMS}") from error
    if url.scheme not in _PORTS or not url.hostname or url.path not in {"", "/"} or port == 0 or url.fragment:
        raise UsageError(f"RELAY: cannot read it; write {_FORMS}")
    starttls = _starttls(url)
    if url.username and url.scheme != "smtps" and not starttls and not _is_local(url.hostname):
        raise UsageError("RELAY: the password would go in clear; add ?starttls=required or use smtps://")
    return SmtpTransport(url, port or _PORTS[url.scheme], domain, starttls=starttls)


def _starttls(url: SplitResult) -> bool:
    options = parse_qs(url.query, keep_blank_values=True)
    if options not in ({}, {"starttls": ["required"]}) or (options and url.scheme == "smtps"):
        raise UsageError("RELAY: the only option is ?starttls=required, for smtp:// and lmtp://")
    return bool(options)


def _is_local(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")


class MaildirTransport:
    """Writes each mail as a file of a Maildir.

    The envelope is kept in Return-Path and Delivered-To; line ends are LF, as mail programs expect there. The
    name derives from Message-ID and recipient: the same mail sent again replaces its file and is never
    double.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Write and sync the file, then move it to its place and sync the folder."""
        if "\n" in mail_from + rcpt or "\r" in mail_from + rcpt:
            raise Rejected("a line end in an envelope address")
        name = _file_name(raw, rcpt)
        envelope = f"Return-Path: <{mail_from}>\nDelivered-To: {rcpt}\n".encode()
        try:
            for part in ("tmp", "new", "cur"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            if self._is_read(name):
                return
            self._write(name, envelope + raw.replace(b"\r\n", b"\n"))
        except OSError as error:
            raise Deferred(f"cannot write to the Maildir: {error.strerror or error}") from error

    def _is_read(self, name: str) -> bool:
        """Tell whether a mail program has moved the mail on already."""
        return any((self.folder / "cur" / (name + flags)).exists() for flags in ("", ":2,", ":2,S", ":2,RS"))

    def _write(self, name: str, data: bytes) -> None:
        temporary = self.folder / "tmp" / f"{name}.{os.getpid()}.{time.monotonic_ns()}"
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.folder / "new" / name)
        finally:
            temporary.unlink(missing_ok=True)
        handle = os.open(self.folder / "new", os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        """Nothing is kept open."""


def _file_name(raw: bytes, rcpt: str) -> str:
    headers, _ = split_header(raw)
    named = headers.get("message-id")
    identity = decode_header(named[0]) if named else sha256(raw).hexdigest()
    return sha256(f"{identity}\0{rcpt.lower()}".encode("utf-8", "replace")).hexdigest()[:40] + ".adjudicator"


class SmtpTransport:
    """Sends by SMTP or LMTP over one kept connection, for use by one thread."""

    def __init__(self, url: SplitResult, port: int, domain: str | None, *, starttls: bool) -> None:
        self._url, self._port, self._domain = url, port, domain
        self._starttls = starttls
        self._server: smtplib.SMTP | None = None

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Send over the kept connection, or a new one if the server has closed it since."""
        try:
            server = self._connection()
            server.sendmail(mail_from, [rcpt], raw, mail_options=_mail_options(server, raw, mail_from + rcpt))
        except smtplib.SMTPRecipientsRefused as error:
            code, text = error.recipients[rcpt]
            raise _refusal(code, text, at_recipient=True) from error
        except smtplib.SMTPResponseException as error:
            if not isinstance(error, smtplib.SMTPDataError | smtplib.SMTPSenderRefused):
                self.close()
                raise Deferred(f"the server does not let us in: {error.smtp_code}") from error
            raise _refusal(error.smtp_code, error.smtp_error) from error
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise Deferred(f"no connection to the server: {error}") from error

    def close(self) -> None:
        """Say goodbye, and forget the connection whatever comes of it."""
        server, self._server = self._server, None
        if server is not None:
            try:
                server.quit()
            except (OSError, smtplib.SMTPException):
                server.close()

    def _connection(self) -> smtplib.SMTP:
        if self._server is not None and not _answers(self._server):
            self.close()
        if self._server is None:
            self._server = self._connect()
        return self._server

    def _connect(self) -> smtplib.SMTP:
        url, host = self._url, self._url.hostname or ""
        server = _OPENERS[url.scheme](host, self._port, self._domain)
        try:
            server.ehlo_or_helo_if_needed()
            if self._starttls:
                server.starttls(context=ssl.create_default_context())
            elif url.scheme == "smtp" and server.has_extn("starttls"):
                server.starttls(context=_unverified())
            if url.username:
                server.login(unquote(url.username), unquote(url.password or ""))
        except BaseException:
            server.close()
            raise
        return server


def _smtps(host: str, port: int, domain: str | None) -> smtplib.SMTP:
    return smtplib.SMTP_SSL(host, port, domain, timeout=_TIMEOUT, context=ssl.create_default_context())


def _smtp(host: str, port: int, domain: str | None) -> smtplib.SMTP:
    return smtplib.SMTP(host, port, domain, timeout=_TIMEOUT)


def _lmtp(host: str, port: int, domain: str | None) -> smtplib.SMTP:
    return smtplib.LMTP(host, port, domain, timeout=_TIMEOUT)


_OPENERS: dict[str, Callable[[str, int, str | None], smtplib.SMTP]] = {"smtp": _smtp, "smtps": _smtps, "lmtp": _lmtp}


def _unverified() -> ssl.SSLContext:
    """Return a context for encryption that was offered but not asked for: better than none, whoever it is."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _answers(server: smtplib.SMTP) -> bool:
    try:
        return server.noop()[0] < 400  # noqa: PLR2004 - 4xx and 5xx are the refusals
    except (OSError, smtplib.SMTPException):
        return False


def _mail_options(server: smtplib.SMTP, raw: bytes, addresses: str) -> list[str]:
    options = []
    if not addresses.isascii():
        if not server.has_extn("smtputf8"):
            raise Rejected("the server does not take addresses beyond ASCII (no SMTPUTF8)")
        options.append("SMTPUTF8")
    if not raw.isascii() and server.has_extn("8bitmime"):
        options.append("BODY=8BITMIME")
    return options


def _refusal(code: int, text: bytes | str, *, at_recipient: bool = False) -> AdjudicatorError:
    """Return what a refusal comes to: a box is missing if it was refused at RCPT, and not for a policy's sake.

    Source: RFC 3463 sections 3.2 to 3.8 (of the subjects only 1 and 2 speak of the address).
    """
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    told = f"{code} {words}"[:500]
    if code < _PERMANENT or code in _AUTHENTICATION:
        return Deferred(told)
    status = _ENHANCED.match(words)
    about_the_box = status[1] in "12" if status else code in _NO_SUCH_BOX
    return Rejected(told, no_such_box=at_recipient and about_the_box)
