"""Orders sent ahead: what they name, and what of it the other side has changed before their turn came.

Named are places (the order's own, and that of each location card which it uses), own cards wherever they lie, piles to
draft from, the reserve, and money by what costs any. What else the other side did changes nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Piece, Side, Siege, State
from adjudicator.orders.defaults import side_cards
from adjudicator.orders.names import Ranked, name, place
from adjudicator.orders.order import Order

_PLAYS: dict[str, Ranked] = {
    "priest": ("priest",), "indian leader": ("indian-leader",), "leader": ("military-leader",), "trade": ("trader",),
    "home support": ("home-support",), "govern": ("governor",), "intendant": ("intendant",),
    "piracy": ("louisbourg",), "fortify": ("fortification", "neutral-fortification"),
}  # fmt: skip
"""Cards that an order plays without naming them."""

_ONLY_MOVES = ("discard", "reserve", "govern", "intendant", "drop", "draft", "lose")
"""Orders that do not use the place of a location card."""

_COST = ("fortify", "retrieve", "intendant")
_NATIVES = "native-americans"
_ARTILLERY = "siege-artillery"


def changed(before: State, after: State, side: Side, orders: Sequence[Order]) -> list[tuple[Order, str]]:
    """What the orders name that is not as it was, each with its order, in words for `side`.

    `before` is the position after the side's last turn, its refill included, `after` the one in which its next turn
    begins: only the other side's turn, and the answers to it, lie between. A place has changed if its owner, its
    piece, its fort or its siege has (the cards in it included); a card if fewer lie in hand, reserve, discard pile or
    sieges; a pile if it holds fewer cards than before and fewer than the orders together draft from it; money if there
    is less. A name that may mean several cards stands for all of them.
    """
    wanted = Counter(order.cards[0] for order in orders if order.word == "draft")
    found: list[tuple[Order, str]] = []
    for order in orders:
        whats = [place(spot) for spot in places(order) if _spot(before, spot) != _spot(after, spot)]
        whats += [name(side, card) for card in cards(order) if _gone(card, before, after, side)]
        if order.word == "draft" and _scarce(order.cards[0], wanted[order.cards[0]], before, after, side):
            whats.append(f"{name(side, order.cards[0][-1])} to draft")  # the last is the neutral one
        if order.word == "retrieve" and before.players.of(side).reserve != after.players.of(side).reserve:
            whats.append("your reserve")
        if _costs(order) and after.players.of(side).money < before.players.of(side).money:
            whats.append("your money")
        found += [(order, what) for what in dict.fromkeys(whats)]
    return found


def places(order: Order) -> tuple[str, ...]:
    """The places that an order names: its own, and those whose cards it uses."""
    used = () if order.word in _ONLY_MOVES else (card for ranked in order.cards for card in ranked)
    own = (order.target,) if order.target else ()
    return tuple(dict.fromkeys((*own, *(card for card in used if card in facts.LOCATIONS))))


def cards(order: Order) -> tuple[str, ...]:
    """The own cards that an order names or plays; what it drafts is none of them."""
    named = () if order.word == "draft" else order.cards
    plays = () if order.word == "fortify" and order.cards else _PLAYS.get(order.word, ())
    known = facts.CARDS[order.side]
    return tuple(dict.fromkeys(card for ranked in (*named, plays) for card in ranked if card in known))


def _spot(state: State, location: str) -> tuple[Piece | None, tuple[tuple[Side, Siege], ...]]:
    """All that stands at a place, and the siege of it."""
    sieges = ((attacker, state.sieges.of(attacker)) for attacker in SIDES)
    here = tuple((attacker, siege) for attacker, siege in sieges if siege and siege.location == location)
    return state.board.get(location), here


def _zones(state: State, side: Side) -> Iterator[tuple[str, ...]]:
    """Where the own cards lie that can be named."""
    me = state.players.of(side)
    yield from (me.hand, me.reserve, me.discard)
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        yield side_cards(siege, attacker, side) if siege else ()


def _gone(card: str, before: State, after: State, side: Side) -> bool:
    """Whether fewer of a card lie somewhere than did."""
    zones = zip(_zones(before, side), _zones(after, side), strict=True)
    return any(now.count(card) < then.count(card) for then, now in zones)


def _scarce(ranked: Ranked, wanted: int, before: State, after: State, side: Side) -> bool:
    """Whether the other side has drafted cards that are now missing for what is wanted."""
    then, now = (
        sum(pile.get(card, 0) for pile in (state.available_empire.of(side), state.neutral_supply) for card in ranked)
        for state in (before, after)
    )
    return now < then and now < wanted


def _costs(order: Order) -> bool:
    """Whether an order may cost money (S7.8, S8.6, S9.2, S10.1, S13.1, S13.2, S13.4, S13.7)."""
    named = {card for ranked in order.cards for card in ranked}
    match order.word:
        case "draft":
            return any(card.cost for id_, card in facts.CARDS[order.side].items() if id_ in named)
        case "discard":
            return len(order.cards) > 1
        case "raid" | "ambush":
            return not named.isdisjoint((_NATIVES, facts.NATIVES))
        case "besiege" | "reinforce":
            return _ARTILLERY in named
        case _:
            return order.word in _COST
