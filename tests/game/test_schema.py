"""The JSON Schemas: those in the folder are those of the code, and they say what the code accepts."""

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from random_games import RandomGame

from adjudicator.game import engine
from adjudicator.game.public import public_record
from adjudicator.game.record import Position, written
from adjudicator.schemas import TYPES, main, schemas

FOLDER = Path(__file__).parents[2] / "schema"
RECORDS = sorted((Path(__file__).parents[3] / "shared" / "records").glob("record-*.json"))


def validator(name):
    schema = json.loads(schemas()[f"{name}.schema.json"])
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", schemas())
def test_the_schema_in_the_folder_is_that_of_the_code(name):
    assert (FOLDER / name).read_bytes() == schemas()[name], "run: python -m adjudicator.schemas"


def test_one_command_writes_them(tmp_path):
    main(str(tmp_path))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == schemas()
    assert len(TYPES) == len(schemas())


def test_our_records_keep_to_them():
    whole, public = validator("record"), validator("public-record")
    for number in range(5):
        record = RandomGame(number, moves=120).record()
        assert not list(whole.iter_errors(json.loads(written(record)))), number
        if record.result is None:
            built = json.loads(msgspec.json.encode(public_record(record)))
            assert not list(public.iter_errors(built)), number
            assert list(whole.iter_errors(built)), "a public record is no whole one"


def test_our_positions_and_events_keep_to_them():
    game = RandomGame(9, moves=80, edition=2, variants=[], undo=0)
    position = Position(format="afas-position/1", edition=2, state=game.state, standing={"french": "x"})
    assert not list(validator("position").iter_errors(json.loads(written(position))))
    events, state = [], game.start
    for move in game.moves:
        step = engine.apply(game.rules, state, move.side, move.action, game.chance)
        state = step.state
        events += step.events
    assert not list(validator("events").iter_errors(json.loads(msgspec.json.encode(events))))


def test_they_refuse_what_the_code_refuses():
    record = json.loads(written(RandomGame(9, moves=20).record()))
    for changed in (
        {"edition": 3},
        {"format": "x"},
        {"more": 1},
        {"seed": "00"},
        {"turns": [{}]},
        {"start": None},
    ):
        assert list(validator("record").iter_errors({**record, **changed})), changed


@pytest.mark.skipif(not RECORDS, reason="the real game records are missing")
@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_the_real_records_keep_to_them(file):
    assert not list(validator("record").iter_errors(json.loads(file.read_bytes())))
