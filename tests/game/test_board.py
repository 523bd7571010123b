"""Supply and raid reach against searches that go the other way round, on random boards."""

import random

from support.play import chance_of, rules_of, scrambled

from adjudicator.game import facts
from adjudicator.game.board import MEMORY, besieged, ground, raid_reach, raidable, supplied, trail
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import SIDES, Piece, Siege, replace

BOARDS = range(60)
FARTHEST = 5


def touching(place, use):
    """The places next to one on the board, read from the lines themselves."""
    near = {line.b for line in facts.CONNECTIONS if line.a == place and getattr(line, use)}
    near |= {line.a for line in facts.CONNECTIONS if line.b == place and getattr(line, use)}
    if use == "supply" and facts.LOCATIONS[place].sea:
        near |= {other for other, location in facts.LOCATIONS.items() if location.sea and other != place}
    return near


def in_supply(place, home, held):
    """Whether a chain leads from the place to home over controlled places (S4.5), looked for from the place."""
    seen, waiting = {place}, [place]
    while waiting:
        here = waiting.pop()
        if here == home:
            return True
        if here == place or here in held:
            waiting += touching(here, "supply") - seen
            seen |= touching(here, "supply")
    return False


def walks(place, steps, closed):
    """All places that are entered by walks of at most so many raid connections."""
    if steps == 0:
        return set()
    entered = touching(place, "raid") - closed
    return entered.union(*(walks(near, steps - 1, closed) for near in entered))


def test_supply_is_a_chain_of_own_places_to_the_home():
    for seed in BOARDS:
        state = scrambled(rules_of(seed), seed)
        for side in SIDES:
            held = {place for place, piece in state.board.items() if piece.owner == side}
            wanted = {place for place in facts.LOCATIONS if in_supply(place, facts.HOME[side], held)}
            assert supplied(side, frozenset(held)) == wanted, f"seed {seed} {side}"


def test_every_place_of_the_sea_set_is_always_in_supply():
    """S4.5: even with nothing on the board."""
    sea = {place.id for place in facts.LOCATIONS.values() if place.sea}
    for side in SIDES:
        assert sea <= supplied(side, frozenset()), side


def test_raids_reach_what_a_walk_enters():
    """S9.4, S9.5: not over forts nor sieges, but over one's own siege of an unfortified place."""
    for seed in BOARDS:
        state = scrambled(rules_of(seed), seed)
        for side in SIDES:
            own = state.sieges.of(side)
            under_siege = {siege.location for one in SIDES if (siege := state.sieges.of(one))}
            closed = {place for place, piece in state.board.items() if piece.fort} | under_siege
            if own and not state.board[own.location].fort:
                closed.remove(own.location)
            held = {place for place, piece in state.board.items() if piece.owner == side}
            distances = raid_reach(state, side, frozenset(held))
            for steps in range(1, FARTHEST):
                entered = set().union(*(walks(start, steps, closed) for start in held - under_siege))
                near = {place for place, distance in distances.items() if 0 < distance <= steps}
                assert near == entered - (held - under_siege), f"seed {seed} {side} {steps}"


def test_raidable_places_are_the_enemys_open_ones():
    """S9.3."""
    for seed in BOARDS:
        state = scrambled(rules_of(seed), seed)
        for side in SIDES:
            held = frozenset(place for place, piece in state.board.items() if piece.owner == side)
            reach = raid_reach(state, side, held)
            under_siege = besieged(state)
            wanted = sorted(
                (place, reach[place])
                for place, piece in state.board.items()
                if piece.owner != side and not piece.fort and place not in under_siege and place in reach
            )
            assert list(raidable(state.board, side, under_siege)) == wanted, f"seed {seed} {side}"


def test_a_siege_changes_what_is_usable_at_once():
    """The board is the same value: what is remembered of it must not hide the siege."""
    state = new_game(rules_for(), chance_of(1)).state
    before = ground(state.board, "british", besieged(state))
    siege = replace(state, sieges=state.sieges.put("french", Siege("pemaquid", 0)))
    after = ground(siege.board, "british", besieged(siege))
    assert before.usable - after.usable == {"pemaquid"}
    assert before.held == after.held


def test_more_boards_than_are_remembered():
    """Boards that are thrown away may leave their places in memory to others: answers stay right."""
    places = sorted(facts.LOCATIONS)
    dice = random.Random(7)
    for number in range(MEMORY + 200):
        held = dice.sample(places, 3)
        board = {place: Piece("french", "village") for place in held}
        assert ground(board, "french", frozenset()).held == frozenset(held), number


def test_trails_are_known():
    assert trail("boston", "deerfield")
    assert trail("deerfield", "boston")
    assert not trail("boston", "new-york")
