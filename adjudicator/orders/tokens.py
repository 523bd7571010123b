"""A line of a mail as words, each with its span; case, accents, marks and fillers fold away.

What is kept besides words: `,` (also `&`, `+`, `and`), which parts cards, and `:`.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from adjudicator.errors import Refusal

LONGEST_LINE = 1000
"""Characters; a longer line is refused if an order begins in it, else it is prose."""

FILLERS = frozenset(("the", "a", "an", "card", "cards", "please"))
AND = frozenset(("and", "&", "+", ",", "\uff0c", "\u3001"))
COLONS = frozenset((":", "\uff1a"))

# Apostrophes, dots and invisible characters belong to the word that they stand in ("St. Mary's", a soft
# hyphen); combining marks too, as some senders write accents as marks of their own.
_TOKEN = re.compile(
    r"[\w'\u2019\u2018\u02bc`\u00b4.\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]+|[,&+\uff0c\u3001:\uff1a]"
)
_BULLET = re.compile(r"\s*(?:(?:[-*\u2022\u2023\u00b7\u2013\u2014+]|\(?\d{1,2}[.):]{1,2}|o\b|\(?[a-zA-Z]\))\s*)?")
_PARTS = re.compile(r"[;\uff1b]")
_QUOTED = re.compile(r"\s*[>|]")
_FOLDED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "\u0131": "i", "æ": "ae", "œ": "oe"})


class Token(NamedTuple):
    """A folded word, `,` or `:`; `start` and `end` are its place in the text."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The letters and digits of a word, lower case and without accents."""
    if text.isascii() and text.isalnum():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_FOLDED))
    return "".join(char for char in plain if char.isalnum())


@lru_cache(maxsize=8192)
def _kept(text: str) -> str:
    """What a raw token stands for; empty if it is only a filler or a mark."""
    if text in AND:
        return ","
    if text in COLONS:
        return ":"
    word = fold(text)
    if word in FILLERS:
        return ""
    return "," if word in AND else word


def tokens(text: str) -> list[Token]:
    """The words and separators of a text, fillers left out, in order."""
    found = []
    for match in _TOKEN.finditer(text):
        kept = _kept(match.group())
        if kept:
            found.append(Token(kept, match.start(), match.end()))
    return found


def is_quoted(line: str) -> bool:
    """Whether a line is somebody's quoted text: never an order."""
    return _QUOTED.match(line) is not None


def unbulleted(line: str) -> int:
    """Where a line begins after blanks and one bullet or number ("1.", "-", "•")."""
    match = _BULLET.match(line)
    return match.end() if match else 0


def parts(line: str, start: int) -> list[tuple[int, int]]:
    """The pieces of a line from `start` on that semicolons part, without blanks around them or empty ones.

    Behind a semicolon one bullet or number is taken off, as `unbulleted` does at the start of a line.
    """
    found = []
    begin = start
    for end in (*(match.start() for match in _PARTS.finditer(line, start)), len(line)):
        piece = line[start:end]
        stripped = piece[unbulleted(piece) if start > begin else 0 :].strip()
        if stripped:
            first = start + piece.rindex(stripped)
            found.append((first, first + len(stripped)))
        start = end + 1
    return found


def _width(char: str) -> int:
    """How many columns of a monospace font a character takes."""
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def caret(refusal: Refusal) -> str:
    """The refused text and, below it, carets under its faulty part; only the text if no part is known."""
    text = "".join(char if char.isprintable() or not char.isspace() else " " for char in refusal.text)
    if refusal.span is None:
        return text
    start, end = refusal.span
    before = sum(map(_width, text[:start]))
    under = sum(map(_width, text[start:end]))
    return f"{text}\n{' ' * before}{'^' * max(1, under)}"
