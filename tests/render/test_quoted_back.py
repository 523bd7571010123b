"""Every kind of mail that we write, quoted back in the ways of many programs: no order is ever found in it."""

import random
from pathlib import Path

import pytest
from letters.our_mails import our_mails
from letters.quoting import quoted_back
from letters.reading import ordered, see
from test_desk import TEMPLATE_KINDS, values

from adjudicator import reports
from adjudicator.render import render

GAMES = 4
TEMPLATES = Path(__file__).parents[2] / "templates" / "en"


@pytest.fixture(scope="module", params=range(GAMES))
def written(request):
    """A seed, and texts of all our mails over a random game."""
    desk = [("desk", render(reports.desk(kind, **values())).text) for kind in TEMPLATE_KINDS]
    return request.param, [*our_mails(random.Random(request.param), 100), *desk]


def test_no_mail_of_ours_comes_back_as_an_order(written):
    seed, texts = written
    chosen = random.Random(seed)
    kinds = {name for name, _ in texts}
    assert {
        "welcome",
        "turn",
        "answer",
        "stale",
        "status",
        "board",
        "history",
        "help",
        "rules",
        "over",
        "desk",
    } <= kinds
    walls = set()
    for name, text in texts:
        for _ in range(3):
            how, raw = quoted_back(text, chosen.choice)
            walls.add(how.partition(",")[0])
            found = ordered(see(raw).reading)
            assert not found, f"seed {seed}, {name}, {how}: {found}"
    assert walls == {"marks", "marks and head", "head", "html", "cut line", "none"}


def test_what_is_written_above_a_quote_is_still_read(written):
    """The walls keep our words out, not the player's."""
    seed, texts = written
    chosen = random.Random(seed)
    for name, text in texts:
        how, raw = quoted_back(text, chosen.choice, said="draft Governor\n\nAnn")
        assert len(ordered(see(raw).reading)) == 1, f"seed {seed}, {name}, {how}"
