"""Addresses that bounce and answers that are joined, as moderators meet them."""

from datetime import UTC, datetime, timedelta

import pytest

ANN, BEN = "ann@example.org", "ben@example.net"
REPORT = """From: MAILER-DAEMON@mx.example.net
Message-ID: <r1@mx.example.net>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ben@example.net
Action: failed
Status: 5.1.1

--b--
"""


@pytest.fixture
def game(terminal):
    terminal.run("game", "new", "--british", ANN, "--french", BEN)
    return terminal


def bounce(game) -> None:
    path = game.folder / "report.eml"
    path.write_text(REPORT)
    to = game.mails(BEN)[-1].splitlines()[0].removeprefix("Return-Path: <").removesuffix(">")
    assert game.run("mail", "feed", path, "--from", "", "--to", to) == "250 2.0.0 taken\n"


def test_games_in_which_a_player_gets_no_mail_are_listed(game):
    assert game.json("game", "list", "--stuck") == []
    assert game.run("game", "list", "--stuck") == "no games\n"
    bounce(game)
    (one,) = game.json("game", "list", "--stuck")
    assert one["game"] == "g1"
    assert set(one["seats"]["french"]) == {"name", "address", "house", "bounced"}
    assert one["seats"]["french"]["bounced"].endswith("Z")
    assert "bounced" not in one["seats"]["british"]
    assert [reason["why"] for reason in one["stuck"]] == ["mail to the French comes back"]
    assert one["stuck"][0]["since"] == one["seats"]["french"]["bounced"]
    assert "mail to the French comes back" in game.run("game", "list", "--stuck")
    assert f"(no mail) {BEN}"[:20] in game.run("game", "list")
    assert "(no mail)" in game.run("game", "show", "g1")
    assert game.feed(BEN, "status", "two") == "250 2.0.0 taken"
    assert game.json("game", "list", "--stuck") == []
    assert len(game.mails(BEN)) == 2


def test_a_report_about_a_running_game_is_not_to_be_seen(game):
    bounce(game)
    (report,) = [one for one in game.json("mail", "list") if one["id"] == "in-1"]
    assert (report["state"], report["game"], report["side"]) == ("bounce", "g1", "french")
    assert game.json("mail", "show", "in-1")["text"] is None


def test_answers_over_the_budget_come_with_a_later_tick(game, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_ANSWERS_PER_HOUR", "2")
    for number in range(5):
        assert game.feed(ANN, f"note: {number}", f"n{number}") == "250 2.0.0 taken"
    assert len(game.mails(ANN)) == 3
    later = datetime.now(UTC) + timedelta(minutes=61)
    game.run("tick", "--now", later.isoformat())
    assert len(game.mails(ANN)) == 4
    assert "several mails" in game.mails(ANN)[-1]


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_budget_of_nothing_is_refused(terminal, monkeypatch, value):
    monkeypatch.setenv("ADJUDICATOR_ANSWERS_PER_HOUR", value)
    assert "ANSWERS_PER_HOUR" in terminal.error("game", "list")
