"""Statements on SQLite without SQLAlchemy's way to the driver, which costs more than the statement itself.

SQLAlchemy still writes the SQL and converts the values, once compiled for each statement. Only what one letter needs
goes this way, and only where the outcome is the same; the rest, and PostgreSQL, is executed by SQLAlchemy.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import Executable, Select

Convert = Callable[[Any], Any]
Row = tuple[Any, ...]


class Compiled:
    """A statement as the driver takes it: its text, and how values go in and come out."""

    def __init__(self, statement: Executable, dialect: Dialect, given: Sequence[str]) -> None:
        keys = None if isinstance(statement, Select) else list(given)
        found = statement.compile(dialect=dialect, column_keys=keys)  # type: ignore[attr-defined]
        assert isinstance(found, SQLCompiler)
        self.text = found.string
        self.is_direct = not (found.post_compile_params or found.literal_execute_params or found.insert_prefetch)
        into: Mapping[str, Any] = found._bind_processors  # noqa: SLF001 - there is no public way to them
        names = found.positiontup or ()
        self._values = [(name, into.get(name)) for name in names]
        self._fixed = {name: found.binds[name].value for name in names if name not in given}
        self._out: list[Convert | None] = []
        if isinstance(statement, Select):
            kinds = [column.type for column in statement.selected_columns]
            self._out = [kind.dialect_impl(dialect).result_processor(dialect, None) for kind in kinds]

    def bound(self, values: Mapping[str, Any]) -> Row:
        """The values in the order of the statement."""
        if self._fixed:
            values = {**self._fixed, **values}
        return tuple([into(values[name]) if into else values[name] for name, into in self._values])

    def read(self, row: Row) -> Row:
        """A row as SQLAlchemy would give it."""
        return tuple([out(value) if out else value for out, value in zip(self._out, row, strict=True)])


_compiled: dict[tuple[int, tuple[str, ...]], tuple[Executable, Compiled]] = {}


def compiled(connection: Connection, statement: Executable, given: Sequence[str]) -> Compiled | None:
    """Return the statement compiled for these values; None if SQLAlchemy has to execute it.

    Statements are module constants: they live as long as the process, and so does what is made of them.
    """
    if connection.dialect.name != "sqlite":
        return None
    key = (id(statement), tuple(given))
    found = _compiled.get(key)
    if found is None:
        found = _compiled[key] = (statement, Compiled(statement, connection.dialect, given))
    return found[1] if found[1].is_direct else None


def run(connection: Connection, one: Compiled, values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a driver's cursor
    """Execute once; returns the driver's cursor.

    Raises: DBAPIError, as SQLAlchemy would.
    """
    return execute(connection, one.text, one.bound(values))


def execute(connection: Connection, text: str, values: Row = ()) -> Any:  # noqa: ANN401 - a driver's cursor
    """Execute a text on SQLite; returns the driver's cursor.

    Raises: DBAPIError, as SQLAlchemy would.
    """
    driver = connection.dialect.loaded_dbapi
    try:
        return connection.connection.dbapi_connection.execute(text, values)  # type: ignore[union-attr]
    except driver.Error as error:
        raise DBAPIError.instance(text, values, error, driver.Error, dialect=connection.dialect) from error
