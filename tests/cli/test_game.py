"""`game …`."""

import hashlib
import json
import re

import msgspec
import pytest

from adjudicator.game.model import MayBlock
from adjudicator.game.record import Position, written

ANN, BEN = "ann@example.org", "ben@example.net"
SHOWN = {"game", "status", "edition", "variants", "switches", "seats", "position", "position_number", "waiting_for"}
SHOWN |= {"question", "deadline", "clock", "result"}


def new(terminal, british=ANN, french=BEN, *more):
    return terminal.json("game", "new", "--british", british, "--french", french, *more)


def test_a_new_game_prints_its_id_and_writes_the_first_mails(terminal):
    assert new(terminal, ANN, BEN, "--seed", "07" * 32) == {"game": "g1"}
    assert terminal.err == ""
    for address in (ANN, BEN):
        (mail,) = terminal.mails(address)
        assert f"\n{hashlib.sha256(bytes([7]) * 32).hexdigest()}\n" in mail
        assert re.fullmatch(r"g1\.1-[a-z2-7]+@localhost", terminal.reply_to(address))
    assert terminal.run("game", "new", "--british", ANN, "--french", BEN) == "g2\n"


def test_show(terminal):
    new(
        terminal,
        ANN,
        "house",
        "--clock",
        "none",
        "--edition",
        "1",
        "--variant",
        "no-governors",
        "--switch",
        "trader_fur_limit=2",
    )
    shown = terminal.json("game", "show", "g1")
    assert set(shown) == SHOWN
    assert shown["seats"] == {
        "british": {"name": "ann", "address": ANN, "house": None},
        "french": {"name": None, "address": None, "house": "heuristic"},
    }
    assert (shown["status"], shown["edition"], shown["variants"]) == ("running", 1, ["no-governors"])
    assert shown["switches"] == {"trader_fur_limit": 2}
    assert (shown["position_number"], shown["waiting_for"]) == (1, "british")
    assert (shown["question"], shown["deadline"], shown["result"]) == (None, None, None)
    assert shown["position"]["players"]["british"]["hand"] == 5


def test_hands_are_shown_for_a_reason_and_the_look_is_logged(terminal):
    new(terminal)
    counts, full = terminal.json("game", "show", "g1"), terminal.json("game", "show", "g1", "--why", "a dispute")
    for side in ("british", "french"):
        player = full["position"]["players"][side]
        for zone in ("hand", "deck"):
            assert counts["position"]["players"][side][zone] == len(player[zone])
    deeds = terminal.json("game", "log", "g1")["audit"]
    assert [(deed["command"], deed["why"]) for deed in deeds] == [("game new", ""), ("game show", "a dispute")]
    assert all(deed["who"] for deed in deeds)


def test_a_question_shows_its_answers_for_a_reason_only(terminal):
    new(terminal, ANN, BEN, "--variant", "french-start-card")
    shown = terminal.json("game", "show", "g1")
    full = terminal.json("game", "show", "g1", "--why", "x")
    assert (shown["question"]["to"], shown["question"]["kind"], shown["waiting_for"]) == (
        "french",
        "start-with",
        "french",
    )
    assert "start with Militia" in full["question"]["choices"]
    assert shown["question"]["choices"] == len(full["question"]["choices"])


def test_a_house_player_answers_before_the_command_ends(terminal):
    new(terminal, ANN, "house")
    assert terminal.feed(ANN, "draft ships") == "250 2.0.0 taken"
    shown = terminal.json("game", "show", "g1")
    assert (shown["position"]["turn"], shown["waiting_for"]) == (3, "british")
    assert len(terminal.mails(ANN)) == 3


def test_lists_and_text_fit_in_80_columns(terminal):
    assert terminal.run("game", "list") == "no games\n"
    assert terminal.json("game", "list") == []
    new(terminal, "a-very-long-name-indeed@mail.a-long-domain-name.example.org", "house")
    new(terminal, "house:random", "house:random", "--edition", "1")
    terminal.run("game", "pause", "g1", "--why", "a reason that is long " * 8)
    texts = [terminal.run("game", "list")]
    texts += [terminal.run("game", command, name) for command in ("show", "log") for name in ("g1", "g2")]
    for text in texts:
        assert max(map(len, text.splitlines())) <= 80, text
    assert "paused" in texts[0]
    assert "result" in texts[2]
    assert ": the French win (" in texts[2] or ": the British win (" in texts[2]
    assert "turn 2, " in texts[4]
    listed = terminal.json("game", "list")
    assert [(one["game"], one["status"]) for one in listed] == [("g1", "paused"), ("g2", "finished")]
    assert [one["game"] for one in terminal.json("game", "list", "--status", "paused")] == ["g1"]


def test_the_log_hides_the_open_turn(terminal):
    new(terminal, ANN, BEN)
    terminal.feed(ANN, "draft ships", "one")
    terminal.feed(BEN, "draft militia\nstop", "two")
    log = terminal.json("game", "log", "g1")
    assert [(move["turn"], move["side"], move["order"]) for move in log["moves"]] == [
        (1, "british", "draft Ships"),
        (1, "british", "done"),
    ]
    assert log["hidden"] == 1
    assert "1 move still secret; --why TEXT" in terminal.run("game", "log", "g1")
    assert "draft Militia" in terminal.run("game", "log", "g1", "--why", "x")


def test_pause_and_resume_at_a_position(terminal):
    new(terminal)
    line = "game g1 has moved on: it is at turn 1, position 1, not at 7"
    assert terminal.error("game", "pause", "g1", "--at", 7) == line
    assert terminal.run("game", "pause", "g1", "--at", 1, "--why", "holidays") == "g1 is paused\n"
    terminal.feed(ANN, "draft ships")
    assert terminal.json("game", "show", "g1")["position"]["turn"] == 1
    assert terminal.error("game", "pause", "g1") == "game g1 is paused, not running"
    assert terminal.run("game", "resume", "g1") == "g1 goes on\n"
    terminal.feed(ANN, "draft ships", "again")
    assert terminal.json("game", "show", "g1")["position"]["turn"] == 2


def test_export_and_import_give_an_equal_game(terminal, monkeypatch):
    new(terminal, ANN, BEN, "--clock", "5d")
    terminal.feed(ANN, "draft ships", "one")
    terminal.feed(BEN, "draft militia\nstop\non raid: no block", "two")
    before = [terminal.json("game", "show", "g1", "--why", "x"), terminal.run("game", "export", "g1", "--why", "x")]
    (terminal.folder / "g1.json").write_text(before[1])
    letter, to = terminal.letter(BEN, "done"), terminal.reply_to(BEN)
    monkeypatch.setenv("ADJUDICATOR_DATA", str(terminal.folder / "other"))
    assert terminal.run("game", "import", "g1.json", "--why", "moved here") == "g1\n"
    assert terminal.err == "made the tables of a new database\n"
    after = [terminal.json("game", "show", "g1", "--why", "x"), terminal.run("game", "export", "g1", "--why", "x")]
    for shown in (before[0], after[0]):
        assert shown["clock"].pop("left")["british"] == 5 * 86400
    assert after == before
    assert terminal.run("mail", "feed", letter, "--from", BEN, "--to", to) == "250 2.0.0 taken\n"
    assert terminal.json("game", "show", "g1")["position"]["turn"] == 3
    assert terminal.json("game", "import", "g1.json", "--as", "g1b") == {"game": "g1b"}
    assert "there is a game 'g1' already" in terminal.error("game", "import", "g1.json")
    assert "game import" in [deed["command"] for deed in terminal.json("game", "log", "g1b")["audit"]]


def test_what_an_export_holds(terminal):
    new(terminal, ANN, BEN, "--seed", "09" * 32)
    assert terminal.error("game", "export", "g1").startswith("game g1 is not over: its record needs --why")
    full = json.loads(terminal.run("game", "export", "g1", "--why", "backup"))
    assert full["seed"] == "09" * 32
    assert full["kept"]["seats"]["british"]["address"] == ANN
    public = terminal.run("game", "export", "g1", "--public")
    assert "09" * 32 not in public
    assert ANN not in public
    assert json.loads(public)["public"] is True
    assert "either --public or --why" in terminal.error("game", "export", "g1", "--public", "--why", "x", code=2)
    commands = [deed["command"] for deed in terminal.json("game", "log", "g1")["audit"]]
    assert commands == ["game new", "game export"]


def test_a_game_from_a_position(terminal, position_file, start):
    state = msgspec.structs.replace(start, turn=5)
    standing = {"french": "on raid: no block"}
    switches = {"trader_fur_limit": 3}
    position = Position(format="afas-position/1", edition=1, state=state, standing=standing, switches=switches)
    position_file.write_bytes(written(position))
    new(terminal, ANN, BEN, "--position", position_file)
    shown = terminal.json("game", "show", "g1", "--why", "x")
    assert (shown["edition"], shown["switches"]) == (1, switches)
    assert shown["position"] == json.loads(position_file.read_text())["state"]
    assert json.loads(terminal.run("game", "export", "g1", "--why", "x"))["standing"] == standing


def test_edition_variants_and_switches_come_from_the_position_file(terminal, position_file):
    for more in (("--edition", 2), ("--variant", "no-governors"), ("--switch", "trader_fur_limit=2")):
        line = terminal.error(
            "game", "new", "--british", ANN, "--french", BEN, "--position", position_file, *more, code=2
        )
        assert "edition, variants and switches come from the file" in line


def test_positions_that_no_game_begins_from(terminal, position_file, start):
    asked = msgspec.structs.replace(start, question=MayBlock("french", "ambush"))
    over = msgspec.structs.replace(start, to_move=None)
    for state, message in ((asked, "cannot begin with an open question"), (over, "over already")):
        position_file.write_bytes(written(Position(format="afas-position/1", edition=2, state=state)))
        line = terminal.error("game", "new", "--british", ANN, "--french", BEN, "--position", position_file)
        assert message in line
    foreign = "on surrender: settle with Boston"
    for said, message in (("on raid: x", "$.standing.french"), (foreign, "The French have no card Boston.")):
        position_file.write_bytes(
            written(Position(format="afas-position/1", edition=2, state=start, standing={"french": said}))
        )
        line = terminal.error("game", "new", "--british", ANN, "--french", BEN, "--position", position_file)
        assert message in line
    assert json.loads(terminal.run("game", "list", "--json")) == []
    line = terminal.error("game", "new", "--british", ANN, "--french", BEN, "--position", "none")
    assert line == "none: No such file or directory"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--edition", 3), "--edition"),
        (("--variant", "no-governor"), "unknown variant 'no-governor'; did you mean 'no-governors'?"),
        (("--switch", "trader_fur_limit"), "'trader_fur_limit' is not NAME=VALUE."),
        (("--switch", "trader_fur_limits=1"), "unknown switch"),
        (("--switch", "trader_fur_limit=maybe"), "The switch trader_fur_limit is a number from 1 to 999, or none."),
        (("--clock", "fast"), "clock 'fast'"),
        (("--lang", "xx"), "language 'xx'"),
        (("--seed", "12"), "64 hex digits"),
        (("--french", "ben"), "'ben' is no mail address"),
        (("--french", "house:best"), "there is no house player 'best'"),
        (("--nothing",), "No such option"),
    ],
)
def test_options_that_cannot_be(terminal, more, message):
    assert message in terminal.error("game", "new", "--british", ANN, "--french", BEN, *more, code=2)
    assert terminal.json("game", "list") == []


def test_games_that_there_are_not(terminal):
    for command in ("show", "log", "export", "pause", "resume"):
        assert terminal.error("game", command, "g9") == "there is no game 'g9'"
        assert terminal.error("game", command, "g9", "--why", "x") == "there is no game 'g9'"
    terminal.run("game", "show", code=2)
    terminal.run("game", "pause", "g1", "--at", "x", code=2)


def test_a_record_that_is_no_export(terminal, tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}")
    assert terminal.error("game", "import", path).startswith(f"{path}: ")
    assert terminal.json("game", "list") == []


def test_nobody_sits_on_both_sides(terminal):
    new(terminal, ANN, "house")
    terminal.run("player", "address", "add", ANN, "ann@work.example.net")
    for british, french in ((ANN, ANN.upper()), (ANN, "ann@work.example.net"), ("x@example.org", "x@example.org")):
        fault = terminal.error("game", "new", "--british", british, "--french", french, code=2)
        assert "cannot sit on both sides: the other seat needs somebody else" in fault
    assert [one["game"] for one in terminal.json("game", "list")] == ["g1"]
    assert "x@example.org" not in terminal.run("player", "list")
