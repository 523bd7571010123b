"""What all statements share: they are built once, take one connection, and give frozen values."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, Insert, Select, Update, select

from adjudicator.store.compiled import compiled, run
from adjudicator.store.side_tables import ALL_TABLES

Row = TypeVar("Row", bound=msgspec.Struct)

player, address, game, seat, letter, move, post, quarantine, audit, stranger, asking = (
    ALL_TABLES.tables[name]
    for name in (
        "player", "address", "game", "seat", "letter", "move", "post", "quarantine", "audit", "stranger",
        "asking",
    )
)  # fmt: skip
leave, beat, challenge, observer, undone = (
    ALL_TABLES.tables[name] for name in ("leave", "beat", "challenge", "observer", "undone")
)

RECORD_ORDER = (address.c.preferred_at.is_(None), address.c.preferred_at.desc(), address.c.id)
"""The order in which a player's addresses get his mails."""


class Statements:
    """The statements about one topic, all in the transaction of one connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def first(self, kind: type[Row], statement: Select[Any], **values: object) -> Row | None:
        """Return the first row as a `kind`, or None."""
        found = self.first_row(statement, values)
        return None if found is None else kind(*found)

    def first_row(self, statement: Select[Any], values: dict[str, Any]) -> Sequence[Any] | None:
        """Return the first row, or None."""
        ready = compiled(self.connection, statement, tuple(values))
        if ready is None:
            return self.connection.execute(statement, values).first()
        found = run(self.connection, ready, values).fetchone()
        return None if found is None else ready.read(found)

    def every(self, kind: type[Row], statement: Select[Any], **values: object) -> list[Row]:
        """Return all rows as `kind`s."""
        ready = compiled(self.connection, statement, tuple(values))
        if ready is None:
            return [kind(*found) for found in self.connection.execute(statement, values)]
        return [kind(*ready.read(found)) for found in run(self.connection, ready, values)]

    def insert(self, statement: Insert, row: dict[str, Any]) -> int:
        """Insert one row and return its id."""
        ready = compiled(self.connection, statement, tuple(row))
        if ready:
            return int(run(self.connection, ready, row).lastrowid)
        key = self.connection.execute(statement, row).inserted_primary_key
        assert key is not None
        return int(key[0])

    def change(self, statement: Insert | Update, *rows: dict[str, Any]) -> int:
        """Execute a statement for each of the rows (values by name); returns how many rows the last one touched."""
        ready = compiled(self.connection, statement, tuple(rows[0]))
        if ready is None:
            return self.connection.execute(statement, rows[0] if len(rows) == 1 else list(rows)).rowcount
        return int([run(self.connection, ready, row).rowcount for row in rows][-1])


def columns(kind: type[msgspec.Struct], table: FromClause, *left_out: str) -> list[ColumnElement[Any]]:
    """Return the columns that make up a `kind`, in its order."""
    return [table.c[name] for name in kind.__struct_fields__ if name not in left_out]


def reading(kind: type[msgspec.Struct], table: FromClause) -> Select[Any]:
    """Return the statement that reads `kind`s from a table."""
    return select(*columns(kind, table))


def storable(text: str) -> str:
    """Return text that every database takes: PostgreSQL knows no NUL, and nobody lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
