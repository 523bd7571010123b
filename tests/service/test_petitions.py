"""What a player asks for besides `set`: read or refused, and never anything in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import UsageError
from adjudicator.orders import Order, read
from adjudicator.service.deeds import deeds_of, parted, read_deeds
from adjudicator.service.petitions import DATA, ERASE, petition_of

OURS = "play.example.org"


def order(word: str, argument: str = "") -> Order:
    return Order(1, f"{word} {argument}", (0, 1), word, "word", "british", argument=argument)


@pytest.mark.parametrize(
    ("word", "argument", "deed"),
    [
        ("join", "3", ("join", "3")),
        ("join", "c3.", ("join", "3")),
        ("join", "#003 word SALT", ("join", "3 SALT")),
        ("join", "challenge 3, word: SALT!", ("join", "3 SALT")),
        ("join", "3 word Gru\u0308n", ("join", "3 Gr\u00fcn")),
        ("cancel challenge", "12", ("cancel-challenge", "12")),
        ("challenge", "", ("challenge", "edition 2 as either clock 10d+1d/14d")),
        ("leave", "2030-12-20 to 2031-01-05", ("leave", "2030-12-20 to 2031-01-05")),
        ("leave", "Cancel.", ("leave", "cancel")),
        ("my data", "", ("data", "")),
        ("erase me", "", ERASE),
        ("status", "", None),
    ],
)
def test_what_is_asked_for(word, argument, deed):
    assert petition_of(order(word, argument)) == deed


@pytest.mark.parametrize(
    ("word", "argument"),
    [
        ("join", "us"),
        ("join", "3 word a b"),
        ("join", "3 word a.b"),
        ("join", f"3 word {'x' * 65}"),
        ("join", "-1"),
        ("join", "99999999999"),
        ("cancel challenge", "9999999999"),
        ("challenge", "edtion 2"),
        ("leave", "2031-02-30 to 2031-03-01"),
        ("leave", "none"),
    ],
)
def test_what_cannot_be_read_is_a_fault_and_no_deed(word, argument):
    with pytest.raises(UsageError):
        petition_of(order(word, argument))
    assert deeds_of([order(word, argument)], OURS) == ()
    _, (fault,) = read_deeds([order(word, argument)], OURS)
    assert fault.text.isprintable()


def test_who_wants_to_be_forgotten_wants_nothing_else_but_his_data_first():
    orders = [order("set", "name Zed"), order("erase me"), order("challenge")]
    assert deeds_of(orders, OURS) == (ERASE,)
    assert deeds_of([*orders, order("my data")], OURS) == (DATA, ERASE)
    left_out = parted(read_deeds(orders, OURS)[0])[1]
    assert [word for word, _ in left_out] == ["name", "challenge"]
    assert len(deeds_of([orders[0], orders[2]], OURS)) == 2


@pytest.mark.parametrize("zone", ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
def test_a_zone_is_a_deed(zone):
    assert deeds_of(read(f"set zone {zone}", "british").orders, OURS) == (("zone", zone),)
    assert read_deeds(read(f"set zone {zone}", "british").orders, OURS)[1] == ()


@given(st.sampled_from(["join", "cancel challenge", "challenge", "leave", "observe", "set"]), st.text(max_size=80))
def test_any_argument_is_a_deed_or_a_printable_fault(word, argument):
    deeds, faults = read_deeds([order(word, argument)], OURS)
    assert len(deeds) + len(faults) == 1, (word, argument)
    assert all(part.isprintable() for deed in deeds for part in deed), (word, argument)
    assert all(fault.text.isprintable() for fault in faults), (word, argument)
