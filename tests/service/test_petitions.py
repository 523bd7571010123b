"""What a player asks for besides `set`: read or refused, and never anything in between."""

import pytest
from desk_people import write
from hypothesis import given
from hypothesis import strategies as st
from post_office import ADDRESSES, PostOffice
from time_office import said

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


def test_what_is_said_of_one_address_and_taken_back_below_is_one_wish():
    below = Order(2, "set", (0, 1), "set", "word", "british", argument="address remove x@example.com")
    orders = [order("set", "address add x@example.com"), below]
    deeds, (fault,) = read_deeds(orders, OURS)
    assert deeds == (("remove", "x@example.com"),)
    assert fault.text == "This does not count, as line 2 takes it back."
    both = [order("set", "address x@example.com"), order("set", "address add x@example.com")]
    assert len(read_deeds(both, OURS)[0]) == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("observe g99", "Nobody may watch a game g99."),
        ("observe no", "Nobody may watch a game no."),
        ("observe g1", "You play in game g1 yourself."),
        ("unobserve g1", "You do not watch game g1."),
        ("join 7", "There is no open challenge c7 (any more)."),
        ("cancel challenge 7", "There is no open challenge c7 (any more)."),
    ],
)
def test_what_is_not_possible_is_refused_at_once_in_a_letter_about_a_game_too(office: PostOffice, line: str, why: str):
    office.new_game(public=True)
    count = office.count("british")
    office.answer("british", line)
    word = line.rpartition(" ")[0]
    assert f"In line 1 (“{word}”), not done: {why}" in said(office.last("british"))
    assert "Is this from you" not in str(office.last("british")["Subject"])
    assert office.count("british") == count + 1
    office.answer("british", f"{line}\njoin us\nset name Zed")
    question = next(mail for mail in office.boxes[ADDRESSES["british"]] if mail["Reply-To"].startswith("confirm."))
    assert "your name becomes Zed" in said(question)
    assert why in said(question)
    assert "Which challenge do you mean?" in said(office.last("british"))


def test_who_may_take_part_in_no_new_game_is_told_so_once(office: PostOffice):
    office.new_game()
    with office.ledger.begin() as tx:
        tx.ban_player(1, at=office.now)
    write(office, ADDRESSES["british"], "challenge\njoin 3")
    assert said(office.last("british")).count("you take part in no new game") == 1
