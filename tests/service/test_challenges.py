"""Open challenges by mail: made, listed, taken up, taken back; and what nobody can do with them."""

import re
from hashlib import sha256

import pytest
from desk_people import ANN, BEN, EVE, GAMES, as_sent, got, newest, player, register, reply, told, write
from post_office import PostOffice, text_of

from adjudicator.game.chance import commitment
from adjudicator.game.engine import new_game
from adjudicator.game.verify import verify
from adjudicator.league.lots import lot
from adjudicator.render.inert import assert_inert
from adjudicator.service.challenges import MOST_OPEN
from adjudicator.service.records import export
from adjudicator.service.stored import STATE, stored


@pytest.fixture
def hall(office: PostOffice) -> PostOffice:
    """A service with three players."""
    for address, name in ((ANN, "Ann"), (BEN, "Ben"), (EVE, "Eve")):
        register(office, address, name)
    return office


def challenge(office: PostOffice, text: str = "edition 2 as French clock 5d", address: str = ANN) -> None:
    """Make a challenge, confirmed."""
    write(office, address, f"challenge {text}")
    reply(office, newest(office, address))
    assert " is open now." in told(newest(office, address)), told(newest(office, address))


def join(office: PostOffice, text: str = "3", address: str = BEN) -> None:
    """Take a challenge up, confirmed."""
    write(office, address, f"join {text}")
    reply(office, newest(office, address))


def listed(office: PostOffice, address: str = EVE) -> str:
    write(office, address, "challenges")
    return told(newest(office, address))


def open_ids(office: PostOffice) -> list[int]:
    with office.ledger.read() as tx:
        return [row.id for row in tx.open_challenges()]


def seed_of(office: PostOffice, number: int = 1) -> bytes:
    with office.ledger.begin() as tx:
        row = tx.challenge(number)
    assert row
    return row.seed


def test_a_challenge_is_made_listed_and_becomes_a_game(hall: PostOffice):
    challenge(hall, "edition 1 as French clock 5d variant fort-quebec public word BANANA")
    text = listed(hall)
    assert "c1 by Ann" in text
    assert "edition 1 as French variant fort-quebec clock 5d public" in text
    assert "BANANA" not in text
    seed = seed_of(hall)
    assert commitment(seed) in text
    join(hall, "c1 word SALT")
    assert "became game g1" in told(hall.boxes[BEN][-2]) + told(newest(hall, BEN))
    game = hall.game()
    assert (game.row.edition, game.row.variants, game.row.clock, game.row.public) == (1, ["fort-quebec"], "5d", True)
    assert (game.seats["french"].name, game.seats["british"].name) == ("Ann", "Ben")
    assert game.row.seed == seed
    assert game.row.words == {"british": "SALT", "french": "BANANA"}
    assert STATE.decode(game.row.start) == new_game(game.rules, game.chance()).state
    for address in (ANN, BEN):
        mail = next(one for one in hall.boxes[address] if "A new game" in one["Subject"])
        assert commitment(seed) in text_of(mail)
        assert "the word SALT (British), the word BANANA (French)" in told(mail)
        assert_inert(as_sent(mail))
    assert open_ids(hall) == []
    assert "Nobody offers" in listed(hall)


def test_the_shuffles_of_such_a_game_verify_with_both_words(hall: PostOffice):
    challenge(hall, "as British clock none word Gr\u00fcn")
    join(hall, "1 word SALT")
    for address in (ANN,):
        reply(hall, newest(hall, address), "resign")
        reply(hall, newest(hall, address), "confirm")
    with hall.ledger.read() as tx:
        found = tx.game("g1", lock=False)
        assert found
        record = export(tx, stored(found))
    assert record.words.british == "Gr\u00fcn"
    assert not record.from_position
    assert verify(record) is not None
    over = told(newest(hall, BEN))
    assert seed_of(hall).hex() in over
    assert "SALT" in over


def test_nothing_happens_without_a_confirmation(hall: PostOffice):
    write(hall, ANN, "challenge clock 5d")
    assert open_ids(hall) == []
    assert "you offer this game" in told(newest(hall, ANN))
    reply(hall, newest(hall, ANN))
    assert open_ids(hall) == [1]
    for address, text in ((BEN, "join 1"), (ANN, "cancel challenge 1")):
        write(hall, address, text)
        assert open_ids(hall) == [1]
    with hall.ledger.read() as tx:
        assert tx.games() == []


def test_the_mail_that_asks_shows_what_is_joined_and_its_commitment(hall: PostOffice):
    challenge(hall)
    write(hall, BEN, "join 1 word SALT")
    text = told(newest(hall, BEN))
    assert "c1 by Ann" in text
    assert "edition 2 as French clock 5d" in text
    assert commitment(seed_of(hall)) in text
    assert "add the word SALT" in text


def test_the_seed_is_committed_to_before_the_second_word_and_never_told(hall: PostOffice):
    challenge(hall)
    seed = seed_of(hall)
    said = [commitment(seed) in mail.as_string() for mail in hall.boxes[ANN]]
    assert said[-1]
    join(hall, "1 word SALT")
    assert hall.game().row.commitment == sha256(seed).hexdigest()
    everything = b"".join(hall.sent)
    assert seed.hex().encode() not in everything


def test_lots_are_drawn_where_nobody_asked_for_a_side_and_logged(hall: PostOffice):
    challenge(hall, "word ONE")
    join(hall, "1 word TWO")
    side = lot(seed_of(hall), "ONE", "TWO")
    assert hall.game().seats[side].name == "Ann"
    with hall.ledger.read() as tx:
        (row,) = [row for row in tx.audit() if row.command == "challenge join"]
        assert tx.broken_audit() is None
    assert row.data["lot"] == side
    assert row.data[side] == player(hall, ANN)
    assert "Ann" not in str(row.data)


def test_in_an_anonymous_game_nobody_learns_who_plays(hall: PostOffice):
    challenge(hall, "as French anonymous")
    assert "Ann" not in listed(hall)
    write(hall, BEN, "join 1")
    assert "Ann" not in told(newest(hall, BEN))
    reply(hall, newest(hall, BEN))
    write(hall, BEN, "games")
    write(hall, ANN, "games")
    assert "Ann" not in "".join(told(mail) for mail in hall.boxes[BEN])
    later = [mail for mail in hall.boxes[ANN] if "g1" in told(mail)]
    assert later
    assert "Ben" not in "".join(told(mail) for mail in later)


def test_ones_own_challenge_cannot_be_joined(hall: PostOffice):
    challenge(hall)
    write(hall, ANN, "join 1")
    assert "is your own" in told(newest(hall, ANN))
    assert open_ids(hall) == [1]


def test_a_challenge_is_taken_up_once(hall: PostOffice):
    challenge(hall)
    for address in (BEN, EVE):
        write(hall, address, "join 1")
    asked = {address: newest(hall, address) for address in (BEN, EVE)}
    reply(hall, asked[BEN])
    reply(hall, asked[EVE])
    assert "There is no open challenge c1" in told(newest(hall, EVE))
    with hall.ledger.read() as tx:
        assert len(tx.games()) == 1
    write(hall, EVE, "join 1")
    assert "There is no open challenge c1" in told(newest(hall, EVE))


def test_only_its_maker_takes_a_challenge_back(hall: PostOffice):
    challenge(hall)
    write(hall, BEN, "cancel challenge 1")
    assert "somebody else's" in told(newest(hall, BEN))
    assert open_ids(hall) == [1]
    write(hall, ANN, "cancel challenge 1")
    reply(hall, newest(hall, ANN))
    assert "taken back" in told(newest(hall, ANN))
    assert open_ids(hall) == []


def test_so_many_challenges_are_open_at_a_time(hall: PostOffice):
    ann = player(hall, ANN)
    for _ in range(MOST_OPEN - 1):
        challenge(hall)
    for _ in range(2):  # asked for twice before one is confirmed
        write(hall, ANN, "challenge clock 5d")
    first, second = hall.boxes[ANN][-2:]
    reply(hall, first)
    reply(hall, second)
    assert "more are not possible" in told(newest(hall, ANN))
    write(hall, ANN, "challenge clock 5d")
    assert "more are not possible" in told(newest(hall, ANN))
    with hall.ledger.read() as tx:
        assert sum(row.player_id == ann for row in tx.open_challenges()) == MOST_OPEN


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("challenge edtion 2", "edition"),
        ("challenge edition 3", "edition 1 or edition 2"),
        ("challenge as Frnch", "as British, as French or as either"),
        ("challenge edition 2 clok 5d", "clock"),
        ("challenge clock 5y", "10d+1d/14d"),
        ("challenge variant fort-qebec", "fort-quebec"),
        ("challenge word x.y", "64 letters"),
        (f"challenge word {'x' * 65}", "64 letters"),
        ("challenge all of you", "Possible are edition"),
        ("join us", "join"),
        ("join 3 word <b>", "64 letters"),
        ("join 99999999999", "challenge"),
        ("join 9999999999", "no challenge of this number"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_can(sqlite_office: PostOffice, text, possible):
    register(sqlite_office, ANN, "Ann")
    write(sqlite_office, ANN, text)
    mail = newest(sqlite_office, ANN)
    assert possible in told(mail)
    assert "could not be read" in mail["Subject"]
    assert_inert(as_sent(mail))
    assert open_ids(sqlite_office) == []


@pytest.mark.parametrize(
    "rubbish", ["\0", "raid Deerfield", "\u202e", "'; DROP TABLE challenge --", "pass " * 50, "\n> x"]
)
def test_hostile_words_do_no_harm(sqlite_office: PostOffice, rubbish):
    register(sqlite_office, ANN, "Ann")
    for text in (f"challenge {rubbish}", f"challenge word {rubbish}", f"join 1 word {rubbish}", f"join {rubbish}"):
        write(sqlite_office, ANN, text)
        for mail in sqlite_office.boxes[ANN]:
            assert_inert(as_sent(mail))
    assert open_ids(sqlite_office) == []


def test_a_word_that_is_an_order_is_inert_in_every_mail(hall: PostOffice):
    challenge(hall, "as French word resign")
    join(hall, "1 word pass")
    for box in hall.boxes.values():
        for mail in box:
            assert_inert(as_sent(mail))
    assert hall.game().row.words == {"british": "pass", "french": "resign"}


def test_a_banned_player_has_no_part_in_it(hall: PostOffice):
    challenge(hall)
    with hall.ledger.begin() as tx:
        tx.ban_player(player(hall, BEN), at=hall.now)
    for text in ("join 1", "challenge clock 5d"):
        write(hall, BEN, text)
        assert "no new game" in told(newest(hall, BEN))
    with hall.ledger.begin() as tx:
        tx.ban_player(player(hall, BEN), at=None)
    join(hall, "1")
    assert open_ids(hall) == []


def test_strangers_learn_nothing_and_do_nothing(hall: PostOffice):
    challenge(hall)
    for text in ("challenges", "join 1", "challenge clock 5d"):
        write(hall, "mallory@example.com", text)
    (mail,) = hall.boxes["mallory@example.com"]
    assert "c1" not in told(mail)
    assert open_ids(hall) == [1]


def test_in_answer_to_a_mail_about_a_game_it_is_asked_back_too(hall: PostOffice):
    challenge(hall)
    join(hall, "1")
    before = got(hall, BEN)
    welcome = next(one for one in hall.boxes[BEN] if "A new game" in one["Subject"])
    reply(hall, welcome, "challenge edition 1 clock 3d")
    assert got(hall, BEN) == before + 1
    assert "you offer this game" in told(newest(hall, BEN))
    reply(hall, newest(hall, BEN))
    assert open_ids(hall) == [2]
    for word, known in (("challenges", "c2 by Ben"), ("games", "g1: you play the British against Ann")):
        reply(hall, welcome, word)
        assert known in told(newest(hall, BEN))


def test_a_challenge_may_be_called_as_the_list_shows_it(hall: PostOffice):
    challenge(hall)
    join(hall, "c1")
    welcome = next(one for one in hall.boxes[BEN] if "A new game" in one["Subject"])
    for line in ("cancel challenge c2", "cancel challenge C2."):
        reply(hall, welcome, "challenge clock 3d")
        reply(hall, newest(hall, BEN))
        for at_desk in (True, False):
            write(hall, BEN, line) if at_desk else reply(hall, welcome, line)
            assert "your challenge c2 is taken back" in told(newest(hall, BEN)), (line, at_desk)
    reply(hall, newest(hall, BEN))
    assert open_ids(hall) == [3]


def test_games_tells_how_they_stand(hall: PostOffice):
    challenge(hall, "as British clock 5d")
    join(hall, "1")
    for address, text in ((ANN, "It waits for you until"), (BEN, "It waits for the other side until")):
        write(hall, address, "games")
        assert text in told(newest(hall, address))
    welcome = next(one for one in hall.boxes[ANN] if "A new game" in one["Subject"])
    reply(hall, welcome, "resign")
    reply(hall, newest(hall, ANN))
    write(hall, ANN, "games")
    assert re.search(r"The other side won it, \d+ points for you, \d+ for them\.", told(newest(hall, ANN)))
    write(hall, BEN, "games")
    assert re.search(r"You won it, \d+ points for you, \d+ for them\.", told(newest(hall, BEN)))
    write(hall, EVE, "games")
    assert "no game yet" in told(newest(hall, EVE))
    assert newest(hall, EVE)["Reply-To"] == GAMES


def test_watching_is_asked_back_and_done(hall: PostOffice):
    challenge(hall, "as French public")
    join(hall, "1")
    write(hall, EVE, "observe g1")
    with hall.ledger.read() as tx:
        assert not tx.has_observers(1)
    reply(hall, newest(hall, EVE))
    assert any("You watch game g1" in told(mail) for mail in hall.boxes[EVE][-2:])
    write(hall, EVE, "unobserve g1")
    reply(hall, newest(hall, EVE))
    assert "no longer" in told(newest(hall, EVE))


def test_what_cannot_be_watched_is_refused_at_once(hall: PostOffice):
    for text in ("as French public", "as French"):
        challenge(hall, text)
    for number in "12":
        join(hall, number)
    write(hall, EVE, "observe g1")
    asked = newest(hall, EVE)
    reply(hall, asked)
    impossible = (
        (EVE, "observe g1", "You watch game g1 already."),
        (EVE, "observe g2", "Nobody may watch a game g2."),
        (EVE, "observe g9", "Nobody may watch a game g9."),
        (EVE, "unobserve g2", "You do not watch game g2."),
        (ANN, "observe g1", "You play in game g1 yourself."),
    )
    for address, text, said in impossible:
        write(hall, address, text)
        assert "Not done, because it is not possible: - " + said in told(newest(hall, address))
        assert newest(hall, address)["Reply-To"] == GAMES


def test_what_can_be_watched_no_more_when_it_is_confirmed_is_told_then(hall: PostOffice):
    challenge(hall, "as French public")
    join(hall, "1")
    write(hall, EVE, "observe g1")
    with hall.ledger.begin() as tx:
        tx.observe(1, player(hall, EVE), at=hall.now)
    reply(hall, newest(hall, EVE))
    assert "You watch game g1 already." in told(newest(hall, EVE))


def test_a_challenge_of_somebody_who_was_banned_cannot_be_joined(hall: PostOffice):
    challenge(hall)
    write(hall, BEN, "join 1")
    asked = newest(hall, BEN)
    with hall.ledger.begin() as tx:
        tx.ban_player(player(hall, ANN), at=hall.now)
    reply(hall, asked)
    assert "There is no open challenge c1" in told(newest(hall, BEN))
    with hall.ledger.read() as tx:
        assert tx.games() == []


def test_ones_own_challenge_cannot_be_joined_from_a_second_address(hall: PostOffice):
    second = "ann@work.example.net"
    challenge(hall)
    with hall.ledger.begin() as tx:
        tx.add_address(player(hall, ANN), second, verified_at=hall.now)
    write(hall, second, "join 1")
    assert "is your own" in told(newest(hall, second))
    assert open_ids(hall) == [1]


def test_the_answer_to_a_join_goes_out_before_the_first_mail_of_the_game(hall: PostOffice):
    challenge(hall)
    join(hall, "1")
    answer, first = hall.boxes[BEN][-2:]
    assert "became game g1" in told(answer)
    assert "A new game" in first["Subject"]
