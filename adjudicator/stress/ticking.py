"""What a season asks of the service's clocks."""

from datetime import datetime

from adjudicator.game.model import Side
from adjudicator.service.config import Config
from adjudicator.service.outage import beat, note_outage
from adjudicator.service.stored import Stored
from adjudicator.service.timekeeping import keep_time
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Ledger


def tick(config: Config, ledger: Ledger, now: datetime) -> None:
    """Do what a service does when it starts, and from time to time."""
    note_outage(config, ledger, now)
    keep_time(config, ledger, now)
    beat(ledger, now)


def may_claim(game: Stored, side: Side) -> bool:
    """Whether the other side has run out of time, and this one may claim the game."""
    waiting = clocks_of(game.row)[1].waiting
    return waiting is not None and waiting.out_at is not None and waiting.side != side
