"""What a challenge says: the game that somebody offers to whoever wants it.

The text of a challenge is wishes, in any order; a comma or `and` may stand between them:

    edition 2               the edition (2 unless said otherwise)
    as French               the side that the challenger plays; `either`, or nothing: lots are drawn
    variant NAME, NAME      optional rules, by their ids or numbers
    switch NAME=VALUE       a reading of the rules that is not the usual one
    clock 10d+1d/14d        the clock, with its options (weekends, holidays DE-BY, claim, loss, passes, questions 2d)
    anonymous               nobody learns who plays
    public                  anybody may watch
    rated 1400 to 1600      only who has a rating within these bounds, or none
    word BANANA             what the challenger adds to the seed of the shuffles

What is said twice must be the same: of two editions, sides, clocks or words none is chosen.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from difflib import get_close_matches

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.edition import VARIANTS, Switches, rules_for, switches_of
from adjudicator.game.model import SIDES, Side
from adjudicator.league.clock import DEFAULT, FORMS, ClockFault, parse_clock, write_clock

LONGEST_WORD = 64
MOST_RATED = 9999
_SIGNS = frozenset("-_")
_FOREIGN = re.compile(r"[^\w+/=.,:'() -]+")
"""What is not shown again of what somebody wrote."""
_FORMS = {
    "edition": "edition 1 or edition 2",
    "as": "as British, as French or as either",
    "variant": "variant and an id or a number from 0 to 25, like variant fort-quebec, 12",
    "switch": "switch and name=value, like switch trader_fur_limit=1",
    "clock": FORMS,
    "rated": "rated 1400 to 1600",
    "word": f"word and one word of at most {LONGEST_WORD} letters and digits",
}
POSSIBLE = ("edition", "as", "variant", "switch", "clock", "anonymous", "public", "rated", "word")
"""What a wish can begin with."""
_SAME = {"variants": "variant", "switches": "switch", "rating": "rated", "days": "clock"}
_AT_THE_END = ("claim", "loss", "passes")
_TIMED = ("weekends", *_AT_THE_END)
_TIMED_WITH = ("holidays", "questions")
_ANY_SIDE = ("either", "any", "both", "lots")
MOST_TOLD = 3
"""So many faults of one challenge are told."""
_LONGEST_TOLD = 900


class Offer(msgspec.Struct, frozen=True):
    """A game that is offered. `side` is the challenger's, None: lots decide. `clock` and `variants` are canonical."""

    edition: int = 2
    side: Side | None = None
    variants: tuple[str, ...] = ()
    switches: dict[str, object] = {}
    clock: str = DEFAULT
    anonymous: bool = False
    public: bool = False
    rated_from: int | None = None
    rated_to: int | None = None
    word: str = ""


class ChallengeFaults(UsageError):  # noqa: N818 - refusals say what is wrong
    """What of a challenge cannot be read, each fault a sentence or two; the message is all of them."""

    def __init__(self, faults: Sequence[str]) -> None:
        told = [fault for n, fault in enumerate(faults[:MOST_TOLD]) if len(" ".join(faults[: n + 1])) < _LONGEST_TOLD]
        super().__init__(" ".join(told))
        self.faults = tuple(told)


_Wishes = dict[str, object]


def _put(wishes: _Wishes, name: str, value: object, word: str, shown: str) -> None:
    """Note a wish, `word` and what stands behind it. Raises: UsageError if the opposite was said before."""
    told = _quoted(f"{word} {shown}".strip())
    if name in wishes and wishes[name] != value:
        raise UsageError(f"{wishes[f'told {name}']} and {told} contradict each other. Please say one of them only.")
    wishes[name], wishes[f"told {name}"] = value, told


class _Tokens:
    """The words of a challenge, taken one after the other."""

    def __init__(self, text: str) -> None:
        spaced = re.sub(r"[,;\uff0c]", " , ", text).replace(" = ", "=")
        self.left = [token for token in spaced.split() if token.strip(".!:")]

    def take(self) -> str:
        """The next word, "" if there is none."""
        return self.left.pop(0).strip("!:").removesuffix(".") if self.left else ""

    def skip(self) -> None:
        """Leave out all words up to the next one that begins a wish."""
        while self.left and not self.next_is(*_READERS, *_SAME, *_TIMED, *_TIMED_WITH):
            self.left.pop(0)

    def next_is(self, *words: str) -> bool:
        """Whether the next word is one of these."""
        return bool(self.left) and self.left[0].casefold().strip("!:.") in words


def read_challenge(text: str) -> Offer:
    """Return the game that a text offers.

    Raises: ChallengeFaults, which says what cannot be read or contradicts itself, and what would be possible there.
    """
    tokens, wishes = _Tokens(text), _Wishes()
    faults: list[str] = []
    while tokens.left:
        try:
            _wish(tokens, wishes)
        except UsageError as error:
            faults.append(str(error))
            tokens.skip()
    try:
        offer = _checked(wishes)
    except UsageError as error:
        faults.append(str(error))
    if faults:
        raise ChallengeFaults(tuple(dict.fromkeys(faults)))
    return offer


def _wish(tokens: _Tokens, wishes: _Wishes) -> None:
    """Read one wish, or a word that means nothing by itself. Raises: UsageError."""
    word = tokens.take().casefold()
    if word in ("", ",", "and", "with", "game", "a"):
        return
    word = _SAME.get(word, word)
    if word in _TIMED:
        _add_clock(wishes, word)
    elif word in _TIMED_WITH:
        _add_clock(wishes, f"{word} {tokens.take()}")
    elif word in _READERS:
        _READERS[word](tokens, wishes)
    else:
        raise UsageError(_unknown(word))


def _checked(wishes: _Wishes) -> Offer:
    """The offer with its rules and clock in canonical form. Raises: UsageError."""
    said = [str(wish) for name, wish in wishes.items() if name.startswith("clock ")]
    try:
        clock = write_clock(parse_clock(" ".join((str(wishes.get("time", DEFAULT)), *said))))
    except ClockFault as fault:
        told = _FOREIGN.sub("_", str(fault).replace(";", ","))[:300]
        raise UsageError(f"The clock cannot be read: {told}.") from None
    offer = Offer(**{name: wishes[name] for name in Offer.__struct_fields__ if name in wishes})  # type: ignore[arg-type]
    rules = rules_for(offer.edition, offer.variants, offer.switches)
    switches = msgspec.to_builtins(rules.switches)
    return msgspec.structs.replace(offer, variants=rules.variants, switches=switches, clock=clock)


def _unknown(word: str) -> str:
    near = get_close_matches(word, [*POSSIBLE, *_TIMED, *_TIMED_WITH], n=1)
    hint = f" Near to it is {_quoted(near[0])}." if near else ""
    return f"{_quoted(word)} is nothing that can be said of a challenge.{hint} Possible are {', '.join(POSSIBLE)}."


def _quoted(word: str) -> str:
    """A word of somebody's as it can be shown: short, and without any sign that is no letter or digit."""
    plain = _FOREIGN.sub("_", word)[:30]
    return f"“{plain}”"


def _wrong(what: str) -> UsageError:
    return UsageError(f"What stands after {_quoted(what)} cannot be read. Possible is: {_FORMS[what]}.")


def _edition(tokens: _Tokens, wishes: _Wishes) -> None:
    number = {"1": 1, "1st": 1, "first": 1, "2": 2, "2nd": 2, "second": 2}.get(tokens.take().casefold())
    if number is None:
        raise _wrong("edition")
    _put(wishes, "edition", number, "edition", str(number))


def _as(tokens: _Tokens, wishes: _Wishes) -> None:
    if tokens.next_is("the"):
        tokens.take()
    side = tokens.take().casefold()
    if side not in (*SIDES, *_ANY_SIDE):
        raise _wrong("as")
    _put(wishes, "side", side if side in SIDES else None, "as", side.capitalize() if side in SIDES else side)


def _variant(tokens: _Tokens, wishes: _Wishes) -> None:
    """Ids or numbers, with or without commas, as long as they are variants."""
    found = [*_listed(wishes, "variants")]
    known = len(found)
    while tokens.left and (len(found) == known or tokens.next_is(",", "and") or _is_variant(tokens.left[0])):
        if not tokens.next_is(",", "and"):
            found.append(_one_variant(tokens.take()))
        elif len(tokens.left) > 1 and _is_variant(tokens.left[1]):
            tokens.take()
        else:
            break
    if len(found) == known:
        raise _wrong("variant")
    wishes["variants"] = found


def _is_variant(word: str) -> bool:
    folded = word.casefold().rstrip(".!")
    return folded in VARIANTS or (folded.isascii() and folded.isdecimal()) or "-" in folded


def _one_variant(word: str) -> str:
    folded = word.casefold()
    if folded in VARIANTS:
        return folded
    if folded.isascii() and folded.isdecimal() and len(folded) < 3 and int(folded) < len(VARIANTS):  # noqa: PLR2004
        return VARIANTS[int(folded)]
    near = get_close_matches(folded, VARIANTS, n=1)
    hint = f"near to it is {near[0]}" if near else f"there are {', '.join(VARIANTS)}"
    raise UsageError(f"{_quoted(word)} is no variant, {hint}.")


def _listed(wishes: _Wishes, name: str) -> list[str]:
    found = wishes.get(name, [])
    assert isinstance(found, list)
    return found


def _switch(tokens: _Tokens, wishes: _Wishes) -> None:
    name, given, value = tokens.take().partition("=")
    name = name.casefold().replace("-", "_")
    if not given or name not in Switches.__struct_fields__:
        raise UsageError(
            f"What stands after {_quoted('switch')} cannot be read. Possible is name=value with one of these names: "
            f"{', '.join(Switches.__struct_fields__)}."
        )
    before = wishes.get("switches", {})
    assert isinstance(before, dict)
    read = switches_of({name: value.casefold()})[name]
    _put(wishes, f"switch {name}", read, "switch", f"{name}={value}")
    wishes["switches"] = {**before, name: read}


def _clock(tokens: _Tokens, wishes: _Wishes) -> None:
    time = tokens.take().casefold()
    if not time or time == ",":
        raise _wrong("clock")
    if time in (*_TIMED, *_TIMED_WITH):
        tokens.left.insert(0, time)
        return
    _put(wishes, "time", time, "clock", time)
    while tokens.next_is(","):
        tokens.take()


def _add_clock(wishes: _Wishes, option: str) -> None:
    word, _, value = option.casefold().partition(" ")
    about = "at the end" if word in _AT_THE_END else word
    _put(wishes, f"clock {about}", f"{word} {value}".strip(), word, value)


def _rated(tokens: _Tokens, wishes: _Wishes) -> None:
    bounds: list[int] = []
    while tokens.left and len(bounds) < 2:  # noqa: PLR2004 - from and to
        if tokens.next_is("from", "to", "and", "between", "-", "\N{EN DASH}"):
            tokens.take()
            continue
        for part in re.split("[-\N{EN DASH}]", tokens.take()):
            if not (part.isascii() and part.isdecimal() and len(part) <= len(str(MOST_RATED))):
                raise _wrong("rated")
            bounds.append(int(part))
    if len(bounds) != 2 or bounds[0] > bounds[1]:  # noqa: PLR2004
        raise _wrong("rated")
    _put(wishes, "bounds", bounds, "rated", f"{bounds[0]} to {bounds[1]}")
    wishes["rated_from"], wishes["rated_to"] = bounds


def _word(tokens: _Tokens, wishes: _Wishes) -> None:
    word = fit_word(tokens.take())
    if word is None:
        raise _wrong("word")
    _put(wishes, "word", word, "word", word)


def _flag(name: str) -> Callable[[_Tokens, _Wishes], None]:
    def read(_tokens: _Tokens, wishes: _Wishes) -> None:
        wishes[name] = True

    return read


_READERS: dict[str, Callable[[_Tokens, _Wishes], None]] = {
    "edition": _edition,
    "as": _as,
    "variant": _variant,
    "switch": _switch,
    "clock": _clock,
    "anonymous": _flag("anonymous"),
    "public": _flag("public"),
    "rated": _rated,
    "word": _word,
}


def fit_word(text: str) -> str | None:
    """Return a word for the seed as it counts (NFC): letters of any script, digits, - and _; None if it is none."""
    word = unicodedata.normalize("NFC", text)
    fits = all(unicodedata.category(sign)[0] in "LMN" or sign in _SIGNS for sign in word)
    return word if word and fits and len(word) <= LONGEST_WORD else None


def write_challenge(offer: Offer, *, word: bool = True) -> str:
    """Return the canonical text of an offer, which `read_challenge` reads; without `word` it is kept back."""
    parts = [f"edition {offer.edition}", f"as {offer.side.capitalize()}" if offer.side else "as either"]
    if offer.variants:
        parts.append(f"variant {', '.join(offer.variants)}")
    parts += [f"switch {name}={_value(value)}" for name, value in sorted(offer.switches.items())]
    parts.append(f"clock {offer.clock}")
    parts += [name for name in ("anonymous", "public") if getattr(offer, name)]
    if offer.rated_from is not None:
        parts.append(f"rated {offer.rated_from} to {offer.rated_to}")
    if offer.word and word:
        parts.append(f"word {offer.word}")
    return " ".join(parts)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def fits_rating(offer: Offer, rating: int | None) -> bool:
    """Whether somebody with this rating may take a challenge; without a rating everybody may."""
    if rating is None or offer.rated_from is None or offer.rated_to is None:
        return True
    return offer.rated_from <= rating <= offer.rated_to
