import sqlite3
import stat
import sys
import threading

import pytest

from adjudicator.errors import Unavailable, UsageError
from adjudicator.store import database as module
from adjudicator.store.database import open_database, wal_is_safe
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nonsense", "cannot be read"),
        ("", "cannot be read"),
        ("postgresql://localhost:port/x", "cannot be read"),
        ("mysql://localhost/x", "not mysql"),
        ("postgresql+asyncpg://localhost/x", r"not postgresql\+asyncpg"),
        ("sqlite+aiosqlite:///x", r"not sqlite\+aiosqlite"),
        ("sqlite://", "no plain file"),
        ("sqlite:///:memory:", "no plain file"),
        ("sqlite:///file:x?uri=true", "no plain file"),
    ],
)
def test_bad_urls_are_usage_errors(url, told):
    with pytest.raises(UsageError, match=told) as caught:
        open_database(url)
    assert "\n" not in str(caught.value)


def test_a_bad_url_is_not_repeated_with_its_password():
    with pytest.raises(UsageError) as caught:
        open_database("postgresql://me:secret@host:port/x")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_a_server_out_of_reach_is_unavailable(scheme):
    with pytest.raises(Unavailable, match=r"^the database cannot be used: .*[Cc]onnection.*refused") as caught:
        open_database(f"{scheme}://me:secret@127.0.0.1:1/x")
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_missing_driver_is_unavailable(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Unavailable, match=r"adjudicator\[postgres\]"):
        open_database("postgresql://localhost/x")


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_database(f"sqlite:///{tmp_path}")
    (tmp_path / "file").write_text("x")
    with pytest.raises(Unavailable, match="cannot be opened"):
        open_database(f"sqlite:///{tmp_path}/file/adjudicator.db")


def test_another_file_is_no_database(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 1000)
    with pytest.raises(Unavailable, match="not a database"):
        open_database(f"sqlite:///{tmp_path}/letter.txt")


def test_a_new_file_is_for_its_owner_only(tmp_path):
    database = open_database(f"sqlite:///{tmp_path}/deep/er/adjudicator.db")
    upgrade(database)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "deep" / "er").iterdir()}
    database.close()
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.parametrize("fixed", [True, False])
def test_settings_of_sqlite(tmp_path, monkeypatch, fixed):
    monkeypatch.setattr(module, "wal_is_safe", lambda _version: fixed)
    database = open_database(f"sqlite:///{tmp_path}/adjudicator.db")
    assert database.journal == ("wal" if fixed else "delete")
    with database.engine.connect() as connection:
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    database.close()
    assert found == [database.journal, 2, 1, 10_000]


def test_without_the_newer_sqlite_the_journal_is_the_old_one(sqlite_url, monkeypatch):
    """An affected SQLite opens the file of a newer one, and turns it back to the rollback journal."""
    monkeypatch.setattr(module, "_sqlite_module", lambda: sqlite3)
    database = open_database(sqlite_url)
    assert database.journal == ("wal" if wal_is_safe(sqlite3.sqlite_version_info) else "delete")
    with Ledger(database).begin() as tx:
        assert tx.games() == []
    database.close()


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False), ((3, 44, 5), False), ((3, 44, 6), True), ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True), ((3, 51, 2), False), ((3, 51, 3), True), ((3, 53, 4), True), ((4, 0, 0), True),
    ],
)  # fmt: skip
def test_wal_only_with_the_bug_fixed(version, safe):
    assert wal_is_safe(version) is safe


def test_many_open_a_fresh_file_at_once(tmp_path):
    url = f"sqlite:///{tmp_path}/adjudicator.db"
    errors: list[BaseException] = []
    did: list[bool] = []
    ready = threading.Barrier(4)

    def start() -> None:
        try:
            ready.wait(10)
            database = open_database(url)
            did.append(upgrade(database))
            database.close()
        except BaseException as error:  # noqa: BLE001 - shown below
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert sorted(did) == [False, False, False, True]


@pytest.mark.postgres
def test_a_restarted_server_costs_no_transaction(postgres_url):
    database = open_database(postgres_url)
    ledger = Ledger(database)
    with ledger.begin() as tx:
        assert tx.games() == []
    other = open_database(postgres_url)
    with other.engine.connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with ledger.begin() as tx:
        assert tx.games() == []
    other.close()
    database.close()


@pytest.mark.postgres
def test_a_connection_lost_in_between_is_unavailable(postgres_url):
    database = open_database(postgres_url)

    def use_it_when_it_is_gone() -> None:
        with Ledger(database).begin() as tx:
            other = open_database(postgres_url)
            pid = tx.connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            with other.engine.connect() as connection:
                connection.exec_driver_sql(f"SELECT pg_terminate_backend({pid})")
            other.close()
            tx.games()

    with pytest.raises(Unavailable):
        use_it_when_it_is_gone()
    database.close()


def test_a_locked_database_is_unavailable(sqlite_url, monkeypatch):
    monkeypatch.setattr(module, "_BUSY_MS", 50)
    database = open_database(sqlite_url)
    ledger = Ledger(database)
    with ledger.begin(), pytest.raises(Unavailable, match="locked"), ledger.begin():
        pass
    database.close()
