"""What is an order, what is prose.

Asked about lines that start with an order word and could not be read as that order, about conditions, and about lines
that start with a misspelt order word.
"""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.names import CARD_NAMES, MODIFIERS, MOST_WORDS, SHORTEST_INNER, begins_as_name, span, spelling
from adjudicator.orders.slots import slots_of
from adjudicator.orders.tokens import Token
from adjudicator.orders.words import CONDITIONS, NUMBERS, PREPOSITIONS, STARTS, Word, starting

_CONDITIONS = tuple(tuple(words.split()) for words in CONDITIONS)
_FIRST = {words[0] for words in _CONDITIONS}
KNOWN = ("if blocked", "if not blocked", "if hand shown", "if illegal", "otherwise")
"""The conditions as they are offered."""
_BEHIND_CONDITION = (":", ",", "then")
_LONGEST_CONDITION = 7
"""Words of an `if` that is not known and yet looks like a condition."""


def starts_as_order(word: Word, rest: list[Token]) -> bool:
    """Whether what follows an order word makes an order: nothing, or something at or near a name."""
    if not rest:
        return True
    piece, skipped = _first_piece(rest)
    if not piece:
        return skipped is not None and skipped.text in (":", "with")
    if word.kind == "word":
        return False
    return begins_as_name(piece) or _only_alone(word, piece)


def _first_piece(rest: list[Token]) -> tuple[list[Token], Token | None]:
    """The first words that may be a name, and the last token skipped before them."""
    first = 0
    skipped: Token | None = None
    while first < len(rest) and (rest[first].text in PREPOSITIONS or rest[first].text in (",", *NUMBERS)):
        skipped = rest[first]
        first += 1
    end = first
    while end < len(rest) and rest[end].text not in PREPOSITIONS and rest[end].text != ",":
        end += 1
    piece = rest[first:end]
    if len(piece) > 1 and piece[0].text in MODIFIERS:
        piece = piece[1:]
    return piece, skipped


def _only_alone(word: Word, piece: list[Token]) -> bool:
    """Whether an order that stands alone is followed by nothing but another one ("pass pass")."""
    if word.shape != "alone":
        return False
    if piece[0].text in word.after and len(piece) == 1:
        return True
    again = starting(piece)
    return again is not None and again[0].shape == "alone" and again[1] == len(piece)


def is_order(found: list[Token]) -> bool:
    """Whether these tokens start as an order."""
    start = starting(found)
    return start is not None and starts_as_order(start[0], found[start[1] :])


def opening(found: list[Token]) -> str | None:
    """The words of `words.CONDITIONS` that these tokens start with."""
    if not found or found[0].text not in _FIRST:
        return None
    for words in _CONDITIONS:
        if tuple([token.text for token in found[: len(words)]]) == words:
            return " ".join(words)
    return None


def body(rest: list[Token]) -> tuple[list[Token], bool]:
    """What stands behind a condition, less the colon, comma or `then` between; whether that is a colon."""
    if rest and rest[0].text in _BEHIND_CONDITION:
        return rest[1:], rest[0].text == ":"
    return rest, False


def unknown_condition(found: list[Token]) -> Refusal | None:
    """The refusal of an order behind an `if` that is none of the conditions; None if a line is none."""
    if not found or found[0].text != "if":
        return None
    colon = next((at for at, token in enumerate(found[:_LONGEST_CONDITION]) if token.text == ":"), None)
    if colon is None or not is_order(found[colon + 1 :]):
        return None
    known = tuple(f"{words}: ORDER" for words in KNOWN)
    return OrderSyntax("There is no such condition.", choices=known, span=span(found[:colon]))


SHORTEST_MISSPELT = 5
"""Letters of a word that may have any one slip of the pen; in shorter ones only two letters may be swapped."""


@lru_cache(maxsize=4096)
def _near(written: str) -> tuple[str, ...]:
    """The first words of orders that a word is a misspelling of: one slip of the pen, and no other form of the word."""
    if any(written.startswith(word) for word in STARTS if len(word) > SHORTEST_INNER):
        return ()
    return tuple(
        meant
        for meant, _, _ in process.extract(written, list(STARTS), scorer=OSA.distance, score_cutoff=1, limit=5)
        if min(len(meant), len(written)) >= SHORTEST_MISSPELT or sorted(meant) == sorted(written)
    )


def misspelt(found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a line that is an order but for one slip in its first word; None for all other prose."""
    for meant in _near(found[0].text) if found else ():
        for written, word in STARTS[meant]:
            count = len(written)
            fits = tuple([token.text for token in found[1:count]]) == written[1:]
            if fits and _would_be(word, meant, found, count, side):
                return OrderSyntax(
                    "“{written}” is no order word. Near to it: {meant}.",
                    choices=(word.form,),
                    span=span(found[:1]),
                    written=found[0].text,
                    meant=meant,
                )
    return None


def _would_be(word: Word, meant: str, found: list[Token], count: int, side: Side) -> bool:
    """Whether the rest of a line makes it an order of this word: nothing, or a full name and all else that it needs."""
    rest = found[count:]
    if word.shape == "alone":
        # A word alone on a line may be anybody's name: only two letters may have changed places.
        heeded = word.kind == "game" or word.word in ("done", "stop", "check")
        return heeded and not rest and sorted(meant) == sorted(found[0].text)
    piece = _first_piece(rest)[0]
    if not any(spelling(piece[:end]) in CARD_NAMES.full for end in range(1, min(len(piece), MOST_WORDS) + 1)):
        return False
    try:
        slots_of(word, rest, side)
    except (OrderSyntax, UnknownName, AmbiguousName):
        return False
    return True
