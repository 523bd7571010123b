"""What the players are to read, before it has a language: positions and events become reports.

A report is a template's name with plain values. It is small, can be kept as JSON, and holds only what its
reader may know: positions come from `view`, events from `visible`. `adjudicator.render` makes a mail of it.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from adjudicator.errors import Refused
from adjudicator.game.events import Event, GameOver, TurnEnded
from adjudicator.game.model import BySide, Side
from adjudicator.game.seen import visible
from adjudicator.reports.position import Situation, Values, plain, position

NoticeKind = Literal[
    "foreign-sender", "unproved-sender", "second-address",
    "resign-asked", "same-id", "nothing-to-confirm", "press", "paused", "resumed", "extended", "time-set", "clock-set",
    "quarantined", "came-back", "house-stuck", "clock-stuck", "clock-waits",
    "deadline-grace", "deadline-outage", "deadline-zone", "deadline-fault",
    "deadline-moderator", "leave", "leave-cancelled", "back", "no-claim",
    "offered", "offer-made", "offer-refused", "offer-declined", "no-offer",
    "record", "replaced", "replaced-you", "watch-press",
]  # fmt: skip


NO_WORDS = BySide("", "")
"""What the players added to the seed, if they added nothing."""


class Report(msgspec.Struct, frozen=True):
    """A mail to be: the name of its template and JSON values. Equal reports make equal mails."""

    template: str
    values: Values


def telling(report: Report, **more: object) -> Report:
    """The same report with more: how each line of a mail was `heard`, orders `ahead`, `remarks` in whole sentences."""
    return msgspec.structs.replace(report, values={**report.values, **plain(more)})


def welcome(
    situation: Situation, commitment: str, words: BySide[str] = NO_WORDS, *, restarts: str = "", confirms: str = ""
) -> Report:
    """The first mail: how to play by mail, the first position, the seed's commitment (64 hex digits).

    `words` are what the players added to the seed. The game `restarts` another one, from which the reader brings his
    standing orders and, if he `confirms`, the wish to be asked before his orders count.
    """
    said = {side: word for side, word in msgspec.structs.asdict(words).items() if word}
    told = {"commitment": commitment, "words": said, "restarts": restarts, "confirms": bool(confirms)}
    return Report("welcome", {**position(situation), **told})


def turn_report(
    situation: Situation,
    events: Sequence[Event],
    *,
    noted: Sequence[str] = (),
) -> Report:
    """What happened since this reader's last mail, and what he may do now, if he has to decide.

    If it answers his own mail, which ended his turn: what of it was `noted`, as in `answer`.
    """
    told = {"chapters": _chapters(situation, events), "noted": list(noted)}
    return Report("turn", {**position(situation), **told})


def answer(
    situation: Situation,
    *,
    events: Sequence[Event] = (),
    applied: Sequence[str] = (),
    refused: Sequence[Refused] = (),
    not_tried: Sequence[str] = (),
    noted: Sequence[str] = (),
    forecast: bool = False,
) -> Report:
    """The answer to a mail that did not end the turn.

    `applied` and `not_tried` are orders as text, `noted` the kinds of things that were taken besides orders
    ("standing", "press", "note", "leave"). A `forecast` changed nothing.
    """
    came_of_it = {
        "chapters": _chapters(situation, events),
        "applied": list(applied),
        "refused": [msgspec.to_builtins(refusal) for refusal in refused],
        "not_tried": list(not_tried),
        "noted": list(noted),
        "forecast": forecast,
        "total": len(applied) + len(refused) + len(not_tried),
    }
    return Report("answer", {**position(situation), **came_of_it})


def stale(situation: Situation, orders: int = 0) -> Report:
    """The answer to `orders` game orders for an older position: not applied, here is the newest position."""
    return Report("stale", {**position(situation), "orders": orders})


def takeover(situation: Situation, events: Sequence[Event], commitment: str) -> Report:
    """The first mail to who takes a seat over: all that happened so far, and the position."""
    told = {"chapters": _chapters(situation, events), "commitment": commitment}
    return Report("takeover", {**position(situation), **told})


def again(situation: Situation) -> Report:
    """The newest position for somebody whose address did not work for a while."""
    return Report("again", position(situation))


def back(situation: Situation, by: str, why: str = "", dropped: str = "", seed_known: str = "") -> Report:
    """The position after an undo: by a "moderator", who said `why`, or by "agreement" of both players.

    `dropped`: whether orders that this reader had sent ahead are lost. `seed_known`: both were told the seed before.
    """
    told = {"by": by, "why": why, "dropped": bool(dropped), "seed_known": bool(seed_known)}
    return Report("back", {**position(situation), **told})


def about_time(situation: Situation, about: str, events: Sequence[Event] = (), **values: str) -> Report:
    """The position because of the time: a reminder, or what came of it that somebody's time was over."""
    told = {"about": about, "values": dict(values), "chapters": _chapters(situation, events)}
    return Report("time", {**position(situation), **told})


def joined(situation: Situation, taken: Sequence[Values], earlier: int = 0) -> Report:
    """The one answer to several mails, and the newest position.

    `taken` tells of each letter, the oldest first: when it came (`at`), the `kind` of answer that it would have got,
    and what belongs to that (`refused`, `noted`, `orders`, `text`, `told`). Of `earlier` ones more nothing is told.
    """
    told = [{"refused": [], "noted": [], "orders": 0, "text": "", "told": [], **one} for one in taken]
    return Report("joined", {**position(situation), "taken": told, "earlier": earlier})


def game_over(  # noqa: PLR0913 - so much is told
    situation: Situation,
    events: Sequence[Event],
    *,
    over: GameOver,
    seed: str,
    commitment: str,
    words: BySide[str] = NO_WORDS,
    why: str = "",
    looks: str = "",
    resent: str = "",
    attached: bool = False,
) -> Report:
    """The last mail of a game: who won and why, and the seed (hex) with which the shuffles can be checked.

    `why` is what a moderator said who ended it; `looks` are those at hidden things, a line each: time, blank, reason.
    The mail may be `resent` by a moderator, and have the record of the game `attached`.
    """
    proof = {"over": over, "seed": seed, "commitment": commitment, "words": words, "why": why, "looks": _dated(looks)}
    before = [event for event in events if not isinstance(event, GameOver)]
    how = {"resent": bool(resent), "attached": attached}
    told = {**position(situation), "chapters": _chapters(situation, before)}
    return Report("over", {**told, **plain(proof), **how})


def notice(kind: NoticeKind, game: str = "", **values: str) -> Report:
    """A plain message of a fixed kind; `values` are what its sentences name."""
    return Report("notice", {"kind": kind, "game": game, "values": dict(values)})


def stranger() -> Report:
    """The one fixed answer that an unknown sender gets from the games address."""
    return Report("stranger", {})


_DESK_VALUES = (
    "addresses", "games", "deeds", "left_out", "done", "hindered", "faults", "open", "offered", "played", "asks",
    "unread", "late", "more", "guessed", "why", "by_moderator",
)  # fmt: skip


def desk(kind: str, **values: str) -> Report:
    """A mail about no game: registration, addresses, confirmations. Lists in `values` have an item a line.

    An item of `faults`, of `open` and `offered` (challenges), and of `played` (games) has several parts with tabs
    between them; one of `late` has a time, a tab, and three parts with blanks between them. Times are told in
    `reader_zone`.
    """
    told: Values = {**dict.fromkeys(_DESK_VALUES, ""), "reader_zone": "UTC", **values}
    for name in ("addresses", "games", "asks", "unread"):
        told[name] = told[name].splitlines()
    for name in ("faults", "open", "offered", "played"):
        told[name] = [line.split("\t") for line in told[name].splitlines()]
    for name in ("deeds", "left_out", "done", "hindered"):
        told[name] = [line.partition(" ")[::2] for line in told[name].splitlines()]
    told["late"] = [_late(line) for line in told["late"].splitlines()]
    return Report("desk", {"kind": kind, **told})


def _late(line: str) -> tuple[str, str, str, str]:
    """When a letter came, what became of it, a word of the desk, and what that is about."""
    at, _, said = line.partition("\t")
    became, _, rest = said.partition(" ")
    word, _, argument = rest.partition(" ")
    return at, became, word, argument


def status(situation: Situation) -> Report:
    """Whose turn it is, since when counted, and the numbers of both sides."""
    return Report("status", position(situation))


def board(situation: Situation) -> Report:
    """The whole position as the reader sees it, both sides' piles included."""
    return Report("board", position(situation))


def history(situation: Situation, events: Sequence[Event], deeds: str = "") -> Report:
    """Everything that happened in the game so far, as the reader may know it.

    `deeds` are those of moderators, a line each: time, blank, what.
    """
    told = {"chapters": _chapters(situation, events), "deeds": _dated(deeds)}
    return Report("history", {**position(situation), **told})


def rules_page(word: str, game: str = "") -> Report:
    """What the rules say about an order word or a notion."""
    return Report("rules", {"word": word, "game": game})


def help_page(game: str = "", side: Side = "british") -> Report:
    """How to write orders."""
    return Report("help", {"game": game, "side": side})


def _chapters(situation: Situation, events: Sequence[Event]) -> list[Values]:
    """The events turn by turn, as the reader may know them."""
    chapters: list[Values] = []
    happened: list[Event] = []
    for event in visible(tuple(events), situation.side):
        if isinstance(event, TurnEnded):
            chapters.append({"turn": event.turn, "side": event.side, "events": happened})
            happened = []
        else:
            happened.append(event)
    if happened:
        chapters.append({"turn": situation.state.turn, "side": situation.state.to_move, "events": happened})
    return [plain(chapter) for chapter in chapters]


def _dated(lines: str) -> list[tuple[str, str]]:
    """Return lines of a time, a blank and a text as pairs."""
    return [(at, text) for at, _, text in (line.partition(" ") for line in lines.splitlines())]
