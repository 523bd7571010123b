"""Where mails to try come from, and what each must be read as."""

from collections.abc import Iterator
from pathlib import Path

from adjudicator.orders import read
from letters.our_mails import our_mails
from letters.quoting import quoted_back
from letters.reading import Seen, ordered
from letters.shapes import ORDERS, order_mail

__all__ = ["corpus", "order_mail", "orders_nothing", "our_mails", "quoted_back", "says_the_orders"]

MAILS = Path(__file__).parents[1] / "mails"
MEANT = ordered(read("\n".join(ORDERS), "british"))


def corpus() -> Iterator[tuple[str, bytes]]:
    """The project's own mails."""
    for path in sorted(MAILS.glob("*.eml")):
        yield path.stem, path.read_bytes()


def says_the_orders(seen: Seen) -> bool:
    """Whether a mail was read as ORDERS, and as a person's."""
    return seen.letter is not None and seen.letter.automatic is None and ordered(seen.reading) == MEANT


def orders_nothing(seen: Seen) -> bool:
    """Whether nothing in a mail about other things was taken for an order, a refused one included."""
    return seen.reading is None or not ordered(seen.reading)
