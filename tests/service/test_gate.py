"""The replay gate: stored games that today's code would not play the same are found, and stop an upgrade."""

import pytest
from sqlalchemy import text

from adjudicator.errors import UsageError
from adjudicator.service.gate import pass_gate, replay_stored
from adjudicator.store import migrate
from adjudicator.store.ledger import Transaction


def played(office):
    office.new_game()
    office.new_game()
    office.answer("british", "draft Ships")
    return office


def tamper(office, name="g2"):
    with office.ledger.begin() as tx:
        found = tx.game(name)
        state = found.game.state.replace(b'"money":6', b'"money":7')
        assert state != found.game.state
        tx.connection.execute(text("UPDATE game SET state = :state WHERE name = :name"), {"state": state, "name": name})


def test_games_come_out_as_they_are_stored(office):
    played(office)
    with office.ledger.read() as tx:
        found = list(replay_stored(tx))
        assert pass_gate(tx) == 2
    assert [(one.game, one.turns, one.differences) for one in found] == [("g1", 0, ()), ("g2", 1, ())]


def test_a_game_that_comes_out_otherwise_is_named(office):
    tamper(played(office))
    with office.ledger.read() as tx:
        one, two = replay_stored(tx)
        assert one.differences == ()
        assert two.differences[0].endswith("money: stored 7, played 6")
        with pytest.raises(UsageError, match="played again, g2 come out otherwise: g2: "):
            pass_gate(tx)


def test_an_upgrade_that_does_not_pass_changes_nothing(office, monkeypatch):
    """The tables as the newest revision made them are called older, so that something is to be upgraded."""
    tamper(played(office))
    database = office.ledger.database
    done = []

    def upgraded(connection):
        connection.execute(text("CREATE TABLE made_by_the_upgrade (id INTEGER)"))
        return done.append("upgraded") or True

    monkeypatch.setattr(migrate, "_is_current", lambda _: False)
    monkeypatch.setattr(migrate, "_upgrade_locked", upgraded)
    with pytest.raises(UsageError, match="g2 come out otherwise"):
        migrate.upgrade(database, lambda connection: pass_gate(Transaction(connection)))
    assert done == ["upgraded"]
    with database.engine.begin() as connection:  # it can be made again: it was rolled back
        connection.execute(text("CREATE TABLE made_by_the_upgrade (id INTEGER)"))
