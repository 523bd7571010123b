"""Players who write to the desk, and what they got."""

from datetime import timedelta
from email.message import EmailMessage

from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.mail.session import Reply

GAMES = "games@play.example.org"
ANN, BEN, EVE = ADDRESSES["british"], ADDRESSES["french"], "eve@example.com"
_PAUSE = timedelta(minutes=11)
"""Between two letters, so that each has an answer of its own."""


def write(office: PostOffice, address: str, body: str, to: str = GAMES, answering: EmailMessage | None = None) -> Reply:
    """A mail of somebody to a desk, or in answer to a mail."""
    office.now += _PAUSE
    lines = {
        "From": f"Somebody <{address}>",
        "To": to,
        "Subject": "Hello",
        "Message-ID": f"<{next(office.numbers)}.{address}>",
        "Content-Type": "text/plain; charset=utf-8",
        **({"In-Reply-To": answering["Message-ID"]} if answering else {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return office.post(f"{head}\r\n{body}\r\n".encode(), to, address)


def reply(office: PostOffice, mail: EmailMessage, body: str = "confirm", address: str | None = None) -> Reply:
    """An answer to a mail, from whom it went to."""
    return write(office, address or str(mail["To"]), body, str(mail["Reply-To"]), mail)


def told(mail: EmailMessage) -> str:
    """The text of a mail as one line."""
    return " ".join(text_of(mail).split())


def newest(office: PostOffice, address: str) -> EmailMessage:
    return office.boxes[address][-1]


def got(office: PostOffice, address: str) -> int:
    return len(office.boxes.get(address, []))


def register(office: PostOffice, address: str = EVE, name: str = "Eve") -> None:
    """Make somebody a player, by mail."""
    write(office, address, f"register {name}")
    assert reply(office, newest(office, address)).code == 250


def player(office: PostOffice, address: str) -> int:
    """The number of the player with this address."""
    with office.ledger.read() as tx:
        known = tx.address(address)
    assert known
    return known.player_id


def as_sent(mail: EmailMessage) -> str:
    """The text of a mail with its no-break spaces."""
    part = mail.get_body(("plain",))
    assert part
    return str(part.get_content())
