"""The running process: listeners, house players, sender and clock in one.

Mails are received in the event loop; one worker thread lets house players move and empties the outbox, whenever a
mail was taken and every few seconds. Promise: after SIGTERM or SIGINT no new mail is taken, those under way are
finished, the outbox is emptied once more as far as time allows, and nothing that was promised is lost.
"""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from adjudicator.errors import Unavailable
from adjudicator.mail.listener import Listener
from adjudicator.mail.sender import Transport, open_transport
from adjudicator.mail.session import Reply
from adjudicator.service.deliver import deliver
from adjudicator.service.door import Door
from adjudicator.service.house import Stuck, play_house
from adjudicator.service.receive import receive
from adjudicator.service.running import Service, serving
from adjudicator.settings import HostPort, UnixPath

log = logging.getLogger("adjudicator")

ROUND_SECONDS = 2.0
"""How often the worker looks for what others (the command line) have caused."""
STOP_SECONDS = 20.0
"""How long mails under way, and the worker, may take to finish."""
HOUSE_MAILS = 20
"""After so many mails of house players the outbox gets its turn."""


def serve(service: Service, ready: Callable[[str], None]) -> None:
    """Serve until a signal stops it; `ready` is told once everything listens, in one line.

    Raises: Unavailable if another one serves, or an address cannot be listened on; UsageError for a wrong RELAY.
    """
    with serving(service.database):
        transport = open_transport(service.settings.relay, service.config.domain)
        worker = Worker(service, transport)
        asyncio.run(_serve(service, worker, ready))


class Worker:
    """The thread that does what is due; `wake` it when something was received."""

    def __init__(self, service: Service, transport: Transport) -> None:
        self._service = service
        self._transport = transport
        self._stuck: Stuck = set()  # told once; a restart, after a fix, tries them again
        self._woken = threading.Event()
        self._stopping = threading.Event()
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
        house = _tried(lambda: play_house(service.config, service.ledger, now, at_most=HOUSE_MAILS, stuck=self._stuck))
        _tried(lambda: deliver(service.config, service.ledger, self._transport, now))
        return house >= HOUSE_MAILS


def _tried(work: Callable[[], int]) -> int:
    """Return what the work returns; 0 after a fault, which is logged."""
    try:
        return work()
    except Unavailable as error:
        log.warning("something is put off: %s", error)
    except Exception:
        log.exception("the worker failed; it tries again in a moment")
    return 0


async def _serve(service: Service, worker: Worker, ready: Callable[[str], None]) -> None:
    """Listen until a signal comes."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    listeners = _listeners(service, worker)
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


def _listeners(service: Service, worker: Worker) -> list[tuple[Listener, HostPort | UnixPath]]:
    """Return the listeners that the settings ask for: SMTP, and LMTP if given."""
    door = Door(service.config, service.ledger)

    def take(raw: bytes, rcpt: str, mail_from: str, now: datetime) -> Reply:
        reply = receive(service.config, service.ledger, raw, rcpt, mail_from, now)
        worker.wake()
        return reply

    wanted: list[tuple[HostPort | UnixPath, bool]] = [(service.settings.listen, False)]
    if service.settings.lmtp is not None:
        wanted.append((service.settings.lmtp, True))
    found = []
    for place, lmtp in wanted:
        where = {"unix_path": place.path} if isinstance(place, UnixPath) else {"host": place.host, "port": place.port}
        listener = Listener(take, door.knows, lmtp=lmtp, domain=service.config.domain, **where)
        found.append((listener, place))
    return found


async def _start(listener: Listener, wanted: HostPort | UnixPath) -> str:
    """Begin to listen; returns where.

    Raises: Unavailable if the address cannot be had.
    """
    try:
        host, port = await listener.start()
    except OSError as error:
        raise Unavailable(f"cannot listen on {wanted}: {error.strerror or error}") from error
    return f"unix:{host}" if isinstance(wanted, UnixPath) else str(HostPort(host, port))
