"""Games, their seats and their moves."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, bindparam, insert, select, update

from adjudicator.errors import Unavailable
from adjudicator.store.rows import (
    GameLine,
    GameRow,
    GameWithSeats,
    MoveRow,
    NewGame,
    NewMove,
    NewSeat,
    NewUndone,
    SeatRow,
    UndoneRow,
)
from adjudicator.store.statements import (
    RECORD_ORDER,
    Statements,
    address,
    columns,
    game,
    move,
    player,
    reading,
    seat,
    undone,
)

_GAME_WIDTH = len(GameRow.__struct_fields__)
_SEAT_WIDTH = len(SeatRow.__struct_fields__)


class GameMoved(Unavailable):
    """Somebody else changed the game since it was read; trying again is safe."""


class OutOfOrder(Unavailable):
    """A game is wanted that comes before one which is locked already: `games` are all to be locked before anything."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__("several games are wanted in the wrong order; trying again is safe")
        self.games = games


def _seat_columns(one: FromClause) -> list[ColumnElement[Any]]:
    # Subqueries, since PostgreSQL locks no rows of an outer join.
    name = select(player.c.name).where(player.c.id == one.c.player_id).scalar_subquery()
    of_record = (
        select(address)
        .where(address.c.player_id == one.c.player_id, address.c.verified_at.is_not(None))
        .order_by(address.c.bounced_at.is_not(None), *RECORD_ORDER)
        .limit(1)
    )
    found = [of_record.with_only_columns(address.c[name]).scalar_subquery() for name in ("address", "bounced_at")]
    return [*columns(SeatRow, one, "name", "address", "bounced_at"), name, *found]


_british = seat.alias("british")
_french = seat.alias("french")
_GAME = (
    select(*columns(GameRow, game), *_seat_columns(_british), *_seat_columns(_french))
    .join(_british, (_british.c.game_id == game.c.id) & (_british.c.side == "british"))
    .join(_french, (_french.c.game_id == game.c.id) & (_french.c.side == "french"))
    .where(game.c.name == bindparam("name"))
)
# All three rows are locked: PostgreSQL reads again, after waiting, only the rows that it locks.
_GAME_LOCKED = _GAME.with_for_update(of=[game, _british, _french])

_CHANGING = (
    "status", "state", "turn", "seq", "moves", "waiting_for", "deadline_at",
    "result", "finished_at", "updated_at", "clocks", "due_at", "offer",
)  # fmt: skip
_UPDATE_GAME = (
    update(game)
    .where(
        game.c.id == bindparam("was_id"),
        game.c.seq == bindparam("was_seq"),
        game.c.moves == bindparam("was_moves"),
    )
    .values({name: bindparam(name) for name in _CHANGING})
)
_SETTING_UP = (
    "clock", "lang", "edition", "variants", "switches", "seed", "commitment", "words", "start", "anonymous",
    "public",
)  # fmt: skip
_SET_UP_GAME = update(game).where(game.c.id == bindparam("was_id")).values({n: bindparam(n) for n in _SETTING_UP})
_SEAT_CHANGING = (
    "token_key", "seq", "standing", "thread_id", "last_id", "notes", "ahead", "confirms", "pending",
)  # fmt: skip
_SEATED = ("player_id", "house")  # apart: an index on a column that is written, if only with what it was, costs pages
_SEAT = update(seat).where(seat.c.game_id == bindparam("was_id"), seat.c.side == bindparam("was_side"))
_UPDATE_SEAT = _SEAT.values({name: bindparam(name) for name in _SEAT_CHANGING})
_GIVE_SEAT = _SEAT.values({name: bindparam(name) for name in (*_SEATED, *_SEAT_CHANGING)})
_INSERT_GAME = insert(game)
_INSERT_SEAT = insert(seat)
_INSERT_MOVE = insert(move)
_MOVES = reading(MoveRow, move).where(move.c.game_id == bindparam("game"), move.c.n >= bindparam("since"))
_MOVES = _MOVES.order_by(move.c.n)
_INSERT_UNDONE = insert(undone)
_UNDONE = reading(UndoneRow, undone).where(undone.c.game_id == bindparam("game")).order_by(undone.c.id)
_GAMES = reading(GameLine, game).order_by(game.c.id)
_DUE_GAMES = (
    select(game.c.name)
    .where(game.c.due_at <= bindparam("now"), game.c.status == "running")
    .order_by(game.c.due_at, game.c.id)
)
_KEYS = (
    select(game.c.name, seat.c.side, seat.c.token_key)
    .join(seat, seat.c.game_id == game.c.id)
    .order_by(game.c.updated_at.desc(), game.c.id)
    .limit(bindparam("limit"))
)
_NAME_TAKEN = select(game.c.id).where(game.c.name == bindparam("name"))
_IN_ORDER = (
    select(game.c.id, game.c.name).where(game.c.name.in_(bindparam("names", expanding=True))).order_by(game.c.id)
)
_NAME_OF = select(game.c.name).where(game.c.id == bindparam("game"))


class Games(Statements):
    """Statements about games. The games that are locked are known by their ids."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._locked: dict[int, str] = {}

    def lock_games(self, names: Collection[str]) -> None:
        """Lock games in the one order that all keep, so that no two transactions wait for each other.

        To be called before several games are changed, and before anything else that others change is locked.
        (SQLite has one writer anyhow.)

        Raises:
            OutOfOrder: a later one is locked already. The transaction has to begin anew with all of them.

        """
        if self.connection.dialect.name == "sqlite":
            return
        rows = self.connection.execute(_IN_ORDER, {"names": sorted({*names, *self._locked.values()})}).all()
        new = [(number, name) for number, name in rows if number not in self._locked]
        if new and self._locked and min(new)[0] < max(self._locked):
            raise OutOfOrder([name for _, name in rows])
        for _, name in new:
            self.game(name)

    def game(self, name: str, *, lock: bool = True) -> GameWithSeats | None:
        """Return a game by its name, with both seats; None if there is none.

        With `lock` nobody else can change it before this transaction ends. (SQLite has one writer anyhow.)
        """
        found = self.first_row(_GAME_LOCKED if lock else _GAME, {"name": name})
        if found is None:
            return None
        row = GameRow(*found[:_GAME_WIDTH])
        seats = (
            SeatRow(*found[_GAME_WIDTH : _GAME_WIDTH + _SEAT_WIDTH]),
            SeatRow(*found[_GAME_WIDTH + _SEAT_WIDTH :]),
        )
        if lock:
            self._locked[row.id] = row.name
        return GameWithSeats(row, {one.side: one for one in seats})

    def update_game(self, new: GameRow, was: GameRow) -> None:
        """Write what changes in a game as it is played; what it was dealt from is `set_up_game`'s.

        Raises:
            GameMoved: the game is no longer at the position and number of moves of `was`.

        """
        values = {name: getattr(new, name) for name in _CHANGING}
        guard = {"was_id": was.id, "was_seq": was.seq, "was_moves": was.moves}
        if self.change(_UPDATE_GAME, values | guard) != 1:
            raise GameMoved(f"game {was.name} has moved on from position {was.seq}")

    def set_up_game(self, new: GameRow) -> None:
        """Write what a game is dealt from (edition, variants, seed, words, start), its clock and language."""
        values = {name: getattr(new, name) for name in _SETTING_UP}
        self.connection.execute(_SET_UP_GAME, values | {"was_id": new.id})

    def update_seat(self, new: NewSeat) -> None:
        """Write what changes in a seat as the game is played; who sits there is `give_seat`'s."""
        values = {name: getattr(new, name) for name in _SEAT_CHANGING}
        self.change(_UPDATE_SEAT, values | {"was_id": new.game_id, "was_side": new.side})

    def give_seat(self, new: NewSeat) -> None:
        """Write a seat with who sits there (a `SeatRow` will do; the player's name and address are not the seat's)."""
        values = {name: getattr(new, name) for name in (*_SEATED, *_SEAT_CHANGING)}
        self.connection.execute(_GIVE_SEAT, values | {"was_id": new.game_id, "was_side": new.side})

    def create_game(self, new: NewGame) -> int:
        """Add a game and return its id; its two seats are added apart."""
        return self.insert(_INSERT_GAME, msgspec.structs.asdict(new))

    def add_seats(self, *seats: NewSeat) -> None:
        """Add the seats of a new game."""
        self.change(_INSERT_SEAT, *map(msgspec.structs.asdict, seats))

    def add_moves(self, moves: list[NewMove]) -> None:
        """Add applied actions, in one statement."""
        if moves:
            self.change(_INSERT_MOVE, *map(msgspec.structs.asdict, moves))

    def moves(self, game_id: int, *, since: int = 0) -> list[MoveRow]:
        """Return the moves of a game from number `since` on, in order; the events since are in them."""
        return self.every(MoveRow, _MOVES, game=game_id, since=since)

    def add_undone(self, new: NewUndone) -> None:
        """Add an undo; the moves themselves stay."""
        self.insert(_INSERT_UNDONE, msgspec.structs.asdict(new))

    def undone(self, game_id: int) -> list[UndoneRow]:
        """Return the undos of a game, in order."""
        return self.every(UndoneRow, _UNDONE, game=game_id)

    def games(self) -> list[GameLine]:
        """Return all games, the oldest first."""
        return self.every(GameLine, _GAMES)

    def due_games(self, now: datetime) -> list[str]:
        """Return the names of running games whose clocks want something done, the longest due first."""
        return list(self.connection.execute(_DUE_GAMES, {"now": now}).scalars())

    def seat_keys(self, *, games: int) -> dict[str, dict[str, bytes]]:
        """Return by game and side what reply addresses are derived from, for the games that changed last."""
        found: dict[str, dict[str, bytes]] = {}
        for name, side, key in self.connection.execute(_KEYS, {"limit": 2 * games}):
            found.setdefault(name, {})[side] = key
        return found

    def has_game(self, name: str) -> bool:
        """Whether a game of this name exists; cheap enough to ask for each recipient."""
        return self.connection.execute(_NAME_TAKEN, {"name": name}).first() is not None

    def game_name(self, game_id: int) -> str:
        """Return the name of the game with this id."""
        return str(self.connection.execute(_NAME_OF, {"game": game_id}).scalar_one())
