"""Opening the service, the lock of the one serve, and the worker of the running process."""

import logging
import threading
import time
from datetime import UTC, datetime

import pytest
from post_office import START
from sqlalchemy import text

from adjudicator.errors import Unavailable
from adjudicator.mail.sender import MaildirTransport
from adjudicator.service import house, serving
from adjudicator.service.config import Config
from adjudicator.service.running import (
    Service,
    config_of,
    deliver_caused,
    differences,
    is_served,
    opened,
)
from adjudicator.service.running import serving as holding_the_lock
from adjudicator.service.start import Wish, start_game
from adjudicator.settings import Settings
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import newest_revision

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
"""Due by now for a worker, whose clock is the real one."""


def settings(tmp_path, url=None, **more):
    return Settings(data=tmp_path / "data", database_url=url or f"sqlite:///{tmp_path}/data/a.db", **more)


def service(database, tmp_path):
    chosen = settings(tmp_path, relay=f"maildir:{tmp_path}/out")
    return Service(chosen, config_of(chosen), database, Ledger(database))


def test_the_settings_that_the_service_needs(tmp_path):
    chosen = settings(tmp_path, domain="Play.Example.org", auth="token", moderators="mod@example.org")
    assert config_of(chosen) == Config("play.example.org", "token", ("mod@example.org",))


def test_only_one_serves_a_database(database):
    assert not is_served(database)
    with holding_the_lock(database):
        assert is_served(database)
        with (
            pytest.raises(Unavailable, match="another serve runs on this database already"),
            holding_the_lock(database),
        ):
            pytest.fail("both serve")
        assert is_served(database)
    assert not is_served(database)
    with holding_the_lock(database):
        assert is_served(database)


def test_a_look_whether_anybody_serves_does_not_keep_a_serve_from_starting(database):
    stop = threading.Event()

    def look():
        while not stop.is_set():
            is_served(database)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(20):
            with holding_the_lock(database):
                pass
    finally:
        stop.set()
        looking.join()


def test_a_new_database_gets_its_tables_with_a_notice(tmp_path):
    told = []
    with opened(settings(tmp_path), told.append) as found:
        assert found.ledger.database.is_sqlite
    assert told == ["made the tables of a new database"]
    with opened(settings(tmp_path), told.append):
        pass
    assert len(told) == 1
    assert differences(settings(tmp_path)) == []


def test_old_tables_are_upgraded_only_when_asked(database, database_url, tmp_path):
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    with (
        pytest.raises(Unavailable, match=f"revision 0000, not {newest_revision()}: run adjudicator db upgrade"),
        opened(settings(tmp_path, database_url), print),
    ):
        pytest.fail("opened")
    told = f"the tables are at revision 0000, not {newest_revision()}"
    assert differences(settings(tmp_path, database_url)) == [told]
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Unavailable, match="install the newer version"), opened(settings(tmp_path, database_url), print):
        pytest.fail("opened")


def test_a_data_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(Unavailable, match="the data folder"), opened(settings(tmp_path), print):
        pytest.fail("opened")


def test_a_broken_audit_log_is_told(database, database_url, tmp_path):
    with Ledger(database).begin() as tx:
        for number in range(3):
            tx.add_audit(at=START, who="mod", command="x", why=str(number))
    assert differences(settings(tmp_path, database_url)) == []
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE audit SET why = 'another' WHERE why = '1'"))
    assert differences(settings(tmp_path, database_url)) == ["the audit log does not follow on at row 2"]


def test_what_was_caused_is_delivered_unless_a_serve_does_it(database, tmp_path):
    found = service(database, tmp_path)
    with found.ledger.begin() as tx:
        start_game(found.config, tx, Wish("house", "french@example.org", seed=bytes(32)), LONG_AGO)
    with holding_the_lock(database):
        assert deliver_caused(found, LONG_AGO) is None
    done = deliver_caused(found, LONG_AGO)
    assert (done.house, done.sent) == (1, 2)
    assert len(list((tmp_path / "out/new").iterdir())) == 2
    assert deliver_caused(found, START).sent == 0


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.01)


def test_the_worker_goes_on_after_a_fault_and_stops_when_told(sqlite_office, tmp_path, monkeypatch, caplog):
    office = sqlite_office
    found = service(office.ledger.database, tmp_path)
    real, faults = serving.play_house, iter([ValueError("ours"), Unavailable("away")])

    def faulty(*args, **kwargs):
        for fault in faults:
            raise fault
        return real(*args, **kwargs)

    monkeypatch.setattr(serving, "play_house", faulty)
    monkeypatch.setattr(serving, "ROUND_SECONDS", 0.01)
    worker = serving.Worker(found, MaildirTransport(tmp_path / "out"))
    with caplog.at_level(logging.WARNING, "adjudicator"):
        worker.start()
        with office.ledger.begin() as tx:
            start_game(office.config, tx, Wish("house", "french@example.org", seed=bytes(32)), LONG_AGO)
        worker.wake()
        until(lambda: (tmp_path / "out/new").exists() and len(list((tmp_path / "out/new").iterdir())) == 2)
        assert worker.stop()
    told = [record.getMessage() for record in caplog.records]
    assert told == ["the worker failed; it tries again in a moment", "something is put off: away"]


def test_house_games_do_not_keep_mails_waiting(sqlite_office, tmp_path):
    """After some house mails the outbox has its turn, and the worker says that there is more to do."""
    office = sqlite_office
    found = service(office.ledger.database, tmp_path)
    with office.ledger.begin() as tx:
        for seats in (("house:random", "house:random"), ("ann@example.org", "house")):
            start_game(office.config, tx, Wish(*seats, seed=bytes(32)), LONG_AGO)
    worker = serving.Worker(found, MaildirTransport(tmp_path / "out"))
    assert worker.do_round()
    assert office.game("g1").row.status == "running"
    assert list((tmp_path / "out/new").iterdir())  # the welcome, and what the clock has to say by now


def test_a_relay_that_does_not_answer_does_not_keep_the_process(sqlite_office, tmp_path):
    class Slow:
        def __init__(self):
            self.asked, self.go_on = threading.Event(), threading.Event()

        def send(self, *_mail):
            self.asked.set()
            self.go_on.wait(10)

        def close(self):
            pass

    slow = Slow()
    sqlite_office.new_game()
    worker = serving.Worker(service(sqlite_office.ledger.database, tmp_path), slow)
    with sqlite_office.ledger.begin() as tx:
        tx.resend(1, at=LONG_AGO)
    worker.start()
    assert slow.asked.wait(5)
    assert not worker.stop(0.1)
    slow.go_on.set()
    assert worker.stop(5)


def test_a_house_player_that_cannot_move_is_told_once_and_keeps_nobody_waiting(
    sqlite_office, tmp_path, monkeypatch, caplog
):
    office = sqlite_office
    found = service(office.ledger.database, tmp_path)
    with office.ledger.begin() as tx:
        for british in ("house:random", "house"):
            start_game(office.config, tx, Wish(british, "french@example.org", seed=bytes(32)), LONG_AGO)
    real = house.compose_orders

    def faulty(name, *more):
        if name == "random":
            raise ZeroDivisionError("ours")
        return real(name, *more)

    monkeypatch.setattr(house, "compose_orders", faulty)
    worker = serving.Worker(found, MaildirTransport(tmp_path / "out"))
    with caplog.at_level(logging.ERROR, "adjudicator"):
        for _ in range(3):
            assert not worker.do_round()
    assert [office.game(name).state.turn for name in ("g1", "g2")] == [1, 2]
    told = [record.getMessage() for record in caplog.records]
    assert told == ["game g1: its house player failed", "game g1: its house player is stuck at position 1"]
