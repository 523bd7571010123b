"""The start of a game (S2), and the French start card of variant 13."""

from collections.abc import Iterator

from adjudicator.game import facts
from adjudicator.game.actions import StartWith
from adjudicator.game.chance import Chance
from adjudicator.game.draw import draw
from adjudicator.game.edition import Rules
from adjudicator.game.events import Event, StartedWith
from adjudicator.game.model import (
    BySide,
    MustStartWith,
    Piece,
    Pieces,
    Player,
    Side,
    State,
    replace,
)
from adjudicator.game.table import Step, Table, is_location, lower, put, refuse, title

HAND = 5
INFANTRY_REMOVED = 3
BATEAUX = "bateaux"


def new_game(rules: Rules, chance: Chance) -> Step:
    """The dealt start position; with variant 13 the French deal waits for their start card.

    Source: S2.
    """
    state = State(
        to_move="british",
        turn=1,
        board=start_board(rules),
        sieges=BySide(None, None),
        players=BySide(_player(rules, "british"), _player(rules, "french")),
        available_empire=BySide(start_empire(rules, "british"), start_empire(rules, "french")),
        available_locations=BySide(_locations("british", start=False), _locations("french", start=False)),
        neutral_supply={card.id: card.count for card in facts.EMPIRE_CARDS["neutral"].values()},
        forts_left=facts.FORTS - len(rules.start_forts),
    )
    state = _deal(state, "british", chance)
    if rules.french_start_card:
        return Step(replace(state, question=MustStartWith("french")))
    return Step(_deal(state, "french", chance))


def start_board(rules: Rules) -> dict[str, Piece]:
    """The pieces of S2.1, with the forts of variants 1 and 10."""
    return {
        place: Piece(location.owner, location.piece, fort=place in rules.start_forts)
        for place, location in facts.LOCATIONS.items()
        if location.owner and location.piece
    }


def _locations(side: Side, *, start: bool) -> tuple[str, ...]:
    return tuple(card.id for card in facts.LOCATION_CARDS[side].values() if bool(card.start) == start)


def start_deck(rules: Rules, side: Side) -> tuple[str, ...]:
    """The cards of the starting deck, unshuffled (S2.4)."""
    extra = tuple(card.id for card in facts.EMPIRE_CARDS[side].values() for _ in range(_started(rules, card)))
    return _locations(side, start=True) + extra


def _started(rules: Rules, card: facts.Card) -> int:
    """How many copies of an empire card begin in the deck (S1.5; V7, V21, V22)."""
    if card.id != BATEAUX:
        return card.start
    british = card.side == "british"
    return int(rules.british_start_bateaux if british else rules.french_bateaux == "start")


def in_game(rules: Rules, card: facts.Card) -> int:
    """How many copies of a card are in the game at all (S1.4 to S1.6; V4, V19)."""
    if card.id == BATEAUX and card.side == "french" and rules.french_bateaux == "none":
        return 0
    if card.id == "governor" and rules.no_governors:
        return 0
    if card.id == "regular-infantry" and card.side == "british" and rules.fewer_infantry:
        return card.count - INFANTRY_REMOVED
    return card.count


def start_empire(rules: Rules, side: Side) -> dict[str, int]:
    """The Available Empire pile (S2.5)."""
    counts = {card.id: in_game(rules, card) - _started(rules, card) for card in facts.EMPIRE_CARDS[side].values()}
    return {card: count for card, count in counts.items() if count > 0}


def _player(rules: Rules, side: Side) -> Player:
    pieces = facts.PIECES[side]
    board = start_board(rules).values()
    stock = Pieces(
        pieces.villages - sum(piece.owner == side and piece.piece == "village" for piece in board),
        pieces.towns - sum(piece.owner == side and piece.piece == "town" for piece in board),
    )
    return Player(facts.START_MONEY[side], (), start_deck(rules, side), (), (), Pieces(0, 0), stock)


def _deal(state: State, side: Side, chance: Chance) -> State:
    """Shuffle the starting deck and draw the first hand."""
    me = state.players.of(side)
    deck = chance(state.shuffles, tuple(sorted(me.deck)))
    state = replace(put(state, side, replace(me, deck=deck)), shuffles=state.shuffles + 1)
    return draw(state, side, HAND, chance, may_reshuffle=False)[0]


def check_start_with(t: Table, action: StartWith) -> None:
    """Source: V13."""
    name = title(t.side, action.card)
    if is_location(action.card) or not t.state.available_empire.of(t.side).get(action.card):
        refuse("V13", "{card} is not in the Available Empire pile.", card=name)


def list_start_with(t: Table) -> Iterator[StartWith]:
    """Every card that may join the deck."""
    pile = t.state.available_empire.of(t.side)
    return map(StartWith, sorted(card for card, number in pile.items() if number))


def do_start_with(t: Table, action: StartWith, chance: Chance) -> Step:
    """Source: V13 (then the French deck is shuffled and dealt)."""
    piles = t.state.available_empire
    me = replace(t.me, deck=(*t.me.deck, action.card))
    state = put(replace(t.state, question=None), t.side, me)
    state = replace(state, available_empire=piles.put(t.side, lower(piles.of(t.side), action.card)))
    event: Event = StartedWith(t.side, action.card)
    return Step(_deal(state, t.side, chance), (event,))
