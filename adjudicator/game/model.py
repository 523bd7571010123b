"""The state of a game, as it is kept, printed and compared.

Every value is frozen; a change makes a new one with `msgspec.structs.replace`. Dicts inside are never changed
in place. The JSON form of `State` is the STATE of the contract (section 6): whoever decodes one has checked
its shape.
"""

from typing import Generic, Literal, TypeVar

import msgspec

Side = Literal["british", "french"]
SIDES: tuple[Side, Side] = ("british", "french")
PieceKind = Literal["village", "town"]
Source = Literal["hand", "reserve", "siege"]
T = TypeVar("T")

replace = msgspec.structs.replace


def other(side: Side) -> Side:
    """The opponent of a side."""
    return "french" if side == "british" else "british"


class BySide(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One value for each side."""

    british: T
    french: T

    def of(self, side: Side) -> T:
        """The value of one side."""
        return self.british if side == "british" else self.french

    def put(self, side: Side, value: T) -> "BySide[T]":
        """The same with another value for one side."""
        if side == "british":
            return BySide(value, self.french)
        return BySide(self.british, value)


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands on a controlled location (S4.1)."""

    owner: Side
    piece: PieceKind
    fort: bool = False


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of villages (cubes) and towns (discs)."""

    villages: int
    towns: int


class Siege(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A siege in progress; `strength` is attacker minus defender (S8.4)."""

    location: str
    strength: int
    attacker_cards: tuple[str, ...] = ()
    defender_cards: tuple[str, ...] = ()


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one side has. Only `deck` is ordered: index 0 is drawn next. The last of `discard` lies on top."""

    money: int
    hand: tuple[str, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    reserve: tuple[str, ...]
    captured: Pieces
    stock: Pieces


class Open(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A turn that has begun: actions left, and whether the siege check is done (S3.1).

    `siege_won` says that the check has resolved a siege (variant 5 asks for it).
    """

    actions_left: int
    siege_checked: bool
    siege_won: bool = False


class Pledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The empire card that goes back if the siege of that attacker is lost (S3.1 step 5)."""

    siege: Side
    card: str


class MaySettle(msgspec.Struct, frozen=True, tag_field="kind", tag="settle"):
    """A place was just won: settle it, perhaps with a settler card, or not (S8.12)."""

    to: Side
    location: str


class MustLose(msgspec.Struct, frozen=True, tag_field="kind", tag="lose"):
    """A siege will be lost: which empire card goes back (S8.14)."""

    to: Side
    siege: Side
    location: str


class MayBlock(msgspec.Struct, frozen=True, tag_field="kind", tag="block"):
    """A raid (on `location`) or an ambush (no location) may be blocked with a card (S9.7, S10.2)."""

    to: Side
    attack: Literal["raid", "ambush"]
    location: str | None = None


class MustGive(msgspec.Struct, frozen=True, tag_field="kind", tag="give"):
    """A card has to be given to an ambush, a Priest or an Indian Leader (S10.3, S11.1)."""

    to: Side
    cause: Literal["ambush", "priest", "indian-leader"]


class MayExchange(msgspec.Struct, frozen=True, tag_field="kind", tag="exchange"):
    """Variant 5: after a siege one card may be discarded and one drawn."""

    to: Side


class MustStartWith(msgspec.Struct, frozen=True, tag_field="kind", tag="start-with"):
    """Variant 13: which empire card joins the French deck before the first deal."""

    to: Side


class MustDiscard(msgspec.Struct, frozen=True, tag_field="kind", tag="discard"):
    """Variant 0: which two cards of the refilled hand go, as the reshuffle cannot be paid.

    `drawn` are the last two cards of the hand: what goes if nothing is said.
    """

    to: Side
    drawn: tuple[str, ...]


Question = MaySettle | MustLose | MayBlock | MustGive | MayExchange | MustStartWith | MustDiscard


class State(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A whole position, everything hidden included.

    At the border of two turns `open` is None: the points-end check of the side to move is done, its siege
    check is not. `to_move` is None once the game is over. `turn` counts both sides' turns from 1.
    """

    to_move: Side | None
    turn: int
    board: dict[str, Piece]
    sieges: BySide[Siege | None]
    players: BySide[Player]
    available_empire: BySide[dict[str, int]]
    available_locations: BySide[tuple[str, ...]]
    neutral_supply: dict[str, int]
    forts_left: int
    open: Open | None = None
    pledged: dict[Side, tuple[Pledge, ...]] | None = None
    french_have_besieged: bool = False
    shuffles: int = 0
    question: Question | None = None
