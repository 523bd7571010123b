"""The body of one mail: where it begins, where it stops, what stands in it."""

import pytest
from house_games import HouseGame

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import begin, new_game
from adjudicator.game.model import MaySettle, Open, Piece, Pieces, Siege, replace
from adjudicator.orders import read
from adjudicator.players import PLAYERS, compose_orders
from adjudicator.turns import play

RULES = rules_for(2)
CHANCE = seeded(SILENT)
NAMES = sorted(PLAYERS)
REVEALS = ("raid ", "ambush ", "priest", "indian leader", "home support")


@pytest.fixture
def start():
    return new_game(RULES, CHANCE).state


def holding(state, side, **changes):
    """The same position with another hand, reserve or the like."""
    return replace(state, players=state.players.put(side, replace(state.players.of(side), **changes)))


def turn_of(state, side, turn=9):
    return replace(state, to_move=side, turn=turn)


def besieging(state, attacker, location, strength, attackers=(), defenders=()):
    siege = Siege(location, strength, attackers, defenders)
    return replace(state, sieges=state.sieges.put(attacker, siege))


def test_names_of_the_players():
    assert NAMES == ["heuristic", "random"]


@pytest.mark.parametrize("name", NAMES)
def test_orders_come_only_from_who_decides(start, name):
    with pytest.raises(ValueError, match="french side has nothing to decide"):
        compose_orders(name, RULES, start, "french", b"1")


def test_an_unknown_player(start):
    with pytest.raises(KeyError):
        compose_orders("sage", RULES, start, "british", b"1")


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_ends_with_done_or_with_what_reveals_something(name):
    game = HouseGame(name, name, 3, edition=1)
    for state, side, _, text in game.mails:
        *before, last = text.splitlines()
        where = f"turn {state.turn}: {text!r}"
        if not last.startswith(("settle", "withdraw")):  # which may end the game, or be a reveal themselves
            assert last == "done" or last.startswith(REVEALS), where
        assert not any(line.startswith(REVEALS) or line == "done" for line in before), where
        assert read(text, side).ignored == (), where


@pytest.mark.parametrize("name", NAMES)
def test_a_begun_turn_is_continued(start, name):
    state = replace(turn_of(start, "british"), open=Open(0, siege_checked=True))
    for seed in range(20):
        text = compose_orders(name, RULES, state, "british", bytes([seed]))
        outcome = play(RULES, state, "british", read(text, "british"), CHANCE)
        assert not outcome.refused
        assert outcome.ended, text
        assert text.splitlines() == ["done"]


@pytest.mark.parametrize("name", NAMES)
def test_a_place_just_won_is_answered_first(start, name):
    state = besieging(turn_of(start, "british"), "british", "gaspe", 3, ("militia",))
    state = holding(state, "british", hand=("boston", "new-york", "norfolk"))
    assert isinstance(begin(RULES, state).state.question, MaySettle)
    answers = set()
    for seed in range(30):
        text = compose_orders(name, RULES, state, "british", bytes([seed]))
        answers.add(text.splitlines()[0])
        assert not play(RULES, state, "british", read(text, "british"), CHANCE).refused
    every = {"settle with Boston", "settle with New York", "no settle"}
    assert answers == every if name == "random" else answers < every


@pytest.mark.parametrize("name", NAMES)
def test_the_card_of_a_lost_siege_is_named_before_the_end(start, name):
    state = besieging(turn_of(start, "british"), "british", "louisbourg", -3, ("militia", "regular-infantry"))
    state = holding(state, "british", hand=("norfolk", "pemaquid", "governor"), money=0)
    lost = set()
    for seed in range(60):
        text = compose_orders(name, RULES, state, "british", bytes([seed]))
        outcome = play(RULES, state, "british", read(text, "british"), CHANCE)
        assert not outcome.refused, text
        if "lose" in text:
            *_, named, end = text.splitlines()
            assert end == "done"
            lost.add(named)
    both = {"lose Militia at Louisbourg", "lose Regular Infantry at Louisbourg"}
    assert lost == both if name == "random" else lost <= {"lose Militia at Louisbourg"}


def test_the_french_choose_their_start_card():
    rules = rules_for(2, ["french-start-card"])
    state = new_game(rules, CHANCE).state
    for name in NAMES:
        text = compose_orders(name, rules, state, "french", b"7")
        assert text.startswith("start with ")
        assert len(text.splitlines()) == 1
        assert not play(rules, state, "french", read(text, "french"), CHANCE).refused


def test_a_card_in_exchange_is_looked_at_before_going_on():
    game = HouseGame("random", "random", 2, variants=["french-siege-redraw"])
    more = [HouseGame("random", "random", number, variants=["french-siege-redraw"]) for number in range(3, 12)]
    lines = [text.splitlines() for one in (game, *more) for *_, text in one.mails]
    exchanges = [mail for mail in lines if any(line.startswith("exchange") for line in mail)]
    assert exchanges
    assert all(mail[-1].startswith("exchange") for mail in exchanges)


# What the heuristic player sees at a glance


def heuristic(state, side, seed=b"1"):
    text = compose_orders("heuristic", RULES, state, side, seed)
    assert not play(RULES, state, side, read(text, side), CHANCE).refused, text
    return text.splitlines()


def test_it_settles_an_empty_capital(start):
    board = {place: piece for place, piece in start.board.items() if place != "quebec"}
    board["trois-rivieres"] = Piece("british", "village")
    state = holding(replace(turn_of(start, "british"), board=board), "british", money=9)
    state = holding(state, "british", hand=("trois-rivieres", "st-marys", "boston", "norfolk", "new-york"))
    assert any(line.startswith("settle Quebec") for line in heuristic(state, "british"))


def test_it_reinforces_a_capital_that_would_fall(start):
    state = besieging(turn_of(start, "british"), "french", "boston", 2, ("regular-infantry",))
    hand = ("regular-infantry", "norfolk", "pemaquid", "new-haven", "philadelphia")
    state = holding(state, "british", hand=hand)
    text = "\n".join(heuristic(state, "british"))
    left = play(RULES, state, "british", read(text, "british"), CHANCE).state.sieges.french
    assert left.strength <= 1, text


def test_it_holds_on_to_a_siege_that_it_can_win(start):
    state = besieging(turn_of(start, "british"), "british", "quebec", -1, ("regular-infantry",))
    hand = ("regular-infantry", "siege-artillery", "regular-infantry", "new-haven", "philadelphia")
    orders = heuristic(holding(state, "british", hand=hand, money=8), "british")
    assert sum(line.startswith("reinforce Quebec") for line in orders) == 2


def test_it_draws_before_it_decides(start):
    state = holding(turn_of(start, "french"), "french", hand=("home-support", "quebec", "montreal"))
    assert heuristic(state, "french") == ["home support"]


def test_it_does_not_end_a_game_that_it_is_losing(start):
    """With one town left, developing would end the game at the next turn."""
    state = holding(turn_of(start, "british"), "british", hand=("norfolk", "boston", "st-marys"))
    behind = holding(state, "british", stock=Pieces(5, 1), money=3)
    behind = holding(behind, "french", captured=Pieces(1, 2))
    behind = replace(behind, board=behind.board | {"albany": Piece("french", "town")})
    assert not any(line.startswith("develop") for line in heuristic(behind, "british"))
    ahead = holding(state, "british", stock=Pieces(5, 1), captured=Pieces(1, 2), money=3)
    ahead = replace(ahead, board=ahead.board | {"albany": Piece("british", "town")})
    assert any(line.startswith("develop") for line in heuristic(ahead, "british"))
