"""How likely the hidden part of a position allows something: the opponent's cards are known, their places are not."""

from collections.abc import Iterable
from functools import lru_cache
from math import comb, exp

from adjudicator.game import facts
from adjudicator.game.edition import Rules
from adjudicator.game.model import Player, Side, Siege, State, other
from adjudicator.game.sieges import strength_of

LATER = 0.3
"""What a strength in the deck or the discard pile counts, against one at hand."""
AT_HAND = 0.8
"""What a strength at hand counts, against one that lies in the siege."""
MOST_AT_HAND = 4.0
NOISE = 2.2
UNDECIDED = 0.5
"""The marker half-way between what the attacker needs and what the defender needs."""


@lru_cache(maxsize=4096)
def at_least_one(good: int, pool: int, drawn: int) -> float:
    """How likely one of `good` cards is among `drawn` out of `pool`."""
    if drawn <= 0 or good <= 0:
        return 0.0
    return 1.0 - comb(pool - good, drawn) / comb(pool, drawn)


def holds(player: Player, wanted: Iterable[str]) -> float:
    """How likely an opponent has one of the cards in hand, as seen from the other side."""
    kinds = set(wanted)
    good = sum(card in kinds for card in player.hand) + sum(card in kinds for card in player.deck)
    size = len(player.hand)
    return at_least_one(good, size + len(player.deck), size)


def strengths(rules: Rules, side: Side, cards: Iterable[str], location: str, *, defends: bool) -> float:
    """The strength that cards have together in a siege; location cards are mostly needed elsewhere."""
    return sum(_strength(rules, side, card, location, defends) for card in cards)


@lru_cache(maxsize=8192)
def _strength(rules: Rules, side: Side, card: str, location: str, defends: bool) -> float:  # noqa: FBT001 - a key
    if card == location:
        return 0.0  # it cannot be used while its place is besieged (S5.3)
    return strength_of(rules, side, card, location, defends=defends) * (0.5 if card in facts.LOCATIONS else 1.0)


def army(rules: Rules, state: State, side: Side, siege: tuple[str, bool], *, seen: bool) -> tuple[float, float]:
    """The strength that a side can bring to a siege (its place, and whether the side defends): soon, and later.

    If the hand is not seen each card of hand and deck is in hand with the same chance.
    """
    player = state.players.of(side)
    location, defends = siege

    def total(cards: tuple[str, ...]) -> float:
        return strengths(rules, side, cards, location, defends=defends)

    hand, deck = total(player.hand), total(player.deck)
    if not seen:
        share = len(player.hand) / max(1, len(player.hand) + len(player.deck))
        hand, deck = (hand + deck) * share, (hand + deck) * (1 - share)
    soon = AT_HAND * (hand + (total(player.reserve) if player.money >= len(player.reserve) else 0.0))
    return min(soon, MOST_AT_HAND), deck + total(player.discard)


def attackers_chance(rules: Rules, state: State, attacker: Side, siege: Siege, me: Side) -> float:
    """How likely a siege ends with the attacker's victory, as `me` sees it in his own turn.

    Source: S8.11 for what decides at once: who is ahead at the end of the other's turn wins.
    """
    foe = other(me)
    attacking = attacker == me
    mine_soon, mine_later = army(rules, state, me, (siege.location, not attacking), seen=True)
    foe_soon, foe_later = army(rules, state, foe, (siege.location, attacking), seen=False)
    left = state.open.actions_left if state.open else 0
    sign = 1 if attacking else -1
    # Only what can still be played this turn counts against a decision at its end.
    held = siege.strength + sign * (mine_soon if left else 0.0)
    if attacking and held <= -1:
        return 0.0
    if not attacking and held >= 2:  # noqa: PLR2004 - S8.11
        return 1.0
    ahead = siege.strength + sign * (mine_soon - foe_soon + LATER * (mine_later - foe_later))
    return 1.0 / (1.0 + exp((UNDECIDED - ahead) / NOISE))


def swing(state: State, attacker: Side, location: str) -> float:
    """What a siege is about, in points: the place, the captured piece, and what the place leads to."""
    if location in facts.CAPITALS[other(attacker)]:
        return 45.0
    points = facts.LOCATIONS[location].points
    town = state.board[location].piece == "town"
    return points * (2 if town else 1) + (4 if town else 2) + 0.7 * points + 0.5
