"""What a player can ask for besides `set`, as deeds, pure: challenges, leave, watching games, his own data.

Each needs a confirmation, wherever it is written. Deeds: ("challenge", its canonical text), ("join", "3" or "3 SALT"),
("cancel-challenge", "3"), ("observe", game), ("unobserve", game), ("data", ""), ("erase", ""), and at `games@`
("leave", two dates or "cancel").
"""

import re
from collections.abc import Callable
from datetime import date

from adjudicator.errors import UsageError
from adjudicator.league.challenge import LONGEST_WORD, fit_word, read_challenge, write_challenge
from adjudicator.orders import Order

Deed = tuple[str, str]
DATA: Deed = ("data", "")
ERASE: Deed = ("erase", "")
NO_LEAVE: Deed = ("leave", "cancel")
LARGEST_NUMBER = 2**31 - 1

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_JOIN = re.compile(r"(?:challenge\s+)?[c#]?([0-9]{1,10})(?:\s*,?\s*word\s*:?\s+(\S+))?[.!]*", re.IGNORECASE)

_CANCELLED = re.compile(r"(?:challenge\s+)?[c#]?([0-9]{1,10})[.!]*", re.IGNORECASE)
_GAME = re.compile(r"[a-z0-9-]{1,64}")


def petition_of(order: Order) -> Deed | None:
    """Return the deed that an order asks for, None if it is no petition.

    Raises: UsageError, a sentence or two that say what is possible.
    """
    read = _READERS.get(order.word)
    return read(order.argument) if read else None


def _challenge(text: str) -> Deed:
    return "challenge", write_challenge(read_challenge(text))


def _join(text: str) -> Deed:
    found = _JOIN.fullmatch(text.strip())
    if not found:
        raise UsageError("Which challenge do you mean? Possible is join and its number, and your word after it.")
    number, said = _number(found[1]), found[2] or ""
    word = fit_word(said.rstrip(".!")) if said else ""
    if word is None:
        raise UsageError(f"A word for the seed is one word of at most {LONGEST_WORD} letters and digits.")
    return "join", f"{number} {word}".strip()


def _cancel(text: str) -> Deed:
    found = _CANCELLED.fullmatch(text.strip())
    if not found:
        raise UsageError("Which challenge do you mean? Possible is cancel challenge and its number.")
    return "cancel-challenge", _number(found[1])


def _game(word: str) -> Callable[[str], Deed]:
    def read(text: str) -> Deed:
        name = text.strip(" .!").lower()
        if not _GAME.fullmatch(name):
            raise UsageError("Which game do you mean? Possible is the name of one, like g12.")
        return word, name

    return read


def _number(digits: str) -> str:
    number = int(digits)
    if number > LARGEST_NUMBER:
        raise UsageError("There is no challenge of this number.")
    return str(number)


def _leave(text: str) -> Deed:
    said = " ".join(text.rstrip(". ").split()).lower()
    if said == "cancel":
        return "leave", "cancel"
    days = _DATE.findall(said)
    if len(days) != 2 or not all(_is_date(day) for day in days):  # noqa: PLR2004 - first and last
        raise UsageError("Days off are two dates like 2030-12-20 to 2031-01-05, or cancel.")
    return "leave", " to ".join(days)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


_READERS: dict[str, Callable[[str], Deed]] = {
    "challenge": _challenge,
    "join": _join,
    "cancel challenge": _cancel,
    "observe": _game("observe"),
    "unobserve": _game("unobserve"),
    "my data": lambda _: DATA,
    "erase me": lambda _: ERASE,
}
PETITIONS = tuple(_READERS)
"""The words that have to be confirmed wherever they are written."""
_READERS["leave"] = _leave
AT_DESK_ONLY = ("newkey", "zone", "leave")
"""Deeds that have to be confirmed only at `games@`: in a letter about a game they are done at once."""
