"""What a moderator's deed changes, as commands print it."""

from datetime import datetime

from adjudicator.cli.shapes import JsonObject
from adjudicator.cli.told import cut, time_json
from adjudicator.service.trial import Deed


def deed_json(deed: Deed) -> JsonObject:
    """Return a deed; each change is the value before and the one after."""
    return {
        "game": deed.game,
        "dry_run": deed.dry_run,
        "changes": {what: [_plain(before), _plain(after)] for what, (before, after) in deed.changes.items()},
        "mails": [{"side": one.to, "address": one.address, "subject": one.subject} for one in deed.mails],
    }


def deed_text(deed: Deed) -> str:
    """Return a deed for a person to read."""
    lines = [f"{deed.game}: nothing was done; this would change:" if deed.dry_run else deed.game]
    for what, (before, after) in deed.changes.items():
        lines.append(f"  {what.replace('_', ' ')}: {_short(before)} -> {_short(after)}")
    lines += [f"  mail to {one.address}: {cut(one.subject, 60)}" for one in deed.mails]
    return "\n".join(lines)


def _plain(value: object) -> object:
    return time_json(value) if isinstance(value, datetime) else value


def _short(value: object) -> str:
    return cut(str(_plain(value) if value not in (None, "") else "-"), 40)
