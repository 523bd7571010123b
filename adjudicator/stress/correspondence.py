"""`bench correspondence`: recorded games played through mail by players who write one mail a turn (see `plan`).

Bytes go in by `receive` and come out of the outbox; draws are the recorded ones, time is made up.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from adjudicator.game.compare import differing_states
from adjudicator.game.model import SIDES, Side, State
from adjudicator.game.record import Position, Record
from adjudicator.game.replay import Mismatch
from adjudicator.orders import write
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.receive import receive
from adjudicator.service.start import Wish, start_game
from adjudicator.service.stored import Stored, stored
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade
from adjudicator.stress.copying import Reaction, is_default
from adjudicator.stress.mail_program import Got, answer, read
from adjudicator.stress.plan import Ahead, Letter, Plan, Planned, plan
from adjudicator.stress.tables import folder_url

BEGIN = datetime(2030, 1, 7, 18, tzinfo=UTC)
STEP = timedelta(hours=8)
TAKEN = 250
_MOST_TOLD = 20
_ALL = 1_000_000
replace = msgspec.structs.replace


class Correspondence:
    """One recorded game under way; `found` are the differences, `settled` counts reactions by kind and how.

    `mails` counts the players' letters: "orders", and "resigning".
    """

    def __init__(self, ledger: Ledger, planned: Plan) -> None:
        self.plan = planned
        self.config = Config(chance=planned.chance)
        self.ledger = ledger
        self.now = BEGIN
        self.boxes: dict[str, list[Got]] = {self.address(side): [] for side in SIDES}
        self.names: list[str] = []
        self.mails: Counter[str] = Counter()
        self.settled: Counter[tuple[str, str]] = Counter()
        self.found: list[Mismatch] = []
        self.left_open: list[int] = []

    @staticmethod
    def address(side: Side) -> str:
        """The address of a player."""
        return f"{side}@example.org"

    def play(self) -> None:
        """Play everything, resignation included."""
        self._begin(self.plan.record.start)
        for planned in self.plan.turns:
            before = self.game.row.moves
            for letter in planned.letters:
                self._mail(letter)
            self._count(planned, before)
            self._compare(planned)
        self._finish()

    # --- the players ---

    def _begin(self, state: State) -> None:
        """Begin a game at a position; what was said as a standing order in the game before holds on."""
        record = self.plan.record
        standing = {side: self.game.seats[side].standing for side in SIDES} if self.names else {}
        rules = {"edition": record.edition, "variants": record.variants, "switches": record.switches}
        position = Position(format="afas-position/1", state=state, standing=standing, **rules)  # type: ignore[arg-type]
        wish = Wish(self.address("british"), self.address("french"), position=position)
        with self.ledger.begin() as tx:
            self.names.append(start_game(self.config, tx, wish, self.now))
        self._deliver()

    def _mail(self, letter: Letter, kind: str = "orders", in_answer_to: Got | None = None) -> None:
        """Answer the newest mail about the game, unless it is another one that is answered."""
        address = self.address(letter.side)
        got = in_answer_to or self._newest(letter.side)
        self.now += STEP
        self.mails[kind] += 1
        message_id = f"<{sum(self.mails.values())}.{self.plan.record.id}@client.example.org>"
        raw = answer(got, address, "\n".join(letter.lines), message_id, self.now)
        reply = receive(self.config, self.ledger, raw, got.reply_to, address, self.now)
        if reply.code != TAKEN:
            self._note(self.game.state.turn, "mail", letter.lines, reply.text)
        self._deliver()

    def _newest(self, side: Side) -> Got:
        """The newest mail about the present game that a player got."""
        return next(got for got in reversed(self.boxes[self.address(side)]) if got.reply_to.startswith(self.names[-1]))

    def _deliver(self) -> None:
        deliver(self.config, self.ledger, self, self.now)

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Take a mail of the outbox to its reader's box (this is the service's transport)."""
        self.boxes[rcpt].append(read(raw, mail_from))

    def close(self) -> None:
        """Nothing is kept open."""

    # --- what came of it ---

    @property
    def game(self) -> Stored:
        """The game that is played now."""
        with self.ledger.read() as tx:
            found = tx.game(self.names[-1], lock=False)
        assert found
        return stored(found, self.plan.chance)

    def _count(self, planned: Planned, since: int) -> None:
        """Count how each reaction of a turn was settled, as the history tells it; `since` is its first move."""
        game = self.game
        with self.ledger.read() as tx:
            rows = [row for row in tx.moves(game.row.id, since=since) if row.side != planned.turn.side]
        if [row.text for row in rows] != [write(one.action, one.side) for one in planned.reactions]:
            recorded = [write(one.action, one.side) for one in planned.reactions]
            self._note(planned.turn.n, "reactions", recorded, [row.text for row in rows])
        for one, row in zip(planned.reactions, rows, strict=False):
            unasked = "standing" if planned.spoken or not is_default(game.rules, one) else "default"
            self.settled[one.kind, "mail" if row.cause == "mail" else unasked] += 1

    def _compare(self, planned: Planned) -> None:
        """Compare the stored state with the recorded one; a turn without its refill is still open with us."""
        turn, state = planned.turn, self.game.state
        if turn.refill_skipped:
            self.left_open.append(turn.n)
            state = replace(state, to_move=turn.after.to_move, turn=turn.after.turn, open=None)
        for path, recorded, played in differing_states(turn.after, state):
            self._note(turn.n, f"after.{path}", recorded, played)
        if turn.refill_skipped:
            self._begin(replace(turn.after, shuffles=state.shuffles))

    def _finish(self) -> None:
        """Resign if that is how the game ended, and compare the result."""
        result = self.plan.record.result
        if result and result.reason == "resignation" and result.by:
            self._mail(Letter(result.by, ("resign",)), "resigning")
            self._mail(Letter(result.by, ("confirm",)), "resigning", self.boxes[self.address(result.by)][-1])
        row = self.game.row
        played = msgspec.json.decode(row.result) if row.result else {}
        if result and (result.winner, result.reason) != (played.get("winner"), played.get("reason")):
            self._note(len(self.plan.turns), "result", (result.winner, result.reason), played)

    def _note(self, turn: int, path: str, recorded: object, played: object) -> None:
        self.found.append(Mismatch(turn, path, recorded, played))

    def report(self) -> dict[str, Any]:
        """What the game came to, in numbers."""
        with self.ledger.read() as tx:
            sent = len(tx.posts(limit=_ALL))
            received = Counter(letter.outcome for letter in tx.letters(limit=_ALL))
        asked = [reaction for planned in self.plan.turns for reaction in planned.asked]
        ahead = sum(line.startswith("on ") for one in self.plan.turns for mail in one.letters for line in mail.lines)
        turns = len(self.plan.turns) - len(self.left_open)
        return {
            "record": self.plan.record.id,
            "turns": turns,
            "left_open": self.left_open,
            "order_mails": self.mails["orders"],
            "order_mails_per_turn": round(self.mails["orders"] / turns, 4),
            "resigning_mails": self.mails["resigning"],
            "received": dict(received),
            "mails_sent": sent,
            "mails_sent_per_turn": round(sent / turns, 4),
            "standing_orders": ahead,
            "reactions": _by_kind(self.settled),
            "not_said_ahead": [_told(one) for one in asked],
            "states_compared": len(self.plan.turns),
            "mismatches": len(self.found),
            "first_mismatches": [str(one) for one in self.found[:_MOST_TOLD]],
        }


def _by_kind(settled: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (kind, how), count in sorted(settled.items()):
        found.setdefault(kind, {})[how] = count
    return found


def _told(one: Reaction) -> dict[str, object]:
    return {"turn": one.state.turn, "kind": one.kind, "recorded": write(one.action, one.side)}


def correspondence(records: Iterable[Record], ahead: Ahead = "needed") -> dict[str, Any]:
    """Play records through mail; "ok" says that each state is the recorded one.

    `ahead` says which reactions are standing orders.

    Raises: UsageError if a record cannot be played by mail.
    """
    games = [_played(record, ahead) for record in records]
    total = {name: sum(game[name] for game in games) for name in ("turns", "order_mails", "mails_sent", "mismatches")}
    how: Counter[str] = Counter()
    for game in games:
        for counts in game["reactions"].values():
            how.update(counts)
    turns = max(total["turns"], 1)
    return {
        "ok": not total["mismatches"],
        **total,
        "order_mails_per_turn": round(total["order_mails"] / turns, 4),
        "mails_sent_per_turn": round(total["mails_sent"] / turns, 4),
        "reactions": dict(how),
        "games": games,
    }


def _played(record: Record, ahead: Ahead) -> dict[str, Any]:
    """Play one record on a fresh database."""
    with tempfile.TemporaryDirectory(prefix="correspondence") as name:
        database = open_database(folder_url(Path(name)))
        upgrade(database)
        try:
            played = Correspondence(Ledger(database), plan(record, ahead=ahead))
            played.play()
            return played.report()
        finally:
            database.close()
