"""The entries of a recorded turn.

An entry holds an action with everything that came of it: its cost, the reaction of the other side, the
cards gained. Cards stand in the order in which they were played. A field that does not apply is left out.
`free` marks free actions (S3.5). The siege check and the answers of a turn are entries too (`siege-win`,
`exchange`, `penalty`), so that a turn can be replayed from its entries alone.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from adjudicator.game.model import PieceKind, Side, Source

Role = Literal["attacker", "defender"]
Some = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
OneOrTwo = Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=2)]
TwoOrThree = Annotated[tuple[str, ...], msgspec.Meta(min_length=2, max_length=3)]
TwoOrMore = Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
Money = Annotated[int, msgspec.Meta(ge=0)]


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What all entries share: a `type`, and no field that is not named here."""


class SettleEntry(_Entry, frozen=True, kw_only=True, tag="settle"):
    """A settle action; cards: origin, transport, settler if needed."""

    target: str
    cards: TwoOrThree
    placed_village: bool | UnsetType = UNSET
    gained_card: str | UnsetType | None = UNSET


class DevelopEntry(_Entry, frozen=True, kw_only=True, tag="develop"):
    """A develop action; cards: location, settler."""

    target: str
    cards: tuple[str, str]


class FortifyEntry(_Entry, frozen=True, kw_only=True, tag="fortify"):
    """A fortify action; cards: fortification, location."""

    target: str
    cards: tuple[str, str]
    cost: Money | UnsetType = UNSET


class BesiegeEntry(_Entry, frozen=True, kw_only=True, tag="besiege"):
    """The beginning of a siege; cards: origin, transport, strength."""

    target: str
    cards: tuple[str, str, str]
    cost: Money | UnsetType = UNSET


class ReinforceEntry(_Entry, frozen=True, kw_only=True, tag="reinforce"):
    """A card to a siege; `siege` is its attacker."""

    siege: Side
    target: str
    cards: tuple[str]
    cost: Money | UnsetType = UNSET


class LeaderEntry(_Entry, frozen=True, kw_only=True, tag="military-leader"):
    """The Military Leader to a siege; `siege` is its attacker."""

    siege: Side
    target: str
    cards: tuple[str]
    free: bool = True


class RaidEntry(_Entry, frozen=True, kw_only=True, tag="raid"):
    """A raid. No `outcome` yet: it waits for the other side's answer."""

    target: str
    cards: Some
    cost: Money | UnsetType = UNSET
    outcome: Literal["success", "blocked"] | UnsetType = UNSET
    blocked_by: str | UnsetType = UNSET
    captured: PieceKind | UnsetType = UNSET
    replaced_by_village: bool | UnsetType = UNSET


class AmbushEntry(_Entry, frozen=True, kw_only=True, tag="ambush"):
    """An ambush. `lost_at` names the siege if the lost card lay in one (variant 3)."""

    cards: tuple[str]
    cost: Money | UnsetType = UNSET
    outcome: Literal["success", "blocked", "no-target"] | UnsetType = UNSET
    blocked_by: str | UnsetType = UNSET
    lost_card: str | UnsetType = UNSET
    lost_from: Source | UnsetType = UNSET
    lost_at: str | UnsetType = UNSET


class PriestEntry(_Entry, frozen=True, kw_only=True, tag="priest"):
    """The Priest; `taken_card` is the Native Americans card handed over."""

    cards: tuple[str]
    outcome: Literal["success", "no-target"] | UnsetType = UNSET
    taken_card: str | UnsetType = UNSET
    taken_from: Source | UnsetType = UNSET


class IndianLeaderEntry(_Entry, frozen=True, kw_only=True, tag="indian-leader"):
    """The Indian Leader; `taken_card` is the Native Americans card handed over."""

    cards: tuple[str]
    outcome: Literal["success", "no-target"] | UnsetType = UNSET
    taken_card: str | UnsetType = UNSET
    taken_from: Source | UnsetType = UNSET


class MoneyEntry(_Entry, frozen=True, kw_only=True, tag="money"):
    """Money from one location card."""

    cards: tuple[str]
    amount: Money | UnsetType = UNSET


class MerchantEntry(_Entry, frozen=True, kw_only=True, tag="merchant"):
    """A merchant; cards: ship, then one or two with gold."""

    cards: TwoOrThree
    amount: Money | UnsetType = UNSET


class TraderEntry(_Entry, frozen=True, kw_only=True, tag="trader"):
    """The Trader; cards: the trader, then furs."""

    cards: TwoOrMore
    amount: Money | UnsetType = UNSET


class PiracyEntry(_Entry, frozen=True, kw_only=True, tag="piracy"):
    """Piracy; cards: Louisbourg, then the ship."""

    cards: tuple[str, str]
    amount: Money | UnsetType = UNSET
    from_opponent: Money | UnsetType = UNSET
    from_bank: Money | UnsetType = UNSET


class DraftEntry(_Entry, frozen=True, kw_only=True, tag="draft"):
    """An empire card bought."""

    card: str
    cost: Money | UnsetType = UNSET


class DiscardEntry(_Entry, frozen=True, kw_only=True, tag="discard"):
    """Hand cards discarded."""

    cards: Some
    cost: Money | UnsetType = UNSET


class ReserveEntry(_Entry, frozen=True, kw_only=True, tag="reserve"):
    """A card put into the reserve."""

    cards: tuple[str]


class RetrieveEntry(_Entry, frozen=True, kw_only=True, tag="retrieve"):
    """The whole reserve taken into hand."""

    cards: tuple[str, ...]
    cost: Money | UnsetType = UNSET
    free: bool = True


class GovernorEntry(_Entry, frozen=True, kw_only=True, tag="governor"):
    """The Governor; `removed` are the returned cards, `ceded` the locations given up (variant 14)."""

    cards: tuple[str]
    removed: OneOrTwo
    ceded: tuple[str, ...] | UnsetType = UNSET


class IntendantEntry(_Entry, frozen=True, kw_only=True, tag="intendant"):
    """The Intendant; `retrieved` comes from the discard pile."""

    cards: tuple[str]
    retrieved: str
    cost: Money | UnsetType = UNSET


class HomeSupportEntry(_Entry, frozen=True, kw_only=True, tag="home-support"):
    """Home Support; `drawn` in the order of the draw."""

    cards: tuple[str]
    drawn: tuple[str, ...]
    free: bool = True


class WithdrawEntry(_Entry, frozen=True, kw_only=True, tag="withdraw"):
    """A siege given up. As defender with what the opponent made of the place, as in `siege-win`.

    `named_card`: the card named to go back, where the game ended with the siege and so none went.
    """

    siege: Side
    target: str
    role: Role
    returned_card: str | None = None
    named_card: str | UnsetType = UNSET
    captured: PieceKind | UnsetType | None = UNSET
    settled: bool | UnsetType = UNSET
    settler_card: str | UnsetType | None = UNSET
    gained_card: str | UnsetType | None = UNSET
    free: bool = True


class PassEntry(_Entry, frozen=True, kw_only=True, tag="pass"):
    """An action not used."""


class SellFurEntry(_Entry, frozen=True, kw_only=True, tag="sell-fur"):
    """Variant 11: a fur card sold."""

    cards: tuple[str]
    amount: Money | UnsetType = UNSET
    free: bool = True


class DropEntry(_Entry, frozen=True, kw_only=True, tag="drop"):
    """Variant 17: the card of a location not controlled, discarded."""

    cards: tuple[str]
    free: bool = True


class SiegeWinEntry(_Entry, frozen=True, kw_only=True, tag="siege-win"):
    """The siege check at the start of the turn; `role` is the winner's, `siege` the attacker.

    `loser_returned_card` is his empire card that went back. For an attacker: the captured piece, whether the
    place was settled, with which card, and the location card gained. No `settled` yet: he has not answered.
    """

    siege: Side
    target: str
    role: Role
    loser_returned_card: str | None = None
    captured: PieceKind | UnsetType | None = UNSET
    settled: bool | UnsetType = UNSET
    settler_card: str | UnsetType | None = UNSET
    gained_card: str | UnsetType | None = UNSET


class ExchangeEntry(_Entry, frozen=True, kw_only=True, tag="exchange"):
    """Variant 5: after the siege check a card was discarded for a drawn one."""

    card: str
    drawn: tuple[str, ...]


class PenaltyEntry(_Entry, frozen=True, kw_only=True, tag="penalty"):
    """Variant 0: what a reshuffle of the refill cost, money or cards."""

    money: Money
    cards: tuple[str, ...] = ()


class RedealEntry(_Entry, frozen=True, kw_only=True, tag="redeal"):
    """A deck that the moderator's undo has shuffled anew, as shuffle `number` of the game.

    `after_refill`: while a question after the refill waited for its answer.
    """

    side: Side
    number: Money
    deck: tuple[str, ...]
    after_refill: bool = False


OpenEntry = (
    SettleEntry | DevelopEntry | FortifyEntry | BesiegeEntry | ReinforceEntry | LeaderEntry | RaidEntry
    | AmbushEntry | PriestEntry | IndianLeaderEntry | MoneyEntry | MerchantEntry | TraderEntry | PiracyEntry
    | DraftEntry | DiscardEntry | ReserveEntry | RetrieveEntry | GovernorEntry | IntendantEntry
    | WithdrawEntry | PassEntry | SellFurEntry | DropEntry | SiegeWinEntry | PenaltyEntry
)  # fmt: skip
"""Entries that anybody may read while the game runs."""

Entry = OpenEntry | HomeSupportEntry | ExchangeEntry | RedealEntry

EVENTS_ONLY = (SiegeWinEntry, ExchangeEntry, PenaltyEntry)
"""Entries that are no orders: they tell what the siege check did, and how questions were answered."""
