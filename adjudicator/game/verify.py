"""Checking that every shuffle of a finished game is the one to which the service committed at the start."""

from adjudicator.errors import UsageError
from adjudicator.game import engine
from adjudicator.game.actions import StartWith
from adjudicator.game.chance import Chance, commitment, seeded
from adjudicator.game.compare import differing_states
from adjudicator.game.model import BySide, State, replace
from adjudicator.game.record import Record, rules_of, seed_of
from adjudicator.game.replay import Mismatch, Replay, replay


def verify(record: Record) -> Replay:
    """Replay a record and compare commitment, deal and every shuffle with its revealed seed.

    Each difference is a mismatch (those before the first turn under turn 0). The start of a game that began
    from a given position is not compared: nobody dealt it.

    Raises:
        UsageError: the record carries no commitment, or its seed is not revealed yet.
    """
    seed = seed_of(record)
    if record.commitment is None:
        raise UsageError(f"{record.id}: no commitment was made at its start, so there is nothing to verify")
    if seed is None:
        raise UsageError(f"{record.id}: not over yet: the seed is not revealed")
    words = record.words or BySide("", "")
    chance = seeded(seed, words.british, words.french)
    found = []
    if commitment(seed) != record.commitment:
        found.append(Mismatch(0, "commitment", record.commitment, commitment(seed)))
    if not record.from_position:
        played = _deal(record, chance)
        found += [Mismatch(0, f"start.{path}", *both) for path, *both in differing_states(record.start, played)]
    result = replay(record, chance)
    return replace(result, mismatches=(*found, *result.mismatches))


def _deal(record: Record, chance: Chance) -> State:
    """Deal the start of a game anew, with the card of variant 13 if one was chosen."""
    rules = rules_of(record)
    state = engine.new_game(rules, chance).state
    if record.start_with and state.question:
        choice = StartWith(record.start_with)
        if choice in engine.legal_actions(rules, state):
            return engine.apply(rules, state, "french", choice, chance).state
    return state
