"""Order words whose argument is free text: `rules`, `help`, `note`, `leave`, `set`, `register`, `join`."""

import re

from adjudicator.errors import OrderSyntax
from adjudicator.orders.names import spelling
from adjudicator.orders.tokens import COLONS, Token
from adjudicator.orders.words import (
    DATE,
    GAME_NAME,
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


def read_text(word: Word, text: str, rest: list[Token]) -> str | None:
    """The argument of an order, as written; None if the line is prose.

    Raises: OrderSyntax if it is meant as an order and cannot be read.
    """
    argument = text[rest[0].start :].strip() if rest else ""
    if not rest and word.word not in ("help", "rules"):
        raise OrderSyntax("Something is missing. Expected: {form}", choices=(word.form,), form=word.form)
    if argument.startswith(tuple(COLONS)):
        argument, rest = argument[1:].strip(), rest[1:]
    match word.word:
        case "rules" | "help":
            return argument if _is_topic(rest) else None
        case "leave":
            return _period(word, argument)
        case "set":
            return argument if rest and rest[0].text in OPTIONS else None
        case "register":
            name = _FIRST_WORD.sub("", text, count=1).strip()  # a name may begin with what is a filler elsewhere
            return name if 0 < len(name.split()) <= LONGEST_NAME else None
        case "join":
            name = argument.rstrip(".!")
            return name if GAME_NAME.fullmatch(name) else None
        case _:
            # `press` and `note` are followed by a colon; without one the line is prose.
            return argument if text[len(word.word) :].lstrip().startswith(tuple(COLONS)) else None


def _is_topic(rest: list[Token]) -> bool:
    """Whether something is a topic, an order word or a rule number; nothing is all of the rules."""
    written = spelling(rest)
    if not rest or written in TOPICS or RULE_NUMBER.fullmatch(written):
        return True
    start = starting(rest)
    return start is not None and start[1] == len(rest)


def _period(word: Word, argument: str) -> str | None:
    """Two dates, or `cancel`."""
    if PERIOD.fullmatch(argument):
        return argument.rstrip(". ")
    if DATE.search(argument):
        raise OrderSyntax("Two dates are needed. Expected: {form}", choices=(word.form,), form=word.form)
    return None
