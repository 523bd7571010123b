"""`adjudicator demo`: a whole game by real mails, stored, replayed and verified; or a recorded game played by mail."""

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.root import read_file, read_seed

SEED = "0123456789abcdef" * 4
"""Without `--seed` each demo plays the same game."""


def demo(
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play this recorded game by mail and compare every state.")
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Play another game: 64 hex digits.")] = None,
) -> None:
    """Play a whole game by real mails in a fresh folder, then replay it and verify its shuffles."""
    from adjudicator.demo.show import show_house_game, show_recorded_game  # noqa: PLC0415 - slow to load
    from adjudicator.game.record import read_record  # noqa: PLC0415
    from adjudicator.settings import load_settings  # noqa: PLC0415

    if record and seed:
        raise typer.BadParameter("a recorded game brings its own draws.", param_hint="--seed")
    data = load_settings().data
    if record:
        show_recorded_game(data, read_record(read_file(record), str(record)))
    else:
        show_house_game(data, read_seed(seed) or bytes.fromhex(SEED))
