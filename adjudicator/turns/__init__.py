"""One mail's orders played on a state (contract 4, "How a mail is applied"). Pure.

Promise: the orders up to and including one that reveals something hidden are all applied, or none of them is; a
refused stretch ends the mail and leaves what came before it. Questions that come up on the way are settled by
standing orders and defaults, unless a side wants to be asked. An order whose condition fails is no part of its
stretch: it is left out, and told.
"""

from adjudicator.errors import Refused
from adjudicator.turns.course import NO_STANDING, play
from adjudicator.turns.entry import FREE_WORDS
from adjudicator.turns.outcome import Cause, Disarmed, Move, Outcome
from adjudicator.turns.possible import MOST_CHOICES, possible, reveals

__all__ = [
    "FREE_WORDS",
    "MOST_CHOICES",
    "NO_STANDING",
    "Cause",
    "Disarmed",
    "Move",
    "Outcome",
    "Refused",
    "play",
    "possible",
    "reveals",
]
