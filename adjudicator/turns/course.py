"""The course of a mail: order after order, questions in between, the end of the turn."""

from collections import deque
from collections.abc import Iterable, Sequence

import msgspec

from adjudicator.errors import IllegalAction, NotYourDecision, Refusal, Refused
from adjudicator.game.actions import Action, Done, Lose, Pass
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.engine import ANSWERED_BY, apply, begin, decider
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import SIDES, BySide, MustLose, Question, Side, State
from adjudicator.game.sieges import losable
from adjudicator.orders import NOTHING_SAID, Later, Order, Reading, Standing, answer, write
from adjudicator.turns.entry import need_clear_end, need_decider
from adjudicator.turns.fates import Fates
from adjudicator.turns.outcome import Cause, Disarmed, Move, Outcome
from adjudicator.turns.possible import possible, reveals

NO_STANDING = BySide(NOTHING_SAID, NOTHING_SAID)


def play(  # noqa: PLR0913 - the position, the mail, and what both sides have said before
    rules: Rules,
    state: State,
    side: Side,
    reading: Reading,
    chance: Chance,
    standing: BySide[Standing] = NO_STANDING,
    *,
    forecast: bool = False,
    earlier: Sequence[Event] = (),
) -> Outcome:
    """Play one mail's game orders.

    `earlier` are the events of the turn before this mail: a condition may speak of them. A `forecast` stops before the
    first order that reveals something, and before the end of the turn. A mail without a game order runs the checks at
    the start of the turn only.
    """
    orders = tuple(order for order in reading.orders if order.plays)
    fates = Fates(reading.orders, side, earlier)
    try:
        if reading.refused:
            raise reading.refused[0]  # an order that cannot be read refuses the whole mail
        need_decider(state, side, orders)
        need_clear_end(orders)
        fates.need_subjects()
    except Refusal as refusal:
        return _unchanged(state, reading, refusal, orders)
    return _Turn(rules, state, chance, standing, fates).play(forecast=forecast)


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

    `now` is where the orders have led, `kept` what stands even if the next one is refused. `queue` are the places of
    the orders to come, `tried` the orders since `kept`, `left` those behind a `done`. `losses` are `lose` orders: they
    wait for the end of the turn. `counted` says that an order has counted at all.
    """

    def __init__(self, rules: Rules, start: State, chance: Chance, standing: BySide[Standing], fates: Fates) -> None:
        self.rules = rules
        self.side: Side = fates.side
        self.chance = chance
        self.standing = standing
        self.start = start
        self.fates = fates
        self.now = self.kept = _Stand(start)
        self.queue: deque[int] = deque()
        self.tried: list[Order] = []
        self.left: list[Order] = []
        self.losses: list[Order] = []
        self.disarmed: list[Disarmed] = []
        self.stop = self.counted = False
        self.done: Order | None = None

    def play(self, *, forecast: bool) -> Outcome:
        """Play the orders, then end the turn if it is to end."""
        for place, order in enumerate(self.fates.orders):
            if order.kind == "game" or (order.plays and order.condition):
                self.queue.append(place)
            elif order.plays:
                self._heed(order)
        try:
            step = begin(self.rules, self.now.state)
            self.now = _Stand(step.state, step.events)
            hidden = self._play_queue(forecast=forecast)
            if not forecast and not hidden:
                self._check_losses()
                self._end()
        except Refusal as refusal:
            return self._fall_back(refusal)
        rest = self._rest()
        unused = self.losses if self.now.state.to_move == self.side else ()
        return msgspec.structs.replace(self._outcome((*unused, *self.left, *self._queued())), rest=rest)

    def _heed(self, order: Order) -> None:
        """Take `done` or `stop`."""
        self.counted = True
        self.stop = self.stop or order.word == "stop"
        self.done = order if order.word == "done" else self.done

    def _queued(self) -> list[Order]:
        return [self.fates.orders[place] for place in self.queue]

    def _play_queue(self, *, forecast: bool) -> bool:
        """Play order after order until one has to wait for an answer; says whether a forecast met a hidden thing."""
        self._settle_questions()
        if self.now.state.to_move is None:
            self.kept = self.now  # a game that ends before the first order ends whatever the orders say
        while not self._waits() and self._next():
            place = self.queue.popleft()
            order = self.fates.orders[place]
            self.counted = True
            if order.kind == "word":
                self._heed(order)
                if order.word == "done":
                    self._leave_the_rest()
                continue
            before = self.now
            hidden = self._try(place, order)
            if hidden is None:
                continue
            if hidden and forecast:
                self.now = before
                return True
            self._settle_questions()
            self._keep(place, before, hidden=hidden)
        if self.now.state.to_move is None and self._next():
            self._refuse_after_the_end()
        return False

    def _next(self) -> bool:
        """Whether there is another order; those whose condition fails are taken out first."""
        while self.queue:
            order = self.fates.orders[self.queue[0]]
            why = self.fates.why_not(order.condition)
            if why is None:
                return True
            self.queue.popleft()
            self.disarmed.append(Disarmed(order.line, order.text, why))
        return False

    def _leave_the_rest(self) -> None:
        """Nothing is tried behind a `done` that counts."""
        while self._next():
            self.left.append(self.fates.orders[self.queue.popleft()])

    def _try(self, place: int, order: Order) -> bool | None:
        """Carry an order out; says whether it reveals something. None: it is illegal, and another takes its place."""
        self.tried.append(order)
        try:
            action = self._action(order)
            if isinstance(action, Lose) and not isinstance(self.now.state.question, MustLose):
                self.losses.append(order)
                return False
            hidden = reveals(self.now.state, self.side, action)
            self._carry_out(order, action)
        except IllegalAction as refusal:
            if place not in self.fates.with_substitute:
                raise
            self.tried.pop()
            self.fates.refused.add(place)
            self.disarmed.append(Disarmed(order.line, order.text, refusal.message, refusal.rule))
            self._settle_questions()
            return None
        return hidden

    def _keep(self, place: int, before: _Stand, *, hidden: bool) -> None:
        """Note what came of an order; after a reveal all that came so far stands."""
        moves = self.now.moves[len(before.moves) :]
        self.fates.keep(place, tuple(event for move in moves for event in move.events))
        if hidden:
            self.kept = self.now
            self.tried.clear()

    def _waits(self) -> bool:
        """Whether nothing can be ordered now: the other side has a question to answer, or the game is over."""
        return decider(self.now.state) != self.side

    def _refuse_after_the_end(self) -> None:
        order = self.fates.orders[self.queue.popleft()]
        self.tried.append(order)
        raise NotYourDecision("The game is over.", rule="S15.1", line=order.line, text=order.text)

    def _action(self, order: Order) -> Action:
        return order.resolve(self.now.state, self.standing.of(self.side))

    def _settle_questions(self) -> None:
        """Answer what is open: by the next order if it is an answer, else by standing orders and defaults."""
        while (question := self.now.state.question) is not None:
            if question.to == self.side and self._next() and self._is_answer(self.queue[0], question):
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

    def _is_answer(self, place: int, question: Question) -> bool:
        order = self.fates.orders[place]
        try:
            return order.kind == "game" and isinstance(self._action(order), ANSWERED_BY[type(question)])
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

    def _end(self) -> None:
        """End the turn at `done`, or if the mail is used up and no action is left."""
        state = self.now.state
        if not self.counted or self.stop or state.to_move != self.side or state.question:
            return
        assert state.open
        if self.done is None and state.open.actions_left:
            return
        for _ in range(state.open.actions_left):
            self._apply(self.side, Pass(), "done", self.done)
        self._apply(self.side, Done(), "done", self.done)
        self._settle_questions()

    def _rest(self) -> tuple[Later, ...]:
        """What goes on once the other side has answered; what cannot count any more is taken out."""
        state = self.now.state
        if state.question is None or state.question.to == self.side or state.to_move != self.side:
            return ()
        rest = [Later(order.text) for order in self.losses]
        places: dict[int, int] = {}
        for place in tuple(self.queue):
            order = self.fates.orders[place]
            condition = self.fates.settled(order.condition, places)
            if isinstance(condition, str):
                self.queue.remove(place)
                self.disarmed.append(Disarmed(order.line, order.text, condition))
            elif condition or order.kind == "game":
                places[place] = len(rest)
                rest.append(Later(order.text, condition))
            else:
                self.queue.remove(place)
                self._heed(order)
                if order.word == "done":
                    self._set_aside()
                    break
        if self.stop:
            return (*rest, Later("stop"))
        ends = self.done or (state.open is not None and not state.open.actions_left)
        return (*rest, Later("done")) if ends else tuple(rest)

    def _set_aside(self) -> None:
        """Nothing that still waits is to be tried."""
        self.left += self._queued()
        self.queue.clear()

    def _fall_back(self, refusal: Refusal) -> Outcome:
        """What stands after a refused stretch: all that came before it."""
        self.now = self.kept
        blamed = next((order for order in self.tried if (order.line, order.text) == (refusal.line, refusal.text)), None)
        waiting = [order for order in self.tried if order is not blamed]
        return self._outcome((*waiting, *self.left, *self._queued()), (refusal.value,))

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
            disarmed=tuple(self.disarmed),
        )
