"""Settle, develop and fortify (S7)."""

from collections.abc import Iterator

from adjudicator.game import facts
from adjudicator.game.actions import Besiege, Develop, Fortify, Settle
from adjudicator.game.board import trail
from adjudicator.game.chance import Chance
from adjudicator.game.ending import game_over, wins_by_settling
from adjudicator.game.events import Developed, Fortified, Settled
from adjudicator.game.model import Piece, Pieces, Side, State, replace
from adjudicator.game.table import (
    Step,
    Table,
    gain_location,
    need_in_hand,
    need_money,
    need_playable,
    need_symbol,
    place,
    play,
    put,
    refuse,
    title,
)

FORTIFY_COST = 3
FORTIFICATIONS = ("fortification", "neutral-fortification")


def need_route(t: Table, origin: str, target: str, rule: str) -> tuple[facts.Transport, ...]:
    """The transports by which the origin card reaches the target; refuses if it does not list it (S4.3)."""
    if origin not in facts.LOCATION_CARDS[t.side]:
        refuse(rule, "{card} is no location card to start from.", card=title(t.side, origin))
    card = need_playable(t, origin)
    if target not in card.destinations:
        if trail(origin, target):
            rule = "S4.2"
        refuse(
            rule,
            "The {origin} card does not lead to {target}; it leads to {destinations}.",
            origin=place(origin),
            target=place(target),
            destinations=", ".join(place(name) for name in card.destinations) or "nowhere",
        )
    return card.destinations[target]


def need_transport(t: Table, action: Settle | Besiege, ways: tuple[facts.Transport, ...], rule: str) -> None:
    """Refuse a second card without the transport symbol that the origin card shows for the target."""
    card = need_playable(t, action.transport)
    if any(way in card.symbols for way in ways):
        return
    between = {*card.destinations.get(action.origin, ()), *card.destinations.get(action.target, ())}
    if not between.isdisjoint(ways):  # the icon beside the list of destinations was taken for a symbol
        rule = "S5.1"
    refuse(
        rule,
        "{card} does not show the {symbol} symbol.",
        card=title(t.side, action.transport),
        symbol=ways[0],
    )


def check_settle(t: Table, action: Settle) -> None:
    """Source: S7.1 to S7.6."""
    target = action.target
    piece = t.state.board.get(target)
    if piece and piece.owner != t.side:
        refuse("S7.2", "{target} is held by the enemy: it cannot be settled.", target=place(target))
    again = piece is not None
    if again and target not in t.state.available_locations.of(t.side):
        refuse(
            "S7.6",
            "{target} is yours, and its card is not in your Available Location pile.",
            target=place(target),
        )
    settler = (action.settler,) if action.settler else ()
    need_in_hand(t, (action.origin, action.transport, *settler))
    ways = need_route(t, action.origin, target, "S7.1")
    need_transport(t, action, ways, "S7.1")
    rule = "S7.6" if again else "S7.1"
    if facts.LOCATIONS[target].settlers:
        if not action.settler:
            refuse(rule, "{target} has a settler symbol: a settler card is needed too.", target=place(target))
        need_symbol(t, action.settler, "settlers", rule)
    elif action.settler:
        refuse(rule, "{target} needs no settler card.", target=place(target))
    if not again and t.me.stock.villages == 0:
        refuse("S7.3", "You have no village left in stock.")


def list_settle(t: Table) -> list[Settle]:
    """Every legal settle action."""
    held, returned = t.held, t.state.available_locations.of(t.side)
    board, stock = t.state.board, t.me.stock.villages > 0
    showing = t.symbols["settlers"]
    found: list[Settle] = []
    for origin, carriers, places in t.routes:
        for target in places:
            if target in held and target in returned if target in board else stock:
                settlers = showing if target in _NEED_SETTLERS else _NO_SETTLER
                found += [
                    Settle(target, origin, transport, settler)
                    for settler in settlers
                    if settler != origin
                    for transport in carriers
                    if transport not in (origin, settler)
                ]
    return found


_WITH_POINTS = frozenset(place for place, location in facts.LOCATIONS.items() if location.points)
_NEED_SETTLERS = frozenset(place for place, location in facts.LOCATIONS.items() if location.settlers)
_NO_SETTLER = (None,)


def do_settle(t: Table, action: Settle, _chance: Chance) -> Step:
    """Source: S7.3, S7.4, S7.6."""
    cards = tuple(card for card in (action.origin, action.transport, action.settler) if card)
    state = play(t.state, t.side, cards)
    placed = action.target not in state.board
    if placed:
        state = place_village(state, t.side, action.target)
    state, gained = gain_location(state, t.side, action.target)
    event = Settled(t.side, action.target, cards, placed, gained)
    if placed and (reason := wins_by_settling(t.rules, t.side, action.target)):
        over = game_over(state, t.side, reason, t.side)
        return Step(over.state, (event, *over.events))
    return Step(state, (event,))


def place_village(state: State, side: Side, location: str) -> State:
    """Put a village from stock on a neutral location."""
    me = state.players.of(side)
    stock = Pieces(me.stock.villages - 1, me.stock.towns)
    state = replace(state, board={**state.board, location: Piece(side, "village", fort=False)})
    return put(state, side, replace(me, stock=stock))


def check_develop(t: Table, action: Develop) -> None:
    """Source: S7.7."""
    target = action.target
    piece = t.state.board.get(target)
    if piece is None or piece.owner != t.side:
        refuse("S7.7", "{target} is not yours: only an own village can be developed.", target=place(target))
    if piece.piece == "town":
        refuse("S7.7", "{target} is a town already.", target=place(target))
    if not facts.LOCATIONS[target].points:
        refuse("S7.7", "{target} has no victory points: it cannot be developed.", target=place(target))
    _need_target_card(t, target, "S7.7")
    need_in_hand(t, (target, action.settler))
    need_playable(t, target)
    need_symbol(t, action.settler, "settlers", "S7.7")
    if not t.me.stock.towns:
        refuse("S7.7", "You have no town left in stock.")


def list_develop(t: Table) -> list[Develop]:
    """Every legal develop action."""
    settlers, board = t.symbols["settlers"], t.state.board
    if not settlers or not t.me.stock.towns:
        return []
    return [
        Develop(target, settler)
        for target in t.playable
        if target in _WITH_POINTS and board[target].piece == "village"
        for settler in settlers
        if settler != target
    ]


def do_develop(t: Table, action: Develop, _chance: Chance) -> Step:
    """Source: S7.7."""
    cards = (action.target, action.settler)
    state = play(t.state, t.side, cards)
    piece = state.board[action.target]
    me = state.players.of(t.side)
    stock = Pieces(me.stock.villages + 1, me.stock.towns - 1)
    state = replace(state, board={**state.board, action.target: replace(piece, piece="town")})
    state = put(state, t.side, replace(me, stock=stock))
    return Step(state, (Developed(t.side, action.target, cards),))


def _need_target_card(t: Table, target: str, rule: str) -> None:
    """Refuse to develop or fortify a location whose card is not in hand."""
    if target not in t.hand:
        refuse(rule, "The {target} card is not in your hand.", target=place(target))


def check_fortify(t: Table, action: Fortify) -> None:
    """Source: S7.8, S8.10."""
    target = action.target
    piece = t.state.board.get(target)
    if piece is None or piece.owner != t.side:
        refuse("S7.8", "{target} is not yours: only an own location can be fortified.", target=place(target))
    if target in t.besieged:
        refuse("S8.10", "{target} is besieged: it cannot be fortified.", target=place(target))
    if piece.fort:
        refuse("S7.8", "{target} is fortified already.", target=place(target))
    if not t.state.forts_left:
        refuse("S7.8", "All fortification discs are on the board.")
    if action.card not in FORTIFICATIONS:
        refuse("S7.8", "{card} is no Fortification card.", card=title(t.side, action.card))
    _need_target_card(t, target, "S7.8")
    need_in_hand(t, (action.card, target))
    need_playable(t, target)
    need_money(t, FORTIFY_COST, "S7.8", "Fortifying")


def list_fortify(t: Table) -> Iterator[Fortify]:
    """Every legal fortify action."""
    if not t.state.forts_left or t.me.money < FORTIFY_COST:
        return
    for card in FORTIFICATIONS:
        if card not in t.hand:
            continue
        for target in t.playable:
            piece = t.state.board.get(target)
            if piece and not piece.fort:
                yield Fortify(target, card)


def do_fortify(t: Table, action: Fortify, _chance: Chance) -> Step:
    """Source: S7.8."""
    cards = (action.card, action.target)
    state = play(t.state, t.side, cards, FORTIFY_COST)
    piece = replace(state.board[action.target], fort=True)
    state = replace(state, board={**state.board, action.target: piece}, forts_left=state.forts_left - 1)
    return Step(state, (Fortified(t.side, action.target, cards, FORTIFY_COST),))
