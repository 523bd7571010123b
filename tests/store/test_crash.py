"""A writer that is killed at any moment leaves whole transactions only, and all that it was told are kept."""

import os
import random
import signal
import time
from datetime import UTC, datetime
from typing import NoReturn

from msgspec.structs import replace

from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.rows import NewGame, NewLetter, NewMove, NewPost, NewSeat

NOW = datetime(2030, 5, 1, 12, 30, tzinfo=UTC)
PAD = b"x" * 3000


def take_letter(ledger: Ledger) -> int:
    with ledger.begin() as tx:
        found = tx.game("k7")
        assert found is not None
        was, n = found.game, found.game.moves
        number = was.seq + 1
        key = f"letter {number}"
        letter_id = tx.add_letter(NewLetter(key, "d", "r", "", "a", key, "s", NOW, "applied", PAD, game_id=was.id))
        tx.add_moves(
            [
                NewMove(was.id, n + k, "british", 1, number, "mail", "pass", b"{}", b"[]", NOW, letter_id)
                for k in range(2)
            ]
        )
        tx.update_game(replace(was, seq=number, moves=n + 2, state=PAD + b"%d" % number), was)
        tx.update_seat(replace(found.seats["british"], seq=number))
        tx.add_posts([NewPost("a", key, key, "turn", key, "r", NOW, NOW, report=PAD, game_id=was.id)])
    return number


def write_until_killed(url: str, pipe: int) -> NoReturn:
    try:
        ledger = Ledger(open_database(url))
        while True:
            os.write(pipe, b"%d\n" % take_letter(ledger))
    finally:
        os._exit(1)


def kill_a_writer(url: str, after: float) -> int:
    """Return the last transaction that the killed writer knew to be kept."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        write_until_killed(url, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        first = told.readline()  # it is at work
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        lines = [first, *told.readlines()]
    assert os.WTERMSIG(status) == signal.SIGKILL
    return int([line for line in lines if line.endswith(b"\n")][-1])


def kept(url: str) -> int:
    """Return the number of whole transactions; fails if there is any part of another."""
    database = open_database(url)
    try:
        with Ledger(database).read() as tx:
            found = tx.game("k7", lock=False)
            assert found is not None
            number = found.game.seq
            assert found.seats["british"].seq == number
            assert found.game.state == (PAD + b"%d" % number if number else b"{}")
            assert found.game.moves == 2 * number
            assert [one.n for one in tx.moves(found.game.id)] == list(range(2 * number))
            keys = [f"letter {n}" for n in range(number, 0, -1)]
            assert [one.key for one in tx.letters(limit=10**6)] == keys
            assert [one.message_id for one in tx.posts(limit=10**6)] == keys
            if database.is_sqlite:
                assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
    finally:
        database.close()
    return number


def test_kill_a_writer_again_and_again(database_url):
    database = open_database(database_url)
    with Ledger(database).begin() as tx:
        game_id = tx.create_game(NewGame("k7", "running", 2, b"", "", NOW, NOW, state=b"{}"))
        tx.add_seats(NewSeat(game_id, "british", b""), NewSeat(game_id, "french", b""))
    database.close()
    assert kept(database_url) == 0
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    before = 0
    for _ in range(15):
        told = kill_a_writer(database_url, chance.uniform(0, 0.05))
        now = kept(database_url)
        # Killed between commit and telling, it had done one more.
        assert before < told <= now <= told + 1, f"seed {seed}"
        before = now
