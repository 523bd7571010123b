"""What one side has on the table at one moment: the questions that nearly every rule asks, answered once.

A `Table` is made once for each `apply` and each `legal_actions`; the rules check against it and list from it,
so that there is one source of what is legal.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NoReturn, get_args

import msgspec

from adjudicator.errors import IllegalAction
from adjudicator.game import board, facts
from adjudicator.game.edition import Rules
from adjudicator.game.events import Event
from adjudicator.game.facts import Card, Symbol
from adjudicator.game.model import Player, Side, State, other, replace


class Step(msgspec.Struct, frozen=True):
    """A state and what led to it from the one before."""

    state: State
    events: tuple[Event, ...] = ()


Showing = dict[Symbol, list[str]]
"""For every symbol the cards that show it, sorted."""

Route = tuple[str, list[str], tuple[str, ...]]
"""An origin card, the cards that carry from there (it may be among them, but cannot carry itself), the places."""


class Table(msgspec.Struct, frozen=True, eq=False):
    """A state seen from the side that decides; each table is like itself only.

    `cards` is his hand, sorted; `hand` holds the different cards of it; `playable` those of them that may be used:
    empire cards, and location cards of controlled, supplied, unbesieged places (S5.3); `symbols` which of these
    show what (S5.1); `routes` where they lead to, if a carrier is at hand (S4.3).
    """

    rules: Rules
    state: State
    side: Side
    me: Player
    foe: Side
    held: frozenset[str]
    supplied: frozenset[str]
    besieged: frozenset[str]
    cards: tuple[str, ...]
    hand: tuple[str, ...]
    playable: list[str]
    symbols: Showing
    routes: list[Route]


def _lists(card: Card) -> tuple[tuple[facts.Transport, tuple[str, ...]], ...]:
    """The places on the list of a location card by transport, sorted."""
    by_way = [
        (way, tuple(sorted(place for place, ways in card.destinations.items() if way in ways)))
        for way in get_args(facts.Transport)
    ]
    return tuple((way, places) for way, places in by_way if places)


_FACES = {
    side: {card.id: (card.location is not None, tuple(card.symbols), _lists(card)) for card in cards.values()}
    for side, cards in facts.CARDS.items()
}
"""What a table asks of each card: whether it is a location card, its symbols, where it leads to."""


def table(rules: Rules, state: State, side: Side) -> Table:
    """The table as it lies before one side."""
    me = state.players.of(side)
    besieged = board.besieged(state)
    land = board.ground(state.board, side, besieged)
    cards = tuple(sorted(me.hand))
    hand = cards if len(set(cards)) == len(cards) else tuple(dict.fromkeys(cards))
    use = _use(side, hand, land.usable)
    return Table(rules, state, side, me, other(side), land.held, land.supplied, besieged, cards, hand, *use)


def _use(side: Side, hand: tuple[str, ...], usable: frozenset[str]) -> tuple[list[str], Showing, list[Route]]:
    """What can be played of a hand, which of it shows what, and where it leads to."""
    playable: list[str] = []
    symbols: Showing = {
        "bateaux": [],
        "wagon": [],
        "ship": [],
        "fur": [],
        "settlers": [],
        "military": [],
        "gold": [],
    }
    leading = []
    faces = _FACES[side]
    for card in hand:
        location, shown, lists = faces[card]
        if location and card not in usable:
            continue
        playable.append(card)
        for symbol in shown:
            symbols[symbol].append(card)
        if lists:
            leading.append((card, lists))
    routes = [
        (origin, carriers, places)
        for origin, lists in leading
        for way, places in lists
        if (carriers := symbols[way]) and carriers != [origin]
    ]
    return playable, symbols, routes


def refuse(rule: str, template: str, **values: Any) -> NoReturn:  # noqa: ANN401 - whatever the sentence names
    """Refuse an action by a rule.

    Raises: IllegalAction, always.
    """
    raise IllegalAction(template, rule=rule, **values)


def place(location: str) -> str:
    """The printed name of a location; an unknown id as it stands."""
    known = facts.LOCATIONS.get(location)
    return known.name if known else location


def title(side: Side, card: str) -> str:
    """The name of a card as the order language writes it: "neutral Settlers", "start Infantry", "Militia"."""
    if card == facts.START_INFANTRY:
        return "start Infantry"
    known = facts.CARDS[side].get(card)
    if known is None:
        foreign = facts.CARDS[other(side)].get(card)
        return foreign.name if foreign else place(card)
    own = facts.EMPIRE_CARDS[side]
    twin = known.side == "neutral" and card.removeprefix("neutral-") in own
    return f"neutral {known.name}" if twin else known.name


def need_in_hand(t: Table, cards: Iterable[str], twice: str = "S5.2") -> None:
    """Refuse cards that are not in hand (S5.6), or one card for two purposes (S5.2).

    `twice` is the rule against naming a card more often than it is held, where all serve one purpose.
    """
    wanted = Counter(cards)
    held = Counter(t.me.hand)
    for card, number in wanted.items():
        have = held[card]
        if have == 0:
            refuse("S5.6", "{card} is not in your hand.", card=title(t.side, card))
        if have < number:
            refuse(twice, "{card} is named more often than you hold it: {have}.", card=title(t.side, card), have=have)


def need_own(t: Table, card: str, rule: str) -> None:
    """Refuse an action without the very card that it is called after."""
    if card not in t.hand:
        refuse(rule, "{card} is not in your hand.", card=title(t.side, card))


def need_playable(t: Table, card: str, rule: str = "S5.3") -> Card:
    """Refuse a location card whose place is lost, besieged or cut off.

    Source: S5.3.
    """
    name = place(card)
    if card in facts.LOCATIONS and card not in t.playable:
        if card not in t.held:
            refuse(rule, "The {place} card cannot be used: you do not control {place}.", place=name)
        if card in t.besieged:
            refuse(rule, "The {place} card cannot be used: {place} is besieged.", place=name)
        refuse(rule, "The {place} card cannot be used: {place} is out of supply.", place=name)
    return facts.CARDS[t.side][card]


def need_symbol(t: Table, card: str, symbol: Symbol, rule: str) -> None:
    """Refuse a card that cannot be used or does not show the symbol (S5.1)."""
    known = need_playable(t, card)
    if symbol not in known.symbols:
        if any(symbol in transports for transports in known.destinations.values()):
            rule = "S5.1"
        refuse(rule, "{card} does not show the {symbol} symbol.", card=title(t.side, card), symbol=symbol)


def need_money(t: Table, amount: int, rule: str, purpose: str) -> None:
    """Refuse what cannot be paid."""
    if t.me.money < amount:
        refuse(
            rule,
            "{purpose} costs {amount} money; you have {money}.",
            purpose=purpose,
            amount=amount,
            money=t.me.money,
        )


def is_location(card: str) -> bool:
    """Whether a card is a location card (S1.3)."""
    return card in facts.LOCATIONS


def without(pile: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    """A pile less some of its cards.

    Raises: ValueError if one is not there.
    """
    rest = list(pile)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def put(state: State, side: Side, player: Player) -> State:
    """The state with another value for one player."""
    return replace(state, players=state.players.put(side, player))


def play(state: State, side: Side, cards: tuple[str, ...], cost: int = 0) -> State:
    """Move hand cards to the top of the discard pile and pay (S3.6)."""
    me = state.players.of(side)
    return put(
        state,
        side,
        replace(me, hand=without(me.hand, cards), discard=me.discard + cards, money=me.money - cost),
    )


def give_back(state: State, side: Side, card: str) -> State:
    """Put a card that its owner gave up into his available pile, or the neutral display.

    Source: S8.14, S10.3, S13.6.
    """
    if is_location(card):
        piles = state.available_locations
        return replace(state, available_locations=piles.put(side, (*piles.of(side), card)))
    if facts.CARDS[side][card].side == "neutral":
        supply = state.neutral_supply
        return replace(state, neutral_supply={**supply, card: supply.get(card, 0) + 1})
    pile = state.available_empire.of(side)
    return replace(state, available_empire=state.available_empire.put(side, {**pile, card: pile.get(card, 0) + 1}))


def gain_location(state: State, side: Side, location: str) -> tuple[State, bool]:
    """Move the location card from the available pile to the discard pile if it lies there (S7.3)."""
    pile = state.available_locations.of(side)
    if location not in pile:
        return state, False
    me = state.players.of(side)
    state = replace(state, available_locations=state.available_locations.put(side, without(pile, [location])))
    return put(state, side, replace(me, discard=(*me.discard, location))), True


def lower(counts: dict[str, int], card: str) -> dict[str, int]:
    """Card counts with one card less; a card that is used up is left out."""
    number = counts[card] - 1
    if number:
        return {**counts, card: number}
    return {name: count for name, count in counts.items() if name != card}


def hands(cards: Sequence[str], most: int, least: int = 1) -> list[tuple[str, ...]]:
    """All different selections of `least` to `most` from a sorted multiset of cards, each sorted."""
    found: list[tuple[str, ...]] = []
    for size in range(least, most + 1):
        found += combinations(cards, size)
    return found if len(set(cards)) == len(cards) else list(dict.fromkeys(found))
