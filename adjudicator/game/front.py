"""A record told so that every draw takes index 0, as our games do, with the chance that plays it.

An old record draws Home Support from the other end of the deck. Which cards are drawn when stays as it is; only the
decks are written in the order in which their cards will leave them.
"""

from itertools import groupby

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game import events
from adjudicator.game.chance import Chance
from adjudicator.game.entries import RedealEntry
from adjudicator.game.model import SIDES, Side, State, replace
from adjudicator.game.record import Record, Turn
from adjudicator.game.replay import Move, replay

Decks = dict[Side, tuple[str, ...]]


class Script(msgspec.Struct, frozen=True):
    """What is played again: the record as our games draw, its shuffles, and each turn with its moves."""

    record: Record
    chance: Chance
    turns: tuple[tuple[Turn, tuple[Move, ...]], ...]


def script_of(record: Record) -> Script:
    """Read a record as what its players order.

    Raises: UsageError if it does not replay, or holds an undo, which no player can order.
    """
    if any(isinstance(entry, RedealEntry) for turn in record.turns for entry in turn.actions):
        raise UsageError(f"{record.id}: a moderator's undo cannot be played by mail")
    for mismatch in replay(record).mismatches:
        raise UsageError(f"{record.id}: it does not replay: {mismatch}")
    front, chance = fronted(record)
    moves = {n: tuple(group) for n, group in groupby(replay(front).moves, key=lambda move: move.turn)}
    return Script(front, chance, tuple((turn, moves.get(turn.n, ())) for turn in front.turns))


def fronted(record: Record) -> tuple[Record, Chance]:
    """Return the record with `home_support` "front", and a chance that knows its shuffles by their numbers.

    The chance raises KeyError for a shuffle that the record does not hold. The record must replay without mismatch.
    """
    played = replay(record)
    decks: Decks = {side: played.state.players.of(side).deck for side in SIDES}
    shuffles: dict[int, tuple[str, ...]] = {}
    moves = list(played.moves)
    turns = []
    for turn in reversed(record.turns):
        turns.append(replace(turn, after=_with_decks(turn.after, decks)))
        while moves and moves[-1].turn == turn.n:
            _undraw(moves.pop(), decks, shuffles)
    front = replace(record, home_support="front", start=_with_decks(record.start, decks), turns=tuple(reversed(turns)))
    return front, lambda number, _pile: shuffles[number]


def _undraw(move: Move, decks: Decks, shuffles: dict[int, tuple[str, ...]]) -> None:
    """Put what a move drew back on its deck; before a reshuffle in between lay the old deck only."""
    reshuffled: events.Reshuffled | None = None
    drawn: tuple[str, ...] = ()
    side = move.side
    for event in move.events:
        match event:
            case events.Reshuffled():
                reshuffled = event
            case events.Drew(cards=cards) | events.HomeSupported(cards=cards) | events.Exchanged(drawn=cards):
                drawn = cards
            case _:
                pass
    if reshuffled is None:
        decks[side] = drawn + decks[side]
        return
    old = len(drawn) - (reshuffled.count - len(decks[side]))
    shuffles[reshuffled.number] = drawn[old:] + decks[side]
    decks[side] = drawn[:old]


def _with_decks(state: State, decks: Decks) -> State:
    players = state.players
    for side in SIDES:
        players = players.put(side, replace(players.of(side), deck=decks[side]))
    return replace(state, players=players)
