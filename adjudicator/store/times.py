"""What clocks need besides a game's own: days of leave, and when the service was last seen alive."""

from datetime import datetime

import msgspec
from sqlalchemy import bindparam, insert, select, update

from adjudicator.store.rows import LeaveRow, NewLeave
from adjudicator.store.statements import Statements, beat, leave, player, reading

_INSERT_LEAVE = insert(leave)
_LEAVES = (
    reading(LeaveRow, leave).where(leave.c.player_id == bindparam("player")).order_by(leave.c.starts_at, leave.c.id)
)
_END_LEAVE = update(leave).where(leave.c.id == bindparam("was_id")).values(ended_at=bindparam("at"))
_BEAT = select(beat.c.at).where(beat.c.id == 1)
_FIRST_BEAT = insert(beat)
_NEXT_BEAT = update(beat).where(beat.c.id == 1).values(at=bindparam("now"))
_GRACED = update(player).where(player.c.id == bindparam("player")).values(graced_at=bindparam("at"))
_ZONE = update(player).where(player.c.id == bindparam("player")).values(zone=bindparam("to"))


class Times(Statements):
    """Statements about leave, zones, grace and the service's own beat."""

    def add_leave(self, new: NewLeave) -> int:
        """Add days of leave and return their number."""
        return self.insert(_INSERT_LEAVE, msgspec.structs.asdict(new))

    def leaves(self, player_id: int) -> list[LeaveRow]:
        """Return all leave that a player ever declared, the earliest first."""
        return self.every(LeaveRow, _LEAVES, player=player_id)

    def end_leave(self, leave_id: int, *, at: datetime) -> None:
        """Note that leave ended early; at or before its start it never was."""
        self.connection.execute(_END_LEAVE, {"was_id": leave_id, "at": at})

    def beat(self) -> datetime | None:
        """Return when the service was last seen alive, None if it never ran."""
        found = self.connection.execute(_BEAT).scalar()
        return found if isinstance(found, datetime) else None

    def set_beat(self, now: datetime) -> None:
        """Note that the service is alive."""
        if self.connection.execute(_NEXT_BEAT, {"now": now}).rowcount == 0:
            self.connection.execute(_FIRST_BEAT, {"id": 1, "at": now})

    def grace_player(self, player_id: int, *, at: datetime) -> None:
        """Note that a late turn of this player counts as on time."""
        self.connection.execute(_GRACED, {"player": player_id, "at": at})

    def set_zone(self, player_id: int, zone: str) -> None:
        """Let a player's days count in a zone (an IANA name)."""
        self.connection.execute(_ZONE, {"player": player_id, "to": zone})
