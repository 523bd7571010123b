"""The project's words: the rulebook's everywhere, and nothing of the machine it was written on."""

import re
import subprocess
from pathlib import Path

import msgspec
import pytest

from adjudicator.game import actions, events
from adjudicator.game.facts import CARDS
from adjudicator.orders.words import GAME_WORDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

MACHINE = re.compile(
    r"(?<![\w.])/(?:work|home|root|users|tmp/[a-z])[/\w]|\b(?:pypi|npmjs)\.org\b|files\.pythonhosted|deb\.debian",
    re.IGNORECASE,
)
"""Paths of a machine and hosts of package indexes."""

FORBIDDEN_NAMES = re.compile(r"^(?:utils?|helpers?|managers?|bases?)$|^process_")


def tracked() -> list[Path]:
    """Every text file of the project: what git knows, else what is there."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.splitlines()
    return [ROOT / name for name in names if not name.endswith(".eml") and (ROOT / name).is_file()]


def test_nothing_of_the_machine_stands_in_the_project() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in tracked()
        if path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        if MACHINE.search(line)
    ]
    assert not found, "\n".join(found)


def test_modules_have_names_that_say_something() -> None:
    found = [path for path in (ROOT / "adjudicator").rglob("*.py") if FORBIDDEN_NAMES.match(path.stem)]
    assert not found


def glossary() -> list[str]:
    """The words of the glossary, several to a row."""
    chapter = README.split("## Glossary")[1]
    rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \|$", chapter, re.MULTILINE)
    return [word for row in rows[1:] for word in row.split(", ")]


def used_words() -> str:
    """Data, actions, events, orders and templates as one text in lower case."""
    parts = [" ".join(_names(actions)), " ".join(_names(events)), " ".join(word.form for word in GAME_WORDS)]
    parts += [card for cards in CARDS.values() for card in cards]
    parts += [path.read_text("utf-8") for path in (ROOT / "templates" / "en").iterdir()]
    return re.sub(r"[-_]+", " ", " ".join(parts)).lower()


def _names(module: object) -> list[str]:
    """The structs of a module as words."""
    found = [name for name, kind in vars(module).items() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return [" ".join(re.findall(r"[A-Z][a-z]*", name)) for name in found]


@pytest.mark.parametrize("word", glossary())
def test_the_glossary_has_the_words_that_are_used(word: str) -> None:
    assert word in used_words()


@pytest.mark.parametrize("word", [word.word for word in GAME_WORDS])
def test_the_readme_shows_each_order(word: str) -> None:
    assert re.search(rf"`{word}\b", README)


def test_documents_name_files_that_exist() -> None:
    """Paths in backticks and links lead somewhere."""
    for text in (README, CONTRIBUTING):
        named = re.findall(r"`((?:adjudicator|tests|schema|templates)/[\w./-]*)`", text) + re.findall(
            r"\]\((?!http)([^)]+)\)", text
        )
        headings = {"#" + line.strip("# ").lower().replace(" ", "-") for line in text.splitlines() if line[:1] == "#"}
        for path in named:
            assert path in headings or (ROOT / path).exists(), path
