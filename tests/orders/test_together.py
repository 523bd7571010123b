"""Several orders on one line: refused with how they are written."""

import pytest

from adjudicator.orders import read

MESSAGE = "There are several orders on this line. Write each on a line of its own, or put a semicolon between them."


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("draft Militia, draft Governor", ("draft Militia", "draft Governor")),
        ("draft Militia and draft Governor", ("draft Militia", "draft Governor")),
        ("draft Militia. Draft Governor.", ("draft Militia.", "Draft Governor.")),
        ("draft Militia, draft Governer", ("draft Militia", "draft Governer")),
        ("draft Militia then draft Governor, and pass", ("draft Militia", "draft Governor", "pass")),
        ("raid Boston with natives and then draft Militia", ("raid Boston with natives", "draft Militia")),
        ("fortify Quebec & draft Militia", ("fortify Quebec", "draft Militia")),
        ("draft Military Leader, leader Quebec", ("draft Military Leader", "leader Quebec")),
        ("draft Militia, done", ("draft Militia", "done")),
        ("pass, draft Militia", ("pass", "draft Militia")),
        ("pass, draft Militia, draft Governor", ("pass", "draft Militia", "draft Governor")),
        ("check: draft Militia", ("check", "draft Militia")),
        ("next turn: draft Militia, draft Governor", ("next turn: draft Militia", "next turn: draft Governor")),
        ("next turn: draft Militia and pass", ("next turn: draft Militia", "next turn: pass")),
        ("if blocked: draft Militia, pass", ("if blocked: draft Militia", "if blocked: pass")),
        ("on raid: no block, on ambush: ask me", ("on raid: no block", "on ambush: ask me")),
        ("on raid: block with natives, draft Militia", ("on raid: block with natives", "draft Militia")),
        ("next turn: draft Militia, on raid: no block", ("next turn: draft Militia", "on raid: no block")),
    ],
)
def test_the_orders_are_told_apart(line, orders):
    (refusal,) = read(f"raid Boston with natives\n{line}", "french").refused
    assert (refusal.line, refusal.text, refusal.message, refusal.choices) == (2, line, MESSAGE, orders)
    start, end = refusal.span
    assert line[start:].startswith(orders[1].rpartition("turn: ")[2].rpartition("blocked: ")[2])
    assert line[end:] in ("", ".")
    right = read("raid Boston with natives\n" + "\n".join(orders).replace("Governer", "Governor"), "french")
    assert not right.refused
    assert not right.ignored


@pytest.mark.parametrize(
    "line",
    ["raid Boston with natives, leader", "on raid: block with trader, leader"],
)
def test_a_card_that_is_an_order_word_too_is_no_other_order(line):
    (refusal,) = read(line, "french").refused
    assert refusal.message != MESSAGE


@pytest.mark.parametrize(
    "line",
    [
        "Status and history", "pass, please, the salt", "Stop and check that again", "stop: draft beer is out",
        "Done and dusted", "Pass, then I shall raid you", "on siege lost", "On siege won, well done",
    ],
)  # fmt: skip
def test_sentences_stay_plain_words(line):
    reading = read(line, "french")
    assert (reading.refused, reading.orders, reading.ignored) == ((), (), ((1, line),))
