"""Players, their addresses, and strangers."""

from datetime import date, datetime

from sqlalchemy import bindparam, delete, insert, select, update

from adjudicator.store.rows import AddressRow, PlayerRow
from adjudicator.store.statements import Statements, address, player, reading, stranger

_ADDRESS = reading(AddressRow, address).where(address.c.address == bindparam("wanted"))
_ADDRESSES = (
    reading(AddressRow, address).where(address.c.player_id == bindparam("player")).order_by(address.c.id)
)
_PLAYER = reading(PlayerRow, player).where(player.c.id == bindparam("player"))
_PLAYERS = reading(PlayerRow, player).order_by(player.c.id)
_INSERT_PLAYER = insert(player)
_INSERT_ADDRESS = insert(address)
_VERIFY = (
    update(address)
    .where(address.c.address == bindparam("wanted"))
    .values(verified_at=bindparam("at"), bounced_at=None, bounce_reason=None)
)
_BOUNCED = (
    update(address)
    .where(address.c.address == bindparam("wanted"))
    .values(bounced_at=bindparam("at"), bounce_reason=bindparam("reason"))
)
_FORGET_ADDRESS = delete(address).where(address.c.address == bindparam("wanted"))
_RENAME = update(player).where(player.c.id == bindparam("player")).values(name=bindparam("called"))
_TOLD_ON = select(stranger.c.told_on).where(stranger.c.address == bindparam("wanted")).with_for_update()
_TELL_FIRST = insert(stranger)
_TELL_AGAIN = (
    update(stranger).where(stranger.c.address == bindparam("wanted")).values(told_on=bindparam("on"))
)
_FORGET_STRANGERS = delete(stranger).where(stranger.c.told_on < bindparam("before"))


class People(Statements):
    """Statements about players and addresses; addresses are compared in lower case."""

    def address(self, wanted: str) -> AddressRow | None:
        """Return whose address this is, verified or not; None if nobody's."""
        return self.first(AddressRow, _ADDRESS, wanted=wanted.lower())

    def addresses(self, player_id: int) -> list[AddressRow]:
        """Return the addresses of a player, the oldest first."""
        return self.every(AddressRow, _ADDRESSES, player=player_id)

    def player(self, player_id: int) -> PlayerRow | None:
        """Return a player by id."""
        return self.first(PlayerRow, _PLAYER, player=player_id)

    def players(self) -> list[PlayerRow]:
        """Return all players, the oldest first."""
        return self.every(PlayerRow, _PLAYERS)

    def create_player(self, name: str, *, at: datetime) -> int:
        """Add a player and return the id."""
        return self.insert(_INSERT_PLAYER, {"name": name, "created_at": at})

    def rename_player(self, player_id: int, name: str) -> None:
        """Give a player another name."""
        self.connection.execute(_RENAME, {"player": player_id, "called": name})

    def add_address(self, player_id: int, wanted: str, *, verified_at: datetime | None = None) -> None:
        """Add an address that is nobody's yet."""
        row = {"player_id": player_id, "address": wanted.lower(), "verified_at": verified_at}
        self.connection.execute(_INSERT_ADDRESS, row)

    def verify_address(self, wanted: str, *, at: datetime) -> None:
        """Let an address count from now on; earlier bounces are forgotten."""
        self.connection.execute(_VERIFY, {"wanted": wanted.lower(), "at": at})

    def bounce_address(self, wanted: str, *, at: datetime, reason: str) -> None:
        """Note that mail to an address came back for good."""
        self.connection.execute(_BOUNCED, {"wanted": wanted.lower(), "at": at, "reason": reason})

    def forget_address(self, wanted: str) -> None:
        """Take an address away from its player."""
        self.connection.execute(_FORGET_ADDRESS, {"wanted": wanted.lower()})

    def may_tell(self, wanted: str, *, today: date) -> bool:
        """Note that a stranger is told today what this service is; False if he was told today already."""
        values = {"wanted": wanted.lower(), "on": today}
        told_on = self.connection.execute(_TOLD_ON, values).scalar()
        if told_on is None:
            self.connection.execute(_TELL_FIRST, {"address": wanted.lower(), "told_on": today})
        elif told_on < today:
            self.connection.execute(_TELL_AGAIN, values)
        else:
            return False
        return True

    def forget_strangers(self, *, before: date) -> None:
        """Drop the addresses of strangers who were last told before a day."""
        self.connection.execute(_FORGET_STRANGERS, {"before": before})
