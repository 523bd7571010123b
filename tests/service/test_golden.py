"""A frozen conversation: letters in, SMTP replies, every mail out, byte for byte.

`ADJUDICATOR_TEST_REGENERATE=1 pytest tests/service/test_golden.py` writes it anew; read the
difference before you commit.
"""

import os
from pathlib import Path

import pytest
from post_office import ADDRESSES, PostOffice

from adjudicator.game.engine import decider
from adjudicator.game.model import Side
from adjudicator.players import compose_orders
from adjudicator.service import start

GOLDEN = Path(__file__).parents[1] / "games" / "conversation.txt"
HOUSE = "(house)"
"""A letter that a house player writes."""
LETTERS: tuple[tuple[Side, str], ...] = (
    ("british", "Hello Ben,\n\ndraft governer\n\nAnn"),
    ("british", "Sorry, I meant\n\ndraft governor\n\nAnn\n-- \nsent by pigeon\ndraft trader"),
    ("french", "help"),
    ("french", "on raid: block with natives, location\non siege lost: lose militia"),
    ("french", "draft coureurs; draft home support"),
    ("french", "> draft trader\n\ndraft coureurs"),
    ("british", "status"),
    ("british", "check\nmoney from Boston"),
    ("british", "money from Boston\nstop"),
    ("french", "press: Are you still there?"),
    ("british", "done"),
    *((("french", HOUSE), ("british", HOUSE)) * 12),
    ("british", "history"),
    ("french", "rules siege"),
    ("french", "resign"),
    ("french", "confirm"),
)


def conversation(office: PostOffice) -> bytes:
    """All that goes in and out."""
    office.new_game()
    told = [b"=== a new game\n", *office.sent]
    office.sent.clear()
    for number, (side, body) in enumerate(LETTERS):
        game = office.game()
        written = body
        if body == HOUSE:
            side = decider(game.state) or side  # noqa: PLW2901 - whoever has to decide
            written = compose_orders("heuristic", game.rules, game.state, side, number.to_bytes(32))
        letter = office.letter(side, written)
        reply = office.post(letter, office.last(side)["Reply-To"], ADDRESSES[side])
        said = f"=== {reply.code} {reply.text}\n=== mails out\n"
        told += [b"=== letter in\n", letter, said.encode(), *office.sent]
        office.sent.clear()
    return b"".join(told).replace(b"\r\n", b"\n")


def test_the_conversation_is_as_it_was(sqlite_office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    keys = iter(range(1, 99))
    monkeypatch.setattr(start.secrets, "token_bytes", lambda size: bytes([next(keys)]) * size)
    said = conversation(sqlite_office)
    if os.environ.get("ADJUDICATOR_TEST_REGENERATE"):
        GOLDEN.write_bytes(said)
    old, new = GOLDEN.read_text("utf-8").splitlines(), said.decode().splitlines()
    first = next((number for number, pair in enumerate(zip(old, new, strict=False), 1) if pair[0] != pair[1]), None)
    assert first is None, f"line {first}: {old[first - 1]!r} is now {new[first - 1]!r}"
    assert len(old) == len(new)
