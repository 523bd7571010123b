"""What `adjudicator demo` shows: a game in progress, then what came of it."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from adjudicator.demo.correspondent import Correspondent
from adjudicator.demo.hall import Counts, Hall
from adjudicator.demo.house_game import nearness, play_house_game
from adjudicator.demo.recorded_game import Again, Players
from adjudicator.errors import AdjudicatorError
from adjudicator.game.front import script_of
from adjudicator.game.model import SIDES
from adjudicator.game.record import Record, read_record, written
from adjudicator.game.replay import Mismatch, replay
from adjudicator.game.scoring import scores
from adjudicator.game.verify import verify
from adjudicator.service.config import Config
from adjudicator.service.records import OVER
from adjudicator.service.start import Wish
from adjudicator.service.stored import Stored

COMMAND = sys.argv[0] if sys.argv[0].endswith("adjudicator") else ".venv/bin/adjudicator"
ANSWERS = 1_000_000
"""A whole game in a few seconds is more than people may ask for in an hour."""
_LINES = 10  # of progress where there is no terminal
_MOST_TOLD = 20
Told = Callable[[Stored, float], None]


class DemoFailed(AdjudicatorError):  # noqa: N818 - says what happened
    """The game was played, and something about it is not as it should be."""


class Table(NamedTuple):
    """Who is there."""

    hall: Hall
    players: Players


def show_house_game(data: Path, seed: bytes) -> None:
    """Play a game of two house players by mail in a fresh folder of `data`; replay and verify it.

    Raises: DemoFailed, UsageError if anything is not as it should be.
    """
    began = time.monotonic()
    with _table(fresh_folder(data), Config(answers_per_hour=ANSWERS)) as table, _progress() as told:
        hall, players = table
        name = hall.start(Wish(players["british"].address, players["french"].address, seed=seed))
        game = play_house_game(hall, name, players, seed, lambda game: told(game, nearness(game.state)))
        count = hall.counts()
        record = hall.record(name)
    _say_result(game)
    _say_mails(hall, count, time.monotonic() - began)
    path = hall.folder / f"{name}.json"
    path.write_bytes(written(record))
    record = read_record(path.read_bytes(), str(path))
    _need_none("replayed", replay(record).mismatches)
    _need_none("verified", verify(record).mismatches)
    shuffles = record.turns[-1].after.shuffles
    _say(f"Replayed:  {path}, {len(record.turns)} turns, every state equal")
    _say(f"Verified:  all {shuffles} shuffles follow from the seed committed to at the start")
    _say_next(hall.folder, name)


def show_recorded_game(data: Path, record: Record) -> None:
    """Play a recorded game by mail with the recorded draws and compare every state.

    Raises: DemoFailed if a state differs, UsageError if the record cannot be played by mail.
    """
    began = time.monotonic()
    script = script_of(record)
    with (
        _table(fresh_folder(data), Config(answers_per_hour=ANSWERS, chance=script.chance)) as table,
        _progress() as told,
    ):
        again = Again(table.hall, script, table.players, lambda game: told(game, again.turns / len(script.turns)))
        again.play()
        game, count = again.game, table.hall.counts()
    _say_result(game)
    _say_mails(table.hall, count, time.monotonic() - began)
    for turn in script.turns:
        if turn[0].refill_skipped:
            _say(f"Note:      the record leaves out the refill of turn {turn[0].n}, against the rules (S3.7);")
            _say("           that turn was left open, and a second game began from the recorded position")
    _need_none(f"{record.id}, played by mail", tuple(again.found))
    _say(f"Compared:  {record.id}: {again.turns} turns, 0 mismatches")


def fresh_folder(data: Path) -> Path:
    """Make and return a folder of `data` that was not there before.

    Raises: OSError if it cannot be made.
    """
    for number in count(1):
        folder = data / f"demo-{number}"
        with suppress(FileExistsError):
            folder.mkdir(parents=True)
            return folder
    raise AssertionError


@contextmanager
def _table(folder: Path, config: Config) -> Iterator[Table]:
    """The service and both players; it stops when they have gone."""
    with Hall(folder, config) as hall, ExitStack() as leaving:
        players: Players = {}
        for side in SIDES:
            players[side] = Correspondent(f"{side}@example.org", side.capitalize(), hall.outbox, hall.port)
            leaving.callback(players[side].close)
        _say(f"The service listens on 127.0.0.1:{hall.port} with a fresh database in {folder}.")
        _say("Two players write their orders by SMTP and read their mails in its Maildir.")
        yield Table(hall, players)


@contextmanager
def _progress() -> Iterator[Told]:
    """A progress bar on a terminal, else a few lines; fed with the game and the done part of it, 0 to 1."""
    console = Console()
    if not console.is_terminal:
        yield _lines()
        return
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("the first mails", total=1.0)
        most = 0.0

        def told(game: Stored, done: float) -> None:
            nonlocal most
            most = 1.0 if game.row.status == "finished" else max(most, done)
            progress.update(task, description=_standing(game), completed=most)

        yield told


def _lines() -> Told:
    said = 0

    def told(game: Stored, done: float) -> None:
        nonlocal said
        if int(done * _LINES) > said:
            said = int(done * _LINES)
            _say(_standing(game))

    return told


def _standing(game: Stored) -> str:
    points = scores(game.state)
    return f"turn {game.state.turn:3}, British {points.british.total:2} : {points.french.total:2} French"


def _say_result(game: Stored) -> None:
    if game.row.result is None:
        raise DemoFailed(f"the game is not over after {game.state.turn} turns")
    points, over = scores(game.state), OVER.decode(game.row.result)
    winner = f"the {over.winner.capitalize()} win" if over.winner else "no winner"
    _say("")
    _say(f"Result:    {winner} ({over.reason}), British {points.british.total} : {points.french.total} French")


def _say_mails(hall: Hall, count: Counts, seconds: float) -> None:
    """Tell how many mails there were, and where they lie.

    Raises: DemoFailed if a mail has not exactly one answer.
    """
    if count.unanswered:
        raise DemoFailed(f"{count.unanswered} mails of players have no answer")
    _say(f"Mails:     {count.taken} in by SMTP, each answered once; {count.sent} out; {seconds:.0f} seconds")
    _say(f"           they lie in the Maildir {hall.outbox} (try: mutt -f {hall.outbox})")


def _need_none(what: str, mismatches: tuple[Mismatch, ...]) -> None:
    for mismatch in mismatches[:_MOST_TOLD]:
        _say(f"  {mismatch}")
    if mismatches:
        raise DemoFailed(f"{what}: {len(mismatches)} mismatches")


def _say_next(folder: Path, name: str) -> None:
    _say("")
    _say("Next, for example:")
    _say(f"  ADJUDICATOR_DATA={folder} {COMMAND} game log {name}")
    _say(f"  {COMMAND} record verify {folder / name}.json")
    _say("  make serve                (and, in a second terminal, your own game against the house:)")
    _say(f"  {COMMAND} game new --british you@example.org --french house")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
