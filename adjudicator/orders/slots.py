"""What follows an order word, taken apart: place, cards, and where a card comes from."""

from collections.abc import Callable

from adjudicator.errors import OrderSyntax
from adjudicator.game import facts
from adjudicator.game.model import Side, Source
from adjudicator.orders.names import Ranked, read_card, read_place, span
from adjudicator.orders.takes import takes
from adjudicator.orders.tokens import Token
from adjudicator.orders.words import NUMBERS, PREPOSITIONS, RULE_OF, SOURCES, Word

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

    def cards(self, pieces: list[Piece], word: str = "") -> tuple[Ranked, ...]:
        """The cards that pieces name, as `word` takes them; a number before a name repeats it ("2 natives")."""
        cards: list[Ranked] = []
        fit = takes(word or self.word.word, self.side)
        for piece in pieces:
            times = NUMBERS.get(piece[0].text, 1) if len(piece) > 1 else 1
            cards += [read_card(piece[1:] if times > 1 else piece, self.side, fit)] * times
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
        cards = reader.cards(reader.take("with", ":"), "no place")
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


def slots_of(word: Word, rest: list[Token], side: Side) -> Slots:
    """What the tokens behind an order word name.

    Raises: OrderSyntax, UnknownName, AmbiguousName; with a span in most cases, without line and text.
    """
    if not rest and word.shape == "alone":
        return None, (), None
    reader = _Reader(word, rest, side)
    slots = _SHAPES[word.shape](reader)
    reader.finish()
    return slots
