"""How many actions are legal at depth 1 and 2 from named positions: a fingerprint of the rules.

A changed number means changed rules: find out which, then print the new table with `python tests/game/test_perft.py`.
Shuffles come from the silent seed.
"""

import random
from pathlib import Path

import pytest
from support.brute import accepted, strangers_of

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.engine import apply, begin, decider, legal_actions
from adjudicator.game.record import read_position, rules_of

POSITIONS = Path(__file__).parents[1] / "games" / "positions"
CHANCE = seeded(SILENT)
SMALL = 5
"""Positions with no more actions than this are counted by brute force to depth 2."""

COUNTS = {
    "besieged-by-the-british": (22, 194),
    "border-early": (51, 1362),
    "border-late": (60, 995),
    "first-french-turn": (69, 69),
    "full-reserve": (45, 647),
    "governor-and-intendant": (19, 19),
    "many-variants": (56, 1644),
    "place-just-won": (3, 51),
    "raid-to-block": (3, 48),
    "raiders-far": (63, 959),
    "raiders": (36, 353),
    "siege-to-be-lost": (2, 46),
    "start-edition-1": (112, 125),
    "start-edition-2": (107, 115),
    "two-sieges": (40, 157),
}


def position(name):
    found = read_position((POSITIONS / f"{name}.json").read_bytes(), name)
    return rules_of(found), found.state


def children(rules, state):
    side = decider(state)
    return [apply(rules, state, side, action, CHANCE).state for action in legal_actions(rules, state)]


def perft(rules, state, depth):
    """The number of sequences of so many legal actions; a finished game has none."""
    if depth == 1:
        return len(legal_actions(rules, state))
    return sum(perft(rules, child, depth - 1) for child in children(rules, state))


def test_every_position_is_counted():
    assert {path.stem for path in POSITIONS.glob("*.json")} == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_counts_stand(name):
    rules, state = position(name)
    assert (perft(rules, state, 1), perft(rules, state, 2)) == COUNTS[name]


def brute(rules, state, name):
    """The number of actions that the checks accept of all that can be written down."""
    state = begin(rules, state).state
    side = decider(state)
    if side is None:
        return 0
    return len(set(accepted(rules, state, side, strangers_of(state, side, random.Random(name)))))


@pytest.mark.parametrize("name", COUNTS)
def test_brute_force_agrees(name):
    rules, state = position(name)
    one, two = COUNTS[name]
    assert brute(rules, state, name) == one
    if one <= SMALL:
        assert sum(brute(rules, child, name) for child in children(rules, state)) == two


if __name__ == "__main__":
    for path in sorted(POSITIONS.glob("*.json")):
        print(f'    "{path.stem}": ({perft(*position(path.stem), 1)}, {perft(*position(path.stem), 2)}),')  # noqa: T201
