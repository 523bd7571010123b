"""What players are told of moderators: what was done in a game, and at its end who looked at what is hidden.

Both come from the audit log; names of moderators stay in it.
"""

from datetime import datetime

from adjudicator.store.ledger import Transaction

LOOKS = frozenset({"game show", "game log", "game export", "mail show"})
"""Commands that show hidden things, and are logged only if they did."""

DEEDS = {
    "game pause": "halted the game",
    "game resume": "let the game go on",
    "game extend": "gave more time",
    "game clock": "changed the time",
    "game undo": "took the game back",
    "game order": "gave orders for a player",
    "game replace": "gave a seat to somebody else",
    "game result": "decided the game",
    "game void": "declared the game void",
}
"""Commands of moderators that players read of in the history, and what that is to them."""


def looks_told(tx: Transaction, game_id: int, until: datetime | None) -> str:
    """Return when and why moderators looked at what was hidden in a game, a line each: time, blank, reason."""
    rows = [row for row in tx.audit(game_id=game_id) if row.command in LOOKS and row.why]
    before = [row for row in rows if until is None or row.at <= until]
    return "\n".join(f"{row.at.isoformat()} {' '.join(row.why.split())}" for row in before)


def deeds_told(tx: Transaction, game_id: int) -> str:
    """Return what moderators did in a game, a line each: time, blank, what."""
    rows = tx.audit(game_id=game_id)
    return "\n".join(f"{row.at.isoformat()} {DEEDS[row.command]}" for row in rows if row.command in DEEDS)
