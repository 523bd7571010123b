"""Lines that would be orders but for a slip: a misspelt order word, condition or occasion. They are refused, not prose.

Promise: only what stands before something that is clearly an order counts as a slip; nothing is ever guessed.
"""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.clauses import FORMS, OCCASIONS, is_standing, read_clause
from adjudicator.orders.names import CARD_NAMES, MOST_WORDS, PLACES, SHORTEST_INNER, span, spelling
from adjudicator.orders.recognise import body, first_piece, is_order, opening
from adjudicator.orders.slots import slots_of
from adjudicator.orders.tokens import Token, tokens
from adjudicator.orders.words import AHEAD, CLEARING, PLAYED, STARTS, Word, starting

KNOWN = ("if blocked", "if not blocked", "if hand shown", "if illegal", "otherwise")
"""The conditions as they are offered."""
_MEANT = {
    **{words.replace(" ", ""): words for words in (*KNOWN, AHEAD)}, "ifunblocked": "if not blocked",
}  # fmt: skip
_ALSO = {
    **dict.fromkeys(("next", "nextround", "nextmove", "nexttime", "laterturn"), AHEAD),
    **dict.fromkeys(("else", "orelse", "ifnot", "ornot"), "otherwise"),
}
"""Other words that people write for them."""
_LEADING = ("and", "but", "then", "for", "on", "in", "my", "or", ",")
"""What may stand before them in a sentence."""
_SUPPOSING = ("if", "when", "unless")
_LONGEST_CONDITION = 7
"""Words before a colon that may be a condition which is not known."""
_MOST_WORDS = 4
_LEADS_ON = (":", "\uff1a", ",", "-", "\N{EN DASH}", "\N{EM DASH}")
_SLIPS = 2
"""Slips of the pen in a condition that a colon parts from its order; one where there is no colon."""


def slip(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a line that would be an order but for a slip; None for all other prose."""
    return _condition(text, found, side) or _standing(text, found, side) or misspelt(found, side)


def bare(text: str, *, last: bool) -> Refusal | None:
    """The refusal of a condition that stands alone, so that no order behind it counts without it; None for prose.

    At the end of its line (`last`), with neither a colon nor a dash, it may be the end of a sentence.
    """
    if last and not text.endswith(_LEADS_ON):
        return None
    found = [token for token in tokens(text) if token.text not in (":", ",")]
    meant = _meant(found, 1) if found else None
    if meant is None:
        return None
    return OrderSyntax(
        "No order stands behind “{meant}:”. It counts for its own line only: write it before each order that you mean.",
        choices=(f"{meant}: ORDER",),
        span=span(found),
        meant=meant,
    )


def _meant(head: list[Token], slips: int) -> str | None:
    """The condition, or `next turn`, that words are near to; None if they are near to none."""
    joined = spelling(head)
    scored = [
        (OSA.distance(joined, known, score_cutoff=slips), words)
        for known, words in _MEANT.items()
        if _begins_so(head[0].text, words)
    ]
    distance, words = min(scored, default=(slips + 1, ""))
    return words if distance <= slips else None


def _begins_so(written: str, words: str) -> bool:
    """Whether a first word is that of a condition but for a slip: the end of one that a line break cut off is none."""
    first = words.partition(" ")[0]
    return written.startswith(first) or OSA.distance(written, first, score_cutoff=1) <= 1


def _condition(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of an order behind a condition that is misspelt or not known."""
    colon = next((at for at, token in enumerate(found[: _LONGEST_CONDITION + 1]) if token.text == ":"), 0)
    if colon and _is_meant(found[colon + 1 :], side):
        head, rest = found[:colon], found[colon + 1 :]
        first = next((at for at, token in enumerate(head) if token.text not in _LEADING), 0)
        meant = _ALSO.get(spelling(head[first:])) or _meant(head[first:], _SLIPS)
        if meant or head[0].text in _SUPPOSING:
            return _not_known(head, meant, text[rest[0].start :])
    for count in range(1, min(len(found), _MOST_WORDS) + 1):
        meant, (rest, _) = _meant(found[:count], 1), body(found[count:])
        if meant and _is_clear(rest, side):
            return _not_known(found[:count], meant, text[rest[0].start :])
    return None


def _not_known(head: list[Token], meant: str | None, order: str) -> Refusal:
    if meant is None:
        known = tuple(f"{words}: ORDER" for words in KNOWN)
        return OrderSyntax("There is no such condition.", choices=known, span=span(head))
    return OrderSyntax(
        "“{written}” is not understood before an order. Near to it: {meant}.",
        choices=(f"{meant}: {order}",),
        span=span(head),
        written=" ".join(token.text for token in head),
        meant=meant,
    )


def _is_meant(rest: list[Token], side: Side) -> bool:
    """Whether something that can stand behind a condition stands here, if with a slip."""
    if not rest:
        return False
    start = starting(rest)
    ordered = start is not None and (start[0].kind == "game" or start[0].word in PLAYED) and is_order(rest)
    cleared = len(rest) == 1 and rest[0].text in CLEARING
    return ordered or cleared or is_standing(rest) or bool(opening(rest) or misspelt(rest, side, SHORTEST_BEHIND))


def _is_clear(rest: list[Token], side: Side) -> bool:
    """Whether an order stands here that can be read."""
    start = starting(rest)
    return start is not None and _would_be(start[0], rest[0].text, rest, start[1], side)


def _standing(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a standing order whose `on` or occasion is misspelt, and whose reply can be read."""
    if len(found) < 2 or OSA.distance(found[0].text, "on", score_cutoff=1) > 1:  # noqa: PLR2004 - `on` and an occasion
        return None
    for count in (1, 2):
        written = spelling(found[1 : count + 1])
        for occasion in OCCASIONS:
            if _near_occasion(written, occasion.replace(" ", "")) and found[count + 1 :]:
                rest = found[count + 1 :]
                if _is_clause(occasion, rest, side):
                    return _no_occasion(found[: count + 1], (occasion,), (_clause_text(occasion, text, rest),))
    return _half(text, found, side)


def _half(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a standing order of whose occasion only the first word is there: `on siege`, lost or won."""
    meant = tuple(words for words in OCCASIONS if " " in words and _near_occasion(found[1].text, words.split()[0]))
    colon = next((at for at, token in enumerate(found[:_LONGEST_CONDITION]) if token.text == ":"), 2)
    head, rest = found[:colon], found[colon:]
    readable = [words for words in meant if rest and _is_clause(words, rest, side)]
    if not readable:
        return None
    shown = (
        _clause_text(words, text, rest) if words in readable else f"on {words}: {FORMS[words][0]}" for words in meant
    )
    return _no_occasion(head, meant, tuple(shown))


def _no_occasion(head: list[Token], meant: tuple[str, ...], choices: tuple[str, ...]) -> Refusal:
    return OrderSyntax(
        "“{written}” is no occasion for a standing order. Near to it: {meant}.",
        choices=choices,
        span=span(head),
        written=" ".join(token.text for token in head),
        meant=", ".join(f"on {occasion}" for occasion in meant),
    )


def _clause_text(occasion: str, text: str, rest: list[Token]) -> str:
    """A clause with its right occasion; `rest` are the tokens behind it."""
    reply = text[rest[0].start :]
    return f"on {occasion}" + (reply if reply.startswith(":") else f" {reply}")


def _near_occasion(written: str, occasion: str) -> bool:
    """Whether an occasion is written with at most one slip, or in another form of its word ("raids", "raided")."""
    return written.startswith(occasion) or OSA.distance(written, occasion, score_cutoff=1) <= 1


def _is_clause(occasion: str, rest: list[Token], side: Side) -> bool:
    """Whether tokens behind an occasion make a clause."""
    found = [Token(word, 0, 0) for word in ("on", *occasion.split())] + rest
    try:
        return is_standing(found) and bool(read_clause(found, side))
    except (OrderSyntax, UnknownName, AmbiguousName):
        return False


SHORTEST_MISSPELT = 5
"""Letters of a word that may have any one slip of the pen; in shorter ones only two letters may be swapped."""
SHORTEST_BEHIND = 4
"""The same behind a condition, where an order is to be expected."""


@lru_cache(maxsize=4096)
def _near(written: str, shortest: int) -> tuple[str, ...]:
    """The first words of orders that a word is a misspelling of: one slip of the pen, and no other form of the word."""
    if any(written.startswith(word) for word in STARTS if len(word) > SHORTEST_INNER):
        return ()
    return tuple(
        meant
        for meant, _, _ in process.extract(written, list(STARTS), scorer=OSA.distance, score_cutoff=1, limit=5)
        if min(len(meant), len(written)) >= shortest or sorted(meant) == sorted(written)
    )


_OTHER_WORDS = ("cheek", "chick", "chuck", "heck")
"""Near to `check`, and words or names of their own."""


def almost_check(found: list[Token]) -> Refusal | None:
    """The refusal of a misspelt `check` alone on its line: for mails whose orders it should have stayed."""
    words = [token for token in found if token.text not in (":", ",")]
    if len(words) != 1 or words[0].text in _OTHER_WORDS:
        return None
    written = words[0].text
    return _no_word(words[0], "check", "check") if written == "cheque" or OSA.distance(written, "check") == 1 else None


def _no_word(written: Token, meant: str, form: str) -> Refusal:
    return OrderSyntax(
        "“{written}” is no order word. Near to it: {meant}.",
        choices=(form,),
        span=span([written]),
        written=written.text,
        meant=meant,
    )


def misspelt(found: list[Token], side: Side, shortest: int = SHORTEST_MISSPELT) -> Refusal | None:
    """The refusal of a line that is an order but for one slip in its first word; None for all other prose."""
    for meant in _near(found[0].text, shortest) if found else ():
        for written, word in STARTS[meant]:
            count = len(written)
            fits = tuple([token.text for token in found[1:count]]) == written[1:]
            if fits and _would_be(word, meant, found, count, side):
                return _no_word(found[0], meant, word.form)
    return None


def _would_be(word: Word, meant: str, found: list[Token], count: int, side: Side) -> bool:
    """Whether the rest of a line makes it an order of this word: nothing, or a full name and all else that it needs."""
    rest = found[count:]
    if word.shape == "alone":
        # A word alone on a line may be anybody's name: only two letters may have changed places.
        heeded = word.kind == "game" or word.word in ("done", "stop", "check")
        return heeded and not rest and sorted(meant) == sorted(found[0].text)
    piece = first_piece(rest)[0]
    if not any(spelling(piece[:end]) in CARD_NAMES.full for end in range(1, min(len(piece), MOST_WORDS) + 1)):
        return False
    try:
        slots_of(word, rest, side)
    except (OrderSyntax, UnknownName, AmbiguousName):
        return False
    return True


_MOST_HINTED = 16
"""Words of a line of prose that may have been meant as an order."""


def resembles(text: str) -> tuple[str, str] | None:
    """The order word that the first word of a short line of prose is near to, and its form, if the line names anything.

    Such a line has more than one fault, so it is no order and not refused, but its writer is told how to write one.
    """
    found = tokens(text)
    if not found or len(found) > _MOST_HINTED or not _names_anything(found):
        return None
    words = (word for meant in _near(found[0].text, SHORTEST_MISSPELT) for _, word in STARTS[meant])
    return next(((word.word, word.form) for word in words), None)


def _names_anything(found: list[Token]) -> bool:
    """Whether the full name of a card or of a place stands somewhere."""
    joined = (spelling(found[begin:end]) for begin in range(len(found)) for end in range(begin + 1, begin + MOST_WORDS))
    return any(text in CARD_NAMES.full or text in PLACES.full for text in joined)
