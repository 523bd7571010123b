"""Two wishes of a kind in one mail: the answer is true of each line."""

import re
from email.message import EmailMessage

import pytest
from desk_people import ANN, EVE, got, newest, register, reply, told, write
from post_office import PostOffice, text_of

from adjudicator.render.inert import assert_inert

DONE, LEFT = "Understood and carried out", "Understood and not carried out"


@pytest.fixture
def service(sqlite_office: PostOffice) -> PostOffice:
    """A game of Ann's, and a challenge of Eve's."""
    sqlite_office.new_game()
    register(sqlite_office, EVE, "Eve")
    write(sqlite_office, EVE, "challenge")
    reply(sqlite_office, newest(sqlite_office, EVE))
    return sqlite_office


def by_line(mail: EmailMessage) -> dict[int, bool]:
    """Whether each line that the answer to a letter about a game lists was carried out."""
    part = mail.get_body(("plain",))
    assert part
    assert_inert(part.get_content(), {"set name NEW NAME"})
    found: dict[int, bool] = {}
    for section in re.split(r"\n== ", text_of(mail).replace("\r\n", "\n")):
        title, _, rest = section.partition(" ==\n")
        if title in (DONE, LEFT):
            found |= dict.fromkeys(map(int, re.findall(r"^  line (\d+): ", rest, re.MULTILINE)), title == DONE)
    return dict(sorted(found.items()))


@pytest.mark.parametrize(
    ("body", "done"),
    [
        ("leave 2031-04-01 to 2031-04-20\nleave 2031-04-02 to 2031-04-21", [True, False]),
        ("leave 2031-04-01 to 2031-04-20\nleave 2031-04-01 to 2031-04-20", [True, True]),
        ("leave cancel\nleave 2031-04-01 to 2031-04-02", [False, True]),
        ("leave 2031-04-01 to 2031-04-02\nleave cancel", [True, True]),
        ("set zone Europe/Berlin\nset zone America/New_York", [False, True]),
        ("set zone Europe/Berlin\nset zone Europe/Berlin", [True, True]),
        ("set zone Europe/Berlin\nset zone Foo/Bar", [True, False]),
        ("set zone Foo/Bar\nset zone Europe/Berlin", [False, True]),
        ("set confirm on\nset confirm off", [False, True]),
        ("set newkey\nset newkey", [True, True]),
        ("offer draw\noffer restart", [False, True]),
        ("offer draw\nOffer draw.", [True, True]),
        ("rules raid\nrules siege", [False, True]),
        ("note: a\nnote: b", [True, True]),
        ("register Abe\nregister Bob", [False, False]),
        ("status\nset address a@play.example.org\nset address b@example.com", [True, False, True]),
        ("status\nset name Abe\nset name draft militia", [True, True, False]),
        ("status\nset name Abe\nset name Bob", [True, False, True]),
        ("status\njoin us\njoin 1", [True, False, True]),
        ("status\njoin 1\njoin 1 word SALT", [True, False, True]),
        ("status\njoin 1\njoin 1", [True, True, True]),
        ("status\nchallenge edition 1\nchallenge edition 1", [True, True, False]),
        ("status\nset name Abe\nerase me", [True, False, True]),
    ],
)
def test_each_line_of_a_letter_about_a_game_stands_where_it_belongs(service: PostOffice, body: str, done: list[bool]):
    service.answer("british", body)
    assert by_line(service.last("british")) == dict(enumerate(done, 1))


def test_the_reason_names_its_line_and_what_counts_is_what_was_said_last(service: PostOffice):
    service.answer("british", "leave 2031-04-01 to 2031-04-20\nleave 2031-04-02 to 2031-04-21")
    assert "Not done: You have a leave then already: on 2031-04-02. (line 2)" in told(service.last("british"))
    service.answer("british", "set zone Europe/Berlin\nset zone America/New_York")
    said = told(service.last("british"))
    assert "Line 1 does not count, as line 2 sets the same anew." in said
    assert "count in Europe/Berlin" not in said
    assert "count in America/New_York from now on" in said
    with service.ledger.read() as tx:
        (player,) = tx.players_called("ann")
        assert player.zone == "America/New_York"


@pytest.mark.parametrize(
    ("body", "asked", "fault"),
    [
        ("set name Abe\nset name Bob", "your name becomes Bob", "line 1 (set): This does not count, as line 2"),
        ("join 1\njoin 1 word SALT", "and add the word SALT", "line 1 (join): This does not count, as line 2"),
        (
            "challenge edition 1\nchallenge edition 1",
            "you offer this game",
            "line 2 (challenge): Line 1 offers the same",
        ),
        (
            "\n".join(f"set address add a{number}@example.com" for number in range(1, 7)),
            "you can write from a5@example.com",
            "line 6 (set): One mail can ask for 5 things",
        ),
    ],
)
@pytest.mark.parametrize("place", ["desk", "game"])
def test_the_mail_that_asks_back_tells_what_it_does_not_ask(
    service: PostOffice, body: str, asked: str, fault: str, place: str
):
    if place == "desk":
        register(service, "ida@example.org", "Ida")
        write(service, "ida@example.org", body)
        mail = newest(service, "ida@example.org")
    else:
        service.answer("british", body)
        mail = newest(service, ANN)
    assert mail["Subject"] == "Is this from you?"
    question, _, rest = told(mail).partition("Not done")
    assert question.count(asked) == 1
    assert fault in rest


def test_two_zones_at_the_desk_are_one(service: PostOffice):
    write(service, EVE, "set zone Europe/Berlin\nset zone America/New_York")
    assert "count in Europe/Berlin" not in told(newest(service, EVE))
    assert "line 1 (set): This does not count, as line 2 sets it anew" in told(newest(service, EVE))


def test_a_second_name_of_a_stranger_is_told_too(service: PostOffice):
    write(service, "ida@example.org", "register Ida\nregister Irma")
    asked = newest(service, "ida@example.org")
    reply(service, asked)
    said = told(newest(service, "ida@example.org"))
    assert "You are registered as Ida" in said
    assert 'In an earlier mail you wrote something with "register" that was not clear' in said


def test_a_second_name_with_the_confirmation_is_told_too(service: PostOffice):
    write(service, "ida@example.org", "hello")
    reply(service, newest(service, "ida@example.org"), "register Ida\nregister Irma")
    said = told(newest(service, "ida@example.org"))
    assert "You are registered as Ida" in said
    assert "line 2 (register): You are a player already" in said
    assert got(service, "ida@example.org") == 2
