"""The reader of orders: lines of a mail to orders, standing orders, prose and refusals.

A line is an order if it starts with an order word followed by nothing, or by something at or near a known
name or option. Every other line is prose. A line that starts as an order and cannot be read is refused,
never taken for prose. Nothing is guessed: what is misspelt, missing or left over is refused with what was
expected.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.clauses import is_standing, read_clause
from adjudicator.orders.conditions import TESTS, Condition, Test, link
from adjudicator.orders.misspelt import SHORTEST_BEHIND, almost_check, misspelt
from adjudicator.orders.names import span
from adjudicator.orders.nearly import bare, slip
from adjudicator.orders.order import Later, Order, Reading
from adjudicator.orders.recognise import after, body, is_asked, is_order, opening, starts_as_order
from adjudicator.orders.slots import slots_of
from adjudicator.orders.texts import read_text
from adjudicator.orders.together import together
from adjudicator.orders.tokens import LONGEST_LINE, Token, is_quoted, parts, tokens, unbulleted
from adjudicator.orders.words import AHEAD, CLEARING, LEGAL, MOST_AHEAD, PLAYED, TEXT_WORDS, Word, starting

if TYPE_CHECKING:
    from adjudicator.orders.standing import Clause

replace = msgspec.structs.replace

Where = tuple[int, tuple[int, int]]
"""The number of a line, and a part of it."""


def _order(word: Word, text: str, rest: list[Token], side: Side, where: Where) -> Order:
    """An order whose words and names are in order.

    Raises: OrderSyntax, UnknownName, AmbiguousName.
    """
    target, cards, source = slots_of(word, rest, side)
    return Order(where[0], text, where[1], word.word, word.kind, side, target, cards, source)


class _Reading:
    """What has been read so far.

    `ahead_line` is the number of the last line with an order for the next turn; `checks` are lines of prose that are a
    misspelt `check` if orders follow.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        self.orders: list[Order] = []
        self.ignored: list[tuple[int, str]] = []
        self.refused: list[Refusal] = []
        self.standing: list[Clause] = []
        self.ahead: list[Order] = []
        self.clears_ahead = False
        self.ahead_line = 0
        self.checks: list[tuple[Refusal, tuple[int, str]]] = []

    def part(self, number: int, line: str, at: tuple[int, int]) -> None:
        """Read one order or piece of prose."""
        text = line[at[0] : at[1]]
        try:
            taken = self.taken(text, (number, at))
            if not taken and (fault := bare(text, last=at[1] >= len(line.rstrip()))):
                raise fault
        except Refusal as refusal:
            refusal.line, refusal.text = number, text
            refusal.span = refusal.span or (0, len(text))
            self.refused.append(refusal)
            return
        if not taken:
            # A line without another part is told whole, its bullet included.
            alone = len(parts(line, 0)) <= 1
            self.ignored.append((number, line.strip() if alone else text))
            if not any(order.plays for order in self.orders) and (fault := almost_check(tokens(text))):
                fault.line, fault.text = number, text
                self.checks.append((fault, self.ignored[-1]))

    def taken(self, text: str, where: Where) -> bool:
        """Whether a text is an order or a clause of standing orders; if so it is kept.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        found = tokens(text)
        start = starting(found)
        if start is not None:
            return self.order(start, text, found, where)
        if found and found[0].text == "on" and is_standing(found):
            self.standing.append(self.clause(text, found, where))
            return True
        words = opening(found)
        if words == AHEAD:
            return self.next_turn(text, found, where)
        if words and self.conditional(words, text, found, where, self.orders):
            return True
        if refusal := slip(text, found, self.side):
            raise refusal
        return False

    def clause(self, text: str, found: list[Token], where: Where) -> "Clause":
        """A clause of standing orders.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        try:
            return replace(read_clause(found, self.side), line=where[0], text=text, span=where[1])
        except (OrderSyntax, UnknownName, AmbiguousName) as fault:
            raise together(text, found, self.side, sure=True) or fault from None

    def order(self, start: tuple[Word, int], text: str, found: list[Token], where: Where) -> bool:
        """Whether an order word (and how many tokens it takes) begins an order; if so it is kept.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        word, rest = start[0], found[start[1] :]
        if word in TEXT_WORDS:
            argument = read_text(word, text, rest)
            if argument is None:
                return False
            order = Order(where[0], text, where[1], word.word, word.kind, self.side, argument=argument)
            self.orders.append(order)
            return True
        try:
            order = _order(word, text, rest, self.side, where)
        except (OrderSyntax, UnknownName, AmbiguousName) as fault:
            sure = starts_as_order(word, rest)
            if several := together(text, found, self.side, sure=sure):
                raise several from fault
            if sure:
                raise
            return False
        self.keep(order, self.orders)
        return True

    def keep(self, order: Order, into: list[Order]) -> None:
        """Keep an order; one for now does not stand behind one for the next turn on the same line."""
        if into is self.orders and order.line == self.ahead_line and order.plays:
            raise OrderSyntax(
                "An order for the next turn stands before this one on the line. Is this one for the next turn too, "
                "write “next turn:” before it as well; else give it a line of its own.",
                choices=(f"next turn: {order.text}",),
            )
        into.append(order)

    def conditional(self, words: str, text: str, found: list[Token], where: Where, into: list[Order]) -> bool:
        """Whether an order stands behind a condition; if so it is kept in `into`.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        behind = after(found, words)
        at = span(found[: len(found) - len(behind)])
        rest, colon = body(behind)
        if not self.begins(text, rest) and not (colon and words.startswith("if")):
            return False
        if words == LEGAL:
            raise OrderSyntax(
                "“if legal” is not needed: what stands behind an order that is not legal is not tried. "
                "Where “if illegal” stands before, “otherwise” is its opposite.",
                span=at,
            )
        order = self.played(text, rest or found, where)
        if not self.refused:  # what it speaks of may be among them, and the mail is refused in any case
            order = replace(order, condition=self.linked(TESTS[words], at, into))
        self.keep(order, into)
        return True

    def linked(self, test: Test, at: tuple[int, int], into: list[Order]) -> Condition:
        """The condition of the next order in `into`.

        Raises: OrderSyntax.
        """
        try:
            return link(test, into, earlier=into is self.orders)
        except OrderSyntax as refusal:
            refusal.span = at
            raise

    def next_turn(self, text: str, found: list[Token], where: Where) -> bool:
        """Whether an order for the next turn stands here; if so it is kept.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        behind = after(found, AHEAD)
        if is_asked(text, found[: len(found) - len(behind)], AHEAD):
            return False
        rest, colon = body(behind)
        if len(rest) == 1 and rest[0].text in CLEARING:
            self.ahead.clear()
            self.clears_ahead = True
            return True
        kept = len(self.ahead)
        words = opening(rest)
        if words and words != AHEAD:
            taken = self.conditional(words, text, rest, where, self.ahead)
        elif taken := words == AHEAD or self.begins(text, rest) or (colon and is_standing(rest)):
            self.ahead.append(self.played(text, rest, where))
        for order in self.ahead[kept:]:
            begin = rest[0].start
            at = (where[1][0] + begin, where[1][1])
            self.ahead[kept] = replace(order, text=text[begin:], span=at)
            self.ahead_line = where[0]
        return taken

    def begins(self, text: str, rest: list[Token]) -> bool:
        """Whether an order begins here, if with a slip in its first word, which `played` refuses."""
        return is_order(rest) or misspelt(text, rest, self.side, SHORTEST_BEHIND) is not None

    def played(self, text: str, found: list[Token], where: Where) -> Order:
        """The order behind a condition or for the next turn: one of the game, `done` or `stop`.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        start = starting(found)
        if start is None or (start[0].kind != "game" and start[0].word not in PLAYED):
            raise misspelt(text, found, self.side, SHORTEST_BEHIND) or OrderSyntax(
                "Here only one order of the game can stand, or done, or stop; a condition stands before each order.",
                span=span(found),
            )
        try:
            return _order(start[0], text, found[start[1] :], self.side, where)
        except (OrderSyntax, UnknownName, AmbiguousName) as fault:
            raise together(text, found, self.side, sure=True) or fault from None

    def reading(self) -> Reading:
        """All that has been read."""
        if any(order.plays for order in (*self.orders, *self.ahead)):
            self.refused[:0] = [fault for fault, _ in self.checks]
            meant = {line for _, line in self.checks}
            self.ignored = [line for line in self.ignored if line not in meant]
        if len(self.ahead) > MOST_AHEAD:
            self.refused.append(_too_far(self.ahead))
        return Reading(
            tuple(self.orders), tuple(self.ignored), tuple(self.refused), tuple(self.standing),
            tuple(self.ahead), self.clears_ahead,
        )  # fmt: skip

    def long(self, number: int, line: str) -> None:
        """Take a line that is too long to be read: refused if an order begins in it, else prose."""
        beginnings = (line[at:end][:LONGEST_LINE] for at, end in parts(line, unbulleted(line))[:MOST_PARTS])
        if any(_says_something(text, self.side) for text in beginnings):
            self.refused.append(_too_long(number, line))
        else:
            self.ignored.append((number, line))

    def press(self, number: int, line: str, following: list[str]) -> None:
        """Take a press message, which runs over the lines that follow it; its `target` may be "all"."""
        start = unbulleted(line)
        text = "\n".join((line[start:].strip(), *following))
        head, argument = _COLON.split(text, maxsplit=1)
        to = "all" if head.split()[1:] else None
        order = Order(
            number, text, (start, len(line)), "press", "word", self.side, target=to, argument=argument.strip()
        )
        self.orders.append(order)


_COLON = re.compile("[:\uff1a]")
_MESSAGE = re.compile(r"\s*(?:[-*]\s*)?(press|press\s+all|note)\s*[:\uff1a]", re.IGNORECASE)
"""What starts a text that semicolons do not part."""


MOST_PARTS = 2_000
"""Lines, or pieces of lines, of one mail that are looked at."""


def _too_far(ahead: list[Order]) -> Refusal:
    return OrderSyntax(
        "There are {count} orders for the next turn, and at most {most} can wait. A turn has two actions: one line for "
        "each order that you mean, and one for each condition, will do.",
        line=ahead[MOST_AHEAD].line,
        text=ahead[MOST_AHEAD].text,
        count=len(ahead),
        most=MOST_AHEAD,
    )


def _says_something(text: str, side: Side) -> bool:
    """Whether a text is more than prose: an order, a clause or what is refused."""
    reading = _Reading(side)
    reading.part(1, text, (0, len(text)))
    return not reading.ignored


def _too_long(number: int, line: str) -> Refusal:
    return OrderSyntax(
        "This line has {count} characters, and orders are read in lines of at most {most}. Write each order on a line "
        "of its own.",
        line=number,
        text=line[:LONGEST_LINE],
        count=len(line),
        most=LONGEST_LINE,
    )


def _too_many(line: int) -> Refusal:
    return OrderSyntax(f"This mail has more than {MOST_PARTS} orders: the others were not read.", line=line)


def read(lines: Iterable[tuple[int, str]] | str, side: Side) -> Reading:
    """The orders, standing orders, prose and refusals of a mail's own lines.

    `lines` are numbered; a text is numbered from 1. All faults are collected, none is raised. A refusal's
    `text` is the order that it is about, its `span` a part of that text.
    """
    numbered = list(enumerate(lines.splitlines(), 1)) if isinstance(lines, str) else list(lines)
    reading = _Reading(side)
    taken = looked_at = 0
    for index, (number, line) in enumerate(numbered):
        if index < taken or not line or line.isspace():
            continue
        message = _MESSAGE.match(line)
        if message and message[1].lower() != "note":
            taken = next((i for i in range(index, len(numbered)) if not numbered[i][1].strip()), len(numbered))
            reading.press(number, line, [text for _, text in numbered[index + 1 : taken]])
        elif is_quoted(line):
            reading.ignored.append((number, line))
        elif len(line) > LONGEST_LINE:
            reading.long(number, line)
        else:
            start = unbulleted(line)
            pieces = [(start, len(line.rstrip()))] if message else parts(line, start)
            for at in pieces or [(0, len(line))]:
                reading.part(number, line, at)
            looked_at += len(pieces)
            if looked_at > MOST_PARTS:
                reading.refused.append(_too_many(number))
                break
    return reading.reading()


def read_again(waiting: Sequence[Later], side: Side) -> Reading:
    """Orders that were put aside; what their conditions are about is settled and not looked for again."""
    reading = _Reading(side)
    for number, one in enumerate(waiting, 1):
        found = tokens(one.text)
        words = opening(found)
        rest = body(after(found, words))[0] if words else found
        order = reading.played(one.text, rest, (number, (0, len(one.text))))
        reading.orders.append(replace(order, condition=one.condition))
    return reading.reading()
