"""The transactions, and the one promise of this package.

What happens in one `with ledger.begin() as tx:` is kept whole or not at all. When the block has ended
without an error it is on the disk, with one sync, and survives a crash. When it ends with an error, or the
process dies, nothing of it ever happened. A game that was read with a lock changes for nobody else until
the block ends, so a state, the moves that led to it and the mails that tell of it always fit together.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from adjudicator.store.audit import Audit
from adjudicator.store.database import READING, Database, as_unavailable
from adjudicator.store.forgetting import Forgetting
from adjudicator.store.games import Games
from adjudicator.store.letters import Letters
from adjudicator.store.meeting import Meeting
from adjudicator.store.outbox import Outbox
from adjudicator.store.people import People
from adjudicator.store.personal import Personal
from adjudicator.store.times import Times


class Transaction(Games, People, Meeting, Times, Letters, Outbox, Audit, Forgetting, Personal):
    """All statements, in one transaction."""


class Ledger:
    """What is kept, behind transactions."""

    def __init__(self, database: Database) -> None:
        self.database = database
        options: dict[str, object] = {READING: True}
        if not database.is_sqlite:
            # One moment for all statements, so that a game and its moves fit together without a lock.
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._reading = database.engine.execution_options(**options)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """One transaction that may change things.

        Raises:
            Unavailable: the database cannot be reached or used now; nothing was changed.

        """
        try:
            with self.database.engine.begin() as connection:
                yield Transaction(connection)
        except SQLAlchemyError as error:
            raise as_unavailable(error) or error from error

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """One transaction that only reads, all of it as at one moment; writers are not kept waiting.

        Raises:
            Unavailable: the database cannot be reached or used now, or the block tried to write.

        """
        try:
            with self._reading.begin() as connection, self._writing_nothing(connection):
                yield Transaction(connection)
        except SQLAlchemyError as error:
            raise as_unavailable(error) or error from error

    @contextmanager
    def _writing_nothing(self, connection: Connection) -> Iterator[None]:
        # PostgreSQL was told when the transaction began.
        if not self.database.is_sqlite:
            yield
            return
        connection.exec_driver_sql("PRAGMA query_only=ON")
        try:
            yield
        finally:
            connection.exec_driver_sql("PRAGMA query_only=OFF")
