"""What a transaction leaves for the sender: everything a mail will tell, not yet a report, in one JSON value.

Making a report lists all that is possible in a position; that takes longer than to apply an order, so it is done after
the commit. A draft never changes: each attempt to send makes the same mail of it.
"""

import zlib
from datetime import datetime

import msgspec

from adjudicator import reports
from adjudicator.errors import Refused
from adjudicator.game.edition import rules_for
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import BySide, Side, State
from adjudicator.reports import Report
from adjudicator.reports.ahead import Ahead
from adjudicator.reports.heard import Heard
from adjudicator.reports.position import Situation
from adjudicator.reports.wait import Wait
from adjudicator.reports.watching import watched


class Taken(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one letter, in a joined answer.

    `kind` is that of the answer which it would have got, "forecast", or "press" for words of the opponent (`text`).
    `told` are whole sentences about what was done.
    """

    at: datetime
    kind: str
    refused: tuple[Refused, ...] = ()
    noted: tuple[str, ...] = ()
    orders: int = 0
    text: str = ""
    told: tuple[Refused, ...] = ()


class Draft(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mail to be: its `kind` and whatever of the rest that kind tells. `state` is what `side` may look at."""

    kind: str
    game: str = ""
    side: Side = "british"
    edition: int = 2
    variants: tuple[str, ...] = ()
    switches: dict[str, object] = {}
    state: State | None = None
    opponent: str = ""
    unreachable: bool = False
    deadline_at: datetime | None = None
    zone: str = "UTC"
    clock: str = ""
    left: int = 0
    own_left: int = 0
    wait: Wait = Wait()
    standing: str = ""
    events: tuple[Event, ...] = ()
    applied: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    not_tried: tuple[str, ...] = ()
    heard: Heard | None = None
    ahead: Ahead | None = None
    noted: tuple[str, ...] = ()
    remarks: tuple[Refused, ...] = ()
    forecast: bool = False
    orders: int = 0
    commitment: str = ""
    over: GameOver | None = None
    seed: str = ""
    words: BySide[str] = BySide("", "")
    notice: str = ""
    values: dict[str, str] = {}
    taken: tuple[Taken, ...] = ()
    earlier: int = 0
    record: bytes = b""
    """The record of the game that is attached, packed (see `packed`)."""


_decoder = msgspec.json.Decoder(Draft)
_encoder = msgspec.json.Encoder()


def encode(draft: Draft) -> bytes:
    """The draft as JSON."""
    return _encoder.encode(draft)


def decode(raw: bytes) -> Draft:
    """The draft that was kept as JSON."""
    return _decoder.decode(raw)


def packed(record: object) -> bytes:
    """A record as a draft carries it: a whole game is long, and outboxes keep it."""
    return zlib.compress(_encoder.encode(record), 9)


def files_of(raw: bytes) -> tuple[tuple[str, bytes], ...]:
    """The files to attach to a mail, by name: the record of its game, if it has one."""
    draft = decode(raw)
    return ((f"{draft.game}.json", zlib.decompress(draft.record)),) if draft.record else ()


def report_of(raw: bytes) -> Report:
    """The report of a draft that was kept as JSON."""
    draft = decode(raw)
    report = _report(draft)
    if draft.remarks:
        report = reports.telling(report, remarks=draft.remarks)
    if draft.ahead:
        report = reports.telling(report, ahead=draft.ahead.told())
    return reports.telling(report, heard=draft.heard.told()) if draft.heard else report


def _report(draft: Draft) -> Report:
    if draft.kind == "stranger":
        return reports.stranger()
    if draft.kind == "desk":
        return reports.desk(draft.notice, **draft.values)
    if draft.kind == "notice":
        return reports.notice(draft.notice, draft.game, **draft.values)  # type: ignore[arg-type]
    if draft.kind == "help":
        return reports.help_page(draft.game, draft.side)
    if draft.kind == "rules":
        return reports.rules_page(draft.values["word"], draft.game)
    return _about_position(draft)


_PLAIN = {"again": reports.again, "status": reports.status, "board": reports.board}
"""The kinds of mail that tell nothing but the position."""


def _about_position(draft: Draft) -> Report:  # noqa: C901, PLR0911 - one row each
    """The report of a mail that shows a position."""
    assert draft.state
    if draft.kind == "watch":
        rules = rules_for(draft.edition, draft.variants, draft.switches)
        return watched(draft.game, rules, draft.state, draft.events, draft.over, **draft.values)
    situation = Situation(
        game=draft.game,
        side=draft.side,
        rules=rules_for(draft.edition, draft.variants, draft.switches),
        state=draft.state,
        opponent=draft.opponent,
        unreachable=draft.unreachable,
        deadline_at=draft.deadline_at,
        zone=draft.zone,
        clock=draft.clock,
        left=draft.left,
        own_left=draft.own_left,
        wait=draft.wait,
        standing=draft.standing,
    )
    if make := _PLAIN.get(draft.kind):
        return make(situation)
    match draft.kind:
        case "welcome":
            return reports.welcome(situation, draft.commitment, draft.words, **draft.values)
        case "turn":
            return reports.turn_report(situation, draft.events, noted=draft.noted)
        case "joined":
            return reports.joined(situation, msgspec.to_builtins(draft.taken), draft.earlier)
        case "stale":
            return reports.stale(situation, draft.orders)
        case "back":
            return reports.back(situation, **draft.values)
        case "time":
            return reports.about_time(situation, draft.notice, draft.events, **draft.values)
        case "takeover":
            return reports.takeover(situation, draft.events, draft.commitment)
        case "history":
            return reports.history(situation, draft.events, **draft.values)
        case "over":
            assert draft.over
            return reports.game_over(
                situation,
                draft.events,
                over=draft.over,
                seed=draft.seed,
                commitment=draft.commitment,
                words=draft.words,
                attached=bool(draft.record),
                **draft.values,
            )
        case _:
            return reports.answer(
                situation,
                events=draft.events,
                applied=draft.applied,
                refused=draft.refused,
                not_tried=draft.not_tried,
                noted=draft.noted,
                forecast=draft.forecast,
            )
