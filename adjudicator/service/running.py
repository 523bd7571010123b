"""The service opened by its settings: database, ledger, and whether another process serves the same database.

Promise: at most one `serve` runs on a database. It holds a lock that ends with its process: on SQLite of the file
`<database>.serving`, on PostgreSQL an advisory lock.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.errors import Unavailable, UsageError
from adjudicator.mail import signatures
from adjudicator.mail.sender import open_transport
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.house import play_house
from adjudicator.service.outage import note_outage
from adjudicator.service.timekeeping import keep_time
from adjudicator.settings import Settings
from adjudicator.store.database import Database, as_unavailable, open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import check, newest_revision, revision, upgrade

_LOCK = (4_611_686, 2525)  # any two numbers, the same for all versions
_PATIENCE = 1.0  # seconds: a command that looks whether anybody serves holds the lock for an instant
Notice = Callable[[str], None]
Gate = Callable[[Connection], object]


class Service(msgspec.Struct, frozen=True):
    """What commands and the running process work with."""

    settings: Settings
    config: Config
    database: Database
    ledger: Ledger


def config_of(settings: Settings) -> Config:
    """Return what the service needs to know of the settings.

    Raises: UsageError for AUTH=aligned if nothing says what is aligned.
    """
    config = Config(
        domain=settings.domain,
        auth=settings.auth,
        moderators=settings.moderators,
        authserv_id=settings.authserv_id,
        strangers_per_hour=settings.strangers_per_hour,
        answers_per_hour=settings.answers_per_hour,
    )
    if config.checks_signatures and not signatures.is_available():
        raise UsageError(
            "setting AUTH: aligned needs AUTHSERV_ID, the name in the Authentication-Results of your mail server,"
            " or the extra dkim (dkimpy, dnspython)"
        )
    return config


@contextmanager
def opened(
    settings: Settings, notice: Notice, *, upgrading: bool = False, gate: Gate | None = None
) -> Iterator[Service]:
    """Open the service; a new database gets its tables, an old one only with `upgrading`, either with a notice.

    The tables of an old one are kept only if the `gate` lets them pass (see `store.migrate.upgrade`).

    Raises:
        Unavailable: the database or the data folder cannot be used, or its tables are old.
        UsageError: the database URL, RELAY or AUTH cannot be used.
    """
    open_transport(settings.relay, settings.domain).close()  # told before anything is done
    config = config_of(settings)
    _make_data(settings.data)
    database = open_database(settings.database_url)
    try:
        _prepare(database, notice, upgrading=upgrading, gate=gate)
        yield Service(settings, config, database, Ledger(database))
    finally:
        database.close()


def _make_data(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the data folder {folder} cannot be made: {error.strerror}") from error


def _prepare(database: Database, notice: Notice, *, upgrading: bool, gate: Gate | None) -> None:
    found = revision(database)
    if found == newest_revision():
        return
    if found is not None and not upgrading:
        raise Unavailable(f"the tables are at revision {found}, not {newest_revision()}: run adjudicator db upgrade")
    upgrade(database, gate if found is not None else None)
    notice("made the tables of a new database" if found is None else f"upgraded the tables to {newest_revision()}")


class Delivered(msgspec.Struct, frozen=True):
    """How many mails house players wrote, and how many went out; `kept` things were due in games."""

    house: int
    sent: int
    kept: int = 0


def deliver_caused(service: Service, now: datetime, *, always: bool = False) -> Delivered | None:
    """Let house players move and send what is due; None, with nothing done, if a `serve` does that.

    Raises: Unavailable if the database is away.
    """
    if not always and is_served(service.database):
        return None
    transport = open_transport(service.settings.relay, service.config.domain)
    try:
        house = play_house(service.config, service.ledger, now)
        return Delivered(house, deliver(service.config, service.ledger, transport, now))
    finally:
        transport.close()


def do_due(service: Service, now: datetime, *, made_up: bool = False) -> Delivered | None:
    """Do all that is due once; None, with nothing done, if a `serve` does that.

    If `now` is `made_up` it is done whether or not somebody serves, and says nothing about outages.

    Raises: Unavailable if the database is away.
    """
    if not made_up and is_served(service.database):
        return None
    if not made_up:
        note_outage(service.config, service.ledger, now)
    kept = keep_time(service.config, service.ledger, now)
    forget(service, now)
    done = deliver_caused(service, now, always=True)
    return done and msgspec.structs.replace(done, kept=kept)


def forget(service: Service, now: datetime) -> None:
    """Forget the strangers who were told before today what this service is."""
    with service.ledger.begin() as tx:
        tx.forget_strangers(before=now.date())


def is_served(database: Database) -> bool:
    """Whether a `serve` runs on this database."""
    if database.is_sqlite:
        handle = _try_lock(_lock_file(database), fcntl.LOCK_SH)
        if handle is None:
            return True
        os.close(handle)
        return False
    query = text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
        " WHERE locktype = 'advisory' AND classid = :a AND objid = :b AND objsubid = 2 AND granted"
        " AND datname = current_database()"
    )
    try:
        with database.engine.connect() as connection:
            return bool(connection.execute(query, {"a": _LOCK[0], "b": _LOCK[1]}).scalar_one())
    except SQLAlchemyError as error:
        raise as_unavailable(error) or error from error


@contextmanager
def serving(database: Database) -> Iterator[None]:
    """Hold the lock of the one `serve` of a database.

    Raises: Unavailable if another one runs.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        with ExitStack() as stack:
            if _take_lock(database, stack):
                yield
                return
        if time.monotonic() > until:
            raise Unavailable("another serve runs on this database already")
        time.sleep(0.05)


def _take_lock(database: Database, stack: ExitStack) -> bool:
    """Take the lock if it is free, until the end of the stack; says whether it was."""
    if database.is_sqlite:
        handle = _try_lock(_lock_file(database), fcntl.LOCK_EX)
        if handle is not None:
            stack.callback(os.close, handle)
        return handle is not None
    try:
        connection = stack.enter_context(database.engine.connect())
        if not _call(connection, "pg_try_advisory_lock"):
            return False
    except SQLAlchemyError as error:
        raise as_unavailable(error) or error from error
    stack.callback(_let_go, connection)
    return True


def _call(connection: Connection, function: str) -> bool:
    """Call a function with the numbers of the lock; the lock is the session's, not the transaction's."""
    result = connection.execute(text(f"SELECT {function}(:a, :b)"), {"a": _LOCK[0], "b": _LOCK[1]}).scalar_one()
    connection.commit()
    return bool(result)


def _let_go(connection: Connection) -> None:
    """Give the lock back; if the server is away it is free already."""
    with suppress(SQLAlchemyError):
        _call(connection, "pg_advisory_unlock")


def _lock_file(database: Database) -> Path:
    return Path(f"{database.engine.url.database}.serving")


def _try_lock(path: Path, kind: int) -> int | None:
    """Lock a file; returns its handle, None if somebody else holds the lock."""
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unavailable(f"the lock file {path} cannot be opened: {error.strerror}") from error
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def differences(settings: Settings) -> list[str]:
    """Return how the database differs from what it should be, a line each: its tables, and the audit log's chain.

    Raises: Unavailable, UsageError as `opened`.
    """
    database = open_database(settings.database_url)
    try:
        if found := check(database):
            return found
        with Ledger(database).read() as tx:
            broken = tx.broken_audit()
        return [f"the audit log does not follow on at row {broken}"] if broken is not None else []
    finally:
        database.close()
