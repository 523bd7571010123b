"""`record replay` and `record verify`: recorded games against the rules and against their seed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.root import read_file, say, warn
from adjudicator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.game.replay import Replay

record = typer.Typer(name="record", help="Recorded games.", no_args_is_help=True, rich_markup_mode=None)

MOST_TOLD = 20
"""No more mismatches of one record are printed."""


@record.command("replay")
def replay_records(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Records (afas-record/1).")] = None,
    *,
    stored: Annotated[bool, typer.Option("--stored", help="All games of the database instead.")] = False,
) -> None:
    """Play records again and compare every state; exit code 0 only if none differs."""
    if stored == bool(files):
        raise typer.BadParameter("either files or --stored.", param_hint="FILE")
    if stored:
        raise typer.Exit(0 if _replayed_stored() else 1)
    from adjudicator.game.record import read_record  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.game.replay import replay  # noqa: PLC0415

    clean = True
    for file in files or ():
        try:
            found = read_record(read_file(file), str(file))
            clean &= _told(found.id, replay(found))
        except UsageError as error:
            warn(f"Error: {error}")
            clean = False
    raise typer.Exit(0 if clean else 1)


@record.command("verify")
def verify_record(file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of a finished game.")]) -> None:
    """Check every shuffle of a finished game against the commitment made at its start."""
    from adjudicator.game.record import read_record  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.game.verify import verify  # noqa: PLC0415

    found = read_record(read_file(file), str(file))
    clean = _told(found.id, verify(found))
    if clean:
        shuffles = found.turns[-1].after.shuffles if found.turns else found.start.shuffles
        say(f"{found.id}: the seed is the committed one, and all {shuffles} shuffles follow from it")
    raise typer.Exit(0 if clean else 1)


def _replayed_stored() -> bool:
    """Play all games of the database again; returns whether all come out as they are stored."""
    from adjudicator.cli.opening import service  # noqa: PLC0415 - slow to load
    from adjudicator.service.gate import replay_stored  # noqa: PLC0415

    with service() as opened, opened.ledger.read() as tx:
        same = [_lines(one.game, one.turns, one.differences) for one in replay_stored(tx)]
    return all(same)


def _told(name: str, result: "Replay") -> bool:
    """Print a line about a record and one for each mismatch; returns whether there is none."""
    return _lines(name, result.turns, result.mismatches)


def _lines(name: str, turns: int, found: "Sequence[object]") -> bool:
    say(f"{name}: {turns} turns, {len(found)} mismatches")
    for mismatch in found[:MOST_TOLD]:
        say(f"  {mismatch}")
    if len(found) > MOST_TOLD:
        say(f"  and {len(found) - MOST_TOLD} more")
    return not found
