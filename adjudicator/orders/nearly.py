"""Lines that would be orders but for a slip: a misspelt condition or occasion, or what `misspelt` finds. All refused.

Promise: only what stands before something that is clearly an order counts as a slip; nothing is ever guessed.
"""

from itertools import pairwise

from rapidfuzz.distance import OSA

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.clauses import FORMS, OCCASIONS, is_standing, read_clause
from adjudicator.orders.misspelt import SHORTEST_BEHIND, misspelt, would_be
from adjudicator.orders.names import span, spelling
from adjudicator.orders.recognise import body, is_asked, is_order, opening
from adjudicator.orders.together import BETWEEN, SEVERAL, together
from adjudicator.orders.tokens import Token, tokens
from adjudicator.orders.words import AHEAD, CLEARING, PLAYED, starting

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
    return _condition(text, found, side) or _standing(text, found, side) or misspelt(text, found, side)


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
    if colon and _is_meant(text, found[colon + 1 :], side):
        head, rest = found[:colon], found[colon + 1 :]
        first = next((at for at, token in enumerate(head) if token.text not in _LEADING), 0)
        meant = _ALSO.get(spelling(head[first:])) or _meant(head[first:], _SLIPS)
        if meant or head[0].text in _SUPPOSING:
            return _not_known(head, meant, text[rest[0].start :])
    for count in range(1, min(len(found), _MOST_WORDS) + 1):
        meant, (rest, _) = _meant(found[:count], 1), body(found[count:])
        if meant and not is_asked(text, found[:count], meant) and _is_clear(text, rest, side):
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


def _is_meant(text: str, rest: list[Token], side: Side) -> bool:
    """Whether something that can stand behind a condition stands here, if with a slip."""
    if not rest:
        return False
    start = starting(rest)
    ordered = start is not None and (start[0].kind == "game" or start[0].word in PLAYED) and is_order(rest)
    cleared = len(rest) == 1 and rest[0].text in CLEARING
    return ordered or cleared or is_standing(rest) or bool(opening(rest) or misspelt(text, rest, side, SHORTEST_BEHIND))


def _is_clear(text: str, rest: list[Token], side: Side) -> bool:
    """Whether an order stands here that can be read, or several."""
    start = starting(rest)
    if start is None:
        return False
    return would_be(start[0], rest[0].text, rest, start[1], side) or bool(together(text, rest, side, sure=False))


def _standing(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a standing order whose `on` or occasion is misspelt, and whose reply can be read."""
    if len(found) < 2 or OSA.distance(found[0].text, "on", score_cutoff=1) > 1:  # noqa: PLR2004 - `on` and an occasion
        return None
    for count in (1, 2):
        written = spelling(found[1 : count + 1])
        for occasion in OCCASIONS:
            if _near_occasion(written, occasion.replace(" ", "")) and found[count + 1 :]:
                rest = found[count + 1 :]
                if clauses := _clauses(occasion, text, rest, side):
                    return _no_occasion(found[: count + 1], (occasion,), clauses, several=len(clauses) > 1)
    return _half(text, found, side)


def _half(text: str, found: list[Token], side: Side) -> Refusal | None:
    """The refusal of a standing order of whose occasion only the first word is there: `on siege`, lost or won."""
    meant = tuple(words for words in OCCASIONS if " " in words and _near_occasion(found[1].text, words.split()[0]))
    colon = next((at for at, token in enumerate(found[:_LONGEST_CONDITION]) if token.text == ":"), 2)
    head, rest = found[:colon], found[colon:]
    readable = {words: _clauses(words, text, rest, side) for words in meant} if rest else {}
    if not any(readable.values()):
        return None
    shown = [readable[words] or (f"on {words}: {FORMS[words][0]}",) for words in meant]
    several = any(len(clauses) > 1 for clauses in readable.values())
    return _no_occasion(head, meant, tuple(clause for clauses in shown for clause in clauses), several=several)


def _no_occasion(head: list[Token], meant: tuple[str, ...], choices: tuple[str, ...], *, several: bool) -> Refusal:
    also = f" {SEVERAL}" if several else ""
    return OrderSyntax(
        f"“{{written}}” is no occasion for a standing order. Near to it: {{meant}}.{also}",
        choices=choices,
        span=span(head),
        written=" ".join(token.text for token in head),
        meant=", ".join(f"on {occasion}" for occasion in meant),
    )


def _near_occasion(written: str, occasion: str) -> bool:
    """Whether an occasion is written with at most one slip, or in another form of its word ("raids", "raided")."""
    return written.startswith(occasion) or OSA.distance(written, occasion, score_cutoff=1) <= 1


def _clauses(occasion: str, text: str, rest: list[Token], side: Side) -> tuple[str, ...]:
    """A clause with its right occasion, and the orders behind it on its line; none if it cannot be read.

    `rest` are the tokens of `text` behind the occasion.
    """
    reply = text[rest[0].start :]
    clause = f"on {occasion}" + (reply if reply.startswith(":") else f" {reply}")
    found = tokens(clause)
    if not is_standing(found):
        return ()
    try:
        return (clause,) if read_clause(found, side) else ()
    except (OrderSyntax, UnknownName, AmbiguousName):
        several = together(clause, found, side, sure=True)
        # In a sentence an order word may stand anywhere: another order stands behind a comma or the like.
        begins = several.span[0] if several and several.span else 0
        parted = any(token.text in BETWEEN and next_.start == begins for token, next_ in pairwise(found))
        return several.choices if several and parted else ()
