"""Days off and zones at the desk: asked back, carried out once confirmed, and limits told."""

from datetime import date, timedelta
from email.message import EmailMessage

import pytest
from desk_people import ANN, BEN, as_sent, newest, player, reply, told, write
from post_office import START, PostOffice

from adjudicator.render.inert import assert_inert
from adjudicator.service.config import Config


@pytest.fixture
def service(office: PostOffice) -> PostOffice:
    """A game of Ann and Ben."""
    office.new_game(clock="10d")
    return office


def confirmed(office: PostOffice, address: str, body: str) -> str:
    """Ask for something and confirm it; returns what the next mail tells."""
    write(office, address, body)
    assert "Nothing has been changed yet" in told(newest(office, address)), told(newest(office, address))
    assert_inert(as_sent(newest(office, address)))
    count = len(office.boxes[address])
    reply(office, newest(office, address))
    for mail in office.boxes[address][count:]:
        assert_inert(as_sent(mail))
    return " ".join(told(mail) for mail in office.boxes[address][count:])


def opening(office: PostOffice, address: str) -> EmailMessage:
    """The first mail about the game."""
    return next(one for one in office.boxes[address] if one["Subject"].startswith("[g1]"))


def test_leave_at_the_desk_moves_the_deadline_once_it_is_confirmed(service: PostOffice):
    before = service.game().row.deadline_at
    write(service, ANN, "leave 2031-03-05 to 2031-03-08")
    assert service.game().row.deadline_at == before
    assert "2031-03-05 to 2031-03-08, are entered" in confirmed(service, ANN, "leave 2031-03-05 to 2031-03-08")
    assert (service.game().row.deadline_at - before).days == 4
    with service.ledger.read() as tx:
        (row,) = tx.leaves(player(service, ANN))
        assert (row.first, row.last) == (date(2031, 3, 5), date(2031, 3, 8))
        assert [one.command for one in tx.audit()] == ["deadline"]
        assert tx.broken_audit() is None
    assert "taken back" in confirmed(service, ANN, "leave cancel")
    assert service.game().row.deadline_at == before
    assert "no days off" in confirmed(service, ANN, "leave cancel")


def test_leave_at_the_desk_is_one_mail_to_each_and_a_game(service: PostOffice):
    service.new_game(clock="10d")
    write(service, ANN, "leave 2031-03-05 to 2031-03-08")
    before = len(service.boxes[ANN]), len(service.boxes[BEN])
    reply(service, newest(service, ANN))
    assert (len(service.boxes[ANN]), len(service.boxes[BEN])) == (before[0] + 1, before[1] + 2)
    mine = " ".join(told(newest(service, ANN)).split())
    for game in ("g1", "g2"):
        assert f"In game {game} you now have until Saturday 15 March 2031" in mine
    for mail in service.boxes[BEN][-2:]:
        assert "is away from" in told(mail)
        assert "British now have until Saturday 15 March 2031" in " ".join(told(mail).split())


def test_two_leaves_at_the_desk_are_one_mail_to_each_and_a_game(service: PostOffice):
    write(service, ANN, "leave 2031-03-05 to 2031-03-06\nleave 2031-03-08 to 2031-03-09")
    before = len(service.boxes[BEN])
    reply(service, newest(service, ANN))
    mine, theirs = told(newest(service, ANN)), told(newest(service, BEN))
    assert len(service.boxes[BEN]) == before + 1
    assert "to Thursday 06 March 2031, and from Saturday 08 March 2031 to Sunday 09 March 2031" in theirs
    assert mine.count("are entered") == 2
    assert mine.count("In game g1 you now have until Saturday 15 March 2031") == mine.count("you now have until") == 1


def test_leave_that_its_own_letter_takes_back_is_not_asked_about(service: PostOffice):
    before = len(service.boxes[BEN])
    write(service, ANN, "leave 2031-03-05 to 2031-03-06\nleave cancel")
    asked = newest(service, ANN)
    assert "line 1 (leave): This does not count, as line 2 takes it back." in told(asked)
    reply(service, asked)
    assert "no days off" in told(newest(service, ANN))
    assert len(service.boxes[BEN]) == before


def test_a_limit_of_leave_is_told(service: PostOffice):
    before = service.game().row.deadline_at
    assert "21" in confirmed(service, ANN, "leave 2031-04-01 to 2031-06-01")
    assert service.game().row.deadline_at == before


def test_a_zone_is_set_once_it_is_confirmed(service: PostOffice):
    assert "count in Europe/Berlin now" in confirmed(service, BEN, "set zone europe/berlin")
    with service.ledger.read() as tx:
        assert tx.player(player(service, BEN)).zone == "Europe/Berlin"
        assert tx.player(player(service, ANN)).zone == "UTC"


@pytest.mark.parametrize(
    ("body", "said"),
    [("set zone Europe/Berln", "Europe/Berlin"), ("leave 2031-13-01 to 2031-13-09", "two dates")],
)
def test_what_cannot_be_is_told_at_once(service: PostOffice, body: str, said: str):
    write(service, ANN, body)
    assert said in told(newest(service, ANN))
    assert "could not be read" in newest(service, ANN)["Subject"]
    assert_inert(as_sent(newest(service, ANN)))


def test_in_a_letter_about_a_game_they_are_done_at_once_and_the_rest_is_asked_back(service: PostOffice):
    reply(service, service.boxes[BEN][0], "leave 2031-03-20 to 2031-03-22\nset name Benjamin")
    with service.ledger.read() as tx:
        assert len(tx.leaves(player(service, BEN))) == 1
    asked = next(mail for mail in service.boxes[BEN] if "Is this from you" in mail["Subject"])
    assert "Benjamin" in told(asked)
    assert "days off" not in told(asked).split("Nothing has been changed")[0]


def test_times_are_told_in_the_zone_of_who_reads_them(service: PostOffice):
    confirmed(service, ANN, "set zone Europe/Berlin")
    at_ann, at_ben = "21:00 (Europe/Berlin)", "20:00 UTC"
    for address, mine in ((ANN, at_ann), (BEN, at_ben)):
        write(service, address, "games")
        assert f"until Tuesday 11 March 2031, {mine}" in told(newest(service, address))
        reply(service, opening(service, address), "games")
        assert f"until Tuesday 11 March 2031, {mine}" in told(newest(service, address))


def test_the_late_answer_and_the_deeds_of_moderators_are_told_in_the_readers_zone(service: PostOffice):
    confirmed(service, ANN, "set zone Europe/Berlin")
    with service.ledger.begin() as tx:
        for command, why in (("game show", "a dispute"), ("game pause", "")):
            tx.add_audit(at=START, who="moderator", command=command, why=why, game_id=service.game().row.id, data={})
    reply(service, opening(service, ANN), "history")
    assert "Saturday 01 March 2031, 21:00 (Europe/Berlin): a moderator" in told(newest(service, ANN))
    service.config = Config(domain="play.example.org", answers_per_hour=1)
    service.now = START + timedelta(days=1)
    write(service, ANN, "challenges")
    write(service, ANN, "games")
    service.now += timedelta(hours=2)
    service.deliver()
    assert "21:24 (Europe/Berlin): you asked a question (games)" in told(newest(service, ANN))
    reply(service, opening(service, ANN), "resign")
    reply(service, newest(service, ANN))
    assert "Saturday 01 March 2031, 21:00 (Europe/Berlin): a dispute" in told(newest(service, ANN))
