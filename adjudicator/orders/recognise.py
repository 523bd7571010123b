"""What is an order, what is prose.

Asked about lines that start with an order word and could not be read as that order, and about conditions.
"""

from adjudicator.orders.names import MODIFIERS, begins_as_name
from adjudicator.orders.tokens import Token, tokens
from adjudicator.orders.words import AHEAD, CONDITIONS, NUMBERS, PREPOSITIONS, Word, starting

_JOINED = {words.replace(" ", ""): words for words in CONDITIONS}
_BEHIND_CONDITION = (":", ",", "then")
_QUESTIONS = ("?", "\uff1f")


def starts_as_order(word: Word, rest: list[Token]) -> bool:
    """Whether what follows an order word makes an order: nothing, or something at or near a name."""
    if not rest:
        return True
    piece, skipped = first_piece(rest)
    if not piece:
        return skipped is not None and skipped.text in (":", "with")
    if word.kind == "word":
        return False
    return begins_as_name(piece) or _only_alone(word, piece)


def first_piece(rest: list[Token]) -> tuple[list[Token], Token | None]:
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
    """The words of `words.CONDITIONS` that these tokens start with; blanks in them do not matter ("nextturn")."""
    joined = ""
    for token in found:
        joined += token.text
        if joined in _JOINED:
            return _JOINED[joined]
        if not any(words.startswith(joined) for words in _JOINED):
            break
    return None


def after(found: list[Token], words: str) -> list[Token]:
    """The tokens behind the words that they start with (see `opening`)."""
    left = len(words.replace(" ", ""))
    for count, token in enumerate(found, 1):
        left -= len(token.text)
        if left <= 0:
            return found[count:]
    return []


def is_asked(text: str, head: list[Token], words: str) -> bool:
    """Whether these words ask about the next turn ("Next turn? Nothing."): a mark behind `next turn` makes it prose."""
    return words == AHEAD and text[head[-1].end :].lstrip().startswith(_QUESTIONS)


def body(rest: list[Token]) -> tuple[list[Token], bool]:
    """What stands behind a condition, less the colon, comma or `then` between; whether that is a colon."""
    if rest and rest[0].text in _BEHIND_CONDITION:
        return rest[1:], rest[0].text == ":"
    return rest, False


_SHORT = {"word": 6, "game": 3}
"""Words of a line that may be meant for us, by the kind of its first one; more make a sentence."""


def begins_with(text: str) -> tuple[str, str] | None:
    """The word that a short line of prose begins with, and the form of its order; "show" counts as one.

    None if it begins with none, or is a sentence.
    """
    found = tokens(text)
    if found and found[0].text == "show" and len(found) <= _SHORT["word"]:
        return "show", ""
    start = starting(found)
    return (start[0].word, start[0].form) if start and len(found) <= _SHORT[start[0].kind] else None
