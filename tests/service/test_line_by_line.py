"""The answer tells of each line what was understood, refused, left out and ignored, and what was not read at all."""

import re

import pytest
from post_office import PostOffice, text_of


@pytest.fixture
def game(sqlite_office: PostOffice) -> PostOffice:
    """A game at the second British turn: two actions."""
    sqlite_office.new_game()
    sqlite_office.answer("british", "pass")
    sqlite_office.answer("french", "pass")
    return sqlite_office


def told(office: PostOffice) -> dict[str, list[str]]:
    """The lines under each heading of the newest British mail that begin with a number."""
    sections: dict[str, list[str]] = {}
    for section in re.split(r"\n== ", text_of(office.last("british")).replace("\r\n", "\n")):
        title, _, rest = section.partition(" ==\n")
        sections[title] = re.findall(r"^  (line \d+: .*)", rest, re.MULTILINE)
        skipped = re.search(r"Not read at all: ([^.]*)\.", rest)
        if skipped:
            sections["skipped"] = [skipped[1]]
    return {title: lines for title, lines in sections.items() if lines}


def test_all_is_told_of_a_mail_that_ends_the_turn(game: PostOffice):
    game.answer("british", "Hi Ben,\n\n1. draft governer\n2. pass\n")
    game.answer(
        "british",
        "Hi Ben,\n\nDRAFT gov; draft BATEAUX please\non raid: no block\nnote: watch Boston\npress: good luck\n\n"
        "Thanks!\n-- \nAnn\n\nOn Sat, 1 Mar 2031 at 20:00, Game <x@example.org> wrote:\n> draft trader\n> pass",
    )
    assert "Turn 4" in game.last("british")["Subject"]
    assert told(game) == {
        "Understood and carried out": [
            "line 3: draft Governor", "line 3: draft Bateaux", "line 4: on raid: no block",
            "line 5: note: watch Boston", "line 6: press: good luck",
        ],
        "Read as plain words, not as orders": ["line 1: Hi Ben,", "line 8: Thanks!"],
        "skipped": ["3 quoted lines and 2 lines of signatures"],
    }  # fmt: skip


def test_what_was_refused_and_what_was_not_tried(game: PostOffice):
    game.answer("british", "draft governor\ndraft batteaux\nnote: a\non raid: no block\ndone\nSent from my phone")
    assert told(game) == {
        "Refused": ["line 2: draft batteaux"],
        "Understood and not carried out": [
            "line 1: draft governor", "line 3: note: a", "line 4: on raid: no block", "line 5: done",
        ],
        "skipped": ["1 line of signatures"],
    }  # fmt: skip
    assert game.game().seats["british"].standing == ""


def test_the_orders_before_a_reveal_stand_and_those_after_it_are_told(game: PostOffice):
    game.answer("british", "draft governor\nstop")
    assert told(game) == {"Understood and carried out": ["line 1: draft Governor", "line 2: stop"]}
    game.answer("british", "draft governor\ndraft home support\npass")
    assert list(told(game)) == ["Refused", "Understood and not carried out"]


@pytest.mark.parametrize("word", ["status", "board", "history", "help", "rules siege"])
def test_the_answer_to_a_question_tells_it_too(game: PostOffice, word: str):
    game.answer("british", f"Hello\n{word}\nconfirm your order\n> pass\nnote: a")
    found = told(game)
    assert found["Understood and carried out"] == [f"line 2: {word}", "line 5: note: a"]
    assert found["Read as plain words, not as orders"] == ["line 1: Hello", "line 3: confirm your order"]
    assert found["skipped"] == ["1 quoted line"]


def test_of_two_questions_one_is_answered_and_the_other_told(game: PostOffice):
    game.answer("british", "help\nstatus")
    found = told(game)
    assert found["Understood and carried out"] == ["line 2: status"]
    assert found["Understood and not carried out"] == ["line 1: help"]


def test_a_forecast_and_an_older_position(game: PostOffice):
    asked = game.last("british")
    game.answer("british", "check\ndraft governor\nbye")
    assert told(game) == {
        "Understood": ["line 1: check", "line 2: draft Governor"],
        "Read as plain words, not as orders": ["line 3: bye"],
    }
    game.answer("british", "draft governor\nstop")
    game.answer("british", "draft bateaux\nnote: b\nbye", answering=asked)
    assert told(game) == {
        "Understood and carried out": ["line 2: note: b"],
        "Understood and not carried out": ["line 1: draft bateaux"],
        "Read as plain words, not as orders": ["line 3: bye"],
    }


def test_prose_never_blocks_a_turn(game: PostOffice):
    prose = "Dear Ben,\n\nI raided my fridge. Money is tight; I will reserve a table.\n\nBoard games forever!\n\n"
    game.answer(
        "british", f"{prose}draft governor\n\nDrafting was fun. Done with it, I think.\n\ndraft bateaux\n\nBest, Ann"
    )
    assert "Turn 4" in game.last("british")["Subject"]
    assert told(game)["Understood and carried out"] == ["line 7: draft Governor", "line 11: draft Bateaux"]
    assert len(told(game)["Read as plain words, not as orders"]) == 6
