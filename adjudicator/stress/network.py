"""The mails between the service and its players: late, lost, doubled, refused for a while, or sent back.

A mailbox that does not work either refuses mails at once, or its server takes them and sends them back to their
envelope sender. While the service is down, servers that have mail for it try again later, as servers do.
"""

import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from adjudicator.mail.sender import Deferred, Rejected
from adjudicator.stress.mail_program import Got, read
from adjudicator.stress.virtual import Agenda

LOST, DOUBLED, DEFERRED, LATE = 0.01, 0.02, 0.02, 0.05  # shares of the mails, each way
USUAL, LONG = timedelta(minutes=2), timedelta(hours=5)
RETRY = timedelta(hours=1)
Take = Callable[[bytes, str, str], None]


class Span(msgspec.Struct, frozen=True):
    """From when until when."""

    start: datetime
    end: datetime

    def __contains__(self, moment: object) -> bool:
        return isinstance(moment, datetime) and self.start <= moment < self.end


class Mailbox(msgspec.Struct):
    """Where the mails to one address go; `broken` is when it does not work, `is_gone` whether it refuses at once."""

    arrived: Callable[[Got], None]
    broken: Span | None = None
    is_gone: bool = True


class Network:
    """Brings mails both ways; it is the service's transport. `counts` tells what became of them.

    `down` is when the service does not run.
    """

    def __init__(self, agenda: Agenda, rng: random.Random, take: Take, down: Span) -> None:
        self.agenda, self.rng, self.down = agenda, rng, down
        self.counts: Counter[str] = Counter()
        self.boxes: dict[str, Mailbox] = {}
        self._take = take

    # --- from the service ---

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Take a mail of the service.

        Raises: Deferred, Rejected.
        """
        box = self.boxes[rcpt]
        self.counts["out"] += 1
        if self.rng.random() < DEFERRED:
            self.counts["out deferred"] += 1
            raise Deferred("451 4.3.2 please try again later")
        if box.broken and self.agenda.now in box.broken:
            self._refuse(box, raw, mail_from, rcpt)
            return
        got = read(raw, mail_from)
        for delay in self._ways("out"):
            self.agenda.after(delay, lambda: box.arrived(got))

    def close(self) -> None:
        """Nothing is kept open."""

    def _refuse(self, box: Mailbox, raw: bytes, mail_from: str, rcpt: str) -> None:
        """What a mailbox that does not work does with a mail."""
        if box.is_gone:
            self.counts["out refused"] += 1
            raise Rejected("550 5.1.1 no such user", no_such_box=True)
        self.counts["out sent back"] += 1
        report = delivery_report(read(raw).message_id, rcpt)
        self.agenda.after(USUAL, lambda: self._arrive(report, mail_from, ""))

    # --- to the service ---

    def post(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Take a mail of a player."""
        self.counts["in"] += 1
        for delay in self._ways("in"):
            self.agenda.after(delay, lambda: self._arrive(raw, rcpt, mail_from))

    def _arrive(self, raw: bytes, rcpt: str, mail_from: str) -> None:
        """Bring a mail to the service; while that is down, try again every hour."""
        if self.agenda.now in self.down:
            self.counts["in deferred"] += 1
            self.agenda.after(RETRY * self.rng.uniform(0.5, 1.5), lambda: self._arrive(raw, rcpt, mail_from))
            return
        self._take(raw, rcpt, mail_from)

    def _ways(self, way: str) -> list[timedelta]:
        """How long each copy of a mail takes; none if it is lost."""
        if self.rng.random() < LOST:
            self.counts[f"{way} lost"] += 1
            return []
        copies = 1
        if self.rng.random() < DOUBLED:
            self.counts[f"{way} doubled"] += 1
            copies = 2
        return [self._delay(way) for _ in range(copies)]

    def _delay(self, way: str) -> timedelta:
        if self.rng.random() < LATE:
            self.counts[f"{way} late"] += 1
            return LONG * self.rng.random()
        return USUAL * self.rng.expovariate(1)


def delivery_report(message_id: str, rcpt: str) -> bytes:
    """The mail by which a server says that it could not deliver a mail (RFC 3464)."""
    lines = (
        "From: Mail Delivery System <mailer-daemon@example.org>",
        "Subject: Undelivered mail returned to sender",
        f"Message-ID: <report.{message_id.strip('<>')}>",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="part"',
        "",
        "--part",
        "Content-Type: text/plain",
        "",
        f"Your mail to {rcpt} could not be delivered: there is no such mailbox.",
        "--part",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.example.org",
        "",
        f"Final-Recipient: rfc822; {rcpt}",
        "Action: failed",
        "Status: 5.1.1",
        "--part--",
        "",
    )
    return "\r\n".join(lines).encode()
