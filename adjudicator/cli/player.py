"""`player …`: who plays, under which addresses."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.root import Json, Why, counted, say, say_json

if TYPE_CHECKING:
    from adjudicator.service.roster import Player

player = typer.Typer(name="player", help="Players and their addresses.", no_args_is_help=True)
address = typer.Typer(name="address", help="Addresses of a player.", no_args_is_help=True)
player.add_typer(address)

Who = Annotated[str, typer.Argument(metavar="WHO", help="A player: the number, an address, or the name.")]
Reason = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log; it is needed.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Up to five words.")]
Mailbox = Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.")]


def _json(found: "Player") -> dict[str, object]:
    """A player as JSON; times are null for what never happened."""
    of_record = _of_record(found)
    return {
        "player": found.row.id,
        "name": found.row.name,
        "created": _time(found.row.created_at),
        "zone": found.row.zone,
        "banned": _time(found.row.banned_at),
        "erased": _time(found.row.erased_at),
        "addresses": [
            {
                "address": row.address,
                "of_record": row.address == of_record,
                "verified": _time(row.verified_at),
                "bounced": _time(row.bounced_at),
            }
            for row in found.addresses
        ],
        "seats": [{"game": seat.game, "side": seat.side, "status": seat.status} for seat in found.seats],
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None


def _of_record(found: "Player") -> str | None:
    """The address that the player's mails go to."""
    return next((row.address for row in found.addresses if row.verified_at), None)


def _row(found: "Player") -> list[str]:
    more = f" +{len(found.addresses) - 1}" if len(found.addresses) > 1 else ""
    running = sum(seat.status != "finished" for seat in found.seats)
    return [str(found.row.id), found.row.name, f"{_of_record(found) or 'none'}{more}", str(running)]


def _text(found: "Player") -> str:
    row = found.row
    lines = [f"player {row.id}: {row.name}, since {row.created_at:%Y-%m-%d}, days count in {row.zone}"]
    lines += [f"  banned from new games since {row.banned_at:%Y-%m-%d}"] if row.banned_at else []
    lines += [f"  forgotten on {row.erased_at:%Y-%m-%d}"] if row.erased_at else []
    for one in found.addresses:
        state = f"verified {one.verified_at:%Y-%m-%d}" if one.verified_at else "not verified"
        bounced = f", mail comes back ({one.bounce_reason})" if one.bounced_at else ""
        lines.append(f"  {one.address}: {state}{bounced}")
    lines += [f"  {seat.game}: {seat.side}, {seat.status}" for seat in found.seats]
    return "\n".join(lines)


@player.command("list")
def list_players(*, json: Json = False) -> None:
    """List players, the oldest first, each with the address that gets the mails and the number of open games."""
    from adjudicator.cli.opening import service  # noqa: PLC0415 - slow to load
    from adjudicator.cli.told import table  # noqa: PLC0415
    from adjudicator.service import roster  # noqa: PLC0415

    with service() as opened, opened.ledger.read() as tx:
        found = roster.players(tx)
    if json:
        say_json([_json(one) for one in found])
    else:
        rows = [_row(one) for one in found]
        say(table([["player", "name", "address", "games"], *rows]) if rows else "no players")


@player.command("show")
def show_player(who: Who, *, json: Json = False) -> None:
    """Show a player: addresses, the one that gets the mails first, and seats."""
    from adjudicator.cli.opening import service  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415

    with service() as opened, opened.ledger.read() as tx:
        found = roster.find_player(tx, who)
    if json:
        say_json(_json(found))
    else:
        say(_text(found))


@player.command("add")
def add_player(name: NewName, mailbox: Mailbox, why: Why = "", *, json: Json = False) -> None:
    """Add a player whose address counts as verified, and tell him so."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            number = roster.add_player(opened.config, tx, name, mailbox, deed)
        deliver_caused(opened, deed.now)
    if json:
        say_json({"player": number})
    else:
        say(str(number))


@player.command("rename")
def rename_player(who: Who, name: NewName, why: Why = "") -> None:
    """Give a player another name, and tell him so."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            found = roster.rename(opened.config, tx, who, name, deed)
        deliver_caused(opened, deed.now)
    say(f"player {found.row.id} has another name")


@player.command("rekey")
def rekey_player(who: Who, why: Why = "") -> None:
    """Make all reply addresses of a player void; the mails with the positions and new addresses follow."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            count = roster.rekey_seats(opened.config, tx, who, deed)
        deliver_caused(opened, deed.now)
    say(f"{counted(count, 'seat')} with new reply addresses")


@player.command("zone")
def set_zone(
    who: Who, zone: Annotated[str, typer.Argument(metavar="ZONE", help="Like Europe/Berlin.")], why: Why = ""
) -> None:
    """Let a player's days count in another time zone; deadlines change with it, and he is told so."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            name = roster.set_zone(opened.config, tx, who, zone, deed)
        deliver_caused(opened, deed.now)
    say(f"days count in {name}")


@player.command("ban")
def ban_player(who: Who, why: Reason) -> None:
    """Keep a player out of new games; those that he plays go on, and his open challenges are closed."""
    _ban(who, why, banned=True)


@player.command("unban")
def unban_player(who: Who, why: Reason) -> None:
    """Let a player take part in new games again."""
    _ban(who, why, banned=False)


def _ban(who: str, why: str, *, banned: bool) -> None:
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            found = roster.ban(opened.config, tx, who, deed, banned=banned)
        deliver_caused(opened, deed.now)
    say(f"player {found.row.id} {'takes part in no new game' if banned else 'may take part in new games'}")


@player.command("data")
def player_data(who: Who, why: Reason) -> None:
    """Print everything that is kept about a player, as JSON, to hand it to him; the look is logged."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import moderate, roster  # noqa: PLC0415
    from adjudicator.service.personal import personal_data  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() as tx:
        number = roster.find_player(tx, who).row.id
        moderate.note(tx, warrant(why), "player data", player=number)
        data = personal_data(tx, number)
    say(data.decode())


@player.command("erase")
def erase_player(who: Who, why: Reason) -> None:
    """Forget a player for ever, as he can himself by mail: his games are given up, and stay without his name."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            number = roster.forget(opened.config, tx, who, deed)
        deliver_caused(opened, deed.now)
    say(f"player {number} is forgotten")


@address.command("add")
def add_address(
    who: Who,
    mailbox: Mailbox,
    why: Why = "",
    *,
    use: Annotated[bool, typer.Option("--use", help="Mails go there from now on.")] = False,
) -> None:
    """Add an address that counts as verified, and tell the player at the one he had."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            found = roster.add_address(opened.config, tx, who, mailbox, deed, use=use)
        deliver_caused(opened, deed.now)
    say(f"mails of player {found.row.id} {'go to' if use else 'may come from'} {mailbox.lower()}")


@address.command("remove")
def remove_address(who: Who, mailbox: Mailbox, why: Why = "") -> None:
    """Take an address from a player, and tell him at the one he had."""
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import roster  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415

    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            found = roster.remove_address(opened.config, tx, who, mailbox, deed)
        deliver_caused(opened, deed.now)
    say(f"{mailbox.lower()} is no address of player {found.row.id} any more")
