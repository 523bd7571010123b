"""What things are worth to the heuristic player, in victory points; settled by experience, not by any rule."""

from functools import lru_cache

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Side, other

CARD_VALUE: dict[str, float] = {
    "regular-infantry": 3.1,
    "regular-infantry-start": 2.5,
    "siege-artillery": 3.5,
    "military-leader": 2.3,
    "militia": 1.1,
    "rangers": 2.3,
    "coureurs-de-bois": 2.3,
    "native-americans": 1.2,
    "neutral-native-americans": 0.9,
    "home-support": 3.0,
    "governor": 1.1,
    "intendant": 0.5,
    "trader": 0.6,
    "ships": 1.0,
    "settlers": 2.2,
    "neutral-settlers": 2.7,
    "fortification": 0.3,
    "neutral-fortification": 0.3,
    "priest": 0.2,
    "indian-leader": 0.2,
    "bateaux": 0.3,
}
"""An empire card in the own cycle of hand, deck and discard pile; the first copy of it."""

NEXT_COPY = 0.85
"""Each further copy is worth this share of the one before."""

SYMBOL_VALUE: dict[facts.Symbol, float] = {
    "gold": 0.25,
    "ship": 0.35,
    "settlers": 0.9,
    "military": 0.5,
    "fur": 0.2,
    "bateaux": 0.25,
    "wagon": 0.1,
}
DESTINATION_VALUE = 0.05
CARD_DRAG = 0.35
"""What any card costs by coming up in the place of a better one."""

MONEY_STEPS: tuple[tuple[int, float], ...] = ((7, 0.36), (7, 0.2), (10, 0.07))
"""So many coins are worth so much each, then the next ones; beyond them a coin is worth MORE_MONEY."""
MORE_MONEY = 0.01

CAPITAL_REACH = 4.0
SETTLED_REACH = 0.2
EMPTY_REACH = 0.06
ONE_STEP = 0.5
"""A way to something is worth half of it for each step on the way."""


@lru_cache(maxsize=256)
def money_value(coins: int) -> float:
    """The value of a treasury: the first coins count most."""
    value, left = 0.0, coins
    for width, each in MONEY_STEPS:
        value += min(left, width) * each
        left -= min(left, width)
    return value + left * MORE_MONEY


def location_card_value(side: Side, place: str) -> float:
    """What a location card is worth in the cycle as long as it can be used."""
    card = facts.LOCATION_CARDS[side][place]
    symbols = sum(SYMBOL_VALUE[symbol] * number for symbol, number in card.symbols.items())
    return symbols + DESTINATION_VALUE * len(card.destinations)


LOCATION_CARD_VALUE: dict[Side, dict[str, float]] = {
    side: {place: location_card_value(side, place) for place in facts.LOCATION_CARDS[side]} for side in SIDES
}


def _reach(side: Side) -> dict[str, float]:
    """The value of controlling each place for what its card leads to, over any number of steps."""
    capitals = facts.CAPITALS[other(side)]
    value = dict.fromkeys(facts.LOCATIONS, 0.0)
    for _ in range(len(facts.LOCATIONS)):
        value = {place: _reach_from(side, place, value, capitals) for place in facts.LOCATIONS}
    return value


def _reach_from(side: Side, place: str, value: dict[str, float], capitals: tuple[str, ...]) -> float:
    card = facts.LOCATION_CARDS[side].get(place)
    ways = [end for end in card.destinations if facts.LOCATIONS[end].owner != side] if card else []
    if not ways:
        return 0.0
    near = 0.0
    for end in ways:
        location = facts.LOCATIONS[end]
        near += location.points * (SETTLED_REACH if location.owner else EMPTY_REACH)
    if any(end in capitals for end in ways):
        near += CAPITAL_REACH
    return ONE_STEP * (near + max(value[end] for end in ways))


REACH: dict[Side, dict[str, float]] = {side: _reach(side) for side in SIDES}
"""What a place is worth to a side beyond its points."""
