"""Old records told in our way: every draw from the front."""

from pathlib import Path

import pytest
from random_games import RandomGame

from adjudicator.game.front import fronted
from adjudicator.game.model import SIDES
from adjudicator.game.record import read_record, written
from adjudicator.game.replay import replay

FILES = sorted((Path(__file__).parents[3] / "shared" / "records").glob("record-*.json"))


@pytest.mark.skipif(not FILES, reason="the real game records are missing")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_real_record_told_in_our_way_replays_with_its_own_chance(file):
    record = read_record(file.read_bytes())
    front, chance = fronted(record)
    assert front.home_support == "front"
    played = replay(read_record(written(front)), chance)
    assert [str(mismatch) for mismatch in played.mismatches] == []
    for old, new in zip(record.turns, front.turns, strict=True):
        assert (old.actions, old.drawn) == (new.actions, new.drawn)
        for side in SIDES:
            assert sorted(old.after.players.of(side).deck) == sorted(new.after.players.of(side).deck)


@pytest.mark.parametrize("number", range(12))
def test_a_record_of_ours_stays_as_it_is(number):
    """Ours are in that form already: all that is known of its shuffles comes out as they were."""
    game = RandomGame(number, undo=0)
    record = game.record()
    front, chance = fronted(record)
    assert front == record
    assert replay(record, chance).mismatches == ()


def test_its_chance_knows_no_other_shuffle():
    _, chance = fronted(RandomGame(1, undo=0, moves=5).record())
    with pytest.raises(KeyError):
        chance(99, ("boston",))
