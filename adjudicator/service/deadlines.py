"""Other clocks for a game: the one way to change a deadline otherwise than by a move.

Promise: a deadline that changes is an event in the audit log with its cause and author, and both players are told.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Literal

from adjudicator.game.model import SIDES, Side
from adjudicator.league.clock import Clocks
from adjudicator.service.changes import Changes
from adjudicator.service.moderate import Warrant, note
from adjudicator.service.timing import time_told, with_clocks

Why = Literal["grace", "outage", "leave", "leave-over", "zone", "fault", "moderator"]


def retime(
    changes: Changes,
    clocks: Clocks,
    cause: Why,
    *,
    who: str = "clock",
    why: str = "",
    tell: Collection[Side] = SIDES,
    told: dict[str, str] | None = None,
) -> bool:
    """Give a game other clocks; if that changes its deadline, log it and tell both; says whether it did.

    `told` is what the mails tell besides.
    """
    row = with_clocks(changes.game.row, clocks)
    before, after = changes.game.row.deadline_at, row.deadline_at
    changes.set_row(clocks=row.clocks, deadline_at=after, due_at=row.due_at)
    if before == after:
        return False
    side = clocks.waiting.side if clocks.waiting else None
    warrant = Warrant(who, why or cause, changes.now)
    data = {"side": side, "before": _text(before), "after": _text(after), "cause": cause}
    note(changes.tx, warrant, "deadline", changes.game, **data)
    for each in tell:
        changed = {"before": _text(before), "after": _text(after), "side": side or "", "mine": str(side == each)}
        zone = str(time_told(row, each, changes.now)["zone"])
        values = {**(told or {}), **changed, "zone": zone}
        changes.tell(each, changes.box.draft("notice", each, None, notice=f"deadline-{cause}", values=values))
    return True


def note_deadline(changes: Changes, warrant: Warrant, cause: str) -> None:
    """Log that a game has another deadline than before these changes, if it has; the mails are the caller's."""
    before, after = changes.was.row.deadline_at, changes.game.row.deadline_at
    if before != after:
        times = {"before": _text(before), "after": _text(after)}
        side = changes.game.row.waiting_for
        note(changes.tx, warrant, "deadline", changes.was, side=side, cause=cause, **times)


def _text(at: datetime | None) -> str:
    return at.isoformat() if at else ""
