"""The tables beside those of games, mail and people; see `tables.py`. `ALL_TABLES` is the whole database."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field

from adjudicator.store.tables import SIDES, Table, one_of


class Leave(Table, table=True):
    """Days on which a player's clocks stand still: from `first` to `last` in his zone, or until he `ended_at`."""

    __tablename__ = "leave"

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    first: date
    last: date
    starts_at: datetime
    ends_at: datetime
    declared_at: datetime
    ended_at: datetime | None = None


class Beat(Table, table=True):
    """When the service was last seen alive: one row, by which an outage is known."""

    __tablename__ = "beat"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime


class Challenge(Table, table=True):
    """A game that a player offers to whoever wants it; `side` is his own, null if he does not care.

    `word` is what he adds to the `seed` of the shuffles, which is drawn, and committed to, with the challenge.
    """

    __tablename__ = "challenge"
    __table_args__ = (one_of("side", SIDES),)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    side: str | None = None
    edition: int
    variants: list[str] = Field(default_factory=list, sa_type=JSON)
    switches: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    seed: bytes
    clock: str
    anonymous: bool = False
    public: bool = False
    rated_from: int | None = None
    rated_to: int | None = None
    word: str = ""
    created_at: datetime
    closed_at: datetime | None = None
    game_id: int | None = Field(default=None, foreign_key="game.id")


class Observer(Table, table=True):
    """A player who watches a game that he does not play."""

    __tablename__ = "observer"

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True)
    since_at: datetime


class Undone(Table, table=True):
    """An undo: when a game had `n` moves, those from number `keep` on ceased to count.

    `redeals` are the decks that were shuffled anew then, as pairs of a side and the number of the shuffle.
    """

    __tablename__ = "undone"

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    n: int
    keep: int
    redeals: list[list[Any]] = Field(default_factory=list, sa_type=JSON)
    at: datetime


ALL_TABLES = Table.metadata
