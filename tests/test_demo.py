"""The demo: whole games by real mails in one process."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from adjudicator.cli import app
from adjudicator.demo.house_game import nearness
from adjudicator.demo.recorded_game import bodies
from adjudicator.demo.show import fresh_folder
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.front import script_of
from adjudicator.game.record import read_record, written
from adjudicator.replay_bench import long_game

RECORDS = Path(__file__).parents[2] / "shared" / "records"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("ADJUDICATOR_DATA", str(tmp_path / "var"))
    return CliRunner()


@pytest.mark.slow
def test_a_house_game_by_mail_is_played_replayed_and_verified(run: CliRunner, tmp_path: Path) -> None:
    done = run.invoke(app, ["demo", "--seed", "07" * 32])
    assert done.exit_code == 0, done.output
    assert "each answered once" in done.output
    assert "every state equal" in done.output
    folder = tmp_path / "var" / "demo-1"
    mails = [path.read_text("utf-8") for path in (folder / "outbox" / "new").iterdir()]
    assert f"; {len(mails)} out;" in done.output
    assert sum("The game is over" in mail for mail in mails) == 2
    again = run.invoke(app, ["record", "verify", str(folder / "g1.json")])
    assert again.exit_code == 0, again.output


def test_a_recorded_game_is_played_by_mail(run: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(written(long_game(40)))
    done = run.invoke(app, ["demo", "--record", str(tmp_path / "game.json")])
    assert "is not over after" in done.output, done.output  # it breaks off
    assert done.exit_code == 1


@pytest.mark.slow
@pytest.mark.skipif(not RECORDS.is_dir(), reason="there are no shared records here")
@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_real_games_are_played_by_mail_with_every_state_equal(run: CliRunner, path: Path) -> None:
    done = run.invoke(app, ["demo", "--record", str(path)])
    assert done.exit_code == 0, done.output
    assert re.search(r"\d+ turns, 0 mismatches", done.output)


def test_a_false_record_is_refused(run: CliRunner, tmp_path: Path) -> None:
    record = long_game(10)
    turn = record.turns[3]
    player = turn.after.players.british
    forged = replace(turn.after, players=turn.after.players.put("british", replace(player, money=player.money + 1)))
    turns = (*record.turns[:3], replace(turn, after=forged), *record.turns[4:])
    (tmp_path / "false.json").write_bytes(written(replace(record, turns=turns)))
    done = run.invoke(app, ["demo", "--record", str(tmp_path / "false.json")])
    assert done.exit_code == 1
    assert "it does not replay: turn 4" in done.output


def test_wrong_use_is_told(run: CliRunner, tmp_path: Path) -> None:
    assert run.invoke(app, ["demo", "--seed", "12"]).exit_code == 2
    assert run.invoke(app, ["demo", "--record", str(tmp_path / "missing.json")]).exit_code == 1


def test_each_mail_of_a_recorded_turn_is_one_sides_and_done_ends_it() -> None:
    script = script_of(read_record(written(long_game(60))))
    mails = [body for _, moves in script.turns for _, body in bodies(moves)]
    assert len(mails) >= 60
    for body in mails:
        assert "done" not in body.split("\n")[:-1]


def test_each_demo_has_a_folder_of_its_own(tmp_path: Path) -> None:
    assert fresh_folder(tmp_path / "var").name == "demo-1"
    assert fresh_folder(tmp_path / "var").name == "demo-2"
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        fresh_folder(tmp_path / "file")


def test_a_new_game_is_far_from_its_end() -> None:
    assert 0 < nearness(new_game(rules_for(), seeded(SILENT)).state) < 0.5
