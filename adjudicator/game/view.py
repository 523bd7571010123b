"""What a side may see of a position, built up from that alone.

Nothing here is the whole state with parts taken out: a field that is new in the state is unseen until
somebody writes it down here. A spectator is the side None. Source: hidden_information of the rules.
"""

import msgspec

from adjudicator.game.events import Score
from adjudicator.game.model import (
    BySide,
    Open,
    Piece,
    Pieces,
    Player,
    Pledge,
    Question,
    Side,
    Siege,
    State,
)
from adjudicator.game.scoring import score


class Seen(msgspec.Struct, frozen=True):
    """What everybody sees of one side.

    `hand` and `deck` are numbers of cards, the last of `discard` lies on top.
    """

    money: int
    hand: int
    deck: int
    discard: tuple[str, ...]
    reserve: tuple[str, ...]
    captured: Pieces
    stock: Pieces
    score: Score


class Own(msgspec.Struct, frozen=True):
    """What only the side itself sees: its cards sorted by id, never in the deck's order, and its pledges."""

    hand: tuple[str, ...]
    deck: tuple[str, ...]
    pledged: tuple[Pledge, ...]


class View(msgspec.Struct, frozen=True):
    """A position as `side` sees it. `own` is None for a spectator.

    `question` is the reader's own one only; `waiting_for` says who has to decide, whatever it is about.
    """

    side: Side | None
    turn: int
    to_move: Side | None
    waiting_for: Side | None
    open: Open | None
    board: dict[str, Piece]
    sieges: BySide[Siege | None]
    players: BySide[Seen]
    available_empire: BySide[dict[str, int]]
    available_locations: BySide[tuple[str, ...]]
    neutral_supply: dict[str, int]
    forts_left: int
    shuffles: int
    question: Question | None
    own: Own | None


def view(state: State, side: Side | None) -> View:
    """The position as `side` (None: a spectator) sees it.

    An open turn is for the eyes of its mover: to the opponent give the position of the turn's start, or, if
    he is asked a question in its midst, the one that holds the question.
    """
    return View(
        side=side,
        turn=state.turn,
        to_move=state.to_move,
        waiting_for=state.question.to if state.question else state.to_move,
        open=state.open,
        board={place: state.board[place] for place in sorted(state.board)},
        sieges=state.sieges,
        players=BySide(_seen(state, "british"), _seen(state, "french")),
        available_empire=BySide(_pile(state.available_empire.british), _pile(state.available_empire.french)),
        available_locations=BySide(
            tuple(sorted(state.available_locations.british)),
            tuple(sorted(state.available_locations.french)),
        ),
        neutral_supply=_pile(state.neutral_supply),
        forts_left=state.forts_left,
        shuffles=state.shuffles,
        question=state.question if state.question and state.question.to == side else None,
        own=_own(state, side) if side else None,
    )


def _seen(state: State, side: Side) -> Seen:
    player: Player = state.players.of(side)
    return Seen(
        money=player.money,
        hand=len(player.hand),
        deck=len(player.deck),
        discard=player.discard,
        reserve=tuple(sorted(player.reserve)),
        captured=player.captured,
        stock=player.stock,
        score=score(state, side),
    )


def _own(state: State, side: Side) -> Own:
    player = state.players.of(side)
    return Own(
        hand=tuple(sorted(player.hand)),
        deck=tuple(sorted(player.deck)),
        pledged=(state.pledged or {}).get(side, ()),
    )


def _pile(cards: dict[str, int]) -> dict[str, int]:
    """A face-up pile by id, without the cards of which none is left."""
    return {card: cards[card] for card in sorted(cards) if cards[card]}
