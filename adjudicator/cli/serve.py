"""`serve`: the running process."""

import logging
import sys
from typing import Annotated, Literal

import typer

from adjudicator.cli.root import say, warn

LevelName = Literal["debug", "info", "warning", "error"]


def serve(
    log_level: Annotated[LevelName, typer.Option(help="What is logged on stderr.")] = "info",
) -> None:
    """Receive mails, play, send and keep the clock, until SIGTERM or Ctrl-C."""
    logging.basicConfig(
        stream=sys.stderr,
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells each step of an upgrade

    from adjudicator.service import serving  # noqa: PLC0415 - slow to load
    from adjudicator.service.running import opened  # noqa: PLC0415
    from adjudicator.settings import load_settings  # noqa: PLC0415

    with opened(load_settings(), warn, upgrading=True) as found:
        serving.serve(found, _ready)


def _ready(line: str) -> None:
    say(line)
    sys.stdout.flush()
