"""`claim`, days off and time zones, as players write them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from post_office import ADDRESSES, PostOffice
from time_office import DAY, HOUR, LATE, causes, events, over, said, wait

from adjudicator.errors import Refusal
from adjudicator.game.model import SIDES, Side
from adjudicator.league.leave import Leave
from adjudicator.service.absence import change_leave
from adjudicator.service.config import Config


def test_a_claim_ends_the_game_once_the_time_is_over(office: PostOffice):
    office.new_game()
    office.answer("french", "claim")
    assert "your opponent has time up to Tuesday 11 March 2031, 20:00 UTC" in said(office.last("french"))
    assert "twelve hours more" in said(office.last("french"))
    wait(office, 10 * DAY + LATE)
    office.answer("french", "claim")
    assert "your opponent has time up to Wednesday 12 March 2031, 08:00 UTC" in said(office.last("french"))
    wait(office, 12 * HOUR)
    office.answer("british", "claim")
    assert "we wait for you" in said(office.last("british"))
    assert office.game().row.status == "running"
    office.answer("french", "claim")
    assert over(office) == ("time", "french")
    assert "You have won" in said(office.last("french"))
    assert "your time was over" in said(office.last("british"))


@pytest.mark.parametrize(
    ("clock", "why"), [("none", "no end"), ("5d loss", "loses without it"), ("5d passes", "third")]
)
def test_some_games_cannot_be_claimed(sqlite_office: PostOffice, clock: str, why: str):
    sqlite_office.new_game(clock=clock)
    sqlite_office.answer("french", "claim")
    assert why in said(sqlite_office.last("french"))
    assert sqlite_office.game().row.status == "running"


def test_days_off_stop_the_clocks_of_all_games_and_are_told_to_the_opponents(office: PostOffice):
    office.new_game()
    office.new_game()
    first_games_mail = office.boxes["ann@example.org"][0]
    office.answer("british", "leave 2031-03-05 to 2031-03-14", first_games_mail)
    assert "You are away from 2031-03-05 to 2031-03-14" in said(office.last("british"))
    assert "There was no order" not in said(office.last("british"))
    for game in ("g1", "g2"):
        assert causes(office, game) == [("leave", "british")]
        assert events(office, game)[0].who == "player 1"
        assert office.game(game).row.deadline_at == datetime(2031, 3, 21, 20, tzinfo=UTC)
        told = " ".join(said(mail) for mail in office.boxes["ben@example.net"])
        assert f"Your opponent in game {game} is away from Wednesday 05 March 2031 to Friday 14 March 2031" in told
    assert wait(office, 15 * DAY) == 0
    office.new_game()
    assert office.game("g3").row.deadline_at == datetime(2031, 3, 26, 20, 1, tzinfo=UTC)


def test_a_new_game_takes_days_off_into_its_clocks(office: PostOffice):
    office.new_game()
    office.answer("british", "leave 2031-03-05 to 2031-03-14")
    office.new_game()
    assert office.game("g2").row.deadline_at == datetime(2031, 3, 21, 20, 1, tzinfo=UTC)


def test_a_move_ends_the_days_off_in_all_games(office: PostOffice):
    office.new_game()
    office.new_game()
    office.answer("british", "leave 2031-03-05 to 2031-03-14")
    office.now = datetime(2031, 3, 8, 12, 0, tzinfo=UTC)
    office.answer("british", "status")
    assert causes(office, "g1") == [("leave", "british")]
    office.answer("british", "draft governor")
    assert causes(office, "g1") == causes(office, "g2") == [("leave", "british"), ("leave-over", "british")]
    back = datetime(2031, 3, 14, 20, 0, tzinfo=UTC) + timedelta(hours=12, minutes=2)
    assert office.game("g1").row.deadline_at == back
    assert any("Days off have ended early" in said(mail) for mail in office.boxes["ben@example.net"])
    with office.ledger.read() as tx:
        assert [row.ended_at for row in tx.leaves(1)] == [office.now]


def mails(office: PostOffice, side: Side) -> list[str]:
    """The texts of a side's mails since they were asked for last."""
    found = [said(mail) for mail in office.boxes[ADDRESSES[side]]]
    office.boxes[ADDRESSES[side]] = office.boxes[ADDRESSES[side]][-1:]
    return found[1:]


def test_one_leave_is_one_mail_to_each_and_a_game(office: PostOffice):
    office.new_game()
    office.new_game()
    asked = office.boxes[ADDRESSES["british"]][0]
    for side in SIDES:
        office.boxes[ADDRESSES[side]] = office.boxes[ADDRESSES[side]][-1:]
    office.answer("british", "leave 2031-03-05 to 2031-03-14", asked)
    (mine,), theirs = mails(office, "british"), mails(office, "french")
    for game in ("g1", "g2"):
        changed = f"game {game} you now have until Friday 21 March 2031, 20:00 UTC, before it was Tuesday 11 March 2031"
        assert f"In {changed}" in mine
    assert [text.count("is away from") for text in theirs] == [1, 1]
    assert all("British now have until Friday 21 March 2031, 20:00 UTC, before it was" in text for text in theirs)
    office.answer("british", "leave cancel", asked)
    (mine,), theirs = mails(office, "british"), mails(office, "french")
    assert mine.count("you now have until Tuesday 11 March 2031, 20:00 UTC, before it was Friday 21 March 2031") == 2
    assert [text.count("has taken back days off") for text in theirs] == [1, 1]
    assert all("British now have until Tuesday 11 March 2031, 20:00 UTC" in text for text in theirs)


@pytest.mark.parametrize(
    ("body", "here"), [("draft governor", "Days off have ended early"), ("done", "is back before")]
)
def test_a_move_in_the_days_off_is_one_mail_to_each_and_a_game(office: PostOffice, body: str, here: str):
    office.new_game()
    office.new_game()
    asked = office.boxes[ADDRESSES["british"]][0]
    office.answer("british", "leave 2031-03-05 to 2031-03-14", asked)
    office.now = datetime(2031, 3, 8, 12, 0, tzinfo=UTC)
    for side in SIDES:
        office.boxes[ADDRESSES[side]] = office.boxes[ADDRESSES[side]][-1:]
    office.answer("british", body + ("\nstop" if body != "done" else ""), asked)
    (mine,), theirs = mails(office, "british"), mails(office, "french")
    assert "Your days off have ended with this move." in mine
    assert "In game g2 you now have until Saturday 15 March 2031, 08:01 UTC, before it was Friday 21" in mine
    assert len(theirs) == 2
    assert any(
        "in game g2 is back" in text and "now have until Saturday 15 March 2031, 08:01 UTC" in text for text in theirs
    )
    assert sum(here in text and "g1" in text for text in theirs) == 1


def test_a_new_deadline_is_told_whatever_the_answer_is_about(office: PostOffice):
    office.new_game()
    for word in ("help", "rules siege", "board", "history", "status", "resign", "claim"):
        office.answer("british", f"leave 2031-03-05 to 2031-03-14\n{word}")
        assert "In game g1 you now have until Friday 21 March 2031, 20:00 UTC" in said(office.last("british")), word
        office.answer("british", "leave cancel")


def test_days_off_can_be_taken_back(office: PostOffice):
    office.new_game()
    before = office.game().row.deadline_at
    office.answer("british", "leave 2031-03-05 to 2031-03-14")
    office.answer("british", "leave cancel")
    assert "were taken back" in said(office.last("british"))
    assert office.game().row.deadline_at == before
    assert causes(office) == [("leave", "british"), ("leave-over", "british")]
    assert "has taken back days off" in said(office.last("french"))
    office.answer("british", "leave cancel")
    assert "Not done: There are no days off" in said(office.last("british"))
    office.answer("british", "leave 2031-03-05 to 2031-03-14")
    assert "You are away from 2031-03-05" in said(office.last("british"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("leave 2031-02-20 to 2031-03-14", "tomorrow is 2031-03-02"),
        ("leave 2031-03-05 to 2031-03-05", "at least 2 days"),
        ("leave 2031-03-05 to 2031-04-14", "at most 21 days in a row"),
        ("leave 2031-03-14 to 2031-03-05", "first day comes first"),
        ("leave 2031-02-30 to 2031-03-05", "in no calendar: 2031-02-30, 2031-03-05"),
        ("leave 2041-02-20 to 2041-03-05", "5 years ahead"),
    ],
)
def test_days_off_that_cannot_be_had_are_refused_with_the_reason(sqlite_office: PostOffice, line: str, why: str):
    sqlite_office.new_game()
    sqlite_office.answer("british", line)
    assert "Not done: " in said(sqlite_office.last("british"))
    assert why in said(sqlite_office.last("british"))
    assert "There was no order" not in said(sqlite_office.last("british"))
    assert sqlite_office.count("french") == 1
    assert causes(sqlite_office) == []


def test_days_off_have_a_limit_for_the_year(sqlite_office: PostOffice):
    sqlite_office.new_game()
    for first in (3, 26):
        with sqlite_office.ledger.begin() as tx:
            days = Leave(date(2031, 3, first), date(2031, 3, first) + timedelta(days=13))
            assert change_leave(sqlite_office.config, tx, 1, [days], sqlite_office.now)[0] == ("done",)
    with sqlite_office.ledger.begin() as tx:
        days = Leave(date(2031, 9, 1), date(2031, 9, 3))
        (refusal,), _ = change_leave(sqlite_office.config, tx, 1, [days], sqlite_office.now)
    assert isinstance(refusal, Refusal)
    assert "in 2031 you have 2 left" in refusal.message
    assert causes(sqlite_office) == [("leave", "british")]  # the second does not touch this deadline


def test_orders_of_the_same_letter_are_carried_out_besides(office: PostOffice):
    office.new_game()
    office.answer("british", "leave 2031-03-05 to 2031-03-14\nset zone Europe/Berlin\nstatus\ndone")
    assert office.game().row.waiting_for == "french"
    assert "You are away from" in said(office.last("british"))
    assert "Your days count in Europe/Berlin" in said(office.last("british"))


def test_a_zone_is_set_at_once_and_mails_show_it(office: PostOffice):
    office.new_game()
    office.answer("british", "set zone europe/berlin")
    assert "Your days count in Europe/Berlin from now on" in said(office.last("british"))
    assert "by Tuesday 11 March 2031, 21:00 (Europe/Berlin)" in said(office.last("british"))
    office.answer("french", "status")
    assert "by Tuesday 11 March 2031, 20:00 UTC" in said(office.last("french"))
    office.answer("british", "set zone Europe/Belrin")
    assert "Not done: No time zone is called that. The nearest are" in said(office.last("british"))
    assert "Europe/Berlin" in said(office.last("british"))


def test_a_zone_whose_clocks_change_moves_the_deadline(office: PostOffice):
    office.now = datetime(2031, 3, 25, 18, 0, tzinfo=UTC)
    office.new_game()
    office.answer("british", "set zone europe/berlin")
    assert causes(office) == [("zone", "british")]
    assert office.game().row.deadline_at == datetime(2031, 4, 4, 17, 0, tzinfo=UTC)
    assert (office.count("british"), office.count("french")) == (2, 2)
    assert "Friday 04 April 2031, 19:00 (Europe/Berlin)" in said(office.last("british"))
    assert "Friday 04 April 2031, 17:00 UTC" in said(office.last("french"))
    assert "Berlin" not in said(office.last("french"))
    assert "another time zone" in said(office.last("french"))


def test_weekends_are_told(office: PostOffice):
    office.new_game(clock="5d weekends")
    assert "You have 5 days left, weekends not counted" in said(office.last("british"))
    assert office.game().row.deadline_at == datetime(2031, 3, 10, 0, tzinfo=UTC)


def test_two_leaves_in_one_letter_are_both_taken(office: PostOffice):
    office.new_game()
    office.answer("british", "leave 2031-03-05 to 2031-03-08\nleave 2031-04-05 to 2031-04-08")
    with office.ledger.read() as tx:
        assert [row.first.month for row in tx.leaves(1)] == [3, 4]
        assert not tx.held()


def test_what_was_not_done_is_told_in_joined_answers_too(sqlite_office: PostOffice):
    office = sqlite_office
    office.config = Config(domain="play.example.org", answers_per_hour=1)
    office.new_game()
    office.answer("french", "status")
    office.answer("french", "claim")
    office.answer("french", "leave 2031-03-05 to 2031-03-05")
    office.now += HOUR
    office.deliver()
    told = said(office.last("french"))
    assert "joined in this one" in told
    assert "which cannot be claimed yet" in told
    assert "at least 2 days" in told


def test_new_deadlines_are_told_in_joined_answers_too(sqlite_office: PostOffice):
    office = sqlite_office
    office.config = Config(domain="play.example.org", answers_per_hour=1)
    office.new_game()
    over = office.boxes[ADDRESSES["british"]][0]
    office.answer("french", "resign")
    office.answer("french", "confirm")
    office.new_game()
    office.answer("british", "status", over)
    office.answer("british", "leave 2031-03-05 to 2031-03-08", over)
    office.now += HOUR
    office.deliver()
    told = said(office.last("british"))
    assert "joined in this one" in told
    assert "You are away from 2031-03-05 to 2031-03-08" in told
    assert "In game g2 you now have until Saturday 15 March 2031" in told


def test_a_deadline_that_ended_with_the_move_is_not_told(office: PostOffice):
    office.new_game()
    office.new_game()
    asked = office.boxes[ADDRESSES["british"]][0]
    office.answer("british", "leave 2031-03-05 to 2031-03-09\npass", asked)
    told = said(office.last("british"))
    assert "You are away from 2031-03-05 to 2031-03-09" in told
    assert "In game g1 you now have" not in told
    assert "In game g2 you now have until Sunday 16 March 2031" in told
    office.answer("french", "leave 2031-03-05 to 2031-03-09")
    assert "In game g1 you now have until Sunday 16 March 2031" in said(office.last("french"))


def test_two_leaves_of_one_letter_are_one_mail_to_each_and_a_game(office: PostOffice):
    office.new_game()
    office.new_game()
    asked = office.boxes[ADDRESSES["british"]][0]
    mails(office, "british"), mails(office, "french")
    office.answer("british", "leave 2031-03-05 to 2031-03-06\nleave 2031-03-08 to 2031-03-09", asked)
    (mine,), theirs = mails(office, "british"), mails(office, "french")
    both = "from Wednesday 05 March 2031 to Thursday 06 March 2031, and from Saturday 08 March 2031 to Sunday 09 March"
    assert [text.count(both) for text in theirs] == [1, 1]
    until = "you now have until Saturday 15 March 2031, 20:00 UTC, before it was Tuesday 11 March 2031"
    assert mine.count(until) == mine.count("you now have until") == 2
    office.answer("british", "leave cancel\nleave 2031-03-05 to 2031-03-06", asked)
    (mine,), theirs = mails(office, "british"), mails(office, "french")
    assert "Your days off were taken back" in mine
    for text in theirs:
        assert "is away from Wednesday 05 March 2031 to Thursday 06 March 2031. His clock" in text
        assert "Days off that he had announced before are taken back. The British now have until Thursday 13" in text
    assert len(theirs) == 2


def test_leave_that_its_own_letter_takes_back_is_told_to_nobody(office: PostOffice):
    office.new_game()
    before = office.count("french")
    office.answer("british", "leave 2031-03-05 to 2031-03-09\nleave cancel")
    told = said(office.last("british"))
    assert office.count("french") == before
    assert "The same mail takes back the days off of line 1: nobody is told of them." in told
    assert "Not done" not in told
    assert "opponents are told" not in told
    assert "you now have until" not in told
    assert causes(office) == []
