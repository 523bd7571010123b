"""What a player can ask for besides `set`, as deeds, pure: challenges, leave, watching games, his own data.

Each needs a confirmation, wherever it is written. Deeds: ("challenge", its canonical text), ("join", "3" or "3 SALT"),
("cancel-challenge", "3"), ("leave", "2030-12-20 to 2031-01-05" or "cancel"), ("observe", game), ("unobserve", game),
("data", ""), ("erase", "").
"""

import re
from collections.abc import Callable

from adjudicator.errors import UsageError
from adjudicator.league.challenge import LONGEST_WORD, fit_word, read_challenge, write_challenge
from adjudicator.orders import Order

Deed = tuple[str, str]
ERASE: Deed = ("erase", "")
LARGEST_NUMBER = 2**31 - 1

_JOIN = re.compile(r"(?:challenge\s+)?[c#]?([0-9]{1,10})(?:\s*,?\s*word\s*:?\s+(\S+))?[.!]*", re.IGNORECASE)


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
    return "cancel-challenge", _number(text.strip())


def _number(digits: str) -> str:
    number = int(digits)
    if number > LARGEST_NUMBER:
        raise UsageError("There is no challenge of this number.")
    return str(number)


def _as_written(word: str) -> Callable[[str], Deed]:
    def read(text: str) -> Deed:
        return word, " ".join(text.split())

    return read


_READERS: dict[str, Callable[[str], Deed]] = {
    "challenge": _challenge,
    "join": _join,
    "cancel challenge": _cancel,
    "my data": lambda _: ("data", ""),
    "erase me": lambda _: ERASE,
}
PETITIONS = tuple(_READERS)
