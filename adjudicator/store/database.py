"""Opening a database: SQLite or PostgreSQL, with the settings that the ledger's promise rests on.

SQLite: a commit is on the disk when it returns (`synchronous=FULL`), foreign keys hold, a writer waits up
to ten seconds for another. The journal is WAL only with a SQLite whose WAL-reset bug is fixed, since the
service and the command line write at once. PostgreSQL: READ COMMITTED, a game is held by its locked rows.
"""

import importlib
import importlib.util
import os
import sqlite3
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from adjudicator.errors import Crossed, Unavailable, UsageError
from adjudicator.store.compiled import execute

READING = "adjudicator_reading"
"""Execution option of a connection whose next transaction only reads."""

_BUSY_MS = 10_000
_CACHE_KIB = 65536
"""So much of the file may stay in memory: the default of 2 MiB holds a few hundred games only."""
_CHECKPOINT_PAGES = 4_000  # of the WAL: each checkpoint costs two or three syncs, a letter dirties some 30 pages
_PING_SECONDS = 10
# Not our fault but the operator's: a standby, missing rights, tables that `db upgrade` has still to make.
_OPERATOR_SQLSTATES = frozenset({"25006", "42501", "42P01", "42703"})

# Two transactions waited for each other, or cannot both be true.
_CROSSED_SQLSTATES = frozenset({"40001", "40P01"})


class Database(NamedTuple):
    """An open database; `journal` is the journal mode of SQLite ("" for PostgreSQL)."""

    engine: Engine
    journal: str

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite."""
        return self.engine.dialect.name == "sqlite"

    def close(self) -> None:
        """Close all connections that are not in use."""
        self.engine.dispose()


def open_database(url: str) -> Database:
    """Open the database, making an SQLite file (and its folder) that does not exist; no tables are made.

    Raises:
        UsageError: the URL is none, or of another kind of database.
        Unavailable: the server or file cannot be reached, or the driver is not installed.

    """
    parsed = _parse(url)
    sqlite = parsed.drivername == "sqlite"
    engine = _sqlite_engine(parsed) if sqlite else _postgres_engine(parsed)
    try:
        with engine.connect() as connection:
            journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() if sqlite else ""
    except SQLAlchemyError as error:
        engine.dispose()
        raise as_unavailable(error) or error from error
    return Database(engine, str(journal))


def as_unavailable(error: SQLAlchemyError) -> Unavailable | None:
    """Return the error as one that the operator can act on, or None if it is our own fault."""
    if isinstance(error, PoolTimeout):
        return Unavailable("the database is busy: no connection is free")
    if not isinstance(error, DBAPIError):
        return None
    state = getattr(error.orig, "sqlstate", None)
    if state in _CROSSED_SQLSTATES:
        return Crossed("somebody else changed the same at this moment, so nothing was done: please try it again")
    away = isinstance(error, (OperationalError, InterfaceError)) or error.connection_invalidated
    damaged = type(error.orig).__name__ == "DatabaseError"
    operators = state in _OPERATOR_SQLSTATES
    if (away or damaged or operators) and not _is_bad_sql(error):
        return Unavailable(f"the database cannot be used: {_first_line(error)}")
    return None


def wal_is_safe(version: tuple[int, int, int]) -> bool:
    """Whether this version of SQLite has the WAL-reset bug fixed (https://sqlite.org/wal.html#walresetbug)."""
    backported = version[:2] in {(3, 44), (3, 50)} and version >= {44: (3, 44, 6), 50: (3, 50, 7)}[version[1]]
    return version >= (3, 51, 3) or backported


def _is_bad_sql(error: DBAPIError) -> bool:
    # SQLite calls a syntax error operational too; a table that is missing is one that `db upgrade` makes.
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code == sqlite3.SQLITE_ERROR and "no such" not in str(error.orig)


def _first_line(error: DBAPIError) -> str:
    return next(iter(str(error.orig).splitlines()), type(error.orig).__name__)


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
        parsed.port  # noqa: B018 - a port that is no number shows only here
    except (ArgumentError, ValueError) as error:
        raise UsageError("the database URL cannot be read; it looks like sqlite:///FILE") from error
    name = {"sqlite+pysqlite": "sqlite", "postgresql": "postgresql+psycopg"}.get(parsed.drivername, parsed.drivername)
    if name not in {"sqlite", "postgresql+psycopg"}:
        raise UsageError(f"the database must be sqlite:///… or postgresql://…, not {parsed.drivername}://…")
    if name == "sqlite" and (parsed.database or ":memory:").startswith((":memory:", "file:")):
        raise UsageError("the database URL names no plain file: it looks like sqlite:///FILE")
    return parsed.set(drivername=name)


def _json_text(value: Any) -> str:  # noqa: ANN401 - JSON
    return msgspec.json.encode(value).decode()


def _sqlite_module() -> ModuleType:
    # The wheel brings a newer SQLite than most systems have.
    if importlib.util.find_spec("pysqlite3") is not None:
        return importlib.import_module("pysqlite3.dbapi2")
    return sqlite3


def _sqlite_engine(url: URL) -> Engine:
    module = _sqlite_module()
    _make_file(Path(url.database or ""))
    engine = create_engine(
        url,
        module=module,
        json_serializer=_json_text,
        json_deserializer=msgspec.json.decode,
        pool_reset_on_return=None,  # the ledger ends each transaction itself
        connect_args={"timeout": _BUSY_MS / 1000, "isolation_level": None, "check_same_thread": False},
    )
    journal = "WAL" if wal_is_safe(module.sqlite_version_info) else "DELETE"

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver's connection
        for pragma in (f"busy_timeout={_BUSY_MS}", f"journal_mode={journal}", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}").fetchall()
        connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON").fetchall()  # who is forgotten leaves no bytes in free pages

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A deferred transaction that reads and then writes would fail at once when another wrote in between.
        reading = connection.get_execution_options().get(READING)
        execute(connection, "BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


def _make_file(path: Path) -> None:
    # Seeds and reply secrets are inside: for the owner's eyes only.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(f"the database file {path} cannot be opened: {error.strerror}") from error


def _postgres_engine(url: URL) -> Engine:
    try:
        return create_engine(
            url,
            isolation_level="READ COMMITTED",
            json_serializer=_json_text,
            json_deserializer=msgspec.json.decode,
            pool_pre_ping=True,  # a restarted server costs no letter
            connect_args={"connect_timeout": _PING_SECONDS, "application_name": "adjudicator"},
        )
    except ModuleNotFoundError as error:
        raise Unavailable("PostgreSQL needs its driver: install adjudicator[postgres]") from error
