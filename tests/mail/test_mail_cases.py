"""The shared mail cases: what people's order mails look like, with the orders that each must give."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.mail.letter import read_letter

SHARED = Path(__file__).parents[3] / "shared" / "mail-cases"
PLACES = {
    b"@DATE@": b"Fri, 01 Jan 2027 20:00:00 +0000",
    b"@MSGID@": b"1@example.net",
    b"@FROM@": b"Ann <ann@example.net>",
    b"@TO@": b"game.secret@example.org",
    b"@IRT@": b"<17.4@example.org>",
    b"@SUBJECT@": b"Game 17",
}
if SHARED.is_dir():
    CASES = json.loads((SHARED / "cases.json").read_text("utf-8"))
else:
    print("skipped: the shared mail cases are not at", SHARED)  # noqa: T201 - the one line that says so
    CASES = []


def lines_of(file):
    raw = (SHARED / file).read_bytes()
    for place, value in PLACES.items():
        raw = raw.replace(place, value)
    letter = read_letter(
        raw,
        rcpt="game.secret@example.org",
        mail_from="ann@example.net",
        received_at=datetime(2027, 1, 1, tzinfo=UTC),
    )
    own = [line.text for line in letter.lines if line.kind == "own"]
    return letter, [" ".join(order.split()) for line in own for order in line.split(";")]


@pytest.mark.skipif(not CASES, reason="the shared mail cases are missing")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_the_orders_are_own_lines_and_no_others_are(case):
    letter, orders = lines_of(case["file"])
    assert [order for order in orders if order in {*case["apply"], "draft trader"}] == case["apply"] or (
        letter.automatic is not None
    )
    assert (letter.automatic is not None) == (case["expect"] == "none")
    if case["expect"] == "refuse":
        assert "draft governer" in orders
