"""Supply, raid reach and what a side can use: questions about the board alone.

Positions of pieces repeat all through a game, so the two searches remember their answers.
"""

from functools import lru_cache

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Side, State


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


def besieged(state: State) -> frozenset[str]:
    """The locations under a siege, whoever besieges (S4.6)."""
    return frozenset([siege.location for side in SIDES if (siege := state.sieges.of(side))])


@lru_cache(maxsize=65536)
def supplied(side: Side, held: frozenset[str]) -> frozenset[str]:
    """Every location that is in supply for a side who holds `held`, controlled or not.

    Source: S4.5 (the home is a source whoever holds it; besieged places conduct).
    """
    home = facts.HOME[side]
    reached = {home}
    frontier = [home]
    while frontier:
        for place in SUPPLY_LINES[frontier.pop()]:
            if place not in reached:
                reached.add(place)
                if place in held:
                    frontier.append(place)
    return frozenset(reached)


@lru_cache(maxsize=65536)
def raid_distances(starts: frozenset[str], closed: frozenset[str]) -> dict[str, int]:
    """Connections from the nearest start to each location that can be entered; `closed` ones cannot.

    Source: S9.4, S9.5.
    """
    distances = dict.fromkeys(starts, 0)
    frontier = list(starts)
    while frontier:
        place = frontier.pop(0)
        for near in RAID_LINES[place]:
            if near not in distances and near not in closed:
                distances[near] = distances[place] + 1
                frontier.append(near)
    return distances


def raid_reach(state: State, side: Side, held: frozenset[str]) -> dict[str, int]:
    """How many connections a raid of this side needs to each location that it can enter.

    Source: S9.3 to S9.5 (forts close a place; so does a siege, except one's own over an unfortified place:
    that may be passed, but is no target).
    """
    under_siege = besieged(state)
    closed = set(under_siege)
    own = state.sieges.of(side)
    if own:
        closed.discard(own.location)
    if state.forts_left < facts.FORTS:
        closed.update([place for place, piece in state.board.items() if piece.fort])
    return raid_distances(held - under_siege, frozenset(closed))


def trail(a: str, b: str) -> bool:
    """Whether an Indian trail joins two places (S4.2)."""
    return any(line.kind == "trail" and {line.a, line.b} == {a, b} for line in facts.CONNECTIONS)
