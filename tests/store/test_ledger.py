import threading
import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from adjudicator.errors import Unavailable
from adjudicator.store.games import GameMoved
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.rows import GameRow, NewAsking, NewGame, NewLetter, NewMove, NewSeat, SeatRow
from adjudicator.store.side_tables import ALL_TABLES

NOW = datetime(2030, 5, 1, 12, 30, tzinfo=UTC)


def start_game(tx: Transaction, name: str = "k7", **more) -> int:
    british = tx.create_player("Ann", at=NOW)
    tx.add_address(british, f"Ann.{name}@Example.org", verified_at=NOW)
    game = NewGame(name, "running", 2, b"\0" * 32, "c0", NOW, NOW, start=b"{}", state=b'{"turn":1}', **more)
    game_id = tx.create_game(game)
    tx.add_seats(
        NewSeat(game_id, "british", b"b" * 16, player_id=british),
        NewSeat(game_id, "french", b"f" * 16, house="random"),
    )
    return game_id


def letter(key: str = "key", **more) -> NewLetter:
    return NewLetter(
        key, "digest", "k7.x@example.net", "", "ann@example.org", "<1@example.org>", "Re: you", NOW,
        "applied", b"raw", **more,
    )  # fmt: skip


def move(game_id: int, n: int, **more) -> NewMove:
    return NewMove(game_id, n, "british", 1, 1, "mail", "pass", b'{"t":"Pass"}', b"[]", NOW, **more)


@pytest.fixture
def game_id(ledger: Ledger) -> int:
    with ledger.begin() as tx:
        return start_game(tx)


def test_a_game_comes_back_as_it_was_put_in(ledger):
    with ledger.begin() as tx:
        start_game(tx, variants=["duquesne-win"], switches={"a": True, "n": 2}, words={"british": "wörd"}, clock="3d")
    with ledger.read() as tx:
        found = tx.game("k7", lock=False)
    assert found is not None
    assert found.game == GameRow(
        "k7", "running", 2, b"\0" * 32, "c0", NOW, NOW, ["duquesne-win"], {"a": True, "n": 2},
        {"british": "wörd"}, "3d", "en", b"{}", b'{"turn":1}', id=found.game.id,
    )  # fmt: skip
    ann = found.seats["british"]
    assert ann == SeatRow(found.game.id, "british", b"b" * 16, ann.player_id, name="Ann", address="ann.k7@example.org")
    assert found.seats["french"] == SeatRow(found.game.id, "french", b"f" * 16, house="random")


def test_all_times_come_back_aware_and_equal(ledger):
    elsewhere = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    with ledger.begin() as tx:
        start_game(tx, deadline_at=elsewhere)
        found = tx.game("k7")
    assert found is not None
    assert found.game.deadline_at == NOW
    assert found.game.deadline_at.tzinfo is UTC


def test_a_naive_time_is_refused(ledger):
    with pytest.raises(Exception, match="timezone"), ledger.begin() as tx:
        tx.create_player("Ann", at=NOW.replace(tzinfo=None))


def test_no_game(ledger):
    with ledger.begin() as tx:
        assert tx.game("nothing") is None
        assert not tx.has_game("nothing")
        assert tx.find_letter("nothing") is None
        assert tx.address("nobody@example.org") is None


def test_a_game_is_changed_whole(ledger, game_id):
    changed = {
        "status": "finished", "state": b"new", "turn": 4, "seq": 9, "moves": 3, "waiting_for": "french",
        "deadline_at": NOW, "result": b"won", "finished_at": NOW, "updated_at": NOW + timedelta(days=1),
        "clocks": b"{}", "due_at": NOW, "offer": b"draw",
    }  # fmt: skip
    with ledger.begin() as tx:
        was = tx.game("k7").game
        tx.update_game(replace(was, **changed), was)
        assert tx.game("k7").game == replace(was, **changed)
    dealt = {
        "clock": "5d", "lang": "fr", "edition": 1, "variants": ["no-governors"], "switches": {"x": 1},
        "seed": b"1" * 32, "commitment": "c1", "words": {"french": "mot"}, "start": b"dealt",
        "anonymous": True, "public": True,
    }  # fmt: skip
    with ledger.begin() as tx:
        was = tx.game("k7").game
        tx.set_up_game(replace(was, **dealt))
        assert tx.game("k7").game == replace(was, **dealt)
    assert set(changed) | set(dealt) | {"name", "created_at", "id"} == set(GameRow.__struct_fields__)


def test_a_seat_is_changed_whole_and_alone(ledger, game_id):
    changed = {
        "player_id": None, "house": "heuristic", "token_key": b"n" * 16, "seq": 5,
        "standing": "on raid: no block", "thread_id": "<t@x>", "last_id": "<l@x>", "notes": "mine",
    }  # fmt: skip
    with ledger.begin() as tx:
        was = tx.game("k7").seats
        tx.give_seat(replace(was["british"], **changed))
        now = tx.game("k7").seats
    assert now["british"] == replace(was["british"], name=None, address=None, **changed)
    assert now["french"] == was["french"]


def test_who_sits_there_stays_as_a_game_is_played(ledger, game_id):
    """The player has an index; writing him with each letter, though the same, would cost three pages."""
    played = {
        "token_key": b"n" * 16, "seq": 5, "standing": "on raid: no block", "thread_id": "<t@x>", "last_id": "<l@x>",
        "notes": "mine", "ahead": "{}", "confirms": True, "pending": "{}",
    }  # fmt: skip
    with ledger.begin() as tx:
        was = tx.game("k7").seats
        tx.update_seat(replace(was["british"], player_id=None, house="heuristic", **played))
        now = tx.game("k7").seats
    assert now["british"] == replace(was["british"], **played)
    assert now["french"] == was["french"]
    seated = {"game_id", "side", "player_id", "house", "name", "address", "bounced_at"}
    assert set(played) | seated == set(SeatRow.__struct_fields__)


@pytest.mark.parametrize("moved", [{"seq": 1}, {"moves": 1}])
def test_a_game_that_moved_on_is_not_overwritten(ledger, game_id, moved):
    with ledger.begin() as tx:
        was = tx.game("k7").game
        tx.update_game(replace(was, **moved, state=b"first"), was)
    with pytest.raises(GameMoved, match="k7 has moved on from position 0"), ledger.begin() as tx:
        tx.update_game(replace(was, seq=1, moves=1, state=b"second"), was)
    with ledger.read() as tx:
        assert tx.game("k7", lock=False).game.state == b"first"


def test_an_error_leaves_nothing_of_a_transaction(ledger, game_id):
    def fail() -> None:
        with ledger.begin() as tx:
            was = tx.game("k7").game
            letter_id = tx.add_letter(letter(game_id=game_id))
            tx.add_moves([move(game_id, 0, letter_id=letter_id)])
            tx.update_game(replace(was, seq=1, moves=1), was)
            raise RuntimeError("our fault")

    with ledger.read() as tx:
        before = tx.game("k7", lock=False)
    with pytest.raises(RuntimeError, match="our fault"):
        fail()
    with ledger.read() as tx:
        assert tx.game("k7", lock=False) == before
        assert tx.moves(game_id) == []
        assert tx.find_letter("key") is None


def test_moves_come_back_in_order_from_a_number_on(ledger, game_id):
    with ledger.begin() as tx:
        letter_id = tx.add_letter(letter(game_id=game_id, side="british"))
        tx.add_moves([move(game_id, 1, letter_id=letter_id), move(game_id, 0)])
        tx.add_moves([move(game_id, 2)])
        tx.add_moves([])
    with ledger.read() as tx:
        assert [(one.n, one.letter_id) for one in tx.moves(game_id)] == [(0, None), (1, letter_id), (2, None)]
        assert [one.n for one in tx.moves(game_id, since=2)] == [2]
        assert tx.moves(game_id, since=3) == []
        assert tx.moves(game_id + 1) == []
        first = tx.moves(game_id)[0]
    assert msgspec.structs.asdict(first) == {**msgspec.structs.asdict(move(game_id, 0)), "id": first.id}


def test_a_number_of_a_move_is_given_once(ledger, game_id):
    with pytest.raises(IntegrityError), ledger.begin() as tx:
        tx.add_moves([move(game_id, 0), move(game_id, 0)])


@pytest.mark.parametrize("wrong", [{"side": "spanish"}, {"cause": "whim"}, {"letter_id": 99}, {"game_id": 99}])
def test_rows_that_cannot_be_are_refused(ledger, game_id, wrong):
    with pytest.raises(IntegrityError), ledger.begin() as tx:
        tx.add_moves([replace(move(game_id, 0), **wrong)])


def test_games_are_listed_and_the_late_found(ledger):
    with ledger.begin() as tx:
        start_game(tx, "late", due_at=NOW - timedelta(seconds=1))
        start_game(tx, "latest", due_at=NOW - timedelta(days=1))
        start_game(tx, "early", due_at=NOW + timedelta(seconds=1))
        late_id = start_game(tx, "free")
        start_game(tx, "paused", due_at=NOW - timedelta(days=1))
        was = tx.game("paused").game
        tx.update_game(replace(was, status="paused"), was)
    with ledger.read() as tx:
        assert tx.due_games(NOW) == ["latest", "late"]
        assert [(one.name, one.status) for one in tx.games()] == [
            ("late", "running"), ("latest", "running"), ("early", "running"), ("free", "running"),
            ("paused", "paused"),
        ]  # fmt: skip
        assert tx.has_game("late")
        assert tx.game_name(late_id) == "free"


def test_the_address_of_record_is_the_oldest_verified_that_works(ledger, game_id):
    def of_record() -> str | None:
        with ledger.read() as tx:
            return tx.game("k7", lock=False).seats["british"].address

    with ledger.begin() as tx:
        player = tx.game("k7").seats["british"].player_id
        tx.add_address(player, "second@example.org")
    assert of_record() == "ann.k7@example.org"
    with ledger.begin() as tx:
        tx.bounce_address("ANN.k7@example.org", at=NOW, reason="5.1.1")
    assert of_record() == "ann.k7@example.org"
    with ledger.begin() as tx:
        tx.verify_address("second@example.org", at=NOW)
    assert of_record() == "second@example.org"
    with ledger.begin() as tx:
        tx.verify_address("ann.k7@example.org", at=NOW)
    assert of_record() == "ann.k7@example.org"
    with ledger.begin() as tx:
        tx.forget_address("ann.k7@example.org")
        tx.forget_address("second@example.org")
    assert of_record() is None


def test_people(ledger):
    with ledger.begin() as tx:
        ann, bob = tx.create_player("Ann", at=NOW), tx.create_player("Bob", at=NOW)
        tx.add_address(ann, "Ann@Example.org")
        tx.add_address(ann, "a@example.net", verified_at=NOW)
        tx.rename_player(bob, "Rob")
    with ledger.read() as tx:
        assert [(one.id, one.name) for one in tx.players()] == [(ann, "Ann"), (bob, "Rob")]
        assert tx.player(bob).name == "Rob"
        assert tx.player(bob + 1) is None
        assert tx.address("ANN@EXAMPLE.ORG").player_id == ann
        assert tx.address("ann@example.org").verified_at is None
        assert [one.address for one in tx.addresses(ann)] == ["a@example.net", "ann@example.org"]
    with pytest.raises(Unavailable, match="taken just now"), ledger.begin() as tx:
        tx.add_address(bob, "ann@example.ORG")


def test_a_stranger_is_told_once_a_day(ledger):
    with ledger.begin() as tx:
        assert tx.may_tell("X@example.org", today=NOW.date())
        assert not tx.may_tell("x@example.org", today=NOW.date())
        assert tx.may_tell("y@example.org", today=NOW.date())
        tomorrow = NOW.date() + timedelta(days=1)
        assert tx.may_tell("x@example.org", today=tomorrow)
        assert not tx.may_tell("x@example.org", today=tomorrow)
        tx.forget_strangers(before=tomorrow)
        assert not tx.may_tell("x@example.org", today=tomorrow)
        assert tx.may_tell("y@example.org", today=NOW.date())


def test_letters(ledger, game_id):
    with ledger.begin() as tx:
        first = tx.add_letter(letter("a", game_id=game_id, side="british", answer_id="<a@x>"))
        second = tx.add_letter(replace(letter("b"), subject="nul \0 and half \ud83d", raw=b"\0\xff"))
    with ledger.read() as tx:
        assert tx.find_letter("a") == tx.letter(first)
        assert tx.find_letter("a").answer_id == "<a@x>"
        assert tx.letter(second).subject == "nul \N{REPLACEMENT CHARACTER} and half ?"
        assert tx.letter_raw(second) == b"\0\xff"
        assert [one.id for one in tx.letters()] == [second, first]
        assert [one.id for one in tx.letters(limit=1)] == [second]
        assert [one.id for one in tx.letters(game_id=game_id)] == [first]
        assert tx.letter(second + 1) is None


def test_a_letter_is_taken_once(ledger):
    with ledger.begin() as tx:
        tx.add_letter(letter("a"))
    with pytest.raises(Unavailable, match="same letter"), ledger.begin() as tx:
        tx.add_letter(letter("a"))


def test_quarantine(ledger):
    with ledger.begin() as tx:
        first = tx.hold(b"\xff", rcpt="r\0", mail_from="f", error="KeyError: \0 '\udcff'", received_at=NOW)
        second = tx.hold(b"2", rcpt="r", mail_from="f", error="e", received_at=NOW)
        tx.retry_failed(first, at=NOW, error="still")
        tx.resolve(second, at=NOW)
    with ledger.read() as tx:
        assert [(one.id, one.error, one.retried_at) for one in tx.held()] == [(first, "still", NOW)]
        assert [one.id for one in tx.held(resolved=True)] == [first, second]
        assert tx.held_one(second).resolved_at == NOW
        assert tx.held_one(99) is None
        assert tx.held_raw(first) == b"\xff"


def test_reading_writes_nothing(ledger, game_id):
    with pytest.raises(Unavailable), ledger.read() as tx:
        tx.create_player("Ann", at=NOW)
    with ledger.begin() as tx:
        tx.create_player("Bea", at=NOW)  # the connection is as before
    with ledger.read() as tx:
        assert [one.name for one in tx.players()] == ["Ann", "Bea"]


def test_reading_sees_one_moment_and_keeps_nobody_waiting(ledger, game_id):
    with ledger.read() as reader:
        was = reader.game("k7", lock=False).game
        with ledger.begin() as tx:
            tx.update_game(replace(was, seq=1), was)
        assert reader.game("k7", lock=False).game == was
    with ledger.read() as reader:
        assert reader.game("k7", lock=False).game.seq == 1


def test_two_writers_of_a_game_take_turns(ledger, game_id):
    """The second must see what the first wrote: game and seat, and lose nothing."""
    order: list[str] = []
    locked, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with ledger.begin() as tx:
            found = tx.game("k7")
            locked.set()
            go_on.wait(10)
            tx.update_game(replace(found.game, seq=1, state=b"first"), found.game)
            tx.update_seat(replace(found.seats["french"], seq=1))
            order.append("first")

    def second() -> None:
        with ledger.begin() as tx:
            found = tx.game("k7")
            order.append("second")
            assert (found.game.seq, found.game.state, found.seats["french"].seq) == (1, b"first", 1)
            tx.update_game(replace(found.game, seq=2), found.game)

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert locked.wait(10)
    threads[1].start()
    time.sleep(0.2)
    assert order == []
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert order == ["first", "second"]
    with ledger.read() as tx:
        assert tx.game("k7", lock=False).game.seq == 2


def test_many_writers_lose_nothing(ledger, game_id):
    def play() -> None:
        for _ in range(25):
            with ledger.begin() as tx:
                was = tx.game("k7").game
                tx.add_moves([move(game_id, was.moves)])
                tx.update_game(replace(was, moves=was.moves + 1, seq=was.seq + 1), was)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with ledger.read() as tx:
        game = tx.game("k7", lock=False).game
        assert [one.n for one in tx.moves(game_id)] == list(range(100))
    assert (game.seq, game.moves) == (100, 100)


def test_missing_tables_are_the_operators_business(ledger):
    with ledger.database.engine.begin() as connection:
        ALL_TABLES.drop_all(connection)
    with pytest.raises(Unavailable, match="game"), ledger.begin() as tx:
        tx.game("k7")


def test_our_own_fault_stays_our_own(ledger):
    with pytest.raises(Exception, match="syntax") as caught, ledger.begin() as tx:
        tx.connection.execute(text("SELEKT 1"))
    assert not isinstance(caught.value, Unavailable)


def test_the_address_of_record_is_the_one_preferred_last_that_works(ledger):
    with ledger.begin() as tx:
        ann = tx.create_player("Ann", at=NOW)
        for number, one in enumerate(("a@example.org", "b@example.org", "c@example.org")):
            tx.add_address(ann, one, verified_at=NOW + timedelta(days=number))
        assert [row.address[0] for row in tx.addresses(ann)] == ["a", "b", "c"]
        tx.prefer_address("B@example.org", at=NOW)
        tx.prefer_address("c@example.org", at=NOW + timedelta(days=1))
        assert [row.address[0] for row in tx.addresses(ann)] == ["c", "b", "a"]
        tx.bounce_address("c@example.org", at=NOW, reason="5.1.1")
        assert [row.address[0] for row in tx.addresses(ann)] == ["b", "a", "c"]


def test_players_are_found_by_name_in_any_case(ledger):
    with ledger.begin() as tx:
        elise = tx.create_player("Élise", at=NOW)
        tx.create_player("Elise", at=NOW)
        assert [row.id for row in tx.players_called("ÉLISE")] == [elise]


def test_questions_are_counted_used_and_forgotten(ledger):
    def asking(key, address, at, player_id=None):
        return NewAsking(key, f"<{key}@x>", address, at, player_id, [["name", "Ann"]])

    with ledger.begin() as tx:
        ann = tx.create_player("Ann", at=NOW)
        tx.add_address(ann, "a@example.org", verified_at=NOW)
        tx.add_asking(asking("k1", "a@example.org", NOW, ann))
        tx.add_asking(asking("k2", "x@example.org", NOW))
        tx.add_asking(asking("k3", "x@example.org", NOW + timedelta(hours=1)))
        assert tx.count_strangers_asked(since=NOW) == 2
        assert tx.count_strangers_asked(since=NOW + timedelta(minutes=1)) == 1
        assert [row.key for row in tx.asked("X@example.org", since=NOW)] == ["k3", "k2"]
        found = tx.asking("k1")
        assert (found.player_id, found.deeds, found.used_at) == (ann, [["name", "Ann"]], None)
        assert tx.asking_by_message_id("<k1@x>") == found
        tx.reword_asking(found.id, [["newkey", ""]])
        tx.void_asked(ann, at=NOW)
        assert tx.asking("k1", lock=False).deeds == [["newkey", ""]]
        assert tx.asking("k1").used_at == NOW
        assert tx.asking("k2").used_at is None
        tx.use_asking(tx.asking("k2").id, at=NOW)
        assert tx.asking("k2").used_at == NOW
        tx.forget_asked(before=NOW + timedelta(minutes=1))
        assert tx.asking("k1") is None
        assert tx.asking("k3")
