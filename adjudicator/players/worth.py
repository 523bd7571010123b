"""How good a position looks to the heuristic player in his own turn, in victory points."""

from functools import lru_cache
from math import tanh

from adjudicator.game import facts
from adjudicator.game.board import besieged, owned, raid_reach
from adjudicator.game.edition import Rules
from adjudicator.game.ending import CAPTURED_POINTS_END
from adjudicator.game.model import SIDES, Player, Side, State, other
from adjudicator.game.raids import RAIDERS
from adjudicator.game.scoring import score
from adjudicator.players.chances import attackers_chance, holds, swing
from adjudicator.players.values import (
    CARD_DRAG,
    CARD_VALUE,
    LOCATION_CARD_VALUE,
    NEXT_COPY,
    REACH,
    money_value,
)

WON = 1000.0
END = 30.0
"""What winning by points is worth when the end is there."""
SURE_LEAD = 5.0
HOPELESS = 0.3
"""A siege with less chance than this is a burden on the attacker."""
BURDEN = 4.0
RAID_RISK = 0.25
JUNK = 0.35
JUNK_VALUE = 0.25
READY = 0.07
RESERVED = 0.25
BLOCKS = 0.1
HELD = 0.3
"""What a card in hand costs by keeping a new one out."""
SPARE_STOCK = 3

BLOCKERS: dict[Side, frozenset[str]] = {
    side: frozenset(name for name, card in facts.CARDS[side].items() if card.blocks_raid) for side in SIDES
}


def worth(rules: Rules, state: State, side: Side) -> float:
    """The value of a position at the end, or in the midst, of the own turn of `side`."""
    if state.to_move is None:
        return 0.0  # who has won is said by the events; see `search.py`
    foe = other(side)
    me, them = state.players.of(side), state.players.of(foe)
    mine, theirs = owned(state, side), owned(state, foe)
    lead = score(state, side).total - score(state, foe).total
    value = lead + money_value(me.money) - 0.15 * min(them.money, 10)
    value += sum(REACH[side][place] for place in mine) - 0.7 * sum(REACH[foe][place] for place in theirs)
    value += cycle_value(side, me, mine) + _hand_value(side, me.hand, mine)
    value += _reserve_value(side, me.reserve, me.money)
    value += sum(_siege_value(rules, state, attacker, side) for attacker in SIDES)
    value -= raid_risk(state, side, mine)
    return value + end_value(state, side, lead)


def cycle_value(side: Side, me: Player, mine: frozenset[str]) -> float:
    """The value of the own cards, wherever they lie except in sieges."""
    return _cards_value(side, tuple(sorted(me.hand + me.deck + me.discard + me.reserve)), mine)


@lru_cache(maxsize=1 << 14)
def _cards_value(side: Side, cards: tuple[str, ...], mine: frozenset[str]) -> float:
    """The value of a set of cards; `cards` sorted."""
    value = -CARD_DRAG * len(cards)
    places = LOCATION_CARD_VALUE[side]
    last, share = "", 1.0
    for card in cards:
        if card in places:
            value += places[card] if card in mine else 0.0
            continue
        share = share * NEXT_COPY if card == last else 1.0
        value += share * CARD_VALUE[card]
        last = card
    return value


@lru_cache(maxsize=1 << 14)
def _hand_value(side: Side, hand: tuple[str, ...], mine: frozenset[str]) -> float:
    """What cards are worth in hand rather than in the discard pile: each keeps a new one out, junk is in the way."""
    value = -HELD * len(hand)
    places = LOCATION_CARD_VALUE[side]
    for card in hand:
        if card in places:
            value -= JUNK if card not in mine or places[card] <= JUNK_VALUE else 0.0
        else:
            value += READY * facts.CARDS[side][card].symbols.get("military", 0)
        if card in BLOCKERS[side]:
            value += BLOCKS
    return value


@lru_cache(maxsize=4096)
def _reserve_value(side: Side, reserve: tuple[str, ...], coins: int) -> float:
    """What cards are worth in the reserve: soldiers wait there for a siege, at one coin each."""
    soldiers = sum(facts.CARDS[side][card].symbols.get("military", 0) for card in reserve)
    value = RESERVED * soldiers - JUNK * sum(card in LOCATION_CARD_VALUE[side] for card in reserve)
    return value if coins >= len(reserve) else 0.5 * value


def _siege_value(rules: Rules, state: State, attacker: Side, side: Side) -> float:
    """What a siege is worth to `side`: the chance of the attacker, times what it is about."""
    siege = state.sieges.of(attacker)
    if siege is None:
        return 0.0
    chance = attackers_chance(rules, state, attacker, siege, side)
    if chance < HOPELESS:
        gain = -BURDEN * (HOPELESS - chance)
    else:
        gain = swing(state, attacker, siege.location) * (chance - HOPELESS) / (1 - HOPELESS)
    own = siege.attacker_cards if attacker == side else siege.defender_cards
    lent = 0.9 * sum(CARD_VALUE.get(card, 0.3) for card in own)
    return lent + (gain if attacker == side else -gain)


def raid_risk(state: State, side: Side, mine: frozenset[str]) -> float:
    """What raids may cost: the places in the opponent's reach, if he may have raiders and I cannot block."""
    foe = other(side)
    them = state.players.of(foe)
    likely = holds(them, RAIDERS) + (1.0 if any(card in RAIDERS for card in them.reserve) else 0.0)
    if not likely:
        return 0.0
    me = state.players.of(side)
    blockers = sum(card in BLOCKERS[side] for card in me.hand)
    reach = raid_reach(state, foe, owned(state, foe))
    safe = besieged(state)
    risk = 0.0
    for place in mine:
        if place not in safe and not state.board[place].fort and reach.get(place, 9) <= 2:  # noqa: PLR2004 - one card
            points = facts.LOCATIONS[place].points
            risk += 4 + points if state.board[place].piece == "town" else 2 + points
    return RAID_RISK * (1 + captured_share(them)) * min(likely, 1.0) * risk * 0.6**blockers


def end_value(state: State, side: Side, lead: int) -> float:
    """What the nearness of the points end is worth: much to who leads, the other way round to who is behind.

    Source: S15.4 (a siege holds the end up).
    """
    if state.sieges.british or state.sieges.french:
        return 0.0
    # A tie goes to the French (S15.6).
    margin = lead + (0.5 if side == "french" else -0.5)
    near = max(_nearness(state.players.of(one)) for one in SIDES)
    ending = _nearness(state.players.of(side)) >= 1.0
    # The opponent has one more turn after an end that I bring about.
    return END * near**4 * tanh((margin - (2.0 if ending else 0.0)) / SURE_LEAD) * (1.0 if ending else 0.4)


def _nearness(player: Player) -> float:
    """How near a side's points end is, from 0 (far) to 1 (there)."""
    least = min(player.stock.villages, player.stock.towns)
    return max(captured_share(player), 1.0 - min(least, SPARE_STOCK + 2) / (SPARE_STOCK + 2))


def captured_share(player: Player) -> float:
    """How much of what ends the game a side has captured, from 0 to 1."""
    return min(1.0, (2 * player.captured.villages + 4 * player.captured.towns) / CAPTURED_POINTS_END)
