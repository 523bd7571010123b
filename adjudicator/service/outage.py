"""The service's own beat, and what it owes when that has stood still.

Promise: time in which the service was down for more than an hour counts for nobody. It is taken out of all clocks
before anything that is due is done, each deadline that this changes is an event, and both players are told.
"""

import logging
import threading
from datetime import datetime, timedelta

from adjudicator.league.clock import Interval
from adjudicator.league.running import free
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.deadlines import retime
from adjudicator.service.stored import stored
from adjudicator.service.timing import clocks_of
from adjudicator.store.ledger import Ledger, Transaction

log = logging.getLogger("adjudicator")

BEAT = timedelta(minutes=1)
GAP = timedelta(hours=1)
"""Shorter outages are borne by the players: mail itself is slower."""


def note_outage(config: Config, ledger: Ledger, now: datetime) -> int:
    """Free the time since the last beat in all running games, if that is long; returns in how many.

    What was freed is not freed again: the beat is then set to now.
    """
    with ledger.read() as tx:
        last = tx.beat()
        names = [line.name for line in tx.games() if line.status == "running"]
    if last is None or now - last <= GAP:
        return 0
    log.warning("the service was down from %s to %s: that time counts for nobody", last, now)
    done = 0
    for name in names:
        with ledger.begin() as tx:
            done += _freed(config, tx, name, Interval(last, now), now)
    with ledger.begin() as tx:
        tx.set_beat(now)
    return done


def _freed(config: Config, tx: Transaction, name: str, gap: Interval, now: datetime) -> bool:
    found = tx.game(name)
    if found is None or found.game.status != "running" or found.game.state is None:
        return False
    changes = Changes(config, tx, stored(found, config.chance), now, f"outage {gap.start.isoformat()}")
    clock, clocks = clocks_of(changes.game.row)
    if clocks.waiting is None or clocks.waiting.since >= gap.end:
        return False
    retime(changes, free(clock, clocks, None, gap, now), "outage")
    changes.write()
    return True


def beat(ledger: Ledger, now: datetime) -> None:
    """Note that the service is alive, once a minute."""
    with ledger.read() as tx:
        last = tx.beat()
    if last is None or abs(now - last) >= BEAT:
        with ledger.begin() as tx:
            tx.set_beat(now)


class Pulse:
    """The beat of a process that serves, felt by all its threads.

    A machine that slept wakes up with the process alive, and a letter may be read before the worker has looked at the
    time. So whoever comes first takes the outage out of the clocks; to ask costs a letter no statement.
    """

    def __init__(self, config: Config, ledger: Ledger) -> None:
        self._config = config
        self._ledger = ledger
        self._lock = threading.Lock()
        self._felt: datetime | None = None

    def beat(self, now: datetime) -> None:
        """Take an outage until now out of the clocks, if there was one, and note that the service is alive."""
        with self._lock:
            self._beat(now)

    def catch_up(self, now: datetime) -> None:
        """Do that if the last beat was so long ago that there was an outage; else nothing."""
        if self._is_over(now):
            with self._lock:
                if self._is_over(now):
                    self._beat(now)

    def _is_over(self, now: datetime) -> bool:
        return self._felt is not None and now - self._felt > GAP

    def _beat(self, now: datetime) -> None:
        note_outage(self._config, self._ledger, now)
        beat(self._ledger, now)
        self._felt = now
