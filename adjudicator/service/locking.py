"""What touches several games of a player: their rows are locked in one order, by number, and before all else.

A letter has its own game locked before we know what it says. If it wants one that comes before that, it is worked on
anew with all of them locked first.
"""

from collections.abc import Callable
from typing import TypeVar

from adjudicator.store.games import OutOfOrder
from adjudicator.store.ledger import Ledger, Transaction

Found = TypeVar("Found")


def games_of(tx: Transaction, player_id: int) -> list[str]:
    """The names of a player's games that are not over."""
    return [line.game for line in tx.seats_of(player_id) if line.status != "finished"]


def in_order(ledger: Ledger, work: Callable[[Transaction], Found]) -> Found:
    """Do something in a transaction; once more if it wants games in another order than that in which all lock them.

    Raises: as `Ledger.begin`, and what the work raises.
    """
    try:
        with ledger.begin() as tx:
            return work(tx)
    except OutOfOrder as wanted:
        with ledger.begin() as tx:
            tx.lock_games(wanted.games)
            return work(tx)
