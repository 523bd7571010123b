"""Supply, raid reach and what a side can use: questions about the board alone.

Most actions leave the board as it is, and positions of pieces repeat all through a game, so the answers are
remembered.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

import msgspec

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Piece, Side, State

T = TypeVar("T")
Board = dict[str, Piece]
MEMORY = 4096
"""How many boards are remembered at once."""


class Ground(msgspec.Struct, frozen=True):
    """What a board is to one side: the locations it controls, those in supply for it, those whose card it may play.

    Source: S4.1, S4.5, S5.3.
    """

    held: frozenset[str]
    supplied: frozenset[str]
    usable: frozenset[str]


def remembered(find: Callable[[Board, Side, frozenset[str]], T]) -> Callable[[Board, Side, frozenset[str]], T]:
    """A function of a board that knows the boards of late again, by what they are and not by what is on them.

    That is safe, as a board never changes in place, and is kept as long as it is remembered.
    """
    known: dict[tuple[int, Side, frozenset[str]], tuple[Board, T]] = {}

    @wraps(find)
    def look(board: Board, side: Side, places: frozenset[str]) -> T:
        key = (id(board), side, places)
        entry = known.get(key)
        if entry is None:
            if len(known) >= MEMORY:
                known.clear()
            entry = known[key] = (board, find(board, side, places))
        return entry[1]

    return look


def _neighbours(use: str) -> dict[str, frozenset[str]]:
    """Who is next to whom for "raid" or "supply"; for supply the whole sea set are neighbours (S4.2)."""
    lines = [line for line in facts.CONNECTIONS if getattr(line, use)]
    near: dict[str, set[str]] = {place: set() for place in facts.LOCATIONS}
    for line in lines:
        near[line.a].add(line.b)
        near[line.b].add(line.a)
    if use == "supply":
        sea = {place for place, location in facts.LOCATIONS.items() if location.sea}
        for place in sea:
            near[place] |= sea - {place}
    return {place: frozenset(places) for place, places in near.items()}


RAID_LINES = _neighbours("raid")
SUPPLY_LINES = _neighbours("supply")


def owned(state: State, side: Side) -> frozenset[str]:
    """The locations that a side controls (S4.1)."""
    return frozenset([place for place, piece in state.board.items() if piece.owner == side])


NOWHERE: frozenset[str] = frozenset()


def besieged(state: State) -> frozenset[str]:
    """The locations under a siege, whoever besieges (S4.6)."""
    sieges = state.sieges
    if sieges.british is None and sieges.french is None:
        return NOWHERE
    return frozenset([siege.location for side in SIDES if (siege := sieges.of(side))])


@remembered
def ground(board: Board, side: Side, besieged: frozenset[str]) -> Ground:
    """What a board with these sieges is to one side."""
    return _ground(side, frozenset([place for place, piece in board.items() if piece.owner == side]), besieged)


@lru_cache(maxsize=MEMORY)
def _ground(side: Side, held: frozenset[str], besieged: frozenset[str]) -> Ground:
    """The same for all boards on which a side holds the same; equal answers are one object, quick to compare."""
    reached = supplied(side, held)
    return Ground(held, reached, (held & reached) - besieged)


@lru_cache(maxsize=65536)
def supplied(side: Side, held: frozenset[str]) -> frozenset[str]:
    """Every location that is in supply for a side who holds `held`, controlled or not.

    Source: S4.5 (the home is a source whoever holds it; besieged places conduct).
    """
    reached = conducting = frozenset([facts.HOME[side]])
    while conducting:
        near = NOWHERE.union(*[SUPPLY_LINES[place] for place in conducting]) - reached
        reached |= near
        conducting = near & held
    return reached


@lru_cache(maxsize=65536)
def raid_distances(starts: frozenset[str], closed: frozenset[str]) -> dict[str, int]:
    """Connections from the nearest start to each location that can be entered; `closed` ones cannot.

    Source: S9.4, S9.5.
    """
    distances = dict.fromkeys(starts, 0)
    frontier, steps = list(starts), 0
    while frontier:
        steps += 1
        entered = []
        for place in frontier:
            for near in RAID_LINES[place]:
                if near not in distances and near not in closed:
                    distances[near] = steps
                    entered.append(near)
        frontier = entered
    return distances


def raid_reach(state: State, side: Side, held: frozenset[str]) -> dict[str, int]:
    """How many connections a raid of this side needs to each location that it can enter.

    Source: S9.4, S9.5.
    """
    under_siege = besieged(state)
    return raid_distances(held - under_siege, _closed(state.board, side, under_siege))


def _closed(board: Board, side: Side, besieged: frozenset[str]) -> frozenset[str]:
    """What no raid of this side can enter: forts, and own places under siege (S9.5).

    The place that it besieges itself may be passed if it has no fort, but is no target (S9.3).
    """
    return frozenset(
        [place for place, piece in board.items() if piece.fort or (place in besieged and piece.owner == side)]
    )


@remembered
def raidable(board: Board, side: Side, besieged: frozenset[str]) -> tuple[tuple[str, int], ...]:
    """The targets that a raid of this side could have with cards enough, sorted, and how far each is (S9.3)."""
    held = ground(board, side, besieged).held
    closed = _closed(board, side, besieged)
    distances = raid_distances(held - besieged if besieged else held, closed)
    safe = held | closed | besieged
    return tuple(sorted([(place, distances[place]) for place in board if place not in safe and place in distances]))


def trail(a: str, b: str) -> bool:
    """Whether an Indian trail joins two places (S4.2)."""
    return any(line.kind == "trail" and {line.a, line.b} == {a, b} for line in facts.CONNECTIONS)
