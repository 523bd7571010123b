"""What the heuristic player reckons with: chances, values, and which actions deserve a thought."""

from itertools import combinations

import pytest
from house_games import HouseGame

from adjudicator.game.actions import Discard, Raid
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import begin, legal_actions, new_game
from adjudicator.game.model import Open, Piece, Siege, replace
from adjudicator.players.candidates import worth_a_thought
from adjudicator.players.chances import at_least_one, attackers_chance, holds
from adjudicator.players.values import CARD_VALUE, REACH, money_value
from adjudicator.players.worth import raid_risk, worth

RULES = rules_for(2)


@pytest.fixture
def start():
    return new_game(RULES, seeded(SILENT)).state


def spent(state, side):
    """The position at the end of the turn of `side`."""
    return replace(state, to_move=side, turn=9, open=Open(0, siege_checked=True))


@pytest.mark.parametrize(("good", "pool", "drawn"), [(0, 6, 3), (1, 6, 3), (2, 7, 5), (4, 6, 3), (6, 6, 1), (2, 5, 0)])
def test_at_least_one_counts_all_draws(good, pool, drawn):
    draws = list(combinations(range(pool), drawn))
    hits = sum(any(card < good for card in draw) for draw in draws)
    assert at_least_one(good, pool, drawn) == pytest.approx(hits / len(draws))


def test_what_an_opponent_holds_does_not_depend_on_where_it_is(start):
    player = replace(start.players.french, hand=("quebec", "montreal"), deck=("militia", "gaspe"))
    turned = replace(player, hand=player.deck, deck=player.hand)
    assert holds(player, ["militia"]) == holds(turned, ["militia"]) == 0.5


def test_money_is_worth_less_the_more_there_is():
    steps = [round(money_value(coins + 1) - money_value(coins), 6) for coins in range(60)]
    assert all(step > 0 for step in steps)
    assert steps == sorted(steps, reverse=True)


def test_every_empire_card_has_a_value():
    assert {card for kind in (RULES, rules_for(1)) for card in _empire_cards(kind)} == set(CARD_VALUE)


def _empire_cards(rules):
    state = new_game(rules, seeded(SILENT)).state
    cards = set(state.neutral_supply)
    for side in ("british", "french"):
        player = state.players.of(side)
        cards |= set(state.available_empire.of(side))
        cards |= {card for card in player.hand + player.deck if card in CARD_VALUE}
    return cards


def test_the_way_to_a_capital_is_worth_more_the_nearer_it_is():
    french = [REACH["french"][place] for place in ("albany", "fort-william-henry", "ticonderoga", "fort-st-john")]
    assert french == sorted(french, reverse=True)
    assert REACH["british"]["louisbourg"] > REACH["british"]["halifax"] > REACH["british"]["norfolk"]


@pytest.mark.parametrize("strength", [-1, -4])
def test_an_attacker_who_ends_his_turn_behind_has_lost(start, strength):
    siege = Siege("louisbourg", strength, ("militia",))
    assert attackers_chance(RULES, spent(start, "british"), "british", siege, "british") == 0.0


def test_a_defender_who_ends_his_turn_behind_has_lost(start):
    siege = Siege("louisbourg", 2, ("regular-infantry",))
    assert attackers_chance(RULES, spent(start, "french"), "british", siege, "french") == 1.0
    held = replace(siege, strength=1)
    assert attackers_chance(RULES, spent(start, "french"), "british", held, "french") < 1.0


def test_soldiers_help_a_siege(start):
    siege = Siege("louisbourg", 1, ("regular-infantry",))
    weak = spent(start, "british")
    british = weak.players.british
    army = replace(british, discard=("regular-infantry",) * 4)
    strong = replace(weak, players=weak.players.put("british", army))
    chances = [attackers_chance(RULES, state, "british", siege, "british") for state in (weak, strong)]
    assert 0 < chances[0] < chances[1] < 1


def test_raids_are_feared_where_they_can_come(start):
    state = spent(start, "british")
    state = replace(state, board=state.board | {"albany": Piece("british", "town")})
    mine = frozenset(place for place, piece in state.board.items() if piece.owner == "british")
    assert raid_risk(state, "british", mine) == 0.0  # nobody has raiders
    french = state.players.french
    armed = replace(french, hand=(*french.hand, "native-americans"))
    near = replace(
        state,
        players=state.players.put("french", armed),
        board=state.board | {"fort-william-henry": Piece("french", "village")},
    )
    risk = raid_risk(near, "british", mine)
    assert risk > 0.0
    fortified = replace(near, board=near.board | {"albany": Piece("british", "town", fort=True)})
    assert raid_risk(replace(fortified, forts_left=11), "british", mine) < risk


def test_points_and_money_are_good(start):
    state = spent(start, "british")
    rich = replace(state, players=state.players.put("british", replace(state.players.british, money=20)))
    assert worth(RULES, rich, "british") > worth(RULES, state, "british")
    town = replace(state, board=state.board | {"norfolk": Piece("british", "town")})
    assert worth(RULES, town, "british") > worth(RULES, state, "british")
    assert worth(RULES, town, "french") < worth(RULES, state, "french")


def test_what_is_thought_about_is_legal_and_leaves_no_kind_out():
    game = HouseGame("random", "random", 4)
    for state, *_ in game.mails:
        begun = begin(game.rules, state).state
        if begun.question or begun.to_move is None:
            continue
        legal = legal_actions(game.rules, begun)
        chosen = worth_a_thought(legal)
        assert set(chosen) <= set(legal), f"turn {state.turn}"
        missing = {type(action).__name__ for action in legal} - {type(action).__name__ for action in chosen}
        assert missing <= {"Done", "Reserve"}, f"turn {state.turn}"


def test_no_card_is_wasted_on_a_raid():
    near, far = Raid("albany", ("rangers",)), Raid("albany", ("indian-leader", "rangers"))
    assert worth_a_thought([near, far]) == [near]
    assert worth_a_thought([far]) == [far]
    assert worth_a_thought([Discard(("a", "b", "c"))]) == []
