"""What can be ordered or answered. Who does it is never part of it.

Cards are ids of `facts/cards.json`, places ids of `facts/board.json`. Where the order of several cards means
nothing they are listed sorted; an order keeps them as it names them, so that its text stays as it was written.
"""

from typing import Literal

import msgspec

from adjudicator.game.model import Source


class Settle(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Place a village, or take the card of an own place back (S7.1, S7.6)."""

    target: str
    origin: str
    transport: str
    settler: str | None = None


class Develop(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Replace a village by a town (S7.7)."""

    target: str
    settler: str


class Fortify(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Put a fortification disc on an own location (S7.8)."""

    target: str
    card: str


class Besiege(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Begin a siege (S8.1)."""

    target: str
    origin: str
    transport: str
    strength: str


class Reinforce(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Play a card to a siege (S8.8)."""

    target: str
    card: str


class Leader(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Play the Military Leader to a siege, free (S8.9)."""

    target: str


class Raid(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Raid an enemy location (S9.1). `cards` in any order."""

    target: str
    cards: tuple[str, ...]


class Ambush(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Ambush the opponent (S10.1)."""

    card: str


class Priest(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The French Priest takes a neutral Native Americans card (S11.1)."""


class IndianLeader(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The British Indian Leader takes a neutral Native Americans card (S11.1)."""


class TakeMoney(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Take the gold of one location card (S12.1)."""

    card: str


class Merchant(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A ship card and one or two gold cards (S12.2). `gold` in any order."""

    ship: str
    gold: tuple[str, ...]


class Trade(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The Trader with fur cards (S12.3). `furs` in any order."""

    furs: tuple[str, ...]


class Piracy(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Louisbourg and a ship card take British money (S12.4)."""

    ship: str


class Draft(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Buy an empire card (S13.1)."""

    card: str


class Discard(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Discard hand cards, the first one free (S13.2). `cards` in any order."""

    cards: tuple[str, ...]


class Reserve(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Put a hand card into the reserve (S13.3)."""

    card: str


class Retrieve(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Take the whole reserve into hand, free (S13.4)."""


class Govern(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The Governor returns one or two hand cards (S13.6). `cards` in any order."""

    cards: tuple[str, ...]


class Intendant(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The Intendant fetches a card from the own discard pile (S13.7)."""

    card: str


class HomeSupport(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Draw three cards, free (S13.8)."""


class Withdraw(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Give a siege up, free (S8.15). `loss` is the empire card that goes back, None if there is none."""

    target: str
    loss: str | None = None


class Pass(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Use an action up for nothing (S14.1)."""


class Done(msgspec.Struct, frozen=True, tag=True, gc=False):
    """End the turn; possible when no action is left (S3.1 step 4)."""


class SellFur(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 11: one fur location card for 1 money, free."""

    card: str


class Drop(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 17: discard the card of a location that one does not control, free."""

    card: str


class SettleWon(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: settle the place just won, with a settler card if one is needed (S8.12)."""

    settler: str | None = None


class NoSettle(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: leave the place just won neutral (S8.12)."""


class Lose(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: the empire card that goes back with the siege of `target` (S8.14)."""

    target: str
    card: str


class Block(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: block a raid or an ambush (S9.7, S10.2)."""

    card: str


class NoBlock(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: do not block."""


class Give(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Answer: the card for an ambush, a Priest or an Indian Leader (S10.3, S11.1).

    `target` names the siege if the source is a siege (variant 3).
    """

    card: str
    source: Source
    target: str | None = None


class Exchange(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 5, answer: discard this card and draw one."""

    card: str


class NoExchange(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 5, answer: keep the hand."""


class StartWith(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 13, answer: the card that joins the French deck."""

    card: str


class DiscardDrawn(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Variant 0, answer: the cards that pay for a reshuffle. `cards` in any order."""

    cards: tuple[str, ...]


Action = (
    Settle | Develop | Fortify | Besiege | Reinforce | Leader | Raid | Ambush | Priest | IndianLeader
    | TakeMoney | Merchant | Trade | Piracy | Draft | Discard | Reserve | Retrieve | Govern | Intendant
    | HomeSupport | Withdraw | Pass | Done | SellFur | Drop
    | SettleWon | NoSettle | Lose | Block | NoBlock | Give | Exchange | NoExchange | StartWith | DiscardDrawn
)  # fmt: skip

ANSWERS = (SettleWon, NoSettle, Lose, Block, NoBlock, Give, Exchange, NoExchange, StartWith, DiscardDrawn)
FREE = (Leader, Retrieve, HomeSupport, Withdraw, SellFur, Drop)
"""Free actions (S3.5) and those of the variants 11 and 17."""

Kind = Literal["action", "free", "answer", "end"]


def kind(action: Action) -> Kind:
    """What an action costs: an action, nothing, nothing as an answer, or the rest of the turn."""
    if isinstance(action, ANSWERS):
        return "answer"
    if isinstance(action, FREE):
        return "free"
    return "end" if isinstance(action, Done) else "action"
