"""Mails as real programs write them, and what must be read from each (tests/mails/cases.toml)."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.mail.letter import Letter, read_letter

FOLDER = Path(__file__).parents[1] / "mails"
CASES = tomllib.loads((FOLDER / "cases.toml").read_text("utf-8"))
ORDERS = ["draft governor", "draft bateaux"]
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def read(name: str) -> Letter:
    raw = (FOLDER / f"{name}.eml").read_bytes()
    rcpt = "Game-17.abcd2345@example.org"
    return read_letter(raw, rcpt=rcpt, mail_from="ann@example.net", received_at=NOW)


@pytest.mark.parametrize("name", CASES)
def test_a_mail_is_read_as_its_writer_meant_it(name):
    case, letter = CASES[name], read(name)
    own = [line.text.strip() for line in letter.lines if line.kind == "own" and line.text.strip()]
    if "any_own" not in case:
        assert own == case.get("own", ORDERS)
    assert (letter.automatic or "").startswith(case.get("automatic", ""))
    assert bool(letter.automatic) == ("automatic" in case)
    for field in {"subject", "from_name"} & set(case):
        assert getattr(letter, field) == case[field]


@pytest.mark.parametrize("name", CASES)
def test_a_bounce_is_told_from_other_mail(name):
    expected, bounce = CASES[name].get("bounce"), read(name).bounce
    if expected is None:
        assert bounce is None
        return
    assert bounce is not None
    assert (bounce.status, bounce.permanent) == (expected["status"], expected["permanent"])
    assert list(bounce.recipients) == expected["recipients"]
    assert (bounce.original_message_id or "") == expected["original"]


def test_every_mail_has_a_case_and_every_case_a_mail():
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(CASES)


def test_no_line_is_dropped_and_lines_count_from_one():
    letter = read("gmail-web-bottom")
    assert [line.number for line in letter.lines] == list(range(1, len(letter.lines) + 1))
    assert {line.kind for line in letter.lines} == {"own", "quote", "signature"}
    assert sum("draft trader" in line.text for line in letter.lines) == 1


def test_the_headers_of_an_ordinary_mail():
    letter = read("gmail-web-en")
    assert (letter.from_address, letter.from_name) == ("ann@example.net", "Ann")
    assert letter.rcpt == "game-17.abcd2345@example.org"
    assert letter.message_id is not None
    assert letter.message_id.endswith(".ann@example.net>")
    assert letter.in_reply_to == "<17.4.british@example.org>"
    assert letter.references == ("<17.3.british@example.org>", "<17.4.british@example.org>")
    assert letter.text.startswith("draft governor\ndraft bateaux")
