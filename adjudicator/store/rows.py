"""What goes into the tables and comes out of them, as frozen values.

`New…` is what a writer gives, `…Row` what a reader gets: the same and what the database knows besides. The
fields are columns of the table of that name (see tables.py for their meaning), in the order in which they
are read.
"""

from datetime import date, datetime
from typing import Any

import msgspec


class NewGame(msgspec.Struct, frozen=True):
    """A game to create; `start` and `state` are None until it is dealt."""

    name: str
    status: str
    edition: int
    seed: bytes
    commitment: str
    created_at: datetime
    updated_at: datetime
    variants: list[str] = []
    switches: dict[str, Any] = {}
    words: dict[str, str] = {}
    clock: str = "none"
    lang: str = "en"
    start: bytes | None = None
    state: bytes | None = None
    turn: int = 0
    seq: int = 0
    moves: int = 0
    waiting_for: str | None = None
    deadline_at: datetime | None = None
    result: bytes | None = None
    finished_at: datetime | None = None
    clocks: bytes | None = None
    due_at: datetime | None = None
    anonymous: bool = False
    public: bool = False
    offer: bytes | None = None


class GameRow(NewGame, frozen=True):
    """A game as it stands."""

    id: int = 0


class NewSeat(msgspec.Struct, frozen=True):
    """A side of a game; either `player_id` or `house` says who sits there, or neither yet."""

    game_id: int
    side: str
    token_key: bytes
    player_id: int | None = None
    house: str | None = None
    seq: int = 0
    standing: str = ""
    thread_id: str | None = None
    last_id: str | None = None
    notes: str = ""
    ahead: str = ""
    confirms: bool = False
    pending: str = ""


class SeatRow(NewSeat, frozen=True):
    """A side of a game, with the player's name and address of record.

    That is a verified address that works: the one he preferred last, else the oldest. If none works, it is one that
    does not, and `bounced_at` says since when mail to it comes back.
    """

    name: str | None = None
    address: str | None = None
    bounced_at: datetime | None = None


class GameWithSeats(msgspec.Struct, frozen=True):
    """A game and both its seats, read at one moment."""

    game: GameRow
    seats: dict[str, SeatRow]


class GameLine(msgspec.Struct, frozen=True):
    """A game in a list."""

    id: int
    name: str
    status: str
    turn: int
    seq: int
    waiting_for: str | None
    deadline_at: datetime | None
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class NewMove(msgspec.Struct, frozen=True):
    """An applied action; `n` is the game's `moves` before it."""

    game_id: int
    n: int
    side: str
    turn: int
    seq: int
    cause: str
    text: str
    action: bytes
    events: bytes
    at: datetime
    letter_id: int | None = None


class MoveRow(NewMove, frozen=True):
    """An action of the history."""

    id: int = 0


class NewLetter(msgspec.Struct, frozen=True):
    """A letter that was taken, and what became of it; `answer_id` is the Message-ID of its answer."""

    key: str
    digest: str
    rcpt: str
    mail_from: str
    from_address: str
    message_id: str
    subject: str
    received_at: datetime
    outcome: str
    raw: bytes
    game_id: int | None = None
    side: str | None = None
    answer_id: str | None = None


class LetterRow(msgspec.Struct, frozen=True):
    """A letter that was taken; its bytes are asked for apart."""

    id: int
    key: str
    digest: str
    game_id: int | None
    side: str | None
    rcpt: str
    mail_from: str
    from_address: str
    message_id: str
    subject: str
    received_at: datetime
    outcome: str
    answer_id: str | None


class NewPost(msgspec.Struct, frozen=True):
    """A mail to send: `report` is rendered by the sender, or `raw` is the finished mail."""

    to_address: str
    message_id: str
    bounce_key: str
    kind: str
    cause: str
    reply_to: str
    created_at: datetime
    due_at: datetime
    report: bytes | None = None
    raw: bytes | None = None
    game_id: int | None = None
    side: str | None = None
    in_reply_to: str | None = None
    references: str = ""
    attempts: int = 0
    counted: bool = False


class PostRow(NewPost, frozen=True):
    """A mail of the outbox; `attempts` counts the one that a lease was just taken for."""

    id: int = 0
    sent_at: datetime | None = None
    failed_at: datetime | None = None
    last_error: str | None = None
    leased_until: datetime | None = None


class PostLine(msgspec.Struct, frozen=True):
    """A mail of the outbox in a list."""

    id: int
    game_id: int | None
    side: str | None
    to_address: str
    message_id: str
    kind: str
    cause: str
    created_at: datetime
    due_at: datetime
    attempts: int
    sent_at: datetime | None
    failed_at: datetime | None
    last_error: str | None


class PlayerRow(msgspec.Struct, frozen=True):
    """A player."""

    id: int
    name: str
    created_at: datetime
    zone: str = "UTC"
    graced_at: datetime | None = None
    banned_at: datetime | None = None
    erased_at: datetime | None = None


class AddressRow(msgspec.Struct, frozen=True):
    """An address of a player; only a verified one lets him act."""

    id: int
    player_id: int
    address: str
    verified_at: datetime | None
    bounced_at: datetime | None
    bounce_reason: str | None
    preferred_at: datetime | None = None
    cleared_at: datetime | None = None


class PlayersSeat(msgspec.Struct, frozen=True):
    """A seat of a player in a list."""

    game: str
    side: str
    status: str


class NewAsking(msgspec.Struct, frozen=True):
    """A mail that asks for a confirmation; `deeds` are pairs of a word and its argument."""

    key: str
    message_id: str
    address: str
    created_at: datetime
    player_id: int | None = None
    deeds: list[list[str]] = []


class AskingRow(NewAsking, frozen=True):
    """A mail that asked for a confirmation, and when it was answered."""

    id: int = 0
    used_at: datetime | None = None


class QuarantineRow(msgspec.Struct, frozen=True):
    """A letter that our own fault kept from being read; its bytes are asked for apart."""

    id: int
    rcpt: str
    mail_from: str
    error: str
    received_at: datetime
    retried_at: datetime | None
    resolved_at: datetime | None


class AuditRow(msgspec.Struct, frozen=True):
    """A row of the audit log."""

    id: int
    game_id: int | None
    at: datetime
    who: str
    command: str
    why: str
    data: dict[str, Any]
    prev_hash: str
    hash: str


class NewLeave(msgspec.Struct, frozen=True):
    """Days of leave, `first` to `last`, as the player's zone had them when he declared it."""

    player_id: int
    first: date
    last: date
    starts_at: datetime
    ends_at: datetime
    declared_at: datetime


class LeaveRow(NewLeave, frozen=True):
    """Days of leave; `ended_at`: he came back earlier, or took it back."""

    id: int = 0
    ended_at: datetime | None = None


class NewChallenge(msgspec.Struct, frozen=True):
    """A game that a player offers to whoever wants it."""

    player_id: int
    edition: int
    clock: str
    created_at: datetime
    side: str | None = None
    variants: list[str] = []
    anonymous: bool = False
    public: bool = False
    rated_from: int | None = None
    rated_to: int | None = None
    word: str = ""
    switches: dict[str, Any] = {}
    seed: bytes = b""


class ChallengeRow(NewChallenge, frozen=True):
    """A challenge, and the game that came of it, if it is closed."""

    id: int = 0
    closed_at: datetime | None = None
    game_id: int | None = None


class NewUndone(msgspec.Struct, frozen=True):
    """An undo: the moves from number `keep` to `n` - 1 ceased to count, and decks were shuffled anew."""

    game_id: int
    n: int
    keep: int
    redeals: list[tuple[str, int]]
    at: datetime


class UndoneRow(NewUndone, frozen=True):
    """An undo of the history."""

    id: int = 0
