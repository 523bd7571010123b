"""`bench flood` and `bench crash`: what the service is made to bear, in JSON."""

from typing import Any

import typer

from adjudicator.cli.root import say_json, warn

TOLD_EACH = 10


def flooded(mails: int, connections: int, seed: int | None) -> None:
    """Flood a service and print what came of it.

    Raises: Exit with code 1 if it did not bear that.
    """
    from adjudicator.stress.flood import flood  # noqa: PLC0415 - slow to load

    _tell("flood", flood(mails, connections, seed))


def crashed(times: int, database: str | None, seed: int | None) -> None:
    """Kill a service so many times and print what came of it; how far it is, is told on stderr.

    Raises: Exit with code 1 if a mail was lost, done twice or half done.
    """
    from adjudicator.stress.crash import crash  # noqa: PLC0415 - slow to load

    _tell("crash", crash(times, database, seed, _progress))


def _progress(done: int, times: int) -> None:
    if done % TOLD_EACH == 0:
        warn(f"{done} of {times} kills")


def _tell(name: str, found: dict[str, Any]) -> None:
    say_json({name: found})
    if not found["ok"]:
        raise typer.Exit(1)
