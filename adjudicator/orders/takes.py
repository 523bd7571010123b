"""Which cards an order word takes at all: what is offered in place of a misspelt, unclear or foreign name.

Only suggestions depend on it. What a name means never does, and whether an order is legal is the rules' business.
"""

from collections.abc import Callable
from functools import cache

from adjudicator.game import facts
from adjudicator.game.model import Side
from adjudicator.orders.names import CARD_NAMES, candidates

Takes = Callable[[str], bool]
"""Whether an order takes a card, given by the key of its name."""
_Fit = Callable[[facts.Card], bool]


def _any(_card: facts.Card) -> bool:
    return True


_FITS: dict[str, _Fit] = {
    **dict.fromkeys(("draft", "start with", "lose", "withdraw"), lambda card: card.location is None),
    **dict.fromkeys(("develop", "no place"), lambda card: "settlers" in card.symbols),
    "fortify": lambda card: card.name == "Fortification",
    "reinforce": lambda card: "military" in card.symbols or "ship" in card.symbols,
    "raid": lambda card: card.raids or card.extends_raid,
    "ambush": lambda card: card.ambushes,
    "block": lambda card: card.blocks_raid or card.blocks_ambush or card.location is not None,
    "give": lambda card: card.vulnerable or card.id == facts.NATIVES,
    "money": lambda card: "gold" in card.symbols,
    "merchant": lambda card: "ship" in card.symbols or "gold" in card.symbols,
    "trade": lambda card: "fur" in card.symbols,
    "sell": lambda card: "fur" in card.symbols,
    "piracy": lambda card: "ship" in card.symbols,
}  # fmt: skip
"""By order word; the others take any card that the side can have."""


def takes(word: str, side: Side) -> Takes:
    """What an order word takes in a side's mouth."""
    return _keys(word, side).__contains__


@cache
def offered(word: str, side: Side) -> tuple[str, ...]:
    """The printed names of the cards that an order word takes in a side's mouth, empire cards first."""
    keys = sorted(_keys(word, side), key=lambda key: (key in facts.LOCATIONS, CARD_NAMES.shown[key]))
    return tuple(CARD_NAMES.shown[key] for key in keys)


@cache
def _keys(word: str, side: Side) -> frozenset[str]:
    """The keys of the cards that a side can have and that an order word takes."""
    fit = _FITS.get(word, _any)
    return frozenset(
        card.location or card.name
        for card in facts.CARDS[side].values()
        if fit(card) and card.id in candidates(side, card.location or card.name)
    )
