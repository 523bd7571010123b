"""Standing orders that cannot fire now are found, and only those."""

import random

import pytest

from adjudicator.game.actions import Ambush, Raid
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.facts import LOCATIONS
from adjudicator.game.model import BySide, MayBlock, Piece, Pieces, replace
from adjudicator.orders import NOTHING_SAID, answer, idle, read_standing, write_standing

NEW = new_game(rules_for(2), seeded(SILENT)).state
NO_CARD = "cannot fire now: none of its cards is yours, nor can you draft one"
NO_FIT = "cannot fire now: none of its cards can do this"


def found(text, side="british", state=NEW, rules=None):
    return idle(read_standing(text, side), rules or rules_for(2), state, side)


@pytest.mark.parametrize(
    "text",
    [
        "on raid: block",
        "on raid: ask me",
        "on raid: no block",
        "on raid: block with natives, location",
        "on raid: block with location",
        "on raid: block with Rangers",
        "on raid: block with Trader, Rangers",
        "on raid at Boston: block with Boston",
        "on raid at Boston: ask me",
        "on raid: block with New York",
        "on ambush: ask me",
        "on ambush: block never",
        "on ambush: block always with Rangers",
        "on ambush: give Militia, infantry from hand first",
        "on ambush: give from reserve",
        "on priest: give from hand",
        "on siege lost: lose Ships",
        "on siege won: settle",
        "on siege won: settle with Settlers",
        "on surrender: no settle",
        "on surrender: ask me",
    ],
)
def test_what_may_fire_is_not_told(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("on raid at Quebec: block", "cannot fire now: Quebec is not yours"),
        ("on raid at Albany: no block", "cannot fire now: Albany is not yours"),
        ("on raid: block with Militia", NO_FIT),
        ("on raid at Boston: block with New York", NO_FIT),
        ("on ambush: block always with Fortification", NO_FIT),
        ("on ambush: give Rangers", NO_FIT),
        ("on siege lost: lose Boston", NO_FIT),
        (
            "on siege won: settle with Rangers",
            f"{NO_FIT}, and a place without a settler symbol is settled all the same",
        ),
        ("on reshuffle: discard Trader", "cannot fire: in this game no card is lost to a reshuffle"),
        ("on ambush: give from siege first", "cannot fire: in this game an ambush takes no card from a siege"),
    ],
)
def test_what_cannot_fire_is_told_with_why(text, why):
    standing = read_standing(text, "british")
    assert found(text) == [(write_standing(standing, "british"), why)]


def test_each_clause_is_told_by_itself():
    text = "on raid: block\non raid at Quebec, Boston: ask me\non ambush: ask me\non priest: give from hand"
    assert found(text) == [("on raid at Quebec: ask me", "cannot fire now: Quebec is not yours")]


def test_variants_let_them_fire():
    rules = rules_for(2, ("reshuffle-penalty", "ambush-siege-cards"))
    assert found("on reshuffle: discard Trader; on ambush: give from siege first", rules=rules) == []


def test_a_card_that_the_other_side_has_is_out_of_reach(edit):
    text = "on raid: block with neutral natives"
    gone = replace(NEW, neutral_supply={**NEW.neutral_supply, "neutral-native-americans": 0})
    assert found(text, state=gone) == [("on raid: block with Native Americans", NO_CARD)]
    for zone in ("hand", "deck", "discard", "reserve"):
        assert found(text, state=edit(gone, "british", **{zone: ("neutral-native-americans",)})) == []


def test_cards_that_lie_in_a_siege_come_back(siege_state):
    none = replace(siege_state, available_empire=BySide({}, {}), neutral_supply={})
    assert found("on ambush: give Siege Artillery", state=none) == []
    assert [why for _, why in found("on ambush: give infantry", state=none)] == [NO_CARD]
    assert found("on ambush: give infantry", "french", state=none) == []


def test_forts_and_ways(edit):
    fort = replace(NEW, board={**NEW.board, "boston": Piece("british", "town", fort=True)})
    assert found("on raid at Boston: block", state=fort)[0][1].startswith("cannot fire now: Boston is fortified")
    assert found("on raid at Tadoussac: block", "french")[0][1].startswith("cannot fire now: no way leads to Tadoussac")


def test_without_villages_nothing_is_settled(edit):
    empty = edit(NEW, "british", stock=Pieces(0, 5))
    text = "on siege won: settle; on surrender: settle with Settlers; on siege won: no settle"
    assert [clause for clause, _ in found(text, state=empty)] == ["on surrender: settle with Settlers"]


def test_only_what_the_side_sees_counts():
    """The other side's cards may be any: what is told stays the same."""
    text = "on raid: block with neutral natives; on ambush: give infantry; on raid at Quebec: block"
    foe = NEW.players.french
    other = replace(foe, hand=("neutral-native-americans",) * 3, deck=tuple(reversed(foe.deck)))
    swapped = replace(NEW, players=NEW.players.put("french", other))
    assert found(text) == found(text, state=swapped)
    me = NEW.players.british
    turned = replace(NEW, players=NEW.players.put("british", replace(me, deck=tuple(reversed(me.deck)))))
    assert found(text) == found(text, state=turned)


CLAUSES = (
    *(f"on raid at {place.name}: no block" for place in LOCATIONS.values()),
    "on raid: block with neutral natives",
    "on raid: block with Militia",
    "on ambush: block always with Fortification",
)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_told_to_be_idle_makes_no_difference(seed):
    """A clause that is told to be idle answers as if nothing had been said; one with cards, as if it said no."""
    rules = rules_for(2)
    pick = random.Random(seed)
    chance = seeded(bytes([seed]) * 32)
    state = new_game(rules, chance).state
    told = 0
    for _ in range(400):
        side = decider(state)
        if side is None:
            break
        if side == "british" and isinstance(state.question, MayBlock):
            for text in CLAUSES:
                standing = read_standing(text, "british")
                if idle(standing, rules, state, "british"):
                    told += 1
                    never = read_standing("on raid: no block; on ambush: block never", "british")
                    other = text.startswith("on raid") != (state.question.attack == "raid")
                    without = never if " with " in text and not other else NOTHING_SAID
                    assert answer(rules, state, standing) == answer(rules, state, without), (seed, text)
        legal = legal_actions(rules, state)
        attacks = [action for action in legal if isinstance(action, Raid | Ambush)]
        state = apply(rules, state, side, pick.choice(attacks or legal), chance).state
    assert told > 10, seed
