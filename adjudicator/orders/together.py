"""Several orders on one line with no semicolon between them: refused with how they are written."""

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.clauses import is_standing, read_clause
from adjudicator.orders.names import CARD_NAMES, spelling
from adjudicator.orders.recognise import after, body, is_order, opening
from adjudicator.orders.slots import slots_of
from adjudicator.orders.tokens import Token
from adjudicator.orders.words import CONDITIONS, STARTS, starting

SEVERAL = "There are several orders on this line. Write each on a line of its own, or put a semicolon between them."

BETWEEN = (",", ":", "then", "also", "next", "afterwards")
"""What may stand between two orders in a sentence."""
_FIRST = frozenset((*STARTS, "on", *(words.split()[0] for words in CONDITIONS)))
"""What an order, a condition or a clause of standing orders begins with."""
_MOST_TRIED = 4
"""Places of a line where another order is looked for."""

_LOOKED_AT = 12
"""Words that may begin one, and words of each that say whether it is one; a name has fewer."""


def together(text: str, found: list[Token], side: Side, *, sure: bool) -> Refusal | None:
    """The refusal of a line on which several orders stand; None if it is no such line.

    `found` are the tokens from the first order on; what stands before it in `text` is meant for each. `sure`: the line
    is an order, so that the last one need not be readable; else it may be prose, unless all are and one is of the game.
    """
    pieces = _pieces(found, side)
    if len(pieces) == 1 or not (sure or (_reads(pieces[-1], side) and any(map(_is_of_the_game, pieces)))):
        return None
    before = text[: found[0].start]
    shown = [("" if is_standing(piece) else before) + text[piece[0].start : piece[-1].end] for piece in pieces]
    return OrderSyntax(
        SEVERAL,
        choices=tuple(dict.fromkeys(shown)),
        span=(pieces[1][0].start, pieces[-1][-1].end),
    )


def _pieces(found: list[Token], side: Side) -> list[list[Token]]:
    """The orders that stand behind each other, each but the last readable; the whole if there is only one."""
    pieces: list[list[Token]] = []
    begin = 0
    starts = [at for at in range(1, len(found)) if found[at].text in _FIRST]
    begins = [at for at in starts[:_LOOKED_AT] if _begins(found[at : at + _LOOKED_AT])]
    for at in begins[:_MOST_TRIED]:
        end = at
        while end > begin + 1 and found[end - 1].text in BETWEEN:
            end -= 1
        if _reads(found[begin:end], side):
            pieces.append(found[begin:end])
            begin = at
    return [*pieces, found[begin:]]


def _behind(found: list[Token]) -> list[Token]:
    """The order behind a condition; what stands there if there is none."""
    words = opening(found)
    return body(after(found, words))[0] if words else found


def _is_of_the_game(found: list[Token]) -> bool:
    start = starting(_behind(found))
    return start is not None and start[0].kind == "game"


def _begins(found: list[Token]) -> bool:
    """Whether an order begins here; a word alone that may be a card is meant as one ("leader", "priest")."""
    if is_standing(found):
        return True
    ordered = _behind(found)
    start = starting(ordered)
    if start is None or not is_order(ordered):
        return False
    return len(ordered) > start[1] or (start[0].shape == "alone" and not CARD_NAMES.find(spelling(ordered)))


def _reads(found: list[Token], side: Side) -> bool:
    """Whether one order, or clause of standing orders, stands here that can be read."""
    ordered = _behind(found)
    start = starting(ordered)
    try:
        if is_standing(found):
            return bool(read_clause(found, side))
        if start is None or not is_order(ordered):
            return False
        slots_of(start[0], ordered[start[1] :], side)
    except (OrderSyntax, UnknownName, AmbiguousName):
        return False
    return True
