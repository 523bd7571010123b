"""From what an order says to an action in a position: which of the cards that a name may mean is at hand."""

from collections.abc import Callable, Iterable
from typing import NoReturn

import msgspec

from adjudicator.errors import IllegalAction
from adjudicator.game import actions as act
from adjudicator.game.actions import Action
from adjudicator.game.model import SIDES, MustDiscard, MustLose, Side, Source, State
from adjudicator.orders.defaults import (
    SOURCE_ORDER,
    about_to_be_lost,
    attacker_at,
    default_loss,
    empire_cards,
    side_cards,
)
from adjudicator.orders.names import Ranked
from adjudicator.orders.standing import Standing


class Meaning(msgspec.Struct, frozen=True):
    """An order of a side: word, place, cards (in the order of the canonical form), where a card is from."""

    side: Side
    word: str
    target: str | None
    cards: tuple[Ranked, ...]
    source: Source | None


def pick(zone: Iterable[str], wanted: tuple[Ranked, ...]) -> list[str]:
    """A card for each name: the first that it may mean and that is still in the zone, else the likeliest."""
    left = list(zone)
    picked = []
    for ranked in wanted:
        found = next((card for card in ranked if card in left), None)
        if found is None:
            found = ranked[0]
        else:
            left.remove(found)
        picked.append(found)
    return picked


def _hand(meaning: Meaning, state: State) -> list[str]:
    return pick(state.players.of(meaning.side).hand, meaning.cards)


def _place(meaning: Meaning) -> str:
    return meaning.target or ""


def _settle(meaning: Meaning, state: State, _standing: Standing) -> Action:
    cards = _hand(meaning, state)
    if meaning.target is None:
        return act.SettleWon(*cards)
    return act.Settle(meaning.target, *cards)


def _fortify(meaning: Meaning, state: State, _standing: Standing) -> Action:
    asked = meaning.cards or (("fortification", "neutral-fortification"),)
    return act.Fortify(_place(meaning), pick(state.players.of(meaning.side).hand, asked)[0])


def _merchant(meaning: Meaning, state: State, _standing: Standing) -> Action:
    ship, *gold = _hand(meaning, state)
    return act.Merchant(ship, tuple(gold))


def _piracy(meaning: Meaning, state: State, _standing: Standing) -> Action:
    cards = _hand(meaning, state)
    # Louisbourg takes part in every piracy: naming it beside the ship card changes nothing.
    ships = [card for card in cards if card != "louisbourg"] if len(cards) > 1 else cards
    return act.Piracy(ships[0])


def _supply(meaning: Meaning, state: State) -> list[str]:
    """The one card out of what can be drafted."""
    drawn = {**state.available_empire.of(meaning.side), **state.neutral_supply}
    return pick([card for card, count in drawn.items() if count > 0], meaning.cards)


def _discard(meaning: Meaning, state: State, _standing: Standing) -> Action:
    cards = tuple(_hand(meaning, state))
    asked = isinstance(state.question, MustDiscard) and state.question.to == meaning.side
    return act.DiscardDrawn(cards) if asked else act.Discard(cards)


def loss(state: State, attacker: Side, loser: Side, standing: Standing) -> str | None:
    """The card lost with a siege: the first listed by `on siege lost` that lies there, else the default."""
    cards = empire_cards(state, attacker, loser)
    for ranked in standing.siege_lost.cards if standing.siege_lost else ():
        for card in ranked:
            if card in cards:
                return card
    return default_loss(state, attacker, loser)


def _withdraw(meaning: Meaning, state: State, standing: Standing) -> Action:
    target = _place(meaning)
    attacker = attacker_at(state, target)
    if meaning.cards:
        lying = empire_cards(state, attacker, meaning.side) if attacker else ()
        return act.Withdraw(target, pick(lying, meaning.cards)[0])
    return act.Withdraw(target, loss(state, attacker, meaning.side, standing) if attacker else None)


def _no_siege() -> NoReturn:
    raise IllegalAction("No siege is being lost: no card goes back.", rule="S8.14")


def _siege_to_lose(meaning: Meaning, state: State) -> Side:
    """The attacker of the siege that a bare `lose CARD` is about."""
    asked = state.question
    if isinstance(asked, MustLose) and asked.to == meaning.side:
        return asked.siege
    running = [side for side in SIDES if state.sieges.of(side)]
    if not running:
        _no_siege()
    meant = list(about_to_be_lost(state, meaning.side)) or running
    for attacker in meant:
        if set(meaning.cards[0]) & set(empire_cards(state, attacker, meaning.side)):
            return attacker
    return meant[0]


def _lose(meaning: Meaning, state: State, _standing: Standing) -> Action:
    attacker = attacker_at(state, meaning.target) if meaning.target else _siege_to_lose(meaning, state)
    if attacker is None:
        return act.Lose(_place(meaning), meaning.cards[0][0])
    siege = state.sieges.of(attacker)
    if siege is None:
        _no_siege()
    lying = empire_cards(state, attacker, meaning.side)
    return act.Lose(siege.location, pick(lying, meaning.cards)[0])


def _lying(meaning: Meaning, state: State, source: Source) -> list[tuple[str, str | None]]:
    """The cards that can be given from somewhere, each with the place of its siege."""
    me = state.players.of(meaning.side)
    if source != "siege":
        return [(card, None) for card in (me.hand if source == "hand" else me.reserve)]
    found: list[tuple[str, str | None]] = []
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege and meaning.target in (None, siege.location):
            found += [(card, siege.location) for card in side_cards(siege, attacker, meaning.side)]
    return found


def _give(meaning: Meaning, state: State, _standing: Standing) -> Action:
    sources = (meaning.source,) if meaning.source else SOURCE_ORDER
    for card in meaning.cards[0]:
        for source in sources:
            for lying, location in _lying(meaning, state, source):
                if lying == card:
                    return act.Give(card, source, location)
    return act.Give(meaning.cards[0][0], sources[0], meaning.target)


Build = Callable[[Meaning, State, Standing], Action]

_BUILD: dict[str, Build] = {
    "settle": _settle,
    "develop": lambda m, s, _: act.Develop(_place(m), *_hand(m, s)),
    "fortify": _fortify,
    "besiege": lambda m, s, _: act.Besiege(_place(m), *_hand(m, s)),
    "reinforce": lambda m, s, _: act.Reinforce(_place(m), *_hand(m, s)),
    "leader": lambda m, _s, _: act.Leader(_place(m)),
    "raid": lambda m, s, _: act.Raid(_place(m), tuple(_hand(m, s))),
    "ambush": lambda m, s, _: act.Ambush(*_hand(m, s)),
    "priest": lambda _m, _s, _: act.Priest(),
    "indian leader": lambda _m, _s, _: act.IndianLeader(),
    "money": lambda m, s, _: act.TakeMoney(*_hand(m, s)),
    "merchant": _merchant,
    "trade": lambda m, s, _: act.Trade(tuple(_hand(m, s))),
    "piracy": _piracy,
    "draft": lambda m, s, _: act.Draft(*_supply(m, s)),
    "discard": _discard,
    "reserve": lambda m, s, _: act.Reserve(*_hand(m, s)),
    "retrieve": lambda _m, _s, _: act.Retrieve(),
    "govern": lambda m, s, _: act.Govern(tuple(_hand(m, s))),
    "intendant": lambda m, s, _: act.Intendant(*pick(s.players.of(m.side).discard, m.cards)),
    "home support": lambda _m, _s, _: act.HomeSupport(),
    "withdraw": _withdraw,
    "pass": lambda _m, _s, _: act.Pass(),
    "done": lambda _m, _s, _: act.Done(),
    "no settle": lambda _m, _s, _: act.NoSettle(),
    "lose": _lose,
    "block": lambda m, s, _: act.Block(*_hand(m, s)),
    "no block": lambda _m, _s, _: act.NoBlock(),
    "give": _give,
    "exchange": lambda m, s, _: act.Exchange(*_hand(m, s)),
    "no exchange": lambda _m, _s, _: act.NoExchange(),
    "sell": lambda m, s, _: act.SellFur(*_hand(m, s)),
    "drop": lambda m, s, _: act.Drop(*_hand(m, s)),
    "start with": lambda m, s, _: act.StartWith(*_supply(m, s)),
}


def action_of(meaning: Meaning, state: State, standing: Standing) -> Action:
    """The action that an order is in a position.

    Raises: IllegalAction if an answer about a siege can belong to none; ValueError if the word is no game
    order.
    """
    build = _BUILD.get(meaning.word)
    if build is None:
        raise ValueError(f"“{meaning.word}” is no action")
    return build(meaning, state, standing)
