"""What a mail tells of the wait that goes on, besides its end and what is left of it."""

from datetime import datetime
from typing import Literal

import msgspec

Stands = Literal["", "late", "grace", "out", "halted"]


class Wait(msgspec.Struct, frozen=True, omit_defaults=False):
    """How a wait stands, and what comes next.

    `uncounted` are the seconds up to its end in which no time runs; `away`: days off of who is waited for are among
    them. `stands`: there is time (""), the end has passed and is not acted on yet ("late"), a late turn is on time up
    to the end ("grace"), or the time is over ("out") and the game is lost at `falls_at`. Until then the other side may
    claim it, if it ever `claims`: a house player does not. In a game that is "halted" no order counts.
    """

    uncounted: int = 0
    away: bool = False
    stands: Stands = ""
    falls_at: datetime | None = None
    claims: bool = True
