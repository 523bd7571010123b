"""Generated, changed and damaged mails, and those that others collected.

Short here, long by `python -m tests.letters`.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from letters import cases, torture
from letters.changed import damaged, travelled
from letters.reading import SLOW_SECONDS, ordered, see
from letters.shapes import ORDERS

CORPUS = list(cases.corpus())
MEANT = {name: ordered(see(raw).reading) for name, raw in CORPUS}


def chooser(data):
    return lambda options: data.draw(st.sampled_from(options))


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_whatever_its_shape_a_mail_says_its_orders_and_nothing_else(data):
    how, raw = cases.order_mail(chooser(data))
    seen = see(raw)
    assert cases.says_the_orders(seen), f"{how}: {ordered(seen.reading)}"
    assert seen.seconds < SLOW_SECONDS, how


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_journey_does_not_change_what_a_mail_says(data):
    name, raw = data.draw(st.sampled_from(CORPUS))
    seen = see(travelled(raw, chooser(data)))
    assert ordered(seen.reading) == MEANT[name], name


@pytest.mark.parametrize("seed", range(6))
def test_damage_does_no_harm(seed):
    """No crash, nothing slow; a damaged mail is read as the lines that are left, or refused."""
    chosen = random.Random(seed)
    for number in range(100):
        name, raw = chosen.choice(CORPUS)
        raw = damaged(raw, chosen.choice(CORPUS)[1], chosen.choice)
        try:
            seen = see(raw)
        except Exception as error:
            raise AssertionError(f"seed {seed}, mail {number} ({name})") from error
        assert seen.seconds < SLOW_SECONDS, f"seed {seed}, mail {number} ({name})"
        if seen.letter:
            assert [line.number for line in seen.letter.lines] == list(range(1, len(seen.letter.lines) + 1))


def test_the_oracle_itself_notices_what_is_misread():
    plain = "From: ann@example.org\r\n\r\n" + "\r\n".join(ORDERS) + "\r\n"
    assert cases.says_the_orders(see(plain.encode()))
    for wrong in (plain + "draft trader\r\n", plain.replace("bateaux", "batteaux"), "Precedence: bulk\r\n" + plain):
        assert not cases.says_the_orders(see(wrong.encode()))
    assert not cases.orders_nothing(see(plain.encode()))


def test_mails_that_others_collected():
    """The standard library's own test mails: no crash, nothing slow, no order in them."""
    folder = torture.standard_library()
    if folder is None:
        pytest.skip("this Python came without its tests")
    found = list(torture.collected(folder))
    assert len(found) > 30
    for name, raw in found:
        seen = see(raw)
        assert cases.orders_nothing(seen), f"{name}: {ordered(seen.reading)}"
        assert seen.seconds < SLOW_SECONDS, name
