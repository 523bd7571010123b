"""How fast the rules are: listing legal actions and applying them, in random play.

Each measure returns plain numbers; the clock is read here, the rules know nothing of it. It counts the time that this
program computes, so that others on the machine count little. Listing is measured beside python-chess in the same
run, where it is installed, as the speed of a machine alone says little.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import count, islice
from operator import truediv
from statistics import median
from time import process_time
from typing import Any

from adjudicator.game.chance import SEED_BYTES, seeded
from adjudicator.game.edition import Rules, rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import State

SECONDS = 2.0
GAMES = 20
"""How many random games of each kind give the positions."""

GAME_ACTIONS = 200
"""A random game is left after so many actions; random chess likewise."""

ROUNDS = 10
"""The measures of two rivals alternate, so that a busy moment of the machine meets both."""


def listing(seconds: float = SECONDS) -> dict[str, float | None]:
    """Legal actions listed a second in positions of random games, beside python-chess (None: not installed).

    `ratio` is ours by theirs. The same positions are listed again and again, so that what the engine remembers of
    boards and hands helps it; `first_per_s` and `first_ratio` are of positions that it meets for the first time.
    """
    play, ours, chess = _play(), _our_positions(), _chess_positions()
    part = seconds / 3 / ROUNDS
    firsts, again, theirs = [], [], []
    for _ in range(ROUNDS):
        firsts.append(_first(play, part))
        again.append(_rate(ours, part))
        theirs += [_rate(chess, part)] if chess else []
    found = {"ours_per_s": median(again), "first_per_s": median(firsts)}
    if not chess:
        return {**found, "chess_per_s": None, "ratio": None, "first_ratio": None}
    return {
        **found,
        "chess_per_s": median(theirs),
        "ratio": median(map(truediv, again, theirs)),
        "first_ratio": median(map(truediv, firsts, theirs)),
    }


Lister = Callable[[], int]
"""Lists all that is legal in one position, and says how much that is."""


def _rate(positions: list[Lister], seconds: float) -> float:
    """Actions a second over as many rounds through the positions as take so many seconds."""
    listed, begin = 0, process_time()
    while (taken := process_time() - begin) < seconds:
        listed += sum(count_legal() for count_legal in positions)
    return listed / taken


def _games() -> Iterator[tuple[random.Random, State]]:
    """Start positions of the second edition without end, each with the dice of its game."""
    rules = rules_for()
    for seed in count():
        dice = random.Random(seed)  # noqa: S311 - a measure, no secret
        yield dice, new_game(rules, seeded(dice.randbytes(SEED_BYTES))).state


def _our_positions() -> list[Lister]:
    """Every position of some random games of ours."""
    rules = rules_for()
    return [partial(_count, rules, state) for state, _, _ in islice(_play(), GAMES * GAME_ACTIONS)]


def _count(rules: Rules, state: State) -> int:
    return len(legal_actions(rules, state))


def _play() -> Iterator[tuple[State, int, float]]:
    """Random games without end: each position, how many actions were listed there, and in how many seconds."""
    rules, clock = rules_for(), _clock_cost()
    for dice, start in _games():
        state, chance = start, seeded(dice.randbytes(SEED_BYTES))
        for _ in range(GAME_ACTIONS):
            begin = process_time()
            actions = legal_actions(rules, state)
            yield state, len(actions), process_time() - begin - clock
            side = decider(state)
            if not actions or side is None:
                break
            state = apply(rules, state, side, dice.choice(actions), chance).state


def _clock_cost() -> float:
    """Seconds that reading the clock takes, as a single listing takes only some thirty times as long."""
    return median(-(process_time() - process_time()) for _ in range(1000))


def _first(play: Iterator[tuple[State, int, float]], seconds: float) -> float:
    """Actions a second where each position is met for the first time, as play goes on: only listing is timed."""
    listed, taken = 0, 0.0
    for _, number, time in play:
        listed, taken = listed + number, taken + time
        if taken > seconds:
            break
    return listed / taken


def _chess_positions() -> list[Lister]:
    """Every position of some random games of chess; none if python-chess is not installed."""
    try:
        chess = import_module("chess")
    except ImportError:
        return []
    found: list[Lister] = []
    for seed in range(GAMES):
        dice, board = random.Random(seed), chess.Board()  # noqa: S311 - a measure, no secret
        for _ in range(GAME_ACTIONS):
            moves = list(board.legal_moves)
            if not moves:
                break
            found.append(partial(_count_moves, board.copy(stack=False)))
            board.push(dice.choice(moves))
    return found


def _count_moves(board: Any) -> int:  # noqa: ANN401 - python-chess is no dependency, so its types are not known
    return len(list(board.legal_moves))


def applying(seconds: float = SECONDS) -> dict[str, float | str]:
    """Microseconds of `apply` in random play: the mean, and the kind of action that is slowest, with its median."""
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
            begin = process_time()
            state = apply(rules, state, side, action, chance).state
            taken = process_time() - begin
            times.setdefault(type(action).__name__, []).append(taken)
            total += taken
        if total > seconds:
            break
    every = [taken for taken_by_kind in times.values() for taken in taken_by_kind]
    usual = {kind: median(taken) for kind, taken in times.items()}
    slowest = max(usual, key=usual.__getitem__)
    return {
        "mean_us": sum(every) / len(every) * 1e6,
        "slowest": slowest,
        "slowest_us": usual[slowest] * 1e6,
    }
