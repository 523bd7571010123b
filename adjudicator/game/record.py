"""The two file formats: a position (`afas-position/1`) and the record of a game (`afas-record/1`).

Promise: a bad file, however bad, is one UsageError of one line that names the place inside the JSON; nothing
else is ever raised for it. The JSON Schemas in `schema/` are made from the very structs that read the files.
"""

import json
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.chance import SEED_BYTES
from adjudicator.game.edition import Rules, rules_for
from adjudicator.game.entries import Entry
from adjudicator.game.events import Reason, Score
from adjudicator.game.model import BySide, Pledge, Side, State
from adjudicator.game.position import check_position, surplus

LARGEST = 5_000_000
"""No file is larger, in bytes; the longest real game has a tenth of it."""

MOST_SAID = 300
"""No error line is longer, in characters."""

Edition = Literal[1, 2]
Switch = bool | int | str | None
Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
T = TypeVar("T")


class Position(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position to try orders on, or to start a game from. `standing`: the text of standing orders."""

    format: Literal["afas-position/1"]
    edition: Edition
    variants: tuple[str, ...] = ()
    switches: dict[str, Switch] = {}
    state: State
    standing: dict[Side, str] = {}


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One turn of one side.

    `drawn` is the refill; after a reshuffle the new pile is what was drawn from it, then `after.deck`.
    `after` is the state at the border to the next turn; the last turn may be unfinished: `after` carries
    `open`. `pledged_losses` are the cards named for sieges about to be lost. `orders` are the mover's, in
    canonical form; `at` is when the last of them came. `refill_skipped`: the turn ended without the refill,
    against the rules.
    """

    n: Annotated[int, msgspec.Meta(ge=1)]
    side: Side
    actions: tuple[Entry, ...]
    drawn: tuple[str, ...]
    reshuffled: bool
    after: State
    pledged_losses: tuple[Pledge, ...] = ()
    refill_skipped: bool = False
    orders: tuple[str, ...] = ()
    at: datetime | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a game ended. `by` is whose act or condition ended it; `winner` None is a draw or void."""

    winner: Side | None
    reason: Reason
    by: Side | None = None
    scores: BySide[Score] | None = None
    scores_recorded: bool = True


class Seated(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sits at a seat: a player with his address, or a house player; and what his mails depend on.

    `key` (hex) makes the seat's secret addresses. `position_number` is the position that the seat was last shown,
    `thread` and `last` are the Message-IDs of the first and the latest mail to it. `ahead` and `pending` are orders
    that wait, as the service keeps them; `confirms`: he is asked before any of his orders counts.
    """

    key: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){16,64}$")]
    position_number: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    name: str | None = None
    address: str | None = None
    house: str | None = None
    thread: str | None = None
    last: str | None = None
    notes: str = ""
    ahead: str = ""
    pending: str = ""
    confirms: bool = False


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the service keeps of a game besides its moves: it makes an imported game equal to the exported one.

    `clock` is its text, `clocks` how they stand, as the service keeps them.
    """

    status: Literal["running", "paused", "finished"]
    position_number: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    seats: BySide[Seated]
    deadline: datetime | None = None
    clock: str = "none"
    clocks: dict[str, Any] = {}
    anonymous: bool = False
    public: bool = False


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A whole game.

    `home_support` "front": Home Support draws from index 0 like every draw; missing: from the last index.
    `commitment` and `seed` are hex, `words` the players' words, `start_with` the card of variant 13.
    `from_position`: the start was given, not dealt. `result` is missing while the game runs; a full export of
    a running game also holds `seed`, `standing` and `kept`.
    """

    format: Literal["afas-record/1"]
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    edition: Edition
    variants: tuple[str, ...] = ()
    switches: dict[str, Switch] = {}
    home_support: Literal["front"] | None = None
    commitment: Hex32 | None = None
    words: BySide[str] | None = None
    seed: Hex32 | None = None
    start_with: str | None = None
    from_position: bool = False
    standing: dict[Side, str] = {}
    kept: Kept | None = None
    start: State
    turns: tuple[Turn, ...]
    result: Result | None = None


_position = msgspec.json.Decoder(Position)
_record = msgspec.json.Decoder(Record)
_encoder = msgspec.json.Encoder()


def read_position(raw: bytes, name: str = "position") -> Position:
    """Read a position file and check its state under its rules; `name` begins the error line.

    Raises:
        UsageError: one line that says where in the file what is wrong.
    """
    position = _read(raw, _position, name)
    _checked(name, position, position.state, "$.state")
    return position


def read_record(raw: bytes, name: str = "record") -> Record:
    """Read the record of a game and check that its start makes sense under its rules.

    Whether the turns follow from it is asked by `replay`.

    Raises:
        UsageError: one line that says where in the file what is wrong.
    """
    try:
        record = _read(raw, _record, name)
    except UsageError:
        if _is_public(raw):
            raise UsageError(f"{name}: the public record of a running game has no hands and no draws") from None
        raise
    _checked(name, record, record.start, "$.start")
    return record


def rules_of(source: Position | Record) -> Rules:
    """Return the rules that a position or a record is played by.

    Raises:
        UsageError: an unknown variant or switch.
    """
    return rules_for(source.edition, source.variants, source.switches)


def seed_of(record: Record) -> bytes | None:
    """Return the revealed seed of a record as bytes, None if it is not there."""
    seed = record.seed and bytes.fromhex(record.seed)
    return seed if seed and len(seed) == SEED_BYTES else None


def written(value: Position | Record) -> bytes:
    """Return a position or a record as JSON, with a line break at the end."""
    return _encoder.encode(value) + b"\n"


def _checked(name: str, source: Position | Record, state: State, path: str) -> None:
    try:
        rules = rules_of(source)
    except UsageError as error:
        raise _refused(name, str(error)) from None
    try:
        check_position(rules, state)
    except UsageError as error:
        raise _refused(name, f"{path}.{error}") from None
    # A position may have been written by hand and carelessly; a game that was played cannot have cards too many.
    if isinstance(source, Record) and (more := surplus(rules, state)):
        raise _refused(name, f"{path}: {more[0]}")


def _read(raw: bytes, decoder: msgspec.json.Decoder[T], name: str) -> T:
    """Decode one file by its struct, after what msgspec lets pass: size, duplicate keys."""
    if len(raw) > LARGEST:
        raise _refused(name, f"the file has {len(raw)} bytes; {LARGEST} are allowed")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        json.loads(raw.decode(), object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
        return decoder.decode(raw)
    except UsageError as error:
        raise _refused(name, str(error)) from None
    except msgspec.ValidationError as error:
        raise _refused(name, _placed(str(error))) from None
    except RecursionError:
        raise _refused(name, "nested too deeply") from None
    except UnicodeDecodeError:
        raise _refused(name, "not UTF-8 text") from None
    except ValueError as error:  # json's and msgspec's own kinds, and numbers with too many digits
        raise _refused(name, f"no JSON: {error}") from None


class _Public(msgspec.Struct):
    """The one key that marks a public record."""

    public: bool = False


def _is_public(raw: bytes) -> bool:
    try:
        return msgspec.json.decode(raw, type=_Public).public
    except (ValueError, RecursionError):  # no JSON at all, which is told already
        return False


def _refused(name: str, what: str) -> UsageError:
    """Make the one line; what came out of the file may hold line breaks and control characters."""
    line = f"{name}: {what}"
    return UsageError("".join(sign if sign.isprintable() else "?" for sign in line)[:MOST_SAID])


def _no_duplicates(pairs: list[tuple[str, object]]) -> None:
    """Refuse an object that names a key twice: readers would differ in which one counts."""
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise UsageError(f"the key {key!r} stands twice in one object")
        seen.add(key)


def _no_constant(name: str) -> object:
    raise UsageError(f"{name} is no JSON number")


def _placed(message: str) -> str:
    """Turn msgspec's "… - at `$.a`" round, so that the place comes first."""
    what, found, path = message.rpartition(" - at ")
    return f"{path.strip('`')}: {what}" if found else message
