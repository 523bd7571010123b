"""The names of places and cards: what they are called in print, and what a player may have meant.

A name may be shortened to any beginning that is unambiguous among all names of its kind, never only among
the legal ones. A full name wins over being a beginning of another; a beginning of the name wins over a
beginning of a later word ("hal" is Halifax, "duq" Fort Duquesne, "infantry" Regular Infantry). A misspelt
name is never guessed.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game import facts
from adjudicator.game.model import Side, other
from adjudicator.orders.tokens import Token, fold

Ranked = tuple[str, ...]
"""Card ids that one written name may mean, the likeliest first."""

SHORTEST_INNER = 3
"""Letters that a beginning of a later word of a name needs; two would catch English words ("be", "st")."""

LONG_BEGINNING = 6
"""A misspelt beginning has more letters; shorter ones are near to too many words ("salt", "Balt")."""

MODIFIERS = ("own", "neutral", "start", "bought")

# Short names that are no beginning of a word of the printed name, each with its reason.
CARD_ALIASES: Mapping[str, tuple[str, ...]] = {
    "Native Americans": ("Natives", "Native American"),  # what everybody says at the table
    "Regular Infantry": ("Regulars", "Infantries"),  # plurals
    "Military Leader": ("Military Leaders",),  # plural
    "Siege Artillery": ("Artilleries",),  # plural
    "Militia": ("Militias",),  # plural
    "Priest": ("Priests",),  # plural
    "Trader": ("Traders",),  # plural
    "Fortification": ("Fortifications",),  # plural
    "Coureurs de Bois": ("Coureurs des Bois", "Coureur des Bois", "Coureur de Bois"),  # usual spellings
}
_SAME_WORD = {"ft": "fort"}
_ARTICLES = ("de", "des")


def _squeezed(name: str) -> tuple[str, ...]:
    """The folded words of a printed name."""
    return tuple(folded for word in name.replace("-", " ").split() if (folded := fold(word)))


class Index(msgspec.Struct, frozen=True):
    """All names of one kind, ready to be looked up; all spellings are written without blanks.

    `shown` maps a key to its printed name, `full` a spelling to its key, `begins` and `inner` a beginning
    (of the name, of a later word) to the keys that share it.
    """

    shown: dict[str, str]
    full: dict[str, str]
    begins: dict[str, tuple[str, ...]]
    inner: dict[str, tuple[str, ...]]

    def find(self, spelling: str) -> tuple[str, ...]:
        """The keys that a spelling may mean; none, one, or several if it is ambiguous."""
        key = self.full.get(spelling)
        if key is not None:
            return (key,)
        return self.begins.get(spelling) or self.inner.get(spelling) or ()

    def nearest(self, spelling: str, limit: int = 3, takes: Callable[[str], bool] | None = None) -> tuple[str, ...]:
        """The printed names that a misspelt name is near to, nearest first; empty if it is near to none.

        `takes` leaves out keys that do not fit.
        """
        cutoff = _slack(spelling)
        if cutoff == 0:
            return ()
        length = len(spelling)
        # A misspelt beginning counts as well, if it is long enough to be one: "governm" is near "governo".
        openings = {name[:length]: key for name, key in self.full.items() if len(name) > length > LONG_BEGINNING}
        best: dict[str, float] = {}
        for table, slack in ((self.full, cutoff), (openings, cutoff - 1)):
            for name, distance, _ in process.extract(
                spelling, list(table), scorer=OSA.distance, score_cutoff=slack, limit=None if takes else 10
            ):
                key = table[name]
                best[key] = min(distance, best.get(key, distance))
        ranked = sorted(filter(takes, best), key=lambda key: (best[key], self.shown[key]))
        return tuple(self.shown[key] for key in ranked[:limit])


def _slack(spelling: str) -> int:
    """How many slips of the pen a spelling of this length may have and still be near a name."""
    length = len(spelling)
    return 0 if length < 4 else 1 if length < 7 else 2 if length < 10 else 3  # noqa: PLR2004 - letters


def _index(spellings: Mapping[str, Iterable[str]], aliases: Mapping[str, Iterable[str]]) -> Index:
    """An index over keys and their spellings, the printed one first; aliases are never shortened."""
    shown: dict[str, str] = {}
    full: dict[str, str] = {}
    begins: dict[str, set[str]] = {}
    inner: dict[str, set[str]] = {}
    for key, written in spellings.items():
        for spelling in written:
            shown.setdefault(key, spelling)
            words = _squeezed(spelling)
            full["".join(words)] = key
            for first in range(len(words)):
                tail = "".join(words[first:])
                table, shortest = (inner, SHORTEST_INNER) if first else (begins, 1)
                if words[first] not in _ARTICLES:
                    for end in range(shortest, len(tail) + 1):
                        table.setdefault(tail[:end], set()).add(key)
    for key, written in aliases.items():
        full.update(("".join(_squeezed(alias)), key) for alias in written)
    return Index(
        shown,
        full,
        {word: tuple(sorted(keys)) for word, keys in begins.items()},
        {word: tuple(sorted(keys)) for word, keys in inner.items()},
    )


_locations = {place.id: (place.name, *place.aliases) for place in facts.LOCATIONS.values()}
_empire = {card.name: (card.name,) for cards in facts.EMPIRE_CARDS.values() for card in cards.values()}

PLACES = _index(_locations, {})
"""Places by id."""
CARD_NAMES = _index({**_locations, **_empire}, CARD_ALIASES)
"""Cards of both sides: location cards by the id of the place, empire cards by their printed name."""


MOST_WORDS = max(len(fact.split()) for fact in CARD_NAMES.shown.values()) + 2
"""No name has so many words, an article and an abbreviation included."""


def _ids(owner: str, name: str) -> Ranked:
    """The empire cards of an owner with this printed name, start cards first."""
    found = [card for card in facts.EMPIRE_CARDS[owner].values() if card.name == name]
    return tuple(card.id for card in sorted(found, key=lambda card: (-card.start, card.id)))


def candidates(side: Side, key: str, modifier: str = "") -> Ranked:
    """The card ids that a card name means in a side's mouth, likeliest first: own start, own, neutral.

    A card that only the other side can have keeps its id, so that the rules refuse it. Empty if the modifier
    fits none.
    """
    if key in facts.LOCATIONS:
        return (key,) if modifier in ("", "own") else ()
    own, neutral = _ids(side, key), _ids("neutral", key)
    if modifier == "own":
        return own
    if modifier == "neutral":
        return neutral
    if modifier == "start":
        return tuple(id_ for id_ in own if facts.EMPIRE_CARDS[side][id_].start)
    if modifier == "bought":
        return tuple(id_ for id_ in own if id_ != facts.START_INFANTRY)
    return own + neutral or _ids(other(side), key)


_RANKED: dict[Side, dict[tuple[str, str], Ranked]] = {
    side: {
        (key, modifier): candidates(side, key, modifier) for key in CARD_NAMES.shown for modifier in ("", *MODIFIERS)
    }
    for side in ("british", "french")
}


def place(location: str) -> str:
    """The printed name of a place."""
    return facts.LOCATIONS[location].name


def name(side: Side, card: str) -> str:
    """What a card is called in orders and reports, so that it can mean no other card of that side.

    Raises: KeyError if no such card can ever be his.
    """
    return _PRINTED[side][card]


def can_have(side: Side, card: str) -> bool:
    """Whether a card can ever be a side's."""
    return card in _PRINTED[side]


def _printed(side: Side, card: facts.Card) -> str:
    own = facts.EMPIRE_CARDS[side].values()
    if card.id == facts.START_INFANTRY:
        return "start Infantry"
    if any(start.id == facts.START_INFANTRY and start.name == card.name for start in own):
        return "bought Infantry"
    if card.side == "neutral" and any(mine.name == card.name for mine in own):
        return f"neutral {card.name}"
    return card.name


_PRINTED: dict[Side, dict[str, str]] = {
    side: {card.id: _printed(side, card) for card in facts.CARDS[side].values()} for side in ("british", "french")
}


def spelling(piece: list[Token]) -> str:
    """The words of a piece as the indexes write them."""
    return "".join([_SAME_WORD.get(token.text, token.text) for token in piece])


def span(piece: list[Token]) -> tuple[int, int]:
    """Where a piece stands in the text."""
    return piece[0].start, piece[-1].end


def _anything(_key: str) -> bool:
    return True


def _unfound(index: Index, piece: list[Token], kind: str, takes: Callable[[str], bool] = _anything) -> Refusal:
    """The refusal of a piece that is no single name of its kind; it offers what the order `takes`."""
    written = " ".join(token.text for token in piece)
    found = index.find(spelling(piece))
    if found:
        fit = [key for key in found if takes(key)]
        shown = tuple(sorted(index.shown[key] for key in fit or found))
        template = "“{written}” may mean several " + kind
        if not fit:
            template += ": {names}. This order takes none of them."
        else:
            template += ": {names}." if len(fit) == len(found) else ". This order takes of them: {names}."
        return AmbiguousName(
            template, choices=shown if fit else (), span=span(piece), written=written, names=", ".join(shown),
        )  # fmt: skip
    for count in range(min(len(piece) - 1, MOST_WORDS), 0, -1):
        known = index.full.get(spelling(piece[:count]))
        if known:
            return OrderSyntax(
                "“{rest}” after {name} is not understood. Commas part cards.",
                span=span(piece[count:]),
                name=index.shown[known],
                rest=" ".join(token.text for token in piece[count:]),
            )
    near = index.nearest(spelling(piece), takes=takes)
    template = "There are no " + kind + " called “{written}”."
    if near:
        template += " Near to it: {names}."
    elif unfit := index.nearest(spelling(piece)):
        return UnknownName(
            template + " Near to it: {names}, but this order takes no such card.",
            span=span(piece), written=written, names=", ".join(unfit),
        )  # fmt: skip
    return UnknownName(template, choices=near, span=span(piece), written=written, names=", ".join(near))


def read_place(piece: list[Token]) -> str:
    """The id of the place that a piece names.

    Raises: UnknownName, AmbiguousName; OrderSyntax if something else follows the name.
    """
    found = PLACES.find(spelling(piece))
    if len(found) != 1:
        raise _unfound(PLACES, piece, "places")
    return found[0]


def read_card(piece: list[Token], side: Side, takes: Callable[[str], bool] = _anything) -> Ranked:
    """The card ids that a piece may mean, likeliest first; `takes` are the cards to offer if it means none.

    Raises: UnknownName, AmbiguousName; OrderSyntax if something else follows the name.
    """
    modifier = piece[0].text if len(piece) > 1 and piece[0].text in MODIFIERS else ""
    named = piece[1:] if modifier else piece
    found = CARD_NAMES.find(spelling(named))
    if len(found) != 1:
        raise _unfound(CARD_NAMES, named, "cards", takes)
    ranked = _RANKED[side][found[0], modifier]
    if not ranked:
        raise UnknownName(
            "There is no {modifier} {name} that you could have.",
            choices=tuple(name(side, card) for card in _RANKED[side][found[0], ""] if can_have(side, card)),
            span=span(piece), modifier=modifier, name=CARD_NAMES.shown[found[0]],
        )  # fmt: skip
    return ranked


@lru_cache(maxsize=4096)
def _is_near(written: str) -> bool:
    """Whether something is near to the name of a card."""
    return bool(CARD_NAMES.nearest(written, 1))


def begins_as_name(piece: list[Token]) -> bool:
    """Whether a piece is, or starts with, something at or near a name.

    As a whole it may be any beginning; if more words follow, the first of them must be a name, a single
    beginning of four letters or more, or a near miss: else "raid can wait" would be about Canso.
    """
    if CARD_NAMES.find(spelling(piece)):
        return True
    for count in range(1, min(len(piece), 4) + 1):
        start = spelling(piece[:count])
        if start in CARD_NAMES.full or _is_near(start):
            return True
        if len(start) > SHORTEST_INNER and len(CARD_NAMES.begins.get(start, ())) == 1:
            return True
    return False
