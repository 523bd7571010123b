from datetime import UTC, date, datetime, timedelta

from adjudicator.store.rows import NewChallenge, NewGame, NewLeave, NewUndone

NOW = datetime(2031, 1, 5, 18, 30, tzinfo=UTC)


def make_player(ledger, name="Ann"):
    with ledger.begin() as tx:
        return tx.create_player(name, at=NOW)


def make_game(ledger, name="g1"):
    row = NewGame(name, "running", 2, b"s" * 32, "c", created_at=NOW, updated_at=NOW)
    with ledger.begin() as tx:
        return tx.create_game(row)


def test_leave_is_kept_and_ended(ledger):
    ann = make_player(ledger)
    new = NewLeave(ann, date(2031, 2, 1), date(2031, 2, 9), NOW, NOW + timedelta(days=9), NOW)
    with ledger.begin() as tx:
        number = tx.add_leave(new)
        tx.end_leave(number, at=NOW + timedelta(days=2))
    with ledger.read() as tx:
        (found,) = tx.leaves(ann)
    assert (found.first, found.last, found.ended_at) == (new.first, new.last, NOW + timedelta(days=2))
    assert found.id == number


def test_the_beat_is_one_row(ledger):
    with ledger.begin() as tx:
        assert tx.beat() is None
        tx.set_beat(NOW)
        tx.set_beat(NOW + timedelta(minutes=1))
        assert tx.beat() == NOW + timedelta(minutes=1)


def test_grace_and_zone_are_the_players(ledger):
    ann, bob = make_player(ledger), make_player(ledger, "Bob")
    with ledger.begin() as tx:
        tx.set_zone(ann, "Europe/Berlin")
        tx.grace_player(ann, at=NOW)
        assert (tx.player(ann).zone, tx.player(ann).graced_at) == ("Europe/Berlin", NOW)
        assert (tx.player(bob).zone, tx.player(bob).graced_at) == ("UTC", None)


def test_a_challenge_is_open_until_it_is_closed(ledger):
    ann, game = make_player(ledger), make_game(ledger)
    with ledger.begin() as tx:
        first = tx.add_challenge(NewChallenge(ann, 2, "5d", NOW, side="french", variants=["4"], word="salt"))
        second = tx.add_challenge(NewChallenge(ann, 1, "none", NOW, rated_from=1400, rated_to=1600))
        tx.close_challenge(first, at=NOW, game_id=game)
    with ledger.begin() as tx:
        assert [one.id for one in tx.open_challenges()] == [second]
        taken = tx.challenge(first)
        assert (taken.game_id, taken.closed_at, taken.variants, taken.word) == (game, NOW, ["4"], "salt")
        assert tx.challenge(99) is None


def test_observers_come_and_go(ledger):
    ann, bob, game = make_player(ledger), make_player(ledger, "Bob"), make_game(ledger)
    with ledger.begin() as tx:
        assert not tx.has_observers(game)
        tx.observe(game, bob, at=NOW)
        tx.observe(game, ann, at=NOW + timedelta(seconds=1))
        assert [one.name for one in tx.observers(game)] == ["Bob", "Ann"]
        assert tx.watched(ann) == [game]
        tx.unobserve(game, bob)
        assert [one.name for one in tx.observers(game)] == ["Ann"]
        assert tx.has_observers(game)


def test_undos_are_told_in_order(ledger):
    game = make_game(ledger)
    with ledger.begin() as tx:
        tx.add_undone(NewUndone(game, 9, 4, [("british", 3)], NOW))
        tx.add_undone(NewUndone(game, 12, 10, [], NOW))
        assert [(one.n, one.keep, [tuple(pair) for pair in one.redeals]) for one in tx.undone(game)] == [
            (9, 4, [("british", 3)]),
            (12, 10, []),
        ]
