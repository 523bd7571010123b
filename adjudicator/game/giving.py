"""What a victim has to hand over: to an ambush, a Priest, an Indian Leader (S10.3, S11)."""

from collections.abc import Iterator
from typing import Literal

from adjudicator.game import facts
from adjudicator.game.actions import Give, IndianLeader, Priest
from adjudicator.game.chance import Chance
from adjudicator.game.events import (
    CardLost,
    HandShown,
    NativeTaken,
    PriestPlayed,
)
from adjudicator.game.model import (
    SIDES,
    MustGive,
    Source,
    State,
    replace,
)
from adjudicator.game.sieges import moved, siege_at, strength_of
from adjudicator.game.table import (
    Step,
    Table,
    give_back,
    need_own,
    play,
    put,
    refuse,
    title,
    without,
)


def vulnerable(t: Table) -> list[Give]:
    """What an ambushed side may give: cards with the ambush symbol (S10.3; from a siege only by V3)."""
    known = facts.CARDS[t.side]
    sources: tuple[tuple[Source, tuple[str, ...]], ...] = (("hand", t.me.hand), ("reserve", t.me.reserve))
    gifts = [Give(card, source) for source, pile in sources for card in sorted(set(pile)) if known[card].vulnerable]
    if t.rules.ambush_takes_siege_cards:
        gifts += _vulnerable_in_sieges(t)
    return gifts


def _vulnerable_in_sieges(t: Table) -> list[Give]:
    known = facts.CARDS[t.side]
    gifts = []
    for attacker in SIDES:
        siege = t.state.sieges.of(attacker)
        if siege:
            cards = siege.attacker_cards if attacker == t.side else siege.defender_cards
            gifts += [Give(card, "siege", siege.location) for card in sorted(set(cards)) if known[card].vulnerable]
    return gifts


def natives_held(t: Table) -> list[Give]:
    """What a Priest or an Indian Leader may be given: a neutral Native Americans card (S11.1)."""
    piles: tuple[tuple[Source, tuple[str, ...]], ...] = (("hand", t.me.hand), ("reserve", t.me.reserve))
    return [Give(facts.NATIVES, source) for source, pile in piles if facts.NATIVES in pile]


def list_give(t: Table) -> list[Give]:
    """Every card that may be given."""
    question = t.state.question
    assert isinstance(question, MustGive)
    return vulnerable(t) if question.cause == "ambush" else natives_held(t)


def check_give(t: Table, action: Give) -> None:
    """Source: S10.3, S11.1."""
    question = t.state.question
    assert isinstance(question, MustGive)
    if action not in list_give(t):
        rule = "S10.3" if question.cause == "ambush" else "S11.1"
        refuse(rule, "{card} cannot be given from there.", card=title(t.side, action.card))


def do_give(t: Table, action: Give, _chance: Chance) -> Step:
    """Source: S10.3 (back to the owner's pile), S11.1 (to the taker's discard pile)."""
    question = t.state.question
    assert isinstance(question, MustGive)
    state = _taken_from(t, replace(t.state, question=None), action)
    if question.cause == "ambush":
        event = CardLost(t.side, action.card, action.source, action.target)
        return Step(give_back(state, t.side, action.card), (event,))
    taker = state.players.of(t.foe)
    state = put(state, t.foe, replace(taker, discard=(*taker.discard, action.card)))
    return Step(state, (NativeTaken(t.side, action.source),))


def _taken_from(t: Table, state: State, action: Give) -> State:
    """The state less the given card; out of a siege the marker moves back by its strength (A27b)."""
    if action.source == "hand":
        return put(state, t.side, replace(t.me, hand=without(t.me.hand, [action.card])))
    if action.source == "reserve":
        return put(state, t.side, replace(t.me, reserve=without(t.me.reserve, [action.card])))
    found = siege_at(state, action.target or "")
    assert found
    attacker, siege = found
    defends = attacker != t.side
    by = strength_of(t.rules, t.side, action.card, siege.location, defends=defends)
    marker = moved(t.rules, attacker, siege.strength, by if defends else -by)
    if defends:
        siege = replace(siege, strength=marker, defender_cards=without(siege.defender_cards, [action.card]))
    else:
        siege = replace(siege, strength=marker, attacker_cards=without(siege.attacker_cards, [action.card]))
    return replace(state, sieges=state.sieges.put(attacker, siege))


Taker = Literal["priest", "indian-leader"]
TAKERS: dict[type[Priest | IndianLeader], Taker] = {Priest: "priest", IndianLeader: "indian-leader"}


def check_taker(t: Table, action: Priest | IndianLeader) -> None:
    """Source: S11.1."""
    card = TAKERS[type(action)]
    if card not in facts.CARDS[t.side]:
        refuse("S11.1", "The {card} is a card of the other side.", card=title(t.foe, card))
    need_own(t, card, "S11.1")


def list_priest(t: Table) -> Iterator[Priest]:
    """The Priest, if in hand."""
    if TAKERS[Priest] in t.hand:
        yield Priest()


def list_indian_leader(t: Table) -> Iterator[IndianLeader]:
    """The Indian Leader, if in hand."""
    if TAKERS[IndianLeader] in t.hand:
        yield IndianLeader()


def do_taker(t: Table, action: Priest | IndianLeader, _chance: Chance) -> Step:
    """Source: S11.1, S11.2."""
    card = TAKERS[type(action)]
    state = play(t.state, t.side, (card,))
    played = PriestPlayed(t.side, card)
    victim = state.players.of(t.foe)
    if facts.NATIVES in victim.hand or facts.NATIVES in victim.reserve:
        return Step(replace(state, question=MustGive(t.foe, card)), (played,))
    return Step(state, (played, HandShown(t.foe, card, tuple(sorted(victim.hand)))))
