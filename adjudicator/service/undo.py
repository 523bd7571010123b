"""A game goes back to the start of a turn, by a moderator or because both players want it.

Nothing is wiped out: the moves taken back stay in the history and cease to count. What either side has learned since
cannot be taken back, so every deck that was drawn from since is shuffled anew (contract section 6).
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.actions import StartWith
from adjudicator.game.engine import decider
from adjudicator.game.events import Drew, Exchanged, HomeSupported, Reshuffled
from adjudicator.game.export import Redealt
from adjudicator.game.model import SIDES, Side
from adjudicator.service.changes import Changes
from adjudicator.service.drafts import Draft
from adjudicator.service.stored import ACTION, ENCODER, STATE, Stored, events_of, line_of_play, states_of
from adjudicator.service.timing import gone_back
from adjudicator.store.rows import MoveRow, NewUndone

_DRAWING = Drew | Exchanged | HomeSupported | Reshuffled
By = Literal["moderator", "agreement"]


class Back(msgspec.Struct, frozen=True):
    """What an undo came to: the `turn` that begins again, how many `moves` ceased to count, and whose orders were lost.

    `dropped` are the sides with orders sent ahead, or waiting for his word, that were for a position which is no more.
    """

    turn: int
    moves: int
    dropped: tuple[Side, ...]
    redeals: tuple[Redealt, ...]


def undo_to(changes: Changes, turn: int) -> Back:
    """Take a game back to the start of a turn; the mails that tell of it are the caller's (`back_draft`).

    The choice of a start card (variant 13) was made before the first turn, and stays. A game that is over runs again.
    Standing orders stay; what was sent ahead, kept for a word of the player, or offered is dropped. The wait that was
    going on is charged to nobody (see `timing.gone_back`).

    Raises: UsageError if that turn has not begun, or nothing of it has been played.
    """
    assert not changes.moves, "an undo is a change of its own"
    game = changes.game
    line = line_of_play(changes.tx, game.row.id)
    cut = _first_of(game, line, turn)
    keep = next((one.n for one in line[cut:] if isinstance(one, MoveRow)), game.row.moves)
    redeals = _redeals(changes, keep, line[cut:])
    if keep < game.row.moves:
        said: list[tuple[str, int]] = [(one.side, one.number) for one in redeals]
        changes.tx.add_undone(NewUndone(game.row.id, game.row.moves, keep, said, changes.now))
    *_, state = states_of(game, [*line[:cut], *redeals])
    row = msgspec.structs.replace(
        game.row,
        status="paused" if game.row.status == "paused" else "running",
        state=ENCODER.encode(state),
        turn=state.turn,
        waiting_for=decider(state),
        result=None,
        finished_at=None,
        offer=None,
        updated_at=changes.now,
    )
    changes.game = msgspec.structs.replace(game, row=gone_back(game, row, state, changes.now), state=state)
    changes.renumber()
    taken = sum(isinstance(one, MoveRow) for one in line[cut:])
    return Back(state.turn, taken, _drop(changes), tuple(redeals))


def back_draft(changes: Changes, side: Side, back: Back, by: By, why: str = "", *, seed_known: bool = False) -> Draft:
    """The mail about an undo, with the position that the game has now; the players may know the seed already."""
    dropped = "yes" if side in back.dropped else ""
    values = {"by": by, "why": why, "dropped": dropped, "seed_known": "yes" if seed_known else ""}
    return changes.box.draft("back", side, changes.game.state, values=values)


def _first_of(game: Stored, line: list[MoveRow | Redealt], turn: int) -> int:
    """The place in the line of play of the first move of a turn; its end, if the game ended before one."""
    first = STATE.decode(game.row.start or b"").turn
    if not first <= turn <= game.row.turn:
        raise UsageError(
            f"game {game.row.name} has no turn {turn}: it began with turn {first} and is at {game.row.turn}"
        )
    for place, one in enumerate(line):
        if isinstance(one, MoveRow) and one.turn >= turn and not isinstance(ACTION.decode(one.action), StartWith):
            return place
    if game.row.status != "finished":
        raise UsageError(f"game {game.row.name} is at the start of turn {turn}: there is nothing to undo")
    return len(line)


def _redeals(changes: Changes, keep: int, taken: Iterable[MoveRow | Redealt]) -> list[Redealt]:
    """The decks drawn from since a move, each with a number not used before.

    Those too that were drawn from in moves taken back earlier, of which an imported game only has the new shuffle.
    """
    since = events_of(changes.tx.moves(changes.game.row.id, since=keep))
    drawn = {event.side for event in since if isinstance(event, _DRAWING)}
    drawn |= {one.side for one in taken if isinstance(one, Redealt)}
    sides = [side for side in SIDES if side in drawn]
    return [Redealt(side, changes.game.state.shuffles + i) for i, side in enumerate(sides)]


def _drop(changes: Changes) -> tuple[Side, ...]:
    """Forget orders for positions that are no more; returns whose."""
    dropped = [side for side in SIDES if changes.game.seats[side].ahead or changes.game.seats[side].pending]
    for side in dropped:
        changes.set_seat(side, ahead="", pending="")
    return tuple(dropped)
