"""A player who knows the game only by mail: reads a Maildir, answers by SMTP."""

import smtplib
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import format_datetime, make_msgid
from pathlib import Path

import msgspec

WAITING_SECONDS = 30.0
_LOOKING_SECONDS = 0.005


class Mail(msgspec.Struct, frozen=True):
    """A mail that was read."""

    subject: str
    message_id: str
    in_reply_to: str
    reply_to: str
    text: str


class Correspondent:
    """The owner of `address`; `port` is that of the service on this machine."""

    def __init__(self, address: str, name: str, maildir: Path, port: int) -> None:
        self.address = address
        self.name = name
        self.sent: list[str] = []
        self.got: list[Mail] = []
        self._maildir = maildir
        self._seen: set[str] = set()
        self._server = smtplib.SMTP("127.0.0.1", port, local_hostname="client.example.org", timeout=WAITING_SECONDS)

    def close(self) -> None:
        """Say goodbye to the service."""
        self._server.quit()

    def newest(self, game: str, seq: int) -> Mail:
        """Wait for the mail about position `seq` of a game, and return it.

        Raises: TimeoutError if none comes.
        """
        return self._wait(lambda mail: mail.reply_to.startswith(f"{game}.{seq}-"), f"position {seq} of game {game}")

    def answer_to(self, message_id: str) -> Mail:
        """Wait for the answer to a mail of one's own, and return it.

        Raises: TimeoutError if none comes.
        """
        return self._wait(lambda mail: mail.in_reply_to == message_id, message_id)

    def _wait(self, wanted: Callable[[Mail], bool], what: str) -> Mail:
        begin = time.monotonic()
        while time.monotonic() - begin < WAITING_SECONDS:
            self._look()
            for mail in reversed(self.got):
                if wanted(mail):
                    return mail
            time.sleep(_LOOKING_SECONDS)
        raise TimeoutError(f"no mail about {what} came to {self.address}")

    def reply(self, mail: Mail, orders: str) -> str:
        """Answer a mail above its quoted text, as mail programs do; returns the Message-ID."""
        answer = EmailMessage()
        answer["From"] = f"{self.name} <{self.address}>"
        answer["To"] = mail.reply_to
        answer["Subject"] = f"Re: {mail.subject}"
        answer["Date"] = format_datetime(datetime.now(UTC))
        answer["Message-ID"] = message_id = make_msgid(domain=self.address.rpartition("@")[2])
        answer["In-Reply-To"] = answer["References"] = mail.message_id
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        answer.set_content(f"{orders.strip()}\n\nBest wishes\n{self.name}\n\n{quoted}", charset="utf-8", cte="8bit")
        self._server.send_message(answer, self.address, [mail.reply_to])
        self.sent.append(message_id)
        return message_id

    def _look(self) -> None:
        """Read what is new in the Maildir, the oldest first."""
        new = self._maildir / "new"
        if not new.is_dir():
            return
        fresh = [path for path in new.iterdir() if path.name not in self._seen]
        for path in sorted(fresh, key=lambda one: one.stat().st_mtime_ns):
            self._seen.add(path.name)
            message = BytesParser().parsebytes(path.read_bytes())
            if message["Delivered-To"] == self.address:
                self.got.append(_read(message))


def _read(message: Message) -> Mail:
    body = next(part for part in message.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
    assert isinstance(body, bytes)
    return Mail(
        subject=str(make_header(decode_header(message["Subject"]))),
        message_id=message["Message-ID"],
        in_reply_to=message["In-Reply-To"] or "",
        reply_to=message["Reply-To"],
        text=body.decode("utf-8"),
    )
