"""`game …`: the powers of moderators. Each takes --why, --at and --dry-run, and both players are told by mail."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from adjudicator.cli.root import At, Json, Why, given_text, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.service.changes import Changes

moderating = typer.Typer()

Name = Annotated[str, typer.Argument(metavar="ID", help="The game, like g1.")]
SideName = Literal["british", "french"]
OneSide = Annotated[SideName, typer.Option("--side", help="Whose.")]
Told = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log and told to both players.")]
ToldOne = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log and told to that side.")]
Reason = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, told to both players.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would change and which mails would go out.")]


def _carry_out(  # noqa: PLR0913 - options
    power: "Callable[..., Changes]",
    name: str,
    *more: Any,  # noqa: ANN401 - what this power needs besides
    why: str,
    at: int | None,
    dry_run: bool,
    json: bool,
    done: str,
    time_of: str = "",
) -> None:
    """Use a power, tell what came of it, and deliver the mails; `time_of` is a side whose time it changes."""
    from adjudicator.cli import deeds_told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415
    from adjudicator.service.trial import carrying_out, deed_of  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why, at)
        with carrying_out(opened.ledger, dry_run=dry_run) as tx:
            told = deed_of(power(opened.config, tx, name, *more, deed), dry_run=dry_run)
        if not dry_run:
            deliver_caused(opened, deed.now)
    if json:
        say_json(deeds_told.deed_json(told))
    else:
        say(deeds_told.deed_text(told) if dry_run else f"{name} {done}{deeds_told.time_left(told, time_of)}")


@moderating.command("pause")
def pause_game(name: Name, why: Told = "", at: At = None, *, dry_run: DryRun = False, json: Json = False) -> None:
    """Pause a running game: orders are refused and no time runs until `game resume`."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    _carry_out(powers.pause, name, why=why, at=at, dry_run=dry_run, json=json, done="is paused")


@moderating.command("resume")
def resume_game(name: Name, why: Told = "", at: At = None, *, dry_run: DryRun = False, json: Json = False) -> None:
    """Let a paused game go on; the time of the pause is charged to nobody."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    _carry_out(powers.resume, name, why=why, at=at, dry_run=dry_run, json=json, done="goes on")


def _time_told(text: str) -> str:
    """A time as one says it; what is no time as it was written, for the command to refuse."""
    from adjudicator.league.clock import parse_span  # noqa: PLC0415 - slow to load
    from adjudicator.render.words import span  # noqa: PLC0415 - slow to load

    try:
        return span(parse_span(text))
    except ValueError:
        return text


@moderating.command("extend")
def extend_time(
    name: Name,
    side: OneSide,
    by: Annotated[str, typer.Option(metavar="TIME", help="How much more, like 3d or 12h.")],
    why: Told = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Give a side more time."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    done = f"the {side.capitalize()} have {_time_told(by)} more"
    _carry_out(powers.more_time, name, side, by, why=why, at=at, dry_run=dry_run, json=json, done=done, time_of=side)


@moderating.command("clock")
def edit_clock(  # noqa: PLR0913 - options
    name: Name,
    side: Annotated[SideName | None, typer.Option(help="Whose time, with --left.")] = None,
    left: Annotated[str | None, typer.Option(metavar="TIME", help="What that side has left from now, like 5d.")] = None,
    spec: Annotated[str | None, typer.Option(metavar="SPEC", help="Another clock, like 10d+1d/14d or none.")] = None,
    why: Told = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Set what a side has left of its time, or give the game another clock."""
    if (spec is None) == (left is None) or (left is None) != (side is None):
        raise typer.BadParameter("either --spec, or --side and --left.", param_hint="--spec")
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    if spec is not None:
        done = f"has the clock {spec}"
        _carry_out(powers.set_clock, name, spec, why=why, at=at, dry_run=dry_run, json=json, done=done)
    elif side is not None and left is not None:
        done = f"the {side.capitalize()} have {_time_told(left)} left"
        _carry_out(powers.set_time, name, side, left, why=why, at=at, dry_run=dry_run, json=json, done=done)


@moderating.command("undo")
def undo_turns(
    name: Name,
    to: Annotated[int, typer.Option("--to", metavar="TURN", min=0, help="The turn that begins again.")],
    why: Told = "",
    at: At = None,
    *,
    seed_known: Annotated[
        bool, typer.Option("--seed-known", help="Also a game that is over, whose seed both players were told.")
    ] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take a game back to the start of a turn; decks that were drawn from since are shuffled anew."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    done = f"is at the start of turn {to} again"
    undo = partial(powers.undo, seed_known=seed_known)
    _carry_out(undo, name, to, why=why, at=at, dry_run=dry_run, json=json, done=done)


@moderating.command("order")
def order_for(
    name: Name,
    side: OneSide,
    orders: Annotated[str, typer.Option(metavar="TEXT", help="As in a mail; - reads standard input.")],
    why: ToldOne = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Give orders for a player, by the rules of his mails; he gets a receipt, which tells him the reason."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    done, text = f"orders were given for the {side.capitalize()}", given_text(orders)
    _carry_out(powers.order, name, side, text, why=why, at=at, dry_run=dry_run, json=json, done=done)


@moderating.command("replace")
def replace_player(
    name: Name,
    side: OneSide,
    to: Annotated[str, typer.Option("--with", metavar="ADDRESS", help="An address, house or house:random.")],
    why: Told = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Give a seat to somebody else, with a full clock; `house` is a stopgap."""
    from adjudicator.service import replacing  # noqa: PLC0415 - slow to load

    done = f"{to} plays the {side.capitalize()}"
    _carry_out(replacing.replace_player, name, side, to, why=why, at=at, dry_run=dry_run, json=json, done=done)


@moderating.command("result")
def decide_game(
    name: Name,
    winner: Annotated[Literal["british", "french", "draw"], typer.Option(help="Who has won.")],
    why: Reason,
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """End a game by decision."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    side, done = None if winner == "draw" else winner, f"is decided: {winner}"
    _carry_out(powers.decide, name, side, why=why, at=at, dry_run=dry_run, json=json, done=done)


@moderating.command("void")
def void_game(name: Name, why: Reason, at: At = None, *, dry_run: DryRun = False, json: Json = False) -> None:
    """End a game so that it never counted."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    _carry_out(powers.void, name, why=why, at=at, dry_run=dry_run, json=json, done="is void")


@moderating.command("resend")
def resend_position(
    name: Name,
    side: Annotated[SideName | None, typer.Option(help="Only to this side.")] = None,
    why: Why = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Send the newest position again."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    _carry_out(powers.resend, name, side, why=why, at=at, dry_run=dry_run, json=json, done="was sent again")


@moderating.command("rekey")
def rekey_game(
    name: Name,
    side: Annotated[SideName | None, typer.Option(help="Only of this side.")] = None,
    why: Why = "",
    at: At = None,
    *,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Make all reply addresses of a game void; the mails with the position and new addresses follow."""
    from adjudicator.service import powers  # noqa: PLC0415 - slow to load

    _carry_out(powers.rekey, name, side, why=why, at=at, dry_run=dry_run, json=json, done="has new reply addresses")
