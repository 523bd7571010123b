"""Whole games of the house players, recorded by the service: they replay with no mismatch under today's code."""

from pathlib import Path

import pytest

from adjudicator.game.record import read_record
from adjudicator.game.replay import replay
from adjudicator.game.verify import verify

RECORDS = sorted((Path(__file__).parents[1] / "games" / "records").glob("*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_house_game_replays_and_its_shuffles_follow_from_the_seed(path: Path):
    record = read_record(path.read_bytes(), path.name)
    played = replay(record)
    assert played.mismatches == ()
    assert played.turns == len(record.turns) > 20
    assert record.result is not None
    assert verify(record).mismatches == ()


def test_both_editions_and_variants_are_among_them():
    records = [read_record(path.read_bytes()) for path in RECORDS]
    assert {record.edition for record in records} == {1, 2}
    assert sum(bool(record.variants) for record in records) >= 2
