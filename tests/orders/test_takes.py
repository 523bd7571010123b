"""What is offered in place of a misspelt or unclear name: only what the order takes."""

import pytest

from adjudicator.orders import read
from adjudicator.orders.names import CARD_NAMES
from adjudicator.orders.takes import takes
from adjudicator.orders.words import GAME_WORDS


def refused(line, side="french"):
    (fault,) = read(line, side).refused
    return fault


@pytest.mark.parametrize(
    ("line", "side", "choices"),
    [
        ("draft Governer", "french", ("Governor",)),
        ("draft Fort", "british", ("Fortification",)),
        ("draft Pr", "french", ("Priest",)),
        ("trade Montreel", "french", ("Montreal",)),
        ("develop Albany with Setlers", "british", ("Settlers",)),
        ("block with Fort Duquense", "british", ("Fort Duquesne",)),
        ("on raid: block with Militai", "french", ("Militia",)),
        ("on ambush: give Militai", "british", ("Militia",)),
        ("on siege lost: lose Fort", "french", ("Fortification",)),
        ("fortify Boston with Fort", "british", ("Fortification",)),
        ("raid Bosten with Rangers", "british", ("Boston",)),
    ],
)
def test_only_what_the_order_takes_is_offered(line, side, choices):
    assert refused(line, side).choices == choices


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("draft Bostn", "Near to it: Boston, but this order takes no such card."),
        ("draft Norflok", "Near to it: Norfolk, but this order takes no such card."),
        ("ambush with Prist", "Near to it: Priest, but this order takes no such card."),
        ("on raid: block with Setlers", "Near to it: Settlers, but this order takes no such card."),
        ("draft New", "“new” may mean several cards: New Haven, New York. This order takes none of them."),
    ],
)
def test_what_the_order_does_not_take_is_named_and_not_offered(line, told):
    fault = refused(line)
    assert fault.message.endswith(told)
    assert fault.choices == ()


@pytest.mark.parametrize("side", ["british", "french"])
@pytest.mark.parametrize("word", [word.word for word in GAME_WORDS if word.most])
def test_each_order_takes_some_of_the_cards_that_a_side_can_have(word, side):
    taken = {key for key in CARD_NAMES.shown if takes(word, side)(key)}
    assert taken
    assert not taken & ({"Priest", "Intendant", "Coureurs de Bois"} if side == "british" else {"Indian Leader"})
    if word in ("draft", "start with", "lose", "withdraw"):
        assert not taken & {"boston", "quebec", "gaspe"}
