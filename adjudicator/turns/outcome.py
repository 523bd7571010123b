"""What came of a mail's orders."""

from typing import Literal

import msgspec

from adjudicator.errors import Refused
from adjudicator.game.actions import Action, Done
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import Question, Side, State
from adjudicator.orders import Later

Cause = Literal["mail", "done", "standing"]


class Move(msgspec.Struct, frozen=True):
    """One action carried out: who, what, its canonical order, why, and what came of it.

    `line` is that of the mail (None: not from the mail).
    """

    side: Side
    action: Action
    text: str
    cause: Cause
    events: tuple[Event, ...]
    line: int | None = None


class Disarmed(msgspec.Struct, frozen=True):
    """An order that did not count, as written, and why.

    Its condition failed, or it was illegal (then `rule` says by which rule) and another was tried in its place.
    """

    line: int
    text: str
    why: str
    rule: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What a mail's game orders came to.

    `begun` are the events of the start of the turn if it began now. `not_tried` are orders as written. `question` is
    what now waits for an answer, `over` the end of the game, `ended` says that the turn is over. `disarmed` are orders
    whose condition failed; they are neither refused nor tried. `rest` is what goes on once the other side has
    answered, `done` included if the turn ends then; its game orders are among those not tried.
    """

    state: State
    begun: tuple[Event, ...]
    moves: tuple[Move, ...]
    refused: tuple[Refused, ...]
    not_tried: tuple[str, ...]
    question: Question | None
    over: GameOver | None
    ended: bool
    disarmed: tuple[Disarmed, ...] = ()
    rest: tuple[Later, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in order."""
        return self.begun + tuple(event for move in self.moves for event in move.events)

    @property
    def applied(self) -> tuple[str, ...]:
        """The canonical orders that the mail has brought about, `done` as the passes that it made."""
        return tuple(move.text for move in self.moves if move.cause != "standing" and not isinstance(move.action, Done))

    @property
    def carried_out(self) -> tuple[tuple[int, str], ...]:
        """The orders of the mail that were carried out: their lines, and what they are in canonical form."""
        return tuple((move.line, move.text) for move in self.moves if move.line is not None and move.cause == "mail")
