"""How a game ends: instant wins and the points end (S15)."""

from adjudicator.game import facts
from adjudicator.game.edition import Rules
from adjudicator.game.events import GameOver, Reason
from adjudicator.game.model import Side, State, other, replace
from adjudicator.game.scoring import scores
from adjudicator.game.table import Step

DUQUESNE = "fort-duquesne"
CAPTURED_POINTS_END = 12


def game_over(state: State, winner: Side | None, reason: Reason, by: Side | None) -> Step:
    """The state as it stands, with nobody to move any more, and the final count."""
    points = scores(state)
    event = GameOver(winner, reason, by, points.british, points.french)
    return Step(replace(state, to_move=None, question=None, open=None), (event,))


def wins_by_settling(rules: Rules, side: Side, location: str) -> Reason | None:
    """Why settling a location wins at once, or None.

    Source: S15.2, S15.3; V2.
    """
    if location in facts.CAPITALS[other(side)]:
        return "settled-capital"
    if rules.duquesne_wins and side == "french" and location == DUQUESNE:
        return "duquesne"
    return None


def wins_by_siege(rules: Rules, state: State, side: Side, location: str) -> Reason | None:
    """Why winning the siege of a location as attacker wins at once, or None.

    Source: S8.12 (1), S15.2; V2 (the French need a village in stock).
    """
    reason = wins_by_settling(rules, side, location)
    if reason is None:
        return None
    if rules.duquesne_wins and side == "french" and not state.players.french.stock.villages:
        return None
    return "siege-of-capital" if reason == "settled-capital" else reason


def points_end(state: State, side: Side) -> Reason | None:
    """Why the game ends before the turn of `side`, or None; of several: towns, then villages, then captured.

    Source: S15.4.
    """
    if state.sieges.british or state.sieges.french:
        return None
    player = state.players.of(side)
    if not player.stock.towns:
        return "towns-exhausted"
    if not player.stock.villages:
        return "villages-exhausted"
    if 2 * player.captured.villages + 4 * player.captured.towns >= CAPTURED_POINTS_END:
        return "captured-12"
    return None


def end_by_points(state: State, side: Side, reason: Reason) -> Step:
    """Count the points; a tie goes to the French (S15.6)."""
    points = scores(state)
    winner: Side = "british" if points.british.total > points.french.total else "french"
    return game_over(state, winner, reason, side)
