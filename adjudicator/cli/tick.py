"""`tick`: everything that is due, once."""

from typing import Annotated

import typer

from adjudicator.cli.root import counted, read_time, say


def tick(
    now: Annotated[str | None, typer.Option(metavar="TIME", help="As if it were then, like 2030-01-31T12:00Z.")] = None,
) -> None:
    """Do everything that is due (deadlines, reminders, house players' moves, mails and retries) once, then exit."""
    at = read_time(now)
    from adjudicator.cli.opening import service  # noqa: PLC0415 - slow to load
    from adjudicator.service.running import do_due  # noqa: PLC0415

    with service() as opened:
        done = do_due(opened, at, made_up=now is not None)
    if done is None:
        say("a serve runs on this database and does what is due")
        return
    kept = f"{counted(done.kept, 'thing')} due in games, " if done.kept else ""
    say(f"{kept}{counted(done.house, 'mail')} of house players, {counted(done.sent, 'mail')} sent")
