"""A game goes back: what counts, what is shuffled anew, what the clocks and the mails say, and the record of it all."""

import random
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from post_office import PostOffice, text_of

from adjudicator.errors import UsageError
from adjudicator.game.entries import RedealEntry
from adjudicator.game.export import Redealt
from adjudicator.game.model import SIDES
from adjudicator.game.record import read_record, written
from adjudicator.game.replay import replay
from adjudicator.game.verify import verify
from adjudicator.service import moderate, powers, records
from adjudicator.service.changes import Changes
from adjudicator.service.house import play_house
from adjudicator.service.imports import import_record
from adjudicator.service.stored import line_of_play, moves_in_force, shown, states_of
from adjudicator.service.undo import Back, back_draft, undo_to
from adjudicator.store.rows import MoveRow

replace = msgspec.structs.replace


def undo(office: PostOffice, turn: int, name: str = "g1") -> Back:
    """Take a game back, with mails to both."""
    with office.ledger.begin() as tx:
        changes = Changes(office.config, tx, moderate.find(tx, name, lock=True), office.now, f"undo-{office.now}")
        back = undo_to(changes, turn)
        changes.tell_both((side, back_draft(changes, side, back, "moderator", "a fault of ours")) for side in SIDES)
        changes.write()
    office.deliver()
    return back


def opened(office: PostOffice, clock: str = "10d+1d/14d") -> PostOffice:
    """Three turns played, the French to move in turn 4."""
    office.new_game(clock=clock)
    for side, orders in (("british", "draft Ships"), ("french", "draft Militia"), ("british", "pass; pass")):
        assert office.answer(side, orders).code == 250
    assert office.game().state.turn == 4
    return office


def test_the_game_goes_back_to_the_start_of_a_turn(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "on ambush: ask me\ndraft Militia")
    before = office.game()
    office.answer("british", "pass; pass")
    later = office.game()
    back = undo(office, 3)
    game = office.game()
    assert (back.turn, back.moves, back.dropped) == (3, 3, ())
    assert back.redeals == (Redealt("british", 2),)
    assert (game.state.turn, game.state.to_move, game.row.waiting_for) == (3, "british", "british")
    assert game.state.shuffles == 3
    deck = before.state.players.british.deck
    assert game.state.players.british.deck == game.chance()(2, tuple(sorted(deck)))
    assert game.state.players.french == before.state.players.french
    assert replace(game.state, players=before.state.players, shuffles=before.state.shuffles) == before.state
    assert game.seats["french"].standing == "on ambush: ask me"
    assert game.row.seq == later.row.seq + 1 == game.seats["british"].seq == game.seats["french"].seq
    assert game.row.moves == later.row.moves


def test_both_are_told_and_old_addresses_do_nothing(office):
    opened(office)
    old = {side: office.last(side) for side in SIDES}
    undo(office, 2)
    for side in SIDES:
        mail = office.last(side)
        said = " ".join(text_of(mail).split())
        assert mail["Subject"] == f"[g1] Turn 2: the game has gone back ({side.capitalize()})"
        assert "A moderator has taken the game back to the start of turn 2. What was played since" in said
        assert "Why: a fault of ours" in said
        assert "sent ahead" not in said
    office.answer("french", "draft Militia", old["french"])
    assert "answered an older position" in office.last("french")["Subject"]
    assert office.game().state.turn == 2
    office.answer("french", "draft Militia")
    assert office.game().state.turn == 3
    assert "What happened" in text_of(office.last("british"))


def test_history_and_the_open_turn_go_on_from_the_kept_moves(sqlite_office):
    office = opened(sqlite_office)
    undo(office, 2)
    office.answer("french", "draft Priest")
    office.answer("british", "history")
    said = text_of(office.last("british"))
    assert "drafted Priest" in said
    assert "Militia" not in said
    border = office.game().state
    office.answer("british", "draft Rangers\nstop")
    assert office.game().state.open.actions_left == 1
    with office.ledger.read() as tx:
        assert shown(tx, office.game(), "french") == border


def test_an_open_turn_begins_again(office):
    opened(office)
    office.answer("french", "money from Port Royal\nstop")
    assert office.game().state.open.actions_left == 1
    back = undo(office, 4)
    assert (back.moves, back.redeals) == (1, ())
    assert office.game().state.open is None
    with office.ledger.read() as tx:
        assert [move.turn for move in moves_in_force(tx, office.game().row.id)] == [1, 1, 2, 2, 3, 3, 3]


def test_orders_ahead_and_an_offer_are_dropped(sqlite_office):
    office = opened(sqlite_office)
    with office.ledger.begin() as tx:
        game = moderate.find(tx, "g1", lock=True)
        changes = Changes(office.config, tx, game, office.now, "x")
        changes.set_row(offer=b'{"kind":"draw"}')
        changes.set_seat("british", ahead="draft Rangers")
        changes.set_seat("french", pending="pass")
        changes.write()
    assert undo(office, 3).dropped == ("british", "french")
    game = office.game()
    assert game.row.offer is None
    assert {(seat.ahead, seat.pending) for seat in game.seats.values()} == {("", "")}
    for side in SIDES:
        assert "What you had sent ahead is dropped" in " ".join(text_of(office.last(side)).split())


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (0, "game g1 has no turn 0: it began with turn 1 and is at 4"),
        (5, "game g1 has no turn 5: it began with turn 1 and is at 4"),
        (4, "game g1 is at the start of turn 4: there is nothing to undo"),
    ],
)
def test_turns_to_which_no_game_goes_back(sqlite_office, turn, message):
    office = opened(sqlite_office)
    before = office.game()
    with pytest.raises(UsageError) as caught:
        undo(office, turn)
    assert str(caught.value) == message
    assert office.game() == before


def test_a_game_that_is_over_runs_again(office):
    opened(office)
    office.answer("british", "resign")
    office.answer("british", "confirm")
    assert office.game().row.status == "finished"
    back = undo(office, 4)  # nothing of turn 4 was played
    row = office.game().row
    assert (back.moves, row.status, row.waiting_for) == (0, "running", "french")
    assert (row.result, row.finished_at) == (None, None)
    assert row.deadline_at is not None
    office.answer("french", "pass; pass")
    assert office.game().state.turn == 5


def test_the_wait_is_charged_to_nobody(sqlite_office):
    office = opened(sqlite_office, "10d")
    office.now += timedelta(days=9)
    undo(office, 3)
    row = office.game().row
    assert row.waiting_for == "british"
    assert row.deadline_at == office.now.replace(second=0) + timedelta(days=10)
    assert row.due_at < row.deadline_at
    office.now += timedelta(days=9)
    undo(office, 2)
    row = office.game().row
    assert (row.waiting_for, row.deadline_at) == ("french", office.now + timedelta(days=10))


def test_who_had_hardly_any_time_has_a_day(sqlite_office):
    office = opened(sqlite_office, "10d+0h/10d")
    with office.ledger.begin() as tx:
        powers.set_time(office.config, tx, "g1", "british", "1h", moderate.Warrant("mod", "", office.now))
    undo(office, 3)
    assert office.game().row.deadline_at == office.now + timedelta(days=1)


def test_a_paused_game_stays_paused(sqlite_office):
    office = opened(sqlite_office)
    with office.ledger.begin() as tx:
        powers.pause(office.config, tx, "g1", moderate.Warrant("mod", "", office.now))
    undo(office, 2)
    assert (office.game().row.status, office.game().state.turn) == ("paused", 2)


def test_the_choice_of_a_start_card_stays(sqlite_office):
    office = sqlite_office
    office.new_game(variants=("french-start-card",))
    office.answer("french", "start with Militia")
    office.answer("british", "draft Ships")
    undo(office, 1)
    state = office.game().state
    assert (state.turn, state.to_move, state.question, state.open) == (1, "british", None, None)
    assert "militia" in (*state.players.french.hand, *state.players.french.deck)
    same_again(office)


def same_again(office, label="", name="g1"):
    """The record of a game replays and verifies, and imported makes an equal game, which is exported as the same."""
    with office.ledger.begin() as tx:
        record = records.full_export(tx, moderate.find(tx, name))
        for check in (replay, verify):
            assert check(read_record(written(record))).mismatches == (), label
        copy = import_record(tx, read_record(written(record)), office.now, f"copy-{label or 'x'}")
        one, two = moderate.find(tx, name), moderate.find(tx, copy)
        assert two.state == one.state, label
        *_, replayed = states_of(two, line_of_play(tx, two.row.id))
        assert replayed == two.state, label
        for field in (
            "status",
            "turn",
            "seq",
            "waiting_for",
            "deadline_at",
            "due_at",
            "clock",
            "clocks",
            "result",
            "start",
        ):
            assert getattr(two.row, field) == getattr(one.row, field), (label, field)
        assert replace(records.full_export(tx, two), id=name) == record, label
        if two.row.status == "running":
            powers.pause(office.config, tx, copy, moderate.Warrant("test", "", office.now))
    return record


def checked_by_a_sceptic(record, folder):
    """What the program in the README says about a record."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    program = re.search(r"<!-- check.py -->\n```python\n(.*?)```", readme, re.DOTALL)[1]
    (folder / "record.json").write_bytes(written(record))
    run = [sys.executable, "-c", program, str(folder / "record.json")]
    return subprocess.run(run, capture_output=True, text=True, check=False).stdout


def spoil(turn):
    """A turn whose decks, where an undo has shuffled them, lie the other way round."""
    entries = [replace(one, deck=one.deck[::-1]) if isinstance(one, RedealEntry) else one for one in turn.actions]
    return replace(turn, actions=tuple(entries))


@pytest.mark.parametrize("number", range(4))
def test_random_games_with_undos_stay_right(sqlite_office, tmp_path, number):
    """Played by chance, taken back to chance turns (often twice at once), across reshuffles, to the end."""
    office, rng = sqlite_office, random.Random(number)
    name = office.new_game(british="house:random", french="house:random", seed=bytes([number + 1]) * 32)
    numbers, undos = set(), 0
    while play_house(office.config, office.ledger, office.now, at_most=rng.randrange(1, 25)):
        if undos >= 12 or rng.random() < 0.3:
            continue
        for _ in range(rng.choice((1, 1, 2))):
            game = office.game(name)
            turn = rng.randint(max(1, game.state.turn - rng.choice((1, 3, 30))), max(1, game.state.turn - 1))
            if turn == game.state.turn:
                continue
            back = undo(office, turn, name)
            undos += 1
            label = f"game {number}, undo {undos} to turn {turn}"
            used = {one.number for one in back.redeals}
            assert not used & numbers, label
            assert all(one >= game.state.shuffles for one in used), label
            numbers |= used
            now = office.game(name)
            assert now.state.shuffles == game.state.shuffles + len(used), label
            assert (now.state.turn, now.state.open) == (turn, None), label
            same_again(office, f"{number}-{undos}", name)
    assert undos >= 5, number
    assert len(numbers) >= 5, number
    game = office.game(name)
    assert game.row.status == "finished", number
    with office.ledger.read() as tx:
        record = records.export(tx, game)
        line = line_of_play(tx, game.row.id)
    for check in (replay, verify):
        assert check(read_record(written(record))).mismatches == (), number
    assert any(not isinstance(one, MoveRow) for one in line), number
    assert checked_by_a_sceptic(record, tmp_path) == "every shuffle follows from the seed\n", number
    spoiled = checked_by_a_sceptic(replace(record, turns=tuple(map(spoil, record.turns))), tmp_path)
    assert "every shuffle" not in spoiled, number
    undo(office, game.state.turn - 1, name)
    assert office.game(name).row.status == "running"
