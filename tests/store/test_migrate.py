import time

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from adjudicator.errors import Unavailable
from adjudicator.store import migrate
from adjudicator.store.database import Database, open_database
from adjudicator.store.migrate import _config, check, migrations_folder, newest_revision, upgrade
from adjudicator.store.side_tables import ALL_TABLES


@pytest.fixture
def empty(empty_url):
    database = open_database(empty_url)
    yield database
    database.close()


def checks(database: Database) -> set[tuple[str, str, str]]:
    with database.engine.connect() as connection:
        inspector = inspect(connection)
        return {
            (table, str(one["name"]), one["sqltext"].replace(" ", ""))
            for table in ALL_TABLES.tables
            for one in inspector.get_check_constraints(table)
        }


def test_migrations_from_nothing_make_what_is_declared(empty):
    assert check(empty) == ["the tables are at revision none, not " + newest_revision()]
    assert upgrade(empty)
    assert check(empty) == []
    assert not upgrade(empty)


def test_check_constraints_are_as_declared(empty):
    # Alembic does not compare them.
    ALL_TABLES.create_all(empty.engine)
    declared = checks(empty)
    ALL_TABLES.drop_all(empty.engine)
    upgrade(empty)
    assert checks(empty) == declared
    assert len(declared) == 8


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE game ADD COLUMN surplus INTEGER", "remove_column game surplus"),
        ("DROP TABLE stranger", "add_table stranger"),
        ("DROP INDEX ix_post_unsent", "add_index ix_post_unsent"),
    ],
)
def test_check_tells_what_differs(database, change, told):
    with database.engine.begin() as connection:
        connection.execute(text(change))
    assert told in "\n".join(check(database))


def test_a_newer_database_is_refused(database):
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Unavailable, match=r"revision 9999.*install the newer version"):
        upgrade(database)


def test_a_failed_migration_leaves_nothing(empty, monkeypatch):
    with empty.engine.begin() as connection:
        connection.execute(text("CREATE TABLE stranger (x INTEGER)"))  # the last one that is made
    with pytest.raises(Exception, match="already exists"):
        upgrade(empty)
    with empty.engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) <= {"stranger"}


def test_downgrade_leaves_nothing(empty):
    from alembic import command  # noqa: PLC0415 - as the service does

    upgrade(empty)
    with empty.engine.begin() as connection:
        command.downgrade(_config(connection), "base")
    with empty.engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]


def test_the_file_names_tell_the_newest_revision(sqlite_url):
    database = open_database(sqlite_url)
    with database.engine.connect() as connection:
        script = ScriptDirectory.from_config(_config(connection))
    database.close()
    assert script.get_current_head() == newest_revision()
    assert [one.path[len(str(migrations_folder())) :].split("/")[-1][:4] for one in script.walk_revisions()] == [
        one.revision for one in script.walk_revisions()
    ]


def test_being_up_to_date_is_told_quickly(sqlite_url):
    database = open_database(sqlite_url)
    upgrade(database)
    start = time.perf_counter()
    assert not upgrade(database)
    assert time.perf_counter() - start < 0.1
    database.close()


def test_an_installed_package_carries_its_migrations(tmp_path, monkeypatch):
    assert (migrations_folder() / "env.py").is_file()
    monkeypatch.setattr(migrate, "files", lambda _package: tmp_path)
    assert (migrations_folder() / "env.py").is_file()  # a checkout: beside the package
    (tmp_path / "schema").mkdir()
    assert migrations_folder() == tmp_path / "schema" / "migrations"
