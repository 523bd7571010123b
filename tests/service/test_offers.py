"""Offers between two players: a draw, a new game, a turn taken back, and how they lapse."""

import msgspec
import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.game.events import GameOver
from adjudicator.game.model import SIDES, other
from adjudicator.game.verify import verify
from adjudicator.service import moderate, records
from adjudicator.service.offered import open_offer


def said(office: PostOffice, side) -> str:
    """The newest mail of a side as one line."""
    return " ".join(text_of(office.last(side)).split())


def result(office: PostOffice) -> GameOver:
    return msgspec.json.decode(office.game().row.result, type=GameOver)


def test_a_draw_by_agreement(office):
    office.new_game()
    office.answer("british", "offer draw")
    assert "has been told that you offer a draw" in said(office, "british")
    assert office.last("french")["Subject"] == "[g1] Your opponent wants to agree on something"
    assert 'with a line that says "accept draw"' in said(office, "french")
    office.answer("french", "accept draw")
    assert office.game().row.status == "finished"
    assert (result(office).winner, result(office).reason) == (None, "agreement")
    for side in SIDES:
        assert "Nobody has won: by agreement." in said(office, side)
    with office.ledger.read() as tx:
        rows = tx.audit(game_id=office.game().row.id)
        assert verify(records.export(tx, office.game())).mismatches == ()
    assert [(row.who, row.command) for row in rows] == [("player 1", "offer draw"), ("player 2", "accept draw")]
    assert all(name not in str(rows) for name in ("ann", "ben", "example"))


def test_a_restart_begins_another_game_of_the_same_kind(office):
    office.new_game(edition=1, variants=("french-siege-redraw",), clock="5d", public=True)
    office.answer("french", "offer restart")
    office.answer("british", "accept")
    old, new = office.game(), office.game("g2")
    assert (result(office).winner, result(office).reason) == (None, "agreement")
    for side in SIDES:
        assert "[g2] A new game: you play" in str([mail["Subject"] for mail in office.boxes[ADDRESSES[side]]])
    assert new.row.seed != old.row.seed
    for name in ("edition", "variants", "switches", "clock", "public", "anonymous"):
        assert getattr(new.row, name) == getattr(old.row, name), name
    assert {side: new.seats[side].player_id for side in SIDES} == {side: old.seats[side].player_id for side in SIDES}
    (mail,) = [mail for mail in office.boxes[ADDRESSES["british"]] if mail["Subject"].startswith("[g2]")]
    office.answer("british", "draft Ships", mail)
    assert office.game("g2").state.turn == 2


def test_the_last_turn_is_taken_back(office):
    office.new_game()
    start = office.game().state
    office.answer("british", "draft Ships")
    office.answer("british", "offer takeback")
    assert "go back to the start of turn 1" in said(office, "french")
    office.answer("french", "accept takeback")
    game = office.game()
    assert (game.state.turn, game.state.to_move) == (1, "british")
    assert game.state.available_empire == start.available_empire
    for side in SIDES:
        assert "As both of you wanted, the game has gone back to the start of turn 1." in said(office, side)
    with office.ledger.read() as tx:
        assert len(tx.undone(game.row.id)) == 1
        rows = tx.audit(game_id=game.row.id)
        assert [row.command for row in rows] == ["offer takeback", "accept takeback", "deadline"]
        assert (rows[-1].who, rows[-1].data["cause"], rows[-1].data["side"]) == ("player 2", "takeback", "british")
        assert rows[-1].data["after"] == game.row.deadline_at.isoformat() != rows[-1].data["before"]
        shown = moderate.history(tx, game, full=True)
    assert shown.moves == []
    office.answer("british", "draft Rangers")
    assert office.game().state.turn == 2


def test_an_open_turn_is_taken_back_by_who_plays_it(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    office.answer("british", "money from Boston\nstop")
    assert office.game().state.open is not None
    office.answer("british", "offer takeback")
    assert "start of turn 3" in said(office, "british")
    office.answer("french", "accept")
    assert office.game().state.open is None
    assert office.game().state.turn == 3


def test_who_waits_is_not_told_by_an_offer_whether_the_other_has_begun(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    office.answer("british", "money from Boston\nstop")
    office.answer("french", "offer takeback")
    assert "start of turn 2" in said(office, "french")


@pytest.mark.parametrize("kind", ["draw", "restart"])
def test_an_offer_lapses_with_the_other_sides_turn_and_not_before(office, kind):
    office.new_game()
    office.answer("british", f"offer {kind}")
    office.answer("british", "draft Ships")
    assert open_offer(office.game().row).kind == kind
    office.answer("french", "draft Militia")
    assert office.game().row.offer is None
    assert "An offer that was open between you has lapsed" in said(office, "british")
    office.answer("french", "accept")
    assert "No such offer is open to you" in said(office, "french")
    assert office.game().row.status == "running"


def test_a_takeback_lapses_with_any_turn(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "offer takeback")
    office.answer("french", "draft Militia")
    assert office.game().row.offer is None
    assert "has lapsed" in said(office, "british")
    office.answer("british", "accept takeback")
    assert office.game().state.turn == 3


def test_one_offer_at_a_time_and_the_same_only_after_a_turn_of_the_other(office):
    office.new_game()
    office.answer("british", "offer draw")
    count = office.count("french")
    office.answer("british", "offer restart")
    assert "an offer is open already" in said(office, "british")
    office.answer("french", "decline draw")
    assert "Your opponent has declined the offer in game g1 (a draw)" in said(office, "british")
    assert "You have declined" in said(office, "french")
    office.answer("british", "offer draw")
    assert "you offered the same before" in said(office, "british")
    assert office.count("french") == count + 1
    office.answer("british", "draft Ships")
    office.answer("british", "offer draw")
    assert "you offered the same before" in said(office, "british")
    office.answer("french", "draft Militia")
    office.answer("british", "offer draw")
    assert open_offer(office.game().row).by == "british"
    office.answer("british", "decline draw")
    assert "You have withdrawn" in said(office, "british")
    assert office.game().row.offer is None


def test_nobody_takes_his_own_offer_or_one_he_cannot_have_read(office):
    office.new_game()
    welcome = office.last("french")
    office.answer("british", "offer draw")
    office.answer("british", "accept draw")
    assert "No such offer is open to you" in said(office, "british")
    for words, mail in (("accept", welcome), ("accept restart", None)):
        office.answer("french", words, mail)
        assert "No such offer is open to you" in said(office, "french"), words
        assert office.game().row.status == "running"
    office.answer("french", "accept draw", welcome)
    assert office.game().row.status == "finished"


def test_nothing_is_offered_to_a_house_player_or_before_a_turn(office):
    office.new_game(french="house")
    office.answer("british", "offer draw")
    assert "a house player considers no offers" in said(office, "british")
    office.new_game()
    asked = office.last("british")
    office.answer("british", "offer takeback", asked)
    assert "no turn has ended yet" in said(office, "british")
    assert office.game("g2").row.offer is None


def test_what_was_done_with_the_words_is_told_line_by_line(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "offer draw")
    assert "== Understood and carried out == line 1: offer draw" in said(office, "british")
    office.answer("british", "offer draw")
    assert "== Understood and not carried out == line 1: offer draw" in said(office, "british")
    office.answer(other("british"), "decline")
    assert "== Understood and carried out == line 1: decline" in said(office, "french")


def ban(office: PostOffice, side) -> None:
    with office.ledger.begin() as tx:
        tx.ban_player(office.game().seats[side].player_id, at=office.now)


@pytest.mark.parametrize("banned", SIDES)
def test_nobody_who_is_banned_comes_into_a_game_by_a_restart(office, banned):
    office.new_game()
    office.answer("british", "offer restart")
    ban(office, banned)
    office.answer("french", "accept restart")
    with office.ledger.read() as tx:
        assert [row.name for row in tx.games()] == ["g1"]
    assert office.game().row.status == "running"
    reason = {"french": "a moderator has decided that you take part in no new game", "british": "no new game can begin"}
    assert f"You cannot agree to end this game and begin a new one now in game g1: {reason[banned]}" in said(
        office, "french"
    )
    office.answer("french", "decline")
    office.answer("french", "offer restart")
    assert reason[banned] in said(office, "french")
    assert office.game().row.offer is None


def test_a_restart_keeps_what_the_players_have_set_for_themselves(office):
    office.new_game()
    office.answer("british", "set confirm on\non raid: block with militia\nnote: he bluffs")
    office.answer("french", "next turn: draft Militia\non raid: no block")
    office.answer("french", "offer restart")
    office.answer("british", "accept")
    old, new = office.game(), office.game("g2")
    assert {side: new.seats[side].standing for side in SIDES} == {side: old.seats[side].standing for side in SIDES}
    assert all(new.seats[side].standing for side in SIDES)
    assert [new.seats[side].confirms for side in SIDES] == [True, False]
    for side in SIDES:
        assert (new.seats[side].notes, new.seats[side].ahead, new.seats[side].pending) == ("", "", "")
    assert (
        "This game takes the place of g1, as you both agreed: same sides, same rules, other cards. "
        "Your standing orders go on here, and you are still asked before your orders count." in said(office, "british")
    )
    assert "Your standing orders go on here. Notes and orders for a next turn stayed" in said(office, "french")
    office.answer("british", "draft Ships")
    assert office.game("g2").row.moves == 0


def test_the_last_mail_of_a_game_goes_out_before_the_first_of_the_one_that_restarts_it(office):
    office.new_game()
    office.answer("french", "offer restart")
    office.answer("british", "accept")
    for side in SIDES:
        last, first = office.boxes[ADDRESSES[side]][-2:]
        assert last["Subject"].startswith("[g1] The game is over")
        assert first["Subject"].startswith("[g2] A new game")
