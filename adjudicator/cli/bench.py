"""`adjudicator bench`: how fast this machine lists, applies, replays and takes mails, and what it bears, in JSON."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli import stress
from adjudicator.cli.root import say_json

if TYPE_CHECKING:
    from collections.abc import Callable

REPLAYED_TURNS = 180

Rounds = Annotated[int, typer.Option(min=1, help="How often mails are measured; the median counts.")]

bench = typer.Typer(
    name="bench",
    help="Measures, in JSON; without a name listing, apply, replay and mail.",
    invoke_without_command=True,
    rich_markup_mode=None,
)
for command in (stress.flood, stress.crash, stress.correspondence, stress.season):
    bench.command()(command)


@bench.callback()
def every(context: typer.Context, rounds: Rounds = 5) -> None:
    """Measure and print JSON: listing beside python-chess, mails beside a bare aiosmtpd, both in the same run."""
    if context.invoked_subcommand is None:
        measure_all(rounds)


@bench.command("all")
def measure_all(rounds: Rounds = 5) -> None:
    """Measure listing, apply, replay and mail."""
    measures: dict[str, Callable[[], Any]] = {
        "listing": _listing, "apply": _applying, "replay": _replaying, "mail": lambda: _mail(rounds),
    }  # fmt: skip
    say_json({name: measure() for name, measure in measures.items()})


@bench.command()
def listing() -> None:
    """Measure how fast legal actions are listed, beside python-chess."""
    say_json({"listing": _listing()})


@bench.command()
def apply() -> None:
    """Measure how long it takes to carry an action out."""
    say_json({"apply": _applying()})


@bench.command()
def replay() -> None:
    """Measure how long a long game takes to replay."""
    say_json({"replay": _replaying()})


@bench.command()
def mail(rounds: Rounds = 5) -> None:
    """Measure what an order mail costs, beside a bare aiosmtpd."""
    say_json({"mail": _mail(rounds)})


def _listing() -> Any:  # noqa: ANN401 - numbers by name
    from adjudicator.bench import listing  # noqa: PLC0415 - each loads what the others need not

    return listing()


def _applying() -> Any:  # noqa: ANN401
    from adjudicator.bench import applying  # noqa: PLC0415

    return applying()


def _replaying() -> Any:  # noqa: ANN401
    from adjudicator.replay_bench import replaying  # noqa: PLC0415

    return replaying(REPLAYED_TURNS)


def _mail(rounds: int) -> Any:  # noqa: ANN401
    from adjudicator.mail_bench import mail  # noqa: PLC0415

    return mail(rounds)
