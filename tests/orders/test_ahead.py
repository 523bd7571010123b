"""Orders sent ahead: what the other side has changed of what they name."""

import random

import pytest

from adjudicator.game.actions import (
    Ambush,
    Block,
    Discard,
    Draft,
    Merchant,
    Priest,
    Raid,
    Reserve,
    TakeMoney,
    Trade,
)
from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import BySide, Piece, Siege, replace
from adjudicator.orders import read, write
from adjudicator.orders.ahead import cards, changed, places

ORDERS = (
    "settle Kennebec from Boston with Pemaquid",
    "raid Gaspe with Rangers, Indian Leader",
    "reinforce Quebec with Siege Artillery",
    "discard Boston, Militia",
    "draft Settlers",
    "draft natives",
    "retrieve",
    "priest",
    "indian leader",
    "fortify Boston",
    "merchant Norfolk: Philadelphia",
    "ambush with natives",
    "if blocked: pass",
    "done",
)


def ahead(*lines, side="british"):
    reading = read("\n".join(f"next turn: {line}" for line in lines), side)
    assert not reading.refused, reading.refused[0].message
    return reading.ahead


def whats(before, after, *lines, side="british"):
    return [(order.text, what) for order, what in changed(before, after, side, ahead(*lines, side=side))]


@pytest.fixture
def state(start, edit):
    hand = ("rangers", "boston", "neutral-native-americans", "militia", "fortification", "indian-leader")
    return edit(start, "british", hand=hand, reserve=("siege-artillery",), discard=("pemaquid",), money=5)


def test_nothing_has_changed_where_nothing_was_named(state, edit):
    assert whats(state, state, *ORDERS[:11], *ORDERS[12:]) == []
    foe = edit(state, "french", money=0, hand=(), reserve=(), discard=("gaspe",), deck=())
    more = edit(replace(foe, forts_left=0, turn=9), "british", money=9)
    assert whats(state, more, *ORDERS[:11], *ORDERS[12:]) == []


@pytest.mark.parametrize(
    ("location", "piece", "named"),
    [
        ("gaspe", None, {ORDERS[1]}),
        ("gaspe", Piece("french", "village", fort=True), {ORDERS[1]}),
        ("boston", Piece("british", "village"), {ORDERS[0], ORDERS[9]}),
        ("norfolk", None, {ORDERS[10]}),
        ("kennebec", Piece("french", "village"), {ORDERS[0]}),
        ("new-york", None, set()),
    ],
)
def test_a_place_that_is_named_or_whose_card_is_used(state, location, piece, named):
    board = {**state.board, location: piece} if piece else {k: v for k, v in state.board.items() if k != location}
    found = whats(state, replace(state, board=board), *ORDERS[:11])
    assert {text for text, _ in found} == named
    assert len(found) == len(named)


def test_a_siege_and_the_cards_in_it(state):
    def besieged(*defenders, strength=0):
        siege = Siege("quebec", strength, ("rangers",), defenders)
        return replace(state, sieges=state.sieges.put("british", siege))

    order = ORDERS[2]
    assert whats(state, besieged(), order, "pass") == [(order, "Quebec")]
    assert whats(besieged(), besieged("militia"), order) == [(order, "Quebec")]
    assert whats(besieged(), besieged(strength=1), order) == [(order, "Quebec")]
    assert whats(besieged(), state, order, "withdraw from Quebec") == [
        (order, "Quebec"),
        ("withdraw from Quebec", "Quebec"),
    ]
    assert whats(besieged(), besieged(), order) == []


@pytest.mark.parametrize(
    ("zone", "left", "expected"),
    [
        (
            "hand",
            ("boston", "neutral-native-americans", "militia"),
            {
                (ORDERS[1], "Rangers"),
                (ORDERS[1], "Indian Leader"),
                (ORDERS[8], "Indian Leader"),
                (ORDERS[9], "Fortification"),
            },
        ),
        ("hand", ("rangers", "boston", "militia", "fortification", "indian-leader"), set()),
        ("reserve", (), {(ORDERS[2], "Siege Artillery"), (ORDERS[6], "your reserve")}),
        ("discard", (), {(ORDERS[0], "Pemaquid")}),
    ],
)
def test_own_cards_that_no_longer_lie_where_they_lay(state, edit, zone, left, expected):
    assert set(whats(state, edit(state, "british", **{zone: left}), *ORDERS[:11])) == expected


def test_one_of_two_cards_of_a_name_counts(state, edit):
    two = edit(state, "british", hand=("militia", "militia"))
    one = edit(state, "british", hand=("militia",))
    assert whats(two, one, "discard Militia", "draft Militia") == [("discard Militia", "Militia")]


def test_a_pile_counts_once_it_holds_too_few(state):
    def supply(settlers):
        return replace(state, neutral_supply={"neutral-settlers": settlers}, available_empire=state.available_empire)

    own = state.available_empire.british.get("settlers", 0)
    assert own == 1
    assert whats(supply(2), supply(1), "draft Settlers") == []
    assert whats(supply(1), supply(0), "draft neutral Settlers") == [
        ("draft neutral Settlers", "neutral Settlers to draft")
    ]
    twice = whats(supply(1), supply(0), "draft Settlers", "draft Settlers")
    assert twice == [("draft Settlers", "neutral Settlers to draft")] * 2
    assert whats(supply(0), supply(0), "draft neutral Settlers") == []


@pytest.mark.parametrize(
    ("order", "costs"),
    [
        ("draft Militia", True),
        ("draft Trader", False),
        ("fortify Boston", True),
        ("retrieve", True),
        ("discard Militia", False),
        ("discard Militia, Boston", True),
        ("raid Gaspe with natives", True),
        ("raid Gaspe with Rangers", False),
        ("ambush with natives", True),
        ("reinforce Quebec with Siege Artillery", True),
        ("reinforce Quebec with Militia", False),
        ("money from Boston", False),
        ("pass", False),
    ],
)
def test_money_lost_to_piracy_counts_for_what_costs(state, edit, order, costs):
    poorer = edit(state, "british", money=1)
    assert whats(state, poorer, order) == ([(order, "your money")] if costs else [])


def test_what_an_order_names():
    def one(line, side="british"):
        return ahead(line, side=side)[0]

    assert places(one(ORDERS[0])) == ("kennebec", "boston", "pemaquid")
    assert cards(one(ORDERS[0])) == ("boston", "pemaquid")
    assert places(one("discard Boston")) == ()
    assert cards(one("priest", "french")) == ("priest",)
    assert cards(one("priest")) == ()
    assert places(one("piracy with Port Royal", "french")) == ("port-royal",)
    assert cards(one("piracy with Port Royal", "french")) == ("port-royal", "louisbourg")
    assert cards(one("fortify Boston")) == ("fortification", "neutral-fortification")
    assert cards(one("fortify Boston with neutral Fortification")) == ("neutral-fortification",)
    assert cards(one("draft Militia")) == ()
    assert cards(one("done")) == ()


NEEDS_ONLY_WHAT_IT_NAMES = (TakeMoney, Merchant, Trade, Draft, Discard, Reserve)


def whole_turn(rules, state, pick, chance):
    """Play at random, attacks first, until the other side is to move or the game is over."""
    turn = state.turn
    while state.turn == turn and state.to_move:
        legal = legal_actions(rules, state)
        attacks = [action for action in legal if isinstance(action, Raid | Ambush | Priest | Block)]
        state = apply(rules, state, decider(state), pick.choice(attacks or legal), chance).state
    return state


SEEDS = range(5)


def test_an_order_that_names_nothing_changed_is_still_legal():
    both = [sum(column) for column in zip(*(kept_and_dropped(seed) for seed in SEEDS), strict=True)]
    assert both[0] > 200
    assert both[1] > 5


def kept_and_dropped(seed):
    """How many legal orders were kept to the next turn, each still legal, and how many were not."""
    rules, pick, chance = rules_for(2), random.Random(seed), seeded(bytes([seed]) * 32)
    after = new_game(rules, chance).state
    kept = dropped = 0
    while kept < 400:
        side = after.to_move
        before = whole_turn(rules, after, pick, chance)
        after = whole_turn(rules, before, pick, chance) if before.to_move else before
        if after.to_move is None or after.question or after.sieges != BySide(None, None):
            break
        mine = replace(before, to_move=side, turn=before.turn + 1, open=None)
        legal = legal_actions(rules, mine, NEEDS_ONLY_WHAT_IT_NAMES)
        still = legal_actions(rules, after, NEEDS_ONLY_WHAT_IT_NAMES)
        for action in pick.sample(legal, k=min(20, len(legal))):
            if changed(before, after, side, ahead(write(action, side), side=side)):
                dropped += 1
            else:
                kept += 1
                assert action in still, (seed, after.turn, write(action, side))
    return kept, dropped
