"""That the cases show everything: rule numbers, actions, events, cards, and reasons for a refusal."""

import re
from collections import defaultdict
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from case_files import CASES
from case_play import play_case

import adjudicator.game
from adjudicator.game import facts
from adjudicator.game.actions import Action
from adjudicator.game.edition import VARIANTS, Switches
from adjudicator.game.events import Event

SHARED = Path(__file__).parents[3] / "shared" / "rules"

NUMBERS = {0: 2, 1: 8, 2: 6, 3: 8, 4: 7, 5: 6, 7: 10, 8: 15, 9: 11, 10: 4, 11: 2, 12: 4, 13: 9, 14: 2, 15: 6}
"""How many numbers each chapter of the rules has; chapter 6 is a list of the actions."""

NOT_SHOWN = {
    "S14.2": "the first half is S8.15; resigning is no order of the game, but the service's business",
}
"""Rule numbers that no order can break and no event can show, with the reason."""

AMBIGUITIES_NOT_SHOWN = {
    "A54": "the order language has no way to put an order inside another one",
    "A63": "an internal error that no order can bring about (S4.7)",
    "A66": "what may be seen is shown by the views, not by orders",
    "A67": "likewise",
    "A68": "likewise",
}


def shown() -> set[str]:
    return {rule for case in CASES for rule in case.rules}


def all_played():
    return [(case, play_case(case, edition)) for case in CASES if not case.usage_error for edition in case.editions]


def test_every_rule_number_is_shown_or_excused():
    rules = {f"S{chapter}.{n + 1}" for chapter, last in NUMBERS.items() for n in range(last)}
    assert rules - shown() - set(NOT_SHOWN) == set()
    assert set(NOT_SHOWN) & shown() == set()
    assert {rule for rule in shown() if rule.startswith("S")} - rules == set()


def test_every_variant_is_shown_on_and_off():
    on = {variant for case in CASES for variant in case.variants if not case.usage_error}
    assert set(VARIANTS) - on == set()
    assert {f"V{number}" for number in range(len(VARIANTS))} - shown() == set()
    off = {rule for case in CASES if not case.variants for rule in case.rules}
    elsewhere = set(re.findall(r"\(off: ([\w-]+)\)", " ".join(case.shows for case in CASES)))
    assert elsewhere - {case.id for case in CASES} - {case.shown_ruling for case in CASES} == set()
    for number, variant in enumerate(VARIANTS):
        told = any(variant in case.variants and "(off: " in case.shows for case in CASES)
        assert told or f"V{number}" in off, variant


def test_every_switch_is_shown():
    assert {name for case in CASES for name in case.switches} >= set(Switches.__struct_fields__)


def test_every_kind_of_action_is_carried_out():
    done = {type(move.action) for _, played in all_played() for move in played.moves}
    assert set(get_args(Action)) - done == set()


def test_every_kind_of_event_is_seen():
    seen = {type(event) for _, played in all_played() for event in played.events}
    assert set(get_args(Event)) - seen == set()


def test_every_card_is_played():
    """Played, drafted, discarded, returned or drawn: named by an event of its side."""
    seen = set()
    for _, played in all_played():
        for event in map(msgspec.to_builtins, played.events):
            cards = event.get("cards") or event.get("card") or ()
            seen |= {(event["side"], card) for card in ([cards] if isinstance(cards, str) else cards)}
    missing = {(side, card) for side, cards in facts.CARDS.items() for card in cards} - seen
    assert missing == set()


def cited() -> set[str]:
    """Every rule number that the rules' code gives as the reason of a refusal."""
    folder = Path(adjudicator.game.__file__).parent
    found = re.compile(r'"(S\d+\.\d+|V\d+)"')
    return {rule for file in folder.glob("*.py") for rule in found.findall(file.read_text(encoding="utf-8"))}


def test_every_reason_for_a_refusal_is_shown():
    refused = {one.rule for _, played in all_played() for one in played.refused}
    assert cited() - refused == set()


def test_a_refused_case_names_the_rule():
    for case in CASES:
        numbers = {one for one in case.refused if one[1].isdigit()}
        assert numbers - set(case.rules) == set(), case.id


def test_names_are_unique_and_cases_say_something():
    names = [case.id for case in CASES]
    assert sorted(names) == sorted(set(names))
    for case in CASES:
        assert case.then or case.refused or case.usage_error, f"{case.id} expects nothing"
        assert case.new_game or case.letters, f"{case.id} does nothing"
        assert case.shown_ruling is None or not case.variants, f"{case.id}: rulings know no variants"


def rulings():
    """The rulings that the cases were made from.

    Skips if they are not there.
    """
    path = SHARED / "rulings.jsonl"
    if not path.exists():
        pytest.skip("the rulings are not here")
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines() if line.strip()]


def test_every_ruling_is_a_case():
    editions = defaultdict(set)
    for case in CASES:
        if case.shown_ruling:
            editions[case.shown_ruling].update(case.editions)
    assert editions == {ruling["id"]: set(ruling["edition"]) for ruling in rulings()}


def test_cases_say_what_the_ruling_says():
    """Illegal orders are refused, legal ones are not, and the numbers that the ruling gives are named."""
    for ruling in rulings():
        cases = [case for case in CASES if case.shown_ruling == ruling["id"]]
        if ruling["expect"] == "illegal":
            assert all(case.refused for case in cases), ruling["id"]
        elif ruling["id"] != "WDR-08":
            assert not any(case.refused for case in cases), ruling["id"]
        named = {rule for case in cases for rule in case.rules}
        numbers = set(re.findall(r"\b(?:S\d+\.\d+|A\d+)", ruling["why"]))
        assert numbers - named == set(), f"{ruling['id']}: {ruling['why']}"


def test_every_ambiguity_is_shown_or_excused():
    path = SHARED / "ambiguities.md"
    if not path.exists():
        pytest.skip("the ambiguities are not here")
    entries = set(re.findall(r"^\| (A\d+b?) \|", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert entries - shown() - set(AMBIGUITIES_NOT_SHOWN) == set()
    assert {rule for rule in shown() if rule.startswith("A")} - entries == set()
