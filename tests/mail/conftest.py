"""A listener on a real socket, in a thread of its own, and a client that speaks by hand."""

import asyncio
import socket
import threading
from contextlib import contextmanager

import pytest

from adjudicator.mail.listener import Listener, Reply

WAIT = 10  # seconds until a test gives up on the other side


class Served:
    """A running listener, the mails it received, and what it answers to the next ones."""

    def __init__(self, **options):
        self.mails = []
        self.reply = lambda _rcpt: Reply(250, "2.0.0 OK")
        known = options.pop("knows", lambda rcpt: not rcpt.startswith("nobody"))
        self.listener = Listener(self._receive, known, domain="mx.example.org", **options)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.address = self.run(self.listener.start())

    def _receive(self, raw, rcpt, mail_from, received_at):
        assert received_at.tzinfo is not None
        reply = self.reply(rcpt)
        self.mails.append((raw, rcpt, mail_from))
        return reply

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(WAIT)

    def start_stop(self, seconds):
        return asyncio.run_coroutine_threadsafe(self.listener.stop(seconds), self.loop)

    def close(self):
        self.start_stop(0.1).result(WAIT)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(WAIT)
        self.loop.close()

    @contextmanager
    def client(self):
        host, port = self.address
        if port:
            raw = socket.create_connection((host, port), timeout=WAIT)
        else:
            raw = socket.socket(socket.AF_UNIX)
            raw.settimeout(WAIT)
            raw.connect(host)
        client = Client(raw)
        try:
            yield client
        finally:
            client.close()


class Client:
    """Says bytes, hears replies."""

    def __init__(self, raw):
        self.socket = raw
        self.file = raw.makefile("rb")

    def say(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode() + b"\r\n")

    def hear(self):
        """Return the next reply, its lines joined; "" when the other side has hung up."""
        lines = []
        while True:
            try:
                line = self.file.readline().decode()
            except ConnectionError:
                line = ""
            lines.append(line.rstrip("\r\n"))
            if len(line) < 4 or line[3] != "-":
                return "\n".join(lines)

    def ask(self, text):
        self.say(text)
        return self.hear()

    def talk(self, script):
        """Go through lines of a conversation: `C: ` is said, `S: ` must begin the reply."""
        for line in script.strip().splitlines():
            who, text = line.strip()[0], line.strip()[3:]
            if who == "C":
                self.say(text)
            else:
                reply = self.hear()
                assert reply.startswith(text), f"expected {text!r}, heard {reply!r}"

    def greet(self, hello="EHLO"):
        assert self.hear().startswith("220 ")
        return self.ask(f"{hello} client.example.net")

    def envelope(self, *rcpts, mail_from="ann@example.net"):
        assert self.ask(f"MAIL FROM:<{mail_from}>").startswith("250")
        for rcpt in rcpts or ("game@example.org",):
            assert self.ask(f"RCPT TO:<{rcpt}>").startswith("250")

    def begin_data(self, *rcpts):
        self.envelope(*rcpts)
        assert self.ask("DATA").startswith("354")

    def close(self):
        self.file.close()
        self.socket.close()


@pytest.fixture
def serve():
    """Return a function that starts a listener; all are stopped at the end."""
    served = []

    def start(**options):
        served.append(Served(**options))
        return served[-1]

    yield start
    for one in served:
        one.close()


@pytest.fixture
def client(serve):
    """Return a client that has greeted, and the mails of its listener as `client.mails`."""
    server = serve()
    with server.client() as one:
        one.greet()
        one.server = server
        one.mails = server.mails
        yield one
