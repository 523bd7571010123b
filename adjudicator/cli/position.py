"""`position try`: orders on a position file, without any game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from adjudicator.cli.root import Json, given_text, read_file, read_seed, say, say_json, warn
from adjudicator.errors import Refusal, UsageError

if TYPE_CHECKING:
    from adjudicator.cli.shapes import JsonObject
    from adjudicator.game.model import BySide
    from adjudicator.game.record import Position
    from adjudicator.orders import Standing

position = typer.Typer(name="position", help="Positions without a game.", no_args_is_help=True, rich_markup_mode=None)

SideName = Literal["british", "french"]


@position.command("try")
def try_orders(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A position file (afas-position/1).")],
    side: Annotated[SideName, typer.Option(help="Who writes the orders.")],
    orders: Annotated[str, typer.Option(metavar="TEXT", help="The orders, or - for standard input.")],
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="Of the shuffles; 32 zero bytes if not given.")
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Apply orders to a position and print what comes of them."""
    from adjudicator.game.record import read_position  # noqa: PLC0415 - keeps the other commands quick

    chance_seed = read_seed(seed)
    found = read_position(read_file(file), str(file))
    warn_of_surplus(found, str(file))
    result = tried(found, side, given_text(orders), chance_seed, str(file))
    if json:
        say_json(result)
    else:
        say(account(result))


def warn_of_surplus(found: "Position", name: str) -> None:
    """Say on stderr what a position has more of than the box; it is used all the same."""
    from adjudicator.game.position import surplus  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.game.record import rules_of  # noqa: PLC0415

    for line in surplus(rules_of(found), found.state):
        warn(f"{name}: $.state: {line}")


def tried(found: "Position", side: SideName, text: str, seed: bytes | None, name: str) -> "JsonObject":
    """Return what orders come to in a position; `check` before the first order makes it a forecast.

    Raises: UsageError if the position's standing orders cannot be read.
    """
    from adjudicator.cli.shapes import outcome_json  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.game.chance import SILENT, seeded  # noqa: PLC0415
    from adjudicator.game.record import rules_of  # noqa: PLC0415
    from adjudicator.orders import amend, read  # noqa: PLC0415
    from adjudicator.turns import play  # noqa: PLC0415

    rules, reading, standing = rules_of(found), read(text, side), _standing(found, name)
    if not reading.refused:
        standing = standing.put(side, amend(standing.of(side), reading.standing))
    chance = seeded(SILENT if seed is None else seed)
    outcome = play(rules, found.state, side, reading, chance, standing, forecast=reading.is_forecast)
    return outcome_json(rules, outcome, reading)


def _standing(found: "Position", name: str) -> "BySide[Standing]":
    """Return both sides' standing orders of a position file."""
    from adjudicator.game.model import SIDES, BySide  # noqa: PLC0415 - keeps the other commands quick
    from adjudicator.orders import read_standing  # noqa: PLC0415

    said = []
    for side in SIDES:
        try:
            said.append(read_standing(found.standing.get(side, ""), side))
        except Refusal as refusal:
            where = f"{name}: $.standing.{side}: line {refusal.line}"
            raise UsageError(f"{where}: {refusal.text!r}: {refusal.message}") from refusal
    return BySide(*said)


def account(result: "JsonObject") -> str:
    """Return the result of `position try` for a person to read."""
    lines = [f"applied    {text}" for text in result["applied"]]
    lines += [f"happened   {_event(event)}" for event in result["events"]]
    for refused in result["refused"]:
        where = f"line {refused['line']}: " if refused["line"] else ""
        rule = f" [{refused['rule']}]" if refused["rule"] else ""
        lines.append(f"refused    {where}{refused['text']}")
        lines.append(f"           {refused['code']}: {refused['message']}{rule}")
        lines += [f"           possible: {choice}" for choice in refused["choices"]]
    for left_out in result.get("disarmed", ()):
        lines += [f"left out   line {left_out['line']}: {left_out['text']}", f"           {left_out['why']}"]
    lines += [f"not tried  {text}" for text in result["not_tried"]]
    lines += [f"next turn  {text}" for text in result.get("ahead", ())]
    lines += [f"ignored    {text}" for text in result["ignored"]]
    return "\n".join([*lines, *_ending(result)])


def _event(event: "JsonObject") -> str:
    """Return an event as its name and its values."""
    values = (f"{name} {_value(value)}" for name, value in event.items() if name != "type")
    return f"{event['type']}: {', '.join(values)}"


def _value(value: object) -> str:
    if isinstance(value, dict):
        return str(value.get("total", value))
    return "+".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)


def _ending(result: "JsonObject") -> list[str]:
    """Return what the position now waits for."""
    if over := result["over"]:
        from adjudicator.cli.told import winner_text  # noqa: PLC0415 - keeps the other commands quick

        points = ", ".join(f"{side} {score['total']}" for side, score in over["scores"].items())
        return [f"over       {over['reason']}: {winner_text(over)} ({points})"]
    if question := result["question"]:
        first = f"asked      {question['to']}: {question['kind']}"
        return [first, *(f"           possible: {choice}" for choice in question["choices"])]
    state = result["position"]
    left = f", actions left: {state['open']['actions_left']}" if "open" in state else ""
    return [f"next       turn {state['turn']}, {state['to_move'] or 'nobody'} to move{left}"]
