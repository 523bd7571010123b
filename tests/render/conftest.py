"""Games played at random, for everything that mails are made of."""

import random

import pytest

from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.reports import Situation

DULL = {"Pass", "Discard", "Withdraw", "Govern"}
"""Legal nearly always: chosen only if there is little else, or random games would be about nothing else."""


def lively(actions, chosen):
    kinds = sorted({type(action).__name__ for action in actions})
    kinds = [kind for kind in kinds if kind not in DULL] or kinds
    kind = chosen.choice(kinds)
    return chosen.choice([action for action in actions if type(action).__name__ == kind])


def play(seed, length, rules):
    """The positions of a random game, each with all events up to it."""
    chosen = random.Random(seed)
    chance = seeded(bytes([seed]) * 32)
    step = new_game(rules, chance)
    state, events = step.state, list(step.events)
    positions = [(state, tuple(events))]
    for _ in range(length):
        side = decider(state)
        if side is None:
            break
        step = apply(rules, state, side, lively(legal_actions(rules, state), chosen), chance)
        state = step.state
        events += step.events
        positions.append((state, tuple(events)))
    return positions


@pytest.fixture(scope="session")
def games():
    """Some random games of the second edition, the seed and the positions of each."""
    return {seed: play(seed, 260, rules_for()) for seed in range(6)}


@pytest.fixture(scope="session")
def first_edition():
    return play(7, 120, rules_for(1))


@pytest.fixture(scope="session")
def situation():
    """A reader before a position."""

    def build(state, side, rules=None, **more):
        return Situation("g17", side, rules or rules_for(), state, **{"opponent": "Anna Example", **more})

    return build
