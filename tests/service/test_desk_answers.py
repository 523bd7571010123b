"""One letter to the desk with several wishes: each has its answer in the one mail, and nothing vanishes."""

from datetime import timedelta

import pytest
from desk_people import ANN, BEN, EVE, as_sent, got, newest, player, register, reply, told, write
from post_office import START, PostOffice, text_of

from adjudicator.render.inert import assert_inert
from adjudicator.service.config import Config


@pytest.fixture
def hall(office: PostOffice) -> PostOffice:
    """A service with two players."""
    for address, name in ((ANN, "Ann"), (BEN, "Ben")):
        register(office, address, name)
    return office


def open_ids(office: PostOffice) -> list[int]:
    with office.ledger.read() as tx:
        return [row.id for row in tx.open_challenges()]


def asked(office: PostOffice, address: str, body: str) -> str:
    """The one answer to a letter of somebody, as one line."""
    before = got(office, address)
    write(office, address, body)
    assert got(office, address) == before + 1
    assert_inert(as_sent(newest(office, address)))
    return told(newest(office, address))


def test_a_question_beside_what_fails_is_answered(hall: PostOffice):
    text = asked(hall, ANN, "games\ncancel challenge 7\nchallenges\nrules siege")
    assert "There is no open challenge c7" in text
    assert "You have played no game yet" in text
    assert "Nobody offers a game at present" in text
    assert 'About "siege" (rule S8.11)' in text


def test_what_can_be_asked_back_is_though_another_line_fails(hall: PostOffice):
    text = asked(hall, ANN, "Hello!\nset zone Europe/Berlin\njoin us\ngames\ncancel challenge 7")
    assert "your days count in Europe/Berlin" in text
    assert "line 3 (join): Which challenge do you mean?" in text
    assert "There is no open challenge c7" in text
    assert "You have played no game yet" in text
    assert newest(hall, ANN)["Subject"] == "Is this from you?"
    reply(hall, newest(hall, ANN))
    with hall.ledger.read() as tx:
        assert tx.player(player(hall, ANN)).zone == "Europe/Berlin"


def test_what_stands_beside_a_confirmation_is_answered_and_asked_back(hall: PostOffice):
    asked(hall, ANN, "set zone Europe/Berlin")
    reply(hall, newest(hall, ANN), "confirm\nchallenge clock 5d\ngames\njoin us")
    text = told(newest(hall, ANN))
    assert "Your days count in Europe/Berlin now." in text
    assert "You also asked for this: - you offer this game" in text
    assert "You have played no game yet" in text
    assert "line 4 (join): Which challenge" in text
    assert open_ids(hall) == []
    reply(hall, newest(hall, ANN))
    assert open_ids(hall) == [1]


def test_a_question_in_place_of_yes_or_no_is_answered_and_leaves_the_other_open(hall: PostOffice):
    asked(hall, ANN, "set zone Europe/Berlin")
    reply(hall, newest(hall, ANN), "games")
    assert "could not read your answer as a yes" in told(newest(hall, ANN))
    assert "You have played no game yet" in told(newest(hall, ANN))
    reply(hall, newest(hall, ANN), "challenge clock 5d")
    assert "your days count in Europe/Berlin - you offer this game" in told(newest(hall, ANN))
    reply(hall, newest(hall, ANN))
    assert open_ids(hall) == [1]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("set zone Europe/Berln", "line 2 (set): No time zone is called that. The nearest are Europe/Berlin,"),
        ("set zone !!", "line 2 (set): A time zone is like Europe/Berlin."),
        ("set name resign", "line 2 (set): That cannot be a name."),
        ("set address add nobody", "line 2 (set): Please name just one mail address"),
        ("set adress add x@example.com", "line 2 (set): Nothing of that kind can be set here."),
        ("set confirm on", "line 2 (set): That is set for each game."),
        ("leave 2031-04-01", "line 2: Two dates are needed."),
        ("leave tomorrow", "line 2 (leave): Days off are two dates"),
        ("cancel challenge BANANA", "line 2 (cancel challenge): Which challenge do you mean?"),
        ("observe the big game", "line 2 (observe): Which game do you mean?"),
        ("chalenge edition 2", "line 2: This cannot be read. Did you mean the word challenge?"),
        ("jion 3", "line 2: This cannot be read. Did you mean the word join?"),
        ("challenge as French as British", "line 2 (challenge): “as French” and “as British” contradict each other."),
        ("challenge switch trader_fur_limit=-1", "line 2 (challenge): The switch trader_fur_limit is a number from 1"),
        ("draft Militia", "line 2: This belongs to a game."),
        ("draft Militai", "line 2: This belongs to a game."),
        ("on raid: no block", "line 2: This belongs to a game."),
        ("resign", "line 2 (resign): This belongs to a game."),
        ("press: hello there", "line 2 (press): This belongs to a game."),
        ("register Zed", "line 2 (register): You are a player already."),
    ],
)
def test_each_fault_is_told_with_its_line_and_what_is_possible(sqlite_office: PostOffice, line: str, fault: str):
    register(sqlite_office, ANN, "Ann")
    text = asked(sqlite_office, ANN, f"games\n{line}\n\njoin us")
    assert fault in text
    assert "line 4 (join): Which challenge do you mean?" in text
    assert "You have played no game yet" in text
    assert 'the single word "help" brings all that you can write here' in text
    assert "somebody knows:" not in text


def test_no_more_than_so_many_things_and_the_others_are_named(hall: PostOffice):
    text = asked(hall, ANN, "\n".join(f"set address add ann{number}@example.org" for number in range(1, 7)))
    assert "ann5@example.org" in text
    assert "line 6 (set): One mail can ask for 5 things. Please write this one again" in text


def test_the_questions_of_a_stranger_are_answered_once_he_is_a_player(hall: PostOffice):
    asked(hall, ANN, "challenge as French clock 5d")
    reply(hall, newest(hall, ANN))
    write(hall, EVE, "register Emil\nchallenges")
    write(hall, EVE, "rules siege")
    (first,) = hall.boxes[EVE]
    assert "c1" not in told(first)
    reply(hall, first, "confirm\ngames")
    text = told(newest(hall, EVE))
    assert "You are registered as Emil." in text
    assert "c1 by Ann" in text
    assert 'About "siege" (rule S8.11)' in text
    assert "You have played no game yet" in text
    assert_inert(as_sent(newest(hall, EVE)))


def test_what_a_stranger_asks_for_is_asked_back_once_he_is_a_player(hall: PostOffice):
    asked(hall, ANN, "challenge as French clock 5d")
    reply(hall, newest(hall, ANN))
    write(hall, EVE, "register Eve\njoin 1 word SALT\njoin us\nset zone Europe/Berlin")
    (first,) = hall.boxes[EVE]
    assert "SALT" not in told(first)
    reply(hall, first)
    text = told(newest(hall, EVE))
    assert_inert(as_sent(newest(hall, EVE)))
    assert "You are registered as Eve." in text
    assert "You also asked for this: - you take up challenge c1 and add the word SALT" in text
    assert "your days count in Europe/Berlin" in text
    assert "c1 by Ann" in text
    assert 'In an earlier mail you wrote something with "join" that was not clear' in text
    assert open_ids(hall) == [1]
    reply(hall, newest(hall, EVE))
    assert hall.game().seats["british"].name == "Eve"
    assert hall.game().row.words["british"] == "SALT"


def test_what_a_stranger_adds_on_the_same_day_is_kept_too(hall: PostOffice):
    write(hall, EVE, "Hello there")
    write(hall, EVE, "register Ev\njoin 9")
    write(hall, EVE, "register Eve\nchallenge clock 5d")
    (first,) = hall.boxes[EVE]
    reply(hall, first, "confirm\ngames")
    text = told(newest(hall, EVE))
    assert "You are registered as Eve." in text
    assert "There is no open challenge c9" in text
    assert "you offer this game" in text
    assert "You have played no game yet" in text


def test_who_registers_is_told_his_name_and_how_to_change_it(hall: PostOffice):
    write(hall, "zed@example.com", "Hello there")
    reply(hall, newest(hall, "zed@example.com"))
    text = told(newest(hall, "zed@example.com"))
    assert "You are registered as Somebody." in text
    assert "see that name. You gave none, so it was taken from the From line of your mail." in text
    assert 'with a line "set name" and the new name' in text


# More answers than an hour allows


@pytest.fixture
def short(hall: PostOffice) -> PostOffice:
    """A service that answers twice an hour, some time after its players have registered."""
    hall.config = Config(domain="play.example.org", answers_per_hour=2)
    hall.now = START + timedelta(days=1)
    return hall


def later(office: PostOffice) -> str:
    office.now += timedelta(minutes=70)
    office.deliver()
    return told(newest(office, ANN))


def at_once(office: PostOffice, body: str, mail=None) -> None:
    """A letter of Ann's, ten seconds after the one before."""
    office.now += timedelta(seconds=10) - timedelta(minutes=11)
    reply(office, mail, body) if mail else write(office, ANN, body)


def test_what_was_not_answered_is_named_in_the_late_mail(short: PostOffice):
    for body in ("set zone Europe/Berlin", "set name Anna"):
        at_once(short, body)
    zone, name = short.boxes[ANN][-2:]
    before = got(short, ANN)
    at_once(short, "challenge clock 5d")
    at_once(short, "confirm", zone)
    at_once(short, "games\njoin us\nrules siege\ncancel challenge 7")
    at_once(short, "confirm", name)
    assert got(short, ANN) == before
    text = later(short)
    assert got(short, ANN) == before + 1
    assert_inert(as_sent(newest(short, ANN)))
    assert (
        "nothing was done, and you were not asked back. Please write once more what you want: you offer this game"
        in text
    )
    assert "something in it was not clear. Nothing was done about that." in text
    assert "you confirmed it. Your days count in Europe/Berlin now." in text
    assert "you confirmed it. The name is Anna now." in text
    assert "you asked a question (games). Please ask again." in text
    assert "you asked a question (rules siege). Please ask again." in text
    assert "nothing was done. There is no open challenge c7" in text
    assert open_ids(short) == []


def test_the_late_mail_counts_what_it_does_not_name_and_names_all_that_was_done(short: PostOffice):
    for body in ("set zone Europe/Berlin", "set name Anna"):
        at_once(short, body)
    zone = short.boxes[ANN][-2]
    for _ in range(30):
        at_once(short, "games")
    at_once(short, "confirm", zone)
    text = later(short)
    assert text.count("you asked a question (games)") == 20
    assert "Mails after these to which nothing was done: 10." in text
    assert "Your days count in Europe/Berlin now." in text
    assert len(text_of(newest(short, ANN)).splitlines()) < 100


def test_a_wish_in_a_letter_about_a_game_that_could_not_be_asked_back_is_named(office: PostOffice):
    office.config = Config(domain="play.example.org", answers_per_hour=1)
    office.new_game()
    office.answer("british", "status")
    office.answer("british", "challenge clock 5d", office.boxes[ANN][0])
    text = later(office)
    assert (
        "it asked for something that has to be confirmed, and you could not be asked then. Nothing of that was done"
        in text
    )
