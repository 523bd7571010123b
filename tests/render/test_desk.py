"""Mails about no game: each kind is told, and nothing in it can come back as an order."""

import re

import pytest

from adjudicator import reports
from adjudicator.render import render
from adjudicator.render.inert import assert_inert
from adjudicator.service.drafts import Draft, encode, report_of

TEMPLATE_KINDS = (
    "registered", "name", "asked", "done", "changed", "moderated", "taken-off", "prove", "used", "unclear",
    "faults", "hindered", "challenges", "games", "farewell", "data",
    "late-stranger", "late", "desk",
)  # fmt: skip
WISHES = (
    "name",
    "add",
    "use",
    "remove",
    "newkey",
    "cancel-challenge",
    "join",
    "challenge",
    "zone",
    "leave",
    "data",
    "erase",
)
OUTCOMES = (
    "named", "name-taken", "added", "preferred", "proving", "yours", "not-free", "removed", "not-yours", "last",
    "too-many", "tomorrow", "later", "rekeyed",
    "challenged", "challenge-joined", "challenge-cancelled", "challenge-none", "challenge-own", "challenge-not-yours",
    "challenge-rated", "challenge-many", "banned", "unbanned", "zoned", "no-zone", "left", "left-off", "no-leave",
    "data-sent", "data-large", "watching", "watched-no-more", "not-watched", "not-public", "own", "over", "already",
    "too-many-watched", "no-such-game",
)  # fmt: skip
HASH = "ab" * 32
ADDRESS = "a.very.long.name.with.many.parts+and-a-word@mail.example.org"


def values(reason: str = "taken", games: str = "g1 british\ng12 french") -> dict[str, str]:
    return {
        "deeds": "\n".join(f"{word} {ADDRESS}" for word in WISHES),
        "done": "\n".join(f"{word} {ADDRESS} g4" for word in OUTCOMES),
        "name": "Ann B. O'Neil",
        "address": ADDRESS,
        "addresses": f"{ADDRESS}\nann@example.org",
        "games": games,
        "faults": "2\tchallenge\t“edtion” is nothing that can be said of a challenge.\n3\t\tThe clock cannot be read.",
        "open": f"3\tAnn\tedition 2 as French clock 5d\t2031-03-01\t{HASH}\n4\t\tclock none\t2031-03-01\t{HASH}",
        "played": "\n".join(
            f"g{n}\tfrench\tBen\t7\t{stands}\t{more}\tEurope/Berlin"
            for n, (stands, more) in enumerate(
                [
                    ("yours", "2031-03-01T12:00:00+00:00"),
                    ("theirs", ""),
                    ("paused", ""),
                    ("won", "40 30"),
                    ("lost", "30 40"),
                    ("drawn", "40 40"),
                ]
            )
        ),
        "offered": f"3\tAnn\tedition 2 as French clock 5d\t2031-03-01\t{HASH}",
        "asks": "games\nchallenges",
        "reason": reason,
        "why": "draft Militia\npass; raid Deerfield",
        "by_moderator": "yes",
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
        told = {"deeds": f"{word} {ADDRESS}", "done": f"{word} 3 g4"}
        text = render(reports.desk(kind, **told)).text
        assert re.search(r"\n\s+-\s\S", text), (kind, word)


def test_the_mail_to_strangers_holds_no_order():
    assert_inert(render(reports.stranger()).text)
