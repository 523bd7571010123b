"""Raids and ambushes, and how they are blocked (S9, S10)."""

from collections.abc import Iterator
from typing import NoReturn

from adjudicator.game import facts
from adjudicator.game.actions import Ambush, Block, NoBlock, Raid
from adjudicator.game.board import RAID_LINES, raid_distances, raid_reach, raidable
from adjudicator.game.chance import Chance
from adjudicator.game.events import (
    AmbushBegun,
    AmbushBlocked,
    Event,
    HandShown,
    RaidBegun,
    RaidBlocked,
    Raided,
)
from adjudicator.game.giving import vulnerable
from adjudicator.game.model import (
    MayBlock,
    MustGive,
    Piece,
    Pieces,
    Side,
    State,
    other,
    replace,
)
from adjudicator.game.siege_end import add_captured, capture
from adjudicator.game.sieges import NATIVES
from adjudicator.game.table import (
    Step,
    Table,
    hands,
    need_in_hand,
    need_money,
    place,
    play,
    put,
    refuse,
    title,
)

NATIVES_COST = 1
RAIDERS = frozenset(name for cards in facts.CARDS.values() for name, card in cards.items() if card.raids)
FAQ_TARGET = "tadoussac"
FAQ_ROUTE = frozenset({"oswego", "montreal"})
"""The places of S9.11 that no raid reaches, and that are not next to each other."""
AMBUSHERS = frozenset(name for cards in facts.CARDS.values() for name, card in cards.items() if card.ambushes)


def natives_cost(t: Table, cards: tuple[str, ...], *, raid: bool) -> int:
    """Money for the Native Americans among the cards (S9.2, S10.1)."""
    number = sum([card in NATIVES for card in cards])
    if raid and number and t.rules.first_native_free:
        number -= 1
    return NATIVES_COST * number


def check_raid(t: Table, action: Raid) -> None:
    """Source: S9.1 to S9.6."""
    known = facts.CARDS[t.side]
    for card in action.cards:
        if card not in known or not known[card].extends_raid:
            refuse("S9.1", "{card} is no card for a raid.", card=title(t.side, card))
    if not any(known[card].raids for card in action.cards):
        refuse("S9.1", "A Priest or an Indian Leader cannot raid alone.")
    need_in_hand(t, action.cards, twice="S5.6")
    _need_target(t, action)
    need_money(t, natives_cost(t, action.cards, raid=True), "S9.2", "Native Americans in a raid")


def _need_target(t: Table, action: Raid) -> None:
    """Refuse a target that cannot be raided, or not from so far (S9.3 to S9.5)."""
    target = action.target
    name = place(target)
    piece = t.state.board.get(target)
    if piece is None or piece.owner == t.side:
        refuse("S9.3", "{target} is not held by the enemy: it cannot be raided.", target=name)
    if piece.fort:
        refuse("S9.3", "{target} is fortified: it cannot be raided.", target=name)
    if target in t.besieged:
        refuse("S9.3", "{target} is besieged: it cannot be raided.", target=name)
    reach = len(action.cards) + t.rules.raid_reach_bonus
    distance = raid_reach(t.state, t.side, t.held).get(target)
    if distance is None or distance > reach:
        _refuse_way(t, target, distance, reach)


def _refuse_way(t: Table, target: str, distance: int | None, reach: int) -> NoReturn:
    """Say why a raid of this reach does not get to a target (S4.2, S9.4, S9.5, S9.11)."""
    name = place(target)
    starts = t.held - t.besieged
    if not RAID_LINES[target]:
        rule = "S9.11" if target == FAQ_TARGET else "S9.5"
        refuse(rule, "No river, lake, road or trail leads to {target}: it cannot be raided.", target=name)
    if raid_distances(starts, frozenset()).get(target, reach + 1) <= reach:
        refuse("S9.5", "The way to {target} is closed by a fortification or a siege.", target=name)
    if (distance, reach) == (2, 1) and FAQ_ROUTE - starts == {target}:
        refuse("S9.11", "Oswego and Montreal are two connections apart; this raid reaches one.")
    if t.rules.short_raids and distance == reach + 1:
        refuse("V24", "{target} is one connection too far (variant 24).", target=name)
    known = facts.LOCATION_CARDS[t.side]
    # The sea explains it only where the raider stands across the water, not where another place of his is nearer.
    ports = [start for start in starts if start in known and "ship" in known[start].destinations.get(target, ())]
    if any(distance in (None, raid_distances(frozenset((port,)), frozenset()).get(target)) for port in ports):
        refuse("S4.2", "{target} is too far for this raid: the sea is never used to raid.", target=name)
    if distance is None:
        refuse("S9.5", "No raid can get to {target}: every way is closed.", target=name)
    refuse(
        "S9.4",
        "{target} is {distance} connections away; this raid reaches {reach}.",
        target=name,
        distance=distance,
        reach=reach,
    )


def list_raid(t: Table) -> list[Raid]:
    """Every legal raid."""
    known, money, bonus = facts.CARDS[t.side], t.me.money, t.rules.raid_reach_bonus
    raiders = [card for card in t.cards if known[card].extends_raid]
    rich = money >= NATIVES_COST * len(raiders)
    bands = [
        cards
        for cards in hands(raiders, len(raiders))
        if not RAIDERS.isdisjoint(cards) and (rich or natives_cost(t, cards, raid=True) <= money)
    ]
    if not bands:
        return []
    near = raidable(t.state.board, t.side, t.besieged)
    return [Raid(target, cards) for cards in bands for target, distance in near if distance <= len(cards) + bonus]


def do_raid(t: Table, action: Raid, _chance: Chance) -> Step:
    """Declare, play and pay; the victim is asked whether he blocks (S9.7)."""
    cost = natives_cost(t, action.cards, raid=True)
    state = play(t.state, t.side, action.cards, cost)
    state = replace(state, question=MayBlock(t.foe, "raid", action.target))
    return Step(state, (RaidBegun(t.side, action.target, action.cards, cost),))


def check_ambush(t: Table, action: Ambush) -> None:
    """Source: S10.1."""
    known = facts.CARDS[t.side].get(action.card)
    if known is None or not known.ambushes:
        refuse("S10.1", "{card} cannot ambush.", card=title(t.side, action.card))
    need_in_hand(t, (action.card,))
    need_money(t, natives_cost(t, (action.card,), raid=False), "S10.1", "Native Americans in an ambush")


def list_ambush(t: Table) -> Iterator[Ambush]:
    """Every legal ambush."""
    known = facts.CARDS[t.side]
    for card in t.hand:
        if known[card].ambushes and natives_cost(t, (card,), raid=False) <= t.me.money:
            yield Ambush(card)


def do_ambush(t: Table, action: Ambush, _chance: Chance) -> Step:
    """Declare, play and pay; the victim is asked whether he blocks (S10.2)."""
    cost = natives_cost(t, (action.card,), raid=False)
    state = play(t.state, t.side, (action.card,), cost)
    state = replace(state, question=MayBlock(t.foe, "ambush"))
    return Step(state, (AmbushBegun(t.side, action.card, cost),))


def blockers(t: Table, question: MayBlock) -> list[str]:
    """The hand cards with which the victim may block, sorted.

    Source: S9.7 (the usable card of the raided place too), S10.2.
    """
    known = facts.CARDS[t.side]
    if question.attack == "ambush":
        return [card for card in t.hand if known[card].blocks_ambush]
    return [card for card in t.playable if known[card].blocks_raid or card == question.location]


def check_block(t: Table, action: Block) -> None:
    """Source: S9.7, S10.2."""
    question = t.state.question
    assert isinstance(question, MayBlock)
    rule = "S9.7" if question.attack == "raid" else "S10.2"
    if action.card not in t.me.hand:
        refuse(rule, "{card} is not in your hand; a block comes from hand only.", card=title(t.side, action.card))
    if action.card == question.location:
        if action.card not in t.playable:
            refuse("S9.7", "The {place} card cannot be used: it cannot block.", place=place(action.card))
    elif action.card not in blockers(t, question):
        refuse(rule, "{card} cannot block this.", card=title(t.side, action.card))


def list_block(t: Table) -> Iterator[Block]:
    """Every card that may block the attack."""
    question = t.state.question
    assert isinstance(question, MayBlock)
    return map(Block, blockers(t, question))


def do_block(t: Table, action: Block, _chance: Chance) -> Step:
    """Source: S9.8, S10.2; V8 and V9 give the action back."""
    question = t.state.question
    assert isinstance(question, MayBlock)
    state = play(replace(t.state, question=None), t.side, (action.card,))
    raid = question.attack == "raid"
    if (t.rules.free_blocked_raid if raid else t.rules.free_blocked_ambush) and state.open:
        state = replace(state, open=replace(state.open, actions_left=state.open.actions_left + 1))
    event: Event = AmbushBlocked(t.side, action.card)
    if raid:
        event = RaidBlocked(t.side, question.location or "", action.card)
    return Step(state, (event,))


def do_no_block(t: Table, _action: NoBlock, _chance: Chance) -> Step:
    """The attack goes through (S9.9, S10.3, S10.4)."""
    question = t.state.question
    assert isinstance(question, MayBlock)
    state = replace(t.state, question=None)
    if question.location is not None:
        return _raided(state, t.foe, question.location)
    if vulnerable(t):
        return Step(replace(state, question=MustGive(t.side, "ambush")))
    return Step(state, (HandShown(t.side, "ambush", tuple(sorted(t.me.hand))),))


def _raided(state: State, raider: Side, location: str) -> Step:
    """Capture the piece; a town is replaced by a village if the owner has one (S9.9)."""
    piece = state.board[location]
    victim = other(raider)
    owner = state.players.of(victim)
    replaced = piece.piece == "town" and owner.stock.villages > 0
    if replaced:
        stock = Pieces(owner.stock.villages - 1, owner.stock.towns)
        state = put(state, victim, replace(owner, stock=stock))
        state = replace(state, board={**state.board, location: Piece(victim, "village", piece.fort)})
        state = add_captured(state, raider, "town")
    else:
        state = capture(state, raider, location)
    return Step(state, (Raided(raider, location, piece.piece, replaced),))
