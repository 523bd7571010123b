"""Nobody loses on time through our fault: outages, letters in quarantine, questions, changes of daylight saving."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from post_office import PostOffice
from test_once import together
from time_office import DAY, HOUR, LATE, causes, over, said, wait

from adjudicator.errors import Unavailable
from adjudicator.service import outage
from adjudicator.service import receive as receive_module
from adjudicator.service.absence import change_zone
from adjudicator.service.config import Config
from adjudicator.service.mailroom import drop_held
from adjudicator.service.moderate import Warrant
from adjudicator.service.outage import Pulse, beat, note_outage
from adjudicator.service.serving import Worker, taken
from adjudicator.service.taking import retry_held
from adjudicator.service.timing import clocks_of


def out_for(office: PostOffice, time: timedelta) -> int:
    """Let the service be down for a time, and note it when it is back."""
    beat(office.ledger, office.now)
    office.now += time
    done = note_outage(office.config, office.ledger, office.now)
    office.deliver()
    return done


def test_two_days_without_service_count_for_nobody(office: PostOffice):
    office.new_game(clock="5d loss")
    office.now += 4 * DAY
    assert out_for(office, 2 * DAY) == 1
    assert causes(office) == [("outage", "british")]
    assert office.game().row.deadline_at == datetime(2031, 3, 8, 20, tzinfo=UTC)
    for side in ("british", "french"):
        assert "The service was down for more than an hour" in said(office.last(side))
        assert "Saturday 08 March 2031, 20:00 UTC" in said(office.last(side))
    assert wait(office, HOUR) == 0
    office.answer("british", "done")
    assert clocks_of(office.game().row)[1].british.left == 5 * 86400
    assert note_outage(office.config, office.ledger, office.now) == 0


def test_a_short_outage_and_a_first_start_change_nothing(office: PostOffice):
    office.new_game()
    assert note_outage(office.config, office.ledger, office.now) == 0
    assert out_for(office, HOUR) == 0
    assert causes(office) == []
    beat(office.ledger, office.now)
    assert out_for(office, HOUR + timedelta(seconds=1)) == 1


def test_a_deadline_that_went_by_in_an_outage_is_given_back_before_it_is_acted_on(office: PostOffice):
    office.new_game(clock="5d loss")
    office.now += 5 * DAY - HOUR
    out_for(office, 9 * DAY)
    assert wait(office, timedelta(0)) == 0
    assert "You have 1 hour left" not in said(office.last("british"))
    wait(office, HOUR + LATE)
    assert causes(office) == [("outage", "british"), ("grace", "british")]


def test_a_letter_that_comes_first_after_a_sleep_of_the_machine_is_not_charged_for_it(office: PostOffice):
    office.new_game(clock="10d+1d/14d loss")
    worker = Worker(served(office), office)
    worker.pulse.beat(office.now)
    asked = office.last("british")
    raw = office.letter("british", "done")
    office.now += 3 * DAY
    assert taken(served(office), worker, raw, asked["Reply-To"], "ann@example.org", office.now).code == 250
    assert clocks_of(office.game().row)[1].british.left == 11 * 86400
    worker.pulse.beat(office.now)
    assert causes(office) == [("outage", "british")]
    office.deliver()
    assert sum("The service was down" in said(mail) for mail in office.boxes["ben@example.net"]) == 1


def test_an_outage_is_taken_out_once_though_all_threads_feel_it(office: PostOffice):
    office.new_game(clock="5d loss")
    pulse = Pulse(office.config, office.ledger)
    pulse.beat(office.now)
    ends = [office.now + DAY + timedelta(seconds=second) for second in range(4)]
    together(*(lambda end=end: pulse.catch_up(end) for end in ends))
    assert causes(office) == [("outage", "british")]


def test_a_letter_is_deferred_if_an_outage_cannot_be_taken_out_of_the_clocks(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
):
    office.new_game()
    worker, raw, to = Worker(served(office), office), office.letter("british", "done"), office.last("british")

    def away(*_: object) -> None:
        raise Unavailable("the database is away")

    worker.pulse.beat(office.now)
    monkeypatch.setattr(outage, "note_outage", away)
    reply = taken(served(office), worker, raw, to["Reply-To"], "ann@example.org", office.now + DAY)
    assert reply.code == 451
    assert office.game().row.moves == 0


def served(office: PostOffice) -> Any:
    """What a process that serves knows."""
    return SimpleNamespace(config=office.config, ledger=office.ledger)


@pytest.fixture
def held(office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> PostOffice:
    """A turn that came an hour before its deadline, and was kept in quarantine by a fault of ours."""
    office.config = Config(domain="play.example.org", moderators=("mod@example.org",))
    office.new_game(clock="5d loss")
    office.now += 5 * DAY - HOUR

    def fail(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(receive_module, "answer_letter", fail)
    office.answer("british", "done")
    monkeypatch.undo()
    return office


def test_nothing_is_lost_while_a_letter_that_came_in_time_is_in_quarantine(held: PostOffice):
    office, came = held, held.now
    for _ in range(3):
        assert wait(office, DAY) == 0
    assert causes(office) == []
    told = [mail["Subject"] for mail in office.boxes["mod@example.org"]]
    assert sum("deadline waits for a letter" in subject for subject in told) == 1
    assert retry_held(office.config, office.ledger, 1, office.now).said == "taken"
    row = office.game().row
    assert row.waiting_for == "french"
    clocks = clocks_of(row)[1]
    assert clocks.waiting is not None
    assert clocks.waiting.since == office.now
    assert clocks.waiting.deadline == office.now + 5 * DAY
    assert came < office.now


def test_the_time_in_quarantine_is_taken_out_of_a_turn_that_goes_on(
    office: PostOffice, monkeypatch: pytest.MonkeyPatch
):
    office.new_game(clock="10d+1d/14d")

    def fail(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(receive_module, "answer_letter", fail)
    office.answer("british", "draft governor from nowhere")
    monkeypatch.undo()
    before = office.game().row.deadline_at
    assert before
    office.now += 2 * DAY
    assert retry_held(office.config, office.ledger, 1, office.now).said == "taken"
    assert office.game().row.deadline_at == before + 2 * DAY
    assert causes(office) == [("fault", "british")]
    office.deliver()
    assert "a fault of ours" in said(office.last("french"))


def test_a_letter_that_is_dropped_holds_nothing_up(held: PostOffice):
    office = held
    wait(office, DAY)
    with office.ledger.begin() as tx:
        drop_held(tx, ["held-1"], Warrant("mod", "spam", office.now))
    wait(office, HOUR)
    assert causes(office) == [("grace", "british")]
    wait(office, DAY)
    assert over(office) == ("time", "french")


def test_a_letter_of_the_other_side_holds_nothing_up(office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    office.new_game(clock="5d loss")

    def fail(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(receive_module, "answer_letter", fail)
    office.answer("french", "press: hello")
    monkeypatch.undo()
    wait(office, 5 * DAY + LATE)
    assert causes(office) == [("grace", "british")]


def asked(office: PostOffice, standing: str = "on raid: ask me") -> None:
    """A game in which the French are asked whether they block a raid."""
    from test_questions import asked_game  # noqa: PLC0415

    asked_game(office, standing)
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    assert office.game().row.waiting_for == "french"


def test_a_question_is_answered_by_what_holds_without_an_answer(office: PostOffice):
    asked(office)
    left = clocks_of(office.game().row)[1].british.left
    assert "You have 3 days left" in said(office.last("french"))
    assert wait(office, 2 * DAY) == 1
    assert "we wait for your answer" in office.last("french")["Subject"]
    assert wait(office, DAY + LATE) == 1
    game = office.game()
    assert game.state.question is None
    assert game.state.board["fort-halifax"].owner == "french"  # blocked, as it can be
    assert "the clock has answered by" in " ".join(said(mail) for mail in office.boxes["ben@example.net"])
    assert "The clock has answered a question" in " ".join(said(mail) for mail in office.boxes["ann@example.org"])
    clocks = clocks_of(game.row)[1]
    assert clocks.british.left >= left - 120  # the question was charged to nobody
    with office.ledger.read() as tx:
        assert [move.cause for move in tx.moves(game.row.id) if move.side == "french"] == ["clock"]


def test_days_are_days_on_the_players_wall_over_both_changes_of_daylight_saving(office: PostOffice):
    with office.ledger.begin() as tx:
        player = tx.create_player("Ann", at=office.now)
        tx.add_address(player, "ann@example.org", verified_at=office.now)
        change_zone(office.config, tx, player, "Europe/Berlin", office.now)
    office.now = datetime(2031, 3, 25, 17, tzinfo=UTC)  # 18:00 in Berlin, in winter
    office.new_game()
    assert office.game().row.deadline_at == datetime(2031, 4, 4, 16, tzinfo=UTC)
    assert "Friday 04 April 2031, 18:00 (Europe/Berlin)" in said(office.last("british"))
    office.now = datetime(2031, 10, 20, 16, tzinfo=UTC)  # 18:00 in Berlin, in summer
    office.new_game()
    assert office.game("g2").row.deadline_at == datetime(2031, 10, 30, 17, tzinfo=UTC)
