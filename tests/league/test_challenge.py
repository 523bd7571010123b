"""What a challenge says: all its forms, its faults, and the lots for the sides."""

import hmac
import unicodedata
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import UsageError
from adjudicator.game.edition import VARIANTS
from adjudicator.game.model import BySide
from adjudicator.league.challenge import (
    LONGEST_WORD,
    POSSIBLE,
    ChallengeFaults,
    Offer,
    fit_word,
    fits_rating,
    read_challenge,
    write_challenge,
)
from adjudicator.league.lots import lot, seated

PLAIN = Offer()


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("", PLAIN),
        ("edition 2 as French clock 5d", Offer(side="french", clock="5d")),
        ("Edition first, as the British", Offer(edition=1, side="british")),
        ("as either", PLAIN),
        ("clock 10d+1d/14d weekends loss", Offer(clock="10d+1d/14d weekends loss")),
        ("loss clock 10d+1d/14d weekends", Offer(clock="10d+1d/14d weekends loss")),
        ("clock weekends", Offer(clock="10d+1d/14d weekends")),
        ("weekends", Offer(clock="10d+1d/14d weekends")),
        ("clock none", Offer(clock="none")),
        ("variant fort-quebec", Offer(variants=("fort-quebec",))),
        ("variants 12, fort-quebec and anonymous", Offer(variants=("fort-quebec", "free-discards"), anonymous=True)),
        ("variant 12 variant 10", Offer(variants=("fort-quebec", "free-discards"))),
        (
            "public variants 0 10 edition 1",
            Offer(edition=1, public=True, variants=("reshuffle-penalty", "fort-quebec")),
        ),
        ("switch trader_fur_limit=2", Offer(switches={"trader_fur_limit": 2})),
        ("switch siege_track_is_capped=no", Offer(switches={"siege_track_is_capped": False})),
        ("rated 1400 to 1600", Offer(rated_from=1400, rated_to=1600)),
        ("rated from 1400 - 1600", Offer(rated_from=1400, rated_to=1600)),
        ("rated 1400-1600", Offer(rated_from=1400, rated_to=1600)),
        ("word BANANA.", Offer(word="BANANA")),
        ("word Gru\u0308n", Offer(word="Gr\u00fcn")),
    ],
)
def test_what_can_be_said(text, offer):
    assert read_challenge(text) == offer
    assert read_challenge(write_challenge(offer)) == offer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("edtion 2", "edition"),
        ("anonimous", "anonymous"),
        ("blindfolded", ", ".join(POSSIBLE)),
        ("edition 3", "edition 1 or edition 2"),
        ("edition", "edition 1 or edition 2"),
        ("as frnch", "as British, as French or as either"),
        ("clock", "10d+1d/14d"),
        ("clock 5x", "10d+1d/14d"),
        ("clock 5d holidays ATLANTIS", "DE-BY"),
        ("variant", "variant fort-quebec"),
        ("variant fort-qebec", "near to it is fort-quebec"),
        ("variant 26", VARIANTS[-1]),
        ("variant fort-quebec, free-dscards", "free-discards"),
        ("variant french-draft-bateaux, french-start-bateaux", "exclude"),
        ("switch trader_fur_limit", "trader_fur_limit"),
        ("switch trader_fur_limit=none-at-all", "trader_fur_limit"),
        ("rated", "rated 1400 to 1600"),
        ("rated 1600 to 1400", "rated 1400 to 1600"),
        ("rated 1400", "rated 1400 to 1600"),
        ("rated 1400 to 99999", "rated 1400 to 1600"),
        ("word", "64"),
        ("word a.b", "64"),
        (f"word {'x' * (LONGEST_WORD + 1)}", "64"),
        ("word a\u202eb", "64"),
        ("word a\0b", "64"),
    ],
)
def test_what_cannot_be_said_is_answered_with_what_can(text, told):
    with pytest.raises(UsageError) as caught:
        read_challenge(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("as French as British", "“as French” and “as British”"),
        ("as French, as either", "“as French” and “as either”"),
        ("edition 1 clock 5d edition 2", "“edition 1” and “edition 2”"),
        ("word ONE word TWO", "“word ONE” and “word TWO”"),
        ("clock 5d clock 10d+1d/14d", "“clock 5d” and “clock 10d+1d/14d”"),
        ("clock 5d loss passes", "“loss” and “passes”"),
        ("clock 5d claim as French loss", "“claim” and “loss”"),
        ("questions 2d questions 3d", "“questions 2d” and “questions 3d”"),
        ("holidays DE-BY holidays FR", "“holidays de-by” and “holidays fr”"),
        ("rated 1400 to 1600 rated 1 to 2", "“rated 1400 to 1600” and “rated 1 to 2”"),
        (
            "switch trader_fur_limit=1 switch trader_fur_limit=2",
            "“switch trader_fur_limit=1” and “switch trader_fur_limit=2”",
        ),
    ],
)
def test_of_what_contradicts_itself_nothing_is_chosen(text, both):
    with pytest.raises(UsageError) as caught:
        read_challenge(text)
    assert str(caught.value) == f"{both} contradict each other. Please say one of them only."


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("as French as French", "as French"),
        ("edition 1 edition first", "edition 1"),
        ("clock 5d, clock 5d", "clock 5d"),
        ("clock 5d weekends weekends", "clock 5d weekends"),
        ("word A word A", "word A"),
        ("switch siege_track_is_capped=no switch siege_track_is_capped=false", "switch siege_track_is_capped=no"),
    ],
)
def test_what_is_said_twice_alike_is_said(text, once):
    assert read_challenge(text) == read_challenge(once)


def test_all_faults_of_a_challenge_are_told():
    with pytest.raises(ChallengeFaults) as caught:
        read_challenge("edtion 3 as Frnch clock 5x anonymous")
    first, second, third = caught.value.faults
    assert "“edtion” is nothing" in first
    assert "as British, as French or as either" in second
    assert "The clock cannot be read" in third


@pytest.mark.parametrize("value", ["-1", "0", "1.5", "maybe", "99999", "9" * 5000, "yes", "٣", "²"])
@pytest.mark.parametrize("name", ["trader_fur_limit", "siege_track_is_capped"])
def test_no_internal_text_tells_of_a_switch(name, value):
    if (name, value) == ("siege_track_is_capped", "yes"):
        return
    with pytest.raises(UsageError) as caught:
        read_challenge(f"switch {name}={value}")
    wanted = "a number from 1 to 999, or none" if name == "trader_fur_limit" else "yes or no"
    assert str(caught.value) == f"The switch {name} is {wanted}."


def outcome(text: str) -> Offer | str:
    """The offer, or what is told of the fault."""
    try:
        return read_challenge(text)
    except UsageError as error:
        return str(error)


def check(text: str) -> None:
    """What is read comes back the same from its canonical text; a fault is one short printable sentence."""
    found = outcome(text)
    if isinstance(found, Offer):
        assert read_challenge(write_challenge(found)) == found, text
    else:
        assert found.isprintable(), text
        assert len(found) < 1_000, text


@given(st.lists(st.sampled_from([*POSSIBLE, "French", "2", "5d", "fort-quebec", ",", "to", "1400", "x=1", "\0", "é"])))
def test_any_wishes_are_an_offer_or_one_sentence(words):
    check(" ".join(words))


@given(st.text())
def test_any_text_is_an_offer_or_one_sentence(text):
    check(text)


@given(st.text(max_size=80))
def test_a_fit_word_is_one_word_in_one_form(text):
    word = fit_word(text)
    if word is not None:
        assert word.split() == [word], text
        assert word == unicodedata.normalize("NFC", word) == fit_word(word), text
        assert 0 < len(word) <= LONGEST_WORD, text
        assert word.isprintable(), text


def test_the_word_can_be_kept_back():
    assert "BANANA" in write_challenge(Offer(word="BANANA"))
    assert "BANANA" not in write_challenge(Offer(word="BANANA"), word=False)


def test_a_rating_counts_only_where_there_are_bounds_and_a_rating():
    offer = Offer(rated_from=1400, rated_to=1600)
    assert fits_rating(offer, None)
    assert fits_rating(offer, 1400)
    assert fits_rating(offer, 1600)
    assert not fits_rating(offer, 1399)
    assert not fits_rating(offer, 1601)
    assert fits_rating(PLAIN, 3)


def test_lots_follow_from_seed_and_words_by_the_formula_that_is_published():
    seed = bytes(range(32))
    digest = hmac.new(seed, b"afas lot\0ONE\0TWO", sha256).digest()
    assert lot(seed, "ONE", "TWO") == ("french" if digest[0] & 128 else "british")


def test_lots_are_fair_and_depend_on_each_of_the_three():
    drawn = [lot(sha256(bytes([i, j])).digest(), "a", "b") for i in range(20) for j in range(20)]
    assert 150 < drawn.count("british") < 250
    assert {lot(bytes(32), f"w{i}", "b") for i in range(20)} == {"british", "french"}
    assert {lot(bytes(32), "a", f"w{i}") for i in range(20)} == {"british", "french"}


def test_the_challenger_gets_his_side():
    assert seated(1, 2, "french") == BySide(british=2, french=1)
    assert seated(1, 2, "british") == BySide(british=1, french=2)
