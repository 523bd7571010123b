"""A service with a frozen clock, its outbox read as mails, and players who answer them."""

import email
import email.policy
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

from adjudicator.game.model import Side
from adjudicator.mail.session import Reply
from adjudicator.service.config import Config
from adjudicator.service.deliver import deliver
from adjudicator.service.receive import receive
from adjudicator.service.start import Wish, start_game
from adjudicator.service.stored import Stored, stored
from adjudicator.store.ledger import Ledger

START = datetime(2031, 3, 1, 20, 0, tzinfo=UTC)
ADDRESSES: dict[Side, str] = {"british": "ann@example.org", "french": "ben@example.net"}


class PostOffice:
    """One service; `boxes` are the mails that each address has got, in order, `paths` their envelope senders by id."""

    def __init__(self, ledger: Ledger, config: Config | None = None) -> None:
        self.ledger = ledger
        self.config = config or Config(domain="play.example.org")
        self.now = START
        self.boxes: dict[str, list[EmailMessage]] = {}
        self.sent: list[bytes] = []
        self.paths: dict[str, str] = {}
        self.numbers = iter(range(1, 10_000))

    def send(self, raw: bytes, mail_from: str, rcpt: str) -> None:
        """Take a mail from the service, as a relay does."""
        assert mail_from.startswith("bounce.")
        self.sent.append(raw)
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.boxes.setdefault(rcpt, []).append(mail)
        self.paths[mail["Message-ID"]] = mail_from

    def close(self) -> None:
        """Close the relay."""

    def new_game(self, **wish: object) -> str:
        """Begin a game between Ann (British) and Ben (French) and hand their first mails out."""
        seats = {"british": ADDRESSES["british"], "french": ADDRESSES["french"]}
        with self.ledger.begin() as tx:
            name = start_game(self.config, tx, Wish(**{"seed": bytes(32), **seats, **wish}), self.now)
        self.deliver()
        return name

    def deliver(self) -> int:
        """Send what is due."""
        return deliver(self.config, self.ledger, self, self.now)

    def last(self, side: Side) -> EmailMessage:
        """The newest mail of a side."""
        return self.boxes[ADDRESSES[side]][-1]

    def count(self, side: Side) -> int:
        """How many mails a side has got."""
        return len(self.boxes.get(ADDRESSES[side], []))

    def letter(self, side: Side, body: str, answering: EmailMessage | None = None, **headers: str) -> bytes:
        """A letter that answers a mail (the newest one of the side)."""
        asked = answering or self.last(side)
        lines = {
            "From": f"Somebody <{ADDRESSES[side]}>",
            "To": asked["Reply-To"],
            "Subject": f"Re: {asked['Subject']}",
            "Message-ID": f"<{next(self.numbers)}@example.org>",
            "In-Reply-To": asked["Message-ID"],
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return (head + "\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()

    def post(self, raw: bytes, rcpt: str, mail_from: str = "ann@example.org") -> Reply:
        """Hand a letter to the service and send what it causes."""
        self.now += timedelta(minutes=1)
        reply = receive(self.config, self.ledger, raw, rcpt, mail_from, self.now)
        self.deliver()
        return reply

    def answer(self, side: Side, body: str, answering: EmailMessage | None = None, **headers: str) -> Reply:
        """Answer the newest mail of a side."""
        asked = answering or self.last(side)
        return self.post(self.letter(side, body, asked, **headers), asked["Reply-To"], ADDRESSES[side])

    def game(self, name: str = "g1") -> Stored:
        """The stored game."""
        with self.ledger.read() as tx:
            found = tx.game(name, lock=False)
        assert found
        return stored(found)


def text_of(mail: EmailMessage) -> str:
    """The text of a mail."""
    part = mail.get_body(("plain",))
    assert part
    return " ".join(part.get_content().split("\xa0"))
