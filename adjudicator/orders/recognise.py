"""What is an order, and what is prose.

Only asked about lines that start with an order word and could not be read as that order, and about
conditions.
"""

from adjudicator.errors import OrderSyntax, Refusal
from adjudicator.orders.names import MODIFIERS, begins_as_name, span
from adjudicator.orders.tokens import Token
from adjudicator.orders.words import CONDITIONS, NUMBERS, PREPOSITIONS, Word, starting

_CONDITIONS = tuple(tuple(words.split()) for words in CONDITIONS)
_FIRST = {words[0] for words in _CONDITIONS}


def starts_as_order(word: Word, rest: list[Token]) -> bool:
    """Whether what follows an order word makes an order: nothing, or something at or near a name."""
    if not rest:
        return True
    first = 0
    skipped: Token | None = None
    while first < len(rest) and (rest[first].text in PREPOSITIONS or rest[first].text in (",", *NUMBERS)):
        skipped = rest[first]
        first += 1
    end = first
    while end < len(rest) and rest[end].text not in PREPOSITIONS and rest[end].text != ",":
        end += 1
    piece = rest[first:end]
    if not piece:
        return skipped is not None and skipped.text in (":", "with")
    if word.kind == "word":
        return False
    if piece[0].text in MODIFIERS and len(piece) > 1:
        piece = piece[1:]
    return begins_as_name(piece) or _only_alone(word, piece)


def _only_alone(word: Word, piece: list[Token]) -> bool:
    """Whether an order that stands alone is followed by nothing but another one ("pass pass")."""
    if word.shape != "alone":
        return False
    if piece[0].text in word.after and len(piece) == 1:
        return True
    again = starting(piece)
    return again is not None and again[0].shape == "alone" and again[1] == len(piece)


def condition(found: list[Token]) -> Refusal | None:
    """The refusal of a conditional order, None if a line is none."""
    if not found or found[0].text not in _FIRST:
        return None
    for words in _CONDITIONS:
        count = len(words)
        if tuple([token.text for token in found[:count]]) == words:
            rest = found[count:]
            colon = bool(rest) and rest[0].text == ":"
            rest = rest[1:] if colon else rest
            start = starting(rest)
            is_order = start is not None and starts_as_order(start[0], rest[start[1] :])
            if is_order or (colon and words[0] == "if"):
                return OrderSyntax(
                    "Conditional orders are not taken yet: send the order after the result.",
                    span=span(found[:count]),
                )
    return None
