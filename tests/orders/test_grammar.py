"""`schema/orders.ebnf` holds exactly the words that the reader knows."""

import re
from pathlib import Path

from adjudicator.orders import read
from adjudicator.orders.clauses import OCCASIONS
from adjudicator.orders.names import MODIFIERS
from adjudicator.orders.tokens import FILLERS
from adjudicator.orders.words import (
    CHALLENGING,
    CLEARING,
    CONDITIONS,
    NUMBERS,
    OFFERED,
    PREPOSITIONS,
    SOURCES,
    WORDS,
)

GRAMMAR = (Path(__file__).parents[2] / "schema" / "orders.ebnf").read_text(encoding="utf-8")
RULES = re.sub(r"\(\*.*?\*\)", "", GRAMMAR, flags=re.DOTALL)


def quoted(text):
    return set(re.findall(r'"([a-z][a-z ]*|\d)"', text))


def rule(name):
    return re.search(rf"^{name}\s*=(.*?);$", RULES, re.DOTALL | re.MULTILINE)[1]


def heads():
    """The words that stand in brackets at the beginning of an alternative."""
    found = set()
    for name in ("order", "answer", "plain", "text", "press", "note"):
        for group in re.findall(r'(?:^|\|)\s*\(((?:\s*"[a-z ]+"\s*\|?)+)\)', rule(name)):
            found |= quoted(group)
    return found


def test_order_words_are_those_of_the_grammar():
    assert heads() == {written for word in WORDS for written in word.written}


def test_options_are_those_of_the_grammar():
    assert quoted(rule("condition")) == set(CONDITIONS)
    assert quoted(rule("source")) == set(SOURCES)
    assert quoted(rule("offer")) == set(OFFERED)
    assert quoted(rule("wish")) == set(CHALLENGING)
    assert quoted(rule("clearing")) == set(CLEARING)
    assert {word for word in quoted(rule("occasion")) if word.startswith("on ")} == {f"on {on}" for on in OCCASIONS}
    assert quoted(rule("count")) == set(NUMBERS)
    assert quoted(rule("CARD")) == set(MODIFIERS)
    assert {word for word in quoted(rule("standing")) if word.startswith("on ")} == {f"on {on}" for on in OCCASIONS}
    assert quoted(rule("at")) | quoted(rule("with")) | {"from", "losing", ":"} == set(PREPOSITIONS)


def test_fillers_are_those_of_the_grammar():
    assert quoted(re.search(r"fillers(.*?)do not", GRAMMAR, re.DOTALL)[1]) == FILLERS


def test_every_canonical_form_starts_with_its_order_word():
    for word in WORDS:
        assert word.form.startswith(word.word), word
        assert word.word in word.written, word


def test_forms_with_names_filled_in_are_read():
    for word in WORDS:
        form = word.form.replace("PLACE", "Boston").replace("hand|reserve", "hand").replace("|restart|takeback", "")
        for name in ("CARD", "WORD", "TEXT", "OPTION VALUE", "NAME", "GAME"):
            example = {"CARD": "Militia", "WORD": "raid", "OPTION VALUE": "zone Europe/Paris", "NAME": "Ann"}
            form = form.replace(name, example.get(name, "g7"))
        assert [order.word for order in read(form, "british").orders] == [word.word], form
