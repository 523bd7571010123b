"""Two who share several games change all of them at one moment: nobody waits for ever, and nobody is put off."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from desk_people import ANN, newest, reply, write
from post_office import ADDRESSES, PostOffice
from test_once import together

from adjudicator.game.model import SIDES, Side
from adjudicator.service import absence, people, timekeeping
from adjudicator.service.bounced import mark
from adjudicator.service.moderate import Warrant
from adjudicator.service.powers import order
from adjudicator.service.receive import receive
from adjudicator.service.timekeeping import keep_time
from adjudicator.store.database import open_database
from adjudicator.store.games import OutOfOrder
from adjudicator.store.ledger import Ledger

pytestmark = pytest.mark.postgres
PATIENCE = 3.0
"""So long who has locked his first game waits for the other to have locked his."""


@pytest.fixture
def service(postgres_url: str) -> Iterator[PostOffice]:
    """Ann and Ben in two games."""
    database = open_database(postgres_url)
    office = PostOffice(Ledger(database))
    office.new_game()
    office.new_game()
    yield office
    database.close()


@pytest.fixture
def meet(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], None]:
    """Let two threads wait for each other before a function that both come to, the first time each."""
    barrier = threading.Barrier(2)
    came: set[int] = set()

    def met(module: object, name: str) -> None:
        real = getattr(module, name)

        def meeting(*args: object, **more: object) -> object:
            if threading.get_ident() not in came:
                came.add(threading.get_ident())
                with suppress(threading.BrokenBarrierError):
                    barrier.wait(PATIENCE)
            return real(*args, **more)

        monkeypatch.setattr(module, name, meeting)

    return met


def mails_of(office: PostOffice, side: Side) -> list:
    """The first mails of both games."""
    return [mail for mail in office.boxes[ADDRESSES[side]] if "A new game" in mail["Subject"]]


def letter(office: PostOffice, side: Side, game: int, body: str) -> Callable[[], None]:
    """What hands a letter about one of the games over, which is to be taken."""
    asked = mails_of(office, side)[game]
    raw = office.letter(side, body, asked)

    def send() -> None:
        reply = receive(office.config, office.ledger, raw, asked["Reply-To"], ADDRESSES[side], office.now)
        assert reply.code == 250, reply

    return send


def leaves(office: PostOffice) -> list[int]:
    """How many leaves of both players are declared and not over."""
    with office.ledger.read() as tx:
        return [sum(row.ended_at is None for row in tx.leaves(player)) for player in (1, 2)]


def test_two_letters_that_declare_days_off(service: PostOffice, meet):
    meet(absence, "check_leave")
    meet(absence, "_lock")
    body = "leave 2031-03-05 to 2031-03-08"
    together(letter(service, "british", 0, body), letter(service, "french", 1, body))
    assert leaves(service) == [1, 1]
    with service.ledger.read() as tx:
        assert not tx.held()


def test_two_moves_that_end_days_off(service: PostOffice, meet):
    service.answer("british", "done", mails_of(service, "british")[1])  # in the second game Ben is to move
    turn = service.last("french")
    for side in SIDES:
        service.answer(side, "leave 2031-03-05 to 2031-03-08", mails_of(service, side)[0])
    service.now = datetime(2031, 3, 6, 12, tzinfo=UTC)
    meet(absence, "games_of")
    raw = service.letter("french", "done", turn)

    def send() -> None:
        got = receive(service.config, service.ledger, raw, turn["Reply-To"], ADDRESSES["french"], service.now)
        assert got.code == 250, got

    together(letter(service, "british", 0, "done"), send)
    assert leaves(service) == [0, 0]
    assert [service.game(name).row.turn for name in ("g1", "g2")] == [2, 3]


def test_a_letter_and_a_wish_at_the_desk(service: PostOffice, meet):
    write(service, ANN, "leave 2031-03-05 to 2031-03-08")
    asked = newest(service, ANN)
    meet(absence, "_lock")
    meet(people, "_record")  # the desk has locked the player by then
    send = letter(service, "british", 1, "leave 2031-04-05 to 2031-04-08")
    together(send, lambda: reply(service, asked))
    assert leaves(service) == [2, 0]


def test_the_clock_and_a_wish_at_the_desk(service: PostOffice, meet):
    service.now = datetime(2031, 3, 11, 20, 11, tzinfo=UTC)
    write(service, ANN, "leave 2031-03-15 to 2031-03-18")
    asked = newest(service, ANN)
    meet(people, "_record")
    meet(timekeeping, "may_have_grace")
    together(lambda: keep_time(service.config, service.ledger, service.now), lambda: reply(service, asked))
    assert leaves(service) == [1, 0]


def test_a_moderators_order_ends_days_off_in_an_earlier_game_too(service: PostOffice):
    service.answer("british", "leave 2031-03-05 to 2031-03-08", mails_of(service, "british")[0])
    service.now = datetime(2031, 3, 6, 12, tzinfo=UTC)
    with service.ledger.begin() as tx:
        order(service.config, tx, "g2", "british", "done", Warrant("root", "", service.now))
    assert leaves(service) == [0, 0]
    service.deliver()
    assert any("Your days off have ended" in str(mail.get_body(("plain",))) for mail in service.boxes[ANN])


def test_a_letter_that_proves_an_address_and_one_more(service: PostOffice):
    with service.ledger.begin() as tx:
        mark(service.config, tx, ANN, "5.1.1", service.now, written_at=service.now)
    together(letter(service, "british", 1, "status"), letter(service, "british", 0, "board"))
    with service.ledger.read() as tx:
        address = tx.address(ANN)
        assert address
        assert address.bounced_at is None


def test_games_are_locked_in_one_order_or_not_at_all(service: PostOffice):
    with service.ledger.begin() as tx:
        tx.lock_games(["g2", "g1"])
        tx.lock_games(["g1"])
        assert tx.game("g2")
    with service.ledger.begin() as tx:
        tx.game("g1")
        tx.lock_games(["g1", "g2"])
    with service.ledger.begin() as tx:
        tx.game("g2")
        with pytest.raises(OutOfOrder) as wanted:
            tx.lock_games(["g1"])
    assert wanted.value.games == ["g1", "g2"]
