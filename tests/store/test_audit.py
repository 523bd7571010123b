import hashlib
import json
import threading
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

NOW = datetime(2030, 5, 1, 12, 30, 0, 5, tzinfo=UTC)


def fill(ledger, number: int = 3) -> None:
    for n in range(number):
        with ledger.begin() as tx:
            tx.add_audit(at=NOW, who="moderator", command=f"undo {n}", why="bécause", data={"b": 1, "a": [n]})


def test_the_chain_holds_and_can_be_checked_by_hand(ledger):
    fill(ledger)
    with ledger.read() as tx:
        rows = tx.audit()
        assert tx.broken_audit() is None
        assert tx.audit(game_id=1) == []
    before = "0" * 64
    for n, row in enumerate(rows):
        values = {
            "at": "2030-05-01T12:30:00.000005+00:00", "command": f"undo {n}", "data": {"a": [n], "b": 1},
            "game_id": None, "who": "moderator", "why": "bécause",
        }  # fmt: skip
        own = json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert row.prev_hash == before
        assert row.hash == hashlib.sha256(f"{before}\n{own}".encode()).hexdigest()
        before = row.hash


@pytest.mark.parametrize(
    ("tampering", "found"),
    [
        ("UPDATE audit SET why = 'no reason' WHERE id = 2", 2),
        ('UPDATE audit SET data = \'{"a":[1],"b":2}\' WHERE id = 1', 1),
        ("DELETE FROM audit WHERE id = 1", 2),
        ("DELETE FROM audit WHERE id = 2", 3),
        ("UPDATE audit SET hash = 'x' WHERE id = 3", 3),
    ],
)
def test_tampering_shows(ledger, tampering, found):
    fill(ledger)
    with ledger.database.engine.begin() as connection:
        connection.execute(text(tampering.replace(":[", "\\:[").replace(":2", "\\:2")))
    with ledger.read() as tx:
        assert tx.broken_audit() == found


def test_several_writers_make_one_chain(ledger):
    threads = [threading.Thread(target=fill, args=(ledger, 10)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with ledger.read() as tx:
        assert tx.broken_audit() is None
        assert len(tx.audit()) == 30
