"""Words passed on: what is shown of them, and what stays behind in an anonymous game."""

import hashlib
import json

import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.game.model import SIDES, other
from adjudicator.game.record import read_record
from adjudicator.game.verify import verify
from adjudicator.service.press import nameless


def said(mail) -> str:
    return " ".join(text_of(mail).split())


def attached(mail):
    (part,) = mail.iter_attachments()
    return part.get_filename(), part.get_content_type(), part.get_content()


def test_the_answer_shows_what_was_passed_on(office):
    office.new_game()
    office.answer("british", "press: good luck\nto you\n\ndraft Ships")
    shown = "says: good luck says: to you"
    assert shown in said(office.last("british"))
    assert "Passed on to your opponent, who reads it like this" in said(office.last("british"))
    assert any(shown in said(mail) for mail in office.boxes[ADDRESSES["french"]])


def test_names_addresses_and_greetings_stay_behind_in_an_anonymous_game(office):
    office.new_game(anonymous=True)
    words = (
        "press: Ann here, write to ann@example.org or Ann.Other@example.com\nyour move\nBest wishes,\nAnn from Leeds"
    )
    office.answer("british", words)
    for side in SIDES:
        text = said(office.last(side)).replace("says: ", "")
        assert "(a name) here, write to (an address) or (an address)" in text
        assert "says: your move" in said(office.last(side))
        assert "Leeds" not in text.split("Understood and carried out")[0]
    assert "Leeds" not in said(office.last("french"))


def test_nothing_is_passed_on_if_nothing_is_left(office):
    office.new_game(anonymous=True)
    count = office.count("french")
    office.answer("british", "press: Cheers, Ann")
    assert office.count("french") == count
    assert "Nothing was left of your message" in said(office.last("british"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Best move of the year, I must say!", "Best move of the year, I must say!"),
        ("Hello\nRegards\nJo", "Hello"),
        ("Hallo\nMit freundlichen Grüßen\nJo", "Hallo"),
        ("joanna is not jo", "joanna is not (a name)"),
        ("mail jo@example.org.", "mail (an address)."),
    ],
)
def test_what_is_left_without_names(text, left):
    assert nameless(text, ["jo"]) == left


def test_the_mails_of_an_anonymous_game_hold_no_byte_of_who_the_other_is(office: PostOffice):
    with office.ledger.begin() as tx:
        for side, name in (("british", "Annabel Quist"), ("french", "Benedikt Zorn")):
            tx.add_address(tx.create_player(name, at=office.now), ADDRESSES[side], verified_at=office.now)
    office.new_game(anonymous=True, french=ADDRESSES["french"])
    for side, body in (
        ("british", "press: it is me, Annabel Quist\n\ndraft Ships"),
        ("french", "status"),
        ("french", "history"),
        ("french", "draft Militia\npress: zorn greets you"),
        ("british", "offer takeback"),
        ("french", "decline"),
        ("british", "draft Nonsense"),
        ("british", "offer draw"),
        ("french", "record"),
        ("french", "accept draw"),
    ):
        office.answer(side, body)
    assert office.game().row.status == "finished"
    names = {"british": (b"annabel", b"quist", b"ann@"), "french": (b"benedikt", b"zorn", b"ben@")}
    for side in SIDES:
        assert office.count(side) > 3
        for mail in office.boxes[ADDRESSES[side]]:
            raw = b"\n".join((mail.as_bytes(), *(part.get_payload(decode=True) or b"" for part in mail.walk()))).lower()
            assert not [name for name in names[other(side)] if name in raw], (side, mail["Subject"])


def test_the_record_comes_with_the_last_mail_and_whenever_it_is_asked_for(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "record")
    name, kind, content = attached(office.last("french"))
    public = json.loads(content)
    assert (name, kind) == ("g1.json", "application/json")
    assert public["public"] is True
    assert len(public["turns"]) == 1
    assert office.game().row.seed.hex() not in str(public)
    office.answer("british", "offer draw")
    office.answer("french", "accept draw")
    for side in SIDES:
        *_, content = attached(office.last(side))
        whole = json.loads(content)
        assert hashlib.sha256(bytes.fromhex(whole["seed"])).hexdigest() == whole["commitment"]
        assert verify(read_record(json.dumps(whole).encode(), "g1.json")).mismatches == ()
    office.answer("british", "record")
    assert json.loads(attached(office.last("british"))[2]) == whole
    assert "so that you can check the shuffles with it" in said(office.last("british"))


def test_orders_below_a_message_are_not_carried_out_and_their_writer_is_told(office):
    office.new_game()
    before = office.count("french")
    office.answer("british", "Hello\n\npress: good luck\ndraft Militia\nthat was all; done\non raid: no block\n\nyours")
    text = said(office.last("british"))
    head = text.partition("==")[0]
    assert "these lines look like orders and were NOT carried out, because they stand in your message" in head
    assert "line 4: draft Militia line 5: that was all, done line 6: on raid: no block" in head
    assert "with a blank line below the message" in head
    assert office.count("french") == before + 1
    assert "NOT carried out" not in said(office.last("french"))
    assert office.game().state.turn == 1


@pytest.mark.parametrize("words", ["press: good luck\n\ndraft Militia", "press: nice raid on Boston\nI like it"])
def test_nothing_is_warned_of_where_no_order_stands_in_a_message(office, words):
    office.new_game()
    office.answer("british", words)
    assert "NOT carried out" not in said(office.last("british"))


def test_a_message_below_a_question_warns_as_well(office):
    office.new_game()
    office.answer("british", "help\npress: good luck; draft Militia")
    text = said(office.last("british"))
    assert "this line looks like an order and was NOT carried out, because it stands in your message" in text
    assert "line 2: draft Militia" in text


def test_players_are_told_where_a_message_ends(office):
    office.new_game()
    assert "The message ends at the next blank line" in said(office.last("british"))
    office.answer("british", "help")
    assert "leave one between a message and the orders below it" in said(office.last("british"))


@pytest.mark.parametrize("words", ["press:", "press:\n\nstatus", "press all:"])
def test_a_message_without_words_is_said_to_be_none(office, words):
    office.new_game()
    count = office.count("french")
    office.answer("british", words)
    assert office.count("french") == count
    assert "anonymous" not in said(office.last("british"))
    if "status" not in words:
        assert "There was no message behind the colon" in said(office.last("british"))


def test_the_words_shown_are_those_that_the_opponent_reads(office):
    office.new_game()
    office.answer("british", "press: see you; bye")
    assert "who reads it like this == says: see you, bye" in said(office.last("british"))
    assert "says: see you, bye" in said(office.last("french"))


def test_what_is_to_be_taken_care_of_has_a_line_of_its_own(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    office.answer("british", "press: hi\ndraft Ships\n\ndraft Governor")
    text = text_of(office.last("british")).replace("\r", "")
    assert "Your turn is still open.\n\nTake care: " in text
