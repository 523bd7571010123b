"""How the lines of a player's mail were taken, one by one: what an answer tells so that nothing is misread silently."""

import re
from collections.abc import Iterable

import msgspec

from adjudicator.game.model import Side
from adjudicator.orders import read

_ADDED = re.compile(r"(?:\s*(?:[^\W\d_]{1,4}(?:\[\d+\])?\s?:|\[[^\]]*\]))*\s*")
"""What mail programs and we put in front of a subject."""

Lines = tuple[tuple[int, str], ...]
"""Pairs of a line's number in the mail and a text."""


class Heard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of each line.

    `understood` are orders carried out, in canonical form, and whatever else had effect; `left` could be read and had
    no effect; `ignored` is prose. `quoted` and `signed` count the lines that were skipped as quotes and signatures.
    `files` are the names ("" where there is none) of text files that were not read since the mail has a text, `subject`
    says that it has none and a subject that looks like an order.
    `passed_on` are the words that went to the other side, `in_message` lines among them that look like orders and are
    none. `hints` are the words that lines without effect begin with, each with the form of its order, if it has one.
    `alone` are words among `left` that count only in a mail of their own; `void`: nothing counted, as a line could not
    be read. What was refused is told by the answer itself.
    """

    understood: Lines = ()
    left: Lines = ()
    ignored: Lines = ()
    quoted: int = 0
    signed: int = 0
    files: tuple[str, ...] = ()
    subject: bool = False
    passed_on: str = ""
    in_message: Lines = ()
    hints: tuple[tuple[str, str], ...] = ()
    alone: tuple[str, ...] = ()
    void: bool = False

    def told(self) -> dict[str, object]:
        """The same as plain values, without blank lines."""
        named = {
            "understood": self.understood,
            "left": self.left,
            "ignored": self.ignored,
            "in_message": self.in_message,
        }
        lines = {
            name: [{"line": number, "text": text} for number, text in pairs if text.strip()]
            for name, pairs in named.items()
        }
        counts = {"quoted": self.quoted, "signed": self.signed}
        more = {"files": list(self.files), "hints": list(self.hints), "alone": list(self.alone), "void": self.void}
        return {**lines, **counts, **more, "subject": self.subject, "passed_on": self.passed_on}


def looks_like_order(text: str, side: Side) -> bool:
    """Whether a line would be an order, or part of one that is refused, if it stood where orders are read."""
    reading = read([(1, text)], side)
    return bool(reading.orders or reading.refused or reading.standing or reading.ahead or reading.clears_ahead)


def is_order_in_subject(subject: str, lines: Iterable[str], side: Side) -> bool:
    """Whether a mail with no text of its own (`lines`) has a subject that would be an order on a line."""
    if any(line.strip() for line in lines):
        return False
    reading = read([(1, _ADDED.sub("", subject, count=1))], side)
    words = {order.word for order in reading.orders} - {"check"}  # as a subject it asks for a forecast
    return bool(words or reading.refused or reading.standing)
