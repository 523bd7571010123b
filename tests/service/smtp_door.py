"""A post office behind a real socket: what `serve` listens with, in a thread of its own."""

import asyncio
import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from post_office import PostOffice

from adjudicator.mail.listener import Listener
from adjudicator.mail.session import Reply
from adjudicator.service.door import Door
from adjudicator.service.receive import receive

WAIT = 20  # seconds until a test gives up on the other side


class SmtpDoor:
    """Sends bytes to a post office by SMTP, then delivers what they caused."""

    def __init__(self, office: PostOffice, port: int) -> None:
        self.office = office
        self.port = port

    def send(self, raw: bytes, rcpt: str, mail_from: str) -> tuple[int, str]:
        """Hand one mail over as a mail server does; returns the last reply."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=WAIT) as client:
            client.ehlo("relay.example.net")
            for reply in (client.mail(mail_from), client.rcpt(rcpt)):
                if reply[0] != 250:
                    return reply[0], reply[1].decode()
            code, text = client.data(raw)
        self.office.deliver()
        return code, text.decode()


@contextmanager
def smtp_door(office: PostOffice, threads: int = 0) -> Iterator[SmtpDoor]:
    """Listen for as long as the context lasts; with `threads` mails are received in so many at once."""

    def take(raw: bytes, rcpt: str, mail_from: str, _now: datetime) -> Reply:
        office.now += timedelta(minutes=1)
        return receive(office.config, office.ledger, raw, rcpt, mail_from, office.now)

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(WAIT)

    listener = Listener(take, Door(office.config, office.ledger).knows, domain=office.config.domain, threads=threads)
    try:
        _, port = run(listener.start())
        yield SmtpDoor(office, port)
    finally:
        run(listener.stop(1))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(WAIT)
        loop.close()
