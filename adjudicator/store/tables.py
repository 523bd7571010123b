"""The tables of games, mail and people, declared once: migrations are compared with them, statements built from them.

The other tables are in `side_tables.py`.

All times are aware and come back in UTC. Bytes are JSON text that only its writer understands (state, action,
events, report), raw mail, or secrets. `*_id` is a row of another table, except for `message_id`, `thread_id`,
`last_id` and `answer_id`, which are Message-IDs.
"""

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Index, MetaData, UniqueConstraint, text
from sqlmodel import Field, SQLModel

SIDES = ("british", "french")
STATUSES = ("open", "running", "paused", "finished")
CAUSES = ("mail", "standing", "default", "house", "moderator", "clock", "ahead")

_UNSENT = text("sent_at IS NULL AND failed_at IS NULL")
_JOINED = text("kind = 'joined' AND sent_at IS NULL AND failed_at IS NULL")
_BUDGETED = text("counted = true OR game_id IS NULL")  # mails about turns, which are the most, cost no page of it


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    """The rule that a column holds one of these."""
    quoted = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({quoted})", name=column)


class Table(SQLModel):
    """The common metadata; constraints have predictable names, so that migrations can change them."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Player(Table, table=True):
    """Somebody who plays, under whatever addresses.

    His days count in `zone` (an IANA name). `graced_at` is when a late turn of his last counted as on time.
    """

    __tablename__ = "player"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    created_at: datetime
    zone: str = "UTC"
    graced_at: datetime | None = None
    banned_at: datetime | None = None
    erased_at: datetime | None = None


class Address(Table, table=True):
    """A mail address of a player, in lower case; it counts once it is verified.

    His mails go to the one that was preferred last, else to the oldest.
    """

    __tablename__ = "address"

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str = Field(unique=True)
    verified_at: datetime | None = None
    bounced_at: datetime | None = None
    bounce_reason: str | None = None
    cleared_at: datetime | None = None
    preferred_at: datetime | None = None


class Game(Table, table=True):
    """A game and its current state.

    `name` is its id in addresses and on the command line. `seq` is the highest position number ever given,
    `moves` the number of rows in `move`; neither goes back. `start` is the state at the deal; before the deal
    `start` and `state` are null. `clock` is the spec of its clocks, `clocks` how they stand (JSON of
    `league.clock.Clocks`); `due_at` is when they want something done next. In an `anonymous` game nobody learns who
    plays; a `public` one may be watched. `offer` is what one side has offered to the other.
    """

    __tablename__ = "game"
    __table_args__ = (one_of("status", STATUSES),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    status: str
    edition: int
    variants: list[str] = Field(default_factory=list, sa_type=JSON)
    switches: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    clock: str = "none"
    lang: str = "en"
    seed: bytes
    commitment: str
    words: dict[str, str] = Field(default_factory=dict, sa_type=JSON)
    start: bytes | None = None
    turn: int = 0
    seq: int = 0
    moves: int = 0
    waiting_for: str | None = None
    deadline_at: datetime | None = None
    result: bytes | None = None
    created_at: datetime
    finished_at: datetime | None = None
    updated_at: datetime
    clocks: bytes | None = None
    due_at: datetime | None = Field(default=None, index=True)
    anonymous: bool = False
    public: bool = False
    offer: bytes | None = None
    state: bytes | None = None


class Seat(Table, table=True):
    """A side of a game: who sits there, what he was shown last, and his mail thread.

    `house` names the house player of the seat. Reply addresses are derived from `token_key`, 16 random bytes.
    `seq` is the position this seat was last shown. `ahead` are orders that wait for their time (JSON), `pending` those
    that wait for his yes, if he `confirms` each forecast.
    """

    __tablename__ = "seat"
    __table_args__ = (one_of("side", SIDES),)

    game_id: int = Field(foreign_key="game.id", primary_key=True)
    side: str = Field(primary_key=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    house: str | None = None
    token_key: bytes
    seq: int = 0
    standing: str = ""
    thread_id: str | None = None
    last_id: str | None = None
    notes: str = ""
    ahead: str = ""
    confirms: bool = False
    pending: str = ""


class Letter(Table, table=True):
    """A mail that was taken; `key` tells copies of it, `digest` another text under the same key."""

    __tablename__ = "letter"
    __table_args__ = (one_of("side", SIDES),)

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    digest: str
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    side: str | None = None
    rcpt: str
    mail_from: str
    from_address: str
    message_id: str
    subject: str
    received_at: datetime
    outcome: str
    answer_id: str | None = None
    raw: bytes


class Move(Table, table=True):
    """An action that was applied, number `n` (from 0) of its game; rows are only ever added.

    `text` is the canonical order; `seq` the position it was made in.
    """

    __tablename__ = "move"
    __table_args__ = (UniqueConstraint("game_id", "n"), one_of("side", SIDES), one_of("cause", CAUSES))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    n: int
    side: str
    turn: int
    seq: int
    cause: str
    text: str
    action: bytes
    events: bytes
    letter_id: int | None = Field(default=None, foreign_key="letter.id")
    at: datetime


class Post(Table, table=True):
    """A mail to send, as a `report` that the sender renders or as finished bytes (`raw`).

    `kind` is the template's name, `cause` what it answers or tells of. It is due at `due_at` unless it is
    sent or given up; a sender that works on it holds it until `leased_until`. A `counted` mail is charged to the
    budget of its address at `created_at`, the time in its Date header.
    """

    __tablename__ = "post"
    __table_args__ = (
        one_of("side", SIDES),
        CheckConstraint("report IS NOT NULL OR raw IS NOT NULL", name="content"),
        Index("ix_post_unsent", "due_at", sqlite_where=_UNSENT, postgresql_where=_UNSENT),
        Index("ix_post_joined", "game_id", "side", sqlite_where=_JOINED, postgresql_where=_JOINED),
        Index("ix_post_budget", "to_address", "created_at", sqlite_where=_BUDGETED, postgresql_where=_BUDGETED),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    side: str | None = None
    to_address: str
    message_id: str = Field(unique=True)
    kind: str
    cause: str
    reply_to: str
    in_reply_to: str | None = None
    references: str = ""
    bounce_key: str = Field(unique=True)
    created_at: datetime
    due_at: datetime
    attempts: int = 0
    sent_at: datetime | None = None
    failed_at: datetime | None = None
    last_error: str | None = None
    leased_until: datetime | None = None
    counted: bool = False
    report: bytes | None = None
    raw: bytes | None = None


class Quarantine(Table, table=True):
    """A letter that our own fault kept from being read; `mail retry` runs it again."""

    __tablename__ = "quarantine"

    id: int | None = Field(default=None, primary_key=True)
    rcpt: str
    mail_from: str
    error: str
    received_at: datetime
    retried_at: datetime | None = None
    resolved_at: datetime | None = None
    raw: bytes


class Audit(Table, table=True):
    """Who did what to a game, and why; each row's hash covers the row before (see audit.py).

    Names and addresses of players never stand here, only ids: a player can be forgotten and the chain holds.
    """

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    at: datetime
    who: str
    command: str
    why: str
    data: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    prev_hash: str = Field(unique=True)
    hash: str


class Stranger(Table, table=True):
    """When an address we do not know was last told what this service is; once a day is enough."""

    __tablename__ = "stranger"

    address: str = Field(primary_key=True)
    told_on: date = Field(index=True)


class Asking(Table, table=True):
    """A mail that asks for a confirmation, and the `deeds` (words with an argument) that it confirms.

    `key` is the SHA-256 of the secret in its reply address. `player_id` is who wants it, null for somebody who
    is no player yet; `address` is where the mail went.
    """

    __tablename__ = "asking"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    message_id: str = Field(unique=True)
    address: str = Field(index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id")
    deeds: list[list[str]] = Field(default_factory=list, sa_type=JSON)
    created_at: datetime = Field(index=True)
    used_at: datetime | None = None
