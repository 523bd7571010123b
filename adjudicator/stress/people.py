"""Players who live elsewhere: they sleep, dawdle, go away, and know what their mails tell them.

A player decides as house players do, from what his side may see of the stored position; but he moves only if the newest
mail in his hands is about that position, and he writes to the address that this mail names. Whoever hears nothing for
days asks for the status.
"""

import random
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

import msgspec

from adjudicator.game.engine import decider
from adjudicator.game.model import Side
from adjudicator.players import compose_orders
from adjudicator.service.stored import Stored
from adjudicator.stress.mail_program import Got, answer
from adjudicator.stress.network import Mailbox, Network, Span
from adjudicator.stress.relay import position_of
from adjudicator.stress.ticking import may_claim

SOON = timedelta(minutes=20)
PATIENCE = timedelta(days=4)
DOUBTS = timedelta(days=2)
"""So long a player waits for an answer before he sends his letter again."""
CARELESS = 0.01
"""The share of letters that answer an older mail."""
CLAIMING = 0.7
"""The share of those who claim a game when they may; the others leave it to the service."""
UP, TO_BED = 7, 23  # hours on his wall
Find = Callable[[str], Stored]


class Habits(msgspec.Struct, frozen=True):
    """How somebody plays.

    `house` names the house player who thinks for him, `pace` is how long he takes to look at a mail on the average.
    `away` is when he looks at none; `leave` are the days that he announces for that, on the day of `announces`.
    `gives_up` is when he stops for ever.
    """

    house: str
    zone: ZoneInfo
    pace: timedelta
    away: Span | None = None
    leave: tuple[date, date] | None = None
    announces: datetime | None = None
    gives_up: datetime | None = None


class Seat(msgspec.Struct):
    """A player's side of a game: his mails about it, the position that he has answered last, and the letter."""

    game: str
    side: Side
    mails: list[Got] = []
    answered: int = 0
    letter: str = ""
    last_heard: datetime | None = None

    def newest(self) -> Got:
        """The mail about the latest position, the last that came of several."""
        return max(reversed(self.mails), key=lambda got: position_of(got.reply_to))


class Person:
    """A player; `counts` tells what he wrote."""

    def __init__(self, address: str, habits: Habits, network: Network, find: Find, rng: random.Random) -> None:
        self.address, self.habits = address, habits
        self.network, self.agenda = network, network.agenda
        self.seats: dict[str, Seat] = {}
        self.counts: Counter[str] = Counter()
        self._find, self._rng = find, rng
        self._read: set[str] = set()
        self._zone_said = False
        if habits.announces:
            self.agenda.at(habits.announces, self._announce)
        network.boxes[address] = Mailbox(self.arrived)

    def sit_down(self, game: str, side: Side) -> None:
        """Begin to play a game."""
        self.seats[game] = Seat(game, side)
        self.agenda.after(PATIENCE, lambda: self._wonder(game))

    # --- mails come in ---

    def arrived(self, got: Got) -> None:
        """Take a mail out of the box; a second copy is thrown away."""
        seat = self.seats.get(got.reply_to.partition(".")[0])
        if got.message_id in self._read or seat is None:
            return
        self._read.add(got.message_id)
        seat.mails.append(got)
        seat.last_heard = self.agenda.now
        under_way = bool(seat.letter) and got.in_reply_to == seat.letter
        pace = SOON if under_way else self.habits.pace
        self.agenda.at(self._free_at(pace * self._rng.expovariate(1)), lambda: self._look(seat, got))

    def _free_at(self, delay: timedelta) -> datetime:
        """When he comes to his mails after so long: awake, and not away."""
        when = self.agenda.now + delay
        away = self.habits.away
        if away and when in away:
            when = away.end + delay
        local = when.astimezone(self.habits.zone)
        if not UP <= local.hour < TO_BED:
            when += timedelta(hours=(UP - local.hour) % 24, minutes=self._rng.randrange(120))
        return when

    def _look(self, seat: Seat, got: Got) -> None:
        """Play, if the newest mail says that it is his turn, or that nothing came of his letter."""
        game = self._find(seat.game)
        if game.row.status != "running" or self._gone():
            return
        newest = seat.newest()
        if may_claim(game, seat.side) and self._rng.random() < CLAIMING:
            self.counts["claims"] += 1
            self._write(seat, newest, "claim")
            return
        seq = position_of(newest.reply_to)
        if decider(game.state) != seat.side or seq != game.seats[seat.side].seq:
            return
        if seat.answered != seq:
            self._play(seat, game, newest)
        elif got.in_reply_to == seat.letter:
            self.counts["done after nothing came of it"] += 1
            self._write(seat, newest, "done")

    def _gone(self) -> bool:
        gives_up = self.habits.gives_up
        return gives_up is not None and self.agenda.now >= gives_up

    # --- letters go out ---

    def _play(self, seat: Seat, game: Stored, newest: Got) -> None:
        """Write the orders; some answer an older mail by mistake, and learn of it from the answer."""
        older = [got for got in seat.mails if position_of(got.reply_to) < position_of(newest.reply_to)]
        luck = sha256(f"{seat.game} {game.row.seq} {game.row.commitment}".encode()).digest()
        body = compose_orders(self.habits.house, game.rules, game.state, seat.side, luck)
        if older and self._rng.random() < CARELESS:
            self.counts["to an older mail"] += 1
            self._write(seat, self._rng.choice(older), body)
            return
        seat.answered = position_of(newest.reply_to)
        if not self._zone_said:
            self._zone_said = True
            body = f"set zone {self.habits.zone.key}\n{body}"
        raw = self._write(seat, newest, body)
        self.counts["orders"] += 1
        self.agenda.after(DOUBTS, lambda: self._doubt(seat, seat.answered, newest, raw))

    def _write(self, seat: Seat, got: Got, body: str) -> bytes:
        """Write a letter and send it off; returns its bytes."""
        seat.letter = f"<{sum(self.counts.values())}.{seat.game}.{self.address}>"
        raw = answer(got, self.address, body, seat.letter, self.agenda.now.astimezone(self.habits.zone))
        self.network.post(raw, self.address, got.reply_to)
        return raw

    def _doubt(self, seat: Seat, answered: int, got: Got, raw: bytes) -> None:
        """Send a letter again that nothing was heard of: it or the answer was lost."""
        heard = seat.last_heard and self.agenda.now - seat.last_heard < DOUBTS
        if seat.answered != answered or heard or self._gone() or self._find(seat.game).row.status != "running":
            return
        self.counts["sent again"] += 1
        self.network.post(raw, self.address, got.reply_to)

    def _wonder(self, game: str) -> None:
        """Ask for the status if nothing was heard for long."""
        seat = self.seats[game]
        if self._find(game).row.status == "finished" or self._gone():
            return
        silent = seat.last_heard is None or self.agenda.now - seat.last_heard >= PATIENCE
        if silent and seat.mails and not (self.habits.away and self.agenda.now in self.habits.away):
            self.counts["asked"] += 1
            self._write(seat, seat.newest(), "status")
        self.agenda.after(PATIENCE, lambda: self._wonder(game))

    def _announce(self) -> None:
        """Say from when until when he is away, in a letter about any of his games."""
        seats = [seat for seat in self.seats.values() if seat.mails]
        if seats and self.habits.leave:
            first, last = self.habits.leave
            self.counts["leave"] += 1
            self._write(seats[0], seats[0].newest(), f"leave {first} to {last}")
