"""The audit log: a chain in which no row can be changed, dropped or put in between unseen.

The hash of a row is the SHA-256 (hex) of the hash before it (64 zeros for the first), a line feed, and the
row's own values as JSON with sorted keys and no spaces. Only the last rows can be cut off unseen: note the
latest hash elsewhere.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select

from adjudicator.store.rows import AuditRow
from adjudicator.store.statements import Statements, audit, reading

_ROOT = "0" * 64
_JSON = msgspec.json.Encoder(order="deterministic")
_HEAD = select(audit.c.hash).order_by(audit.c.id.desc()).limit(1)
_INSERT = insert(audit)
_ALL = reading(AuditRow, audit).order_by(audit.c.id)
_OF_GAME = _ALL.where(audit.c.game_id == bindparam("game"))


class Audit(Statements):
    """Statements about the audit log."""

    def add_audit(
        self,
        *,
        at: datetime,
        who: str,
        command: str,
        why: str,
        game_id: int | None = None,
        data: dict[str, Any] | None = None,
    ) -> None:
        """Add a row at the end of the chain; `data` holds ids, never names or addresses of players."""
        if self.connection.dialect.name == "postgresql":
            # Two appends at once would both follow the same row.
            self.connection.exec_driver_sql("LOCK TABLE audit IN SHARE ROW EXCLUSIVE MODE")
        prev_hash = self.connection.execute(_HEAD).scalar() or _ROOT
        row = {"game_id": game_id, "at": at, "who": who, "command": command, "why": why, "data": data or {}}
        chained = {"prev_hash": prev_hash, "hash": _hash(prev_hash, row)}
        self.connection.execute(_INSERT, row | chained)

    def audit(self, *, game_id: int | None = None) -> list[AuditRow]:
        """Return the audit log, of one game or of all, the oldest first."""
        if game_id is None:
            return self.every(AuditRow, _ALL)
        return self.every(AuditRow, _OF_GAME, game=game_id)

    def broken_audit(self) -> int | None:
        """Return the id of the first row that does not follow from the one before; None if all is well."""
        prev_hash = _ROOT
        for row in self.audit():
            values = {n: getattr(row, n) for n in ("game_id", "at", "who", "command", "why", "data")}
            if row.prev_hash != prev_hash or row.hash != _hash(prev_hash, values):
                return row.id
            prev_hash = row.hash
        return None


def _hash(prev_hash: str, values: dict[str, Any]) -> str:
    utc = values["at"].astimezone(UTC).isoformat(timespec="microseconds")
    return hashlib.sha256(prev_hash.encode() + b"\n" + _JSON.encode(values | {"at": utc})).hexdigest()
