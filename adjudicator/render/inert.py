"""The check that nothing we write can come back as an order.

Mail programs quote, re-wrap and strip what we wrote. The cut line and the quote signs should keep our words
out of an answer; this is the second wall, for the day on which both are lost.
"""

import re
import textwrap
from collections.abc import Iterator

from adjudicator.game.model import SIDES
from adjudicator.orders import read

NARROWEST, WIDEST = 60, 78
"""The columns at which mail programs re-wrap what they quote."""
_LEAD = re.compile(r"^[\s>|*•·–—-]+")  # noqa: RUF001 - the bullets and dashes of mail programs


def assert_inert(text: str, harmless: set[str] | None = None) -> None:
    """Check that no line of a mail's text is read as an order, however it is quoted back.

    `harmless` collects the lines that have been read; give the same set for several mails to read each line once.
    Raises: AssertionError that names the line and the shape in which it would be an order.
    """
    seen = set() if harmless is None else harmless
    for shape, lines in _shapes(text):
        plain = [_LEAD.sub("", line).replace("\u00a0", " ") for line in lines]
        fresh = [(number, line) for number, line in enumerate(plain, 1) if line not in seen]
        seen.update(plain)
        for side in SIDES:
            reading = read(fresh, side)
            found = [*(order.text for order in reading.orders), *(fault.text for fault in reading.refused)]
            assert not found, f"{shape}, {side}: would be read as orders: {found}"
            assert not reading.ahead, f"{shape}, {side}: would be read as orders for the next turn"
            assert not reading.clears_ahead, f"{shape}, {side}: would take back the orders for the next turn"
            assert not reading.standing, f"{shape}, {side}: would be read as standing orders"


def _shapes(text: str) -> Iterator[tuple[str, list[str]]]:
    """The text as it may come back: as it is, or re-wrapped at each width, by lines or by paragraphs."""
    lines = text.splitlines()
    yield "as it stands", lines
    paragraphs = [part.replace("\n", " ") for part in re.split(r"\n\s*\n", text)]
    for width in range(NARROWEST, WIDEST + 1):
        yield f"each line at {width}", [part for line in lines for part in textwrap.wrap(line, width)]
        yield f"joined at {width}", [part for line in paragraphs for part in textwrap.wrap(line, width)]
