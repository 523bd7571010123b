"""Orders that wait for their time: for the next turn, for the other side's answer, or for their writer's yes.

They are kept in the seat as they were written, and read again when their time comes; nobody but their writer learns of
them. Promise: none is dropped without a mail, and none is carried out twice.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.events import Event
from adjudicator.game.model import Side, State, other
from adjudicator.orders import Later, Order, Reading, changed, read, read_again
from adjudicator.reports.ahead import Ahead
from adjudicator.service.changes import Changes, is_told
from adjudicator.service.drafts import Draft
from adjudicator.service.stored import turn_start
from adjudicator.turns import Outcome, play

replace = msgspec.structs.replace


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """Orders as written: `turn` for the next turn, `rest` for when the other side has answered in this one."""

    turn: tuple[str, ...] = ()
    rest: tuple[Later, ...] = ()


class Pending(msgspec.Struct, frozen=True):
    """Orders that wait for a yes, the position that they answer, and what caused their forecast, and when."""

    seq: int
    cause: str
    at: datetime
    lines: tuple[str, ...]


_KEPT = msgspec.json.Decoder(Kept)
_PENDING = msgspec.json.Decoder(Pending)
_ENCODER = msgspec.json.Encoder()


def kept(text: str) -> Kept:
    """What is in the `ahead` of a seat."""
    return _KEPT.decode(text) if text else Kept()


def keep(
    changes: Changes, side: Side, *, turn: tuple[str, ...] | None = None, rest: tuple[Later, ...] | None = None
) -> None:
    """Keep other orders for later; those that are not named stay."""
    now = kept(changes.game.seats[side].ahead)
    new = Kept(now.turn if turn is None else turn, now.rest if rest is None else rest)
    changes.set_seat(side, ahead=_ENCODER.encode(new).decode() if new != Kept() else "")


def take_ahead(changes: Changes, side: Side, reading: Reading) -> tuple[str, ...]:
    """Keep the orders for the next turn that a letter says, instead of those kept before; returns what was noted."""
    if reading.clears_ahead:
        keep(changes, side, turn=())
    if reading.ahead:
        keep(changes, side, turn=tuple(order.text for order in reading.ahead))
        return ("ahead",)
    return ("ahead-cleared",) if reading.clears_ahead else ()


def keep_rest(changes: Changes, side: Side, outcome: Outcome) -> Outcome:
    """Keep what goes on once the other side has answered; returns the outcome without it among what was not tried."""
    if not outcome.rest:
        return outcome
    keep(changes, side, rest=outcome.rest)
    waiting = Counter(one.text for one in outcome.rest)
    return replace(outcome, not_tried=tuple((Counter(outcome.not_tried) - waiting).elements()))


def drop_rest(changes: Changes, side: Side) -> bool:
    """Take back what waits for the other side's answer, so that the turn stays open; says whether anything did."""
    if not kept(changes.game.seats[side].ahead).rest:
        return False
    keep(changes, side, rest=())
    return True


def told(changes: Changes, side: Side, outcome: Outcome | None = None) -> Ahead:
    """What a side is told of its orders ahead."""
    now = kept(changes.game.seats[side].ahead)
    disarmed = tuple((one.text, one.why) for one in outcome.disarmed) if outcome else ()
    pending = _pending(changes, side)
    return Ahead(
        waiting=now.turn,
        after_answer=tuple(one.text for one in now.rest),
        disarmed=disarmed,
        unconfirmed=pending.lines if pending else (),
    )


def pass_on(changes: Changes, side: Side, outcome: Outcome, untold: tuple[Event, ...]) -> None:
    """Tell the other side of what a side has played, once orders that waited for this were carried out."""
    foe = other(side)
    if not is_told(outcome, side):
        return
    reading = _due(changes, foe, outcome)
    if not reading.orders:
        changes.tell(foe, replace(changes.turn_draft(foe, outcome, untold), ahead=told(changes, foe)))
        return
    dropped = _dropped(changes, foe, reading.orders) if outcome.ended else ()
    keep(changes, foe, rest=(), turn=() if outcome.ended else None)
    if dropped:
        ahead = replace(told(changes, foe), dropped=dropped, not_tried=tuple(one.text for one in reading.orders))
        changes.tell(foe, replace(changes.turn_draft(foe, outcome, untold), ahead=ahead))
        return
    _play_ahead(changes, foe, reading, outcome, untold)


def goes_on(changes: Changes, side: Side, outcome: Outcome) -> bool:
    """Whether what a side has played lets orders of the other side count that waited for it."""
    return is_told(outcome, side) and bool(_due(changes, other(side), outcome).orders)


def _due(changes: Changes, foe: Side, outcome: Outcome) -> Reading:
    """The orders ahead whose time has come: the game waits for this side, for its orders and no answer."""
    state = outcome.state
    if outcome.over or decider(state) != foe or state.to_move != foe:
        return read("", foe)
    now = kept(changes.game.seats[foe].ahead)
    return read(list(enumerate(now.turn, 1)), foe) if outcome.ended else read_again(now.rest, foe)


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
        outcome = keep_rest(changes, side, outcome)
    now = told(changes, side, outcome)
    now = replace(now, played=outcome.applied, refused=outcome.refused, not_tried=outcome.not_tried)
    state = outcome.state if changes.game.state is outcome.state else changes.shown(side)
    seen = replace(outcome, state=state)
    events = (*untold, *outcome.events)
    changes.tell(side, replace(changes.turn_draft(side, seen, events), ahead=now))
    if more:
        pass_on(changes, side, outcome, more)


def ends_turn(reading: Reading, outcome: Outcome) -> bool:
    """Whether the turn would end behind a forecast."""
    if outcome.refused or outcome.not_tried or outcome.question or reading.said("stop"):
        return False
    unused = outcome.state.open is None or outcome.state.open.actions_left
    return any(order.word == "done" and not order.condition for order in reading.orders) or not unused


def put_off(changes: Changes, side: Side, reading: Reading, outcome: Outcome) -> Draft:
    """Keep orders until their writer has said yes to what they would do; returns the forecast that asks him."""
    lines = tuple(order.text for order in reading.orders if order.plays)
    pending = Pending(changes.game.seats[side].seq, changes.cause, changes.now, lines)
    changes.set_seat(side, pending=_ENCODER.encode(pending).decode())
    ahead = replace(
        told(changes, side, outcome), to_confirm=True, unconfirmed=(), ends_turn=ends_turn(reading, outcome)
    )
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


def confirmed(changes: Changes, side: Side, seq: int, answered: str | None) -> tuple[str, ...]:
    """The orders that a yes to position `seq` is about, said in answer to the mail `answered`.

    None if that mail of ours does not tell of them: it is older than their forecast, or asked for something else.
    """
    pending = _pending(changes, side)
    if pending is None or seq != pending.seq:
        return ()
    newest = changes.game.seats[side].last_id  # what a mail without In-Reply-To answers
    post = changes.tx.post_by_message_id(answered or newest or "")
    tells = post is None or post.cause == pending.cause or (post.kind == "answer" and post.created_at > pending.at)
    return pending.lines if tells else ()


def _pending(changes: Changes, side: Side) -> Pending | None:
    """What waits for a yes of a side; None if that was another position."""
    seat = changes.game.seats[side]
    pending = _PENDING.decode(seat.pending) if seat.pending else None
    return pending if pending and pending.seq == seat.seq else None
