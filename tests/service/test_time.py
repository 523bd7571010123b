"""What comes of a turn that does not come: reminders, grace, and what the clock of a game says then."""

from datetime import timedelta

import pytest
from post_office import ADDRESSES, PostOffice
from time_office import DAY, HOUR, LATE, causes, events, over, said, wait

from adjudicator.service import timekeeping
from adjudicator.service.timekeeping import keep_time
from adjudicator.service.timing import clocks_of


def test_reminders_come_three_days_and_one_day_before_the_end_with_the_position(office: PostOffice):
    office.new_game()
    assert "by Tuesday 11 March 2031, 20:00 UTC. You have 10 days left." in said(office.last("british"))
    assert "The British have 10 days left. You have 10 days for your next turn." in said(office.last("french"))
    assert wait(office, 7 * DAY - HOUR) == 0
    assert wait(office, HOUR) == 1
    mail = office.last("british")
    assert "we wait for your answer" in mail["Subject"]
    assert "You have 3 days left" in said(mail)
    assert "== What you may do ==" in said(mail)
    assert wait(office, DAY) == 0
    assert wait(office, DAY) == 1
    assert (office.count("british"), office.count("french")) == (3, 1)
    office.answer("british", "done")
    assert "You have 1 day and 23 hours for your next turn" in said(office.last("british"))
    assert causes(office) == []


def test_a_game_without_a_clock_reminds_after_two_weeks_of_silence(office: PostOffice):
    office.new_game(clock="none")
    assert "due by" not in said(office.last("british"))
    assert [wait(office, 7 * DAY) for _ in range(4)] == [0, 1, 0, 1]
    assert "it has no clock" in said(office.last("british"))
    assert (office.count("british"), office.count("french")) == (3, 1)


def test_grace_then_a_claim_that_nobody_makes(office: PostOffice):
    office.new_game()
    wait(office, 10 * DAY)
    shown = office.count("british")
    assert wait(office, LATE) == 1
    assert causes(office) == [("grace", "british")]
    assert "turn counts as on time" in said(office.last("british"))
    assert "by Wednesday 12 March 2031, 08:00 UTC" in said(office.last("british"))
    assert "The British now have until Wednesday 12 March 2031, 08:00 UTC" in said(office.last("french"))
    assert office.count("british") == shown + 1
    assert wait(office, 12 * HOUR) == 1
    assert "you may still move" in said(office.last("british"))
    assert 'answer with the single word "claim"' in said(office.last("french"))
    assert wait(office, 13 * DAY) == 1
    assert "The last day" in said(office.last("british"))
    assert "The last day" in said(office.last("french"))
    assert wait(office, DAY - HOUR) == 0
    assert wait(office, HOUR) == 1
    assert over(office) == ("time", "french")
    assert "The game is over" in office.last("british")["Subject"]
    assert "The game is over" in office.last("french")["Subject"]
    assert wait(office, 30 * DAY) == 0


def test_a_turn_in_grace_is_on_time_and_one_after_it_still_counts_until_the_claim(office: PostOffice):
    office.new_game()
    wait(office, 10 * DAY + LATE)
    office.answer("british", "done")
    assert office.game().row.waiting_for == "french"
    assert clocks_of(office.game().row)[1].british.left == 86400
    wait(office, 10 * DAY + LATE)
    wait(office, 12 * HOUR)
    assert office.game().row.status == "running"
    office.answer("french", "done")
    assert office.game().row.waiting_for == "british"


def test_grace_is_given_once_a_season(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + LATE)
    office.answer("british", "done")
    office.answer("french", "done")
    wait(office, 5 * DAY + LATE)
    assert causes(office) == [("grace", "british")]
    assert over(office) == ("time", "french")


def test_grace_is_given_again_in_the_next_half_of_the_year(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + LATE)
    office.answer("british", "done")
    office.now += timedelta(days=120)
    keep_time(office.config, office.ledger, office.now)
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + LATE)
    assert causes(office, "g2") == [("grace", "british")]


def test_a_turn_after_the_deadline_and_before_it_is_acted_on_needs_no_grace(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + LATE / 2)
    office.answer("british", "done")
    assert office.game().row.waiting_for == "french"
    assert causes(office) == []
    with office.ledger.read() as tx:
        assert [player.graced_at for player in tx.players()] == [None, None]


def test_a_game_is_lost_where_the_clock_says_so(office: PostOffice):
    office.new_game(clock="5d loss")
    wait(office, 5 * DAY + LATE)
    wait(office, 12 * HOUR)
    assert over(office) == ("time", "french")
    assert "the time of the British was over" in said(office.last("french"))
    assert "your time was over" in said(office.last("british"))


def test_turns_end_by_passes_and_the_third_in_a_row_is_lost(office: PostOffice):
    office.new_game(clock="5d passes")
    for turn in (1, 3):
        wait(office, 5 * DAY + LATE)
        wait(office, 12 * HOUR)
        assert office.game().row.turn == turn + 1
        assert "the clock has ended your turn by passes" in said(office.last("british"))
        assert "The clock has ended this turn by passes" in said(office.last("french"))
        assert office.game().row.status == "running"
        office.answer("french", "done")
    with office.ledger.read() as tx:
        moves = tx.moves(office.game().row.id)
    assert {(move.side, move.cause) for move in moves} == {("british", "clock"), ("french", "mail")}
    wait(office, 5 * DAY + LATE)
    assert over(office) == ("time", "french")


def test_passes_are_counted_in_a_row(office: PostOffice):
    office.new_game(clock="5d passes")
    for body in ("", "done", "", ""):
        if body:
            office.answer("british", body)
        else:
            wait(office, 5 * DAY + LATE)
            wait(office, 12 * HOUR)
        office.answer("french", "done")
    assert office.game().row.status == "running"
    assert clocks_of(office.game().row)[1].british.passed == 2


def test_the_house_never_loses_on_time(office: PostOffice):
    office.new_game(british="house:random", clock="1h loss")
    assert wait(office, 30 * DAY) == 0
    assert office.game().row.deadline_at is None


def test_a_game_that_fails_keeps_no_other_waiting(office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    office.config = type(office.config)(domain="play.example.org", moderators=("mod@example.org",))
    office.new_game(clock="5d loss")
    office.new_game(clock="5d loss")
    remind = timekeeping.DEEDS["remind"]

    def fail_in_the_first(changes, *more):
        if changes.game.row.name == "g1":
            raise KeyError
        remind(changes, *more)

    monkeypatch.setitem(timekeeping.DEEDS, "remind", fail_in_the_first)
    assert wait(office, 4 * DAY) == 1
    assert "[g2]" in office.last("british")["Subject"]
    assert "clock needs you" in office.boxes["mod@example.org"][-1]["Subject"]
    assert wait(office, HOUR / 2) == 0
    monkeypatch.setitem(timekeeping.DEEDS, "remind", remind)
    assert wait(office, HOUR) == 1
    assert "[g1]" in office.last("british")["Subject"]


def test_what_is_due_is_done_once_though_two_look_at_once(office: PostOffice):
    office.new_game()
    office.now += 7 * DAY
    from test_once import together  # noqa: PLC0415

    together(*[lambda: keep_time(office.config, office.ledger, office.now)] * 3)
    office.deliver()
    assert len(office.boxes[ADDRESSES["british"]]) == 2


def test_a_paused_game_loses_nobody(office: PostOffice):
    office.new_game(clock="5d loss")
    with office.ledger.begin() as tx:
        found = tx.game("g1")
        assert found
        tx.update_game(type(found.game)(**{**_fields(found.game), "status": "paused"}), found.game)
    assert wait(office, 30 * DAY) == 0
    assert events(office) == []


def _fields(row) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
