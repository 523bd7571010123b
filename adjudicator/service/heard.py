"""What each line of a letter came to, for the answer to tell."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec

from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order, Reading, begins_with, resembles
from adjudicator.reports.heard import Heard, Lines, is_order_in_subject, looks_like_order
from adjudicator.service.answers import ANSWERS
from adjudicator.service.deeds import ASKED_BACK, deeds_of, parted, settle_deeds
from adjudicator.service.drafts import Draft
from adjudicator.service.petitions import AT_DESK_ONLY

_PLAYED = ("answer", "turn", "over")
"""The kinds of answer to a letter whose game orders were tried."""


def heard(
    letter: Letter,
    reading: Reading,
    draft: Draft,
    noted: tuple[str, ...],
    carried_out: Lines,
    undone: Sequence[Order] = (),
) -> Heard:
    """What became of the lines of a letter that `draft` answers, and of what was not read in it (see `by_line`)."""
    skipped = Counter(line.kind for line in letter.lines if line.text.strip())
    undone = (*undone, *_not_answered(reading), *_not_asked(reading))
    return msgspec.structs.replace(
        by_line(reading, draft, noted, carried_out, undone),
        quoted=skipped["quote"],
        signed=skipped["signature"],
        files=letter.unread,
        subject=is_order_in_subject(
            letter.subject, [line.text for line in letter.lines if line.kind == "own"], draft.side
        ),
        hints=_hints(reading, draft, noted, undone),
        alone=_alone(reading, draft, noted, undone),
        in_message=() if _PRESSED.isdisjoint(noted) else tuple(_in_messages(letter, reading, draft.side)),
    )


def by_line(
    reading: Reading, draft: Draft, noted: tuple[str, ...], carried_out: Lines, undone: Sequence[Order] = ()
) -> Heard:
    """What became of lines that were read.

    `noted` are the kinds of things that were taken besides orders, `carried_out` the game orders with their lines,
    `undone` words that did not do what they are for, though others of their kind did.
    """
    understood, left = list(carried_out), list[tuple[int, str]]()
    for order, taken in _game_orders(reading, draft, carried_out):
        (understood if taken else left).append((order.line, order.text))
    for order in reading.orders:
        if order.kind == "word" and not (order.plays and order.text in _waiting(draft)):
            counts = _had_effect(order, draft, noted, undone)
            back = " (asked back)" if counts and order.word in ASKED_BACK and _wished(order) not in _NOTED else ""
            (understood if counts else left).append((order.line, f"{order.text}{back}"))
    for order in reading.ahead:
        (understood if "ahead" in noted else left).append((order.line, f"next turn: {order.text}"))
    for clause in reading.standing:
        (understood if "standing" in noted else left).append((clause.line, clause.text))
    return Heard(
        understood=tuple(sorted(understood, key=_line)),
        left=tuple(sorted(left, key=_line)),
        ignored=reading.ignored,
        void=bool(reading.refused),
    )


_PRESSED = frozenset({"press", "press-empty", "press-none"})
"""What is noted of a letter with words to the other side."""


def _in_messages(letter: Letter, reading: Reading, side: Side) -> Iterator[tuple[int, str]]:
    """Lines, and parts of a line behind a semicolon, that look like orders and stand in words to the other side."""
    own = [line for line in letter.lines if line.kind == "own"]
    for message in reading.said("press"):
        run = takewhile(lambda line: line.text.strip(), (line for line in own if line.number >= message.line))
        for line in run:
            text = line.text if line.number > message.line else line.text.partition(";")[2]
            if looks_like_order(text, side):
                yield line.number, text.strip()


def _not_answered(reading: Reading) -> list[Order]:
    """Words with an answer of their own before another one of the same word: the last one is answered."""
    last = {order.word: order for order in reading.orders if order.word in ANSWERS}
    return [order for order in reading.orders if order.word in last and _said(order) != _said(last[order.word])]


def _said(order: Order) -> str:
    return " ".join(order.argument.lower().strip(" .!").split())


def _not_asked(reading: Reading) -> list[Order]:
    """Wishes that the mail that asks back names as left out."""
    deeds, faults = settle_deeds(reading.orders, "", without=AT_DESK_ONLY)
    wrong, left_out = {fault.line for fault in faults}, parted(deeds)[1]
    wishes = [order for order in reading.orders if order.word in ASKED_BACK]
    return [order for order in wishes if order.line in wrong or {*deeds_of([order], "")} & {*left_out}]


def _hints(
    reading: Reading, draft: Draft, noted: tuple[str, ...], undone: Sequence[Order]
) -> tuple[tuple[str, str], ...]:
    """The words of short lines that were taken for plain words, and of wishes that could not be understood."""
    found = [word for _, line in reading.ignored if (word := begins_with(line) or resembles(line))]
    if "unknown-here" in noted:
        wishes = (order for order in reading.orders if order.word in (*ASKED_BACK, "register"))
        found += [(_wished(order), "") for order in wishes if not _had_effect(order, draft, noted, undone)]
    return tuple(dict.fromkeys(found))


def _wished(order: Order) -> str:
    """The word of a wish, with the option after `set` if it is one that is known."""
    option = order.argument.replace(":", " ").partition(" ")[0].lower().rstrip(".!")
    option = {"timezone": "zone"}.get(option, option)
    return f"set {option}" if order.word == "set" and option in _SETTINGS else order.word


_SETTINGS = ("zone", "name", "address", "newkey", "confirm")
"""What can be set in a letter about a game."""
_OUT_OF_PLACE = ("paused", "same-id")
"""Answers to letters of which nothing counts, whatever stands alone in them."""


def _alone(reading: Reading, draft: Draft, noted: tuple[str, ...], undone: Sequence[Order]) -> tuple[str, ...]:
    """The words with an answer of their own that got none, as game orders or another such word did."""
    spoken = [order for order in reading.orders if order.word in ANSWERS]
    ordered = reading.refused or any(order.plays and order.word != "stop" for order in reading.orders)
    if draft.notice in _OUT_OF_PLACE or not (ordered or len({(order.word, _said(order)) for order in spoken}) > 1):
        return ()
    answered = "" if ordered else next(word for word in ANSWERS if reading.said(word))
    is_left = {order for order in spoken if order.word != answered} | {*_not_answered(reading)}
    left = (order.text.strip() for order in spoken if order in is_left and not _had_effect(order, draft, noted, undone))
    return tuple(dict.fromkeys(left))


def _line(pair: tuple[int, str]) -> int:
    return pair[0]


def _game_orders(reading: Reading, draft: Draft, carried_out: Lines) -> Iterator[tuple[Order, bool]]:
    """The game orders that were neither carried out nor refused, and whether they count nevertheless.

    That is so for cards named for sieges that are not lost yet.
    """
    done = Counter(line for line, _ in carried_out)
    refused = {(refusal.line, refusal.text) for refusal in draft.refused}
    not_tried = Counter(draft.not_tried)
    not_tried.update(text for text, _ in (draft.ahead.disarmed if draft.ahead else ()))
    waiting = Counter(_waiting(draft))
    for order in reading.orders:
        if order.kind != "game" or (order.line, order.text) in refused:
            continue
        if done[order.line]:
            done[order.line] -= 1
        elif waiting[order.text]:
            waiting[order.text] -= 1  # the mail tells that it waits
        elif not_tried[order.text]:
            not_tried[order.text] -= 1
            yield order, False
        else:
            yield order, draft.kind in _PLAYED and draft.over is None


def _waiting(draft: Draft) -> tuple[str, ...]:
    """The orders that wait for the other side's answer."""
    return draft.ahead.after_answer if draft.ahead else ()


_NOTED: dict[str, frozenset[str]] = {
    "press": frozenset({"press"}),
    "note": frozenset({"note"}),
    "leave": frozenset({"leave", "leave-cancelled", "leave-void"}),
    "set zone": frozenset({"zone"}),
    "set newkey": frozenset({"newkey"}),
    "set confirm": frozenset({"confirm-on", "confirm-off"}),
}
"""By word, and option after `set`, what is noted if it did what it is for."""

_ANSWERED: dict[str, frozenset[str]] = {
    "done": frozenset({"turn", "over"}),
    "offer": frozenset({"offer-made"}),
    "accept": frozenset({"over", "back"}),
    "decline": frozenset({"offer-declined"}),
    "resign": frozenset({"resign-asked"}),
    "confirm": frozenset({"over"}),
    "claim": frozenset({"over"}),
}
"""By word the kinds of answer, and of notice, that a letter gets if it did what it is for."""


def _had_effect(order: Order, draft: Draft, noted: tuple[str, ...], undone: Sequence[Order]) -> bool:
    """Whether a word that is no game move did what it is for."""
    if order in undone:
        return False
    wished = _wished(order)
    if wished in _NOTED:
        return not _NOTED[wished].isdisjoint(noted)
    if order.word in ASKED_BACK:
        return "asked" in noted and bool(deeds_of([order], ""))
    if order.word == "stop":
        return "rest-dropped" in noted or ("stop-late" not in noted and draft.kind in _PLAYED and not draft.refused)
    if order.word == "confirm" and "confirmed" in draft.noted:
        return True
    if order.word == "done" and draft.ahead and draft.ahead.ends_turn:
        return True
    if order.word == "check":
        return draft.forecast
    return not _ANSWERED.get(order.word, frozenset({order.word})).isdisjoint((draft.kind, draft.notice))
