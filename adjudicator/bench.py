"""How fast the rules are: listing legal actions and applying them, in random play.

Each measure returns plain numbers; the clock is read here, the rules know nothing of it. Listing is measured beside
python-chess in the same run, where it is installed, as the speed of a machine alone says little.
"""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from statistics import median
from time import perf_counter

from adjudicator.game.chance import SEED_BYTES, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import State

SECONDS = 2.0
GAME_ACTIONS = 400
"""A random game is left after so many actions; random chess likewise."""

ROUNDS = 10
"""The measures of two rivals alternate, so that a busy moment of the machine meets both."""


def listing(seconds: float = SECONDS) -> dict[str, float | None]:
    """Legal actions listed a second in random play: ours, python-chess's (None: not installed), and ours by theirs.

    Only the listing is timed, never the making of moves.
    """
    ours, chess = _our_lists(), _chess_lists()
    part = seconds / 2 / ROUNDS
    rounds = [(_rate(ours, part), chess and _rate(chess, part)) for _ in range(ROUNDS)]
    our_rate = median(mine for mine, _ in rounds)
    if chess is None:
        return {"ours_per_s": our_rate, "chess_per_s": None, "ratio": None}
    chess_rate = median(theirs for _, theirs in rounds if theirs)
    ratio = median(mine / theirs for mine, theirs in rounds if theirs)
    return {"ours_per_s": our_rate, "chess_per_s": chess_rate, "ratio": ratio}


Lists = Iterator[tuple[int, float]]
"""For each position how many actions were listed, and how many seconds that took."""


def _rate(lists: Lists, seconds: float) -> float:
    """Actions a second over as many positions as take so many seconds to list."""
    listed, taken = 0, 0.0
    while taken < seconds:
        number, time = next(lists)
        listed, taken = listed + number, taken + time
    return listed / taken


def _timed(make: Callable[[], int]) -> tuple[int, float]:
    begin = perf_counter()
    number = make()
    return number, perf_counter() - begin


def _games() -> Iterator[tuple[random.Random, State]]:
    """Start positions of the second edition without end, each with the dice of its game."""
    rules = rules_for()
    for seed in count():
        dice = random.Random(seed)  # noqa: S311 - a measure, no secret
        yield dice, new_game(rules, seeded(dice.randbytes(SEED_BYTES))).state


def _our_lists() -> Lists:
    """Our listing in random games."""
    rules = rules_for()
    for dice, start in _games():
        state, chance = start, seeded(dice.randbytes(SEED_BYTES))
        for _ in range(GAME_ACTIONS):
            begin = perf_counter()
            actions = legal_actions(rules, state)
            yield len(actions), perf_counter() - begin
            side = decider(state)
            if not actions or side is None:
                break
            state = apply(rules, state, side, dice.choice(actions), chance).state


def _chess_lists() -> Lists | None:
    """python-chess's listing in random games; None if it is not installed."""
    try:
        chess = import_module("chess")
    except ImportError:
        return None

    def lists() -> Lists:
        for seed in count():
            dice, board = random.Random(seed), chess.Board()  # noqa: S311 - a measure, no secret
            for _ in range(GAME_ACTIONS):
                begin = perf_counter()
                moves = list(board.legal_moves)
                yield len(moves), perf_counter() - begin
                if not moves:
                    break
                board.push(dice.choice(moves))

    return lists()


def applying(seconds: float = SECONDS) -> dict[str, float | str]:
    """Microseconds of `apply` in random play: the mean, and the slowest kind of action with its mean."""
    rules = rules_for()
    times: dict[str, list[float]] = {}
    total = 0.0
    for dice, start in _games():
        state, chance = start, seeded(dice.randbytes(SEED_BYTES))
        for _ in range(GAME_ACTIONS):
            side = decider(state)
            actions = legal_actions(rules, state)
            if side is None or not actions:
                break
            action = dice.choice(actions)
            begin = perf_counter()
            state = apply(rules, state, side, action, chance).state
            taken = perf_counter() - begin
            times.setdefault(type(action).__name__, []).append(taken)
            total += taken
        if total > seconds:
            break
    every = [taken for taken_by_kind in times.values() for taken in taken_by_kind]
    means = {kind: sum(taken) / len(taken) for kind, taken in times.items()}
    slowest = max(means, key=means.__getitem__)
    return {
        "mean_us": sum(every) / len(every) * 1e6,
        "slowest": slowest,
        "slowest_us": means[slowest] * 1e6,
    }
