"""The words of the order language: what an order starts with, what may follow, and the form that is printed.

`schema/orders.ebnf` holds the same words; a test compares the two.
"""

import re
from typing import Literal

import msgspec

from adjudicator.game.model import Source
from adjudicator.orders.names import CARD_NAMES
from adjudicator.orders.tokens import Token, fold

Kind = Literal["game", "word"]
Shape = Literal["alone", "settle", "travel", "at-place", "place", "cards", "withdraw", "lose", "give"]


class Word(msgspec.Struct, frozen=True):
    """An order word. `written` are all its spellings, `form` is the canonical form that a refusal shows.

    `least` and `most` count cards, as far as an action can hold them (how many the Governor returns is left
    to the rules); `after` are words that may follow an order that stands alone.
    """

    word: str
    written: tuple[str, ...]
    form: str
    shape: Shape = "alone"
    least: int = 0
    most: int = 0
    kind: Kind = "game"
    after: tuple[str, ...] = ()


MANY = 99

OFFERS = ("draw", "restart", "takeback")
"""What one side may offer the other."""
OFFERED = (*OFFERS, "offer")

GAME_WORDS = (
    Word("settle", ("settle",), "settle PLACE from CARD with CARD, CARD", "settle", 0, 3),
    Word("develop", ("develop",), "develop PLACE with CARD", "at-place", 1, 1),
    Word("fortify", ("fortify",), "fortify PLACE", "at-place", 0, 1),
    Word(
        "besiege",
        ("besiege", "siege", "lay siege"),
        "besiege PLACE from CARD with CARD, CARD",
        "travel",
        3,
        3,
    ),
    Word("reinforce", ("reinforce",), "reinforce PLACE with CARD", "at-place", 1, 1),
    Word("leader", ("leader", "military leader"), "leader PLACE", "place"),
    Word("raid", ("raid",), "raid PLACE with CARD, CARD", "at-place", 1, MANY),
    Word("ambush", ("ambush",), "ambush with CARD", "cards", 1, 1),
    Word("priest", ("priest",), "priest"),
    Word("indian leader", ("indian leader",), "indian leader"),
    Word("money", ("money", "take money"), "money from CARD", "cards", 1, 1),
    Word("merchant", ("merchant",), "merchant CARD: CARD, CARD", "cards", 1, MANY),
    Word("trade", ("trade", "trader"), "trade CARD, CARD", "cards", 1, MANY),
    Word("piracy", ("piracy",), "piracy with CARD", "cards", 1, 2),
    Word("draft", ("draft",), "draft CARD", "cards", 1, 1),
    Word("discard", ("discard",), "discard CARD, CARD", "cards", 1, MANY),
    Word("reserve", ("reserve",), "reserve CARD", "cards", 1, 1),
    Word("retrieve", ("retrieve",), "retrieve", after=("reserve", "all")),
    Word("govern", ("govern", "governor"), "govern CARD, CARD", "cards", 1, MANY),
    Word("intendant", ("intendant",), "intendant CARD", "cards", 1, 1),
    Word("home support", ("home support",), "home support"),
    Word("withdraw", ("withdraw",), "withdraw from PLACE losing CARD", "withdraw", 0, 1),
    Word("pass", ("pass",), "pass"),
    Word("no settle", ("no settle", "not settle", "dont settle", "do not settle"), "no settle"),
    Word("lose", ("lose",), "lose CARD at PLACE", "lose", 1, 1),
    Word("block", ("block",), "block with CARD", "cards", 1, 1),
    Word("no block", ("no block", "not block", "dont block", "do not block"), "no block"),
    Word("give", ("give",), "give CARD from hand|reserve", "give", 1, 1),
    Word("exchange", ("exchange",), "exchange CARD", "cards", 1, 1),
    Word("no exchange", ("no exchange", "not exchange", "dont exchange", "do not exchange"), "no exchange"),
    Word("sell", ("sell",), "sell CARD", "cards", 1, 1),
    Word("start with", ("start with",), "start with CARD", "cards", 1, 1),
    Word("drop", ("drop",), "drop CARD", "cards", 1, 1),
)
PLAIN_WORDS = (
    Word("done", ("done", "end turn"), "done", kind="word"),
    Word("stop", ("stop",), "stop", kind="word"),
    Word("check", ("check",), "check", kind="word"),
    Word("status", ("status",), "status", kind="word"),
    Word("board", ("board",), "board", kind="word"),
    Word("history", ("history",), "history", kind="word"),
    Word("resign", ("resign",), "resign", kind="word"),
    Word("confirm", ("confirm",), "confirm", kind="word"),
    Word("claim", ("claim",), "claim", kind="word"),
    Word("accept", ("accept",), "accept", kind="word", after=OFFERED),
    Word("decline", ("decline",), "decline", kind="word", after=OFFERED),
    Word("record", ("record",), "record", kind="word"),
    Word("games", ("games",), "games", kind="word"),
    Word("my data", ("my data",), "my data", kind="word"),
    Word("erase me", ("erase me",), "erase me", kind="word"),
    Word("challenges", ("challenges",), "challenges", kind="word"),
)
TEXT_WORDS = (
    Word("rules", ("rules",), "rules WORD", kind="word"),
    Word("help", ("help",), "help", kind="word"),
    Word("press", ("press",), "press: TEXT", kind="word"),
    Word("note", ("note",), "note: TEXT", kind="word"),
    Word("leave", ("leave",), "leave 2030-12-20 to 2031-01-05", kind="word"),
    Word("set", ("set",), "set OPTION VALUE", kind="word"),
    Word("register", ("register",), "register NAME", kind="word"),
    Word("join", ("join",), "join GAME word WORD", kind="word"),
    Word("offer", ("offer",), "offer draw|restart|takeback", kind="word"),
    Word("observe", ("observe",), "observe GAME", kind="word"),
    Word("unobserve", ("unobserve",), "unobserve GAME", kind="word"),
    Word("challenge", ("challenge",), "challenge edition 2 as French clock 5d", kind="word"),
    Word("cancel challenge", ("cancel challenge",), "cancel challenge 3", kind="word"),
)
WORDS = (*GAME_WORDS, *PLAIN_WORDS, *TEXT_WORDS)
BY_WORD = {word.word: word for word in WORDS}

RULE_OF = {
    "settle": "S7.1", "develop": "S7.7", "fortify": "S7.8", "besiege": "S8.1", "reinforce": "S8.8",
    "leader": "S8.9", "raid": "S9.1", "ambush": "S10.1", "priest": "S11.1", "indian leader": "S11.1",
    "money": "S12.1", "merchant": "S12.2", "trade": "S12.3", "piracy": "S12.4", "draft": "S13.1",
    "discard": "S13.2", "reserve": "S13.3", "retrieve": "S13.4", "govern": "S13.6", "intendant": "S13.7",
    "home support": "S13.8", "withdraw": "S8.15", "pass": "S14.1", "no settle": "S8.12", "lose": "S8.14",
    "block": "S9.7", "no block": "S9.7", "give": "S10.3", "exchange": "V5", "no exchange": "V5",
    "sell": "V11", "start with": "V13", "drop": "V17",
}  # fmt: skip
"""The rule that says what an order takes; told when something is missing or left over."""

STARTS: dict[str, list[tuple[tuple[str, ...], Word]]] = {}
for _word in WORDS:
    for _written in _word.written:
        _parts = tuple(_written.split())
        STARTS.setdefault(_parts[0], []).append((_parts, _word))
for _spellings in STARTS.values():
    _spellings.sort(key=lambda pair: -len(pair[0]))
"""The first folded word of an order to the spellings that begin so, the longest first."""


def starting(found: list[Token]) -> tuple[Word, int] | None:
    """The order word that a line starts with and how many tokens it takes; None if it starts with none."""
    for written, word in STARTS.get(found[0].text, ()) if found else ():
        count = len(written)
        if count == 1 or tuple([token.text for token in found[:count]]) == written:
            return word, count
    return None


PREPOSITIONS = {
    "with": "with", "using": "with", "by": "with",
    "from": "from", "losing": "losing",
    "at": "at", "in": "at", "on": "at", "for": "at", "to": "at", "into": "at",
    ":": ":",
}  # fmt: skip
"""What parts an order into groups, and which group it opens."""

SOURCES: tuple[Source, ...] = ("hand", "reserve", "siege")
NUMBERS = {"2": 2, "two": 2, "3": 3, "three": 3, "4": 4, "four": 4, "5": 5, "five": 5}

LEGAL = "if legal"
AHEAD = "next turn"
CONDITIONS = (
    "if blocked", "if not blocked", "if unblocked", "if hand shown", "if illegal", LEGAL, "otherwise", AHEAD,
)  # fmt: skip
"""What may stand before an order; `if legal` is recognised and refused."""

CLEARING = ("nothing", "none", "cancel")
"""What takes back the orders sent ahead."""
MOST_AHEAD = 40
"""Orders of one mail for the next turn: far more than a turn has, and each mail until then lists them all."""

PLAYED = ("done", "stop")
"""The words that are no action and yet have a part in the game: they say when the turn ends."""

OPTIONS = ("name", "newkey", "language", "lang", "zone", "timezone", "format", "text", "html", "pictures", "mails",
           "digest", "reminders", "address", "word", "clock", "confirm")  # fmt: skip
"""The first word after `set`."""

CHALLENGING = (
    "edition",
    "as",
    "clock",
    "variant",
    "variants",
    "switch",
    "anonymous",
    "public",
    "rated",
    "rating",
    "word",
)
"""The first word after `challenge`."""

TOPICS = frozenset(
    fold(topic)
    for topic in (
        *(word.word for word in WORDS), *CARD_NAMES.shown.values(),
        "setup", "turn", "supply", "control", "cards", "siege", "sieges", "raids", "settling", "strength",
        "draw", "end", "score", "points", "victory", "variants", "editions", "free actions",
        "standing orders", "defaults",
    )
)  # fmt: skip
"""What `rules` can be asked about, besides rule numbers."""

RULE_NUMBER = re.compile(r"[sva]\d+")
"""A folded rule number ("S8.11" folds to "s811")."""
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}")
PERIOD = re.compile(r"\d{4}-\d{2}-\d{2}\D+\d{4}-\d{2}-\d{2}\s*\.?|cancel\s*\.?", re.IGNORECASE)
GAME_NAME = re.compile(r"[A-Za-z0-9-]{1,64}")
GAME_AND_WORD = re.compile(r"[A-Za-z0-9-]{1,64}(?:\s+word\s*:?\s+\S{1,64})?", re.IGNORECASE)
