"""One mail's orders played on a state (contract 4, "How a mail is applied"). Pure.

Promise: the orders up to and including one that reveals something hidden are all applied, or none of them is; a
refused stretch ends the mail and leaves what came before it. Questions that come up on the way are settled by
standing orders and defaults, unless a side wants to be asked.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from adjudicator.errors import IllegalAction, NotYourDecision, OrderSyntax, Refusal, Refused
from adjudicator.game.actions import (
    Action,
    Ambush,
    Done,
    HomeSupport,
    IndianLeader,
    Lose,
    Pass,
    Priest,
    Raid,
    Withdraw,
)
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.engine import ANSWERED_BY, apply, begin, decider, legal_actions
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import SIDES, BySide, MustLose, Question, Side, State
from adjudicator.game.sieges import losable
from adjudicator.orders import NOTHING_SAID, Order, Reading, Standing, answer, write

Cause = Literal["mail", "done", "standing"]
MOST_CHOICES = 12
FREE_WORDS = ("leader", "retrieve", "home support", "withdraw", "sell", "drop")
"""The order words of free actions (S3.5; V11, V17)."""
NO_STANDING = BySide(NOTHING_SAID, NOTHING_SAID)


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


class Outcome(msgspec.Struct, frozen=True):
    """What a mail's game orders came to.

    `begun` are the events of the start of the turn if it began now. `not_tried` are orders as written. `question` is
    what now waits for an answer, `over` the end of the game, `ended` says that the turn is over.
    """

    state: State
    begun: tuple[Event, ...]
    moves: tuple[Move, ...]
    refused: tuple[Refused, ...]
    not_tried: tuple[str, ...]
    question: Question | None
    over: GameOver | None
    ended: bool

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


def reveals(state: State, side: Side, action: Action) -> bool:
    """Whether an action reveals something hidden, whatever comes of it (contract 4, point 2)."""
    if isinstance(action, Withdraw):
        own = state.sieges.of(side)
        return own is None or own.location != action.target
    return isinstance(action, Raid | Ambush | Priest | IndianLeader | HomeSupport)


def play(
    rules: Rules,
    state: State,
    side: Side,
    reading: Reading,
    chance: Chance,
    standing: BySide[Standing] = NO_STANDING,
    *,
    forecast: bool = False,
) -> Outcome:
    """Play one mail's game orders.

    A `forecast` stops before the first order that reveals something, and before the end of the turn. A mail without a
    game order runs the checks at the start of the turn only.
    """
    orders = tuple(order for order in reading.orders if order.kind == "game" or order.word in ("done", "stop"))
    try:
        if reading.refused:
            raise reading.refused[0]  # an order that cannot be read refuses the whole mail
        _need_decider(state, side, orders)
        _need_clear_end(orders)
    except Refusal as refusal:
        return _unchanged(state, reading, refusal, orders)
    return _Turn(rules, state, side, chance, standing).play(orders, forecast=forecast)


def _need_decider(state: State, side: Side, orders: Sequence[Order]) -> None:
    """Game orders come from the side that has to decide."""
    if decider(state) != side:
        over = state.to_move is None
        free = bool(orders) and orders[0].word in FREE_WORDS
        refusal = NotYourDecision(
            "The game is over." if over else "It is not your turn.",
            rule="S15.1" if over else "S3.5" if free else "S3.1",
        )
        if orders:
            refusal.line, refusal.text = orders[0].line, orders[0].text
        raise refusal


def _need_clear_end(orders: Sequence[Order]) -> None:
    """`done` is the last order, and not together with `stop`."""
    words = [order.word for order in orders]
    if "done" not in words:
        return
    at = words.index("done")
    if "stop" in words:
        raise OrderSyntax("Either done or stop: both together say nothing.", line=orders[at].line, text="done")
    if at + 1 < len(words):
        after = orders[at + 1]
        raise OrderSyntax("An order stands after done.", line=after.line, text=after.text, span=None)


def _unchanged(state: State, reading: Reading, refusal: Refusal, orders: Iterable[Order]) -> Outcome:
    """The outcome of a mail that is refused as a whole."""
    all_refused = reading.refused or (refusal,)
    blamed = {(one.line, one.text) for one in all_refused}
    not_tried = tuple(
        order.text for order in orders if (order.line, order.text) not in blamed and order.word not in ("done", "stop")
    )
    return Outcome(state, (), (), tuple(one.value for one in all_refused), not_tried, state.question, None, ended=False)


class _Stand(msgspec.Struct, frozen=True):
    """What has come about so far, or what of it surely stands."""

    state: State
    begun: tuple[Event, ...] = ()
    moves: tuple[Move, ...] = ()


class _Turn:
    """A mail in the course of being played.

    `now` is where the orders have led, `kept` what stands even if the next one is refused. `tried` are the orders
    since then, `queue` those to come. `losses` are `lose` orders: they wait for the end of the turn.
    """

    def __init__(self, rules: Rules, start: State, side: Side, chance: Chance, standing: BySide[Standing]) -> None:
        self.rules = rules
        self.side: Side = side
        self.chance = chance
        self.standing = standing
        self.start = start
        self.now = self.kept = _Stand(start)
        self.queue: deque[Order] = deque()
        self.tried: list[Order] = []
        self.losses: list[Order] = []

    def play(self, orders: Sequence[Order], *, forecast: bool) -> Outcome:
        """Play the orders, then end the turn if it is to end."""
        self.queue.extend(order for order in orders if order.word not in ("done", "stop"))
        try:
            step = begin(self.rules, self.now.state)
            self.now = _Stand(step.state, step.events)
            hidden = self._play_queue(forecast=forecast)
            if not forecast and not hidden:
                self._check_losses()
                self._end(orders)
        except Refusal as refusal:
            return self._fall_back(refusal)
        unused = self.losses if self.now.state.to_move == self.side else ()
        return self._outcome((*unused, *self.queue))

    def _play_queue(self, *, forecast: bool) -> bool:
        """Play order after order until one has to wait for an answer; says whether a forecast met a hidden thing."""
        self._settle_questions()
        if self.now.state.to_move is None:
            self.kept = self.now  # a game that ends before the first order ends whatever the orders say
        while self.queue and not self._waits():
            order = self.queue.popleft()
            self.tried.append(order)
            action = self._action(order)
            if isinstance(action, Lose) and not isinstance(self.now.state.question, MustLose):
                self.losses.append(order)
                continue
            hidden = reveals(self.now.state, self.side, action)
            before = self.now
            self._carry_out(order, action)
            if hidden and forecast:
                self.now = before
                return True
            self._settle_questions()
            if hidden:
                self.kept = self.now
                self.tried.clear()
        if self.queue and self.now.state.to_move is None:
            self._refuse_after_the_end()
        return False

    def _waits(self) -> bool:
        """Whether nothing can be ordered now: the other side has a question to answer, or the game is over."""
        return decider(self.now.state) != self.side

    def _refuse_after_the_end(self) -> None:
        order = self.queue.popleft()
        self.tried.append(order)
        raise NotYourDecision("The game is over.", rule="S15.1", line=order.line, text=order.text)

    def _action(self, order: Order) -> Action:
        return order.resolve(self.now.state, self.standing.of(self.side))

    def _settle_questions(self) -> None:
        """Answer what is open: by the next order if it is an answer, else by standing orders and defaults."""
        while (question := self.now.state.question) is not None:
            if question.to == self.side and self.queue and self._is_answer(self.queue[0], question):
                return
            order = self._pledge(question)
            if order:
                self.losses.remove(order)
                self._carry_out(order, self._action(order))
                continue
            action = answer(self.rules, self.now.state, self.standing.of(question.to))
            if action is None:
                return
            self._apply(question.to, action, "standing")

    def _is_answer(self, order: Order, question: Question) -> bool:
        try:
            return isinstance(self._action(order), ANSWERED_BY[type(question)])
        except IllegalAction:
            return False

    def _pledge(self, question: Question) -> Order | None:
        """The `lose` order about the siege that is asked about."""
        if isinstance(question, MustLose) and question.to == self.side:
            for order in self.losses:
                action = self._action(order)
                if isinstance(action, Lose) and action.target == question.location:
                    return order
        return None

    def _carry_out(self, order: Order, action: Action) -> None:
        """Apply an order; a refusal says which line it is and what would have been possible."""
        try:
            self._apply(self.side, action, "mail", order)
        except IllegalAction as refusal:
            refusal.line, refusal.text = order.line, order.text
            refusal.choices = refusal.choices or possible(self.rules, self.now.state, self.side, action)
            raise

    def _apply(self, side: Side, action: Action, cause: Cause, order: Order | None = None) -> None:
        step = apply(self.rules, self.now.state, side, action, self.chance)
        move = Move(side, action, write(action, side), cause, step.events, order.line if order else None)
        self.now = _Stand(step.state, self.now.begun, (*self.now.moves, move))

    def _check_losses(self) -> None:
        """A card named for a siege must lie in it, whether or not the siege is lost in the end (S8.14)."""
        for order in self.losses:
            action = self._action(order)
            assert isinstance(action, Lose)
            lying = [
                Lose(siege.location, card)
                for attacker in SIDES
                if (siege := self.now.state.sieges.of(attacker))
                for card in losable(siege, attacker, self.side)
            ]
            if action not in lying:
                raise IllegalAction(
                    "This card cannot go back with that siege.",
                    rule="S8.14",
                    line=order.line,
                    text=order.text,
                    choices=tuple(write(loss, self.side) for loss in lying),
                )

    def _end(self, orders: Sequence[Order]) -> None:
        """End the turn at `done`, or if the mail is used up and no action is left."""
        state = self.now.state
        if not orders or state.to_move != self.side or state.question or any(order.word == "stop" for order in orders):
            return
        assert state.open
        done = next((order for order in orders if order.word == "done"), None)
        if done is None and state.open.actions_left:
            return
        for _ in range(state.open.actions_left):
            self._apply(self.side, Pass(), "done", done)
        self._apply(self.side, Done(), "done", done)
        self._settle_questions()

    def _fall_back(self, refusal: Refusal) -> Outcome:
        """What stands after a refused stretch: all that came before it."""
        self.now = self.kept
        blamed = next((order for order in self.tried if (order.line, order.text) == (refusal.line, refusal.text)), None)
        waiting = [order for order in self.tried if order is not blamed]
        return self._outcome((*waiting, *self.queue), (refusal.value,))

    def _outcome(self, not_tried: Iterable[Order], refusals: tuple[Refused, ...] = ()) -> Outcome:
        events = self.now.begun + tuple(event for move in self.now.moves for event in move.events)
        over = next((event for event in events if isinstance(event, GameOver)), None)
        return Outcome(
            state=self.now.state,
            begun=self.now.begun,
            moves=self.now.moves,
            refused=refusals,
            not_tried=tuple(order.text for order in not_tried),
            question=self.now.state.question,
            over=over,
            ended=over is not None or self.now.state.turn != self.start.turn,
        )


def possible(rules: Rules, state: State, side: Side, action: Action) -> tuple[str, ...]:
    """Canonical orders of the action's kind that are legal now, those for the same place first.

    If there is none of the kind: one order of each kind that is.
    """
    target = getattr(action, "target", None)
    alike = legal_actions(rules, state, {type(action)})
    if alike:
        chosen = sorted(alike, key=lambda found: getattr(found, "target", None) != target)
    else:
        chosen = list({type(found): found for found in reversed(legal_actions(rules, state))}.values())[::-1]
    return tuple(write(found, side) for found in chosen[:MOST_CHOICES])
