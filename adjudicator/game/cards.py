"""Card management: draft, discard, reserve, retrieve, Governor, Intendant, Home Support (S13)."""

from collections.abc import Iterator

from adjudicator.game import facts
from adjudicator.game.actions import (
    Discard,
    Draft,
    Drop,
    Govern,
    HomeSupport,
    Intendant,
    Pass,
    Reserve,
    Retrieve,
)
from adjudicator.game.chance import Chance
from adjudicator.game.draw import draw
from adjudicator.game.events import (
    Discarded,
    Drafted,
    Dropped,
    Fetched,
    Governed,
    HomeSupported,
    Passed,
    Reserved,
    Retrieved,
)
from adjudicator.game.model import Pieces, Side, State, replace
from adjudicator.game.setup import in_game
from adjudicator.game.table import (
    Step,
    Table,
    give_back,
    hands,
    is_location,
    lower,
    need_in_hand,
    need_money,
    need_own,
    place,
    play,
    put,
    refuse,
    title,
    without,
)

GOVERNOR = "governor"
INTENDANT = "intendant"
INTENDANT_COST = 2
HOME_SUPPORT = "home-support"
HOME_SUPPORT_CARDS = 3
RESERVE_LIMIT = 5
GOVERNED = (1, 2)


def on_offer(t: Table) -> dict[str, int]:
    """The cards that may be drafted, with how many there are (S13.1)."""
    return {**t.state.available_empire.of(t.side), **t.state.neutral_supply}


def check_draft(t: Table, action: Draft) -> None:
    """Source: S13.1."""
    name = title(t.side, action.card)
    if is_location(action.card):
        refuse("S13.1", "{card} is a location card: only empire cards can be drafted.", card=name)
    if not on_offer(t).get(action.card):
        known = facts.CARDS[t.side].get(action.card)
        if known and not in_game(t.rules, known):
            rule = "V19" if action.card == GOVERNOR else "S1.5"
            refuse(rule, "{card} is not in this game.", card=name)
        refuse("S13.1", "{card} is not available.", card=name)
    need_money(t, facts.CARDS[t.side][action.card].cost, "S13.1", "Drafting " + name)


def list_draft(t: Table) -> list[Draft]:
    """Every card that can be drafted and paid."""
    found: list[Draft] = []
    money = min(t.me.money, _DEAREST)
    own, neutral = t.state.available_empire.of(t.side), t.state.neutral_supply
    for card, draft in _AFFORDABLE[t.side][money]:
        if own.get(card):
            found.append(draft)
    for card, draft in _AFFORDABLE["neutral"][money]:
        if neutral.get(card):
            found.append(draft)
    return found


_DEAREST = max(card.cost for cards in facts.EMPIRE_CARDS.values() for card in cards.values())
_AFFORDABLE = {
    owner: [
        [(card.id, Draft(card.id)) for card in cards.values() if card.cost <= money] for money in range(_DEAREST + 1)
    ]
    for owner, cards in facts.EMPIRE_CARDS.items()
}
"""What may ever be drafted of a side's cards, or the neutral ones, with so much money."""


def do_draft(t: Table, action: Draft, _chance: Chance) -> Step:
    """Source: S13.1, S3.6."""
    card = action.card
    known = facts.CARDS[t.side][card]
    state = t.state
    if known.side == "neutral":
        state = replace(state, neutral_supply=lower(state.neutral_supply, card))
    else:
        piles = state.available_empire
        state = replace(state, available_empire=piles.put(t.side, lower(piles.of(t.side), card)))
    me = replace(t.me, money=t.me.money - known.cost, discard=(*t.me.discard, card))
    return Step(put(state, t.side, me), (Drafted(t.side, card, known.cost),))


def discard_cost(t: Table, number: int) -> int:
    """Money for discarding so many cards (S13.2; free by V12)."""
    return 0 if t.rules.free_discards else number - 1


def check_discard(t: Table, action: Discard) -> None:
    """Source: S13.2."""
    if not action.cards:
        refuse("S13.2", "Say which cards are discarded.")
    need_in_hand(t, action.cards, twice="S5.6")
    need_money(t, discard_cost(t, len(action.cards)), "S13.2", f"Discarding {len(action.cards)} cards")


def list_discard(t: Table) -> list[Discard]:
    """Every selection of hand cards that can be paid."""
    number = len(t.cards)
    most = number if t.rules.free_discards else min(number, t.me.money + 1)
    if most == 1:
        return [Discard((card,)) for card in t.hand]
    return [Discard(cards) for cards in hands(t.cards, most)]


def do_discard(t: Table, action: Discard, _chance: Chance) -> Step:
    """Source: S13.2."""
    cost = discard_cost(t, len(action.cards))
    return Step(play(t.state, t.side, action.cards, cost), (Discarded(t.side, action.cards, cost),))


def _may_reserve(t: Table, card: str) -> bool:
    """Whether a card is of a kind that may lie in the reserve (S13.3; V6, V20)."""
    return (
        not is_location(card) or t.rules.reserve_any_location or (t.rules.reserve_lost_locations and card not in t.held)
    )


def check_reserve(t: Table, action: Reserve) -> None:
    """Source: S13.3."""
    need_in_hand(t, (action.card,))
    if not _may_reserve(t, action.card):
        refuse("S13.3", "{card} is a location card: it cannot be reserved.", card=title(t.side, action.card))
    if len(t.me.reserve) >= RESERVE_LIMIT:
        refuse("S13.3", "Your reserve is full: it holds {limit} cards.", limit=RESERVE_LIMIT)


def list_reserve(t: Table) -> list[Reserve]:
    """Every card that can be reserved."""
    if len(t.me.reserve) >= RESERVE_LIMIT:
        return []
    if t.rules.reserve_any_location or t.rules.reserve_lost_locations:
        return [Reserve(card) for card in t.hand if _may_reserve(t, card)]
    return [Reserve(card) for card in t.hand if card not in facts.LOCATIONS]


def do_reserve(t: Table, action: Reserve, _chance: Chance) -> Step:
    """Source: S13.3."""
    me = replace(t.me, hand=without(t.me.hand, [action.card]), reserve=(*t.me.reserve, action.card))
    return Step(put(t.state, t.side, me), (Reserved(t.side, action.card),))


def check_retrieve(t: Table, _action: Retrieve) -> None:
    """Source: S13.4."""
    if not t.me.reserve:
        refuse("S13.4", "Your reserve is empty.")
    need_money(t, len(t.me.reserve), "S13.4", "Retrieving the reserve")


def list_retrieve(t: Table) -> tuple[Retrieve, ...]:
    """Retrieving, if it is possible."""
    return (Retrieve(),) if 0 < len(t.me.reserve) <= t.me.money else ()


def do_retrieve(t: Table, _action: Retrieve, _chance: Chance) -> Step:
    """Source: S13.4."""
    cards = t.me.reserve
    me = replace(t.me, money=t.me.money - len(cards), hand=t.me.hand + cards, reserve=())
    return Step(put(t.state, t.side, me), (Retrieved(t.side, cards, len(cards)),))


def _governable(t: Table, card: str) -> str | None:
    """Why a card may not be returned by the Governor: "V18", "V14", or None if it may."""
    if not is_location(card) or card not in t.held:
        return None
    if t.rules.governor_spares_start_locations and facts.CARDS[t.side][card].start:
        return "V18"
    return "V14" if t.rules.governor_cedes and card in t.besieged else None


def check_govern(t: Table, action: Govern) -> None:
    """Source: S13.6; V14, V18."""
    if len(action.cards) not in GOVERNED:
        refuse("S13.6", "The Governor returns one or two cards, not {number}.", number=len(action.cards))
    if GOVERNOR in action.cards:
        refuse("S13.6", "The Governor returns other cards, never itself.")
    need_own(t, GOVERNOR, "S13.6")
    need_in_hand(t, action.cards, twice="S5.6")
    for card in action.cards:
        rule = _governable(t, card)
        if rule == "V18":
            refuse(
                rule,
                "The card of the starting location {place}, which you control, stays.",
                place=place(card),
            )
        if rule:
            refuse(rule, "{place} is besieged: it cannot be given up.", place=place(card))


def list_govern(t: Table) -> Iterator[Govern]:
    """Every selection that the Governor may return."""
    if GOVERNOR in t.hand:
        cards = tuple(card for card in t.cards if card != GOVERNOR and not _governable(t, card))
        yield from map(Govern, hands(cards, GOVERNED[-1]))


def do_govern(t: Table, action: Govern, _chance: Chance) -> Step:
    """Source: S13.6; V14 gives the locations up too."""
    me = replace(t.me, hand=without(t.me.hand, (GOVERNOR, *action.cards)), discard=(*t.me.discard, GOVERNOR))
    state = put(t.state, t.side, me)
    for card in action.cards:
        state = give_back(state, t.side, card)
    ceded = tuple(card for card in action.cards if card in t.held) if t.rules.governor_cedes else ()
    for location in ceded:
        state = _cede(state, t.side, location)
    return Step(state, (Governed(t.side, action.cards, ceded),))


def _cede(state: State, side: Side, location: str) -> State:
    """Take the own piece of a location back into stock (V14)."""
    piece = state.board[location]
    me = state.players.of(side)
    village = piece.piece == "village"
    stock = Pieces(me.stock.villages + village, me.stock.towns + (not village))
    rest = {name: kept for name, kept in state.board.items() if name != location}
    state = replace(state, board=rest, forts_left=state.forts_left + piece.fort)
    return put(state, side, replace(me, stock=stock))


def check_intendant(t: Table, action: Intendant) -> None:
    """Source: S13.7."""
    if t.side != "french":
        refuse("S13.7", "The Intendant is a French card.")
    need_own(t, INTENDANT, "S13.7")
    if not t.me.discard:
        refuse("S13.7", "Your discard pile is empty.")
    if action.card not in t.me.discard:
        refuse("S13.7", "{card} is not in your discard pile.", card=title(t.side, action.card))
    need_money(t, INTENDANT_COST, "S13.7", "The Intendant")


def list_intendant(t: Table) -> Iterator[Intendant]:
    """Every card that the Intendant can fetch."""
    if INTENDANT in t.hand and t.me.money >= INTENDANT_COST:
        yield from map(Intendant, sorted(set(t.me.discard)))


def do_intendant(t: Table, action: Intendant, _chance: Chance) -> Step:
    """Source: S13.7."""
    me = replace(
        t.me,
        money=t.me.money - INTENDANT_COST,
        hand=(*without(t.me.hand, [INTENDANT]), action.card),
        discard=(*without(t.me.discard, [action.card]), INTENDANT),
    )
    return Step(put(t.state, t.side, me), (Fetched(t.side, action.card, INTENDANT_COST),))


def check_home_support(t: Table, _action: HomeSupport) -> None:
    """Source: S13.8 (A32)."""
    need_own(t, HOME_SUPPORT, "S13.8")
    if not t.me.deck and not (t.rules.home_support_reshuffles and t.me.discard):
        refuse("S13.8", "There is nothing to draw: your draw deck is empty.")


def list_home_support(t: Table) -> Iterator[HomeSupport]:
    """Home Support, if it draws anything."""
    if HOME_SUPPORT in t.hand and (t.me.deck or (t.rules.home_support_reshuffles and t.me.discard)):
        yield HomeSupport()


def do_home_support(t: Table, _action: HomeSupport, chance: Chance) -> Step:
    """Source: S13.8 (the card itself is discarded after the draw)."""
    state, drawn, events = draw(
        put(t.state, t.side, replace(t.me, hand=without(t.me.hand, [HOME_SUPPORT]))),
        t.side,
        HOME_SUPPORT_CARDS,
        chance,
        may_reshuffle=t.rules.home_support_reshuffles,
    )
    me = state.players.of(t.side)
    state = put(state, t.side, replace(me, discard=(*me.discard, HOME_SUPPORT)))
    return Step(state, (*events, HomeSupported(t.side, len(drawn), drawn)))


def check_drop(t: Table, action: Drop) -> None:
    """Source: V17."""
    if not t.rules.drop_lost_locations:
        refuse("V17", "Cards cannot be dropped in this game (variant 17).")
    need_in_hand(t, (action.card,))
    if not is_location(action.card) or action.card in t.held:
        refuse(
            "V17",
            "{card} is not the card of a location that you do not control.",
            card=title(t.side, action.card),
        )


def list_drop(t: Table) -> Iterator[Drop]:
    """Every card that may be dropped by variant 17."""
    if t.rules.drop_lost_locations:
        for card in t.hand:
            if is_location(card) and card not in t.held:
                yield Drop(card)


def do_drop(t: Table, action: Drop, _chance: Chance) -> Step:
    """Source: V17."""
    return Step(play(t.state, t.side, (action.card,)), (Dropped(t.side, action.card),))


def do_pass(t: Table, _action: Pass, _chance: Chance) -> Step:
    """Source: S14.1."""
    return Step(t.state, (Passed(t.side),))
