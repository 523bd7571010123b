"""Cards in standing orders: what only the other side can have is refused when it is read, never kept."""

from itertools import product

import pytest

from adjudicator.errors import OrderSyntax, Refusal
from adjudicator.game import facts
from adjudicator.game.model import SIDES
from adjudicator.orders import read, read_standing, write_standing
from adjudicator.orders.clauses import FORMS
from adjudicator.orders.names import CARD_NAMES, MODIFIERS
from adjudicator.orders.standing import LOCATION, BlockReply, GiveReply, ListReply, SettleReply, Standing

REPLIES = {
    "raid": ("block with",),
    "ambush": ("block always with", "block vulnerable with", "give"),
    "siege lost": ("lose",),
    "siege won": ("settle with",),
    "surrender": ("settle with",),
    "reshuffle": ("discard",),
}
"""Before a list of cards, by occasion; `on priest` has none."""
NAMED = sorted(CARD_NAMES.shown.values())


def own_names(side):
    return {card.name for card in facts.CARDS[side].values()}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("occasion", REPLIES)
@pytest.mark.parametrize("modifier", ["", *MODIFIERS])
def test_every_card_is_refused_or_can_be_written_and_read_back(side, occasion, modifier):
    for reply, named in product(REPLIES[occasion], NAMED):
        text = f"on {occasion}: {reply} {modifier} {named}"
        reading = read(text, side)
        assert not reading.ignored, text
        if reading.refused:
            assert modifier or named not in own_names(side), text
            continue
        (clause,) = reading.standing
        assert named in own_names(side), text
        assert read_standing(write_standing(clause.says, side), side) == clause.says, text


def test_the_occasions_are_all_there_are():
    assert {*REPLIES, "priest"} == set(FORMS)


@pytest.mark.parametrize(
    ("side", "text", "message", "fits"),
    [
        ("french", "on surrender: settle with Boston", "The French have no card Boston.", "Settlers"),
        ("french", "on ambush: give Militia, Boston", "The French have no card Boston.", "Native Americans"),
        ("french", "on siege lost: lose Rangers", "The French have no card Rangers.", "Militia"),
        ("british", "on raid: block with location, Priest", "The British have no card Priest.", "Native Americans"),
        ("british", "on siege won: settle with quebec", "The British have no card Quebec.", "Settlers"),
    ],
)
def test_a_card_of_the_other_side_is_refused_with_what_fits(side, text, message, fits):
    (refusal,) = read(f"draft Governor\n{text}", side).refused
    assert (type(refusal), refusal.line, refusal.text, refusal.message) == (OrderSyntax, 2, text, message)
    start, end = refusal.span
    assert text[start:end].lower() in message.lower()
    assert fits in refusal.choices
    assert set(refusal.choices) <= own_names(side)
    with pytest.raises(Refusal, match=message):
        read_standing(text, side)


@pytest.mark.parametrize("side", SIDES)
def test_writing_never_fails(side):
    for card in {id_ for one in SIDES for id_ in facts.CARDS[one]}:
        cards = ((card,), LOCATION)
        standing = Standing(
            raid=(BlockReply("always", cards),),
            ambush_block=BlockReply("vulnerable", cards),
            ambush_give=GiveReply(cards),
            siege_lost=ListReply(cards),
            siege_won=SettleReply(settle=True, cards=cards),
            surrender=SettleReply(settle=True, cards=cards),
            reshuffle=ListReply(cards),
        )
        assert len(write_standing(standing, side).splitlines()) == len(REPLIES) + 1
