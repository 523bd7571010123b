"""What the reader makes of a mail, judged: read as meant, misread, crashed, or slow."""

import time
from datetime import UTC, datetime

import msgspec

from adjudicator.errors import Unreadable
from adjudicator.mail import letter as letter_module
from adjudicator.mail.letter import Letter, read_letter
from adjudicator.orders import Reading, read

NOW = datetime(2031, 3, 1, 20, tzinfo=UTC)
SLOW_SECONDS = 2.0  # of CPU, for one mail


class _Never(Exception):  # noqa: N818
    """Stands in for Exception, so that the net below the reader does not hide its faults."""


class Seen(msgspec.Struct, frozen=True):
    """One mail read; `letter` and `reading` are None if it was refused as unreadable."""

    letter: Letter | None
    reading: Reading | None
    seconds: float


def see(raw: bytes, mail_from: str = "ann@example.org") -> Seen:
    """Read a mail and its orders, with no net below.

    Raises: whatever the reader raises besides Unreadable.
    """
    began = time.process_time()
    letter_module.Exception = _Never  # type: ignore[attr-defined]
    try:
        letter = read_letter(raw, rcpt="g17.3-abcd@play.example.org", mail_from=mail_from, received_at=NOW)
        reading = read([(line.number, line.text) for line in letter.lines if line.kind == "own"], "british")
    except Unreadable:
        letter = reading = None
    finally:
        del letter_module.Exception  # type: ignore[attr-defined]
    return Seen(letter, reading, time.process_time() - began)


def ordered(reading: Reading | None) -> list[tuple[object, ...]]:
    """What a reading orders, in a form that two of them can be compared by."""
    if reading is None:
        return [("unreadable",)]
    orders: list[tuple[object, ...]] = [
        (order.word, order.target, order.cards, order.argument) for order in reading.orders
    ]
    return [
        *orders,
        *(("refused",) for _ in reading.refused),
        *(("standing",) for _ in reading.standing),
    ]
