"""Mails about no game: each kind is told, and nothing in it can come back as an order."""

import re

import pytest

from adjudicator import reports
from adjudicator.render import render
from adjudicator.render.inert import assert_inert
from adjudicator.service.drafts import Draft, encode, report_of

TEMPLATE_KINDS = (
    "registered", "name", "asked", "done", "changed", "moderated", "taken-off", "prove", "used", "unclear",
    "faults", "hindered", "challenges", "games",
    "late-stranger", "late", "desk",
)  # fmt: skip
WISHES = ("name", "add", "use", "remove", "newkey", "cancel-challenge")
OUTCOMES = (
    "named", "name-taken", "added", "preferred", "proving", "yours", "not-free", "removed", "not-yours", "last",
    "too-many", "tomorrow", "later", "rekeyed",
)  # fmt: skip
ADDRESS = "a.very.long.name.with.many.parts+and-a-word@mail.example.org"


def values(reason: str = "taken", games: str = "g1 british\ng12 french") -> dict[str, str]:
    return {
        "deeds": "\n".join(f"{word} {ADDRESS}" for word in WISHES),
        "done": "\n".join(f"{word} {ADDRESS}" for word in OUTCOMES),
        "name": "Ann B. O'Neil",
        "address": ADDRESS,
        "addresses": f"{ADDRESS}\nann@example.org",
        "games": games,
        "reason": reason,
    }


@pytest.mark.parametrize("kind", TEMPLATE_KINDS)
@pytest.mark.parametrize(("reason", "games"), [("taken", "g1 british"), ("unfit", "")])
def test_each_kind_is_a_mail_that_holds_no_order(kind, reason, games):
    mail = render(report_of(encode(Draft(kind="desk", notice=kind, values=values(reason, games)))))
    assert_inert(mail.text)
    assert_inert(f"{mail.subject}\n")
    assert not re.search(r"\n\n\n\n", mail.text)
    assert "{" not in mail.text


def test_every_wish_and_outcome_has_a_sentence():
    for kind, word in [("asked", word) for word in WISHES] + [("done", word) for word in OUTCOMES]:
        told = {"deeds": f"{word} {ADDRESS}", "done": f"{word} 3"}
        text = render(reports.desk(kind, **told)).text
        assert re.search(r"\n\s+- \S", text), (kind, word)


def test_the_mail_to_strangers_holds_no_order():
    assert_inert(render(reports.stranger()).text)
