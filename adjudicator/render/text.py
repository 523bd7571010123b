"""The shape of a mail's text: at most 72 columns, and no line that could begin with an order.

An order is recognised at the start of a line. So each order word that stands inside a line is tied to the
word before it by a no-break space: no re-wrapping, ours or a mail program's, can bring it to a line's start. And
as semicolons part the orders of a line, there are none in our mails.
"""

import re
import textwrap

from adjudicator.orders.names import CARD_NAMES, PLACES
from adjudicator.orders.tokens import FILLERS
from adjudicator.orders.words import CONDITIONS, WORDS

WIDTH = 72
_NO_BREAK = "\u00a0"
_SUPPOSING = r"(?:if|when|unless|next|else|otherwise)\b[^:]{0,60}:"
"""What begins as a condition may, and is refused before an order."""
_STANDING = ("on raid", "on ambush", "on priest", "on siege", "on surrender", "on reshuffle")


def _order_word() -> re.Pattern[str]:
    """The spaces before anything that an order can start with, marks and fillers in between included."""
    written = {spelling for word in WORDS for spelling in word.written} | {*CONDITIONS, *_STANDING}
    longest_first = sorted(written, key=lambda spelling: (-len(spelling), spelling))
    either = "|".join(re.escape(spelling).replace(r"\ ", r"\s+") for spelling in longest_first)
    fillers = "|".join(sorted(FILLERS))
    lead = rf"\W{{0,20}}(?:\d+\W+)?(?:(?:{fillers})\W+)*"
    return re.compile(rf"(?<=\S) +(?={lead}(?:(?:{either})\b|{_SUPPOSING}))", re.IGNORECASE)


_BEFORE_ORDER_WORD = _order_word()


_SEMICOLONS = re.compile("[;\uff1b]")
_GLUE = "\x1f"
"""Stands for a blank at which we do not wrap; it is a blank again before anybody sees it."""


def _kept_together() -> re.Pattern[str]:
    """Names of several words with the number behind them."""
    shown = {*PLACES.shown.values(), *CARD_NAMES.shown.values()}
    either = "|".join(re.escape(name) for name in sorted(shown, key=lambda name: (-len(name), name)))
    return re.compile(rf"\b(?:neutral )?(?:{either})(?: \(?\d+\)?)?(?: fort\b)?")


_TOGETHER = _kept_together()


def tied(line: str) -> str:
    """The line with its inner order words tied to what stands before them."""
    return _BEFORE_ORDER_WORD.sub(lambda blanks: _NO_BREAK * len(blanks[0]), line)


def folded(text: str) -> str:
    """The text in lines of at most 72 columns, continued lines indented, blank lines never doubled."""
    lines: list[str] = []
    for raw in _SEMICOLONS.sub(",", text).splitlines():
        line = raw.rstrip()
        if line or (lines and lines[-1]):
            lines.extend(_wrapped(line) if line else [""])
    return "\n".join(lines).strip("\n") + "\n"


def _wrapped(line: str) -> list[str]:
    """One line, tied and wrapped; lists and tables keep their hanging indent."""
    line = tied(line)
    if len(line) <= WIDTH:
        return [line]
    listed = line.lstrip()
    indent = len(line) - len(listed)
    hanging = " " * (indent + 2 if indent or listed.startswith("- ") else 0)
    wrapped = textwrap.wrap(
        _TOGETHER.sub(lambda name: name[0].replace(" ", _GLUE), line), WIDTH,
        subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False, replace_whitespace=False,
    )  # fmt: skip
    return [part.replace(_GLUE, " ") for part in wrapped]
