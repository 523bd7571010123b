"""Answers by standing orders and defaults (decisions, sections 2 and 4)."""

import random

import pytest

from adjudicator.game import actions as act
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import (
    MayBlock,
    MayExchange,
    MaySettle,
    MustDiscard,
    MustGive,
    MustLose,
    MustStartWith,
    Piece,
    Siege,
    replace,
)
from adjudicator.orders import NOTHING_SAID, answer, read_standing
from adjudicator.orders.answers import choose
from adjudicator.orders.defaults import about_to_be_lost, default_loss

RAID = MayBlock("french", "raid", "gaspe")
AMBUSH = MayBlock("french", "ambush")


def said(rules, state, question, text=""):
    standing = read_standing(text, question.to) if text else NOTHING_SAID
    return answer(rules, replace(state, question=question), standing)


def holds(edit, state, side, *hand, reserve=()):
    return edit(state, side, hand=hand, reserve=reserve)


def test_a_raid_is_blocked_in_the_default_order(rules, start, edit):
    order = [
        "neutral-native-americans",
        "native-americans",
        "gaspe",
        "neutral-fortification",
        "fortification",
        "militia",
        "coureurs-de-bois",
    ]
    for first in range(len(order)):
        hand = [*order[first:], "quebec", "priest"]
        random.Random(first).shuffle(hand)
        state = holds(edit, start, "french", *hand)
        assert said(rules, state, RAID) == act.Block(order[first]), order[first]
    assert said(rules, holds(edit, start, "french", "priest", "quebec"), RAID) == act.NoBlock()


def test_british_rangers_block_and_militia_does_not(rules, start, edit):
    question = MayBlock("british", "raid", "norfolk")
    assert said(rules, holds(edit, start, "british", "militia", "rangers"), question) == act.Block("rangers")
    assert said(rules, holds(edit, start, "british", "militia"), question) == act.NoBlock()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on raid: no block", act.NoBlock()),
        ("on raid: block with Militia, natives", act.Block("militia")),
        ("on raid: block with coureurs", act.NoBlock()),
        ("on raid: block with coureurs, location", act.Block("gaspe")),
        ("on raid: block with natives", act.Block("native-americans")),
        ("on raid: no block; on raid at Gaspé: block with location", act.Block("gaspe")),
        ("on raid: block; on raid at Gaspé: no block", act.NoBlock()),
        ("on raid: block; on raid at Quebec: no block", act.Block("native-americans")),
        ("on raid: block never; on ambush: block always", act.NoBlock()),
        ("on raid at Gaspé: ask me", None),
        ("on raid at Quebec: ask me", act.Block("native-americans")),
    ],
)
def test_standing_orders_for_raids(rules, start, edit, text, expected):
    state = holds(edit, start, "french", "militia", "native-americans", "gaspe")
    assert said(rules, state, RAID, text) == expected


@pytest.mark.parametrize(
    ("hand", "reserve", "text", "expected"),
    [
        ("militia", "", "", act.NoBlock()),
        ("militia regular-infantry", "", "", act.Block("militia")),
        ("militia", "siege-artillery", "", act.Block("militia")),
        ("fortification gaspe regular-infantry", "", "", act.NoBlock()),
        ("militia", "", "on ambush: block always", act.Block("militia")),
        ("militia regular-infantry", "", "on ambush: block never", act.NoBlock()),
        ("militia regular-infantry", "", "on ambush: block vulnerable with coureurs", act.NoBlock()),
        (
            "militia coureurs-de-bois",
            "",
            "on ambush: block always with coureurs, militia",
            act.Block("coureurs-de-bois"),
        ),
        ("militia", "", "on ambush: ask me", None),
        ("militia native-americans regular-infantry", "", "", act.Block("native-americans")),
    ],
)
def test_ambushes(rules, start, edit, hand, reserve, text, expected):
    state = holds(edit, start, "french", *hand.split(), reserve=tuple(reserve.split()))
    assert said(rules, state, AMBUSH, text) == expected


@pytest.mark.parametrize(
    ("hand", "reserve", "text", "card", "source"),
    [
        ("siege-artillery regular-infantry-start", "regular-infantry", "", "regular-infantry-start", "hand"),
        ("regular-infantry", "regular-infantry", "", "regular-infantry", "reserve"),
        (
            "regular-infantry",
            "regular-infantry",
            "on ambush: give infantry from hand first",
            "regular-infantry",
            "hand",
        ),
        ("siege-artillery regular-infantry", "", "on ambush: give artillery", "siege-artillery", "hand"),
        ("regular-infantry siege-artillery", "", "on ambush: give Militia", "regular-infantry", "hand"),
    ],
)
def test_what_an_ambush_takes(rules, start, edit, hand, reserve, text, card, source):  # noqa: PLR0913 - a row
    state = holds(edit, start, "french", *hand.split(), reserve=tuple(reserve.split()))
    assert said(rules, state, MustGive("french", "ambush"), text) == act.Give(card, source)


def test_siege_cards_are_given_last_unless_they_go_first(start):
    state = replace(start, question=MustGive("british", "ambush"))
    options = (act.Give("siege-artillery", "hand"), act.Give("militia", "siege", "louisbourg"))
    assert choose(state, NOTHING_SAID, options) == options[0]
    assert choose(state, read_standing("on ambush: give from siege first", "british"), options) == options[1]


def test_natives_go_from_the_reserve_first(rules, start, edit):
    native = "neutral-native-americans"
    state = holds(edit, start, "british", native, reserve=(native,))
    question = MustGive("british", "priest")
    assert said(rules, state, question) == act.Give(native, "reserve")
    assert said(rules, state, question, "on priest: give from hand") == act.Give(native, "hand")
    assert said(rules, state, question, "on priest: ask me") is None


def won(start, edit, location, *hand):
    """The British have just won a place in their own turn."""
    board = {place: piece for place, piece in start.board.items() if place != location}
    return edit(replace(start, board=board), "british", hand=hand), MaySettle("british", location)


def test_a_place_won_is_settled_if_no_settler_card_is_needed(rules, start, edit):
    assert said(rules, *won(start, edit, "kennebec", "boston")) == act.SettleWon(None)
    assert said(rules, *won(start, edit, "louisbourg", "boston")) == act.NoSettle()


@pytest.mark.parametrize(
    ("location", "text", "expected"),
    [
        ("louisbourg", "on siege won: settle with New York, Boston", act.SettleWon("boston")),
        ("louisbourg", "on siege won: settle with New York", act.NoSettle()),
        ("louisbourg", "on siege won: settle", act.NoSettle()),
        ("louisbourg", "on surrender: settle with Boston", act.NoSettle()),
        ("louisbourg", "on siege won: ask me", None),
        ("kennebec", "on siege won: no settle", act.NoSettle()),
        ("kennebec", "on siege won: settle with New York", act.SettleWon(None)),
        ("kennebec", "on siege won: ask me", None),
    ],
)
def test_standing_orders_for_places_won(rules, start, edit, location, text, expected):
    state, question = won(start, edit, location, "boston")
    assert said(rules, state, question, text) == expected


def test_a_surrender_happens_in_the_other_sides_turn(rules, start, edit):
    state, question = won(start, edit, "louisbourg", "boston")
    state = replace(state, to_move="french")
    assert said(rules, state, question, "on surrender: settle with Boston") == act.SettleWon("boston")
    assert said(rules, state, question, "on siege won: settle with Boston") == act.NoSettle()


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("", "militia"),
        ("on siege lost: lose artillery, militia", "siege-artillery"),
        ("on siege lost: lose Rangers", "militia"),
        ("on siege lost: ask me", None),
    ],
)
def test_a_siege_lost(rules, siege_state, text, card):
    question = MustLose("british", "british", "louisbourg")
    expected = act.Lose("louisbourg", card) if card else None
    assert said(rules, siege_state, question, text) == expected


def test_the_default_loss_is_the_cheapest_then_the_weakest_then_the_first(start):
    def loss(*cards):
        siege = Siege("louisbourg", 1, cards, ())
        return default_loss(replace(start, sieges=start.sieges.put("british", siege)), "british", "british")

    assert loss("siege-artillery", "regular-infantry", "militia") == "militia"
    assert loss("military-leader", "rangers") == "military-leader"
    assert loss("regular-infantry", "ships", "siege-artillery") == "ships"
    assert loss("boston", "new-york") is None
    assert default_loss(start, "british", "british") is None


def test_equal_costs_go_by_strength(start):
    siege = Siege("boston", -1, ("regular-infantry-start", "coureurs-de-bois"), ())
    state = replace(start, sieges=start.sieges.put("french", siege))
    assert default_loss(state, "french", "french") == "coureurs-de-bois"


@pytest.mark.parametrize(("strength", "losers"), [(2, ("french",)), (1, ()), (0, ()), (-1, ("british",))])
def test_which_sieges_are_about_to_be_lost(siege_state, strength, losers):
    siege = replace(siege_state.sieges.british, strength=strength)
    state = replace(siege_state, sieges=siege_state.sieges.put("british", siege))
    for side in ("british", "french"):
        assert about_to_be_lost(state, side) == (("british",) if side in losers else ())


def test_variants_questions(rules, start, edit):
    assert said(rules, start, MayExchange("french")) == act.NoExchange()
    assert said(rules, start, MustStartWith("french")) is None
    state = holds(edit, start, "french", "gaspe", "trader", "quebec", "gaspe", "montreal")
    question = MustDiscard("french", ("gaspe", "montreal"))
    assert said(rules, state, question) == act.DiscardDrawn(("gaspe", "montreal"))
    assert said(rules, state, question, "on reshuffle: discard Trader, Gaspé") == act.DiscardDrawn(("gaspe", "trader"))
    assert said(rules, state, question, "on reshuffle: discard Militia, Quebec") == act.DiscardDrawn(
        ("montreal", "quebec")
    )
    assert said(rules, state, question, "on reshuffle: discard Gaspé") == act.DiscardDrawn(("gaspe", "montreal"))
    assert said(rules, state, question, "on reshuffle: ask me") is None


def test_no_question_is_our_own_fault(rules, start):
    with pytest.raises(ValueError, match="no question"):
        answer(rules, start, NOTHING_SAID)


@pytest.mark.parametrize("seed", range(4))
def test_the_default_answer_is_always_legal(seed):
    rules = rules_for(2, ("reshuffle-penalty", "ambush-siege-cards", "french-siege-redraw"))
    pick, chance = random.Random(seed), seeded(SILENT, british_word=str(seed))
    state = new_game(rules, chance).state
    answered = 0
    board = {**state.board, "kennebec": Piece("french", "village")}
    state = replace(state, board=board)
    for _ in range(800):
        side = decider(state)
        if side is None:
            break
        legal = legal_actions(rules, state)
        action = pick.choice(legal)
        if state.question:
            action = answer(rules, state, NOTHING_SAID)
            assert action in legal, (seed, state.question, action)
            answered += 1
        state = apply(rules, state, side, action, chance).state
    assert answered, seed
