"""Games played at random, for everything that mails are made of."""

import pytest
from letters.our_mails import play

from adjudicator.game.edition import rules_for
from adjudicator.reports.position import Situation


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
