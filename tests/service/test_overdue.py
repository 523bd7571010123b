"""What mails say of the time: what is left out of the count, and how it stands once a deadline has passed."""

from datetime import UTC, datetime

import pytest
from post_office import PostOffice
from time_office import DAY, HOUR, LATE, over, said, wait

from adjudicator.game.model import Side

OVERDUE = "overdue since Wednesday 12 March 2031, 08:00 UTC"
FALLS = "Wednesday 26 March 2031, 08:10 UTC"


def stands(office: PostOffice, side: Side) -> str:
    """How a game stands by the mails that a side gets for asking."""
    office.answer(side, "status")
    told = said(office.last(side))
    office.answer(side, "board")
    return told


def listed(office: PostOffice, side: Side) -> str:
    """The games of a side as the desk lists them."""
    office.answer(side, "games")
    return said(office.boxes["ann@example.org" if side == "british" else "ben@example.net"][-1])


def test_free_days_are_told_where_they_are_left_out(office: PostOffice):
    office.new_game(clock="10d weekends")
    assert "You have 10 days left, weekends not counted, which leaves out 5 days and 4 hours." in said(
        office.last("british")
    )
    assert "The British have 10 days left, weekends not counted, which" in said(office.last("french"))
    office.answer("british", "leave 2031-03-05 to 2031-03-07")
    told = said(office.last("british"))
    assert "left, weekends and days off not counted, which leaves out" in told
    office.new_game(clock="10d")
    assert "10 days left, days off not counted, which leaves out 3 days." in said(office.last("british"))
    office.now = datetime(2031, 3, 20, tzinfo=UTC)
    office.new_game(clock="10d")
    assert "You have 10 days left. " in said(office.last("british"))


def test_a_change_of_daylight_saving_leaves_nothing_out(sqlite_office: PostOffice):
    office = sqlite_office
    office.now = datetime(2031, 10, 20, 16, tzinfo=UTC)
    office.new_game()
    office.answer("british", "leave 2032-03-05 to 2032-03-07\nset zone Europe/Berlin")
    assert "days and 23 hours left. " in said(office.last("british"))
    assert "leaves out" not in said(office.last("british"))


def test_a_deadline_that_has_passed_and_is_not_acted_on_yet(office: PostOffice):
    office.new_game()
    office.now += 10 * DAY + LATE / 2
    told = stands(office, "british")
    assert "Your answer was due by Tuesday 11 March 2031, 20:00 UTC." in told
    assert "your answer still counts" in told
    told = stands(office, "french")
    assert "It was due by Tuesday 11 March 2031, 20:00 UTC. The time of the British is over" in told
    office.answer("french", "claim")
    assert office.last("french")["Subject"] == "[g1] Nothing is decided yet"
    told = said(office.last("french"))
    assert "your opponent's time was over on Tuesday 11 March 2031, 20:00 UTC, but nothing has come of that yet" in told
    assert "It waits for you, overdue since" in listed(office, "british")
    assert "It waits for the other side, overdue since" in listed(office, "french")


def test_grace_is_told_as_such(office: PostOffice):
    office.new_game()
    wait(office, 10 * DAY + LATE)
    assert "up to then your turn counts as on time" in stands(office, "british")
    assert "up to then a turn of theirs counts as on time" in stands(office, "french")


def test_a_time_that_is_over_tells_who_may_do_what_and_when_it_ends(office: PostOffice):
    office.new_game()
    wait(office, 10 * DAY + LATE)
    wait(office, 12 * HOUR)
    for told in (said(office.last("british")), stands(office, "british")):
        assert f"Your answer is {OVERDUE}. Your opponent may claim the game." in told
        assert f"If neither happens it is lost for you on {FALLS}" in told
        assert "is due by" not in told
    for told in (said(office.last("french")), stands(office, "french")):
        assert "You may claim the game, or wait on for the British" in told
        assert f'The British are {OVERDUE}. To claim the game, answer with the single word "claim"' in told
        assert f"you have won on {FALLS}" in told
        assert "Nothing to do" not in told
        assert "Due by" not in told
    assert "You may claim it" in listed(office, "french")


@pytest.mark.parametrize("house", ["house:random", "house:heuristic"])
def test_the_house_claims_nothing_and_no_mail_says_so(sqlite_office: PostOffice, house: str):
    office = sqlite_office
    office.new_game(french=house)
    wait(office, 10 * DAY + LATE)
    wait(office, 12 * HOUR)
    told = said(office.last("british"))
    assert f"Your answer is {OVERDUE}. Your opponent is a house player, and those claim no game." in told
    assert f"Without a move it is lost for you on {FALLS}" in told
    assert "Your opponent may claim" not in told
    wait(office, 13 * DAY)
    assert office.game().row.status == "running"
    wait(office, DAY)
    assert over(office) == ("time", "french")


def test_grace_that_a_late_tick_gives_is_counted_from_the_deadline(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + 4 * HOUR)
    assert "by Friday 07 March 2031, 08:00 UTC" in said(office.last("british"))
    assert "noticed" not in said(office.last("british"))
    assert wait(office, 8 * HOUR + LATE) == 1
    assert over(office) == ("time", "french")


def test_who_is_told_of_grace_after_it_was_over_has_an_hour(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + 20 * HOUR)
    for side in ("british", "french"):
        assert "Friday 07 March 2031, 17:00 UTC" in said(office.last(side))
        assert "As we noticed this late, " in said(office.last(side))
    assert wait(office, HOUR) == 0
    office.answer("british", "done")
    assert office.game().row.waiting_for == "french"
