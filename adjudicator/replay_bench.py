"""How long a long game takes to replay, every state compared."""

from hashlib import sha256
from itertools import count
from statistics import median
from time import perf_counter

from adjudicator.errors import UsageError
from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import decider, new_game
from adjudicator.game.export import Game, Played, record_of
from adjudicator.game.record import Record, read_record, written
from adjudicator.game.replay import replay
from adjudicator.orders import read
from adjudicator.players import compose_orders
from adjudicator.turns import play

RUNS = 9


def replaying(turns: int) -> dict[str, float | int]:
    """Milliseconds (medians) to read a record of so many turns, and to replay it.

    Raises: UsageError if it does not replay without mismatch.
    """
    raw = written(long_game(turns))
    reads, replays = [], []
    for _ in range(RUNS):
        begin = perf_counter()
        record = read_record(raw)
        middle = perf_counter()
        found = replay(record)
        reads.append(middle - begin)
        replays.append(perf_counter() - middle)
        if found.mismatches:
            raise UsageError(f"the record does not replay: {found.mismatches[0]}")
    return {"turns": turns, "read_ms": median(reads) * 1000, "replay_ms": median(replays) * 1000}


def long_game(turns: int) -> Record:
    """The first so many turns of a game of random house players that lasts so long."""
    rules = rules_for()
    for number in count():
        seed = sha256(f"long game {number}".encode()).digest()
        chance = seeded(seed)
        start = state = new_game(rules, chance).state
        moves: list[Played] = []
        while state.turn <= turns and (side := decider(state)):
            orders = compose_orders("random", rules, state, side, sha256(seed + f"{len(moves)}".encode()).digest())
            outcome = play(rules, state, side, read(list(enumerate(orders.splitlines(), 1)), side), chance)
            moves += [Played(move.side, move.action, move.text) for move in outcome.moves]
            state = outcome.state
        if state.turn > turns:
            return record_of(rules, start, moves, chance, Game(id=f"long-{number}"))
    raise AssertionError
