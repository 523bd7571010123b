"""Recorded games in which every reaction is a whim, so that no default and no habit gives it."""

import random

from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import decider, legal_actions, new_game
from adjudicator.game.export import Game, Played, record_of
from adjudicator.game.model import BySide
from adjudicator.game.record import Record, read_record, written
from adjudicator.orders import read, read_standing, write
from adjudicator.players import compose_orders
from adjudicator.turns import play

ASKED = "\n".join(f"on {what}: ask me" for what in ("raid", "ambush", "priest", "siege lost", "siege won", "surrender"))


def whimsical(number: int, turns: int, player: str = "random") -> Record:
    """The first so many turns of a game; `number` is all that chance follows from."""
    rng, rules = random.Random(number), rules_for()
    chance = seeded(rng.randbytes(32))
    standing = BySide(read_standing(ASKED, "british"), read_standing(ASKED, "french"))
    start = state = new_game(rules, chance).state
    moves: list[Played] = []
    while state.turn <= turns and (side := decider(state)):
        if state.question and side != state.to_move:
            orders = write(rng.choice(legal_actions(rules, state)), side)
        else:
            orders = compose_orders(player, rules, state, side, rng.randbytes(8))
        lines = list(enumerate(orders.splitlines(), 1))
        outcome = play(rules, state, side, read(lines, side), chance, standing)
        if not outcome.moves:
            outcome = play(rules, state, side, read([(1, "done")], side), chance, standing)
        moves += [Played(move.side, move.action, move.text) for move in outcome.moves]
        state = outcome.state
    record = record_of(rules, start, moves, chance, Game(id=f"whims-{number}"))
    return read_record(written(record), record.id)
