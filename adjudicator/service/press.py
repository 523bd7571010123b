"""Words of a player to others, passed on so that nobody learns an address, and in anonymous games no name.

Promise: the answer to their writer shows exactly what was passed on.
"""

import re
from collections.abc import Iterable

from adjudicator.game.model import Side
from adjudicator.orders import Order
from adjudicator.service.addresses import without_secrets
from adjudicator.service.changes import Changes
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import SeatRow

_ADDRESS = re.compile(r"\S+@\S+\.\w+")
_CLOSING = re.compile(
    r"\W*(?:(?:with )?(?:best|kind|kindest|warm|many) (?:regards|wishes|greetings)|regards|cheers|sincerely|greetings"
    r"|yours(?: \w+)?|all the best|best|see you|bye|ciao"
    r"|(?:mit )?(?:freundlichen?|vielen?|liebe[nr]?|besten?|schönen?) gr(?:ü|ue)(?:ß|ss)en?|gru(?:ß|ss)"
    r"|cordialement|amicalement|saludos|mfg|lg)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_MOST_BEHIND = 4
"""A line that begins as a closing formula and goes on for more words is a sentence."""
_SHORTEST = 3
"""Letters of a part of a name that is looked for by itself."""


def passed_on(changes: Changes, side: Side, orders: Iterable[Order]) -> str:
    """What of a side's words goes to the other side; "" if nothing is left."""
    text = without_secrets("\n\n".join(order.argument for order in orders))
    if changes.game.row.anonymous:
        text = nameless(text, _names(changes.tx, changes.game.seats[side]))
    return text.strip()


def nameless(text: str, names: Iterable[str]) -> str:
    """The words without any of these names, without addresses, and without whatever follows a closing formula."""
    lines = text.splitlines()
    end = next((number for number, line in enumerate(lines) if _closes(line)), len(lines))
    kept = _ADDRESS.sub("(an address)", "\n".join(lines[:end]))
    for name in sorted(set(names), key=len, reverse=True):
        kept = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(a name)", kept, flags=re.IGNORECASE)
    return kept


def _closes(line: str) -> bool:
    found = _CLOSING.match(line)
    return found is not None and len(found["rest"].split()) <= _MOST_BEHIND


def _names(tx: Transaction, seat: SeatRow) -> list[str]:
    """The name of who sits there, its parts, and the local parts of his addresses."""
    whole = (seat.name or "").strip()
    boxes = [row.address.partition("@")[0] for row in tx.addresses(seat.player_id)] if seat.player_id else []
    return [one for one in (whole, *re.split(r"[\s.'-]+", whole), *boxes) if len(one) >= _SHORTEST]
