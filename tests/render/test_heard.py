"""A subject that looks like an order, in a mail without a text."""

import pytest

from adjudicator.reports.heard import is_order_in_subject


@pytest.mark.parametrize(
    "subject",
    ["draft Militia", "Re: draft Militia", "Re: [g17] draft Militia", "RE: AW: Fwd: draft Militia",
     "Re[2]: draft Militia", "[g17] done", "draft governer", "raid Deerfield with Priest; draft Militia",
     "on raid: no block", "SV: help"],
)  # fmt: skip
def test_an_order_in_the_subject_of_an_empty_mail_is_noticed(subject):
    assert is_order_in_subject(subject, ["", "  "], "british")
    assert is_order_in_subject(subject, [], "french")
    assert not is_order_in_subject(subject, ["", "Hello"], "british")


@pytest.mark.parametrize(
    "subject",
    ["", "Re: [g17] Turn 3: you are to move (British)", "Re: orders for turn 3", "check", "Re: check", "[g17]", "Re:",
     "My draft of the orders", "A" * 5_000, "[" * 5_000, "Re: " * 2_000],
)  # fmt: skip
def test_other_subjects_are_none(subject):
    assert not is_order_in_subject(subject, [], "british")
