"""Conditional orders, played: exact, never dropped silently, and within the stretches that are applied whole or not."""

import pytest

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import BySide, Piece, Siege, replace
from adjudicator.orders import read, read_standing
from adjudicator.turns import NO_STANDING, Disarmed, play

RAID = "raid Pemaquid with Coureurs de Bois, Native Americans"
AMBUSH = "ambush with Coureurs de Bois"
NOT_DONE = "What it speaks of was not done."
BLOCKER = ("rangers",)
NOTHING = ()
VULNERABLE = ("militia",)


BOARD_WITH_CANSO = {
    **new_game(rules_for(2), seeded(SILENT)).state.board,
    "canso": Piece("british", "village"),
}


def position(victim, **changes):
    """The French are to move in an ordinary turn; the British hold these cards."""
    state = new_game(rules_for(2), seeded(SILENT)).state
    hand = ("coureurs-de-bois", "native-americans", "priest", "trader")
    french = replace(state.players.french, **{"hand": hand, "money": 9, **changes})
    british = replace(state.players.british, hand=victim, reserve=())
    return replace(state, turn=6, to_move="french", players=BySide(british, french))


def played(state, *lines, earlier=(), forecast=False, standing=NO_STANDING, rules=None):
    reading = read("\n".join(lines), "french")
    assert not reading.refused, reading.refused[0].message
    return play(
        rules or rules_for(2), state, "french", reading, seeded(SILENT), standing, forecast=forecast, earlier=earlier
    )


def told(outcome):
    """What was left out, by line."""
    return {one.line: one.why for one in outcome.disarmed}


@pytest.mark.parametrize(("victim", "drafted"), [(BLOCKER, "draft Trader"), (NOTHING, "draft Militia")])
@pytest.mark.parametrize("opposite", ["if not blocked", "if unblocked", "otherwise", "IF NOT BLOCKED"])
def test_one_of_two_orders_counts_after_a_raid(victim, drafted, opposite):
    outcome = played(position(victim), RAID, "if blocked: draft Trader", f"{opposite}: draft Militia")
    assert outcome.applied == (RAID, drafted)
    assert not outcome.refused
    assert not outcome.not_tried
    assert len(outcome.disarmed) == 1
    assert outcome.ended


def test_what_did_not_count_is_told_with_its_line_and_why():
    outcome = played(position(BLOCKER), RAID, "", "Well then:", "if not blocked: draft Militia", "if blocked: pass")
    assert outcome.disarmed == (Disarmed(4, "if not blocked: draft Militia", "It was blocked."),)
    assert outcome.applied == (RAID, "pass")
    assert told(played(position(NOTHING), RAID, "if blocked: pass")) == {2: "It was not blocked."}


def test_a_mail_whose_last_order_did_not_count_leaves_the_turn_open():
    outcome = played(position(NOTHING), RAID, "if blocked: draft Trader")
    assert not outcome.ended
    assert outcome.state.open.actions_left == 1


@pytest.mark.parametrize(
    ("victim", "counts"),
    [(BLOCKER, "if blocked: pass"), (NOTHING, "if hand shown: pass"), (VULNERABLE, "otherwise: pass")],
)
def test_an_ambush_is_blocked_shows_a_hand_or_takes_a_card(victim, counts):
    lines = ["if blocked: pass", "if hand shown: pass", "otherwise: pass"]
    standing = NO_STANDING.put("british", read_standing("on ambush: block always", "british"))
    outcome = played(position(victim), AMBUSH, *lines, standing=standing)
    assert outcome.applied == (AMBUSH, "pass")
    assert {one.text for one in outcome.disarmed} == {*lines} - {counts}


def test_a_priest_may_be_shown_a_hand():
    lines = ["priest", "if hand shown: draft Militia", "otherwise: draft Trader"]
    assert played(position(NOTHING), *lines).applied == ("priest", "draft Militia")
    assert played(position(("neutral-native-americans",)), *lines).applied == ("priest", "draft Trader")


def test_all_lines_of_a_block_speak_of_the_same_attack():
    """The ambush in the second line is not what the third speaks of."""
    outcome = played(
        position(NOTHING),
        "raid Pemaquid with Native Americans, Priest",
        "if not blocked: ambush with Coureurs de Bois",
        "if not blocked: retrieve",
        "if blocked: draft Militia",
        "if hand shown: home support",
    )
    assert outcome.moves[2].text == "ambush with Coureurs de Bois"
    assert outcome.refused[0].text == "if not blocked: retrieve"
    assert outcome.not_tried == ("if blocked: draft Militia", "if hand shown: home support")
    lines = ["raid Pemaquid with Native Americans, Priest", "if not blocked: ambush with Coureurs de Bois"]
    outcome = played(position(NOTHING), *lines, "if hand shown: stop", "if blocked: done")
    assert told(outcome) == {4: "It was not blocked."}
    assert not outcome.ended


def test_what_speaks_of_an_order_that_was_left_out_is_left_out():
    outcome = played(
        position(BLOCKER),
        "raid Pemaquid with Native Americans, Priest",
        "if not blocked: ambush with Coureurs de Bois",
        "draft Militia",
        "if blocked: done",
        "if not blocked: done",
        "otherwise: done",
    )
    assert told(outcome) == {2: "It was blocked.", 4: NOT_DONE, 5: NOT_DONE, 6: NOT_DONE}


def test_an_illegal_order_is_replaced_by_the_next():
    lines = ["draft Siege Artillery", "if illegal: draft bought Infantry", "if illegal: draft Militia", "pass"]
    poor, rich, middling = (position(NOTHING, money=money) for money in (2, 9, 7))
    assert played(rich, *lines).applied == ("draft Siege Artillery", "pass")
    assert told(played(rich, *lines)) == {2: "The order before it was legal.", 3: NOT_DONE}
    assert played(middling, *lines).applied == ("draft bought Infantry", "pass")
    outcome = played(poor, *lines)
    assert outcome.applied == ("draft Militia", "pass")
    assert [one.rule for one in outcome.disarmed] == ["S13.1", "S13.1"]
    assert outcome.ended


def test_an_answer_may_be_replaced_too():
    """A siege was won as the turn began; the default settles only where no settler card is needed."""
    state = position(NOTHING, hand=("trader", "quebec"), deck=())
    siege = Siege("canso", 2, ("militia",), ())
    state = replace(state, sieges=state.sieges.put("french", siege), board=BOARD_WITH_CANSO)
    lines = ["settle with Trader", "if illegal: no settle", "otherwise: draft Trader", "draft Militia"]
    outcome = played(state, *lines)
    assert outcome.applied == ("no settle", "draft Militia")
    assert {one.line: one.rule for one in outcome.disarmed} == {1: "S8.12", 3: None}
    assert "LeftNeutral" in [type(event).__name__ for event in outcome.events]


def test_the_last_of_several_counts_as_any_order():
    outcome = played(position(NOTHING, money=0), "draft Siege Artillery", "if illegal: draft Militia", "pass")
    assert [(one.line, one.rule) for one in outcome.refused] == [(2, "S13.1")]
    assert outcome.not_tried == ("pass",)
    assert told(outcome)[1].startswith("Drafting")
    assert not outcome.applied


@pytest.mark.parametrize(
    ("money", "applied"), [(2, ("draft Militia",)), (8, ("draft Siege Artillery", "draft Trader"))]
)
def test_otherwise_is_the_opposite_of_illegal(money, applied):
    lines = ["draft Siege Artillery", "if illegal: draft Militia", "otherwise: draft Trader", "stop"]
    assert played(position(NOTHING, money=money), *lines).applied == applied


def test_a_replaced_raid_is_the_one_that_conditions_speak_of():
    lines = ["raid Boston with Coureurs de Bois", f"if illegal: {RAID}", "if blocked: done", "otherwise: draft Militia"]
    assert played(position(BLOCKER), *lines).applied == (RAID, "pass")
    assert played(position(NOTHING), *lines).applied == (RAID, "draft Militia")
    instead = played(position(BLOCKER), lines[0], "if illegal: pass", "if not blocked: pass", "otherwise: pass")
    assert instead.applied == ("pass",)
    assert told(instead)[3] == NOT_DONE


def test_a_stretch_is_applied_whole_or_not_with_what_counts_of_it():
    """The draft that is left out would be illegal; the one that counts is, and takes the rest of its stretch along."""
    lines = [RAID, "if blocked: draft Siege Artillery", "if not blocked: draft Trader", "stop"]
    poor = position(NOTHING, money=1)
    assert played(poor, *lines).applied == (RAID, "draft Trader")
    outcome = played(position(BLOCKER, money=1), RAID, "if blocked: reserve Trader", "if blocked: draft Militia")
    assert outcome.applied == (RAID,)
    assert [one.line for one in outcome.refused] == [3]
    assert outcome.not_tried == ("if blocked: reserve Trader",)


def test_done_may_be_conditional():
    lines = [RAID, "if blocked: done", "if not blocked: draft Militia", "draft Trader"]
    outcome = played(position(BLOCKER), *lines)
    assert outcome.applied == (RAID, "pass")
    assert outcome.ended
    assert told(outcome) == {3: "It was blocked."}
    assert outcome.not_tried == ("draft Trader",)


def test_stop_may_be_conditional():
    lines = [RAID, "if blocked: stop", "draft Militia"]
    assert not played(position(BLOCKER), *lines).ended
    assert played(position(NOTHING), *lines).ended


def test_orders_that_all_fail_end_no_turn():
    earlier = played(position(NOTHING), RAID, "draft Militia", "stop")
    assert earlier.state.open.actions_left == 0
    assert not played(earlier.state, "if blocked: pass", earlier=earlier.events).ended
    assert played(earlier.state, "if not blocked: done", earlier=earlier.events).ended


@pytest.mark.parametrize(("victim", "drafted"), [(BLOCKER, "draft Trader"), (NOTHING, "draft Militia")])
def test_a_later_mail_speaks_of_the_same_turn(victim, drafted):
    first = played(position(victim), RAID)
    outcome = played(first.state, "if blocked: draft Trader", "otherwise: draft Militia", earlier=first.events)
    assert outcome.applied == (drafted,)
    assert outcome.ended


def test_a_later_mail_speaks_of_the_last_order_of_its_kind():
    """An ambush showed the hand, then a raid was blocked: neither is taken for the other."""
    first = played(position(BLOCKER), "ambush with Coureurs de Bois")
    assert not told(first)
    both = played(first.state, "raid Pemaquid with Native Americans, Priest", "stop")
    events = first.events + both.events
    outcome = played(both.state, "if hand shown: stop", "if not blocked: done", earlier=events)
    assert told(outcome) == {2: "It was blocked."}
    assert not outcome.ended


@pytest.mark.parametrize("line", ["if blocked: pass", "if not blocked: done", "if hand shown: stop"])
def test_a_condition_about_nothing_refuses_the_mail(line):
    outcome = played(position(NOTHING), "draft Militia", line)
    assert [(one.code, one.line, one.text) for one in outcome.refused] == [("OrderSyntax", 2, line)]
    assert "none stands before it in this turn" in outcome.refused[0].message
    assert outcome.not_tried == ("draft Militia",)
    assert not outcome.moves


def test_the_other_sides_attack_is_none_of_mine():
    first = played(position(NOTHING), RAID)
    theirs = tuple(replace(e, side="british") if hasattr(e, "side") else e for e in first.events)
    assert played(first.state, "if not blocked: pass", earlier=theirs).refused[0].code == "OrderSyntax"


def test_a_forecast_stops_before_the_first_hidden_thing():
    outcome = played(position(BLOCKER), "check", "draft Militia", RAID, "if blocked: pass", forecast=True)
    assert outcome.applied == ("draft Militia",)
    assert outcome.not_tried == ("if blocked: pass",)
    assert not outcome.disarmed


def test_a_forecast_tells_what_is_illegal():
    outcome = played(position(BLOCKER, money=2), "draft Governor", "if illegal: pass", forecast=True)
    assert told(outcome) == {2: "The order before it was legal."}
    outcome = played(position(BLOCKER, money=2), "draft Ships", "if illegal: draft Militia", forecast=True)
    assert outcome.applied == ("draft Militia",)
    assert [one.line for one in outcome.disarmed] == [1]


def test_what_waits_for_the_other_side_is_not_tried():
    standing = NO_STANDING.put("british", read_standing("on raid: ask me", "british"))
    outcome = played(position(BLOCKER), RAID, "if blocked: pass", "otherwise: draft Militia", standing=standing)
    assert outcome.question.to == "british"
    assert outcome.not_tried == ("if blocked: pass", "otherwise: draft Militia")
    assert not outcome.disarmed


def test_done_and_stop_under_conditions_do_not_contradict():
    lines = [RAID, "if blocked: done", "if not blocked: stop"]
    assert played(position(BLOCKER), *lines).ended
    assert not played(position(NOTHING), *lines).ended
    after = played(position(BLOCKER), RAID, "done", "if blocked: pass")
    assert after.refused[0].message == "An order stands after done."
