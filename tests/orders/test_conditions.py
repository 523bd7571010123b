"""Conditions and orders for the next turn, read: what each speaks of, what is prose, what is refused."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.orders import read
from adjudicator.orders.conditions import Condition

RAID = "raid Boston with natives"
BLOCKED = Condition("blocked", 0)


def conditions(*lines):
    reading = read("\n".join(lines), "french")
    assert not reading.refused, reading.refused[0].message
    assert not reading.ignored, reading.ignored
    return [order.condition for order in reading.orders]


def refused(*lines):
    reading = read("\n".join(lines), "french")
    assert len(reading.refused) == 1, [fault.message for fault in reading.refused]
    return reading.refused[0]


@pytest.mark.parametrize(
    ("line", "test"),
    [
        ("if blocked: pass", "blocked"),
        ("If Blocked pass", "blocked"),
        ("- if blocked, then: pass", None),
        ("if blocked, pass", "blocked"),
        ("if blocked then pass", "blocked"),
        ("if not blocked: done", "not blocked"),
        ("if unblocked: stop", "not blocked"),
        ("if the hand shown: pass", "hand shown"),
        ("otherwise: pass", None),
    ],
)
def test_a_condition_stands_before_an_order_on_its_line(line, test):
    found = read(f"ambush with natives\n{line}", "french").orders[1:]
    assert [order.condition for order in found] == ([Condition(test, 0)] if test else [])


def test_an_order_keeps_its_words_and_its_condition_apart():
    order = read(f"{RAID}; if blocked: draft Militia", "french").orders[1]
    assert (order.text, order.word, order.cards) == ("if blocked: draft Militia", "draft", (("militia",),))
    assert order.span == (26, 51)
    plain = read("draft Militia", "french").orders[0]
    assert plain.condition is None
    assert order.meaning == plain.meaning


def test_a_block_speaks_of_what_stands_before_it():
    lines = [RAID, "if blocked: raid Albany with Priest", "if blocked: pass", "otherwise: done"]
    assert conditions(*lines) == [None, BLOCKED, BLOCKED, Condition("otherwise", chain=(BLOCKED, BLOCKED))]


def test_an_order_without_condition_begins_a_new_block():
    lines = [RAID, "if blocked: ambush with Militia", "retrieve", "if blocked: pass"]
    assert conditions(*lines)[3] == Condition("blocked", 1)


def test_words_and_prose_part_no_block():
    lines = [RAID, "if blocked: ambush with Militia", "status", "note: what now?", "if blocked: pass"]
    assert conditions(*lines)[4] == BLOCKED


def test_a_block_without_anything_before_it_speaks_of_what_it_holds():
    lines = [RAID, "if blocked: ambush with Militia", "if hand shown: pass"]
    assert conditions(*lines)[2] == Condition("hand shown", 1)


def test_hand_shown_passes_over_a_raid_and_blocked_over_a_priest():
    assert conditions("priest", RAID, "if hand shown: pass")[2] == Condition("hand shown", 0)
    assert conditions(RAID, "priest", "if blocked: pass")[2] == BLOCKED


def test_illegal_speaks_of_the_order_just_before():
    found = conditions("draft Trader", "if illegal: draft Militia", "if illegal: pass")
    assert found[1:] == [Condition("illegal", 0), Condition("illegal", 1)]


def test_otherwise_takes_the_conditions_of_one_sort():
    lines = [RAID, "if illegal: pass", "if blocked: draft Militia", "if hand shown: pass", "otherwise: done"]
    assert conditions("priest", *lines)[-1].chain == (Condition("blocked", 1), Condition("hand shown", 0))


@pytest.mark.parametrize(
    "lines",
    [
        ("otherwise: pass",),
        ("draft Militia", "otherwise: pass"),
        ("if illegal: pass",),
        (RAID, "if blocked: draft Militia", "if illegal: pass", "otherwise: done"),
        (RAID, "if blocked: ambush with Militia", "if hand shown: pass", "otherwise: done"),
        (RAID, "if legal: pass"),
        (RAID, "if blocked:"),
        (RAID, "if blocked: whatever"),
        (RAID, "if blocked: press: ha"),
        (RAID, "if blocked: check"),
        (RAID, "if blocked: resign"),
        (RAID, "if blocked: if hand shown: pass"),
        (RAID, "if blocked: next turn: pass"),
        (RAID, "if blocked: on raid: no block"),
        (RAID, "if blocked and hand shown: pass"),
        (RAID, "if the raid is blocked: pass"),
        (RAID, "if bloked: draft Militia"),
        (RAID, "if blocked: draft governer"),
        (RAID, "if blocked: draft"),
    ],
)
def test_what_means_nothing_or_two_things_is_refused(lines):
    fault = refused(*lines)
    assert (fault.line, fault.text) == (len(lines), lines[-1])
    assert fault.code in ("OrderSyntax", "UnknownName")
    start, end = fault.span
    assert 0 <= start < end <= len(lines[-1])


def test_after_an_order_that_cannot_be_read_no_condition_is_blamed():
    assert refused("raid Bostn with natives", "if blocked: pass", "otherwise: pass").line == 1


@pytest.mark.parametrize(
    "line",
    [
        "if blocked, I will cry",
        "If blocked by you again I resign from the club",
        "Otherwise: nothing new",
        "otherwise fine",
        "Otherwise pass me the salt",
        "If you like: come to dinner",
        "If not, draft Militia",
        "next turn: hello",
        "Next turn I will draft Militia",
        "next turn: nothing new",
        "next turn: press: hello",
        "If only: a long story about how I came to raid Boston",
    ],
)
def test_prose_stays_prose(line):
    reading = read(f"{RAID}\n{line}", "french")
    assert reading.ignored == ((2, line),)
    assert not reading.refused
    assert not reading.ahead


def test_orders_for_the_next_turn_are_kept_apart():
    lines = ["draft Trader", f"next turn: {RAID}; next turn: if blocked: pass", "- Next turn otherwise draft Militia",
             "next turn: done"]  # fmt: skip
    reading = read("\n".join(lines), "french")
    assert [order.word for order in reading.orders] == ["draft"]
    assert [order.text for order in reading.ahead] == [RAID, "if blocked: pass", "otherwise draft Militia", "done"]
    assert [order.condition for order in reading.ahead] == [
        None, BLOCKED, Condition("otherwise", chain=(BLOCKED,)), None,
    ]  # fmt: skip
    for order in reading.ahead:
        assert lines[order.line - 1][slice(*order.span)] == order.text
    assert not reading.clears_ahead


def test_what_is_kept_reads_the_same_when_its_turn_comes():
    ahead = read(f"next turn: {RAID}\nnext turn: if blocked: done\nnext turn: otherwise: pass", "french").ahead
    again = read("\n".join(order.text for order in ahead), "french").orders
    assert [(order.text, order.meaning, order.condition) for order in again] == [
        (order.text, order.meaning, order.condition) for order in ahead
    ]


@pytest.mark.parametrize("word", ["nothing", "none", "cancel", "Nothing!"])
def test_orders_for_the_next_turn_can_be_taken_back(word):
    reading = read(f"next turn: pass\nnext turn: {word}\nnext turn: draft Militia", "french")
    assert reading.clears_ahead
    assert [order.text for order in reading.ahead] == ["draft Militia"]
    assert not reading.refused


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("next turn: draft governer", "UnknownName"),
        ("next turn: raid Boston", "OrderSyntax"),
        ("next turn: if blocked: pass", "OrderSyntax"),
        ("next turn: otherwise: pass", "OrderSyntax"),
        ("next turn: check", "OrderSyntax"),
        ("next turn: resign", "OrderSyntax"),
        ("next turn: on raid: no block", "OrderSyntax"),
    ],
)
def test_a_slip_in_an_order_for_the_next_turn_is_refused_now(line, code):
    fault = refused(f"draft Militia\n{line}")
    assert (fault.code, fault.line, fault.text) == (code, 2, line)


@pytest.mark.parametrize("after", ["pass", "draft Trader", "done", "stop", "if illegal: pass"])
def test_an_order_behind_one_for_the_next_turn_says_which_turn_it_is_for(after):
    fault = refused(f"draft Trader\nnext turn: draft Militia; {after}")
    assert fault.text == after
    assert fault.choices == (f"next turn: {after}",)
    assert not read(f"next turn: draft Militia\n{after if after[:2] != 'if' else 'pass'}", "french").refused


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("darft Militia", "draft"),
        ("drfat Militia, please", "draft"),
        ("riad Boston with natives", "raid"),
        ("Ambuhs with Coureurs de Bois", "ambush"),
        ("setle Kennebec: Boston, Pemaquid", "settle"),
        ("indain leader", "indian"),
        ("chekc\npass", "check"),
        ("doen", "done"),
        ("stpo!", "stop"),
        ("retreive", "retrieve"),
    ],
)
def test_a_misspelt_order_word_is_no_prose(line, meant):
    fault = refused(line)
    assert fault.code == "OrderSyntax"
    assert fault.message.endswith(f"Near to it: {meant}.")
    assert line[slice(*fault.span)].lower() == line.split()[0].lower().rstrip("!")


@pytest.mark.parametrize(
    "line",
    [
        "Chuck", "Chucks", "Drafts: Militia", "Drafted Militia", "Settled Boston", "settles Boston at last",
        "riad can wait", "darft it", "darft Mil", "Daft Militia", "Prist", "Bard", "Board games", "arid Boston",
        "Trader Joe", "Traded Boston", "Lost Militia", "Ride Boston with joy", "Money, honey", "Honey", "Past",
        "Gone", "Dane", "Passe", "Grant", "Drift along", "setle down", "Reserved Militia for you",
    ],
)  # fmt: skip
def test_words_that_only_look_like_orders_stay_prose(line):
    reading = read(line, "french")
    assert not reading.refused, reading.refused[0].message
    assert not reading.orders


PIECES = st.sampled_from(
    ["if blocked:", "if illegal:", "otherwise:", "next turn:", "if hand shown:", "pass", "done", "stop", "\n", "\n",
     ";", RAID, "ambush with Militia", "draft Militia", "priest", "nothing", "if", ":", ","]
)  # fmt: skip


@given(st.lists(PIECES, max_size=16))
def test_no_heap_of_conditions_breaks_the_reader(pieces):
    reading = read(" ".join(pieces), "french")
    for orders in (reading.orders, reading.ahead):
        for place, order in enumerate(orders):
            about = order.condition.about if order.condition else None
            assert about is None or about < place, pieces
    for fault in reading.refused:
        assert fault.span[1] <= len(fault.text)


@pytest.mark.parametrize("line", ["if illegal: pass; otherwise: pass", "if blocked: pass; if not blocked: pass"])
def test_a_mail_full_of_conditions_does_not_take_long(line):
    begun = time.process_time()
    read("\n".join([RAID, *[line] * 1_000]), "british")
    assert time.process_time() - begun < 3
