"""Sieges: beginning and reinforcing (S8.1 to S8.10)."""

from collections.abc import Iterator
from functools import cache

from adjudicator.game import facts
from adjudicator.game.actions import Besiege, Leader, Reinforce
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.events import Besieged, Reinforced
from adjudicator.game.expansion import FORTIFICATIONS, need_route, need_transport
from adjudicator.game.model import SIDES, Side, Siege, State, replace
from adjudicator.game.scoring import score
from adjudicator.game.table import (
    Step,
    Table,
    is_location,
    need_in_hand,
    need_money,
    need_own,
    need_playable,
    place,
    play,
    put,
    refuse,
    title,
    without,
)

ARTILLERY = "siege-artillery"
ARTILLERY_COST = 3
LEADER = "military-leader"
NATIVES = ("native-americans", "neutral-native-americans")
FIRST_SIEGE_POINTS = 25


def strength_of(rules: Rules, side: Side, card: str, location: str, *, defends: bool) -> int:
    """What a card adds to a siege of a location; 0 if it cannot be played there.

    Source: S8.6; V15.
    """
    return _strengths(side, rules.natives_fight, facts.LOCATIONS[location].ship, defends).get(card, 0)


@cache
def _strengths(side: Side, natives: bool, ships: bool, defends: bool) -> dict[str, int]:  # noqa: FBT001 - all by place
    """The strength of each card of a side that has one, where natives and ships fight or not."""
    found = {}
    for name, card in facts.CARDS[side].items():
        if name in FORTIFICATIONS:
            found[name] = int(defends)
        elif name in NATIVES:
            found[name] = int(natives)
        else:
            found[name] = card.symbols.get("military", int(ships and "ship" in card.symbols))
    return {name: strength for name, strength in found.items() if strength}


def fighters(t: Table, location: str, *, defends: bool) -> list[str]:
    """The playable cards that have strength in the siege of a location and can be paid."""
    strong = _strengths(t.side, t.rules.natives_fight, facts.LOCATIONS[location].ship, defends)
    return [card for card in t.playable if card in strong and siege_cost(card) <= t.me.money]


def siege_cost(card: str) -> int:
    """Money for playing a card into a siege (S8.6)."""
    return ARTILLERY_COST if card == ARTILLERY else 0


def start_strength(state: State, location: str) -> int:
    """The marker before the first strength card (S8.4)."""
    return -(1 + facts.LOCATIONS[location].defence + (2 if state.board[location].fort else 0))


def moved(rules: Rules, attacker: Side, strength: int, by: int) -> int:
    """The marker after a move; it stops at the ends of the track (S8.7)."""
    now = strength + by
    if not rules.track_capped:
        return now
    track = facts.TRACK[attacker]
    if by > 0:
        return max(strength, min(now, track.attacker_max))
    return min(strength, max(now, -track.defender_max))


def siege_at(state: State, location: str) -> tuple[Side, Siege] | None:
    """The attacker and the siege of a location, None if it is not besieged."""
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege and siege.location == location:
            return attacker, siege
    return None


def need_siege(t: Table, location: str, rule: str) -> tuple[Side, Siege]:
    """The siege of a location, or a refusal."""
    found = siege_at(t.state, location)
    if found is None:
        refuse(rule, "There is no siege of {target}.", target=place(location))
    return found


def need_strength(t: Table, card: str, location: str, rule: str, *, defends: bool) -> int:
    """What a usable card adds to the siege, or a refusal; its cost must be at hand."""
    need_playable(t, card)
    strength = strength_of(t.rules, t.side, card, location, defends=defends)
    if not strength:
        refuse(
            rule,
            "{card} has no strength in the siege of {target}.",
            card=title(t.side, card),
            target=place(location),
        )
    need_money(t, siege_cost(card), "S8.6", title(t.side, card) + " in a siege")
    return strength


def early_siege(t: Table) -> bool:
    """Whether the British may not besiege yet (V16)."""
    return (
        t.rules.no_early_british_siege
        and t.side == "british"
        and not t.state.french_have_besieged
        and not t.state.sieges.french
        and score(t.state, "british").total < FIRST_SIEGE_POINTS
    )


def check_besiege(t: Table, action: Besiege) -> None:
    """Source: S8.1."""
    target = action.target
    own = t.state.sieges.of(t.side)
    if own:
        refuse("S8.1", "You besiege {place} already: one siege at a time.", place=place(own.location))
    piece = t.state.board.get(target)
    if piece is None or piece.owner == t.side:
        refuse("S8.1", "{target} is not held by the enemy: it cannot be besieged.", target=place(target))
    if early_siege(t):
        refuse("V16", "The British may not besiege before the French have, or with fewer than 25 points.")
    need_in_hand(t, (action.origin, action.transport, action.strength))
    ways = need_route(t, action.origin, target, "S8.1")
    need_transport(t, action, ways, "S8.1")
    need_strength(t, action.strength, target, "S8.1", defends=False)


def list_besiege(t: Table) -> list[Besiege]:
    """Every legal besiege action."""
    if not t.routes or t.state.sieges.of(t.side) or early_siege(t):
        return []
    held, board = t.held, t.state.board
    found: list[Besiege] = []
    for origin, carriers, places in t.routes:
        for target in places:
            if target in board and target not in held:
                found += [
                    Besiege(target, origin, transport, card)
                    for card in fighters(t, target, defends=False)
                    if card != origin
                    for transport in carriers
                    if transport != origin and (transport != card or t.cards.count(card) > 1)
                ]
    return found


def do_besiege(t: Table, action: Besiege, _chance: Chance) -> Step:
    """Source: S8.2, S8.4."""
    cost = siege_cost(action.strength)
    state = play(t.state, t.side, (action.origin, action.transport), cost)
    me = state.players.of(t.side)
    state = put(state, t.side, replace(me, hand=without(me.hand, [action.strength])))
    by = strength_of(t.rules, t.side, action.strength, action.target, defends=False)
    marker = moved(t.rules, t.side, start_strength(state, action.target), by)
    siege = Siege(action.target, marker, (action.strength,), ())
    state = replace(state, sieges=state.sieges.put(t.side, siege))
    if t.rules.no_early_british_siege and t.side == "french":
        state = replace(state, french_have_besieged=True)
    cards = (action.origin, action.transport, action.strength)
    return Step(state, (Besieged(t.side, action.target, cards, cost, marker),))


def need_reach(t: Table, location: str, rule: str) -> None:
    """Refuse reinforcements for a siege that is out of supply (S8.8)."""
    if location not in t.supplied:
        refuse(rule, "{target} is out of supply for you.", target=place(location))


def check_reinforce(t: Table, action: Reinforce) -> None:
    """Source: S8.8."""
    attacker, _ = need_siege(t, action.target, "S8.8")
    need_in_hand(t, (action.card,))
    if action.card == LEADER:
        refuse(
            "S8.9",
            "The Military Leader joins a siege as a free action: leader {target}.",
            target=place(action.target),
        )
    need_reach(t, action.target, "S8.8")
    need_strength(t, action.card, action.target, "S8.6", defends=attacker != t.side)


def list_reinforce(t: Table) -> Iterator[Reinforce]:
    """Every legal reinforce action."""
    for attacker in SIDES:
        siege = t.state.sieges.of(attacker)
        if siege and siege.location in t.supplied:
            for card in fighters(t, siege.location, defends=attacker != t.side):
                if card != LEADER:
                    yield Reinforce(siege.location, card)


def do_reinforce(t: Table, action: Reinforce, _chance: Chance) -> Step:
    """Source: S8.5, S8.7, S8.8."""
    return _join(t, action.target, action.card)


def _join(t: Table, location: str, card: str) -> Step:
    """Lay a hand card into the siege of a location and move the marker."""
    attacker, siege = need_siege(t, location, "S8.8")
    defends = attacker != t.side
    by = strength_of(t.rules, t.side, card, location, defends=defends)
    marker = moved(t.rules, attacker, siege.strength, -by if defends else by)
    if defends:
        siege = replace(siege, strength=marker, defender_cards=(*siege.defender_cards, card))
    else:
        siege = replace(siege, strength=marker, attacker_cards=(*siege.attacker_cards, card))
    cost = siege_cost(card)
    me = replace(t.me, hand=without(t.me.hand, [card]), money=t.me.money - cost)
    state = replace(put(t.state, t.side, me), sieges=t.state.sieges.put(attacker, siege))
    return Step(state, (Reinforced(t.side, attacker, location, card, cost, marker),))


def check_leader(t: Table, action: Leader) -> None:
    """Source: S8.9."""
    need_siege(t, action.target, "S8.9")
    need_own(t, LEADER, "S8.9")
    if t.rules.leader_needs_supply:
        need_reach(t, action.target, "S8.9")


def list_leader(t: Table) -> Iterator[Leader]:
    """Every legal play of the Military Leader."""
    if LEADER in t.hand:
        for attacker in SIDES:
            siege = t.state.sieges.of(attacker)
            if siege and (siege.location in t.supplied or not t.rules.leader_needs_supply):
                yield Leader(siege.location)


def do_leader(t: Table, action: Leader, _chance: Chance) -> Step:
    """Source: S8.9."""
    return _join(t, action.target, LEADER)


def losable(siege: Siege, attacker: Side, loser: Side) -> tuple[str, ...]:
    """The different empire cards that the loser of a siege may give up, sorted (S8.14)."""
    cards = siege.attacker_cards if attacker == loser else siege.defender_cards
    return tuple(sorted({card for card in cards if not is_location(card)}))
