"""The running process: listeners, house players, sender and clock in one.

Mails are received in the event loop; one worker thread lets house players move and empties the outbox, whenever a
mail was taken and every few seconds. Promise: after SIGTERM or SIGINT no new mail is taken, those under way are
finished, the outbox is emptied once more as far as time allows, and nothing that was promised is lost.
"""

import asyncio
import logging
import signal
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

from adjudicator.errors import Unavailable
from adjudicator.mail.certificate import Certificate
from adjudicator.mail.listener import Limits, Listener, Receive
from adjudicator.mail.sender import Transport, open_transport
from adjudicator.mail.session import Reply
from adjudicator.service.deliver import deliver
from adjudicator.service.door import Door
from adjudicator.service.house import Stuck, play_house
from adjudicator.service.outage import Pulse, beat, note_outage
from adjudicator.service.receive import LATER, receive
from adjudicator.service.running import Service, forget, serving
from adjudicator.service.timekeeping import keep_time
from adjudicator.settings import HostPort, Settings, UnixPath

log = logging.getLogger("adjudicator")

ROUND_SECONDS = 2.0
"""How often the worker looks for what others (the command line) have caused."""
STOP_SECONDS = 20.0
"""How long mails under way, and the worker, may take to finish."""
HOUSE_MAILS = 20
"""After so many mails of house players the outbox gets its turn."""
CHECKING_THREADS = 8
"""So many mails at once have their signatures checked, where we do that ourselves."""
DATA_SHARE = 2.5
"""A whole mail may take so many times as long as one command."""
REFUSED = 500
DROPPED = Reply(250, "2.0.0 dropped")


def serve(service: Service, ready: Callable[[str], None]) -> None:
    """Serve until a signal stops it; `ready` is told once everything listens, in one line.

    Raises:
        Unavailable: another one serves, or an address cannot be listened on.
        UsageError: RELAY is wrong, or the certificate cannot be used.
    """
    certificate = _certificate(service.settings)
    with serving(service.database):
        _take_back(service)
        transport = open_transport(service.settings.relay, service.config.domain)
        worker = Worker(service, transport)
        asyncio.run(_serve(service, worker, certificate, ready))


def _certificate(settings: Settings) -> Certificate | None:
    """The certificate for STARTTLS; its key may stand in the same file."""
    if settings.tls_cert is None:
        return None
    return Certificate(settings.tls_cert, settings.tls_key or settings.tls_cert)


def _take_back(service: Service) -> None:
    """Make due again what a process that was killed had taken to send: nobody else sends now.

    Time in which nobody served is taken out of all clocks before the first letter is worked on.
    """
    with service.ledger.begin() as tx:
        tx.end_leases()
    now = datetime.now(UTC)
    note_outage(service.config, service.ledger, now)
    beat(service.ledger, now)


class Worker:
    """The thread that does what is due; `wake` it when something was received."""

    def __init__(self, service: Service, transport: Transport) -> None:
        self._service = service
        self._transport = transport
        self._stuck: Stuck = set()  # told once; a restart, after a fix, tries them again
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._today: date | None = None
        self.pulse = Pulse(service.config, service.ledger)
        # A daemon: a server that does not answer cannot keep the process; a lease brings its mails back.
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Look for work at once."""
        self._woken.set()

    def stop(self, seconds: float = STOP_SECONDS) -> bool:
        """Finish the round under way, and one more; returns whether that was done in time."""
        self._stopping.set()
        self._woken.set()
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            if not self.do_round():
                self._woken.wait(ROUND_SECONDS)
        self.do_round()
        with suppress(Exception):
            self._transport.close()

    def do_round(self) -> bool:
        """Do what is due; returns whether there is surely more. A fault is logged, and stops nothing else."""
        service = self._service
        now = datetime.now(UTC)
        _tried(lambda: self._keep_time(now))
        house = _tried(lambda: play_house(service.config, service.ledger, now, at_most=HOUSE_MAILS, stuck=self._stuck))
        _tried(lambda: deliver(service.config, service.ledger, self._transport, now))
        return house >= HOUSE_MAILS

    def _keep_time(self, now: datetime) -> int:
        """Do what is due in games, an outage before all else; once a day forget what is to be forgotten."""
        service = self._service
        self.pulse.beat(now)
        if self._today != now.date():
            forget(service, now)
            self._today = now.date()
        return keep_time(service.config, service.ledger, now)


def _tried(work: Callable[[], int]) -> int:
    """Return what the work returns; 0 after a fault, which is logged."""
    try:
        return work()
    except Unavailable as error:
        log.warning("something is put off: %s", error)
    except Exception:
        log.exception("the worker failed; it tries again in a moment")
    return 0


async def _serve(
    service: Service, worker: Worker, certificate: Certificate | None, ready: Callable[[str], None]
) -> None:
    """Listen until a signal comes."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_note)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    listeners = _listeners(service, worker, certificate)
    places = []
    try:
        for listener, wanted in listeners:
            places.append(await _start(listener, wanted))
        worker.start()
        ready(f"listening on {', '.join(places)}")
        await stopped.wait()
        log.info("stopping")
    finally:
        await asyncio.gather(*(listener.stop(STOP_SECONDS) for listener, _ in listeners))
    if not await loop.run_in_executor(None, worker.stop):
        log.warning("the relay takes long; mails that it has not taken go out after the next start")


def _note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in a connection; a client's broken handshake is no fault of ours."""
    if isinstance(context.get("exception"), ssl.SSLError | ConnectionError):
        log.info("a connection broke: %s", context["exception"])
    else:
        loop.default_exception_handler(context)


def _listeners(
    service: Service, worker: Worker, certificate: Certificate | None
) -> list[tuple[Listener, HostPort | UnixPath]]:
    """Return the listeners that the settings ask for: SMTP, and LMTP if given."""
    settings = service.settings
    door = Door(service.config, service.ledger)

    def take(raw: bytes, rcpt: str, mail_from: str, now: datetime) -> Reply:
        return taken(service, worker, raw, rcpt, mail_from, now)

    def take_from_server(raw: bytes, rcpt: str, mail_from: str, now: datetime) -> Reply:
        return _dropped(take(raw, rcpt, mail_from, now))

    found: list[tuple[Listener, HostPort | UnixPath]] = [
        (_listener(service, take, door, certificate, settings.listen, lmtp=False), settings.listen)
    ]
    if settings.lmtp is not None:
        lmtp = _listener(service, take_from_server, door, certificate, settings.lmtp, lmtp=True)
        found.append((lmtp, settings.lmtp))
    return found


def taken(service: Service, worker: Worker, raw: bytes, rcpt: str, mail_from: str, now: datetime) -> Reply:
    """Take a mail that has come, after an outage that has just ended was taken out of the clocks."""
    try:
        worker.pulse.catch_up(now)
    except Unavailable as error:
        log.warning("a mail was deferred: %s", error)
        return LATER
    except Exception:
        log.exception("an outage could not be taken out of the clocks; the worker tries it again")
    reply = receive(service.config, service.ledger, raw, rcpt, mail_from, now)
    worker.wake()
    return reply


def _dropped(reply: Reply) -> Reply:
    """What a mail server in front is told: it has taken the mail, and would send a refusal to whom a forger names."""
    if reply.code < REFUSED:
        return reply
    log.info("a mail was dropped: %s", reply.text)
    return DROPPED


def _listener(
    service: Service,
    take: Receive,
    door: Door,
    certificate: Certificate | None,
    place: HostPort | UnixPath,
    *,
    lmtp: bool,
) -> Listener:
    settings = service.settings
    limits = Limits(
        connections=settings.connections,
        connections_per_client=settings.connections_per_client,
        command_seconds=settings.client_seconds,
        data_seconds=settings.client_seconds * DATA_SHARE,
    )
    where: Any = {"unix_path": place.path} if isinstance(place, UnixPath) else {"host": place.host, "port": place.port}
    tls = None if certificate is None or isinstance(place, UnixPath) else certificate.context
    # To check signatures takes questions to the DNS, for which the other clients are not to wait.
    threads = CHECKING_THREADS if service.config.checks_signatures else 0
    more: Any = {"limits": limits, "tls": tls, "threads": threads, **where}
    return Listener(take, door.knows, lmtp=lmtp, domain=service.config.domain, **more)


async def _start(listener: Listener, wanted: HostPort | UnixPath) -> str:
    """Begin to listen; returns where.

    Raises: Unavailable if the address cannot be had.
    """
    try:
        host, port = await listener.start()
    except OSError as error:
        raise Unavailable(f"cannot listen on {wanted}: {error.strerror or error}") from error
    return f"unix:{host}" if isinstance(wanted, UnixPath) else str(HostPort(host, port))
