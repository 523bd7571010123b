"""Standing orders, read: clauses that start with `on` and an occasion."""

from adjudicator.errors import OrderSyntax, Refusal
from adjudicator.game.model import Side, Source, other
from adjudicator.orders.names import Ranked, can_have, name, read_card, read_place, span
from adjudicator.orders.standing import (
    LOCATION,
    NOTHING_SAID,
    BlockReply,
    Clause,
    GiveReply,
    ListReply,
    Mode,
    Ranks,
    SettleReply,
    Standing,
    amend,
)
from adjudicator.orders.takes import offered, takes
from adjudicator.orders.tokens import Token, parts, tokens, unbulleted
from adjudicator.orders.words import SOURCES

OCCASIONS = {
    "raid": "raid", "ambush": "ambush", "priest": "priest", "indian leader": "priest",
    "siege lost": "siege lost", "siege won": "siege won", "surrender": "surrender", "reshuffle": "reshuffle",
}  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "raid": ("raid",), "ambush": ("ambush_block", "ambush_give"), "priest": ("priest",), "siege lost": ("siege_lost",),
    "siege won": ("siege_won",), "surrender": ("surrender",), "reshuffle": ("reshuffle",),
}  # fmt: skip
"""What is said about an occasion: fields of Standing."""

DEFAULT = "default"
"""The reply that takes back what was said about an occasion."""

_REPLIES = (DEFAULT, "block", "no", "never", "ask", "give", "from", "lose", "settle", "discard")
_SETTLING = ("settle [with CARD, CARD]", "no settle", "ask me", DEFAULT)
FORMS: dict[str, tuple[str, ...]] = {
    "raid": ("block [with CARD, CARD]", "no block", "ask me", DEFAULT),
    "ambush": (
        "block always|vulnerable|never [with CARD, CARD]",
        "give CARD, CARD [from reserve|hand first]",
        "ask me",
        DEFAULT,
    ),
    "priest": ("give from reserve|hand", "ask me", DEFAULT),
    "siege lost": ("lose CARD, CARD", "ask me", DEFAULT),
    "siege won": _SETTLING,
    "surrender": _SETTLING,
    "reshuffle": ("discard CARD, CARD", "ask me", DEFAULT),
}


def _occasion(found: list[Token]) -> tuple[str, int] | None:
    """The occasion that a line is about and how many tokens name it, `on` included."""
    if len(found) < 3 or found[0].text != "on":  # noqa: PLR2004 - `on`, the occasion, and something to do
        return None
    for count in (3, 2):
        occasion = OCCASIONS.get(" ".join(token.text for token in found[1:count]))
        if occasion:
            return occasion, count
    return None


def is_standing(found: list[Token]) -> bool:
    """Whether the tokens of a line begin as a standing order does."""
    occasion = _occasion(found)
    if occasion is None:
        return False
    rest = found[occasion[1] :]
    return (bool(rest) and rest[0].text in _REPLIES) or any(token.text == ":" for token in rest)


def _split(found: list[Token]) -> list[list[Token]]:
    """The pieces between the commas, empty ones left out."""
    pieces: list[list[Token]] = [[]]
    for token in found:
        if token.text == ",":
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


class _Body:
    """The reply of a clause, read from the left."""

    def __init__(self, occasion: str, found: list[Token], side: Side) -> None:
        self.occasion = occasion
        self.left = found
        self.side = side

    def take(self, *words: str) -> str:
        """The next word if it is one of these, else an empty text."""
        if self.left and self.left[0].text in words:
            return self.left.pop(0).text
        return ""

    def cards(self, word: str) -> Ranks:
        """The listed cards, as `word` takes them, up to `from`, `hand first` or the end."""
        words = [token.text for token in self.left]
        stop = next(
            (
                i
                for i, word in enumerate(words)
                if word == "from" or (word in SOURCES and words[i + 1 : i + 2] == ["first"])
            ),
            len(words),
        )
        listed, self.left = self.left[:stop], self.left[stop:]
        return tuple(
            LOCATION if [token.text for token in piece] == ["location"] else self.card(piece, word)
            for piece in _split(listed)
        )

    def card(self, piece: list[Token], word: str) -> Ranked:
        """The card that a piece names. One that only the other side can have would never be used: it is refused."""
        ranked = read_card(piece, self.side, takes(word, self.side))
        if not can_have(self.side, ranked[0]):
            raise OrderSyntax(
                "The {whose} have no card {name}.",
                choices=offered(word, self.side),
                span=span(piece),
                whose=self.side.capitalize(),
                name=name(other(self.side), ranked[0]),
            )
        return ranked

    def first(self) -> Source | None:
        """`from reserve`, `from reserve first` or `reserve first`."""
        if not self.take("from") and not (self.left and self.left[-1].text == "first"):
            return None
        source = next((known for known in SOURCES if self.take(known)), None)
        if source is None:
            raise self.fault()
        self.take("first")
        return source

    def fault(self) -> OrderSyntax:
        """The refusal of what is left."""
        forms = tuple(f"on {self.occasion}: {form}" for form in FORMS[self.occasion])
        at = (self.left[0].start, self.left[-1].end) if self.left else None
        return OrderSyntax("This standing order cannot be read.", choices=forms, span=at)


def _block(body: _Body, places: tuple[str | None, ...]) -> tuple[BlockReply, ...]:
    """`block …`, `no block` and `never`, for each place."""
    mode: Mode = "vulnerable" if body.occasion == "ambush" else "always"
    cards: Ranks | None = None
    if body.take("no", "never"):
        body.take("block")
        mode = "never"
    elif body.take("block"):
        said = body.take("always", "vulnerable", "never")
        for known in ("always", "vulnerable", "never"):
            mode = known if said == known else mode
        listed = body.take("with", ":") or body.left
        if mode != "never" and listed:
            cards = body.cards("block")
            if not cards:
                raise body.fault()
    else:
        raise body.fault()
    return tuple(BlockReply(mode, cards, at) for at in places)


def _raid(body: _Body, places: tuple[str | None, ...], *, ask: bool) -> Standing:
    return Standing(raid=tuple(BlockReply("ask", None, at) for at in places) if ask else _block(body, places))


def _ambush(body: _Body, *, ask: bool) -> Standing:
    if ask:
        return Standing(ambush_block=BlockReply("ask"), ambush_give=GiveReply(ask=True))
    if body.take("give"):
        cards = body.cards("give")
        first = body.first()
        if not cards and not first:
            raise body.fault()
        return Standing(ambush_give=GiveReply(cards, first))
    return Standing(ambush_block=_block(body, (None,))[0])


def _priest(body: _Body, *, ask: bool) -> Standing:
    if ask:
        return Standing(priest=GiveReply(ask=True))
    body.take("give")
    first = body.first()
    if first is None:
        raise body.fault()
    return Standing(priest=GiveReply((), first))


def _listed(body: _Body, word: str, *, ask: bool) -> ListReply:
    if ask:
        return ListReply(ask=True)
    if not body.take(word) or not body.left:
        raise body.fault()
    body.take(":")
    return ListReply(body.cards(word))


def _settling(body: _Body, *, ask: bool) -> SettleReply:
    if ask:
        return SettleReply(settle=False, ask=True)
    if body.take("no", "never"):
        body.take("settle")
        return SettleReply(settle=False)
    if not body.take("settle"):
        raise body.fault()
    return SettleReply(settle=True, cards=body.cards("no place") if body.take("with", ":") else ())


def _says(body: _Body, places: tuple[str | None, ...]) -> Standing:
    """What the reply of a clause says."""
    ask = bool(body.take("ask"))
    if ask:
        body.take("me")
    said = NOTHING_SAID
    match body.occasion:
        case "raid":
            said = _raid(body, places, ask=ask)
        case "ambush":
            said = _ambush(body, ask=ask)
        case "priest":
            said = _priest(body, ask=ask)
        case "siege lost":
            said = Standing(siege_lost=_listed(body, "lose", ask=ask))
        case "siege won":
            said = Standing(siege_won=_settling(body, ask=ask))
        case "surrender":
            said = Standing(surrender=_settling(body, ask=ask))
        case "reshuffle":
            said = Standing(reshuffle=_listed(body, "discard", ask=ask))
    return said


def read_clause(found: list[Token], side: Side) -> Clause:
    """A clause (its tokens) without line, text and span; `is_standing` has said that it is one.

    Raises: OrderSyntax, UnknownName, AmbiguousName; with a span, without line and text.
    """
    occasion, count = _occasion(found) or ("raid", 2)
    rest = found[count:]
    colon = next((i for i, token in enumerate(rest) if token.text == ":"), None)
    places: tuple[str | None, ...] = (None,)
    if colon is not None and rest[0].text not in _REPLIES:
        where, rest = rest[:colon], rest[colon + 1 :]
        if where and (occasion != "raid" or where[0].text not in ("at", "on", "in", "of")):
            raise _Body(occasion, where, side).fault()
        if where:
            places = tuple(read_place(piece) for piece in _split(where[1:]))
    body = _Body(occasion, rest, side)
    if body.take(DEFAULT):
        clause = Clause(0, "", (0, 0), unsays=_FIELDS[occasion], at=places if occasion == "raid" else ())
    else:
        clause = Clause(0, "", (0, 0), _says(body, places))
    if body.left or not places:
        raise body.fault()
    return clause


def read_standing(text: str, side: Side) -> Standing:
    """The standing orders of a side, one clause a line or parted by `;`.

    Raises: OrderSyntax, UnknownName, AmbiguousName for the first clause that cannot be read.
    """
    standing = NOTHING_SAID
    for number, line in enumerate(text.splitlines(), 1):
        for start, end in parts(line, unbulleted(line)):
            piece = line[start:end]
            try:
                found = tokens(piece)
                if not is_standing(found):
                    raise OrderSyntax("This is no standing order.", choices=tuple(f"on {on}: …" for on in FORMS))
                clause = read_clause(found, side)
            except Refusal as refusal:
                refusal.line, refusal.text = number, piece
                raise
            standing = amend(standing, [clause])
    return standing
