"""Orders that wait for their time: for the next turn, for the other side's answer, or for their writer's yes.

They are kept in the seat as they were written, and read again when their time comes; nobody but their writer learns of
them. Promise: none is dropped without a mail, and none is carried out twice.
"""

from collections.abc import Iterable, Sequence

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.events import Event
from adjudicator.game.model import Side, State, other
from adjudicator.orders import Order, Reading, changed, read
from adjudicator.reports.ahead import Ahead
from adjudicator.service.changes import Changes, is_told
from adjudicator.service.drafts import Draft
from adjudicator.service.stored import turn_start
from adjudicator.turns import Outcome, play

replace = msgspec.structs.replace


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """Orders as written: `turn` for the next turn, `rest` for when the other side has answered in this one."""

    turn: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


class Pending(msgspec.Struct, frozen=True):
    """Orders that wait for a yes, and the position that they answer."""

    seq: int
    lines: tuple[str, ...]


_KEPT = msgspec.json.Decoder(Kept)
_PENDING = msgspec.json.Decoder(Pending)
_ENCODER = msgspec.json.Encoder()


def kept(text: str) -> Kept:
    """What is in the `ahead` of a seat."""
    return _KEPT.decode(text) if text else Kept()


def keep(changes: Changes, side: Side, **values: tuple[str, ...]) -> None:
    """Keep other orders for later."""
    new = replace(kept(changes.game.seats[side].ahead), **values)
    changes.set_seat(side, ahead=_ENCODER.encode(new).decode() if new != Kept() else "")


def take_ahead(changes: Changes, side: Side, reading: Reading) -> tuple[str, ...]:
    """Keep the orders for the next turn that a letter says, instead of those kept before; returns what was noted."""
    if reading.clears_ahead:
        keep(changes, side, turn=(), rest=())
    if reading.ahead:
        keep(changes, side, turn=tuple(order.text for order in reading.ahead))
        return ("ahead",)
    return ("ahead-cleared",) if reading.clears_ahead else ()


def keep_rest(changes: Changes, side: Side, reading: Reading, outcome: Outcome) -> bool:
    """Keep what could not be tried since the other side has to answer first; says whether there was anything."""
    asks = outcome.question is not None and outcome.question.to != side
    if not asks or outcome.refused or not outcome.not_tried:
        return False
    ends = [order.text for order in reading.orders if order.word in ("done", "stop")]
    keep(changes, side, rest=(*outcome.not_tried, *(text for text in ends if text not in outcome.not_tried)))
    return True


def told(changes: Changes, side: Side, outcome: Outcome | None = None) -> Ahead:
    """What a side is told of its orders ahead."""
    now = kept(changes.game.seats[side].ahead)
    disarmed = tuple((one.text, one.why) for one in outcome.disarmed) if outcome else ()
    return Ahead(waiting=now.turn, after_answer=now.rest, disarmed=disarmed)


def pass_on(changes: Changes, side: Side, outcome: Outcome, untold: tuple[Event, ...]) -> None:
    """Tell the other side of what a side has played, once orders that waited for this were carried out."""
    foe = other(side)
    if not is_told(outcome, side):
        return
    lines = _due(changes, foe, outcome)
    if not lines:
        changes.tell(foe, replace(changes.turn_draft(foe, outcome, untold), ahead=told(changes, foe)))
        return
    reading = read(list(enumerate(lines, 1)), foe)
    dropped = _dropped(changes, foe, reading.orders) if outcome.ended else ()
    keep(changes, foe, rest=(), **({"turn": ()} if outcome.ended else {}))
    if dropped:
        ahead = replace(told(changes, foe), dropped=dropped, not_tried=lines)
        changes.tell(foe, replace(changes.turn_draft(foe, outcome, untold), ahead=ahead))
        return
    _play_ahead(changes, foe, reading, outcome, untold)


def _due(changes: Changes, foe: Side, outcome: Outcome) -> tuple[str, ...]:
    """The orders ahead whose time has come: the game waits for this side, for its orders and no answer."""
    state = outcome.state
    if outcome.over or decider(state) != foe or state.to_move != foe:
        return ()
    now = kept(changes.game.seats[foe].ahead)
    return now.turn if outcome.ended else now.rest


def _dropped(changes: Changes, side: Side, orders: Sequence[Order]) -> tuple[tuple[str, str], ...]:
    """What the other side has changed of what orders for this turn name, since this side ended its last one."""
    before = _before(changes)
    return tuple((order.text, what) for order, what in changed(before, changes.game.state, side, orders))


def _before(changes: Changes) -> State:
    """The position at the start of the turn that has just ended."""
    if changes.begun_from is not None:
        return changes.begun_from
    was = changes.was
    if was.state.open is None and was.state.question is None:
        return was.state
    return turn_start(changes.tx, was)


def _play_ahead(changes: Changes, side: Side, reading: Reading, before: Outcome, untold: tuple[Event, ...]) -> None:
    """Play orders whose time has come, and tell both sides."""
    game = changes.game
    earlier = untold if not before.ended else ()
    outcome = play(game.rules, game.state, side, reading, game.chance(), game.standing(), earlier=earlier)
    more: tuple[Event, ...] = ()
    if outcome.moves or outcome.over or outcome.question != game.state.question:
        changes.begun_from = game.state if before.ended else None
        more = changes.enter(side, outcome, "ahead")
        keep_rest(changes, side, reading, outcome)
    now = told(changes, side, outcome)
    left = () if now.after_answer else outcome.not_tried
    now = replace(now, played=outcome.applied, refused=outcome.refused, not_tried=left)
    state = outcome.state if changes.game.state is outcome.state else changes.shown(side)
    seen = replace(outcome, state=state)
    events = (*untold, *outcome.events)
    changes.tell(side, replace(changes.turn_draft(side, seen, events), ahead=now))
    if more:
        pass_on(changes, side, outcome, more)


def put_off(changes: Changes, side: Side, orders: Iterable[Order], outcome: Outcome) -> Draft:
    """Keep orders until their writer has said yes to what they would do; returns the forecast that asks him."""
    lines = tuple(order.text for order in orders if order.plays)
    changes.set_seat(side, pending=_ENCODER.encode(Pending(changes.game.seats[side].seq, lines)).decode())
    ahead = replace(told(changes, side, outcome), to_confirm=True)
    return changes.box.draft(
        "answer",
        side,
        outcome.state,
        forecast=True,
        events=outcome.events,
        applied=outcome.applied,
        not_tried=outcome.not_tried,
        ahead=ahead,
    )


def put_off_until(changes: Changes, side: Side, seq: int) -> tuple[str, ...]:
    """The orders that wait for a yes to position `seq`; they wait no longer."""
    text = changes.game.seats[side].pending
    if not text:
        return ()
    pending = _PENDING.decode(text)
    changes.set_seat(side, pending="")
    return pending.lines if pending.seq == seq == changes.game.seats[side].seq else ()
