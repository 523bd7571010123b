"""What all commands share: how errors are told, how files are read, how results are printed."""

import errno
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from typer.core import TyperGroup

import adjudicator
from adjudicator.errors import AdjudicatorError, UsageError

LARGEST_INPUT = 10_000_000
"""No file or standard input that a command reads is larger, in bytes."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log.")]
At = Annotated[
    int | None,
    typer.Option("--at", metavar="N", min=0, help="Refuse unless the game is at this turn or position number."),
]


class Root(TyperGroup):
    """The command itself: an error that is meant is told in one line, never as a traceback."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer keeps its context type to itself
        """Run a command.

        Raises: Exit with code 1 after an error was told; BadParameter for a value that an option does not take.
        """
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _plain(error.__cause__) or error.message
            raise
        except AdjudicatorError as error:
            fail(str(error))
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            named = f"{error.filename}: " if error.filename else ""
            fail(f"{named}{error.strerror or error}")


def _plain(cause: Any) -> str:  # noqa: ANN401 - an error of the library that typer checks values with
    """What is wrong with the value of an option in the command line's own words, empty if that is not known.

    Some versions of typer let another library check values, and tell that one's words.
    """
    first = cause.errors()[0] if hasattr(cause, "errors") else {}
    value, limits = str(first.get("input")).strip(), first.get("ctx", {})
    match first.get("type"):
        case "value_error":
            return _plain(limits["error"]) or str(limits["error"])
        case "int_parsing" | "int_parsing_size":
            return f"{value!r} is not a valid integer."
        case "greater_than_equal":
            return f"{value} is not in the range x>={limits['ge']}."
        case "less_than_equal":
            return f"{value} is not in the range x<={limits['le']}."
        case _:
            return ""


def _version(asked: bool) -> None:  # noqa: FBT001 - typer gives it so
    """Print the version and end.

    Raises: Exit if it was asked for.
    """
    if asked:
        say(f"adjudicator {adjudicator.__version__}")
        raise typer.Exit


def root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Adjudicates A Few Acres of Snow by mail."""


def fail(line: str) -> None:
    """Tell one clear line and end.

    Raises: Exit, always.
    """
    warn(f"Error: {line}")
    raise typer.Exit(1)


def warn(line: str) -> None:
    """Print one line on stderr; what cannot be printed becomes a question mark."""
    typer.echo("".join(sign if sign.isprintable() else "?" for sign in line).encode("utf-8", "replace"), err=True)


def say(text: str) -> None:
    """Print text, always as UTF-8."""
    typer.echo(text.encode("utf-8", "replace"))


def say_json(value: object) -> None:
    """Print a value as one line of JSON."""
    typer.echo(msgspec.json.encode(value))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for all numbers but one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that was named on the command line.

    Raises: UsageError if it cannot be read, or is too large to be meant.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    if len(raw) > LARGEST_INPUT:
        raise UsageError(f"{path}: larger than {LARGEST_INPUT} bytes")
    return raw


def given_text(text: str) -> str:
    """Return the value of an option that may be `-` for standard input; bytes that are no UTF-8 are replaced."""
    if text == "-":
        return sys.stdin.buffer.read(LARGEST_INPUT).decode("utf-8", "replace")
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read_seed(text: str | None) -> bytes | None:
    """Return the 32 bytes of a `--seed`.

    Raises: BadParameter if it is anything but 64 hex digits.
    """
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32 or len(text) != 64:  # noqa: PLR2004 - 32 bytes, two digits each
        raise typer.BadParameter("a seed is 64 hex digits (32 bytes).", param_hint="--seed")
    return seed


def read_time(text: str | None) -> datetime:
    """Return the time of a `--now`, without one the present; a time without zone is UTC.

    Raises: BadParameter if it is no ISO 8601 time.
    """
    if text is None:
        return datetime.now(UTC)
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise typer.BadParameter("a time looks like 2030-01-31T12:00:00Z.", param_hint="--now") from None
