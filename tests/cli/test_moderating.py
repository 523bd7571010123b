"""The powers of moderators on the command line: what they change, whom they tell, and dry runs."""

import json
import re
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

ANN, BEN = "ann@example.org", "ben@example.net"
DEEDS = [
    ("pause",),
    ("extend", "--side", "french", "--by", "3d"),
    ("clock", "--side", "british", "--left", "5d"),
    ("clock", "--spec", "none"),
    ("undo", "--to", "1"),
    ("order", "--side", "french", "--orders", "draft Militia"),
    ("result", "--winner", "french", "--why", "a ruling"),
    ("void", "--why", "a fault"),
    ("resend",),
]


@pytest.fixture
def game(terminal):
    """A game in which the British have moved once; the French are to move in turn 2."""
    terminal.run("game", "new", "--british", ANN, "--french", BEN)
    assert terminal.feed(ANN, "draft Ships", "first") == "250 2.0.0 taken"
    return terminal


def shown(game):
    return game.json("game", "show", "g1")


def said(game, address):
    """The newest mail to an address, its text on one line."""
    return " ".join(game.mails(address)[-1].replace("=\n", "").replace("\xa0", " ").split())


def audit(game):
    return [deed["command"] for deed in game.json("game", "log", "g1")["audit"]]


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: " ".join(deed[:2]))
def test_a_dry_run_tells_what_would_change_and_changes_nothing(game, deed):
    before, mails, log = shown(game), len(game.mails(ANN)) + len(game.mails(BEN)), audit(game)
    told = game.json("game", deed[0], "g1", *deed[1:], "--dry-run")
    assert (told["game"], told["dry_run"]) == ("g1", True)
    assert {mail["address"] for mail in told["mails"]} <= {ANN, BEN}
    assert all(mail["subject"].startswith("[g1] ") for mail in told["mails"])
    assert told["mails"]
    text = game.run("game", deed[0], "g1", *deed[1:], "--dry-run")
    assert text.startswith("g1: nothing was done; this would change:\n")
    assert f"mail to {told['mails'][0]['address']}" in text
    after = shown(game)
    assert {**after, "clock": None} == {**before, "clock": None}
    assert len(game.mails(ANN)) + len(game.mails(BEN)) == mails
    assert audit(game) == log
    done = game.json("game", deed[0], "g1", *deed[1:])  # and in earnest it does what was told
    assert [mail["subject"] for mail in done["mails"]] == [mail["subject"] for mail in told["mails"]]
    assert set(done["changes"]) == set(told["changes"])
    assert len(game.mails(ANN)) + len(game.mails(BEN)) == mails + len(done["mails"])
    assert f"game {deed[0]}" in audit(game)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: " ".join(deed[:2]))
def test_a_stale_command_and_an_unknown_game_are_refused(game, deed):
    assert "g1 has moved on: it is at turn 2, position 2, not at 7" in game.error(
        "game", deed[0], "g1", *deed[1:], "--at", "7"
    )
    assert game.error("game", deed[0], "g9", *deed[1:]) == "there is no game 'g9'"
    assert audit(game) == ["game new"]


def test_pause_and_resume_tell_both_and_hold_the_clocks(game):
    assert game.run("game", "pause", "g1", "--why", "a dispute") == "g1 is paused\n"
    assert (shown(game)["status"], shown(game)["deadline"], shown(game)["clock"]["held"]) == ("paused", None, True)
    for address in (ANN, BEN):
        assert "Game g1 is halted by a moderator: a dispute. No time runs" in said(game, address)
    assert game.error("game", "pause", "g1") == "game g1 is paused, not running"
    assert game.run("game", "resume", "g1") == "g1 goes on\n"
    assert shown(game)["deadline"]
    assert shown(game)["clock"]["held"] is False
    assert "The French now have until" in said(game, ANN)
    assert audit(game) == ["game new", "deadline", "game pause", "deadline", "game resume"]


def test_more_time_moves_the_deadline_and_is_an_event(game):
    before = datetime.fromisoformat(shown(game)["deadline"])
    game.run("game", "extend", "g1", "--side", "french", "--by", "3d", "--why", "ill")
    after = datetime.fromisoformat(shown(game)["deadline"])
    assert timedelta(days=2, hours=23) < after - before < timedelta(days=3, hours=1)
    for address in (ANN, BEN):
        assert "A moderator has given the French more time in game g1: 3 days. Why: ill" in said(game, address)
    (row,) = [deed for deed in game.json("game", "log", "g1")["audit"] if deed["command"] == "deadline"]
    assert (row["why"], row["data"]["side"], row["data"]["cause"]) == ("ill", "french", "moderator")
    assert datetime.fromisoformat(row["data"]["after"]) == after
    assert "is no time" in game.error("game", "extend", "g1", "--side", "french", "--by", "soon")


def test_more_time_in_a_halted_game_tells_what_there_will_be(game):
    ten, thirteen = (rf"({days} days|{days - 1} days and 23 hours)" for days in (10, 13))  # as fast as this test is
    game.run("game", "pause", "g1")
    assert re.search(f"Once it goes on, the French have {ten} for their answer.", said(game, BEN))
    deed = ("game", "extend", "g1", "--side", "french", "--by", "3d")
    assert re.search(f"time of french: {ten} -> {thirteen}", game.run(*deed, "--dry-run"))
    assert re.search(rf" more: {thirteen} once it is resumed\n$", game.run(*deed))
    for address in (ANN, BEN):
        told = said(game, address)
        assert re.search(f"The game is halted, and no time runs. Once it goes on, the French have {thirteen} for", told)
    game.run("game", "extend", "g1", "--side", "british", "--by", "1d")
    assert re.search(r"The British have (12 days|11 days and 23 hours) now for", said(game, ANN))
    game.run("game", "resume", "g1")
    assert datetime.fromisoformat(shown(game)["deadline"]) > datetime.now(UTC) + timedelta(days=12, hours=23)


def test_time_of_the_side_that_is_not_to_move(game):
    before = shown(game)["deadline"]
    game.run("game", "clock", "g1", "--side", "british", "--left", "5d")
    assert shown(game)["clock"]["left"]["british"] == 5 * 86400
    assert shown(game)["deadline"] == before
    assert "deadline" not in audit(game)
    assert "have left in game g1 to 5 days" in said(game, ANN)


def test_another_clock(game):
    game.run("game", "clock", "g1", "--spec", "5d weekends")
    clock = shown(game)["clock"]
    assert (clock["spec"], clock["held"]) == ("5d weekends", False)
    assert clock["left"]["french"] <= 5 * 86400
    game.run("game", "clock", "g1", "--spec", "none")
    assert (shown(game)["clock"]["left"], shown(game)["deadline"]) == (None, None)
    assert "has no clock" in game.error("game", "extend", "g1", "--side", "french", "--by", "1d")
    assert "is no clock" in game.error("game", "clock", "g1", "--spec", "fast")
    for wrong in ((), ("--left", "5d"), ("--side", "french"), ("--spec", "none", "--side", "french", "--left", "1d")):
        assert "either --spec" in " ".join(game.error("game", "clock", "g1", *wrong, code=2).split()), wrong


def test_undo_and_going_on(game):
    assert game.run("game", "undo", "g1", "--to", "1", "--why", "a misread order") == (
        "g1 is at the start of turn 1 again\n"
    )
    assert shown(game)["position"]["turn"] == 1
    assert "Why: a misread order" in said(game, BEN)
    assert "has no turn 4" in game.error("game", "undo", "g1", "--to", "4")
    assert "nothing to undo" in game.error("game", "undo", "g1", "--to", "1")
    assert game.feed(ANN, "draft Ships", "second") == "250 2.0.0 taken"
    assert shown(game)["position"]["turn"] == 2
    assert game.feed(BEN, "history", "third") == "250 2.0.0 taken"
    assert "a moderator took the game back" in said(game, BEN)


def test_orders_for_a_player_follow_the_rules_of_mails(game):
    assert "nothing was carried out" in game.error("game", "order", "g1", "--side", "french", "--orders", "raid Boston")
    assert "nothing was carried out" in game.error("game", "order", "g1", "--side", "british", "--orders", "pass")
    assert "for the player himself" in game.error("game", "order", "g1", "--side", "french", "--orders", "resign")
    assert "no order" in game.error("game", "order", "g1", "--side", "french", "--orders", "hello")
    foreign = "on surrender: settle with Boston"
    refused = game.error("game", "order", "g1", "--side", "french", "--orders", foreign)
    assert "The French have no card Boston." in refused
    assert audit(game) == ["game new"]
    game.run("game", "order", "g1", "--side", "french", "--orders", "-", typed="on raid: no block\ndraft Militia\n")
    assert shown(game)["position"]["turn"] == 3
    assert "A moderator has given orders for you." in said(game, BEN)
    assert "The French drafted Militia" in said(game, ANN)
    assert "moderator has given" not in said(game, ANN)
    (row,) = [deed for deed in game.json("game", "log", "g1")["audit"] if deed["command"] == "game order"]
    assert row["data"]["orders"] == 1
    assert {move["cause"] for move in game.json("game", "log", "g1")["moves"] if move["turn"] == 2} == {"moderator"}
    receipt = said(game, BEN).replace("=C2=A0", " ")
    assert "Understood and carried out" in receipt
    assert "line 1: on raid: no block line 2: draft Militia" in receipt


def test_who_gets_orders_of_a_moderator_is_told_why_and_nobody_else(game):
    why = ("--why", "he wrote\nby letter")
    game.run("game", "order", "g1", "--side", "french", "--orders", "draft Militia", *why)
    assert "Why a moderator gives orders for you: he wrote by letter" in said(game, BEN)
    assert "letter" not in said(game, ANN)


def test_a_dry_run_of_orders_tells_what_would_become_of_each(terminal, position_file):
    found = json.loads(position_file.read_text())
    found["state"]["players"]["british"]["hand"].append("home-support")
    position_file.write_text(json.dumps(found))
    terminal.run("game", "new", "--british", ANN, "--french", BEN, "--position", position_file)
    given = ("game", "order", "g1", "--side", "british", "--dry-run", "--orders")
    text = terminal.run(*given, "home support\ndevelop Boston with Boston\ndraft Militia")
    assert "\n  applied: home support\n  refused: develop Boston with Boston: " in text
    assert "\n  not tried: draft Militia\n" in text
    told = terminal.json(*given, "home support\ndevelop Boston with Boston\ndraft Militia")["orders"]
    assert (told["applied"], told["not_tried"]) == (["home support"], ["draft Militia"])
    assert len(told["refused"]) == 1
    assert terminal.json("game", "show", "g1")["position_number"] == 1


@pytest.mark.parametrize(
    ("deed", "winner", "reason", "told"),
    [
        (("result", "--winner", "french"), "french", "decision", "The French have won: by the moderators' decision"),
        (("result", "--winner", "draw"), None, "decision", "Nobody has won: by the moderators' decision"),
        (("void",), None, "void", "It does not count: the game was declared void"),
    ],
)
def test_a_game_is_decided_or_void_and_can_run_again(game, deed, winner, reason, told):
    game.error("game", deed[0], "g1", *deed[1:], code=2)  # not without a reason
    game.run("game", deed[0], "g1", *deed[1:], "--why", "nobody plays")
    assert (shown(game)["status"], shown(game)["result"]["winner"], shown(game)["result"]["reason"]) == (
        "finished",
        winner,
        reason,
    )
    assert told in said(game, ANN)
    assert "Why: nobody plays" in said(game, ANN)
    assert game.error("game", deed[0], "g1", *deed[1:], "--why", "x") == "game g1 is over"
    (game.folder / "record.json").write_text(game.run("game", "export", "g1"))
    assert "0 mismatches" in game.run("record", "verify", "record.json")
    assert "its seed was mailed to both players" in game.error("game", "undo", "g1", "--to", "2")
    game.run("game", "undo", "g1", "--to", "2", "--seed-known")
    assert "each of you can work out the shuffles to come" in said(game, ANN)
    assert (shown(game)["status"], shown(game)["result"]) == ("running", None)


def test_the_newest_position_is_sent_again(game):
    game.run("game", "resend", "g1", "--side", "french")
    assert (len(game.mails(ANN)), len(game.mails(BEN))) == (2, 3)
    assert "A moderator has sent you the newest position again. Nothing has changed by that." in said(game, BEN)
    assert "Subject: [g1] Sent again: Turn 2: you are to move (French)" in game.mails(BEN)[-1]
    assert game.feed(BEN, "draft Militia", "second") == "250 2.0.0 taken"
    assert shown(game)["position"]["turn"] == 3
    game.run("game", "new", "--british", ANN, "--french", "house")
    assert "no mail can be sent there" in game.error("game", "resend", "g2", "--side", "french")


def test_the_last_mail_is_sent_again_and_says_so(game):
    game.run("game", "void", "g1", "--why", "enough")
    game.run("game", "resend", "g1", "--side", "french")
    assert "A moderator has sent you the last mail of this game again. Nothing has changed by that." in said(game, BEN)
    assert "Subject: [g1] Sent again: The game was declared void, it does not count" in game.mails(BEN)[-1]
    assert "It is attached to this mail as the file g1.json." in said(game, BEN)


def test_looks_at_hidden_cards_are_told_at_the_end(game):
    game.json("game", "show", "g1", "--why", "a dispute about cards")
    game.run("game", "log", "g1")
    game.run("game", "void", "g1", "--why", "enough")
    for address in (ANN, BEN):
        text = said(game, address)
        assert "a moderator has looked at what only one of you could see:" in text
        assert text.count("UTC: a dispute about cards") == 1
    game.run("game", "new", "--british", ANN, "--french", BEN)
    game.run("game", "void", "g2", "--why", "enough")
    assert "has looked at" not in said(game, ANN)


def test_what_stands_still_since_when_and_why(game):
    assert game.json("game", "list", "--stuck") == []
    game.run("game", "pause", "g1")
    (one,) = game.json("game", "list", "--stuck")
    assert (one["game"], one["waiting_for"]) == ("g1", "french")
    (reason,) = one["stuck"]
    assert reason["why"] == "paused by a moderator"
    assert datetime.now(UTC) - datetime.fromisoformat(reason["since"]) < timedelta(minutes=1)
    table = game.run("game", "list", "--stuck").splitlines()
    assert table[0].split() == ["game", "since", "why", "waits", "for"]
    assert re.fullmatch(r"g1 +\d{4}-\d\d-\d\d \d\d:\d\dZ +paused by a moderator +french", table[1])


def test_the_next_deadlines(game):
    game.run("game", "new", "--british", ANN, "--french", BEN, "--clock", "2d")
    game.run("game", "new", "--british", ANN, "--french", BEN, "--clock", "none")
    assert [one["game"] for one in game.json("game", "list", "--due")] == ["g2", "g1"]
    first = game.run("game", "list", "--due").splitlines()[1]
    assert first.split()[0] == "g2"
    assert first.endswith(f"british    {ANN}")
    assert "either --stuck or --due" in game.error("game", "list", "--due", "--stuck", code=2)


def test_the_log_names_no_players(game):
    game.run("game", "undo", "g1", "--to", "1")
    game.run("game", "extend", "g1", "--side", "british", "--by", "1d")
    log = json.dumps([deed["data"] for deed in game.json("game", "log", "g1")["audit"]])
    assert "ann" not in log.replace("channel", "")
    assert "example" not in log
    assert game.run("db", "check").startswith("the tables are as they should be")


def test_stored_games_are_played_again(game):
    game.run("game", "new", "--british", ANN, "--french", BEN)
    assert game.run("record", "replay", "--stored") == "g1: 1 turns, 0 mismatches\ng2: 0 turns, 0 mismatches\n"
    assert game.run("db", "upgrade") == (
        "2 stored games played again, and nothing is otherwise\nthe tables are up to date\n"
    )
    assert game.run("db", "upgrade", "--no-gate") == "the tables are up to date\n"
    with sqlite3.connect(game.folder / "var/adjudicator.db") as database:
        database.execute(
            "UPDATE game SET turn = 2, state = replace(state, '\"turn\":2', '\"turn\":4') WHERE name = 'g1'"
        )
    database.close()
    out = game.run("record", "replay", "--stored", code=1)
    assert out.startswith("g1: 1 turns, 1 mismatches\n  turn: stored 4, played 2\ng2: 0 turns, 0 mismatches")
    assert "played again, g1 come out otherwise: g1: turn: stored 4" in game.error("db", "upgrade")
    assert game.run("db", "upgrade", "--no-gate") == "the tables are up to date\n"
    assert "either files or --stored" in game.error("record", "replay", code=2)


def test_a_seat_is_given_to_the_house_by_replacing(game):
    game.run("game", "replace", "g1", "--side", "french", "--with", "house", "--dry-run")
    assert shown(game)["seats"]["french"]["house"] is None
    done = game.run("game", "replace", "g1", "--side", "french", "--with", "house", "--why", "gone fishing")
    assert "house plays the French" in done
    assert shown(game)["seats"]["french"]["house"] == "heuristic"
    assert "game replace" in audit(game)


def test_times_and_sides_are_told_as_one_says_them(game):
    assert "the French have 3 days more" in game.run("game", "extend", "g1", "--side", "french", "--by", "3d")
    assert "game g1: 3 days." in game.run("mail", "show", "out", "--why", "a look")
    assert "the British have 1 day and 12 hours left" in game.run(
        "game", "clock", "g1", "--side", "british", "--left", "36h"
    )
    assert "g1 to 1 day and 12 hours" in " ".join(game.run("mail", "show", "out", "--why", "a look").split())
