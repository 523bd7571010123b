"""The replay gate: every stored game, played again with today's code, must come to the position that is stored."""

from collections.abc import Iterator

import msgspec

from adjudicator.errors import Refusal, UsageError
from adjudicator.game.compare import differing_states
from adjudicator.game.replay import replay
from adjudicator.service.moderate import find
from adjudicator.service.records import full_export
from adjudicator.store.ledger import Transaction


class Replayed(msgspec.Struct, frozen=True):
    """A game that was played again: how many turns, and how it differs from what is stored, a line each."""

    game: str
    turns: int
    differences: tuple[str, ...]


def replay_stored(tx: Transaction) -> Iterator[Replayed]:
    """Play all games again, the oldest first; those not dealt yet are left out."""
    for line in tx.games():
        found = tx.game(line.name, lock=False)
        if found and found.game.state is not None:
            yield _replayed(tx, line.name)


def _replayed(tx: Transaction, name: str) -> Replayed:
    try:
        game = find(tx, name)
        record = full_export(tx, game)
        played = replay(record)
    except (Refusal, UsageError) as error:
        return Replayed(name, 0, (f"its moves cannot be played: {error}",))
    last = record.turns[-1].after if record.turns else record.start
    found = [f"{path}: stored {one!r}, played {two!r}" for path, one, two in differing_states(game.state, last)]
    return Replayed(name, len(record.turns), (*found, *map(str, played.mismatches)))


def pass_gate(tx: Transaction) -> int:
    """Play all games again; returns how many there are.

    Raises: UsageError naming the games that come out otherwise.
    """
    games = list(replay_stored(tx))
    if wrong := [one for one in games if one.differences]:
        names = ", ".join(one.game for one in wrong[:10]) + (", …" if len(wrong) > 10 else "")  # noqa: PLR2004
        raise UsageError(f"played again, {names} come out otherwise: {wrong[0].game}: {wrong[0].differences[0]}")
    return len(games)
