"""Games broken off after every single action: what is written down leads back to the very same moment."""

from collections import Counter

import pytest
from msgspec import UNSET
from random_games import WORDS, RandomGame

from adjudicator.game import engine
from adjudicator.game.actions import StartWith, Withdraw
from adjudicator.game.chance import commitment
from adjudicator.game.edition import VARIANTS
from adjudicator.game.export import Game, Played, Redealt, record_of, redealt
from adjudicator.game.model import Siege, replace
from adjudicator.game.record import read_record, written
from adjudicator.game.verify import verify

GAMES = 16
MOST_GAMES = 400
MOVES = 160
TIMES = 5
"""How often each kind of question must have been open."""
QUESTIONS = {"MaySettle", "MustLose", "MayBlock", "MustGive", "MayExchange", "MustDiscard"}


def states_of(game):
    """The state before each move of a game, and the last one."""
    states = [game.start]
    for move in game.moves:
        if isinstance(move, Redealt):
            states.append(redealt(states[-1], move, game.chance))
        else:
            states.append(engine.apply(game.rules, states[-1], move.side, move.action, game.chance).state)
    return states


def assert_comes_back(game, start, moves, state, label):
    """Written, read and replayed, the part of a game is the same; its moves lead to the same state by themselves."""
    facts = Game(id="part", commitment=commitment(game.seed), seed=game.seed, words=WORDS, from_position=True)
    record = record_of(game.rules, start, moves, game.chance, facts)
    back = read_record(written(record))
    assert back == record, label
    played = verify(back)
    assert [str(mismatch) for mismatch in played.mismatches] == [], label
    assert played.state == state, label
    assert [(move.side, move.action) for move in played.moves] == [
        (move.side, move.action) for move in moves if isinstance(move, Played)
    ], label


def beginnings(states):
    """For each number of moves the number with which the turn began, and that with which the turn before began."""
    begun, before = 0, 0
    for number, state in enumerate(states):
        if number and state.turn != states[number - 1].turn:
            begun, before = number, begun
        yield number, begun, before


def break_off_everywhere(game):
    """Break a game off after every move, its record beginning one turn earlier; returns how often what was open."""
    states = states_of(game)
    first = 1 if game.moves and isinstance(game.moves[0].action, StartWith) else 0
    seen = Counter()
    for number, begun, before in beginnings(states):
        label = (game.number, game.rules.edition, game.rules.variants, number)
        for start in {max(first, before), max(first, begun)} if number > first else ():
            assert_comes_back(game, states[start], game.moves[start:number], states[number], (*label, start))
        seen[type(states[number].question).__name__] += 1
    return seen


def enough(seen):
    return all(seen[kind] >= TIMES for kind in QUESTIONS)


def test_a_game_broken_off_after_any_action_comes_back():
    """Both editions, many variants, with undos; every kind of question must have been open, and some time."""
    seen = Counter()
    for number in range(MOST_GAMES):
        seen += break_off_everywhere(RandomGame(number, moves=MOVES, undo=0.05 * (number % 3)))
        if number + 1 >= GAMES and enough(seen):
            return
    pytest.fail(f"not every question was open: {seen}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_alone(variant):
    for edition in (1, 2):
        break_off_everywhere(RandomGame(edition, edition=edition, variants=[variant], moves=MOVES // 2))


def test_a_loser_asked_in_the_siege_check():
    """Where a game begins at a position without pledges the loser names his card in the winner's turn."""
    asked = 0
    for number in range(MOST_GAMES):
        for state in states_of(RandomGame(number, moves=MOVES)):
            if state.pledged and state.question is None and state.open is None and state.to_move:
                bare = replace(state, pledged=None)
                asked += break_off_everywhere(RandomGame(number, start=bare, moves=20, undo=0.1))["MustLose"]
        if asked >= TIMES:
            return
    pytest.fail(f"no loser was asked often enough: {asked}")


def test_a_capital_given_up_keeps_the_card_that_was_named():
    """Giving up a besieged capital ends the game; no card goes back, but which was named is part of the order."""
    game = RandomGame(1, edition=2, variants=[], moves=0)
    empire = game.start.available_empire
    besieged = replace(
        game.start,
        sieges=replace(game.start.sieges, french=Siege("boston", 0, ("regular-infantry",), ("militia", "rangers"))),
        available_empire=replace(
            empire,
            british={**empire.british, "militia": 0, "rangers": 0},
            french={**empire.french, "regular-infantry": 0},
        ),
    )
    seen = set()
    for place in ("boston", "norfolk"):
        siege = replace(besieged.sieges.french, location=place)
        start = replace(besieged, sieges=replace(besieged.sieges, french=siege))
        for card in ("militia", "rangers"):
            move = Played("british", Withdraw(place, card))
            state = engine.apply(game.rules, start, move.side, move.action, game.chance).state
            assert_comes_back(game, start, [move], state, card)
            entry = record_of(game.rules, start, [move], game.chance, Game(id="x")).turns[0].actions[0]
            over = state.to_move is None
            assert (entry.returned_card, entry.named_card) == ((None, card) if over else (card, UNSET)), place
            seen.add(over)
    assert seen == {True, False}
