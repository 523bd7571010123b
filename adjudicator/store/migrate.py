"""Bringing a database to the tables that this version wants, and telling whether it has them.

Migrations are files `NNNN_what.py`, whose revision is the number: so whether a database is up to date can
be told without loading Alembic, which a command that only reads should not pay for.
"""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.errors import Unavailable
from adjudicator.store.database import Database, as_unavailable
from adjudicator.store.side_tables import ALL_TABLES

if TYPE_CHECKING:
    from alembic.config import Config

# Any number will do, as long as every version of the service takes the same.
_UPGRADE_LOCK = 4_611_686_018_427


def migrations_folder() -> Path:
    """Return the folder of migrations: inside an installed wheel, beside the package in a checkout."""
    installed = Path(str(files("adjudicator"))) / "schema"
    return (installed if installed.is_dir() else Path(__file__).parents[2] / "schema") / "migrations"


def newest_revision() -> str:
    """Return the revision that this version of the service works with."""
    return max(path.name[:4] for path in (migrations_folder() / "versions").glob("[0-9][0-9][0-9][0-9]_*.py"))


def upgrade(database: Database, gate: Callable[[Connection], object] | None = None) -> bool:
    """Bring the tables up to date, in one transaction; return whether anything was to be done.

    The `gate` looks at the new tables before they are kept: whatever it raises leaves everything as it was.

    Raises:
        Unavailable: the database cannot be used, or was made by a newer version of the service.

    """
    try:
        with database.engine.connect() as connection:
            if _is_current(connection):
                return False
        with database.engine.begin() as connection:
            done = _upgrade_locked(connection)
            if done and gate:
                gate(connection)
            return done
    except SQLAlchemyError as error:
        raise as_unavailable(error) or error from error


def revision(database: Database) -> str | None:
    """Return the revision of the tables, None if there are none; quick enough to ask at each start.

    Raises:
        Unavailable: the database cannot be used, or was made by a newer version of the service.

    """
    try:
        with database.engine.connect() as connection:
            return newest_revision() if _is_current(connection) else _revision(connection)
    except SQLAlchemyError as error:
        raise as_unavailable(error) or error from error


def check(database: Database) -> list[str]:
    """Return how the tables differ from what this version wants, a line each; empty if not at all.

    Raises:
        Unavailable: the database cannot be used.

    """
    from alembic.autogenerate import compare_metadata  # noqa: PLC0415 - slow to load
    from alembic.migration import MigrationContext  # noqa: PLC0415

    try:
        with database.engine.connect() as connection:
            found = _revision(connection)
            if found != newest_revision():
                return [f"the tables are at revision {found or 'none'}, not {newest_revision()}"]
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            return [_difference(one) for one in compare_metadata(context, ALL_TABLES)]
    except SQLAlchemyError as error:
        raise as_unavailable(error) or error from error


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _is_current(connection: Connection) -> bool:
    found = _revision(connection)
    if found is not None and found > newest_revision():
        raise Unavailable(
            f"the database is at revision {found}, this version knows up to {newest_revision()}:"
            " install the newer version"
        )
    return found == newest_revision()


def _upgrade_locked(connection: Connection) -> bool:
    from alembic import command  # noqa: PLC0415 - slow to load

    if connection.dialect.name == "postgresql":
        # On SQLite the transaction itself keeps a second upgrade waiting.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
    if _is_current(connection):
        return False
    command.upgrade(_config(connection), "head")
    return True


def _config(connection: Connection) -> "Config":
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _difference(one: Any) -> str:  # noqa: ANN401 - tuples, or lists of tuples, of Alembic's
    if isinstance(one, list):
        return "; ".join(_difference(part) for part in one)
    named = (part if isinstance(part, str) else getattr(part, "name", None) for part in one)
    return " ".join(str(name) for name in named if name)
