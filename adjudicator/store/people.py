"""Players, their addresses, and strangers."""

from datetime import date, datetime

import msgspec
from sqlalchemy import bindparam, delete, exists, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from adjudicator.errors import Unavailable
from adjudicator.store.rows import AddressRow, AskingRow, NewAsking, PlayerRow, PlayersSeat
from adjudicator.store.statements import (
    RECORD_ORDER,
    Statements,
    address,
    asking,
    game,
    player,
    post,
    reading,
    seat,
    stranger,
)

_ADDRESS = reading(AddressRow, address).where(address.c.address == bindparam("wanted"))
_ADDRESSES = (
    reading(AddressRow, address)
    .where(address.c.player_id == bindparam("player"))
    .order_by(address.c.verified_at.is_(None), address.c.bounced_at.is_not(None), *RECORD_ORDER)
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
_CLEARED = (
    update(address)
    .where(address.c.address == bindparam("wanted"))
    .values(bounced_at=None, bounce_reason=None, cleared_at=bindparam("at"))
)
_PREFER = update(address).where(address.c.address == bindparam("wanted")).values(preferred_at=bindparam("at"))
_FORGET_ADDRESS = delete(address).where(address.c.address == bindparam("wanted"))
_RENAME = update(player).where(player.c.id == bindparam("player")).values(name=bindparam("called"))
_BAN = update(player).where(player.c.id == bindparam("player")).values(banned_at=bindparam("at"))
# Not against those who only refer to him, as who begins a game with him does.
_PLAYER_LOCKED = _PLAYER.with_for_update(key_share=True)
_SEATS = (
    select(game.c.name, seat.c.side, game.c.status)
    .join(seat, seat.c.game_id == game.c.id)
    .where(seat.c.player_id == bindparam("player"))
    .order_by(game.c.id, seat.c.side)
)
_INSERT_ASKING = insert(asking)
_ASKING = reading(AskingRow, asking).where(asking.c.key == bindparam("wanted"))
_ASKING_LOCKED = _ASKING.with_for_update()
_ASKING_BY_MESSAGE = reading(AskingRow, asking).where(asking.c.message_id == bindparam("wanted")).with_for_update()
_ASKED = (
    reading(AskingRow, asking)
    .where(asking.c.address == bindparam("wanted"), asking.c.created_at >= bindparam("since"))
    .order_by(asking.c.id.desc())
    .with_for_update()
)
_COUNT_ASKED = select(func.count()).where(
    asking.c.created_at >= bindparam("since"),
    ~exists().where(address.c.address == asking.c.address, address.c.verified_at.is_not(None)),
)
_DESK_KINDS = ("desk", "help", "rules")
_COUNT_DESK = select(func.count()).where(
    post.c.to_address == bindparam("wanted"),
    post.c.created_at >= bindparam("since"),
    post.c.game_id.is_(None),
    post.c.kind.in_(_DESK_KINDS),
)
_VOID = update(asking).where(asking.c.player_id == bindparam("of"), asking.c.used_at.is_(None))
_VOID = _VOID.values(used_at=bindparam("at"))
_REWORD = update(asking).where(asking.c.id == bindparam("was_id")).values(deeds=bindparam("said"))
_USED = update(asking).where(asking.c.id == bindparam("was_id")).values(used_at=bindparam("at"))
_FORGET_ASKED = delete(asking).where(asking.c.created_at < bindparam("before"))
_TOLD_ON = select(stranger.c.told_on).where(stranger.c.address == bindparam("wanted")).with_for_update()
_TELL_FIRST = {
    "sqlite": sqlite.insert(stranger).on_conflict_do_nothing().returning(stranger.c.address),
    "postgresql": postgresql.insert(stranger).on_conflict_do_nothing().returning(stranger.c.address),
}
_TELL_AGAIN = update(stranger).where(stranger.c.address == bindparam("wanted")).values(told_on=bindparam("on"))
_FORGET_STRANGERS = delete(stranger).where(stranger.c.told_on < bindparam("before"))


class People(Statements):
    """Statements about players and addresses; addresses are compared in lower case."""

    def address(self, wanted: str) -> AddressRow | None:
        """Return whose address this is, verified or not; None if nobody's."""
        return self.first(AddressRow, _ADDRESS, wanted=wanted.lower())

    def addresses(self, player_id: int) -> list[AddressRow]:
        """Return the addresses of a player; his mails go to the first, if that is verified."""
        return self.every(AddressRow, _ADDRESSES, player=player_id)

    def player(self, player_id: int) -> PlayerRow | None:
        """Return a player by id."""
        return self.first(PlayerRow, _PLAYER, player=player_id)

    def lock_player(self, player_id: int) -> None:
        """Let nobody else change what is about this player before this transaction ends; his games are locked first."""
        self.connection.execute(_PLAYER_LOCKED, {"player": player_id})

    def players_called(self, name: str) -> list[PlayerRow]:
        """Return the players of this name, in whatever case, the oldest first."""
        # Compared here, since SQLite knows only the case of ASCII letters.
        return [one for one in self.players() if one.name.casefold() == name.casefold()]

    def seats_of(self, player_id: int) -> list[PlayersSeat]:
        """Return the seats of a player, those of the oldest game first."""
        return self.every(PlayersSeat, _SEATS, player=player_id)

    def players(self) -> list[PlayerRow]:
        """Return all players, the oldest first."""
        return self.every(PlayerRow, _PLAYERS)

    def create_player(self, name: str, *, at: datetime) -> int:
        """Add a player and return the id."""
        return self.insert(_INSERT_PLAYER, {"name": name, "created_at": at})

    def rename_player(self, player_id: int, name: str) -> None:
        """Give a player another name."""
        self.connection.execute(_RENAME, {"player": player_id, "called": name})

    def ban_player(self, player_id: int, *, at: datetime | None) -> None:
        """Note that a player is not to take part in new games; None: that he may again."""
        self.connection.execute(_BAN, {"player": player_id, "at": at})

    def add_address(self, player_id: int, wanted: str, *, verified_at: datetime | None = None) -> None:
        """Add an address that is nobody's yet.

        Raises:
            Unavailable: another transaction has just given it to somebody.

        """
        row = {"player_id": player_id, "address": wanted.lower(), "verified_at": verified_at}
        try:
            self.connection.execute(_INSERT_ADDRESS, row)
        except IntegrityError as error:
            raise Unavailable("the address was taken just now") from error

    def verify_address(self, wanted: str, *, at: datetime) -> None:
        """Let an address count from now on; earlier bounces are forgotten."""
        self.connection.execute(_VERIFY, {"wanted": wanted.lower(), "at": at})

    def bounce_address(self, wanted: str, *, at: datetime, reason: str) -> None:
        """Note that mail to an address came back for good."""
        self.connection.execute(_BOUNCED, {"wanted": wanted.lower(), "at": at, "reason": reason})

    def clear_address(self, wanted: str, *, at: datetime) -> None:
        """Note that an address works again; what was sent before and comes back later does not count."""
        self.connection.execute(_CLEARED, {"wanted": wanted.lower(), "at": at})

    def prefer_address(self, wanted: str, *, at: datetime) -> None:
        """Let a player's mails go to this address from now on, as long as it is verified and works."""
        self.connection.execute(_PREFER, {"wanted": wanted.lower(), "at": at})

    def forget_address(self, wanted: str) -> None:
        """Take an address away from its player."""
        self.connection.execute(_FORGET_ADDRESS, {"wanted": wanted.lower()})

    def may_tell(self, wanted: str, *, today: date) -> bool:
        """Note that a stranger is told today what this service is; False if he was told today already."""
        values = {"wanted": wanted.lower(), "on": today}
        told_on = self.connection.execute(_TOLD_ON, values).scalar()
        if told_on is None:
            first = _TELL_FIRST[self.connection.dialect.name]
            # Another transaction may tell him at this moment; then it is waited for, and nothing is inserted.
            return self.connection.execute(first, {"address": wanted.lower(), "told_on": today}).first() is not None
        if told_on >= today:
            return False
        self.connection.execute(_TELL_AGAIN, values)
        return True

    def forget_strangers(self, *, before: date) -> None:
        """Drop the addresses of strangers who were last told before a day."""
        self.connection.execute(_FORGET_STRANGERS, {"before": before})

    def add_asking(self, new: NewAsking) -> None:
        """Add a mail that asks for a confirmation."""
        self.connection.execute(_INSERT_ASKING, msgspec.structs.asdict(new))

    def asking(self, key: str, *, lock: bool = True) -> AskingRow | None:
        """Return the question whose reply address has this key, or None; with `lock` nobody else answers it now."""
        return self.first(AskingRow, _ASKING_LOCKED if lock else _ASKING, wanted=key)

    def asking_by_message_id(self, message_id: str) -> AskingRow | None:
        """Return the question that was asked in this mail, or None; nobody else answers it now."""
        return self.first(AskingRow, _ASKING_BY_MESSAGE, wanted=message_id)

    def asked(self, wanted: str, *, since: datetime) -> list[AskingRow]:
        """Return the questions that went to an address since a time, the newest first."""
        return self.every(AskingRow, _ASKED, wanted=wanted.lower(), since=since)

    def count_strangers_asked(self, *, since: datetime) -> int:
        """Return how many questions went to addresses that are no player's, since a time."""
        return int(self.connection.execute(_COUNT_ASKED, {"since": since}).scalar_one())

    def reword_asking(self, asking_id: int, deeds: list[list[str]]) -> None:
        """Let a question be about something else."""
        self.connection.execute(_REWORD, {"was_id": asking_id, "said": deeds})

    def use_asking(self, asking_id: int, *, at: datetime) -> None:
        """Note that a question was answered."""
        self.connection.execute(_USED, {"was_id": asking_id, "at": at})

    def void_asked(self, player_id: int, *, at: datetime) -> None:
        """Let every open question of a player come to nothing."""
        self.connection.execute(_VOID, {"of": player_id, "at": at})

    def count_desk_posts(self, to_address: str, *, since: datetime) -> int:
        """Return how many mails about no game were written to an address since a time, strangers' and alarms apart."""
        values = {"wanted": to_address, "since": since}
        return int(self.connection.execute(_COUNT_DESK, values).scalar_one())

    def forget_asked(self, *, before: datetime) -> None:
        """Drop questions that were asked before a time."""
        self.connection.execute(_FORGET_ASKED, {"before": before})
