"""`bench flood`: thousands of mails over many connections at once, half of them rubbish, real orders among them.

Promise: what it prints was seen from outside (answers at the relay, memory in /proc) or read from the database
afterwards.
"""

import random
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from adjudicator.errors import Unavailable
from adjudicator.game.model import Side
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade
from adjudicator.stress import rubbish
from adjudicator.stress.process import Serve
from adjudicator.stress.relay import Relay
from adjudicator.stress.tables import Table, folder_url, letter, set_tables
from adjudicator.stress.wire import Envelope, Wire

MAILS = 10_000
CONNECTIONS = 50
ORDERS_A_GAME = 10
"""Real orders in one game, five of each side."""

ORDER = "done"
ROOM = 24.0
"""MB by which the memory may differ between an early and the last part of the run."""
ATTACK_SHARE = 0.1
"""Connections that are only attacks, among the rubbish."""
LOOKING_SECONDS = 0.1
AGAIN_SECONDS = 0.2
ANSWER_SECONDS = 120.0
_ALL = 10_000_000
_TURNS: tuple[Side, Side] = ("british", "french")


class Seen(msgspec.Struct):
    """What was seen from outside.

    `orders` is when each was sent and taken, `missing` those that were not given for want of a mail, `replies` those to
    rubbish by kind, `memory` that of the service in MB.
    """

    orders: dict[str, tuple[float, float]] = {}
    missing: list[str] = []
    replies: dict[str, Counter[str]] = {}
    memory: list[float] = []


def flood(mails: int = MAILS, connections: int = CONNECTIONS, seed: int | None = None) -> dict[str, Any]:
    """Flood a fresh service; "ok" says that the memory stayed flat and each order was answered once and applied once.

    Raises: Unavailable if the service dies.
    """
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="flood") as name, Relay() as relay:
        folder = Path(name)
        database = open_database(folder_url(folder))
        upgrade(database)
        ledger = Ledger(database)
        each = max(1, -(-mails // (2 * connections * ORDERS_A_GAME)))
        tables = set_tables(ledger, each * connections)
        seen = Seen()
        with Serve(folder, RELAY=relay.setting, CONNECTIONS_PER_CLIENT=str(4 * connections)) as serve:
            serve.wait()
            if not relay.wait_until(lambda: len(relay.copies) == 2 * len(tables), ANSWER_SECONDS):
                raise Unavailable("the first mails did not come")
            begun = time.monotonic()
            _all_at_once(serve, relay, tables, mails, connections, seed, seen)
            found = _figures(seen, relay, mails, time.monotonic() - begun)
            serve.stop()
        found |= {"connections": connections, "seed": seed} | _stored(ledger, len(seen.orders))
        database.close()
    good = found["flat"] and found["applied_once"] and not found["unanswered"] + found["answered_twice"]
    return found | {"ok": good}


def _all_at_once(
    serve: Serve, relay: Relay, tables: list[Table], mails: int, connections: int, seed: int, seen: Seen
) -> None:
    """Run all clients, and look at the memory meanwhile."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOKING_SECONDS):
            seen.memory.append(serve.memory())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with ThreadPoolExecutor(connections) as pool:
            clients = [
                Client(serve.port, relay, tables[start::connections], random.Random(f"{seed} {start}"), seen)  # noqa: S311 - no secret
                for start in range(connections)
            ]
            shares = [len(range(start, mails, connections)) for start in range(connections)]
            list(pool.map(Client.run, clients, shares))
    finally:
        over.set()
        looking.join()


class Client:
    """One of the connections: it plays its games, and sends as much rubbish between."""

    def __init__(self, port: int, relay: Relay, tables: list[Table], rng: random.Random, seen: Seen) -> None:
        self._port, self._relay, self._tables, self._rng, self._seen = port, relay, tables, rng, seen
        self._orders = 0
        self._leaked: Envelope | None = None
        self._wire: Wire | None = None

    def run(self, mails: int) -> None:
        """Send so many mails, every second one a real order."""
        for number in range(mails):
            if number % 2 == 0:
                self._play()
            elif self._leaked:
                self._spoil(self._leaked)
        if self._wire:
            self._wire.close()

    def _play(self) -> None:
        """Order in the next game, once the mail about its last position is here."""
        table, turn = self._tables[self._orders % len(self._tables)], self._orders // len(self._tables)
        side = _TURNS[turn % 2]
        message_id = f"<{table.game}.{turn}@client.example.org>"
        self._orders += 1
        address = table.address(side)
        if not self._relay.wait_until(lambda: self._relay.position(address) > turn, ANSWER_SECONDS):
            self._seen.missing.append(message_id)
            return
        mail = letter(table, side, message_id, ORDER, self._relay)
        assert mail
        begun = time.monotonic()
        while self._send(mail)[:3] != "250":
            time.sleep(AGAIN_SECONDS)  # as any mail server does
        self._seen.orders[message_id] = begun, time.monotonic()
        self._leaked = mail

    def _spoil(self, leaked: Envelope) -> None:
        """Send rubbish, or do worse to a connection."""
        target = rubbish.Target(self._port, leaked.rcpt.partition(".")[0], leaked)
        if self._rng.random() < ATTACK_SHARE:
            name = self._rng.choice(list(rubbish.ATTACKS))
            reply = rubbish.attack(name, self._rng, target)
        else:
            name = self._rng.choice(list(rubbish.MAILS))
            reply = self._send(rubbish.MAILS[name](self._rng, target))[:3]
        self._seen.replies.setdefault(name, Counter())[reply] += 1

    def _send(self, mail: Envelope) -> str:
        """Send over the kept connection; returns the reply, or "hung up" if the connection broke."""
        try:
            if self._wire is None:
                self._wire = Wire(self._port)
                self._wire.greet()
            return self._wire.send(mail)
        except OSError:
            if self._wire:
                self._wire.close()
            self._wire = None
            return "hung up"


def _figures(seen: Seen, relay: Relay, mails: int, seconds: float) -> dict[str, Any]:
    """What was seen from outside."""
    relay.wait_until(lambda: all(one in relay.answers for one in seen.orders), ANSWER_SECONDS)
    answers = {one: relay.answers.get(one, []) for one in seen.orders}
    taken = [after - begun for begun, after in seen.orders.values()]
    told = [found[0].at - seen.orders[one][0] for one, found in answers.items() if found]
    memory = seen.memory
    early = median(memory[len(memory) // 5 : 2 * len(memory) // 5 + 1])
    late = median(memory[-len(memory) // 5 :])
    return {
        "mails": mails,
        "seconds": round(seconds, 1),
        "mails_per_s": round(mails / seconds, 1),
        "orders": len(seen.orders) + len(seen.missing),
        "unanswered": len(seen.missing) + sum(not found for found in answers.values()),
        "answered_twice": sum(len(found) > 1 for found in answers.values()),
        "order_taken_ms": _spread(taken),
        "order_answered_ms": _spread(told),
        "rubbish": {kind: dict(seen.replies[kind]) for kind in sorted(seen.replies)},
        "memory_mb": {"first": memory[0], "early": early, "late": late, "most": max(memory)},
        "flat": late - early <= ROOM,
    }


def _spread(seconds: list[float]) -> dict[str, float]:
    """Median, 99th percentile and most, in ms."""
    ordered = sorted(seconds) or [0.0]
    at = {"median": len(ordered) // 2, "p99": len(ordered) * 99 // 100, "most": len(ordered) - 1}
    return {name: round(ordered[index] * 1000, 1) for name, index in at.items()}


def _stored(ledger: Ledger, orders: int) -> dict[str, Any]:
    """What the database says afterwards: each position of each game comes from one order, and nothing else."""
    with ledger.read() as tx:
        letters = tx.letters(limit=_ALL)
        games = {line.id: line.seq - 1 for line in tx.games()}
        held = len(tx.held())
    applied = Counter(one.game_id for one in letters if one.outcome == "applied")
    return {
        "outcomes": dict(Counter(one.outcome for one in letters)),
        "quarantined": held,
        "applied_once": applied.total() == orders and all(applied[game] == moved for game, moved in games.items()),
    }
