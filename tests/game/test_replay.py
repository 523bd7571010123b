"""Replaying: the five real games, and whether a wrong record is seen to be wrong."""

import json
import random
from pathlib import Path

import pytest
from random_games import RandomGame

from adjudicator.errors import UsageError
from adjudicator.game import engine
from adjudicator.game.actions import HomeSupport
from adjudicator.game.entries import HomeSupportEntry
from adjudicator.game.model import replace
from adjudicator.game.record import Record, read_record, written
from adjudicator.game.replay import replay

SHARED = Path(__file__).parents[3] / "shared" / "records"
FILES = sorted(SHARED.glob("record-*.json"))
if not FILES:
    print("skipped: the real game records are not at", SHARED)  # noqa: T201 - the one line that says so


@pytest.mark.skipif(not FILES, reason="the real game records are missing")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_real_game_replays_state_by_state(file):
    record = read_record(file.read_bytes(), file.name)
    played = replay(record)
    assert [str(mismatch) for mismatch in played.mismatches] == []
    assert played.turns == len(record.turns)
    assert played.state.turn == record.turns[-1].after.turn
    assert {move.turn for move in played.moves} == {turn.n for turn in record.turns}


def leaves(value, way=()):
    """Every value inside a JSON text with its way."""
    if isinstance(value, dict | list):
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inside, (*way, key))
    else:
        yield way, value


@pytest.mark.parametrize("file", FILES[:1] or [None], ids=["real"])
def test_no_single_wrong_value_stays_unseen(file):
    """Each changed value of a record is refused at reading or told as a mismatch; nothing else is raised."""
    raw = file.read_bytes() if file else written(RandomGame(11, edition=2, variants=[], undo=0).record())
    whole = json.loads(raw)
    whole["turns"] = whole["turns"][:25]
    for key in ("result", "commitment", "seed", "words"):
        whole.pop(key, None)
    for turn in whole["turns"]:
        turn.pop("orders", None)
    rng = random.Random(3)
    places = [(way, value) for way, value in leaves(whole) if way[0] in ("start", "turns")]
    words = [value for _, value in places if isinstance(value, str)]
    seen = 0
    for number in range(300):
        way, value = rng.choice(places)
        place = whole
        for key in way[:-1]:
            place = place[key]
        other = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else rng.choice(words)
        if other == value:
            continue
        place[way[-1]] = other
        try:
            found = replay(read_record(json.dumps(whole).encode())).mismatches
            assert found, (number, way, value, other)
        except UsageError:
            pass
        place[way[-1]] = value
        seen += 1
    assert seen > 200


def one_turn(**changes):
    """The first turn of a random game, changed."""
    record = RandomGame(5, edition=2, variants=[], moves=12, undo=0).record()
    turn = replace(record.turns[0], **changes)
    return replace(record, turns=(turn, *record.turns[1:]), result=None)


def first_mismatch(record):
    played = replay(record)
    assert played.mismatches
    return played.mismatches[0], played


def test_a_mismatch_says_turn_place_and_both_values():
    after = one_turn().turns[0].after
    money = after.players.british.money
    players = after.players.put("british", replace(after.players.british, money=money + 3))
    mismatch, played = first_mismatch(one_turn(after=replace(after, players=players)))
    assert (mismatch.turn, mismatch.path) == (1, "after.players.british.money")
    assert (mismatch.recorded, mismatch.played) == (money + 3, money)
    assert str(mismatch) == f"turn 1: after.players.british.money: recorded {money + 3}, played {money}"
    assert played.turns > 1, "the replay goes on from the recorded state"


def test_an_illegal_action_ends_the_replay_there():
    record = one_turn()
    draft = {"type": "draft", "card": "settlers", "cost": 5}
    whole = json.loads(written(record))
    whole["turns"][1]["actions"] = [draft]
    mismatch, played = first_mismatch(read_record(json.dumps(whole).encode()))
    assert (mismatch.turn, mismatch.path, played.turns) == (2, "actions", 1)
    assert mismatch.recorded == draft
    assert str(mismatch.played).startswith("S13.1: ")


def test_a_turn_of_the_wrong_side_ends_the_replay():
    mismatch, played = first_mismatch(one_turn(side="french"))
    assert (mismatch.path, played.turns) == ("side", 0)


def test_a_state_that_cannot_be_ends_the_replay():
    after = one_turn().turns[0].after
    mismatch, played = first_mismatch(one_turn(after=replace(after, forts_left=40)))
    assert mismatch.path == "after.forts_left"
    assert played.mismatches[-1].path == "after"
    assert played.turns == 0


def test_a_wrong_result_is_seen():
    game = next(made for number in range(40) if (made := RandomGame(number, undo=0)).state.to_move is None)
    record = game.record()
    assert replay(record).mismatches == ()
    result = record.result
    for wrong in (
        replace(result, winner="french" if result.winner == "british" else "british"),
        replace(result, reason="siege-of-capital" if result.reason == "duquesne" else "duquesne"),
        replace(result, by=None),
        replace(result, reason="resignation"),
        replace(result, scores=replace(result.scores, british=replace(result.scores.british, total=999))),
        None,
    ):
        assert replay(replace(record, result=wrong)).mismatches, wrong


def test_a_resigned_game_keeps_the_side_to_move():
    record = RandomGame(5, edition=2, variants=[], moves=12, undo=0).record()
    result = {"winner": "french", "reason": "resignation", "by": "british"}
    whole = {**json.loads(written(record)), "result": result}
    played = replay(read_record(json.dumps(whole).encode()))
    assert played.mismatches == ()
    assert played.state.to_move
    whole["result"] = {**result, "reason": "captured-12"}
    assert first_mismatch(read_record(json.dumps(whole).encode()))[0].played == "the game is not over"


def supported():
    """A random game that ends with a Home Support from a deck whose two ends hold different cards, and its number."""
    for number in range(400):
        game = RandomGame(number, edition=2, variants=[], undo=0, moves=120)
        state = game.start
        for place, move in enumerate(game.moves):
            deck = state.players.of(move.side).deck
            if isinstance(move.action, HomeSupport) and len(deck) >= 6 and sorted(deck[:3]) != sorted(deck[-3:]):
                return RandomGame(number, edition=2, variants=[], undo=0, moves=place + 1), number
            state = engine.apply(game.rules, state, move.side, move.action, game.chance).state
    return pytest.fail("no Home Support from a deck with two different ends")


def test_home_support_takes_the_other_end_unless_the_record_says_front():
    """The same game told in the old way: other cards come into the hand."""
    game, number = supported()
    record = game.record()
    assert isinstance(record.turns[-1].actions[-1], HomeSupportEntry), number
    assert replay(record).mismatches == (), number
    paths = {mismatch.path for mismatch in replay(replace(record, home_support=None)).mismatches}
    assert f"after.players.{record.turns[-1].side}.hand" in paths, number


def test_the_replay_of_an_empty_record_is_its_start():
    record = one_turn()
    empty = Record(format="afas-record/1", id="x", edition=2, start=record.start, turns=())
    assert replay(empty).state == record.start
