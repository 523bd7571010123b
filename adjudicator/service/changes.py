"""What one cause makes of a game, gathered and then written at once: the only way in which a game goes on.

A cause is a letter, a deadline or a moderator. Promise: the position, the moves that led to it, the clocks and the
mails that tell of it are written together or not at all, in the transaction that has the game locked.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from adjudicator.errors import Refused
from adjudicator.game.engine import decider
from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import SIDES, Side, State, other
from adjudicator.render.words import moment
from adjudicator.service.budget import free_at, join, refresh
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft
from adjudicator.service.looks import looks_told
from adjudicator.service.moves import finished, moves_of
from adjudicator.service.offered import lapses
from adjudicator.service.recorded import with_record
from adjudicator.service.stored import ENCODER, Postbox, Stored, events_of, moves_in_force, shown
from adjudicator.service.timing import moved
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewMove, NewPost, SeatRow
from adjudicator.turns import Outcome

if TYPE_CHECKING:
    from adjudicator.orders import Order

replace = msgspec.structs.replace
Cause = Literal["mail", "house", "moderator", "clock", "ahead"]


class NewEnd(msgspec.Struct, frozen=True):
    """A deadline of a player's in a game, in which he has this `side`, that has changed; he is told in his `zone`."""

    game: str
    side: Side
    before: datetime
    after: datetime
    zone: str

    @property
    def line(self) -> str:
        """The same as the desk's mails take it."""
        return f"{self.game} {self.before.isoformat()} {self.after.isoformat()} {self.zone}"


class Changes:
    """A game that is being changed: `was` as it was read, `game` as it will be written.

    `cause` tells this change from all others of the position, so that the Message-IDs of its mails are the same
    whenever they are made. `acted_at` is when that which is done was asked for: a letter counts from when we got it,
    even if it was worked on later.
    """

    def __init__(
        self,
        config: Config,
        tx: Transaction,
        game: Stored,
        now: datetime,
        cause: str,
        *,
        acted_at: datetime | None = None,
    ) -> None:
        self.config = config
        self.tx = tx
        self.was = self.game = game
        self.now = now
        self.acted_at = acted_at or now
        self._remarks: list[Refused] = []
        self._ends: dict[str, NewEnd] = {}
        self.orders: dict[str, tuple[str, ...]] = {}
        """What became of orders that a moderator gave, for him: "applied", "refused" with why, and "not_tried"."""
        self.undone: list[Order] = []
        """Words of the letter that did not do what they are for."""
        self.noted: tuple[str, ...] = ()
        """What a mail about a turn tells besides what was played."""
        self.last: list[Callable[[], None]] = []
        """What is told once all else is done, as it is then."""
        self._noted_for: dict[Side, tuple[str, ...]] = {}
        self.cause = cause
        self.moves: list[NewMove] = []
        self.posts: list[NewPost] = []
        self.afterwards: list[NewPost] = []
        """Mails of another game that begins with this, to be sent after all that tell of this one."""
        self.turns: list[tuple[State, tuple[Event, ...]]] = []
        """The turns that ended: what led to which position, for who watches."""
        self.begun_from: State | None = None
        """The position in which the turn began that was played last, if it began with these changes."""

    @property
    def box(self) -> Postbox:
        """Where mails about the game, as it is now, are made."""
        return Postbox(self.game, self.config.domain, self.now)

    @property
    def is_moved(self) -> bool:
        """Whether anything of the game's own row changes."""
        return self.game.row is not self.was.row

    def set_row(self, **values: object) -> None:
        """Change the game's row."""
        self.game = replace(self.game, row=replace(self.game.row, updated_at=self.now, **values))

    def set_seat(self, side: Side, **values: object) -> None:
        """Change a seat."""
        seat = replace(self.game.seats[side], **values)
        self.game = replace(self.game, seats={**self.game.seats, side: seat})

    def enter(self, side: Side, outcome: Outcome, cause: Cause) -> tuple[Event, ...]:
        """Enter what was played by a side; returns what the other side has to be told of, its mail not yet written.

        A new position begins. It is the mover's at once, and the other side's if the turn is over or he is asked
        something (contract 4, point 8).
        """
        untold = (*self.untold(), *outcome.events)
        seq = self.game.row.seq + 1
        new = moves_of(self.game, outcome, seq, self.now, cause)
        self.moves += new
        row = replace(
            self.game.row,
            state=ENCODER.encode(outcome.state),
            turn=outcome.state.turn,
            seq=seq,
            moves=self.game.row.moves + len(new),
            waiting_for=decider(outcome.state),
            updated_at=self.now,
        )
        self.game = replace(self.game, row=moved(self.game, row, outcome, self.now, self.acted_at), state=outcome.state)
        if outcome.ended or outcome.over:
            self.turns.append((outcome.state, untold))
        if outcome.ended and lapses(self.game.row, side):
            self.set_row(offer=None)
            self.noted += ("offer-lapsed",)
        if outcome.over:
            self.finish(outcome.over)
        self.set_seat(side, seq=seq)
        if is_told(outcome, side):
            self.set_seat(other(side), seq=seq)
        return untold

    def untold(self) -> tuple[Event, ...]:
        """What happened in the open turn until now; the side that waits has not been told yet."""
        state = self.game.state
        if state.open is None and state.question is None:
            return ()
        kept = moves_in_force(self.tx, self.game.row.id) if self.was.row.moves else []
        return events_of(move for move in (*kept, *self.moves) if move.turn == state.turn)

    def finish(self, over: GameOver) -> None:
        """End the game."""
        self.game = replace(self.game, row=finished(self.game.row, over, self.now))

    def renumber(self) -> None:
        """Begin a new position for both sides, though no move was made: all earlier reply addresses are old ones."""
        seq = self.game.row.seq + 1
        self.set_row(seq=seq)
        for side in SIDES:
            self.set_seat(side, seq=seq)

    @property
    def remarks(self) -> tuple[Refused, ...]:
        """What the answer to a letter tells besides, in whole sentences, true as the game stands now."""
        ends = [end for end in self._ends.values() if end.before != end.after and self._holds(end)]
        return (*self._remarks, *map(_new_end_told, ends))

    def remark(self, template: str, **values: str) -> None:
        """Tell a sentence in the answer to the letter."""
        self._remarks.append(_sentence(template, **values))

    def remark_not_done(self, refusal: Refused) -> None:
        """Tell in the answer to the letter why something of it was not done."""
        self._remarks.append(refusal)

    def remark_ends(self, ends: Iterable[NewEnd]) -> None:
        """Tell a player his new deadlines in the answer to his letter: those that hold after all of it."""
        for end in ends:
            first = self._ends.get(end.game, end)
            self._ends[end.game] = replace(end, before=first.before)

    def _holds(self, end: NewEnd) -> bool:
        """Whether a deadline is one still; in this game a move may have ended the wait that it was for."""
        row = self.game.row
        return end.game != row.name or (row.waiting_for == end.side and row.deadline_at == end.after)

    def noted_for(self, side: Side, noted: str) -> None:
        """Tell something besides in the mail about the turn to one side only."""
        self._noted_for[side] = (*self._noted_for.get(side, ()), noted)

    def turn_draft(self, side: Side, outcome: Outcome, events: tuple[Event, ...]) -> Draft:
        """The mail that tells a side what the other one did, and the newest position."""
        if outcome.over:
            return self.box.over_draft(side, outcome.state, outcome.over, events)
        noted = (*self.noted, *self._noted_for.get(side, ()))
        return self.box.draft("turn", side, outcome.state, events=events, noted=noted)

    def tell(
        self,
        side: Side,
        draft: Draft,
        *,
        answers: str | None = None,
        at: str | None = None,
        counted: bool = False,
    ) -> str | None:
        """Write a mail to a side; returns its Message-ID, None if nobody gets it.

        It `answers` a Message-ID of his, and goes to the address `at`, if it is not that of record. A `counted` one
        beyond the budget of its address is told in a joined one later.
        """
        if draft.kind == "over" and (looks := looks_told(self.tx, self.game.row.id, self.game.row.finished_at)):
            draft = replace(draft, values={**draft.values, "looks": looks})
        seat = self.reachable(side)
        if at is not None:
            seat = replace(seat, address=at, bounced_at=None)
        cause = f"{draft.notice}:{self.cause}" if draft.notice else self.cause
        again = sum(one.side == side and one.kind == draft.kind and one.cause.startswith(cause) for one in self.posts)
        cause = f"{cause}:{again}" if again else cause
        if counted and seat.address and not seat.bounced_at:
            unwritten = sum(one.counted and one.to_address == seat.address for one in self.posts)
            due_at = free_at(self.config, self.tx, seat.address, self.now, unwritten)
            if due_at > self.now:
                return join(self.tx, self.box, seat, draft, self.shown(side), self.cause, due_at)
        post = self.box.post(draft, seat, cause, answers)
        if post is None:
            return None
        self.posts.append(replace(post, counted=counted))
        self.set_seat(side, last_id=post.message_id, thread_id=seat.thread_id or post.message_id)
        return post.message_id

    def tell_both(self, draft_of: Iterable[tuple[Side, Draft]]) -> None:
        """Write a mail to either side."""
        for side, draft in draft_of:
            self.tell(side, draft)

    def shown(self, side: Side) -> State:
        """The position that a side may look at; as the game stands in the database if nothing was entered yet."""
        if self.game.state is not self.was.state:
            return self.game.state
        return shown(self.tx, self.game, side)

    def reachable(self, side: Side) -> SeatRow:
        """A seat; if its address did not work when the game was read, as that is now (it has no lock)."""
        seat = self.game.seats[side]
        known = self.tx.address(seat.address) if seat.address and seat.bounced_at else None
        return replace(seat, bounced_at=known.bounced_at) if known else seat

    def write(self, letter_id: int | None = None) -> None:
        """Write everything down; the moves by mail are those of the letter."""
        from adjudicator.service.watching import tell_turns  # noqa: PLC0415 - it tells of changes

        for deed in self.last:
            deed()
        tell_turns(self, self.turns)
        if self.is_moved:
            self.tx.update_game(self.game.row, self.was.row)
            self.tx.add_moves(
                [replace(one, letter_id=letter_id) if one.cause != "ahead" else one for one in self.moves]
            )
        self.tx.add_posts([*with_record(self.tx, self.game, self.posts), *self.afterwards])
        self._refresh_joined()
        for side, seat in self.game.seats.items():
            if seat is not self.was.seats[side]:
                self.tx.update_seat(seat)

    def _refresh_joined(self) -> None:
        """Let joined answers that still wait show the newest position and reply address."""
        rekeyed = [side for side in SIDES if self.game.seats[side].token_key != self.was.seats[side].token_key]
        if not (self.is_moved or rekeyed) or not self.tx.has_joined_post(self.game.row.id):
            return
        for side in SIDES:
            if side in rekeyed or self.game.seats[side].seq == self.game.row.seq:
                refresh(self.tx, self.box, self.game.seats[side], self.shown(side))


def _sentence(template: str, **values: str) -> Refused:
    return Refused("Told", template, values, None, None, "", None, ())


def _new_end_told(end: NewEnd) -> Refused:
    before, after = (moment(at.isoformat(), end.zone) for at in (end.before, end.after))
    told = "In game {game} you now have until {after}, before it was {before}."
    return _sentence(told, game=end.game, after=after, before=before)


def is_told(outcome: Outcome, side: Side) -> bool:
    """Whether the other side has to hear now of what a side played."""
    return outcome.ended or decider(outcome.state) == other(side)
