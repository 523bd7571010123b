"""Whole games: every order is accepted, games end, all kinds of order occur, and the heuristic player is the better."""

import os
from statistics import median

import pytest
from house_games import HouseGame

from adjudicator.game.actions import Action, DiscardDrawn, Drop, Exchange, NoExchange, SellFur, StartWith
from adjudicator.game.edition import VARIANTS

ALL_KINDS = set(Action.__args__)
OF_VARIANTS = {SellFur, Drop, Exchange, NoExchange, StartWith, DiscardDrawn}
MANY_VARIANTS = tuple(variant for variant in VARIANTS if variant != "french-draft-bateaux")
PAIRS = int(os.environ.get("ADJUDICATOR_TEST_HOUSE_GAMES", "3"))
"""Games for each side and edition in the test of strength; 50 make the figure of the documentation."""


@pytest.fixture(scope="module")
def random_games():
    return [HouseGame("random", "random", number, edition=edition) for edition in (1, 2) for number in range(18)]


def test_random_games_end_before_long(random_games):
    lengths = {(game.rules.edition, game.number): game.state.turn for game in random_games}
    long = {which: turns for which, turns in lengths.items() if turns >= 300}
    assert len(long) <= 2, f"of {len(lengths)} games these took 300 turns or more: {long}"
    assert 60 <= median(lengths.values()) <= 160, lengths


def test_random_games_see_every_kind_of_order(random_games):
    seen = {kind for game in random_games for kind in game.kinds}
    assert ALL_KINDS - OF_VARIANTS - seen == set()


def test_random_games_end_in_more_ways_than_one(random_games):
    ends = {(game.winner, game.over.reason) for game in random_games if game.over}
    assert {winner for winner, _ in ends} == {"british", "french"}
    assert len({reason for _, reason in ends}) >= 3, ends


@pytest.mark.parametrize("name", ["random", "heuristic"])
@pytest.mark.parametrize("variants", [MANY_VARIANTS, ("french-siege-redraw", "french-draft-bateaux")])
def test_variants_are_no_hindrance(name, variants):
    games = [HouseGame(name, name, number, variants=variants) for number in range(12 if name == "random" else 1)]
    assert all(game.over for game in games), [game.number for game in games if not game.over]
    if name == "random" and variants == MANY_VARIANTS:
        seen = {kind for game in games for kind in game.kinds}
        # The defaults answer what variant 0 asks at the end of a turn, as the cards were not yet drawn.
        assert OF_VARIANTS - {DiscardDrawn} - seen == set()


@pytest.mark.parametrize("edition", [1, 2])
def test_heuristic_games_end(edition):
    game = HouseGame("heuristic", "heuristic", 10 + edition, edition=edition)
    assert game.over, f"game {game.number} of edition {edition} has not ended after 600 turns"


@pytest.mark.slow
@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("side", ["british", "french"])
def test_heuristic_beats_random(side, edition):
    names = {"british": "random", "french": "random", side: "heuristic"}
    games = [HouseGame(names["british"], names["french"], number, edition=edition) for number in range(PAIRS)]
    lost = [game.number for game in games if game.winner != side]
    assert len(lost) <= 0.1 * PAIRS, f"{side}, edition {edition}: not won are {lost} of {PAIRS}"
