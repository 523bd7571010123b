"""What a player wants of the desk in one letter: deeds to be asked back, questions, and lines that are neither.

Promise: each line that means something has its own answer, all of them in one mail; nothing that fails hides another.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from adjudicator.orders import Order
from adjudicator.service import challenges, watching
from adjudicator.service.challenges import asked_of, listing
from adjudicator.service.deeds import ASKED_BACK, Fault, parted, read_deeds, told_faults
from adjudicator.service.petitions import Deed
from adjudicator.service.played import played
from adjudicator.service.visits import Outcome, Visit, listed
from adjudicator.store.ledger import Transaction

QUESTIONS = ("challenges", "games", "rules", "help")
"""The words that are answered at once."""
MOST_FAULTS = 10
_ASKED_FOR = (*ASKED_BACK, "leave", "confirm", *QUESTIONS)
_FOREIGN = re.compile(r"[^\w+/=.,:?!'()“” -]+")
"""What is not shown again of what somebody wrote."""
_OF_A_GAME = "This belongs to a game. Please write it in answer to the newest mail of that game."
_REGISTERED = "You are a player already. The setting name gives you another name."


class Wanted(msgspec.Struct, frozen=True):
    """What is to be asked back, what is left out because of it, and what the answer tells besides."""

    deeds: tuple[Deed, ...] = ()
    left_out: tuple[Deed, ...] = ()
    faults: tuple[Fault, ...] = ()
    hindered: tuple[Outcome, ...] = ()
    questions: tuple[str, ...] = ()
    values: dict[str, str] = {}

    @property
    def is_understood(self) -> bool:
        """Whether there is anything in it that a desk can answer."""
        return bool(self.deeds or self.hindered or self.questions)

    @property
    def notice(self) -> str:
        """The kind of mail that tells it, by what is the most urgent in it."""
        if self.deeds:
            return "asked"
        if self.questions and not (self.faults or self.hindered):
            words = {question.split()[0] for question in self.questions}
            return words.pop() if len(words) == 1 else "answers"
        return "answers" if self.questions else "hindered" if self.hindered else "faults"


def wanted(here: Visit, player_id: int, kept: Sequence[Deed] = (), before: Sequence[str] = ()) -> Wanted:
    """Return what a player wants; `kept` are deeds, and `before` questions, of his from before he was one."""
    said, faults = read_deeds(here.orders, here.config.domain)
    deeds, left_out = parted(tuple(dict.fromkeys((*kept, *said))))
    hindered = {deed: found for deed in deeds if (found := hindrance(here.tx, player_id, deed))}
    asked = tuple(deed for deed in deeds if deed not in hindered)
    all_faults = tuple(sorted((*faults, *_misplaced(here)), key=lambda fault: fault.line))[:MOST_FAULTS]
    questions = tuple(dict.fromkeys((*before, *questions_in(here.orders))))
    values = {
        "faults": told_faults(all_faults),
        "hindered": listed(tuple(hindered.values())),
        "asks": "\n".join(questions),
        **(asked_of(here.tx, asked, left_out) if asked else {}),
        **_told(here, player_id, questions),
    }
    return Wanted(asked, left_out, all_faults, tuple(hindered.values()), questions, values)


def hindrance(tx: Transaction, player_id: int, deed: Deed) -> Outcome | None:
    """What keeps a player from a deed, if that is known before he confirms it."""
    return challenges.hindrance(tx, player_id, deed) or watching.hindrance(tx, player_id, deed)


def hindered_in(tx: Transaction, player_id: int | None, found: Iterable[tuple[Order, Deed]]) -> dict[Order, Outcome]:
    """The orders among these whose deeds something keeps a player from, with what that is; none of what is left out."""
    pairs = list(found)
    left_out = parted([deed for _, deed in pairs])[1]
    wanted_yet = [(order, deed) for order, deed in pairs if deed not in left_out]
    return {order: why for order, deed in wanted_yet if player_id and (why := hindrance(tx, player_id, deed))}


def _misplaced(here: Visit) -> list[Fault]:
    """Lines that cannot be read, and those that have their place in answers to mails of a game."""
    faults = [Fault(line, "", _OF_A_GAME) for line in here.of_games]
    for line, text in here.misread.items():
        if line not in here.of_games:
            faults.append(Fault(line, "", _FOREIGN.sub("_", text)[:200]))
    for order in here.orders:
        if order.word == "register":
            faults.append(Fault(order.line, order.word, _REGISTERED))
        elif order.word not in _ASKED_FOR:
            faults.append(Fault(order.line, order.word, _OF_A_GAME))
    return faults


def questions_in(orders: Iterable[Order]) -> tuple[str, ...]:
    """What a letter asks, each once, as a word and perhaps what it is about."""
    found = [order for order in orders if order.word in QUESTIONS]
    asked = [f"{order.word} {order.argument}".strip() if order.word == "rules" else order.word for order in found]
    return tuple(dict.fromkeys(asked))


def _told(here: Visit, player_id: int, questions: Sequence[str]) -> dict[str, str]:
    told = {}
    if "challenges" in questions:
        told["offered"] = listing(here.tx)
    if "games" in questions:
        told["played"] = played(here.tx, player_id, here.now)
    return told
