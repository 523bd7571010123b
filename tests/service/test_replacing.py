"""Somebody else takes a seat over: what he gets, what is dropped, and who is told."""

from datetime import timedelta

import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.errors import UsageError
from adjudicator.game.model import SIDES, Side, other
from adjudicator.league.clock import DAY
from adjudicator.service import moderate
from adjudicator.service.house import play_house
from adjudicator.service.moderate import Warrant
from adjudicator.service.replacing import replace
from adjudicator.service.timing import clocks_of

NEW = "cat@example.com"


def replaced(office: PostOffice, side: Side, who: str) -> None:
    """Give a seat to somebody else."""
    with office.ledger.begin() as tx:
        game = moderate.find(tx, "g1", lock=True)
        replace(office.config, tx, game, side, who, Warrant("root", "no answer for weeks", office.now))
    office.deliver()


def said(mail) -> str:
    return " ".join(text_of(mail).split())


def played(office: PostOffice) -> PostOffice:
    """Two turns played; the British have left things behind."""
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    office.answer("british", "note: my plan\non raid: no block\nset confirm on")
    return office


def test_a_new_player_gets_the_seat_and_nothing_private(office):
    played(office)
    old = office.last("british")
    replaced(office, "british", NEW)
    seat = office.game().seats["british"]
    assert (seat.address, seat.notes, seat.standing, seat.ahead, seat.pending) == (NEW, "", "", "", "")
    assert not seat.confirms
    (welcome,) = office.boxes[NEW]
    assert welcome["Subject"] == "[g1] A game in progress: you play the British"
    assert "What happened so far" in said(welcome)
    assert "Ships" in said(welcome)
    assert "my plan" not in said(welcome)
    assert office.game().row.commitment in said(welcome)
    assert "given your seat in game g1 to another player" in said(office.last("british"))
    assert office.last("british")["Reply-To"] == "games@play.example.org"
    assert "Another player sits opposite you" in said(office.last("french"))
    for mail in (office.last("british"), office.last("french")):
        assert "Why: no answer for weeks" in said(mail)
        assert NEW not in said(mail)
    assert office.answer("british", "draft Rangers", old).code == 550
    assert office.game().state.turn == 3
    office.post(office.letter("british", "pass; pass", welcome, From=NEW), welcome["Reply-To"], NEW)
    assert office.game().state.turn == 4


def test_the_new_player_has_a_full_clock_and_the_change_is_logged(office):
    played(office)
    office.now += timedelta(days=9)
    replaced(office, "british", NEW)
    row = office.game().row
    _, clocks = clocks_of(row)
    assert clocks.british.left == 10 * DAY
    assert row.deadline_at == office.now + timedelta(days=10)
    with office.ledger.read() as tx:
        rows = {one.command: one for one in tx.audit(game_id=row.id)}
    assert rows["game replace"].data["before"] == 1
    assert rows["game replace"].data["after"] == 3
    assert rows["deadline"].data["cause"] == "replaced"
    assert not any(word in str(rows) for word in ("ann", "cat@", "example."))


def with_leave(office: PostOffice) -> None:
    """Let the new player have declared ten days off before he gets a seat."""
    office.new_game(british=NEW)
    asked = office.boxes[NEW][-1]
    office.post(office.letter("british", "leave 2031-03-05 to 2031-03-14", asked, From=NEW), asked["Reply-To"], NEW)
    office.boxes[NEW].clear()


def test_days_off_that_were_declared_before_count_in_the_game_that_is_taken_over(office):
    with_leave(played(office))
    replaced(office, "british", NEW)
    assert office.game().row.deadline_at == office.now + timedelta(days=20)
    assert "days off not counted, which leaves out 10 days" in said(office.boxes[NEW][-1])
    until = f"They now have until {office.now + timedelta(days=20):%A %d %B %Y, %H:%M} UTC."
    assert until in said(office.last("french"))


def test_days_off_that_were_declared_before_count_in_his_turns_to_come(office):
    with_leave(played(office))
    replaced(office, "french", NEW)
    assert office.game().row.deadline_at < office.now + timedelta(days=11)
    office.answer("british", "set confirm off")
    office.answer("british", "pass; pass")
    assert office.game().row.waiting_for == "french"
    assert office.game().row.deadline_at == office.now + timedelta(days=20)


def test_a_house_player_as_a_stopgap_and_back_again(office):
    played(office)
    replaced(office, "british", "house")
    assert office.game().row.deadline_at is None
    play_house(office.config, office.ledger, office.now)
    office.deliver()
    assert office.game().state.turn == 4
    assert "house (heuristic)" in said(office.last("french"))
    replaced(office, "british", ADDRESSES["british"])
    assert office.game().seats["british"].house is None
    assert office.last("british")["Subject"] == "[g1] A game in progress: you play the British"


def test_who_comes_while_the_other_side_moves_sees_nothing_of_its_turn(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    office.answer("british", "money from Boston\nstop")
    replaced(office, "french", NEW)
    (welcome,) = office.boxes[NEW]
    assert "took" not in said(welcome).split("On the board")[0]
    assert office.game().state.open is not None


@pytest.mark.parametrize(("who", "why"), [(ADDRESSES["french"], "plays in game g1 already"), ("house:x", "no house")])
def test_who_cannot_take_a_seat(sqlite_office, who, why):
    office = played(sqlite_office)
    with pytest.raises(UsageError, match=why):
        replaced(office, "british", who)
    assert office.game().seats["british"].address == ADDRESSES["british"]


def test_an_offer_of_the_predecessor_is_gone(sqlite_office):
    office = played(sqlite_office)
    office.answer("british", "offer draw")
    replaced(office, "british", NEW)
    assert office.game().row.offer is None
    office.answer("french", "accept draw")
    assert office.game().row.status == "running"


def test_in_an_anonymous_game_nobody_learns_who_came(sqlite_office):
    office = sqlite_office
    office.new_game(anonymous=True)
    replaced(office, "british", NEW)
    assert "somebody else plays the British" in said(office.last("french"))
    assert NEW not in office.last("french").as_string()
    for side in SIDES:
        assert ADDRESSES[other(side)] not in office.last(side).as_string()
