"""Misspelt order words: a line that is an order, or several, but for slips in such words is refused, never prose.

Promise: nothing is ever guessed; what was probably meant is only offered.
"""

from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from adjudicator.errors import AmbiguousName, OrderSyntax, Refusal, UnknownName
from adjudicator.game.model import Side
from adjudicator.orders.names import CARD_NAMES, MOST_WORDS, PLACES, SHORTEST_INNER, span, spelling
from adjudicator.orders.recognise import first_piece
from adjudicator.orders.slots import slots_of
from adjudicator.orders.together import BETWEEN, together
from adjudicator.orders.tokens import Token, tokens
from adjudicator.orders.words import STARTS, Word

SHORTEST_MISSPELT = 5
"""Letters of a word that may have any one slip of the pen; a shorter one only those of `_same_letters`."""
SHORTEST_BEHIND = 4
"""The same behind a condition, where an order is to be expected."""


_OTHER_WORDS = ("cheek", "chick", "chuck", "heck", "donne", "doone")
"""Near to words that stand alone, and words or names of their own."""


@lru_cache(maxsize=4096)
def _near(written: str, shortest: int) -> tuple[str, ...]:
    """The first words of orders that a word is a misspelling of: one slip of the pen, and no other form of the word."""
    if written in STARTS or written in _OTHER_WORDS:
        return ()
    is_form = any(written.startswith(word) for word in STARTS if len(word) > SHORTEST_INNER)
    return tuple(
        meant
        for meant, _, _ in process.extract(written, list(STARTS), scorer=OSA.distance, score_cutoff=1, limit=5)
        if _same_letters(written, meant) or (min(len(meant), len(written)) >= shortest and not is_form)
    )


def _same_letters(written: str, meant: str) -> bool:
    """Whether, at a slip's distance, only two letters have changed places or one stands twice ("stpo", "stopp")."""
    if len(written) == len(meant):
        return sorted(written) == sorted(meant)
    doubled = (at for at in range(1, len(written)) if written[at] == written[at - 1])
    return any(written[:at] + written[at + 1 :] == meant for at in doubled)


def _near_check(written: str) -> bool:
    """Whether a word is `check` but for any one slip."""
    return written not in _OTHER_WORDS and (written == "cheque" or OSA.distance(written, "check", score_cutoff=1) == 1)


def almost_check(found: list[Token]) -> Refusal | None:
    """The refusal of a misspelt `check` alone on its line: for mails whose orders it should have stayed."""
    words = [token for token in found if token.text not in (":", ",")]
    if len(words) != 1 or not _near_check(words[0].text):
        return None
    return _no_word(words[0], "check", ("check",))


def _no_word(written: Token, meant: str, choices: tuple[str, ...], also: str = "") -> Refusal:
    return OrderSyntax(
        f"“{{written}}” is no order word. Near to it: {{meant}}.{also}",
        choices=choices,
        span=span([written]),
        written=written.text,
        meant=meant,
    )


def misspelt(text: str, found: list[Token], side: Side, shortest: int = SHORTEST_MISSPELT) -> Refusal | None:
    """The refusal of a line that is an order but for one slip in its first word, or several; None for all other prose.

    `found` are tokens of `text`, from the first order on.
    """
    return _one(found, side, shortest) or _several(text, found, side, shortest)


def _one(found: list[Token], side: Side, shortest: int) -> Refusal | None:
    """The refusal of one order with a slip in its first word."""
    for meant in _near(found[0].text, shortest) if found else ():
        for written, word in STARTS[meant]:
            count = len(written)
            fits = tuple([token.text for token in found[1:count]]) == written[1:]
            if fits and would_be(word, meant, found, count, side):
                return _no_word(found[0], meant, (word.form,))
    return None


def _several(text: str, found: list[Token], side: Side, shortest: int) -> Refusal | None:
    """The refusal of several orders on one line, the first with a slip in its first word and others perhaps too."""
    for meant in _first_words(found[0].text, shortest) if found else ():
        mended = _mended(text, found, meant, shortest)
        ends = [at for at in range(1, len(found)) if found[at].text in BETWEEN][:_MOST_TRIED]
        sure = any(_one(found[:end], side, shortest) for end in ends)
        if several := together(mended, tokens(mended)[-len(found) :], side, sure=sure):
            return _no_word(found[0], meant, several.choices, f" {several.message}")
    return None


_MOST_TRIED = 4
"""Words of a line of several orders that may begin another one."""


def _first_words(written: str, shortest: int) -> tuple[str, ...]:
    """The first words of orders that matter in the game, `check` included, that a word is a misspelling of."""
    near = tuple(meant for meant in _near(written, shortest) if any(_is_heeded(word) for _, word in STARTS[meant]))
    return (*near, "check") if "check" not in near and _near_check(written) else near


def _is_heeded(word: Word) -> bool:
    return word.kind == "game" or word.word in ("done", "stop", "check")


def _mended(text: str, found: list[Token], first: str, shortest: int) -> str:
    """A text with `first` for the first of these tokens, and misspelt order words behind a comma or colon put right."""
    behind = [
        found[at] for at in range(1, len(found)) if found[at - 1].text in BETWEEN and found[at].text not in BETWEEN
    ]
    near = [(token, _first_words(token.text, shortest)) for token in behind]
    right = [(token, meant[0]) for token, meant in near if meant][:_MOST_TRIED]
    for token, word in reversed([(found[0], first), *right]):
        text = text[: token.start] + word + text[token.end :]
    return text


def would_be(word: Word, meant: str, found: list[Token], count: int, side: Side) -> bool:
    """Whether the rest of a line makes it an order of this word: nothing, or a full name and all else that it needs."""
    rest = found[count:]
    if word.shape == "alone":
        # A word alone on a line may be anybody's name: only as `_same_letters` has it.
        # A misspelt `check` is nothing but above orders: see `almost_check`.
        return _is_heeded(word) and word.word != "check" and not rest and _same_letters(found[0].text, meant)
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
