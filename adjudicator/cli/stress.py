"""`bench flood`, `crash`, `correspondence`, `season`: what the service is made to bear, in JSON."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.cli.root import read_file, say_json, warn

TOLD_EACH = 10

Seed = Annotated[int | None, typer.Option(help="The number that chance follows from.", show_default=False)]
Database = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="An empty database, else SQLite's.", show_default=False)
]


def flood(
    mails: Annotated[int, typer.Option(min=1, help="How many mails.")] = 10_000,
    connections: Annotated[int, typer.Option(min=1, help="Over how many connections.")] = 50,
    seed: Seed = None,
) -> None:
    """Send thousands of mails at once, half of them rubbish; exit 1 if an order is lost, or if the memory grows."""
    from adjudicator.stress.flood import flood  # noqa: PLC0415 - slow to load

    _tell("flood", flood(mails, connections, seed))


def crash(
    times: Annotated[int, typer.Option(min=1, help="How often the service is killed.")] = 200,
    database: Database = None,
    seed: Seed = None,
) -> None:
    """Kill the service again and again under load; exit 1 if a mail was lost, done twice or half done."""
    from adjudicator.stress.crash import crash  # noqa: PLC0415 - slow to load

    _tell("crash", crash(times, database, seed, _progress("kills")))


class Ahead(StrEnum):
    """Which reactions a player speaks of before they are due."""

    needed = "needed"
    all = "all"
    never = "never"


def correspondence(
    records: Annotated[list[Path], typer.Argument(metavar="RECORD...", help="Records (afas-record/1).")],
    ahead: Annotated[
        Ahead,
        typer.Option(help="Reactions said as standing orders: where the defaults would not do, all, or none (asked)."),
    ] = Ahead.needed,
) -> None:
    """Play recorded games by mail, one mail a turn; exit 1 if a state differs from the recorded one."""
    from adjudicator.game.record import read_record  # noqa: PLC0415 - slow to load
    from adjudicator.stress.correspondence import correspondence  # noqa: PLC0415

    found = [read_record(read_file(path), str(path)) for path in records]
    _tell("correspondence", correspondence(found, ahead.value))


def season(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 200,
    database: Database = None,
    seed: Seed = None,
) -> None:
    """Play a season by mail in made-up time, with all that goes wrong; exit 1 if the service does something wrong."""
    from adjudicator.stress.season import season  # noqa: PLC0415 - slow to load

    _tell("season", season(games, database, seed, _progress("games")))


def _progress(what: str) -> Callable[[int, int], None]:
    """How far a long run is, told on stderr."""

    def told(done: int, times: int) -> None:
        if done % TOLD_EACH == 0:
            warn(f"{done} of {times} {what}")

    return told


def _tell(name: str, found: dict[str, Any]) -> None:
    say_json({name: found})
    if not found["ok"]:
        raise typer.Exit(1)
