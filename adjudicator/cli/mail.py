"""`mail …`: mails in and out, by hand."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.root import Json, Why, counted, read_file, say, say_json, warn
from adjudicator.errors import UsageError

if TYPE_CHECKING:
    from adjudicator.service.running import Service

mail = typer.Typer(name="mail", help="The inbox, the outbox and the quarantine.", no_args_is_help=True)

GameOption = Annotated[str | None, typer.Option("--game", metavar="ID", help="Only mails about this game.")]


@mail.command("feed")
def feed(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A mail as a file; bare LF become CRLF.")],
    mail_from: Annotated[str, typer.Option("--from", metavar="ADDRESS", help="The envelope sender; may be empty.")],
    rcpt: Annotated[str, typer.Option("--to", metavar="ADDRESS", help="The recipient, an address of ours.")],
) -> None:
    """Take one mail as the listener would and print the SMTP reply; exit code 0 whatever the reply is."""
    raw = read_file(file)
    from datetime import UTC, datetime  # noqa: PLC0415 - slow to load, with the rest

    from adjudicator.cli.opening import service  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415
    from adjudicator.service.taking import take_by_hand  # noqa: PLC0415

    with service() as opened:
        now = datetime.now(UTC)
        reply = take_by_hand(opened.config, opened.ledger, raw, rcpt, mail_from, now)
        say(f"{reply.code} {reply.text}")
        deliver_caused(opened, now)


@mail.command("list")
def list_mails(
    game: GameOption = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many of each kind.")] = 50,
    *,
    unsent: Annotated[bool, typer.Option("--unsent", help="Only mails that are still to be sent.")] = False,
    json: Json = False,
) -> None:
    """List mails in and out, the newest first."""
    from adjudicator.cli import mails_told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service  # noqa: PLC0415
    from adjudicator.service import mailroom  # noqa: PLC0415

    with service() as opened, opened.ledger.read() as tx:
        found = mailroom.mails(tx, game, limit, unsent=unsent)
    if json:
        say_json(mails_told.mails_json(found))
    else:
        say(mails_told.mails_text(found))


@mail.command("show")
def show_mail(
    mail_id: Annotated[
        str, typer.Argument(metavar="ID", help="Of mail list or mail quarantine: in-3, out-5, held-1; newest: in, out.")
    ],
    why: Why = "",
    *,
    raw: Annotated[bool, typer.Option("--raw", help="The mail itself, byte for byte.")] = False,
    reply_to: Annotated[bool, typer.Option("--reply-to", help="Only the address that answers go to.")] = False,
    json: Json = False,
) -> None:
    """Show a mail; what it says about a running game only with --why, and the look is logged."""
    from adjudicator.cli import mails_told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415
    from adjudicator.service import mailroom, moderate  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() if why else opened.ledger.read() as tx:
        found = mailroom.mail(opened.config, tx, mail_id, full=bool(why))
        if why:
            about = moderate.find(tx, found.game) if found.game else None
            moderate.note(tx, warrant(why), "mail show", about, mail=found.id)
    if json:
        say_json(mails_told.mail_json(found))
    elif raw:
        typer.echo(mails_told.mail_raw(found), nl=False)
    elif reply_to:
        say(mails_told.mail_reply_to(found))
    else:
        say(mails_told.mail_text(found))


@mail.command("resend")
def resend(
    mail_id: Annotated[str, typer.Argument(metavar="ID", help="A mail that went out, like out-5.")], why: Why = ""
) -> None:
    """Send a mail again, under the same Message-ID."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import mailroom  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            mailroom.resend(tx, mail_id, deed)
        done = deliver_caused(opened, deed.now)
    say(f"{mail_id} is due again" if done is None else f"{mail_id}: {counted(done.sent, 'mail')} sent")


@mail.command("retry")
def retry(
    held: Annotated[list[str] | None, typer.Argument(metavar="ID", help="In quarantine: held-1; all if none.")] = None,
    why: Why = "",
) -> None:
    """Read letters in quarantine again, after a fix; exit code 1 if one fails again."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import moderate, taking  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    failed = False
    with service() as opened:
        deed = warrant(why)
        for number in _numbers(opened, held):
            result = taking.retry_held(opened.config, opened.ledger, number, deed.now)
            with opened.ledger.begin() as tx:
                moderate.note(tx, deed, "mail retry", held=number)
            say(f"held-{number}: {result.said}")
            failed |= result.failed
        deliver_caused(opened, deed.now)
    raise typer.Exit(1 if failed else 0)


def _numbers(opened: "Service", held: list[str] | None) -> list[int]:
    """Return the numbers in quarantine that are meant: those given, or all that are open."""
    from adjudicator.service import mailroom  # noqa: PLC0415 - slow to load

    if held:
        return [mailroom.number_of(one, "held") for one in held]
    with opened.ledger.read() as tx:
        return [row.id for row in tx.held()]


@mail.command("quarantine")
def quarantine(
    drop: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Let a letter go unread; may be repeated.")
    ] = None,
    why: Why = "",
    *,
    every: Annotated[bool, typer.Option("--all", help="Those that are settled too.")] = False,
    json: Json = False,
) -> None:
    """List letters that a fault of ours kept from being read, or drop some."""
    from adjudicator.cli import mails_told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415
    from adjudicator.service import mailroom  # noqa: PLC0415

    if drop and not why:
        raise UsageError("dropping a letter needs --why TEXT")
    with service() as opened:
        if drop:
            with opened.ledger.begin() as tx:
                mailroom.drop_held(tx, drop, warrant(why))
            warn(f"dropped {', '.join(drop)}")
        with opened.ledger.read() as tx:
            found = tx.held(resolved=every)
    if json:
        say_json(mails_told.held_json(found))
    else:
        say(mails_told.held_text(found))
