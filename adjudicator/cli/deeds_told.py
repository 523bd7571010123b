"""What a moderator's deed changes, as commands print it."""

from datetime import datetime

from adjudicator.cli.shapes import JsonObject
from adjudicator.cli.told import cut, time_json
from adjudicator.render.words import span
from adjudicator.service.trial import Deed

_SECONDS = "_seconds"
"""How the name of what is a number of seconds ends."""


def deed_json(deed: Deed) -> JsonObject:
    """Return a deed; each change is the value before and the one after."""
    return {
        "game": deed.game,
        "dry_run": deed.dry_run,
        "changes": {what: [_plain(before), _plain(after)] for what, (before, after) in deed.changes.items()},
        "mails": [{"side": one.to, "address": one.address, "subject": one.subject} for one in deed.mails],
        **({"orders": deed.orders} if deed.orders else {}),
    }


def deed_text(deed: Deed) -> str:
    """Return a deed for a person to read."""
    lines = [f"{deed.game}: nothing was done; this would change:" if deed.dry_run else deed.game]
    lines += [f"  {what.replace('_', ' ')}: {order}" for what, orders in deed.orders.items() for order in orders]
    for what, (before, after) in deed.changes.items():
        name = what.removesuffix(_SECONDS).replace("_", " ")
        shown = _span if what.endswith(_SECONDS) else _short
        lines.append(f"  {name}: {shown(before)} -> {shown(after)}")
    lines += [f"  mail to {one.address}: {cut(one.subject, 60)}" for one in deed.mails]
    return "\n".join(lines)


def time_left(deed: Deed, side: str) -> str:
    """Return what a side has after a deed that changed its time, and up to when or from when on."""
    _, left = deed.changes.get(f"time_of_{side}{_SECONDS}", (None, None))
    if left is None:
        return ""
    _, until = deed.changes.get("deadline", (None, None))
    if deed.status == "paused":
        return f": {_span(left)} once it is resumed"
    return f": {_span(left)}, up to {_plain(until)}" if until else f": {_span(left)}"


def _span(seconds: object) -> str:
    return span(seconds) if isinstance(seconds, int) else "-"


def _plain(value: object) -> object:
    return time_json(value) if isinstance(value, datetime) else value


def _short(value: object) -> str:
    return cut(str(_plain(value) if value not in (None, "") else "-"), 40)
