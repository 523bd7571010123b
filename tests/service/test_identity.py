"""Who may do what: registration, several addresses, confirmations, new keys; and what nobody else can."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage

import pytest
from post_office import ADDRESSES, START, PostOffice, text_of

from adjudicator.mail.session import Reply
from adjudicator.service import senders
from adjudicator.service.config import Config
from adjudicator.service.door import Door
from adjudicator.service.receive import receive

GAMES = "games@play.example.org"
ANN, BEN, EVE = ADDRESSES["british"], ADDRESSES["french"], "eve@example.com"
WORK = "ann@work.example.net"


def write(
    office: PostOffice, address: str, body: str, to: str = GAMES, answering: EmailMessage | None = None, **headers: str
) -> Reply:
    """A mail of somebody to a desk, or in answer to a mail."""
    lines = {
        "From": f"Somebody <{address}>",
        "To": to,
        "Subject": "Hello",
        "Message-ID": f"<{next(office.numbers)}.{address}>",
        **({"In-Reply-To": answering["Message-ID"]} if answering else {}),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return office.post(f"{head}\r\n{body}\r\n".encode(), to, address)


def reply(office: PostOffice, mail: EmailMessage, body: str = "confirm", address: str | None = None) -> Reply:
    """An answer to a mail, from whom it went to."""
    return write(office, address or str(mail["To"]), body, str(mail["Reply-To"]), mail)


def told(mail: EmailMessage) -> str:
    """The text of a mail as one line."""
    return " ".join(text_of(mail).split())


def newest(office: PostOffice, address: str) -> EmailMessage:
    return office.boxes[address][-1]


def got(office: PostOffice, address: str) -> int:
    return len(office.boxes.get(address, []))


def names(office: PostOffice) -> list[str]:
    with office.ledger.read() as tx:
        return [player.name for player in tx.players()]


def addresses(office: PostOffice, player_id: int = 1) -> list[str]:
    """The verified addresses of a player, that of record first."""
    with office.ledger.read() as tx:
        return [row.address for row in tx.addresses(player_id) if row.verified_at]


def register(office: PostOffice, address: str = EVE, name: str = "Eve") -> None:
    write(office, address, f"register {name}")
    assert reply(office, newest(office, address)).code == 250


def add(office: PostOffice, address: str = WORK) -> None:
    """Let Ann add an address by a mail to the desk."""
    write(office, ANN, f"set address add {address}")
    reply(office, newest(office, ANN))
    reply(office, newest(office, address))


# Registration


def test_registering_takes_a_confirmation(office: PostOffice):
    write(office, EVE, "register Eve Example")
    assert names(office) == []
    (asked,) = office.boxes[EVE]
    assert re.fullmatch(r"confirm\.[a-z2-7]{24}@play\.example\.org", asked["Reply-To"])
    assert "Eve" not in asked.as_string().replace(EVE, "")
    assert reply(office, asked).code == 250
    assert names(office) == ["Eve Example"]
    assert addresses(office) == [EVE]
    assert "registered as Eve Example" in told(newest(office, EVE))


def test_the_confirmation_may_name_the_player(sqlite_office: PostOffice):
    write(sqlite_office, EVE, "Hello, what is this?")
    reply(sqlite_office, newest(sqlite_office, EVE), "register Evelyn")
    assert names(sqlite_office) == ["Evelyn"]


def test_a_confirmation_to_games_counts_by_the_mail_that_it_answers(office: PostOffice):
    write(office, EVE, "register Eve")
    write(office, EVE, "confirm", GAMES, newest(office, EVE))
    assert names(office) == ["Eve"]


def test_confirm_without_the_mail_that_asked_is_nothing(sqlite_office: PostOffice):
    write(sqlite_office, EVE, "register Eve")
    write(sqlite_office, EVE, "confirm")
    write(sqlite_office, EVE, "confirm", GAMES, In_Reply_To="<ask.aaaaaaaaaaaaaaaaaaaaaaaa@play.example.org>")
    assert names(sqlite_office) == []
    assert got(sqlite_office, EVE) == 1


def test_somebody_else_cannot_confirm(office: PostOffice):
    write(office, EVE, "register Eve")
    asked = newest(office, EVE)
    assert reply(office, asked, address="mallory@example.com").code == 550
    write(office, "mallory@example.com", "confirm", GAMES, asked)
    assert names(office) == []
    assert reply(office, asked).code == 250
    assert names(office) == ["Eve"]


def test_a_question_is_answered_once(office: PostOffice):
    write(office, EVE, "register Eve")
    asked = newest(office, EVE)
    reply(office, asked)
    reply(office, asked, "register Mallory")
    assert names(office) == ["Eve"]
    assert "Nothing waits" in told(newest(office, EVE))


def test_a_question_is_forgotten_after_a_week(office: PostOffice):
    write(office, EVE, "register Eve")
    asked = newest(office, EVE)
    door = Door(office.config, office.ledger)
    office.now += timedelta(days=8)
    assert reply(office, asked).code == 550
    assert names(office) == []
    assert not door.knows("confirm.aaaaaaaaaaaaaaaaaaaaaaaa@play.example.org")


def test_the_door_knows_questions_that_are_open(office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    write(office, EVE, "register Eve")
    rcpt = str(newest(office, EVE)["Reply-To"])
    door = Door(office.config, office.ledger)

    class Clock:
        now = staticmethod(lambda _zone: START)

    monkeypatch.setattr("adjudicator.service.door.datetime", Clock)
    assert door.knows(rcpt)
    assert door.knows(rcpt.upper().replace("PLAY.EXAMPLE.ORG", "play.example.org"))
    assert not door.knows(rcpt.replace("confirm.", "confirm.a")[:32] + "@play.example.org")
    monkeypatch.setattr(Clock, "now", staticmethod(lambda _zone: START + timedelta(days=8)))
    assert not door.knows(rcpt)


@pytest.mark.parametrize("name", ["draft Militia", "pass", "x" * 41, "1234", "house", "a@b.example"])
def test_names_that_are_none(sqlite_office: PostOffice, name: str):
    write(sqlite_office, EVE, "Hello")
    asked = newest(sqlite_office, EVE)
    reply(sqlite_office, asked, f"register {name}")
    assert names(sqlite_office) == []
    assert "cannot be a name" in told(newest(sqlite_office, EVE))
    reply(sqlite_office, newest(sqlite_office, EVE), "register Eve")
    assert names(sqlite_office) == ["Eve"]


def test_a_name_is_one_players(sqlite_office: PostOffice):
    register(sqlite_office)
    write(sqlite_office, "evan@example.com", "register EVE")
    reply(sqlite_office, newest(sqlite_office, "evan@example.com"))
    assert names(sqlite_office) == ["Eve"]
    reply(sqlite_office, newest(sqlite_office, "evan@example.com"), "register Evan")
    assert names(sqlite_office) == ["Eve", "Evan"]


def test_a_later_mail_of_the_day_may_correct_the_name(office: PostOffice):
    write(office, EVE, "register Ev")
    write(office, EVE, "register Eve")
    assert got(office, EVE) == 1
    reply(office, newest(office, EVE))
    assert names(office) == ["Eve"]


def test_a_player_cannot_register_again(office: PostOffice):
    register(office)
    write(office, EVE, "register Mallory")
    assert names(office) == ["Eve"]
    assert "Your name here: Eve." in told(newest(office, EVE))


# Strangers


def test_a_stranger_gets_the_same_mail_whatever_he_writes(sqlite_office: PostOffice):
    bodies = ["register Eve", "help", "secret words", "set address add x@example.net", "join g1", ""]
    for number, body in enumerate(bodies):
        write(sqlite_office, f"eve{number}@example.com", body)
    texts = {told(newest(sqlite_office, f"eve{number}@example.com")) for number in range(len(bodies))}
    assert len(texts) == 1
    assert not any(body in texts.pop() for body in bodies[2:3])


def test_strangers_get_no_more_than_so_many_mails_an_hour(office: PostOffice):
    office.config = Config(domain="play.example.org", strangers_per_hour=5)
    for number in range(20):
        write(office, f"victim{number}@example.com", "register Victim")
        office.now = START
    assert len(office.sent) == 5
    office.now = START + timedelta(minutes=61)
    write(office, "victim20@example.com", "register Victim")
    assert len(office.sent) == 6


@pytest.mark.parametrize("address", ["games@play.example.org", "x@play.example.org", "e vil@example.com", "root"])
def test_no_mail_goes_to_ourselves_or_to_no_address(sqlite_office: PostOffice, address: str):
    write(sqlite_office, address, "register Eve")
    assert sqlite_office.sent == []


def test_a_claim_without_proof_is_worth_nothing(office: PostOffice):
    office.new_game()
    with office.ledger.begin() as tx:
        tx.add_address(1, EVE)
    register(office)
    assert addresses(office, 1) == [ANN]
    assert addresses(office, 3) == [EVE]


# Several addresses


def test_an_address_is_added_by_two_confirmations(office: PostOffice):
    office.new_game()
    write(office, ANN, "set address add Ann@Work.example.net")
    asked = newest(office, ANN)
    assert WORK not in office.boxes
    reply(office, asked)
    assert addresses(office) == [ANN]
    assert "Ann" not in told(newest(office, WORK))
    reply(office, newest(office, WORK))
    assert addresses(office) == [ANN, WORK]
    notice = told(newest(office, ANN))
    assert WORK in notice
    assert "From another address of yours" in notice
    assert "count from now on" in told(newest(office, WORK))


def test_a_forged_wish_changes_nothing(office: PostOffice):
    """Anyone can write a From header: what it asks for goes to its owner only."""
    office.new_game()
    before = got(office, ANN)
    for wish in (f"set address add {EVE}", f"set address {EVE}", f"set address remove {ANN}", "set newkey"):
        write(office, ANN, wish)
    assert got(office, ANN) == before + 4
    assert got(office, EVE) == 0
    assert addresses(office) == [ANN]
    assert office.answer("british", "draft governor", office.boxes[ANN][0]).code == 250
    assert office.game().row.moves > 0


def test_a_letter_from_a_second_address_counts_and_is_reported(office: PostOffice):
    office.new_game()
    position = office.last("british")
    add(office)
    before = got(office, ANN), got(office, WORK)
    assert office.answer("british", "draft governor", position, From=WORK).code == 250
    assert office.game().row.moves > 0
    assert (got(office, ANN), got(office, WORK)) == (before[0] + 1, before[1] + 1)
    assert newest(office, WORK)["In-Reply-To"].startswith("<")
    assert "drafted Governor" in told(newest(office, WORK))
    notice = newest(office, ANN)
    assert WORK in told(notice)
    assert "governor" not in told(notice).lower()
    assert notice["Reply-To"] == newest(office, WORK)["Reply-To"]


def test_the_next_position_goes_to_the_address_of_record(office: PostOffice):
    office.new_game()
    position = office.last("british")
    add(office)
    office.answer("british", "draft governor", position, From=WORK)
    before = got(office, WORK)
    office.answer("french", "draft coureurs")
    assert got(office, WORK) == before
    assert "drafted Coureurs" in told(newest(office, ANN))


def test_a_copy_from_a_second_address_is_reported_once(office: PostOffice):
    office.new_game()
    position = office.last("british")
    add(office)
    before = got(office, ANN)
    raw = office.letter("british", "draft governor\nstop", position, From=WORK)
    for _ in range(3):
        office.post(raw, position["Reply-To"], WORK)
    assert got(office, ANN) == before + 1


def test_an_address_can_be_made_that_of_record(office: PostOffice):
    office.new_game()
    write(office, ANN, f"set address {WORK}")
    reply(office, newest(office, ANN))
    reply(office, newest(office, WORK))
    assert addresses(office) == [WORK, ANN]
    assert "Mails go to" in told(newest(office, ANN))
    office.answer("french", "press: Hello there")
    assert "Hello there" in told(newest(office, WORK))
    write(office, ANN, f"set address {ANN}")
    reply(office, newest(office, ANN))
    assert addresses(office) == [ANN, WORK]


def test_an_address_is_removed_by_confirmation(office: PostOffice):
    office.new_game()
    add(office)
    write(office, ANN, f"set address remove {WORK}")
    assert addresses(office) == [ANN, WORK]
    reply(office, newest(office, ANN))
    assert addresses(office) == [ANN]
    assert "taken from the player" in told(newest(office, WORK))
    assert office.answer("british", "draft governor", office.boxes[ANN][0], From=WORK).code == 550


def test_a_dead_address_of_record_can_be_left_behind(office: PostOffice):
    office.new_game()
    position = office.last("british")
    add(office)
    write(office, WORK, f"set address remove {ANN}")
    before = got(office, ANN)
    reply(office, newest(office, WORK))
    assert addresses(office) == [WORK]
    assert got(office, ANN) == before + 1  # the last mail there
    assert office.answer("british", "draft governor", position, From=WORK).code == 250
    assert "drafted Governor" in told(newest(office, WORK))


def test_the_last_address_stays(sqlite_office: PostOffice):
    sqlite_office.new_game()
    write(sqlite_office, ANN, f"set address remove {ANN}")
    reply(sqlite_office, newest(sqlite_office, ANN))
    assert addresses(sqlite_office) == [ANN]
    assert "cannot be taken away" in told(newest(sqlite_office, ANN))


def test_another_players_address_cannot_be_taken_and_is_not_told(office: PostOffice):
    office.new_game()
    answers = []
    for wanted in (BEN, "nobody@example.net"):
        write(office, ANN, f"set address add {wanted}")
        reply(office, newest(office, ANN))
        answers.append(told(newest(office, ANN)).replace(wanted, "X"))
    assert answers[0] == answers[1]
    assert told(newest(office, BEN)) == told(newest(office, "nobody@example.net"))
    reply(office, newest(office, BEN))
    assert addresses(office) == [ANN]
    assert addresses(office, 2) == [BEN]
    write(office, ANN, f"set address remove {BEN}")
    reply(office, newest(office, ANN))
    assert addresses(office, 2) == [BEN]


def test_what_a_removed_address_began_comes_to_nothing(office: PostOffice):
    office.new_game()
    add(office)
    write(office, WORK, f"set address add {EVE}")
    reply(office, newest(office, WORK))
    proof = newest(office, EVE)
    write(office, WORK, "set newkey")
    still = newest(office, WORK)
    write(office, ANN, f"set address remove {WORK}")
    reply(office, newest(office, ANN))
    reply(office, proof)
    reply(office, still)
    assert addresses(office) == [ANN]


def test_somebody_is_not_asked_for_ever(office: PostOffice):
    office.new_game()
    for _ in range(5):
        write(office, ANN, f"set address add {EVE}")
        reply(office, newest(office, ANN))
        office.now += timedelta(hours=1)
    assert got(office, EVE) == 3
    assert "tomorrow" in told(newest(office, ANN))


def test_plus_addresses_are_addresses_of_their_own(sqlite_office: PostOffice):
    sqlite_office.new_game()
    position = sqlite_office.last("british")
    plus = "ann+acres@example.org"
    assert sqlite_office.answer("british", "draft governor", position, From=plus).code == 550
    add(sqlite_office, plus)
    assert addresses(sqlite_office) == [ANN, plus]
    assert sqlite_office.answer("british", "draft governor", position, From=plus).code == 250


def test_a_name_is_changed_by_confirmation(office: PostOffice):
    office.new_game()
    write(office, ANN, "set name Ann of the Lakes")
    assert "Ann of the Lakes" in told(newest(office, ANN))
    reply(office, newest(office, ANN))
    assert names(office)[0] == "Ann of the Lakes"
    write(office, ANN, "set name BEN")
    reply(office, newest(office, ANN))
    assert names(office)[0] == "Ann of the Lakes"
    assert "belongs to another player" in told(newest(office, ANN))


def test_an_unclear_answer_leaves_the_question_open(office: PostOffice):
    office.new_game()
    write(office, ANN, "set name Anna")
    asked = newest(office, ANN)
    reply(office, asked, "Who are you?")
    unclear = newest(office, ANN)
    assert "could not read your answer as a yes" in told(unclear)
    reply(office, unclear)
    assert names(office)[0] == "Anna"


@pytest.mark.parametrize("said", ["yes", "Hello,\n\nYes!\n\nAnn", "Yes, please."])
def test_a_line_with_nothing_but_yes_confirms(sqlite_office: PostOffice, said: str):
    sqlite_office.new_game()
    write(sqlite_office, ANN, "set name Anna")
    reply(sqlite_office, newest(sqlite_office, ANN), said)
    assert names(sqlite_office)[0] == "Anna"


@pytest.mark.parametrize("said", ["yes, but who are you?", "no", "> yes", "Is it me? yes"])
def test_what_is_no_plain_yes_confirms_nothing(sqlite_office: PostOffice, said: str):
    sqlite_office.new_game()
    before = names(sqlite_office)
    write(sqlite_office, ANN, "set name Anna")
    reply(sqlite_office, newest(sqlite_office, ANN), said)
    assert names(sqlite_office) == before
    assert "We could not read your answer as a yes" in told(newest(sqlite_office, ANN))


def test_a_yes_that_answers_no_question_does_nothing(sqlite_office: PostOffice):
    sqlite_office.new_game()
    before = names(sqlite_office)
    write(sqlite_office, ANN, "set name Anna")
    write(sqlite_office, ANN, "yes")
    assert names(sqlite_office) == before


def test_an_unclear_answer_to_games_leaves_it_open_too(sqlite_office: PostOffice):
    sqlite_office.new_game()
    write(sqlite_office, ANN, "set name Anna")
    write(sqlite_office, ANN, "help", GAMES, newest(sqlite_office, ANN))
    reply(sqlite_office, newest(sqlite_office, ANN))
    assert names(sqlite_office)[0] == "Anna"


# The desk


@pytest.mark.parametrize(
    ("body", "said"),
    [("", "Your addresses"), ("help", "How to write orders"), ("rules siege", "siege"),
     ("join g7", "Which challenge do you mean"),
     ("draft Militia", "never to this address"), ("set zone Europe/Berlin", "days count in Europe/Berlin")],
)  # fmt: skip
def test_a_player_is_answered(sqlite_office: PostOffice, body: str, said: str):
    sqlite_office.new_game()
    before = got(sqlite_office, ANN)
    write(sqlite_office, ANN, body)
    assert got(sqlite_office, ANN) == before + 1
    assert said in told(newest(sqlite_office, ANN))
    assert sqlite_office.game().row.moves == 0


def test_answers_of_the_desk_are_joined_when_there_are_too_many(office: PostOffice):
    office.new_game()
    before = got(office, ANN)
    for _ in range(40):
        write(office, ANN, "help")
        office.now = START + timedelta(minutes=5)
    assert got(office, ANN) == before + 30
    office.now = START + timedelta(minutes=70)
    office.deliver()
    assert got(office, ANN) == before + 31
    assert "stands for all other answers" in told(newest(office, ANN))


def test_they_do_not_eat_up_the_budget_of_games(sqlite_office: PostOffice):
    """Anybody can write a player's address into a From header."""
    sqlite_office.new_game()
    for _ in range(60):
        write(sqlite_office, ANN, "help")
        sqlite_office.now = START
    before = got(sqlite_office, ANN)
    sqlite_office.answer("british", "status", sqlite_office.boxes[ANN][0])
    assert got(sqlite_office, ANN) == before + 1


def test_a_machine_at_the_desk_is_not_talked_to(sqlite_office: PostOffice):
    sqlite_office.new_game()
    before = len(sqlite_office.sent)
    write(sqlite_office, ANN, "help", Auto_Submitted="auto-replied")
    write(sqlite_office, EVE, "register Eve", Precedence="bulk")
    write(sqlite_office, EVE, "register Eve")
    write(sqlite_office, EVE, "I am away", str(newest(sqlite_office, EVE)["Reply-To"]), Auto_Submitted="auto-replied")
    assert len(sqlite_office.sent) == before + 1


def test_a_copy_at_the_desk_does_nothing(office: PostOffice):
    office.new_game()
    write(office, ANN, "set name Anna")
    asked = newest(office, ANN)
    before = got(office, ANN)
    for _ in range(3):
        write(office, ANN, "confirm", str(asked["Reply-To"]), asked, Message_ID="<same@example.org>")
    assert got(office, ANN) == before + 1


# In a game


def test_wishes_in_a_game_are_asked_back(office: PostOffice):
    office.new_game()
    office.answer("british", f"set address add {WORK}")
    asked = office.last("british")
    assert office.count("british") == 2
    assert asked["Reply-To"].startswith("confirm.")
    assert asked["In-Reply-To"] == "<1@example.org>"
    reply(office, asked)
    reply(office, newest(office, WORK))
    assert addresses(office) == [ANN, WORK]


def test_wishes_beside_orders_do_not_hinder_them(sqlite_office: PostOffice):
    sqlite_office.new_game()
    sqlite_office.answer("british", f"draft governor\nset address add {WORK}")
    assert sqlite_office.game().row.moves > 0
    kinds = [str(mail["Reply-To"]).partition(".")[0] for mail in sqlite_office.boxes[ANN][1:]]
    assert sorted(kinds) == ["confirm", "g1"]


def test_a_refused_mail_asks_nothing_back(sqlite_office: PostOffice):
    sqlite_office.new_game()
    sqlite_office.answer("british", f"draft governer\nset address add {WORK}\nset newkey")
    assert sqlite_office.count("british") == 2
    assert sqlite_office.last("british")["Reply-To"] == sqlite_office.boxes[ANN][0]["Reply-To"]


def test_a_new_key_makes_all_earlier_addresses_worthless(office: PostOffice):
    office.new_game()
    first = office.last("british")
    office.answer("british", "draft governor")
    office.answer("french", "draft coureurs")
    second = office.last("british")
    key = office.game().seats["french"].token_key
    office.answer("british", "set newkey", first)
    newest_mail = office.last("british")
    assert "void" in told(newest_mail)
    assert "You have" in told(newest_mail)
    door = Door(office.config, office.ledger)
    moves = office.game().row.moves
    for old in (first, second):
        assert not door.knows(old["Reply-To"])
        assert office.answer("british", "draft militia\nstop", old).code == 550
    assert office.game().row.moves == moves
    assert office.game().seats["french"].token_key == key
    assert office.answer("british", "draft militia\nstop", newest_mail).code == 250
    assert office.game().row.moves == moves + 1


def test_an_open_door_forgets_old_keys_too(office: PostOffice):
    office.new_game()
    old = office.last("british")
    door = Door(office.config, office.ledger)
    assert door.knows(old["Reply-To"])
    office.answer("british", "set newkey")
    assert door.knows(office.last("british")["Reply-To"])
    assert not door.knows(old["Reply-To"])


def test_a_new_key_beside_orders(sqlite_office: PostOffice):
    sqlite_office.new_game()
    sqlite_office.answer("british", "set newkey\ndraft governor\nstop")
    assert sqlite_office.game().row.moves == 1
    assert sqlite_office.answer("british", "pass", sqlite_office.boxes[ANN][0]).code == 550


def test_new_keys_for_all_games_by_the_desk(office: PostOffice):
    office.new_game()
    office.new_game()
    old = office.boxes[ANN][:2]
    write(office, ANN, "set newkey")
    reply(office, newest(office, ANN))
    for mail in old:
        assert office.answer("british", "draft governor", mail).code == 550
    fresh = {mail["Reply-To"] for mail in office.boxes[ANN][-3:] if "-" in mail["Reply-To"]}
    assert len(fresh) == 2


def test_joined_answers_move_to_the_new_address(office: PostOffice):
    office.config = Config(domain="play.example.org", answers_per_hour=2)
    office.new_game()
    position = office.last("british")
    for body in ("status", "status", "status", "set newkey"):
        office.answer("british", body, position)
    office.now += timedelta(hours=2)
    office.deliver()
    assert office.answer("british", "status", office.last("british")).code == 250


# Who speaks for a seat


def aligned(office: PostOffice, **config: object) -> None:
    settings = {"domain": "play.example.org", "auth": "aligned", "authserv_id": "mx.example.org", **config}
    office.config = Config(**settings)


RESULTS = "mx.example.org; spf=pass smtp.mailfrom=ann@example.org"


@pytest.mark.parametrize(
    "results",
    [
        RESULTS,
        "MX.example.ORG (ours); dkim=pass header.d=example.org",
        "mx.example.org; spf=fail; dkim=pass header.i=@example.org",
    ],
)
def test_aligned_takes_what_our_server_has_proved(sqlite_office: PostOffice, results: str):
    aligned(sqlite_office)
    sqlite_office.new_game()
    assert sqlite_office.answer("british", "draft governor", Authentication_Results=results).code == 250
    assert sqlite_office.game().row.moves > 0


@pytest.mark.parametrize(
    "results",
    [
        "",
        "mx.example.com; spf=pass smtp.mailfrom=ann@example.org",
        "mx.example.org; spf=pass smtp.mailfrom=ann@example.com; dkim=pass header.d=example.com",
        "mx.example.org; spf=softfail smtp.mailfrom=ann@example.org",
        "mx.example.org; (spf=pass smtp.mailfrom=example.org",
        f"{RESULTS}\r\nAuthentication-Results: {RESULTS}",
        f"{RESULTS}\r\nauthentication-results: MX.EXAMPLE.ORG; none",
    ],
)
def test_aligned_refuses_everything_else_and_tells_the_owner_once(sqlite_office: PostOffice, results: str):
    aligned(sqlite_office)
    sqlite_office.new_game()
    asked = sqlite_office.last("british")
    headers = {"Authentication_Results": results} if results else {}
    for _ in range(3):
        assert sqlite_office.answer("british", "draft governor", asked, **headers).code == 550
    assert sqlite_office.game().row.moves == 0
    assert sqlite_office.count("british") == 2
    assert "nothing proved it" in told(sqlite_office.last("british"))


def test_aligned_holds_at_the_desk_too(sqlite_office: PostOffice):
    aligned(sqlite_office)
    assert write(sqlite_office, EVE, "register Eve").code == 550
    assert sqlite_office.sent == []
    proof = {"Authentication_Results": "mx.example.org; dkim=pass header.d=example.com"}
    assert write(sqlite_office, EVE, "register Eve", **proof).code == 250
    asked = newest(sqlite_office, EVE)
    assert reply(sqlite_office, asked).code == 550
    assert write(sqlite_office, EVE, "confirm", str(asked["Reply-To"]), asked, **proof).code == 250
    assert names(sqlite_office) == ["Eve"]
    assert write(sqlite_office, EVE, "Help!", "postmaster@play.example.org").code == 250


def test_aligned_by_signatures_of_our_own_checking(sqlite_office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    aligned(sqlite_office, authserv_id="")
    sqlite_office.new_game()
    signed: list[str] = []
    monkeypatch.setattr(senders.signatures, "signers", lambda _raw: signed)
    assert sqlite_office.answer("british", "draft governor", Authentication_Results=RESULTS).code == 550
    signed.append("example.org")
    assert sqlite_office.answer("british", "draft governor", sqlite_office.boxes[ANN][0]).code == 250


def test_headers_of_our_server_are_no_matter_by_default(sqlite_office: PostOffice):
    sqlite_office.new_game()
    eve = {"From": EVE, "Authentication_Results": "mx.example.org; dkim=pass header.d=example.com"}
    assert sqlite_office.answer("british", "draft governor", **eve).code == 550


def test_with_auth_token_the_answer_goes_to_the_owner(sqlite_office: PostOffice):
    sqlite_office.config = Config(domain="play.example.org", auth="token")
    sqlite_office.new_game()
    sqlite_office.answer("british", "status", From=EVE)
    assert got(sqlite_office, EVE) == 0
    assert sqlite_office.count("british") == 2


def test_two_from_addresses_are_nobody(sqlite_office: PostOffice):
    sqlite_office.new_game()
    assert sqlite_office.answer("british", "draft governor", From=f"{EVE}, {ANN}").code == 550
    assert (
        sqlite_office.answer(
            "british", "draft governor", sqlite_office.boxes[ANN][0], From=f"{ANN}\r\nFrom: {EVE}"
        ).code
        == 550
    )
    assert sqlite_office.game().row.moves == 0


def test_no_bounce_can_be_forged_from_what_a_stranger_knows(sqlite_office: PostOffice):
    """The envelope senders of two services that got the same letters have nothing in common."""
    sqlite_office.new_game()
    write(sqlite_office, ANN, "help", Message_ID="<known@example.org>")
    with sqlite_office.ledger.read() as tx:
        first = tx.posts(limit=1)[0]
        key = tx.post(first.id).bounce_key
    assert key not in first.message_id
    assert re.fullmatch(r"[0-9a-f]{32}", key)
    write(sqlite_office, ANN, "help", Message_ID="<known2@example.org>")
    with sqlite_office.ledger.read() as tx:
        assert tx.post(tx.posts(limit=1)[0].id).bounce_key[:8] != key[:8]


# At the same moment


def at_once(office: PostOffice, letters: list[tuple[bytes, str, str]]) -> list[int]:
    """Hand letters in by four threads; returns the codes, a deferred one is sent again as a mail server would."""

    def hand_in(letter: tuple[bytes, str, str]) -> int:
        raw, rcpt, mail_from = letter
        for _ in range(50):
            code = receive(office.config, office.ledger, raw, rcpt, mail_from, office.now).code
            if code != 451:
                return code
        return 451

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(hand_in, letters))
    office.deliver()
    return codes


def test_forty_copies_of_a_registration_are_one(office: PostOffice):
    raw = f"From: {EVE}\r\nMessage-ID: <1@example.com>\r\n\r\nregister Eve\r\n".encode()
    assert at_once(office, [(raw, GAMES, EVE)] * 40) == [250] * 40
    assert got(office, EVE) == 1
    asked = newest(office, EVE)
    raw = f"From: {EVE}\r\nMessage-ID: <2@example.com>\r\n\r\nconfirm\r\n".encode()
    assert at_once(office, [(raw, str(asked["Reply-To"]), EVE)] * 40) == [250] * 40
    assert names(office) == ["Eve"]
    assert got(office, EVE) == 2


def test_different_mails_at_the_same_moment_register_once(office: PostOffice):
    letters = [
        (f"From: {EVE}\r\nMessage-ID: <{n}@example.com>\r\n\r\nregister Eve\r\n".encode(), GAMES, EVE)
        for n in range(12)
    ]
    assert set(at_once(office, letters)) == {250}
    assert got(office, EVE) == 1
    rcpt = str(newest(office, EVE)["Reply-To"])
    letters = [
        (f"From: {EVE}\r\nMessage-ID: <c{n}@example.com>\r\n\r\nregister Eve{n}\r\n".encode(), rcpt, EVE)
        for n in range(12)
    ]
    assert set(at_once(office, letters)) == {250}
    assert len(names(office)) == 1
    with office.ledger.read() as tx:
        assert tx.held() == []
