"""Names of places and cards: beginnings, aliases, misspellings, and what is printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import AmbiguousName, UnknownName
from adjudicator.game import facts
from adjudicator.orders.names import PLACES, begins_as_name, name, place, read_card, read_place
from adjudicator.orders.tokens import FILLERS, fold, tokens

SIDES = ("british", "french")
PLACE_NAMES = {location.id: location.name for location in facts.LOCATIONS.values()}
ALL_CARDS = sorted({card.name for side in SIDES for card in facts.CARDS[side].values()})


def plain(text):
    return "".join(fold(word) for word in text.replace("-", " ").split())


def test_every_beginning_of_a_place_means_it_exactly_if_no_other_place_begins_so():
    # Aliases are names too: "saint" is a beginning of "Saint Mary's".
    spelled = [
        (location.id, plain(text))
        for location in facts.LOCATIONS.values()
        for text in (location.name, *location.aliases)
    ]
    for location, printed in PLACE_NAMES.items():
        for end in range(1, len(printed) + 1):
            start = plain(printed[:end])
            if start in FILLERS:
                continue
            sharing = {id_ for id_, whole in spelled if whole.startswith(start)}
            full = {id_ for id_, whole in spelled if whole == start}
            expected = full or sharing
            assert set(PLACES.find(start)) == expected, printed[:end]
            if expected == {location}:
                assert read_place(tokens(printed[:end])) == location


def test_every_beginning_of_a_card_is_taken_among_all_cards_of_both_sides_or_refused():
    aliases = [(location.name, alias) for location in facts.LOCATIONS.values() for alias in location.aliases]
    spelled = [(printed, plain(text)) for printed, text in [(card, card) for card in ALL_CARDS] + aliases]
    for printed in ALL_CARDS:
        for end in range(1, len(printed) + 1):
            start = plain(printed[:end])
            sharing = {other for other, whole in spelled if whole.startswith(start)}
            full = {other for other, whole in spelled if whole == start}
            if start in FILLERS:
                continue
            if len(full or sharing) == 1:
                assert read_card(tokens(printed[:end]), "british"), printed[:end]
            else:
                with pytest.raises(AmbiguousName) as caught:
                    read_card(tokens(printed[:end]), "british")
                assert set(caught.value.choices) == sharing


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("hal", "halifax"),
        ("Fort H", "fort-halifax"),
        ("duquesne", "fort-duquesne"),
        ("John", "fort-st-john"),
        ("Presqu\u2019Isle", "fort-presquisle"),
        ("ft. presquile", "fort-presquisle"),
        ("newyork", "new-york"),
        ("TROIS RIVI\u00c8RES", "trois-rivieres"),
        ("Saint Marys", "st-marys"),
        ("Mont", "montreal"),
        ("haven", "new-haven"),
    ],
)
def test_places_by_other_names(written, meant):
    assert read_place(tokens(written)) == meant


@pytest.mark.parametrize(
    ("written", "british", "french"),
    [
        ("infantry", "regular-infantry", "regular-infantry-start regular-infantry"),
        ("regulars", "regular-infantry", "regular-infantry-start regular-infantry"),
        ("start infantry", None, "regular-infantry-start"),
        ("bought infantry", "regular-infantry", "regular-infantry"),
        ("natives", "neutral-native-americans", "native-americans neutral-native-americans"),
        ("neutral natives", "neutral-native-americans", "neutral-native-americans"),
        ("own natives", None, "native-americans"),
        ("settlers", "settlers neutral-settlers", "neutral-settlers"),
        ("artillery", "siege-artillery", "siege-artillery"),
        ("coureurs", "coureurs-de-bois", "coureurs-de-bois"),
        ("ranger", "rangers", "rangers"),
        ("fortification", "fortification neutral-fortification", "fortification neutral-fortification"),
        ("support", "home-support", "home-support"),
        ("own Boston", "boston", "boston"),
        ("neutral Boston", None, None),
    ],
)
def test_cards_by_other_names(written, british, french):
    for side, meant in (("british", british), ("french", french)):
        if meant is None:
            with pytest.raises(UnknownName):
                read_card(tokens(written), side)
        else:
            assert read_card(tokens(written), side) == tuple(meant.split())


def test_what_is_printed_means_that_card_first():
    for side in SIDES:
        for card in facts.CARDS[side]:
            assert read_card(tokens(name(side, card)), side)[0] == card
        assert len({name(side, card) for card in facts.CARDS[side]}) == len(facts.CARDS[side])
    for location in facts.LOCATIONS:
        assert read_place(tokens(place(location))) == location


def test_printed_names():
    assert name("french", "regular-infantry-start") == "start Infantry"
    assert name("french", "regular-infantry") == "bought Infantry"
    assert name("british", "regular-infantry") == "Regular Infantry"
    assert name("british", "neutral-settlers") == "neutral Settlers"
    assert name("french", "neutral-settlers") == "Settlers"
    assert name("british", "neutral-native-americans") == "Native Americans"
    with pytest.raises(KeyError):
        name("british", "intendant")


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("militea", "Militia"),
        ("Regular Infntry", "Regular Infantry"),
        ("governem", "Governor"),
        ("Kennebeck", "Kennebec"),
        ("Michilimackinac", "Michillimackinac"),
        ("bostn", "Boston"),
        ("Coureur du Bois", "Coureurs de Bois"),
    ],
)
def test_misspelt_names_are_near_and_never_taken(written, near):
    with pytest.raises(UnknownName) as caught:
        read_card(tokens(written), "british")
    assert near in caught.value.choices
    assert begins_as_name(tokens(written + " tomorrow"))


@given(st.sampled_from(sorted(PLACE_NAMES)), st.data())
def test_a_slip_of_the_pen_offers_the_place_that_was_meant(location, data):
    printed = plain(PLACE_NAMES[location])
    if len(printed) < 6:
        return
    at = data.draw(st.integers(1, len(printed) - 2))
    slipped = data.draw(
        st.sampled_from(
            [
                printed[:at] + printed[at + 1 :],
                printed[:at] + printed[at + 1] + printed[at] + printed[at + 2 :],
            ]
        )
    )
    if not PLACES.find(slipped):
        assert PLACE_NAMES[location] in PLACES.nearest(slipped), slipped


@pytest.mark.parametrize("word", ["was", "down", "salt", "better", "everything", "moment", "before", "people", "again"])
def test_plain_words_are_near_to_nothing(word):
    assert not begins_as_name(tokens(word))
