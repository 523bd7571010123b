"""What happened: the engine's output, never its input. Mails are written from these.

What a side may know of them `game.seen` tells. Card lists of an action are in the order in which they were played.
"""

from typing import Literal

import msgspec

from adjudicator.game.model import PieceKind, Side, Source

Reason = Literal[
    "resignation", "towns-exhausted", "villages-exhausted", "captured-12", "siege-of-capital",
    "settled-capital", "time", "agreement", "decision", "void", "duquesne",
]  # fmt: skip


class Score(msgspec.Struct, frozen=True):
    """Points of one side (S15.6)."""

    locations: int
    captured: int
    total: int


class Settled(msgspec.Struct, frozen=True, tag=True):
    """A settle action; `placed` a village, `gained` the location card (S7.3, S7.6)."""

    side: Side
    target: str
    cards: tuple[str, ...]
    placed: bool
    gained: bool


class Developed(msgspec.Struct, frozen=True, tag=True):
    """A village became a town."""

    side: Side
    target: str
    cards: tuple[str, ...]


class Fortified(msgspec.Struct, frozen=True, tag=True):
    """A fortification disc was placed."""

    side: Side
    target: str
    cards: tuple[str, ...]
    cost: int


class Besieged(msgspec.Struct, frozen=True, tag=True):
    """A siege began; `strength` is the marker after it."""

    side: Side
    target: str
    cards: tuple[str, ...]
    cost: int
    strength: int


class Reinforced(msgspec.Struct, frozen=True, tag=True):
    """A card was played to the siege of `attacker`; `strength` is the marker after it."""

    side: Side
    attacker: Side
    target: str
    card: str
    cost: int
    strength: int


class RaidBegun(msgspec.Struct, frozen=True, tag=True):
    """A raid was declared, its cards played and paid."""

    side: Side
    target: str
    cards: tuple[str, ...]
    cost: int


class RaidBlocked(msgspec.Struct, frozen=True, tag=True):
    """`side` blocked the raid on his location with `card`."""

    side: Side
    target: str
    card: str


class Raided(msgspec.Struct, frozen=True, tag=True):
    """`side` captured a piece; a captured town may have been `replaced` by a village (S9.9)."""

    side: Side
    target: str
    captured: PieceKind
    replaced: bool


class AmbushBegun(msgspec.Struct, frozen=True, tag=True):
    """An ambush was declared, its card played and paid."""

    side: Side
    card: str
    cost: int


class AmbushBlocked(msgspec.Struct, frozen=True, tag=True):
    """`side` blocked the ambush with `card`."""

    side: Side
    card: str


class CardLost(msgspec.Struct, frozen=True, tag=True):
    """An ambushed `side` returned a card (S10.3); `target` names the siege if it lay in one (variant 3)."""

    side: Side
    card: str
    source: Source
    target: str | None = None


class PriestPlayed(msgspec.Struct, frozen=True, tag=True):
    """A Priest or an Indian Leader was played."""

    side: Side
    card: str


class NativeTaken(msgspec.Struct, frozen=True, tag=True):
    """`side` handed a neutral Native Americans card over."""

    side: Side
    source: Source


class HandShown(msgspec.Struct, frozen=True, tag=True):
    """`side` showed his whole hand to the opponent, and to nobody else (S10.4, S11.2)."""

    side: Side
    cause: Literal["ambush", "priest", "indian-leader"]
    cards: tuple[str, ...] = ()


class MoneyTaken(msgspec.Struct, frozen=True, tag=True):
    """Money from the bank by a location card, a merchant, a trader, or a fur sold (variant 11)."""

    side: Side
    by: Literal["money", "merchant", "trader", "fur"]
    cards: tuple[str, ...]
    amount: int


class Pirated(msgspec.Struct, frozen=True, tag=True):
    """Piracy: what came from the British and what from the bank (S12.4)."""

    side: Side
    cards: tuple[str, ...]
    from_opponent: int
    from_bank: int


class Drafted(msgspec.Struct, frozen=True, tag=True):
    """An empire card was bought."""

    side: Side
    card: str
    cost: int


class Discarded(msgspec.Struct, frozen=True, tag=True):
    """Hand cards were discarded, for `cost` money."""

    side: Side
    cards: tuple[str, ...]
    cost: int


class Dropped(msgspec.Struct, frozen=True, tag=True):
    """Variant 17: the card of a location not controlled was discarded free."""

    side: Side
    card: str


class Reserved(msgspec.Struct, frozen=True, tag=True):
    """A card was put into the reserve."""

    side: Side
    card: str


class Retrieved(msgspec.Struct, frozen=True, tag=True):
    """The reserve was taken into hand."""

    side: Side
    cards: tuple[str, ...]
    cost: int


class Governed(msgspec.Struct, frozen=True, tag=True):
    """The Governor returned cards; `ceded` are locations given up by variant 14."""

    side: Side
    cards: tuple[str, ...]
    ceded: tuple[str, ...] = ()


class Fetched(msgspec.Struct, frozen=True, tag=True):
    """The Intendant took a card from the discard pile into hand."""

    side: Side
    card: str
    cost: int


class HomeSupported(msgspec.Struct, frozen=True, tag=True):
    """Home Support drew `count` cards; `cards` are known to `side` only."""

    side: Side
    count: int
    cards: tuple[str, ...] = ()


class Withdrew(msgspec.Struct, frozen=True, tag=True):
    """`side` gave the siege of `target` up; `returned` is the card that went back."""

    side: Side
    attacker: Side
    target: str
    returned: str | None
    captured: PieceKind | None


class SiegeWon(msgspec.Struct, frozen=True, tag=True):
    """`side` won the siege of `target` in his siege check (S8.11); the loser `returned` a card."""

    side: Side
    attacker: Side
    target: str
    returned: str | None
    captured: PieceKind | None


class SettledWon(msgspec.Struct, frozen=True, tag=True):
    """The place just won was settled."""

    side: Side
    target: str
    settler: str | None
    gained: bool


class LeftNeutral(msgspec.Struct, frozen=True, tag=True):
    """The place just won stays neutral."""

    side: Side
    target: str


class Passed(msgspec.Struct, frozen=True, tag=True):
    """An action was not used."""

    side: Side


class Pledged(msgspec.Struct, frozen=True, tag=True):
    """`side` named the card that goes back with a siege; known to him only."""

    side: Side
    target: str
    card: str


class Reshuffled(msgspec.Struct, frozen=True, tag=True):
    """The discard pile became the draw deck: shuffle number `number` of the game, of `count` cards."""

    side: Side
    number: int
    count: int


class Drew(msgspec.Struct, frozen=True, tag=True):
    """The refill at the end of a turn; `cards` are known to `side` only."""

    side: Side
    count: int
    cards: tuple[str, ...] = ()


class PenaltyPaid(msgspec.Struct, frozen=True, tag=True):
    """Variant 0: a reshuffle cost money, or two cards."""

    side: Side
    money: int
    cards: tuple[str, ...] = ()


class Exchanged(msgspec.Struct, frozen=True, tag=True):
    """Variant 5: `card` was discarded for a drawn one (`drawn`: known to `side` only)."""

    side: Side
    card: str
    drawn: tuple[str, ...] = ()


class StartedWith(msgspec.Struct, frozen=True, tag=True):
    """Variant 13: the card that joined the starting deck."""

    side: Side
    card: str


class TurnEnded(msgspec.Struct, frozen=True, tag=True):
    """The turn with this number is over."""

    side: Side
    turn: int


class GameOver(msgspec.Struct, frozen=True, tag=True):
    """The game has ended. `by` is the side whose act or condition ended it."""

    winner: Side | None
    reason: Reason
    by: Side | None
    british: Score
    french: Score


Event = (
    Settled | Developed | Fortified | Besieged | Reinforced | RaidBegun | RaidBlocked | Raided | AmbushBegun
    | AmbushBlocked | CardLost | PriestPlayed | NativeTaken | HandShown | MoneyTaken | Pirated | Drafted
    | Discarded | Dropped | Reserved | Retrieved | Governed | Fetched | HomeSupported | Withdrew | SiegeWon
    | SettledWon | LeftNeutral | Passed | Pledged | Reshuffled | Drew | PenaltyPaid | Exchanged | StartedWith
    | TurnEnded | GameOver
)  # fmt: skip
