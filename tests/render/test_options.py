"""The possibilities in a few lines lose no legal order and invent no card."""

from adjudicator.game.actions import Settle
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import decider, legal_actions
from adjudicator.reports.options import SHAPES, cards_of, options


def test_every_card_of_every_legal_order_is_in_its_row_and_no_other(games):
    for seed, positions in games.items():
        for number, (state, _) in enumerate(positions[::5]):
            if decider(state) is None:
                continue
            legal = legal_actions(rules_for(), state)
            listed = {
                (group.word, row.place, part.role, card)
                for group in options(legal) for row in group.rows for part in row.parts for card in part.cards
            }  # fmt: skip
            played = set()
            for action in legal:
                word, place = SHAPES[type(action)].word, getattr(action, "target", None)
                for role, cards in cards_of(action):
                    played |= {(word, place, role, card) for card in cards}
            assert listed == played, f"seed {seed}, position {number * 5}"


def test_every_word_of_a_legal_order_is_a_group(games):
    state = games[0][0][0]
    legal = legal_actions(rules_for(), state)
    assert {group.word for group in options(legal)} == {SHAPES[type(action)].word for action in legal}


def test_each_origin_has_a_row_of_its_own():
    legal = (
        Settle("baltimore", "norfolk", "boston", "new-york"),
        Settle("baltimore", "norfolk", "new-haven", "new-york"),
        Settle("baltimore", "st-marys", "albany", "new-york"),
    )
    (group,) = options(legal)
    assert [row.parts[0].cards for row in group.rows] == [("norfolk",), ("st-marys",)]
    assert group.rows[0].parts[1].cards == ("boston", "new-haven")
    assert (group.rows[0].need, group.rows[0].most) == (3, 3)
