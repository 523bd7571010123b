"""What is done where neither an order nor a standing order says: a function of the position.

Source: rules/decisions.md, section 4.
"""

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Side, Siege, Source, State, other

SOURCE_ORDER: tuple[Source, ...] = ("reserve", "hand", "siege")


def blockers(side: Side, location: str | None) -> tuple[str, ...]:
    """The cards that may block, in the default order; `location` is the raided place, None for an ambush."""
    first = (facts.NATIVES, "native-americans")
    last = ("militia", "coureurs-de-bois") if side == "french" else ("rangers",)
    if location is None:
        return first + last
    return (*first, location, "neutral-fortification", "fortification", *last)


def strength(side: Side, card: str) -> int:
    """What a card that lies in a siege adds there (S8.6)."""
    symbols = facts.card(side, card).symbols
    return symbols.get("military") or 1


def side_cards(siege: Siege, attacker: Side, side: Side) -> tuple[str, ...]:
    """The cards of one side in a siege."""
    return siege.attacker_cards if side == attacker else siege.defender_cards


def empire_cards(state: State, attacker: Side, loser: Side) -> tuple[str, ...]:
    """The empire cards of a side in the siege of an attacker: what it may have to give back (S8.14)."""
    siege = state.sieges.of(attacker)
    if siege is None:
        return ()
    return tuple(card for card in side_cards(siege, attacker, loser) if card not in facts.LOCATIONS)


def default_loss(state: State, attacker: Side, loser: Side) -> str | None:
    """The card lost with a siege: lowest draft cost, then lowest strength, then id; None if there is none."""
    cards = empire_cards(state, attacker, loser)
    return min(cards, key=lambda card: (facts.card(loser, card).cost, strength(loser, card), card), default=None)


def attacker_at(state: State, location: str) -> Side | None:
    """The attacker of a besieged place."""
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege and siege.location == location:
            return attacker
    return None


def about_to_be_lost(state: State, loser: Side) -> tuple[Side, ...]:
    """The attackers of the sieges that the other side wins at its next siege check (S8.11)."""
    winner = other(loser)
    found = []
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege and (siege.strength >= 2 if winner == attacker else siege.strength <= -1):  # noqa: PLR2004 - S8.11
            found.append(attacker)
    return tuple(found)
