"""Two changes that wait for each other: the one that is broken off tells one clear line and can be done again."""

import threading
from contextlib import contextmanager

import pytest
from post_office import ADDRESSES, PostOffice
from sqlalchemy import text

from adjudicator.errors import Crossed
from adjudicator.service.deliver import TRIES, deliver
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger

WAIT = 20


@pytest.mark.postgres
def test_the_one_that_is_broken_off_is_told_so_and_can_do_it_again(postgres_url: str):
    database = open_database(postgres_url)
    office = PostOffice(Ledger(database))
    office.new_game()
    with office.ledger.read() as tx:
        ids = [tx.players_called(name)[0].id for name in ("ann", "ben")]
    locked, told = threading.Barrier(2), list[str]()

    def rename(first: int, second: int) -> None:
        with office.ledger.begin() as tx:
            tx.lock_player(first)
            locked.wait(WAIT)
            tx.lock_player(second)

    def run(first: int, second: int) -> None:
        try:
            rename(first, second)
        except Crossed as error:
            told.append(str(error))

    threads = [threading.Thread(target=run, args=pair) for pair in (ids, ids[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert told == ["somebody else changed the same at this moment, so nothing was done: please try it again"]
    with office.ledger.begin() as tx:
        for player_id in ids:
            tx.lock_player(player_id)
        assert tx.connection.execute(text("SELECT 1")).scalar() == 1
    database.close()


def crossing(office: PostOffice, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let the database break off, so many times, what writes down that mails are sent."""
    begin, left = office.ledger.begin, [times]

    @contextmanager
    def broken():
        with begin() as tx:
            real = tx.mark_sent

            def mark_sent(ids: list[int], **more: object) -> None:
                real(ids, **more)
                if left[0]:
                    left[0] -= 1
                    raise Crossed("in the way")

            tx.mark_sent = mark_sent
            yield tx

    monkeypatch.setattr(office.ledger, "begin", broken)


def test_the_sender_notes_again_what_it_has_sent(sqlite_office: PostOffice, monkeypatch):
    crossing(sqlite_office, monkeypatch, times=TRIES - 1)
    sqlite_office.new_game()
    assert [sqlite_office.count(side) for side in ADDRESSES] == [1, 1]
    monkeypatch.undo()
    sqlite_office.now = sqlite_office.now.replace(year=2032)
    assert sqlite_office.deliver() == 0


def test_what_cannot_be_noted_is_sent_once_more_later(sqlite_office: PostOffice, monkeypatch):
    crossing(sqlite_office, monkeypatch, times=TRIES)
    with pytest.raises(Crossed):
        sqlite_office.new_game()
    monkeypatch.undo()
    sqlite_office.now = sqlite_office.now.replace(year=2032)
    assert deliver(sqlite_office.config, sqlite_office.ledger, sqlite_office, sqlite_office.now) == 2
    ids = [mail["Message-ID"] for mail in sqlite_office.boxes[ADDRESSES["british"]]]
    assert len(ids) == 2
    assert len(set(ids)) == 1
