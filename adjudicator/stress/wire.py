"""One SMTP connection, spoken by hand: it can say what no mail program says."""

import socket
from typing import NamedTuple

PATIENCE = 60.0  # seconds


class Envelope(NamedTuple):
    """A mail with its sender and its only recipient."""

    mail_from: str
    rcpt: str
    raw: bytes


class Wire:
    """A connection to a port of this machine.

    Raises: OSError, here and in each method, if the other side is gone.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def greet(self) -> None:
        """Hear the greeting and say hello."""
        self.hear()
        self.ask("EHLO client.example.org")

    def say(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def hear(self) -> str:
        """Return the last line of the next reply.

        Raises: ConnectionError if the other side has hung up.
        """
        while line := self._file.readline():
            if line[3:4] != b"-":
                return line.decode("ascii", "replace").rstrip()
        raise ConnectionResetError("the other side has hung up")

    def ask(self, line: str) -> str:
        """Say a command, hear the reply."""
        self.say(line.encode("utf-8", "surrogateescape") + b"\r\n")
        return self.hear()

    def send(self, mail: Envelope) -> str:
        """Send a mail; returns the reply that decided: to the recipient if that was refused, else to the mail."""
        for line in (f"MAIL FROM:<{mail.mail_from}>", f"RCPT TO:<{mail.rcpt}>", "DATA"):
            reply = self.ask(line)
            if reply[0] not in "23":
                self.ask("RSET")
                return reply
        self.say(stuffed(mail.raw) + b".\r\n")
        return self.hear()

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()


def stuffed(raw: bytes) -> bytes:
    """The bytes of a mail as they follow DATA (RFC 5321 section 4.5.2), with a line end at the end."""
    text = raw.replace(b"\r\n.", b"\r\n..")
    return (b"." + text if text.startswith(b".") else text) + (b"" if text.endswith(b"\r\n") else b"\r\n")
