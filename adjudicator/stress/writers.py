"""Those who write while the service is killed: each knows which of its letters were taken, and asks again for some."""

import random
import threading
from collections.abc import Callable
from itertools import count

import msgspec

from adjudicator.game.model import SIDES, Side
from adjudicator.stress.relay import Relay
from adjudicator.stress.tables import Table, letter
from adjudicator.stress.wire import Envelope, Wire

TAKEN = "250"
WAITING_SECONDS = 0.02
_numbers = count(1)


class Sent(msgspec.Struct):
    """A letter; its text bears `mark` as a note, and maybe press and an order. `taken`: a 250 for it was heard."""

    table: Table
    side: Side
    message_id: str
    mark: str
    mail: Envelope
    press: bool
    taken: bool = False
    tries: int = 0


class Writer:
    """One client at a time at one table. `sent` are all its letters, `again` those that it will send once more."""

    def __init__(self, relay: Relay, rng: random.Random, next_table: Callable[[], Table | None]) -> None:
        self._relay, self._rng, self._next_table = relay, rng, next_table
        self._table: Table | None = None
        self.sent: list[Sent] = []
        self.again: list[Sent] = []

    def write(self, port: int, over: threading.Event) -> None:
        """Write letter after letter until that is over, or nobody listens any more."""
        under_way: Sent | None = None
        try:
            wire = Wire(port)
            try:
                wire.greet()
                while not over.is_set():
                    under_way = self._choose()
                    if under_way is None:
                        over.wait(WAITING_SECONDS)
                        continue
                    under_way.tries += 1
                    under_way.taken |= wire.send(under_way.mail).startswith(TAKEN)
                    self._maybe_again(under_way, share=0.1 if under_way.taken else 1)
            finally:
                wire.close()
        except OSError:
            if under_way and not under_way.taken:
                self._maybe_again(under_way, share=0.5)

    def _maybe_again(self, sent: Sent, share: float) -> None:
        """A mail server that heard no 250 tries again, or the sender's machine has died too."""
        if self._rng.random() < share:
            self.again.append(sent)

    def _choose(self) -> Sent | None:
        """The next letter: one that was sent before, or a new one; None if there is none just now."""
        if self.again and self._rng.random() < 0.5:  # noqa: PLR2004 - a share
            return self.again.pop(0)
        if self._table is None or not any(self._table.left.values()):
            self._table = self._next_table()
        new = self._write_new(self._table) if self._table else None
        if new:
            self.sent.append(new)
        return new

    def _write_new(self, table: Table) -> Sent | None:
        side = self._rng.choice([side for side in SIDES if table.left[side]])
        number = next(_numbers)
        message_id, mark = f"<{number}.{table.game}@client.example.org>", f"mark-{number}"
        press, order = self._rng.random() < 0.3, self._rng.random() < 0.7  # noqa: PLR2004 - shares
        body = f"note: {mark}\n\n" + f"press: {mark}\n\n" * press + "done\n" * order
        mail = letter(table, side, message_id, body, self._relay)
        if mail is None:
            return None
        table.left[side] -= 1
        return Sent(table, side, message_id, mark, mail, press)
