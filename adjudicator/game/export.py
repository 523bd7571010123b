"""A game as a record: played again from its start, so that the record holds every state.

This is the whole record; what anybody may see of it while the game runs is `public.public_record`.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from adjudicator.game import engine
from adjudicator.game.actions import Action, StartWith
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.events import GameOver
from adjudicator.game.model import BySide, Side, State, replace
from adjudicator.game.record import Kept, Record, Result, Switch, Turn
from adjudicator.game.recorder import Recorder


class Played(msgspec.Struct, frozen=True):
    """One action or answer of a game. `order`: the mover's canonical text; `at`: when it came."""

    side: Side
    action: Action
    order: str = ""
    at: datetime | None = None


class Redealt(msgspec.Struct, frozen=True):
    """A deck that an undo has shuffled anew, as shuffle `number` of the game (which never goes down)."""

    side: Side
    number: int


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """What a record says besides its turns; the fields are those of `Record`, `seed` as bytes."""

    id: str
    commitment: str | None = None
    words: BySide[str] | None = None
    seed: bytes | None = None
    from_position: bool = False
    standing: dict[Side, str] = {}
    kept: Kept | None = None
    result: Result | None = None


def record_of(rules: Rules, start: State, moves: Iterable[Played | Redealt], chance: Chance, game: Game) -> Record:
    """Return the record of a game: `start` is its first state, `chance` the one that it was played with.

    Without a result given, the result is the engine's if the game is over.

    Raises:
        IllegalAction, NotYourDecision: these moves are not that game.
    """
    start, start_with, rest = _dealt(rules, start, list(moves), chance)
    turns, over = _turns(rules, start, rest, chance)
    return Record(
        format="afas-record/1",
        id=game.id,
        edition=rules.edition,
        variants=rules.variants,
        switches=_switches(rules),
        home_support="front",
        commitment=game.commitment,
        words=game.words,
        seed=game.seed.hex() if game.seed else None,
        start_with=start_with,
        from_position=game.from_position,
        standing=game.standing,
        kept=game.kept,
        start=start,
        turns=tuple(turns),
        result=game.result or (result_of(over) if over else None),
    )


def result_of(over: GameOver) -> Result:
    """Return the result of a game that ended by the rules."""
    scores = BySide(over.british, over.french)
    return Result(winner=over.winner, reason=over.reason, by=over.by, scores=scores)


def _switches(rules: Rules) -> dict[str, Switch]:
    """Return the switches that are not at their default."""
    built: dict[str, Switch] = msgspec.to_builtins(rules.switches)
    return built


def _dealt(
    rules: Rules, start: State, moves: list[Played | Redealt], chance: Chance
) -> tuple[State, str | None, list[Played | Redealt]]:
    """Play the choice of variant 13 before the first turn, so that the record starts with a dealt state."""
    if moves and isinstance(moves[0], Played) and isinstance(moves[0].action, StartWith):
        first = moves[0]
        step = engine.apply(rules, start, first.side, first.action, chance)
        return step.state, moves[0].action.card, moves[1:]
    return start, None, moves


def _turns(
    rules: Rules, state: State, moves: list[Played | Redealt], chance: Chance
) -> tuple[list[Turn], GameOver | None]:
    """Play the moves and write the turns down; an unfinished one at the end too."""
    turns: list[Turn] = []
    recorder: Recorder | None = None
    over: GameOver | None = None
    for move in moves:
        recorder = recorder or Recorder(state)
        if isinstance(move, Redealt):
            state = redealt(state, move, chance)
            recorder.redealt(move.side, move.number, state.players.of(move.side).deck)
            continue
        step = engine.apply(rules, state, move.side, move.action, chance)
        state = step.state
        recorder.feed(move.action, step.events)
        _sign(recorder, move)
        if recorder.ended:
            over = recorder.ended if isinstance(recorder.ended, GameOver) else None
            turns.append(recorder.turn(state))
            recorder = None
    if recorder:
        turns.append(recorder.turn(state))
    return turns, over


def redealt(state: State, move: Redealt, chance: Chance) -> State:
    """Return the state with one deck shuffled anew, as an undo does (contract section 6)."""
    owner = state.players.of(move.side)
    deck = chance(move.number, tuple(sorted(owner.deck)))
    players = state.players.put(move.side, replace(owner, deck=deck))
    return replace(state, players=players, shuffles=move.number + 1)


def _sign(recorder: Recorder, move: Played) -> None:
    """Note the mover's own order and when it came."""
    if move.side == recorder.side:
        if move.order:
            recorder.orders.append(move.order)
        recorder.at = move.at or recorder.at
