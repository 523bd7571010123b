"""`bench season`: a season of games by mail between people as they are, in made-up time.

Mails get lost, doubled and delayed, mailboxes fail for days, players sleep, dawdle and go away, the service itself is
down for two days, and daylight saving begins and ends. The season bears it if `watch` finds nothing. It is the same
season again with the same seed.
"""

import logging
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.errors import UsageError
from adjudicator.game.model import BySide
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver, mail_of
from adjudicator.service.receive import receive
from adjudicator.service.start import Wish, start_game
from adjudicator.service.stored import Stored, stored
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade
from adjudicator.store.rows import PostRow
from adjudicator.stress.account import Accounts
from adjudicator.stress.network import Network, Span
from adjudicator.stress.people import Habits, Person
from adjudicator.stress.tables import folder_url
from adjudicator.stress.ticking import tick
from adjudicator.stress.virtual import Agenda
from adjudicator.stress.watch import Watch

GAMES = 200
SPACING, STARTS = timedelta(days=12), timedelta(days=220)
"""Games begin so long after each other, and all of them within so long; a large season begins in February."""
BEFORE = 0.63
"""The share of the games that have begun when the service goes down."""
DOWN = Span(datetime(2030, 7, 4, 3, 20, tzinfo=UTC), datetime(2030, 7, 6, 9, 5, tzinfo=UTC))
LONGEST = timedelta(days=700)
"""What has not ended by then never will."""
ROUND = timedelta(minutes=50)
"""How often the service looks at the time; a real one does every few seconds."""
ZONES = (
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Australia/Sydney",
    "Asia/Kolkata", "Pacific/Auckland", "America/Santiago", "UTC",
)  # fmt: skip
LIMITED = ("10d+1d/14d", "10d+1d/14d weekends loss", "14d+12h/14d passes", "6d", "5d loss", "5d passes")
CLOCKS = (*LIMITED, "none")
GIVING_UP = 0.06
"""The share of the players who one day write no more."""
GAMES_EACH = 5
RENDERED = 0.05
"""The share of mails that are rendered as they go out; the others are as short as they can be."""
HALF = 0.5
BROKEN = 0.2
"""The share of the players whose mailbox fails for some days."""
MOST_TOLD = 20
OK = 250
_ALL = 10_000_000


class Season:
    """The service and everybody around it. `posts` of the service are rendered for a share of them."""

    def __init__(self, ledger: Ledger, games: int, rng: random.Random) -> None:
        self.ledger, self.rng = ledger, rng
        self.config = Config()
        self.starts = min(STARTS, SPACING * games)
        self.begin = DOWN.start - self.starts * BEFORE
        self.agenda = Agenda(self.begin)
        self.network = Network(self.agenda, rng, self._take, DOWN)
        self.watch = Watch(ledger, Accounts([DOWN]))
        self.replies: Counter[int] = Counter()
        self.rendered = 0
        self.to_start = games
        self.running: set[str] = set()
        self.people = [self._person(number) for number in range(max(2, 2 * games // GAMES_EACH))]

    def play(self, told: Callable[[int, int], None]) -> None:
        """Play until all games have ended; `told` hears how many of how many have."""
        games = self.to_start
        for number in range(games):
            self.agenda.at(self.begin + self.starts * number / games, self._start_game)
        self.agenda.at(DOWN.end, self._look_for_work)  # before the first letter that has waited
        self.agenda.after(ROUND, self._round)
        self._told: Callable[[], None] = lambda: told(games - self.to_start - len(self.running), games)
        self.agenda.run(self.begin + LONGEST, lambda: not self.running and not self.to_start)

    # --- the service ---

    def _start_game(self) -> None:
        british, french = self.rng.sample(self.people, 2)
        seed = self.rng.randbytes(32)
        stays = not (british.habits.gives_up or french.habits.gives_up)
        clock = self.rng.choice(CLOCKS if stays else LIMITED)  # without a clock nobody takes the place of who has gone
        wish = Wish(british.address, french.address, clock=clock, seed=seed)
        with self.ledger.begin() as tx:
            name = start_game(self.config, tx, wish, self.agenda.now)
            zones = BySide(british.habits.zone, french.habits.zone)
            self.watch.accounts.open(tx, name, zones, self.agenda.now)
        self.to_start -= 1
        self.running.add(name)
        british.sit_down(name, "british")
        french.sit_down(name, "french")
        self._deliver()

    def _take(self, raw: bytes, rcpt: str, mail_from: str) -> None:
        """What the listener does with a mail."""
        reply = receive(self.config, self.ledger, raw, rcpt, mail_from, self.agenda.now)
        self.replies[reply.code] += 1
        if reply.code != OK:
            self.watch.faults.append(f"a mail of {mail_from} to {rcpt} at {self.agenda.now}: {reply.code} {reply.text}")
        self._deliver()
        self._look()

    def _round(self) -> None:
        """What the worker does from time to time."""
        if self.agenda.now not in DOWN:
            self._look_for_work()
        self.agenda.after(ROUND, self._round)

    def _look_for_work(self) -> None:
        tick(self.config, self.ledger, self.agenda.now)
        self._deliver()
        self._look()

    def _deliver(self) -> None:
        if self.agenda.now not in DOWN:
            deliver(self.config, self.ledger, self.network, self.agenda.now, self._written)

    def _written(self, config: Config, post: PostRow) -> bytes:
        """The bytes of a mail; of most only what a mail program needs."""
        if self.rng.random() < RENDERED:
            self.rendered += 1
            return mail_of(config, post)
        return (
            f"From: games@{config.domain}\r\nTo: {post.to_address}\r\nReply-To: {post.reply_to}\r\n"
            f"Message-ID: {post.message_id}\r\nIn-Reply-To: {post.in_reply_to or ''}\r\n"
            f"Subject: {post.kind}\r\n\r\nNews of your game.\r\n"
        ).encode()

    def _look(self) -> None:
        """Let the watch look, and see which games have ended."""
        for name in self.watch.look(self.agenda.now):
            self.running.discard(name)
            self._told()

    def find(self, name: str) -> Stored:
        """Return a game as it is stored now."""
        with self.ledger.read() as tx:
            found = tx.game(name, lock=False)
        assert found
        return stored(found)

    # --- the people ---

    def _person(self, number: int) -> Person:
        rng = random.Random(self.rng.random())  # noqa: S311 - no secret
        address = f"p{number}@example.org"
        person = Person(
            address, habits(number, rng, Span(self.begin, self.begin + self.starts)), self.network, self.find, rng
        )
        if rng.random() < BROKEN:
            begins = self.begin + self.starts * rng.uniform(0.1, 1)
            box = self.network.boxes[address]
            box.broken, box.is_gone = Span(begins, begins + timedelta(days=rng.uniform(1, 5))), rng.random() < HALF
        return person

    # --- what came of it ---

    def figures(self) -> dict[str, Any]:
        """All in numbers; "ok" says that nothing is wrong."""
        ends = self.watch.end()
        with self.ledger.read() as tx:
            kinds = Counter(post.kind for post in tx.posts(limit=_ALL))
            letters = len(tx.letters(limit=_ALL))
            causes = Counter(row.data["cause"] for row in tx.audit() if row.command == "deadline")
            turns = sum(line.turn - 1 for line in tx.games())
        people: Counter[str] = Counter()
        for person in self.people:
            people.update(person.counts)
        return {
            "ok": not self.watch.faults,
            "faults": len(self.watch.faults),
            "first_faults": self.watch.faults[:MOST_TOLD],
            "games": sum(ends.values()),
            "ends": ends,
            "people": len(self.people),
            "days": (self.agenda.now - self.begin).days,
            "turns": turns,
            "letters": letters,
            "posts": kinds.total(),
            "kinds": dict(sorted(kinds.items())),
            "rendered": self.rendered,
            "replies": {str(code): count for code, count in sorted(self.replies.items())},
            "network": dict(sorted(self.network.counts.items())),
            "mailboxes_broken": sum(box.broken is not None for box in self.network.boxes.values()),
            "written": dict(sorted(people.items())),
            "down": [moment.isoformat() for moment in (DOWN.start, DOWN.end)],
            "deadlines_changed": dict(self.watch.changed),
            "deadline_events": dict(causes),
            "clocks": dict(self.watch.accounts.counts),
        }


def habits(number: int, rng: random.Random, starts: Span) -> Habits:
    """Make up how somebody plays: quick or slow, at home or not; `starts` is when games begin."""
    long = starts.end - starts.start
    zone = ZoneInfo(ZONES[number % len(ZONES)])
    pace = timedelta(hours=rng.choice((2, 5, 10, 18)))
    house = rng.choice(("heuristic", "random", "random"))
    gives_up = starts.start + long * rng.uniform(0.05, 1.1) if rng.random() < GIVING_UP else None
    if rng.random() < HALF:
        return Habits(house, zone, pace, gives_up=gives_up)
    begins = starts.start + long * rng.uniform(0.1, 0.9)
    until = begins + timedelta(days=rng.uniform(3, 14))
    leave = (begins.astimezone(zone).date(), until.astimezone(zone).date())
    away = Span(begins, until if rng.random() < HALF else begins + (until - begins) / 2)  # some come back early
    return Habits(house, zone, pace, away, leave, begins - timedelta(days=2), gives_up)


def season(
    games: int = GAMES,
    url: str | None = None,
    seed: int | None = None,
    told: Callable[[int, int], None] = lambda _done, _games: None,
) -> dict[str, Any]:
    """Play a season; "ok" says that nothing is wrong. `url` is an empty database, else SQLite's.

    `told` hears how many games of how many have ended.

    Raises:
        UsageError: the database is not empty.
        Unavailable: it cannot be used.
    """
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    begun = time.process_time()
    with tempfile.TemporaryDirectory(prefix="season") as name, _quiet():
        database = open_database(url or folder_url(Path(name)))
        try:
            upgrade(database)
            ledger = Ledger(database)
            with ledger.read() as tx:
                if tx.games():
                    raise UsageError("bench season needs a database without games")
            played = Season(ledger, games, random.Random(seed))  # noqa: S311 - no secret
            played.play(told)
            return played.figures() | {"seed": seed, "cpu_seconds": round(time.process_time() - begun, 1)}
        finally:
            database.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """A season is full of mails that fail: that is its point, and no news."""
    log = logging.getLogger("adjudicator")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)
