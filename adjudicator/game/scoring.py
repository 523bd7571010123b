"""Points (S15.6)."""

from adjudicator.game import facts
from adjudicator.game.events import Score
from adjudicator.game.model import BySide, Side, State


def score(state: State, side: Side) -> Score:
    """The points of one side: printed ones, doubled with a town, and 2 or 4 for each captured piece."""
    locations = 0
    for place, piece in state.board.items():
        if piece.owner == side:
            points = facts.LOCATIONS[place].points
            locations += 2 * points if piece.piece == "town" else points
    taken = state.players.of(side).captured
    captured = 2 * taken.villages + 4 * taken.towns
    return Score(locations, captured, locations + captured)


def scores(state: State) -> BySide[Score]:
    """The points of both sides as the board stands."""
    return BySide(score(state, "british"), score(state, "french"))
