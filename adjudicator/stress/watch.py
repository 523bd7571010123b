"""What must hold all through a season, looked at after each step, and at its end.

A deadline changes only with a move, with the end of the game, or with an event of its own in the audit log. Nothing is
in quarantine, each letter has one answer, each game has ended, and each shuffle follows from the committed seed.
"""

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from adjudicator.errors import AdjudicatorError
from adjudicator.game.model import other
from adjudicator.game.record import read_record, written
from adjudicator.game.verify import verify
from adjudicator.service.records import OVER, export
from adjudicator.service.stored import stored
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.statements import game
from adjudicator.stress.account import Accounts

UNANSWERED = ("bounce", "automatic")
"""What is stored of letters that get no answer."""
_UNDER_WAY = select(game.c.id, game.c.name, game.c.deadline_at, game.c.seq, game.c.turn, game.c.waiting_for).where(
    game.c.finished_at.is_(None)
)
_ALL = 10_000_000


class Seen(NamedTuple):
    """What was last seen of a game; `deadlines` counts the events about its deadline."""

    deadline_at: datetime | None
    seq: int
    deadlines: int


class Watch:
    """What was found so far; `changed` counts what deadlines changed by."""

    def __init__(self, ledger: Ledger, accounts: Accounts) -> None:
        self.faults: list[str] = []
        self.accounts = accounts
        self.changed: Counter[str] = Counter()
        self._ledger = ledger
        self._seen: dict[str, Seen] = {}

    def look(self, now: datetime) -> list[str]:
        """Compare the games under way with what was last seen of them; returns those that have ended since."""
        with self._ledger.read() as tx:
            lines = {row.name: row for row in tx.connection.execute(_UNDER_WAY)}
            for name, (number, _, deadline_at, seq, turn, waiting_for) in lines.items():
                seen = self._seen.get(name)
                if seen and (deadline_at, seq) == seen[:2]:
                    continue
                self.accounts.look(tx, name, turn, waiting_for, now)
                events = sum(row.command == "deadline" for row in tx.audit(game_id=number))
                new = Seen(deadline_at, seq, events)
                if seen and deadline_at != seen.deadline_at:
                    self._compare(name, seen, new, now)
                self._seen[name] = new
            ended = [name for name in self._seen if name not in lines]
            for name in ended:
                del self._seen[name]
                self._check_end(tx, name, now)
        return ended

    def _check_end(self, tx: Transaction, name: str, now: datetime) -> None:
        """Nobody has lost on time who had time left."""
        found = tx.game(name, lock=False)
        assert found
        over = OVER.decode(found.game.result or b"")
        if over.reason == "time" and over.winner and not self.accounts.lost(tx, name, other(over.winner), now):
            self.faults.append(f"game {name}, {now}: the {other(over.winner)} lost on time, and had time left")

    def _compare(self, name: str, seen: Seen, new: Seen, now: datetime) -> None:
        """Note what the change of a deadline came with."""
        moved, told = new.seq != seen.seq, new.deadlines != seen.deadlines
        self.changed["by a move" if moved else "by an event" if told else "without either"] += 1
        if not moved and not told:
            what = f"from {seen.deadline_at} to {new.deadline_at}"
            self.faults.append(f"game {name}, {now}: its deadline went {what} without an event")

    def end(self) -> dict[str, int]:
        """Look at everything once more, when all is over; returns how the games ended."""
        reasons: Counter[str] = Counter()
        with self._ledger.read() as tx:
            self._check_letters(tx)
            for held in tx.held():
                self.faults.append(f"a letter of {held.received_at} is in quarantine: {held.error}")
            if (broken := tx.broken_audit()) is not None:
                self.faults.append(f"the audit log does not follow on at row {broken}")
            for line in tx.games():
                if line.status != "finished":
                    silent = f"since {line.updated_at} it waits for {line.waiting_for}"
                    self.faults.append(f"game {line.name} has not ended: turn {line.turn}, {silent}")
                    reasons["none"] += 1
                    continue
                reasons[self._verified(tx, line.name)] += 1
        return dict(reasons)

    def _check_letters(self, tx: Transaction) -> None:
        """Each letter has one answer, unless it is a report, or its writer's address did not work."""
        answers = Counter(post.message_id for post in tx.posts(limit=_ALL))
        for letter in tx.letters(limit=_ALL):
            if letter.outcome not in UNANSWERED and answers[letter.answer_id or ""] != 1:
                self.faults.append(f"letter {letter.message_id} has {answers[letter.answer_id or '']} answers")

    def _verified(self, tx: Transaction, name: str) -> str:
        """Check all shuffles of a game; returns how it ended."""
        found = tx.game(name, lock=False)
        assert found
        try:
            record = read_record(written(export(tx, stored(found))), name)
            self.faults += [f"game {name}: {mismatch}" for mismatch in verify(record).mismatches]
        except AdjudicatorError as error:
            self.faults.append(f"game {name}: {error}")
        return OVER.decode(found.game.result or b"").reason
