"""Order words whose argument is free text: `rules`, `note`, `leave`, `set`, `join`, `challenge` and the like."""

import re
from collections.abc import Callable, Iterable

from rapidfuzz.distance import OSA

from adjudicator.errors import OrderSyntax
from adjudicator.game.model import SIDES
from adjudicator.orders.names import spelling
from adjudicator.orders.tokens import COLONS, Token
from adjudicator.orders.words import (
    CHALLENGING,
    DATE,
    GAME_AND_WORD,
    GAME_NAME,
    OFFERS,
    OPTIONS,
    PERIOD,
    RULE_NUMBER,
    TOPICS,
    Word,
    starting,
)

_FIRST_WORD = re.compile(r"\W*\w+[\s:\uff1a]*")
LONGEST_NAME = 5
"""Words of a player's name; more make a sentence."""
LONG = 4
"""Letters of an option that can be misspelt."""
_MAY_BE_BARE = ("help", "rules", "challenge")
_SIDES = (*SIDES, "either", "any")


def read_text(word: Word, text: str, rest: list[Token]) -> str | None:
    """The argument of an order, as written; None if the line is prose.

    Raises: OrderSyntax if it is meant as an order and cannot be read.
    """
    argument = text[rest[0].start :].strip() if rest else ""
    if not rest and word.word not in _MAY_BE_BARE:
        raise _missing("Something is missing.", word)
    if argument.startswith(tuple(COLONS)):
        argument, rest = argument[1:].strip(), rest[1:]
    reader = _READERS.get(word.word)
    if reader:
        return reader(word, argument, rest)
    if word.word == "register":
        name = _FIRST_WORD.sub("", text, count=1).strip()  # a name may begin with what is a filler elsewhere
        return name if 0 < len(name.split()) <= LONGEST_NAME else None
    # `press` and `note` are followed by a colon; without one the line is prose.
    return argument if text[len(word.word) :].lstrip().startswith(tuple(COLONS)) else None


def _missing(what: str, word: Word) -> OrderSyntax:
    return OrderSyntax(f"{what} Expected: {{form}}", choices=(word.form,), form=word.form)


def _topic(word: Word, argument: str, rest: list[Token]) -> str | None:
    """What is asked about; any one word can be asked of the rules, and is answered with what there is."""
    if _is_topic(rest) or (word.word == "rules" and len(rest) == 1) or _is_near(spelling(rest), TOPICS):
        return argument
    return None


def _option(_word: Word, argument: str, rest: list[Token]) -> str | None:
    return argument if rest and rest[0].text in OPTIONS else None


def _game(word: Word, argument: str, _rest: list[Token]) -> str | None:
    """The id of a game; to `join`, perhaps with the word that a player gives for the shuffles."""
    name = argument.rstrip(".!")
    form = GAME_AND_WORD if word.word == "join" else GAME_NAME
    return name if form.fullmatch(name) else None


def _offer(word: Word, _argument: str, rest: list[Token]) -> str | None:
    """What is offered, in one word."""
    rest = [token for token in rest if token.text != ","]
    offered = spelling(rest)
    if offered in OFFERS:
        return offered
    if len(rest) == 1 and _is_near(offered, OFFERS):
        raise _missing("This cannot be offered.", word)
    return None


def _challenge(word: Word, argument: str, rest: list[Token]) -> str | None:
    """The wishes of a challenge, as written; none is a challenge too."""
    if not rest:
        return argument
    first, second = rest[0].text, rest[1].text if len(rest) > 1 else ""
    meant = {"as": second in _SIDES, "edition": second.isdecimal()}.get(first, first in CHALLENGING)
    if not meant and len(rest) > 1 and _is_near(first, CHALLENGING):
        raise _missing("This challenge cannot be read.", word)
    return argument if meant else None


def _number(_word: Word, argument: str, _rest: list[Token]) -> str | None:
    """The number of a challenge, also as the list of them shows it: c3."""
    number = argument.lower().removeprefix("c").lstrip("#").rstrip(".! ")
    return number if number.isdecimal() and number.isascii() else None


def _is_near(written: str, options: Iterable[str]) -> bool:
    """Whether a word is one slip of the pen away from one of these."""
    return any(len(option) >= LONG and OSA.distance(written, option, score_cutoff=1) <= 1 for option in options)


def _is_topic(rest: list[Token]) -> bool:
    """Whether something is a topic, an order word or a rule number; nothing is all of the rules."""
    written = spelling(rest)
    if not rest or written in TOPICS or RULE_NUMBER.fullmatch(written):
        return True
    start = starting(rest)
    return start is not None and start[1] == len(rest)


def _period(word: Word, argument: str, _rest: list[Token]) -> str | None:
    """Two dates, or `cancel`."""
    if PERIOD.fullmatch(argument):
        return argument.rstrip(". ")
    if DATE.search(argument):
        raise _missing("Two dates are needed.", word)
    return None


_READERS: dict[str, Callable[[Word, str, list[Token]], str | None]] = {
    "rules": _topic, "help": _topic, "leave": _period, "set": _option, "join": _game, "observe": _game,
    "unobserve": _game, "offer": _offer, "challenge": _challenge, "cancel challenge": _number,
}  # fmt: skip
