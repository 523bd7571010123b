import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import asdict, replace
from sqlalchemy.exc import IntegrityError

from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.rows import NewGame, NewPost

NOW = datetime(2030, 5, 1, 12, 30, tzinfo=UTC)
LEASE = timedelta(minutes=5)


def post(number: int = 1, **more) -> NewPost:
    return NewPost(
        "ann@example.org", f"<{number}@example.net>", f"b{number}", "turn", f"cause {number}",
        "k7.x@example.net", NOW, **({"due_at": NOW, "report": b"{}"} | more),
    )  # fmt: skip


def add(ledger: Ledger, *posts: NewPost) -> None:
    with ledger.begin() as tx:
        tx.add_posts(list(posts))


def due(ledger: Ledger, now: datetime = NOW, limit: int = 100) -> list[str]:
    with ledger.begin() as tx:
        return [one.cause for one in tx.due_posts(now, limit=limit, lease=LEASE)]


def test_a_post_comes_back_as_it_was_put_in(ledger):
    new = post(in_reply_to="<i@x>", references="<a@x> <b@x>", raw=b"\xff\0", side="french")
    add(ledger, new)
    with ledger.begin() as tx:
        (taken,) = tx.due_posts(NOW, limit=1, lease=LEASE)
        assert tx.post(taken.id) == taken
        assert tx.post_by_bounce_key("b1") == taken
        assert tx.post_by_message_id("<1@example.net>") == taken
        assert tx.post_by_bounce_key("b2") is None
        assert tx.post_by_message_id("<2@example.net>") is None
        assert tx.post(taken.id + 1) is None
    known = {"id": taken.id, "attempts": 1, "leased_until": NOW + LEASE}
    assert asdict(taken) == asdict(new) | {"sent_at": None, "failed_at": None, "last_error": None} | known


def test_what_is_due_comes_in_order_and_no_more_than_asked(ledger):
    add(
        ledger,
        post(1, due_at=NOW),
        post(2, due_at=NOW - LEASE),
        post(3, due_at=NOW + timedelta(seconds=1)),
        post(4),
    )
    assert due(ledger, limit=2) == ["cause 2", "cause 1"]
    assert due(ledger) == ["cause 4"]
    assert due(ledger) == []


def test_a_lease_ends(ledger):
    add(ledger, post())
    assert due(ledger) == ["cause 1"]
    assert due(ledger, NOW + LEASE - timedelta(seconds=1)) == []
    assert due(ledger, NOW + LEASE) == ["cause 1"]
    with ledger.read() as tx:
        assert tx.posts()[0].attempts == 2


def test_what_is_sent_is_not_due_again(ledger):
    add(ledger, post(1), post(2))
    with ledger.begin() as tx:
        ids = [one.id for one in tx.due_posts(NOW, limit=9, lease=LEASE)]
        tx.mark_sent(ids, at=NOW)
        tx.mark_sent([], at=NOW)
    assert due(ledger, NOW + LEASE * 2) == []
    with ledger.read() as tx:
        assert tx.next_due_at() is None
        assert tx.unsent_posts() == []
        assert [one.sent_at for one in tx.posts()] == [NOW, NOW]


def test_what_is_deferred_comes_when_it_is_due(ledger):
    add(ledger, post())
    later = NOW + timedelta(hours=1)
    with ledger.begin() as tx:
        (taken,) = tx.due_posts(NOW, limit=9, lease=LEASE)
        tx.mark_deferred(taken.id, due_at=later, error="451 \0 later")
    with ledger.read() as tx:
        assert tx.next_due_at() == later
        assert tx.unsent_posts()[0].last_error == "451 \N{REPLACEMENT CHARACTER} later"
    assert due(ledger, later - timedelta(seconds=1)) == []
    assert due(ledger, later) == ["cause 1"]


def test_what_failed_is_over_until_it_is_sent_again(ledger):
    add(ledger, post(1), post(2))
    with ledger.begin() as tx:
        first, second = tx.due_posts(NOW, limit=9, lease=LEASE)
        tx.mark_failed(first.id, at=NOW, error="550 no")
        tx.mark_sent([second.id], at=NOW)
    assert due(ledger, NOW + LEASE) == []
    with ledger.begin() as tx:
        assert (tx.post(first.id).failed_at, tx.post(first.id).last_error) == (NOW, "550 no")
        tx.resend(first.id, at=NOW + LEASE)
        tx.resend(second.id, at=NOW + LEASE)
        assert tx.post(first.id) == replace(first, due_at=NOW + LEASE, attempts=0, leased_until=None)
    assert due(ledger, NOW + LEASE) == ["cause 1", "cause 2"]


def test_lists(ledger):
    add(ledger, post(1), post(2), replace(post(3), to_address="bob@x"))
    with ledger.read() as tx:
        assert [one.cause for one in tx.posts()] == ["cause 3", "cause 2", "cause 1"]
        assert [one.cause for one in tx.posts(limit=1)] == ["cause 3"]
        assert tx.posts(game_id=1) == []


def test_what_counts_for_an_address(ledger):
    hours = [NOW + number * timedelta(hours=1) for number in range(4)]
    add(ledger, *(replace(post(n), created_at=at, counted=n != 2) for n, at in enumerate(hours)))
    add(ledger, replace(post(9), created_at=hours[0], counted=True, to_address="bob@x"))
    with ledger.read() as tx:
        found = [tx.counted_before("ann@example.org", skipped) for skipped in range(4)]
        assert found == [hours[3], hours[1], hours[0], None]
        assert tx.counted_before("bob@x", 0) == hours[0]
        assert tx.counted_before("nobody@x", 0) is None


@pytest.fixture
def a_game(ledger: Ledger) -> int:
    with ledger.begin() as tx:
        return tx.create_game(NewGame("g1", "running", 2, b"", "", NOW, NOW))


def joined(game_id: int, number: int, **more) -> NewPost:
    return replace(post(number), game_id=game_id, side="french", **({"kind": "joined"} | more))


def test_a_joined_answer_may_change_until_a_sender_takes_it(ledger, a_game):
    add(ledger, joined(a_game, 1, kind="turn"), joined(a_game, 2), replace(joined(a_game, 3), side="british"))
    with ledger.begin() as tx:
        assert tx.joined_post(a_game + 1, "french") is None
        found = tx.joined_post(a_game, "french")
        assert found.cause == "cause 2"
        assert tx.retell(found.id, b"[]", to_address="a@x", reply_to="r@x")
    with ledger.begin() as tx:
        now = tx.joined_post(a_game, "french")
        assert now == replace(found, report=b"[]", to_address="a@x", reply_to="r@x")
        assert len(tx.due_posts(NOW, limit=9, lease=LEASE)) == 3
        assert tx.joined_post(a_game, "french") is None
        assert not tx.retell(found.id, b"{}", to_address="b@x", reply_to="s@x")
        assert tx.post(found.id).report == b"[]"


@pytest.mark.postgres
def test_a_joined_answer_that_is_taken_at_this_moment_stays_as_it_is(postgres_url):
    database = open_database(postgres_url)
    ledger = Ledger(database)
    add(ledger, replace(post(1), kind="joined"))
    told = []

    def tell() -> None:
        with ledger.begin() as tx:
            told.append(tx.retell(1, b"[]", to_address="b@x", reply_to="s@x"))

    with ledger.begin() as tx:
        assert len(tx.due_posts(NOW, limit=1, lease=LEASE)) == 1
        waiting = threading.Thread(target=tell)
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
    waiting.join(20)
    assert told == [False]
    database.close()


def test_mails_to_an_address_are_given_up(ledger):
    add(ledger, post(1), post(2), replace(post(3), to_address="bob@x"))
    with ledger.begin() as tx:
        tx.mark_sent([1], at=NOW)
        tx.drop_posts("ann@example.org", at=NOW, error="no\0box")
        assert tx.post(1).failed_at is None
        assert (tx.post(2).failed_at, tx.post(2).last_error) == (NOW, "no\N{REPLACEMENT CHARACTER}box")
    assert due(ledger) == ["cause 3"]


@pytest.mark.parametrize(
    "wrong", [{"message_id": "<1@example.net>"}, {"bounce_key": "b1"}, {"report": None}, {"side": "x"}]
)
def test_posts_that_cannot_be_are_refused(ledger, wrong):
    add(ledger, post(1))
    with pytest.raises(IntegrityError):
        add(ledger, replace(post(2), **wrong))


def test_several_senders_never_take_the_same_post(database_url):
    """Each sender has its own connections, as its own process would."""
    number, taken = 300, Counter()
    main = open_database(database_url)
    add(Ledger(main), *(post(n) for n in range(number)))
    ready = threading.Barrier(4)
    errors: list[BaseException] = []

    def send() -> None:
        own = open_database(database_url)
        try:
            ready.wait(20)
            while found := due(Ledger(own), limit=7):
                taken.update(found)
        except BaseException as error:  # noqa: BLE001 - shown by the test below
            errors.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    main.close()
    assert errors == []
    assert taken == Counter(f"cause {n}" for n in range(number))


@pytest.mark.postgres
def test_a_sender_does_not_wait_for_another(postgres_url):
    database = open_database(postgres_url)
    ledger = Ledger(database)
    add(ledger, post(1), post(2))
    with ledger.begin() as tx:
        assert len(tx.due_posts(NOW, limit=1, lease=LEASE)) == 1
        assert due(ledger) == ["cause 2"]
    database.close()


def test_budgets_find_their_mails_by_the_index_that_no_mail_about_a_turn_is_in(sqlite_url):
    database = open_database(sqlite_url)
    said: list[str] = []
    with Ledger(database).read() as tx:
        driver = tx.connection.connection.dbapi_connection
        driver.set_trace_callback(said.append)
        tx.counted_before("ann@example.org", 19)
        tx.count_desk_posts("ann@example.org", since=NOW)
        driver.set_trace_callback(None)
        plans = [str(driver.execute(f"EXPLAIN QUERY PLAN {one}").fetchall()) for one in said]
    database.close()
    assert ["USING INDEX ix_post_budget (to_address=?" in plan for plan in plans] == [True, True]
