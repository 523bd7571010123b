"""The reader of orders: lines of a mail to orders, standing orders, prose and refusals.

A line is an order if it starts with an order word followed by nothing, or by something at or near a known
name or option. Every other line is prose. A line that starts as an order and cannot be read is refused,
never taken for prose. Nothing is guessed: what is misspelt, missing or left over is refused with what was
expected.
"""

import re
from collections.abc import Callable, Iterable

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game import facts
from adjudicator.game.model import Side, Source
from adjudicator.orders.names import (
    Ranked,
    read_card,
    read_place,
    span,
)
from adjudicator.orders.order import Order, Reading
from adjudicator.orders.recognise import condition, starts_as_order
from adjudicator.orders.standing import Clause, is_standing, read_clause
from adjudicator.orders.texts import read_text
from adjudicator.orders.tokens import LONGEST_LINE, Token, is_quoted, parts, tokens, unbulleted
from adjudicator.orders.words import NUMBERS, PREPOSITIONS, RULE_OF, SOURCES, TEXT_WORDS, Word, starting

Piece = list[Token]
Groups = dict[str, list[Piece]]
Slots = tuple[str | None, tuple[Ranked, ...], Source | None]
"""Place, cards in the order of the canonical form, and where a card comes from."""


def _grouped(found: list[Token]) -> Groups:
    """The pieces of an order by the preposition before them; "" for those before the first.

    Raises: OrderSyntax if nothing follows a preposition.
    """
    groups: Groups = {}
    key, opened = "", None
    pieces: list[Piece] = []
    piece: Piece = []
    for token in (*found, None):
        if token is None or token.text in PREPOSITIONS:
            if piece:
                pieces.append(piece)
            if pieces:
                groups.setdefault(key, []).extend(pieces)
            elif opened and not (token and opened.text == ":"):
                raise OrderSyntax("Something is missing after “{word}”.", span=opened[1:], word=opened.text)
            if token:
                key, opened, pieces, piece = PREPOSITIONS[token.text], token, [], []
        elif token.text == ",":
            if piece:
                pieces.append(piece)
                piece = []
        else:
            piece.append(token)
    return groups


class _Reader:
    """The pieces of one order, taken group by group; what nobody takes is refused."""

    def __init__(self, word: Word, found: list[Token], side: Side) -> None:
        self.word = word
        self.side = side
        self.groups = _grouped(found)

    def take(self, *keys: str) -> list[Piece]:
        """The pieces of these groups, in this order."""
        return [piece for key in keys for piece in self.groups.pop(key, ())]

    def place(self, *keys: str) -> str | None:
        """The place named first in the first of these groups that is there; None if there is none."""
        for key in keys:
            pieces = self.groups.get(key)
            if pieces:
                place = read_place(pieces[0])
                self.groups[key] = pieces[1:]
                return place
        return None

    def need_place(self, *keys: str) -> str:
        """As `place`; refused if there is none."""
        place = self.place(*keys)
        if place is None:
            raise self.fault("A place is missing.")
        return place

    def cards(self, pieces: list[Piece]) -> tuple[Ranked, ...]:
        """The cards that pieces name; a number before a name repeats it ("2 natives")."""
        cards: list[Ranked] = []
        for piece in pieces:
            times = NUMBERS.get(piece[0].text, 1) if len(piece) > 1 else 1
            cards += [read_card(piece[1:] if times > 1 else piece, self.side)] * times
        return tuple(cards)

    def counted(self, cards: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
        """The same cards if there are as many as the order takes."""
        if len(cards) < self.word.least:
            raise self.fault("A card is missing." if cards or self.word.least == 1 else "The cards are missing.")
        if len(cards) > self.word.most:
            raise self.fault("There are more cards than this order takes.")
        return cards

    def fault(self, why: str, at: Piece | None = None) -> OrderSyntax:
        """A refusal with the form that was expected."""
        return OrderSyntax(
            why + " Expected: {form}",
            rule=RULE_OF.get(self.word.word),
            choices=(self.word.form,),
            span=span(at) if at else None,
            form=self.word.form,
        )

    def finish(self) -> None:
        """Refuse what no slot has taken."""
        for pieces in self.groups.values():
            if pieces:
                raise self.fault("This has no place here.", pieces[0])


def _alone(reader: _Reader) -> Slots:
    rest = reader.take("")
    if rest and (len(rest) > 1 or len(rest[0]) > 1 or rest[0][0].text not in reader.word.after):
        raise reader.fault("This order stands alone.", rest[0])
    return None, (), None


def _settle(reader: _Reader) -> Slots:
    """`settle PLACE from CARD with CARD, CARD`, `settle PLACE: CARD, CARD, CARD`; an answer has no place."""
    target = reader.place("", "at")
    if target is None:
        cards = reader.cards(reader.take("with", ":"))
        if len(cards) > 1:
            raise reader.fault("A place is missing.")
        return None, cards, None
    origin = reader.cards(reader.take("from"))
    listed = reader.cards(reader.take("", ":"))
    cards = origin + listed + reader.cards(reader.take("with"))
    # Without `from`, two cards after `with` may be any two of three where a settler card is needed.
    in_order = origin or listed or len(cards) == 2 + facts.LOCATIONS[target].settlers
    if not 2 <= len(cards) <= reader.word.most or not in_order or len(origin) > 1:  # noqa: PLR2004
        raise reader.fault("An origin card, a transport card and perhaps a settler card are needed.")
    return target, cards, None


def _travel(reader: _Reader) -> Slots:
    target = reader.need_place("", "at")
    cards = reader.cards(reader.take("from", "", ":", "with"))
    return target, reader.counted(cards), None


def _at_place(reader: _Reader) -> Slots:
    target = reader.need_place("", "at")
    return target, reader.counted(reader.cards(reader.take("", ":", "with"))), None


def _place(reader: _Reader) -> Slots:
    return reader.need_place("", "at", "with", ":"), (), None


def _cards(reader: _Reader) -> Slots:
    return None, reader.counted(reader.cards(reader.take("", ":", "with", "from"))), None


def _withdraw(reader: _Reader) -> Slots:
    target = reader.need_place("", "from", "at")
    return target, reader.counted(reader.cards(reader.take("losing", "with", ":", ""))), None


def _lose(reader: _Reader) -> Slots:
    cards = reader.counted(reader.cards(reader.take("", ":", "with")))
    return reader.place("at", "from"), cards, None


def _give(reader: _Reader) -> Slots:
    cards = reader.counted(reader.cards(reader.take("", ":", "with")))
    source: Source | None = None
    for piece in reader.take("from"):
        known = next((known for known in SOURCES if [token.text for token in piece] == [known]), None)
        if known is None or source:
            raise reader.fault("A card is given from hand, reserve or siege.", piece)
        source = known
    return reader.place("at"), cards, source


_SHAPES: dict[str, Callable[[_Reader], Slots]] = {
    "alone": _alone, "settle": _settle, "travel": _travel, "at-place": _at_place, "place": _place, "cards":
    _cards, "withdraw": _withdraw, "lose": _lose, "give": _give,
}  # fmt: skip


def _order(word: Word, text: str, rest: list[Token], side: Side, where: tuple[int, tuple[int, int]]) -> Order:
    """An order whose words and names are in order.

    Raises: OrderSyntax, UnknownName, AmbiguousName.
    """
    line, at = where
    if not rest and word.shape == "alone":
        return Order(line, text, at, word.word, word.kind, side)
    reader = _Reader(word, rest, side)
    target, cards, source = _SHAPES[word.shape](reader)
    reader.finish()
    return Order(line, text, at, word.word, word.kind, side, target, cards, source)


class _Reading:
    """What has been read so far."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.orders: list[Order] = []
        self.ignored: list[tuple[int, str]] = []
        self.refused: list[Refusal] = []
        self.standing: list[Clause] = []

    def part(self, number: int, line: str, at: tuple[int, int]) -> None:
        """Read one order or piece of prose."""
        text = line[at[0] : at[1]]
        try:
            taken = self.taken(number, text, at)
        except Refusal as refusal:
            refusal.line, refusal.text = number, text
            refusal.span = refusal.span or (0, len(text))
            self.refused.append(refusal)
            return
        if not taken:
            # A line without another part is told whole, its bullet included.
            alone = len(parts(line, 0)) <= 1
            self.ignored.append((number, line.strip() if alone else text))

    def taken(self, number: int, text: str, at: tuple[int, int]) -> bool:
        """Whether a text is an order or a clause of standing orders; if so it is kept.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        found = tokens(text)
        start = starting(found)
        if start is not None:
            return self.order(start[0], text, found[start[1] :], (number, at))
        if found and found[0].text == "on" and is_standing(found):
            self.standing.append(Clause(number, text, at, read_clause(found, self.side)))
            return True
        conditional = condition(found)
        if conditional:
            raise conditional
        return False

    def order(self, word: Word, text: str, rest: list[Token], where: tuple[int, tuple[int, int]]) -> bool:
        """Whether what follows an order word makes an order; if so it is kept.

        Raises: OrderSyntax, UnknownName, AmbiguousName.
        """
        if word in TEXT_WORDS:
            argument = read_text(word, text, rest)
            if argument is None:
                return False
            order = Order(where[0], text, where[1], word.word, word.kind, self.side, argument=argument)
            self.orders.append(order)
            return True
        try:
            self.orders.append(_order(word, text, rest, self.side, where))
        except (OrderSyntax, UnknownName, AmbiguousName):
            if starts_as_order(word, rest):
                raise
            return False
        return True

    def press(self, number: int, line: str, following: list[str]) -> None:
        """Take a press message, which runs over the lines that follow it."""
        start = unbulleted(line)
        text = "\n".join((line[start:].strip(), *following))
        argument = _COLON.split(text, maxsplit=1)[1].strip()
        order = Order(number, text, (start, len(line)), "press", "word", self.side, argument=argument)
        self.orders.append(order)


_COLON = re.compile("[:\uff1a]")
_MESSAGE = re.compile(r"\s*(?:[-*]\s*)?(press|note)\s*[:\uff1a]", re.IGNORECASE)
"""What starts a text that semicolons do not part."""


MOST_PARTS = 2_000
"""Lines, or pieces of lines, of one mail that are looked at."""


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
        if message and message[1].lower() == "press":
            taken = next((i for i in range(index, len(numbered)) if not numbered[i][1].strip()), len(numbered))
            reading.press(number, line, [text for _, text in numbered[index + 1 : taken]])
        elif len(line) > LONGEST_LINE or is_quoted(line):
            reading.ignored.append((number, line))
        else:
            start = unbulleted(line)
            pieces = [(start, len(line.rstrip()))] if message else parts(line, start)
            for at in pieces or [(0, len(line))]:
                reading.part(number, line, at)
            looked_at += len(pieces)
            if looked_at > MOST_PARTS:
                reading.refused.append(_too_many(number))
                break
    return Reading(tuple(reading.orders), tuple(reading.ignored), tuple(reading.refused), tuple(reading.standing))
