"""What the players are to read, before it has a language: positions and events become reports.

A report is a template's name with plain values. It is small, can be kept as JSON, and holds only what its
reader may know: positions come from `view`, events from `visible`. `adjudicator.render` makes a mail of it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from adjudicator.errors import Refused
from adjudicator.game import actions as act
from adjudicator.game import facts
from adjudicator.game.board import besieged, owned, supplied
from adjudicator.game.edition import Rules
from adjudicator.game.events import Event, GameOver, TurnEnded
from adjudicator.game.model import BySide, Side, State
from adjudicator.game.seen import visible
from adjudicator.game.view import view
from adjudicator.orders import idle, read_standing
from adjudicator.orders.writer import write
from adjudicator.reports.opening import opening, possible
from adjudicator.reports.options import options
from adjudicator.reports.wait import Wait
from adjudicator.reports.warnings import warnings

Values = dict[str, Any]
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


class Situation(msgspec.Struct, frozen=True):
    """A game as one reader meets it: what every mail about it tells.

    `state` is what `side` may look at now (see `view`). `standing` is the text of his own standing orders,
    `opponent` the other player's name; he is `unreachable` if mail to him comes back. Times are told in the reader's
    `zone`; who is waited for has `left` seconds, the reader `own_left` for his next turns if that is not he, and
    `wait` tells the rest.
    """

    game: str
    side: Side
    rules: Rules
    state: State
    opponent: str = ""
    deadline_at: datetime | None = None
    standing: str = ""
    unreachable: bool = False
    zone: str = "UTC"
    clock: str = ""
    left: int = 0
    own_left: int = 0
    wait: Wait = Wait()


def welcome(
    situation: Situation, commitment: str, words: BySide[str] = NO_WORDS, *, restarts: str = "", confirms: str = ""
) -> Report:
    """The first mail: how to play by mail, the first position, the seed's commitment (64 hex digits).

    `words` are what the players added to the seed. The game `restarts` another one, from which the reader brings his
    standing orders and, if he `confirms`, the wish to be asked before his orders count.
    """
    said = {side: word for side, word in msgspec.structs.asdict(words).items() if word}
    told = {"commitment": commitment, "words": said, "restarts": restarts, "confirms": bool(confirms)}
    return Report("welcome", {**_position(situation), **told})


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
    return Report("turn", {**_position(situation), **told})


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
    return Report("answer", {**_position(situation), **came_of_it})


def stale(situation: Situation, orders: int = 0) -> Report:
    """The answer to `orders` game orders for an older position: not applied, here is the newest position."""
    return Report("stale", {**_position(situation), "orders": orders})


def takeover(situation: Situation, events: Sequence[Event], commitment: str) -> Report:
    """The first mail to who takes a seat over: all that happened so far, and the position."""
    told = {"chapters": _chapters(situation, events), "commitment": commitment}
    return Report("takeover", {**_position(situation), **told})


def again(situation: Situation) -> Report:
    """The newest position for somebody whose address did not work for a while."""
    return Report("again", _position(situation))


def back(situation: Situation, by: str, why: str = "", dropped: str = "") -> Report:
    """The position after an undo: by a "moderator", who said `why`, or by "agreement" of both players.

    `dropped`: whether orders that this reader had sent ahead are lost.
    """
    return Report("back", {**_position(situation), "by": by, "why": why, "dropped": bool(dropped)})


def about_time(situation: Situation, about: str, events: Sequence[Event] = (), **values: str) -> Report:
    """The position because of the time: a reminder, or what came of it that somebody's time was over."""
    told = {"about": about, "values": dict(values), "chapters": _chapters(situation, events)}
    return Report("time", {**_position(situation), **told})


def joined(situation: Situation, taken: Sequence[Values], earlier: int = 0) -> Report:
    """The one answer to several mails, and the newest position.

    `taken` tells of each letter, the oldest first: when it came (`at`), the `kind` of answer that it would have got,
    and what belongs to that (`refused`, `noted`, `orders`, `text`, `told`). Of `earlier` ones more nothing is told.
    """
    told = [{"refused": [], "noted": [], "orders": 0, "text": "", "told": [], **one} for one in taken]
    return Report("joined", {**_position(situation), "taken": told, "earlier": earlier})


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
) -> Report:
    """The last mail of a game: who won and why, and the seed (hex) with which the shuffles can be checked.

    `why` is what a moderator said who ended it; `looks` are those at hidden things, a line each: time, blank, reason.
    """
    proof = {"over": over, "seed": seed, "commitment": commitment, "words": words, "why": why, "looks": _dated(looks)}
    before = [event for event in events if not isinstance(event, GameOver)]
    position = {**_position(situation), "chapters": _chapters(situation, before)}
    return Report("over", {**position, **plain(proof)})


def notice(kind: NoticeKind, game: str = "", **values: str) -> Report:
    """A plain message of a fixed kind; `values` are what its sentences name."""
    return Report("notice", {"kind": kind, "game": game, "values": dict(values)})


def stranger() -> Report:
    """The one fixed answer that an unknown sender gets from the games address."""
    return Report("stranger", {})


_DESK_VALUES = (
    "addresses", "games", "deeds", "done", "hindered", "faults", "open", "offered", "played", "asks", "unread", "late",
    "more", "guessed",
)  # fmt: skip


def desk(kind: str, **values: str) -> Report:
    """A mail about no game: registration, addresses, confirmations. Lists in `values` have an item a line.

    An item of `faults`, of `open` and `offered` (challenges), and of `played` (games) has several parts with tabs
    between them; one of `late` has a time, a tab, and three parts with blanks between them.
    """
    told: Values = {**dict.fromkeys(_DESK_VALUES, ""), **values}
    for name in ("addresses", "games", "asks", "unread"):
        told[name] = told[name].splitlines()
    for name in ("faults", "open", "offered", "played"):
        told[name] = [line.split("\t") for line in told[name].splitlines()]
    for name in ("deeds", "done", "hindered"):
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
    return Report("status", _position(situation))


def board(situation: Situation) -> Report:
    """The whole position as the reader sees it, both sides' piles included."""
    return Report("board", _position(situation))


def history(situation: Situation, events: Sequence[Event], deeds: str = "") -> Report:
    """Everything that happened in the game so far, as the reader may know it.

    `deeds` are those of moderators, a line each: time, blank, what.
    """
    told = {"chapters": _chapters(situation, events), "deeds": _dated(deeds)}
    return Report("history", {**_position(situation), **told})


def rules_page(word: str, game: str = "") -> Report:
    """What the rules say about an order word or a notion."""
    return Report("rules", {"word": word, "game": game})


def help_page(game: str = "", side: Side = "british") -> Report:
    """How to write orders."""
    return Report("help", {"game": game, "side": side})


def _position(situation: Situation) -> Values:
    """What every mail about a running game tells."""
    state, side = situation.state, situation.side
    seen = view(state, side)
    begun, coming = opening(situation.rules, state, side)
    legal = possible(situation.rules, begun, side, at_once=state.question is not None)
    question = begun.question if begun.question and begun.question.to == side else None
    values = {
        "game": situation.game,
        "side": side,
        "opponent": situation.opponent,
        "unreachable": situation.unreachable,
        "edition": situation.rules.edition,
        "variants": situation.rules.variants,
        "view": seen,
        "question": question,
        "before_actions": state.question is None and question is not None,
        "coming": coming,
        "your_move": seen.waiting_for == side,
        "options": options(legal),
        "examples": _examples(legal, state, side),
        "warnings": warnings(seen),
        "standing": situation.standing,
        "idle": dict(idle(read_standing(situation.standing, side), situation.rules, state, side)),
        "deadline_at": situation.deadline_at,
        "zone": situation.zone,
        "clock": situation.clock,
        "left": situation.left,
        "own_left": situation.own_left,
        "wait": situation.wait,
        "actions_left": _actions_left(state),
        "unusable": _unusable(begun, side),
    }
    return plain(values)


def _actions_left(state: State) -> int:
    """The mover's actions, those of a turn not yet begun included (S3.1)."""
    if state.open:
        return state.open.actions_left
    return 1 if state.turn <= 2 else 2  # noqa: PLR2004 - each side's first turn (S3.2)


def _unusable(state: State, side: Side) -> dict[str, str]:
    """The location cards in hand that cannot be played now, and why (S5.3)."""
    held, under_siege = owned(state, side), besieged(state)
    supply = supplied(side, held)
    reasons: dict[str, str] = {}
    for card in state.players.of(side).hand:
        if card in facts.LOCATIONS:
            if card not in held:
                reasons[card] = "lost"
            elif card in under_siege:
                reasons[card] = "besieged"
            elif card not in supply:
                reasons[card] = "cut-off"
    return reasons


_SHOWN_FIRST = (act.Settle, act.Draft, act.Besiege, act.TakeMoney, act.Develop, act.Reserve, act.Discard)


def _examples(legal: Iterable[act.Action], state: State, side: Side) -> list[str]:
    """Two orders valid in this very position, of different words, the shortest of their kinds."""
    piles = {**state.available_empire.of(side), **state.neutral_supply}
    shortest: dict[type, str] = {}
    for action in legal:
        # A card that a siege is about to give back is not certain yet.
        if isinstance(action, act.Draft) and not piles.get(action.card):
            continue
        if isinstance(action, _SHOWN_FIRST):
            text = write(action, side)
            known = shortest.get(type(action))
            if known is None or (len(text), text) < (len(known), known):
                shortest[type(action)] = text
    return [shortest[kind] for kind in _SHOWN_FIRST if kind in shortest][:2]


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


def plain(values: Values) -> Values:
    """The same as plain JSON values."""
    plain: Values = msgspec.to_builtins(values)
    return plain
