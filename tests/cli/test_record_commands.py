"""`record replay` and `record verify`."""

import json

import pytest


@pytest.fixture
def finished(terminal):
    """The record of a finished house game, as a file."""
    terminal.run("game", "new", "--british", "house:random", "--french", "house:random", "--seed", "05" * 32)
    path = terminal.folder / "g1.json"
    path.write_text(terminal.run("game", "export", "g1"))
    return path


def test_a_good_record_and_a_bad_one(terminal, finished):
    record = json.loads(finished.read_text())
    line = f"g1: {len(record['turns'])} turns, 0 mismatches\n"
    assert terminal.run("record", "replay", finished) == line
    assert terminal.run("record", "verify", finished).startswith(line + "g1: the seed is the committed one, and all ")
    record["turns"][3]["after"]["players"]["british"]["money"] += 1
    record["id"] = "false"
    false = terminal.folder / "false.json"
    false.write_text(json.dumps(record))
    both = terminal.run("record", "replay", finished, false, code=1)
    assert both.startswith(line + "false: ")
    assert "  turn 4: after.players.british.money: recorded" in both
    terminal.run("record", "verify", false, code=1)


def test_a_false_seed(terminal, finished):
    record = json.loads(finished.read_text())
    record["seed"] = "06" * 32
    finished.write_text(json.dumps(record))
    out = terminal.run("record", "verify", finished, code=1)
    assert "  turn 0: commitment: recorded" in out
    assert 3 <= len(out.splitlines()) <= 22  # the first twenty, and how many more there are


def test_a_file_that_is_no_record_does_not_hide_the_others(terminal, finished):
    terminal.run("record", "replay", "none.json", finished, code=1)
    assert terminal.err == "Error: none.json: No such file or directory\n"
    assert "0 mismatches" in terminal.out


def test_a_running_game_cannot_be_verified(terminal):
    terminal.run("game", "new", "--british", "ann@example.org", "--french", "ben@example.net")
    path = terminal.folder / "g1.json"
    path.write_text(terminal.run("game", "export", "g1", "--public"))
    line = "the public record of a running game has no hands and no draws"
    assert terminal.error("record", "verify", path).endswith(line)
    path.write_text(terminal.run("game", "export", "g1", "--why", "a look"))
    assert terminal.run("record", "replay", path) == "g1: 0 turns, 0 mismatches\n"
