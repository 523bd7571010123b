"""What players write about time: `claim`, `leave`, `set zone`."""

import re
from collections.abc import Sequence
from datetime import date

import msgspec

from adjudicator.errors import Refusal
from adjudicator.game.events import GameOver
from adjudicator.game.model import Side, other
from adjudicator.game.scoring import scores
from adjudicator.league.clock import Clock, Clocks
from adjudicator.league.leave import Leave
from adjudicator.league.wall import UnknownZone, zone_of
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order
from adjudicator.service.absence import Wish, change_leave, change_zone
from adjudicator.service.changes import Changes
from adjudicator.service.drafts import Draft
from adjudicator.service.ending import end
from adjudicator.service.lateness import letter_held
from adjudicator.service.timing import clocks_of

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ZONE = re.compile(r"(?:time\s?)?zone[\s:=]+(\S+?)[.!]*", re.IGNORECASE)
Noted = tuple[str, ...]


def claim(changes: Changes, side: Side, order: Order, letter: Letter) -> tuple[Draft, str]:  # noqa: ARG001 - as all others
    """End a game whose other side has run out of time; else tell when that can be."""
    clock, clocks = clocks_of(changes.game.row)
    why = _no_claim(changes, side, clock, clocks)
    if why is None:
        foe, points = other(side), scores(changes.game.state)
        return end(changes, GameOver(side, "time", foe, points.british, points.french), side), "claimed"
    until = changes.game.row.deadline_at
    values = {"until": until.isoformat() if until else "", "zone": clocks.of(side).zone, "policy": clock.policy}
    return changes.box.draft("notice", side, None, notice="no-claim", values={"why": why, **values}), "refused"


def _no_claim(changes: Changes, side: Side, clock: Clock, clocks: Clocks) -> str | None:
    """Why a side cannot claim a game now, None if it can."""
    waiting = clocks.waiting
    if not clock.budget:
        return "no-clock"
    if clock.policy != "claim":
        return "policy"
    if waiting is None or clocks.held:
        return "nobody"
    if waiting.side == side:
        return "own-turn"
    until = changes.game.row.deadline_at
    if waiting.out_at is None and until and until <= changes.now:
        return "late"
    if waiting.out_at is None:
        return "grace" if waiting.grace_until else "running" if waiting.kind == "turn" else "question"
    return None if letter_held(changes, waiting.side) is None else "held"


def take_leave(changes: Changes, side: Side, orders: Sequence[Order]) -> Noted:
    """Declare days off, or take them back."""
    player_id = changes.game.seats[side].player_id
    noted: list[str] = []
    wanted: list[tuple[Order, Wish]] = []
    for number, order in enumerate(orders):
        if any(order.argument == later.argument for later in orders[number + 1 :]):
            continue
        try:
            wanted.append((order, _wish(order)))
        except Refusal as refusal:
            noted.append(_not_done(changes, order, refusal))
    if player_id is None:
        nobody = Refusal("House players have no days off.")
        return tuple(_not_done(changes, order, nobody) for order, _ in wanted)
    wishes = [wish for _, wish in wanted]
    became, ends = change_leave(changes.config, changes.tx, player_id, wishes, changes.now, here=changes)
    for (order, wish), one in zip(wanted, became, strict=True):
        if isinstance(one, Refusal):
            noted.append(_not_done(changes, order, one))
        else:
            noted.append(_leave_told(changes, order, wish, void=one == "void"))
    changes.remark_ends(ends)
    return tuple(sorted(noted, key="leave".__eq__))  # what is taken back comes first


def _wish(order: Order) -> Wish:
    days = period(order.argument)
    return Leave(*days) if days else None


def _leave_told(changes: Changes, order: Order, wish: Wish, *, void: bool) -> str:
    """Tell what was done about days off; returns what is noted of it."""
    if wish is None:
        return "leave-void" if void else "leave-cancelled"
    if void:
        changes.remark(
            "The same mail takes back the days off of line {line}: nobody is told of them.", line=str(order.line)
        )
        return "leave-void"
    first, last = wish.first.isoformat(), wish.last.isoformat()
    changes.remark("You are away from {first} to {last}. Your clock stands still then.", first=first, last=last)
    return "leave"


def _not_done(changes: Changes, order: Order, refusal: Refusal) -> str:
    """Tell why a line of the letter was not done."""
    changes.undone.append(order)
    value = refusal.value
    template, values = f"{value.template} (line {{refused_line}})", {**value.values, "refused_line": str(order.line)}
    changes.remark_not_done(msgspec.structs.replace(value, template=template, values=values))
    return "told"


def period(text: str) -> tuple[date, date] | None:
    """The two dates after `leave`; None for `cancel`.

    Raises: Refusal if one of them is in no calendar.
    """
    found = _DATE.findall(text)
    try:
        dates = [date.fromisoformat(one) for one in found]
    except ValueError as error:
        raise Refusal("One of these days is in no calendar: {dates}.", dates=", ".join(found)) from error
    return (dates[0], dates[1]) if dates else None


def zone_said(argument: str) -> str | None:
    """The time zone that stands after `set`, None if that is about something else."""
    found = _ZONE.fullmatch(" ".join(argument.split()))
    return found[1] if found else None


def is_zone(zone: str) -> bool:
    """Whether a time zone is called that."""
    try:
        zone_of(zone)
    except UnknownZone:
        return False
    return True


def set_zone(changes: Changes, side: Side, zone: str, order: Order) -> Noted:
    """Let a player's days count in another zone."""
    player_id = changes.game.seats[side].player_id
    if player_id is None:
        return ("unknown-here",)
    try:
        name, ends = change_zone(changes.config, changes.tx, player_id, zone, changes.now, here=changes)
    except Refusal as refusal:
        return (_not_done(changes, order, refusal),)
    changes.remark("Your days count in {zone} from now on.", zone=name)
    changes.remark_ends(ends)
    return ("zone",)
