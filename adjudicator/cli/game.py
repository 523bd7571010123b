"""`game …`: new games, what they look like, their history and records."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from adjudicator.cli.position import warn_of_surplus
from adjudicator.cli.root import Json, Why, read_file, read_seed, say, say_json
from adjudicator.errors import Refusal, UsageError

if TYPE_CHECKING:
    from adjudicator.game.record import Position
    from adjudicator.service.running import Service
    from adjudicator.service.start import Wish
    from adjudicator.store.ledger import Transaction

game = typer.Typer(name="game", help="Games and what moderators do with them.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="ID", help="The game, like g1.")]
SideName = Literal["british", "french"]
StatusName = Literal["open", "running", "paused", "finished"]
_SEAT = "An address, or house, house:heuristic, house:random."


@game.command("new")
def new_game(  # noqa: PLR0913 - a game has this many choices
    british: Annotated[str, typer.Option(metavar="ADDRESS", help=_SEAT)],
    french: Annotated[str, typer.Option(metavar="ADDRESS", help=_SEAT)],
    edition: Annotated[int | None, typer.Option(min=1, max=2, help="Of the rules; 2 if not given.")] = None,
    variant: Annotated[list[str] | None, typer.Option(metavar="ID", help="A variant; may be repeated.")] = None,
    switch: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A reading of the rules.")] = None,
    clock: Annotated[str, typer.Option(metavar="SPEC", help="How time is counted; none: not at all.")] = ("10d+1d/14d"),
    lang: Annotated[str, typer.Option(metavar="xx", help="The language of its mails.")] = "en",
    position: Annotated[Path | None, typer.Option(metavar="FILE", help="Start from a position file.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Of the shuffles; random if not given.")] = None,
    why: Why = "",
    *,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Neither player learns who the other is.")] = False,
    public: Annotated[bool, typer.Option("--public", help="Anybody may watch.")] = False,
    json: Json = False,
) -> None:
    """Start a game and write the first mail to each seat."""
    if position and (edition is not None or variant or switch):
        raise typer.BadParameter(
            "edition, variants and switches come from the file.", param_hint="--edition, --variant, --switch"
        )
    seed_bytes = read_seed(seed)
    found = _position(position) if position else None

    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import moderate  # noqa: PLC0415
    from adjudicator.service.running import deliver_caused  # noqa: PLC0415
    from adjudicator.service.start import Wish  # noqa: PLC0415

    wish = Wish(
        british=british,
        french=french,
        edition=edition or 2,
        variants=tuple(variant or ()),
        switches=_switches(switch or []),
        clock=clock,
        lang=lang,
        position=found,
        seed=seed_bytes,
        anonymous=anonymous,
        public=public,
    )
    with service() as opened:
        deed = warrant(why)
        with opened.ledger.begin() as tx:
            name = _started(opened, tx, wish, deed.now)
            moderate.note(tx, deed, "game new", moderate.find(tx, name), seed_given=seed is not None)
        deliver_caused(opened, deed.now)
    if json:
        say_json({"game": name})
    else:
        say(name)


def _position(file: Path) -> "Position":
    """Read a position file to start from, its standing orders included."""
    from adjudicator.game.model import SIDES, MustStartWith  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.game.record import read_position  # noqa: PLC0415
    from adjudicator.orders import read_standing  # noqa: PLC0415

    found = read_position(read_file(file), str(file))
    warn_of_surplus(found, str(file))
    if found.state.to_move is None:
        raise UsageError(f"{file}: $.state.to_move: this game is over already")
    if found.state.question and not isinstance(found.state.question, MustStartWith):
        raise UsageError(f"{file}: $.state.question: a game cannot begin with an open question")
    for side in SIDES:
        try:
            read_standing(found.standing.get(side, ""), side)
        except Refusal as refusal:
            raise UsageError(f"{file}: $.standing.{side}: {refusal.text!r}: {refusal.message}") from refusal
    return found


def _switches(given: list[str]) -> dict[str, object]:
    """Return switches from NAME=VALUE."""
    found: dict[str, object] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise typer.BadParameter(f"{one!r} is not NAME=VALUE.", param_hint="--switch")
        found[name] = value
    return found


def _started(opened: "Service", tx: "Transaction", wish: "Wish", now: datetime) -> str:
    """Start the game; files were read before, so what is wrong now are the options.

    Raises: BadParameter.
    """
    from adjudicator.service.start import start_game  # noqa: PLC0415 - slow to load

    try:
        return start_game(opened.config, tx, wish, now)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from error


@game.command("list")
def list_games(
    status: Annotated[StatusName | None, typer.Option(help="Only games of this status.")] = None,
    *,
    stuck: Annotated[bool, typer.Option("--stuck", help="Only games that stand still, since when and why.")] = False,
    due: Annotated[bool, typer.Option("--due", help="Only games with a deadline, the next one first.")] = False,
    json: Json = False,
) -> None:
    """List games, the oldest first."""
    if stuck and due:
        raise typer.BadParameter("either --stuck or --due.", param_hint="--due")
    from adjudicator.cli import told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service  # noqa: PLC0415
    from adjudicator.service import moderate  # noqa: PLC0415
    from adjudicator.service.stuck import still  # noqa: PLC0415

    with service() as opened, opened.ledger.read() as tx:
        found = moderate.games(tx, status, due=due)
        why = still(tx, found, datetime.now(UTC)) if stuck else {}
    if stuck:
        found = [one for one in found if one.game.name in why]
    if json:
        say_json([told.line_json(one, why.get(one.game.name)) for one in found])
    elif stuck:
        say(told.stuck_text(found, why))
    else:
        say(told.due_text(found) if due else told.list_text(found))


@game.command("show")
def show_game(name: Name, why: Why = "", *, json: Json = False) -> None:
    """Show a game; hands and decks only with --why, and the look is logged."""
    from adjudicator.cli import told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415
    from adjudicator.service import moderate  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() if why else opened.ledger.read() as tx:
        found = moderate.find(tx, name)
        if why:
            moderate.note(tx, warrant(why), "game show", found)
    shown = told.game_json(found, full=bool(why))
    if json:
        say_json(shown)
    else:
        say(told.game_text(shown))


@game.command("log")
def log_game(name: Name, why: Why = "", *, json: Json = False) -> None:
    """Show the moves of a game and what moderators did; the open turn only with --why, and the look is logged."""
    from adjudicator.cli import told  # noqa: PLC0415 - slow to load
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415
    from adjudicator.service import moderate  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() if why else opened.ledger.read() as tx:
        found = moderate.find(tx, name)
        if why:
            moderate.note(tx, warrant(why), "game log", found)
        history = moderate.history(tx, found, full=bool(why))
    if json:
        say_json(told.history_json(name, history))
    else:
        say(told.history_text(name, history))


@game.command("export")
def export_game(
    name: Name,
    why: Why = "",
    *,
    public: Annotated[bool, typer.Option("--public", help="Only what anybody may see now.")] = False,
) -> None:
    """Print the record of a game; of a running one whole only with --why (logged): for `game import`."""
    if public and why:
        raise typer.BadParameter("either --public or --why.", param_hint="--public")
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import moderate, records  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() if why else opened.ledger.read() as tx:
        found = moderate.find(tx, name)
        if public:
            say_json(records.public_export(tx, found))
        elif why:
            moderate.note(tx, warrant(why), "game export", found)
            say_json(records.full_export(tx, found))
        else:
            say_json(records.export(tx, found))


@game.command("import")
def import_game(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record that `game export` wrote.")],
    name: Annotated[str | None, typer.Option("--as", metavar="ID", help="Under another name.")] = None,
    why: Why = "",
    *,
    json: Json = False,
) -> None:
    """Put an exported game back in; no mail is written."""
    from adjudicator.game.record import read_record  # noqa: PLC0415 - keeps the other commands quick

    record = read_record(read_file(file), str(file))
    from adjudicator.cli.opening import service, warrant  # noqa: PLC0415 - slow to load
    from adjudicator.service import moderate  # noqa: PLC0415
    from adjudicator.service.imports import import_record  # noqa: PLC0415

    with service() as opened, opened.ledger.begin() as tx:
        deed = warrant(why)
        known_as = import_record(tx, record, deed.now, name)
        moderate.note(tx, deed, "game import", moderate.find(tx, known_as))
    if json:
        say_json({"game": known_as})
    else:
        say(known_as)
