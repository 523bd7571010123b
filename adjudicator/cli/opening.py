"""The service as commands open it."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from adjudicator.cli.root import warn

if TYPE_CHECKING:
    from adjudicator.service.moderate import Warrant
    from adjudicator.service.running import Service


@contextmanager
def service() -> Iterator["Service"]:
    """Open the service by its settings.

    Raises: UsageError for wrong settings, Unavailable if the database cannot be used.
    """
    from adjudicator.service.running import opened  # noqa: PLC0415 - slow to load
    from adjudicator.settings import load_settings  # noqa: PLC0415

    with opened(load_settings(), warn) as found:
        yield found


def warrant(why: str, at: int | None = None, now: datetime | None = None) -> "Warrant":
    """Return who does what now, for the audit log."""
    from adjudicator.service.moderate import Warrant  # noqa: PLC0415 - slow to load

    return Warrant(_who(), why, now or datetime.now(UTC), at)


def _who() -> str:
    """Return the name of the user on this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
