"""`player …` and `game rekey`: who plays, under which addresses, and new keys."""

import json

import pytest

ANN, BEN, WORK = "ann@example.org", "ben@example.net", "ann@work.example.net"


@pytest.fixture
def played(terminal):
    """A game between Ann and Ben."""
    terminal.run("game", "new", "--british", ANN, "--french", BEN)
    return terminal


def audit(terminal):
    from adjudicator.store.database import open_database  # noqa: PLC0415
    from adjudicator.store.ledger import Ledger  # noqa: PLC0415

    database = open_database(f"sqlite:///{terminal.folder}/var/adjudicator.db")
    with Ledger(database).read() as tx:
        rows = tx.audit()
        assert tx.broken_audit() is None
    database.close()
    return rows


def test_a_player_is_added_listed_and_shown(terminal):
    assert terminal.run("player", "list") == "no players\n"
    assert terminal.json("player", "add", "Ann Example", "Ann@Example.org", "--why", "asked by phone") == {"player": 1}
    assert "registered as Ann Example" in " ".join(terminal.mails(ANN)[0].split())
    (listed,) = terminal.json("player", "list")
    assert listed == terminal.json("player", "show", "1") == terminal.json("player", "show", "ann example")
    assert listed["name"] == "Ann Example"
    (address,) = listed["addresses"]
    assert (address["address"], address["of_record"], address["bounced"]) == (ANN, True, None)
    assert address["verified"].endswith("Z")
    assert ANN in terminal.run("player", "list")
    assert "verified" in terminal.run("player", "show", ANN)


def test_the_audit_log_has_no_names_and_no_addresses(terminal):
    terminal.run("player", "add", "Ann Example", ANN, "--why", "by phone")
    terminal.run("player", "address", "add", 1, WORK)
    terminal.run("player", "rename", 1, "Anna")
    terminal.run("player", "address", "remove", 1, WORK)
    terminal.run("player", "rekey", 1)
    rows = audit(terminal)
    commands = ["add", "address add", "rename", "address remove", "rekey"]
    assert [row.command for row in rows] == [f"player {one}" for one in commands]
    assert rows[0].why == "by phone"
    assert all(row.data["player"] == 1 for row in rows)
    assert "ann" not in json.dumps([row.data for row in rows]).lower()


def test_seats_are_shown(played):
    shown = played.json("player", "show", ANN)
    assert shown["seats"] == [{"game": "g1", "side": "british", "status": "running"}]
    assert "g1: british, running" in played.run("player", "show", ANN)


def test_an_address_is_added_used_and_removed_and_the_owner_told(played):
    played.run("player", "address", "add", ANN, WORK)
    assert WORK in " ".join(played.mails(ANN)[-1].split())
    assert [one["address"] for one in played.json("player", "show", ANN)["addresses"]] == [ANN, WORK]
    played.run("player", "address", "add", "--use", ANN, WORK)
    assert [one["of_record"] for one in played.json("player", "show", WORK)["addresses"]] == [True, False]
    played.run("player", "address", "remove", WORK, WORK.upper())
    assert [one["address"] for one in played.json("player", "show", ANN)["addresses"]] == [ANN]
    assert played.feed(ANN, "draft governor").startswith("250")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "7"), "there is no player '7'"),
        (("show", "nobody@example.org"), "there is no player"),
        (("show", "99999999999999999999"), "there is no player"),
        (("add", "draft Militia", "new@example.org"), "cannot be a name"),
        (("add", "Ben", "new@example.org"), "there is a player called 'Ben' already"),
        (("add", "New", BEN), "is an address of player 2 already"),
        (("add", "New", "x@localhost"), "is no mail address of a player"),
        (("add", "New", "new"), "is no mail address of a player"),
        (("rename", "1", "BEN"), "there is a player called 'BEN' already"),
        (("address", "add", "1", BEN), "is an address of player 2 already"),
        (("address", "add", "1", ANN), "is an address of player 1 already"),
        (("address", "remove", "1", BEN), "is no address of player 1"),
        (("address", "remove", "1", ANN), "is the last address of player 1"),
        (("rekey", "7"), "there is no player '7'"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(played, words, said):
    assert said in played.error("player", *words)


def test_two_of_one_name_are_told_apart(terminal):
    terminal.run("game", "new", "--british", "ann@a.example", "--french", "ann@b.example")
    assert "several players are called 'ann'" in terminal.error("player", "show", "ann")


def test_new_keys_make_old_addresses_void(played):
    for command in (("player", "rekey", ANN), ("game", "rekey", "g1", "--side", "british")):
        letter, to = played.letter(ANN, "draft governor"), played.reply_to(ANN)
        played.run(*command, "--why", "it leaked")
        assert played.reply_to(ANN) != to
        assert "earlier reply addresses of your seat are void" in " ".join(played.mails(ANN)[-1].split())
        assert played.run("mail", "feed", letter, "--from", ANN, "--to", to).startswith("550")
    assert len(played.mails(BEN)) == 1
    assert played.feed(ANN, "draft governor").startswith("250")
    assert len(played.mails(BEN)) == 2


def test_a_game_is_rekeyed_for_both(played):
    before = played.reply_to(ANN), played.reply_to(BEN)
    told = played.run("game", "rekey", "g1", "--dry-run")
    assert ANN in told
    assert BEN in told
    assert (played.reply_to(ANN), played.reply_to(BEN)) == before
    assert played.run("game", "rekey", "g1") == "g1 has new reply addresses\n"
    assert not {played.reply_to(ANN), played.reply_to(BEN)} & set(before)
    assert "has moved on" in played.error("game", "rekey", "g1", "--at", 7)


def test_house_players_need_no_keys(terminal):
    terminal.run("game", "new", "--british", ANN, "--french", "house")
    assert "a house player sits there" in terminal.error("game", "rekey", "g1", "--side", "french")
    assert terminal.run("game", "rekey", "g1") == "g1 has new reply addresses\n"


def test_aligned_needs_somebody_to_believe(terminal, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_AUTH", "aligned")
    monkeypatch.setattr("adjudicator.mail.signatures.find_spec", lambda _name: None)
    assert "aligned needs AUTHSERV_ID" in terminal.error("player", "list")
    monkeypatch.setenv("ADJUDICATOR_AUTHSERV_ID", "mx.example.org")
    terminal.run("player", "list")
    monkeypatch.delenv("ADJUDICATOR_AUTHSERV_ID")
    monkeypatch.setattr("adjudicator.mail.signatures.find_spec", lambda _name: object())
    terminal.run("player", "list")


# What is kept, and being forgotten


def test_what_is_kept_of_a_player_is_printed_and_the_look_is_logged(played):
    data = json.loads(played.run("player", "data", ANN, "--why", "he asked by phone"))
    assert data["addresses"][0]["address"] == ANN
    assert data["seats"][0]["name"] == "g1"
    assert BEN not in json.dumps(data)
    row = audit(played)[-1]
    assert (row.command, row.data, row.why) == ("player data", {"player": 1}, "he asked by phone")


def test_a_player_is_forgotten(played):
    assert played.run("player", "erase", ANN, "--why", "he asked by letter") == "player 1 is forgotten\n"
    assert played.json("player", "show", 1)["addresses"] == []
    assert played.json("player", "show", 1)["name"] == "player 1"
    farewell = " ".join(played.mails(ANN)[-1].split())
    assert "You are forgotten here, as a moderator has decided (he asked by letter)." in farewell
    assert "The game is over" in played.mails(BEN)[-1] or "game is over" in played.mails(BEN)[-1]
    row = audit(played)[-1]
    assert (row.command, row.data) == ("player erase", {"player": 1, "given_up": ["g1"]})
    assert "forgotten already" in played.error("player", "erase", 1, "--why", "again")
    for mail in played.json("mail", "list"):
        played.run("mail", "show", mail["id"])
    (file,) = (played.folder / "var").glob("adjudicator.db")
    assert ANN.encode() not in file.read_bytes()


def test_a_reason_is_needed_to_forget_or_to_ban(played):
    for command in ("erase", "ban", "unban", "data"):
        assert "--why" in played.error("player", command, ANN, code=2)


def test_a_banned_player_is_told_and_logged(played):
    played.run("player", "ban", ANN, "--why", "insults")
    assert "no new game. Why: insults" in " ".join(played.mails(ANN)[-1].split())
    assert "Subject: A moderator has changed something about you" in played.mails(ANN)[-1]
    assert played.json("player", "show", ANN)["banned"].endswith("Z")
    assert "banned" in played.run("player", "show", ANN)
    assert "banned already" in played.error("player", "ban", ANN, "--why", "insults")
    played.run("player", "unban", ANN, "--why", "he is sorry")
    assert "You may take part" in " ".join(played.mails(ANN)[-1].split())
    assert "not banned" in played.error("player", "unban", ANN, "--why", "twice")
    assert [row.command for row in audit(played)][-2:] == ["player ban", "player unban"]


def test_the_zone_of_a_player_is_set(played):
    assert played.run("player", "zone", ANN, "europe/berlin") == "days count in Europe/Berlin\n"
    assert "Europe/Berlin" in played.mails(ANN)[-1]
    assert "Europe/Berlin" in played.error("player", "zone", ANN, "Europe/Berln")
    assert audit(played)[-1].data == {"player": 1, "zone": "Europe/Berlin"}


def test_a_banned_player_comes_into_no_game_by_a_moderator_either(played):
    played.run("player", "ban", ANN, "--why", "insults")
    for seats in ((ANN, "house"), ("house", ANN)):
        fault = played.error("game", "new", "--british", seats[0], "--french", seats[1], code=2)
        assert "player 1 is banned from new games" in fault
    number = played.json("game", "new", "--british", "x@example.org", "--french", "house")["game"]
    fault = played.error("game", "replace", number, "--side", "french", "--with", ANN, "--why", "a new opponent")
    assert "player 1 is banned from new games; `player unban 1` lets him in again" in fault
    assert [one["game"] for one in played.json("game", "list")] == ["g1", number]
