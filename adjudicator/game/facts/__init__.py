"""Board and cards, read once from `board.json` and `cards.json`; each row there names its source.

A card is named by its id together with the side that owns it (`card("british", "militia")`): the two sides'
cards of one name may differ. Neutral cards have ids of their own (`neutral-settlers`), the same for both sides.
"""

from importlib.resources import files
from typing import Literal

import msgspec

from adjudicator.game.model import SIDES, PieceKind, Side

Symbol = Literal["bateaux", "wagon", "ship", "fur", "settlers", "military", "gold"]
Transport = Literal["bateaux", "wagon", "ship"]
ConnectionKind = Literal["river", "lake", "road", "trail", "sea"]


class Location(msgspec.Struct, frozen=True):
    """A place on the board. `points` 0 means no victory point hex; `x`, `y` are 0..1000 from the top left."""

    id: str
    name: str
    aliases: tuple[str, ...]
    ship: bool
    sea: bool
    settlers: bool
    defence: int
    points: int
    x: int
    y: int
    owner: Side | None
    piece: PieceKind | None


class Connection(msgspec.Struct, frozen=True):
    """A line of the board, or a sea route printed on a card; `raid` and `supply` say what it serves."""

    a: str
    b: str
    kind: ConnectionKind
    raid: bool
    supply: bool
    lake: str | None = None


class Track(msgspec.Struct, frozen=True):
    """Where a siege track ends on either side (S8.7)."""

    defender_max: int
    attacker_max: int


class Limits(msgspec.Struct, frozen=True):
    """All pieces of one side (S1.1)."""

    villages: int
    towns: int


class _BoardLimits(msgspec.Struct, frozen=True):
    british: Limits
    french: Limits
    forts: int


class _Board(msgspec.Struct, frozen=True):
    limits: _BoardLimits
    start_money: dict[str, int | str]
    home: dict[str, str]
    capitals: dict[str, tuple[str, ...] | str]
    siege_track: dict[str, Track | str]
    locations: tuple[Location, ...]
    lakes: dict[str, tuple[str, ...] | str]
    connections: tuple[Connection, ...]


class Card(msgspec.Struct, frozen=True):
    """A card of one side, or a neutral one, with all that the rules ask of it.

    `location` is the place of a location card, None for an empire card. `destinations` go from place to
    transports.
    """

    side: Literal["british", "french", "neutral"]
    id: str
    name: str
    location: str | None = None
    start: int = 0
    count: int = 1
    cost: int = 0
    symbols: dict[Symbol, int] = {}
    destinations: dict[str, tuple[Transport, ...]] = {}
    vulnerable: bool = False
    raids: bool = False
    extends_raid: bool = False
    ambushes: bool = False
    blocks_raid: bool = False
    blocks_ambush: bool = False
    editions: tuple[int, ...] = (1, 2)


class _LocationRow(msgspec.Struct, frozen=True):
    side: Side
    id: str
    start: bool
    destinations: dict[Transport, tuple[str, ...]]
    symbols: dict[Symbol, int]


class _Cards(msgspec.Struct, frozen=True):
    locations: tuple[_LocationRow, ...]
    empire: tuple[Card, ...]


def _read(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()


_board = msgspec.json.decode(_read("board.json"), type=_Board)
_cards = msgspec.json.decode(_read("cards.json"), type=_Cards)

LOCATIONS: dict[str, Location] = {location.id: location for location in _board.locations}
CONNECTIONS: tuple[Connection, ...] = _board.connections
LAKES: dict[str, tuple[str, ...]] = {name: ids for name, ids in _board.lakes.items() if isinstance(ids, tuple)}
PIECES: dict[Side, Limits] = {"british": _board.limits.british, "french": _board.limits.french}
FORTS: int = _board.limits.forts
START_MONEY: dict[Side, int] = {side: int(_board.start_money[side]) for side in SIDES}
HOME: dict[Side, str] = {side: _board.home[side] for side in SIDES}
TRACK: dict[Side, Track] = {side: track for side in SIDES if isinstance(track := _board.siege_track[side], Track)}
CAPITALS: dict[Side, tuple[str, ...]] = {side: tuple(_board.capitals[side]) for side in SIDES}
"""The places whose loss loses the game, by their first owner (S15.2)."""


def _location_card(row: _LocationRow) -> Card:
    """The card of a location row, its destinations turned round: place to transports."""
    destinations: dict[str, tuple[Transport, ...]] = {}
    for transport, places in row.destinations.items():
        for place in places:
            destinations[place] = (*destinations.get(place, ()), transport)
    return Card(
        side=row.side,
        id=row.id,
        name=LOCATIONS[row.id].name,
        location=row.id,
        start=int(row.start),
        symbols=row.symbols,
        destinations=destinations,
    )


LOCATION_CARDS: dict[Side, dict[str, Card]] = {
    side: {row.id: _location_card(row) for row in _cards.locations if row.side == side} for side in SIDES
}
EMPIRE_CARDS: dict[str, dict[str, Card]] = {
    owner: {card.id: card for card in _cards.empire if card.side == owner} for owner in (*SIDES, "neutral")
}
CARDS: dict[Side, dict[str, Card]] = {
    side: {**LOCATION_CARDS[side], **EMPIRE_CARDS[side], **EMPIRE_CARDS["neutral"]} for side in SIDES
}
"""Every card that a side may ever hold, by id."""

NATIVES = "neutral-native-americans"
START_INFANTRY = "regular-infantry-start"


def card(side: Side, id: str) -> Card:  # noqa: A002 - the field is called so everywhere
    """The card of this id in a side's hands.

    Raises: KeyError if no such card can ever be his.
    """
    return CARDS[side][id]
