"""What all statements share: they are built once, take one connection, and give frozen values."""

from typing import Any, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, Insert, Select, select

from adjudicator.store import tables

Row = TypeVar("Row", bound=msgspec.Struct)

player, address, game, seat, letter, move, post, quarantine, audit, stranger = (
    tables.Table.metadata.tables[name]
    for name in (
        "player", "address", "game", "seat", "letter", "move", "post", "quarantine", "audit", "stranger",
    )
)  # fmt: skip


class Statements:
    """The statements about one topic, all in the transaction of one connection."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def first(self, kind: type[Row], statement: Select[Any], **values: object) -> Row | None:
        """Return the first row as a `kind`, or None."""
        found = self.connection.execute(statement, values).first()
        return None if found is None else kind(*found)

    def every(self, kind: type[Row], statement: Select[Any], **values: object) -> list[Row]:
        """Return all rows as `kind`s."""
        return [kind(*found) for found in self.connection.execute(statement, values)]

    def insert(self, statement: Insert, row: dict[str, Any]) -> int:
        """Insert one row and return its id."""
        key = self.connection.execute(statement, row).inserted_primary_key
        assert key is not None
        return int(key[0])


def columns(kind: type[msgspec.Struct], table: FromClause, *left_out: str) -> list[ColumnElement[Any]]:
    """Return the columns that make up a `kind`, in its order."""
    return [table.c[name] for name in kind.__struct_fields__ if name not in left_out]


def reading(kind: type[msgspec.Struct], table: FromClause) -> Select[Any]:
    """Return the statement that reads `kind`s from a table."""
    return select(*columns(kind, table))


def storable(text: str) -> str:
    """Return text that every database takes: PostgreSQL knows no NUL, and nobody lone surrogates."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
