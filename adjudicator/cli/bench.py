"""`adjudicator bench`: how fast this machine lists, applies, replays and takes mails, in JSON."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.root import say_json
from adjudicator.cli.stress import crashed, flooded

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
    flood = "flood"
    crash = "crash"


def bench(
    what: Annotated[What, typer.Argument(help="What to measure; `all` leaves flood and crash out.")] = What.all,
    rounds: Annotated[int, typer.Option(min=1, help="How often mails are measured; the median counts.")] = 5,
    mails: Annotated[int, typer.Option(min=1, help="flood: how many mails.")] = 10_000,
    connections: Annotated[int, typer.Option(min=1, help="flood: over how many connections.")] = 50,
    times: Annotated[int, typer.Option(min=1, help="crash: how often the service is killed.")] = 200,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="crash: an empty database, else SQLite's.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option(help="flood, crash: the number that chance follows from.")] = None,
) -> None:
    """Measure and print JSON: listing beside python-chess, mails beside a bare aiosmtpd, both in the same run.

    `flood` sends thousands of mails at once, half of them rubbish; `crash` kills the service again and again. Exit code
    1 if anything is lost, done twice or half done, or if the memory grows.
    """
    if what is What.flood:
        return flooded(mails, connections, seed)
    if what is What.crash:
        return crashed(times, database, seed)
    measures: dict[What, Callable[[], Any]] = {
        What.listing: _listing,
        What.apply: _applying,
        What.replay: _replaying,
        What.mail: lambda: _mail(rounds),
    }
    chosen = measures if what is What.all else {what: measures[what]}
    return say_json({name.value: measure() for name, measure in chosen.items()})


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
