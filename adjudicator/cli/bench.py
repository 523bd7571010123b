"""`adjudicator bench`: how fast this machine lists, applies, replays and takes mails, in JSON."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.root import say_json

if TYPE_CHECKING:
    from collections.abc import Callable

REPLAYED_TURNS = 180


class What(StrEnum):
    """What can be measured."""

    listing = "listing"
    apply = "apply"
    replay = "replay"
    mail = "mail"
    all = "all"


def bench(
    what: Annotated[What, typer.Argument(help="What to measure.")] = What.all,
    rounds: Annotated[int, typer.Option(min=1, help="How often mails are measured; the median counts.")] = 5,
) -> None:
    """Measure and print JSON: listing beside python-chess, mails beside a bare aiosmtpd, both in the same run."""
    measures: dict[What, Callable[[], Any]] = {
        What.listing: _listing,
        What.apply: _applying,
        What.replay: _replaying,
        What.mail: lambda: _mail(rounds),
    }
    chosen = measures if what is What.all else {what: measures[what]}
    say_json({name.value: measure() for name, measure in chosen.items()})


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
