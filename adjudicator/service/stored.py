"""A stored game as the rules know it, and the mails about it.

A position has a number (`seq`). Each seat remembers the number that it was last shown; orders must answer that one.
While a turn is open only its mover's number goes on: the other side sees nothing until it ends (contract 4, point 8).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

import msgspec

from adjudicator.game.actions import Action
from adjudicator.game.chance import Chance, seeded
from adjudicator.game.edition import Rules, rules_for
from adjudicator.game.engine import apply, decider
from adjudicator.game.events import Event, GameOver
from adjudicator.game.export import Redealt, redealt
from adjudicator.game.model import SIDES, BySide, Side, State
from adjudicator.orders import NOTHING_SAID, Standing, read_standing
from adjudicator.service.addresses import reply_address
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.timing import time_told
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, GameWithSeats, MoveRow, NewMove, NewPost, SeatRow

STATE = msgspec.json.Decoder(State)
ACTION = msgspec.json.Decoder(Action)
EVENTS = msgspec.json.Decoder(tuple[Event, ...])
ENCODER = msgspec.json.Encoder()


class Stored(msgspec.Struct, frozen=True):
    """A game as it was read in a transaction: its row, its seats, and what they mean.

    `scripted` shuffles instead of the seed (see `Config.chance`).
    """

    row: GameRow
    seats: dict[Side, SeatRow]
    rules: Rules
    state: State
    scripted: Chance | None = None

    def chance(self) -> Chance:
        """The shuffles of this game."""
        if self.scripted:
            return self.scripted
        row = self.row

        def shuffle(number: int, pile: tuple[str, ...]) -> tuple[str, ...]:
            # Few letters come to a shuffle; only those pay for the key.
            return seeded(row.seed, row.words.get("british", ""), row.words.get("french", ""))(number, pile)

        return shuffle

    def standing(self) -> BySide[Standing]:
        """Both sides' standing orders."""
        return BySide(*(_standing(self.seats[side].standing, side) for side in SIDES))

    def is_house(self, side: Side) -> bool:
        """Whether a house player sits there."""
        return self.seats[side].house is not None


@lru_cache(maxsize=1024)
def _standing(text: str, side: Side) -> Standing:
    return read_standing(text, side) if text else NOTHING_SAID


def stored(found: GameWithSeats, scripted: Chance | None = None) -> Stored:
    """The meaning of a game's rows."""
    row = found.game
    rules = rules_for(row.edition, row.variants, row.switches)
    assert row.state
    seats = {side: found.seats[side] for side in SIDES}
    return Stored(row, seats, rules, STATE.decode(row.state), scripted)


def turn_start(tx: Transaction, game: Stored) -> State:
    """The position at the start of the turn that is open now: what the side that waits may look at.

    It is found by replaying the game: it is seldom asked for.
    """
    start, *later = states_of(game, line_of_play(tx, game.row.id))
    borders = [state for state in later if state.open is None and state.question is None]
    return borders[-1] if borders else start


def states_of(game: Stored, line: Iterable[MoveRow | Redealt]) -> Iterator[State]:
    """The positions of a game as its line of play is played again: the first, and the one after each item."""
    chance = game.chance()
    state = STATE.decode(game.row.start or b"")
    yield state
    for one in line:
        if isinstance(one, Redealt):
            state = redealt(state, one, chance)
        else:
            state = apply(game.rules, state, side_of(one), ACTION.decode(one.action), chance).state
        yield state


def line_of_play(tx: Transaction, game_id: int) -> list[MoveRow | Redealt]:
    """Return what led to the position of a game: the moves that no undo took back, and the decks dealt anew since."""
    moves = tx.moves(game_id)
    line: list[MoveRow | Redealt] = []
    taken = 0
    for undo in tx.undone(game_id):
        line += moves[taken : undo.n]
        taken = undo.n
        cut = next((i for i, one in enumerate(line) if isinstance(one, MoveRow) and one.n >= undo.keep), len(line))
        line[cut:] = [Redealt("british" if side == "british" else "french", k) for side, k in undo.redeals]
    return line + moves[taken:]


def moves_in_force(tx: Transaction, game_id: int) -> list[MoveRow]:
    """Return the moves of a game that no undo took back, in order."""
    return [one for one in line_of_play(tx, game_id) if isinstance(one, MoveRow)]


def shown(tx: Transaction, game: Stored, side: Side) -> State:
    """The position that a side may look at now: an open turn is for its mover, and for who is asked in it."""
    state = game.state
    if side in (state.to_move, decider(state)) or (state.open is None and state.question is None):
        return state
    return turn_start(tx, game)


def side_of(move: MoveRow) -> Side:
    """The side of a stored move."""
    return "british" if move.side == "british" else "french"


def events_of(moves: Iterable[NewMove]) -> tuple[Event, ...]:
    """The events of stored moves, in order."""
    return tuple(event for move in moves for event in EVENTS.decode(move.events))


def seated(seat: SeatRow) -> str:
    """Who sits there, for whoever may know it."""
    return seat.name or (f"house ({seat.house})" if seat.house else "")


class Postbox(msgspec.Struct, frozen=True):
    """Writes mails about one game into the outbox, in the game's transaction."""

    game: Stored
    domain: str
    now: datetime

    def draft(self, kind: str, side: Side, state: State | None, **more: object) -> Draft:
        """A draft for one side with all that every mail about the game tells."""
        row = self.game.row
        other_seat = self.game.seats["french" if side == "british" else "british"]
        return Draft(
            kind=kind,
            game=row.name,
            side=side,
            edition=row.edition,
            variants=tuple(row.variants),
            switches=row.switches,
            state=state,
            opponent="" if row.anonymous else seated(other_seat),
            unreachable=other_seat.bounced_at is not None,
            deadline_at=row.deadline_at,
            standing=self.game.seats[side].standing,
            **time_told(row, side, self.now, claims=self._claims()),  # type: ignore[arg-type]
            **more,  # type: ignore[arg-type]
        )

    def _claims(self) -> bool:
        """Whether a player waits, who may claim the game; house players claim nothing."""
        return not any(self.game.is_house(side) for side in SIDES if side != self.game.row.waiting_for)

    def over_draft(self, side: Side, state: State, over: GameOver, events: tuple[Event, ...]) -> Draft:
        """The draft of a game's last mail, with the seed."""
        row = self.game.row
        words = BySide(row.words.get("british", ""), row.words.get("french", ""))
        proof = {"seed": row.seed.hex(), "commitment": row.commitment, "words": words}
        return self.draft("over", side, state, events=events, over=over, **proof)

    def post(self, draft: Draft, seat: SeatRow, cause: str, in_reply_to: str | None = None) -> NewPost | None:
        """A mail to a seat about its position `seat.seq`; None if nobody gets it there.

        That is so for a house player, a seat without address, and while mail to the address comes back.

        The Message-ID follows from game, side, position and cause: the same at each attempt.
        """
        if seat.house or not seat.address or seat.bounced_at:
            return None
        name = self.game.row.name
        mark = sha256(f"{cause}\0{draft.kind}".encode()).hexdigest()[:16]
        local = f"{name}.{seat.side}.{seat.seq}.{draft.kind}.{mark}"
        message_id = f"<{local}@{self.domain}>"
        thread = [seat.thread_id, seat.last_id, in_reply_to]
        references = " ".join(dict.fromkeys(one for one in thread if one and one != message_id))
        side: Side = "british" if seat.side == "british" else "french"
        return NewPost(
            to_address=seat.address,
            message_id=message_id,
            bounce_key=sha256(seat.token_key + local.encode()).hexdigest()[:32],
            kind=draft.kind,
            cause=cause,
            reply_to=reply_address(seat.token_key, name, side, seat.seq, self.domain),
            created_at=self.now,
            due_at=self.now,
            report=encode(draft),
            game_id=self.game.row.id,
            side=seat.side,
            in_reply_to=in_reply_to or seat.last_id or None,
            references=references,
        )
