"""Mails as people send them, over real SMTP into a game at the second British turn: what each comes to.

The shared cases have placeholders for what only the newest mail to the seat can say; the mails of `tests/mails` get
the addresses of the game instead of those they were written with.
"""

import json
import re
import tomllib
from pathlib import Path

import pytest
from post_office import ADDRESSES, PostOffice
from smtp_door import smtp_door

from adjudicator.game.record import Position

SHARED = Path(__file__).parents[3] / "shared" / "mail-cases"
if SHARED.is_dir():
    CASES = json.loads((SHARED / "cases.json").read_text("utf-8"))
else:
    print("skipped: the shared mail cases are not at", SHARED)  # noqa: T201 - the one line that says so
    CASES = []
MAILS = Path(__file__).parents[1] / "mails"
CORPUS = tomllib.loads((MAILS / "cases.toml").read_text("utf-8"))
ORDERS = ["draft governor", "draft bateaux"]
MEANT_OTHERWISE = re.compile(r"Qu\u00e9bec|^settle|^if |^on raid|^draftgov")
"""Own lines of mails that are about other things than the two orders: no orders of this position."""


def second_turn(office):
    """A new game in which the British are to play their second turn."""
    name = office.new_game()
    for side in ("british", "french"):
        assert office.answer(side, "pass").code == 250
    return name


def drafted(office, name):
    """What the British have bought in their second turn, in order."""
    with office.ledger.read() as tx:
        game = tx.game(name, lock=False)
        moves = [move.text for move in tx.moves(game.game.id) if move.turn == 3 and move.side == "british"]
    return [move.lower() for move in moves if move.lower() != "done"]


def filled(raw, office):
    """A shared case with its placeholders filled from the newest mail to the seat."""
    asked = office.last("british")
    values = {
        "DATE": "Sat, 01 Mar 2031 20:00:00 +0000",
        "MSGID": f"{next(office.numbers)}@example.org",
        "FROM": f"Ann <{ADDRESSES['british']}>",
        "TO": asked["Reply-To"],
        "IRT": asked["Message-ID"],
        "SUBJECT": asked["Subject"],
    }
    for key, value in values.items():
        raw = raw.replace(f"@{key}@".encode(), value.encode())
    return raw


def send(door, raw, mail_from=ADDRESSES["british"]):
    """Send a mail to the newest reply address of the British; returns the reply and how many answers came."""
    office = door.office
    before = office.count("british")
    code, _ = door.send(raw, office.last("british")["Reply-To"], mail_from)
    return code, office.count("british") - before


@pytest.mark.skipif(not CASES, reason="the shared mail cases are missing")
def test_the_shared_cases_have_the_stated_results(office: PostOffice):
    with smtp_door(office) as door:
        for case in CASES:
            where = f"{case['file']} ({case['why']})"
            name = second_turn(office)
            bounce = case["file"] == "bounce.eml"
            raw = filled((SHARED / case["file"]).read_bytes(), office)
            code, answers = send(door, raw, "" if bounce else ADDRESSES["british"])
            assert code == 250, where
            assert drafted(office, name) == case["apply"], where
            assert answers == (0 if case["expect"] == "none" else 1), where
            if case["expect"] == "refuse":
                assert "2 of 2 orders refused" in office.last("british")["Subject"], where


def addressed(raw, office, name):
    """A mail of the corpus as Ann would have sent it in answer to her newest mail; another sender stays."""
    asked = office.last("british")
    head, gap, body = raw.partition(b"\r\n\r\n" if b"\r\n\r\n" in raw else b"\n\n")
    head = re.sub(rb"(?im)^Message-ID:.*(\r?\n[ \t].*)*", b"Message-ID: <%s@example.org>" % name.encode(), head)
    head = re.sub(rb"(?im)^To:.*(\r?\n[ \t].*)*", b"To: %s" % asked["Reply-To"].encode(), head)
    return head.replace(b"ann@example.net", ADDRESSES["british"].encode()) + gap + body


def test_every_mail_of_the_corpus_moves_the_game_as_its_writer_meant(sqlite_office: PostOffice):
    office = sqlite_office
    position = Position(format="afas-position/1", edition=2, state=office.game(second_turn(office)).state)
    played = 0
    with smtp_door(office) as door:
        for case, expected in CORPUS.items():
            own = expected.get("own", ORDERS)
            name = office.new_game(position=position)
            raw = addressed((MAILS / f"{case}.eml").read_bytes(), office, name)
            code, answers = send(door, raw)
            where = f"{case}: {expected['why']}"
            if "automatic" in expected or "bounce" in expected:
                assert code == 250, where
                assert (drafted(office, name), answers) == ([], 0), where
                continue
            assert (code, answers) == (250, 1), where
            if not any(MEANT_OTHERWISE.search(line) for line in own):
                assert drafted(office, name) == [order for order in ORDERS if any(order in line for line in own)], where
                played += 1
    assert played > 100
