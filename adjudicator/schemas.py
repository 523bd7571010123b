"""The JSON Schemas in `schema/`, made from the structs that read and write the files.

`python -m adjudicator.schemas [FOLDER]` writes them (default: `schema`).
"""

import json
import sys
from pathlib import Path

import msgspec

from adjudicator.game.events import Event
from adjudicator.game.public import PublicRecord
from adjudicator.game.record import Position, Record

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TYPES: dict[str, tuple[str, object]] = {
    "position": ("A position file, afas-position/1", Position),
    "record": ("The record of a game, afas-record/1", Record),
    "public-record": ("The public record of a running game, afas-record/1", PublicRecord),
    "events": ("What happened, in order", tuple[Event, ...]),
}


def schemas() -> dict[str, bytes]:
    """Return the content of each schema file by its name."""
    return {f"{name}.schema.json": _written(title, shape) for name, (title, shape) in TYPES.items()}


def _written(title: str, shape: object) -> bytes:
    schema = {"$schema": DIALECT, "title": title, **msgspec.json.schema(shape)}
    return (json.dumps(schema, indent=1, ensure_ascii=False) + "\n").encode()


def main(folder: str = "schema") -> None:
    """Write all schemas into a folder."""
    for name, content in schemas().items():
        Path(folder, name).write_bytes(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
