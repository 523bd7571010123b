"""Every kind of mail that the service writes, about positions of games played at random."""

import random
from collections.abc import Iterator

import msgspec

from adjudicator import reports
from adjudicator.errors import IllegalAction, UnknownName
from adjudicator.game import events as ev
from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.facts import CARDS
from adjudicator.game.model import SIDES
from adjudicator.orders import name
from adjudicator.render import render
from adjudicator.reports.heard import Heard
from adjudicator.reports.position import Situation

DULL = {"Pass", "Discard", "Withdraw", "Govern"}
"""Legal nearly always: chosen only if there is little else, or random games would be about nothing else."""


def lively(actions, chosen):
    kinds = sorted({type(action).__name__ for action in actions})
    kinds = [kind for kind in kinds if kind not in DULL] or kinds
    kind = chosen.choice(kinds)
    return chosen.choice([action for action in actions if type(action).__name__ == kind])


def play(seed, length, rules):
    """The positions of a random game, each with all events up to it."""
    chosen = random.Random(seed)
    chance = seeded(bytes([seed]) * 32)
    step = new_game(rules, chance)
    state, events = step.state, list(step.events)
    positions = [(state, tuple(events))]
    for _ in range(length):
        side = decider(state)
        if side is None:
            break
        step = apply(rules, state, side, lively(legal_actions(rules, state), chosen), chance)
        state = step.state
        events += step.events
        positions.append((state, tuple(events)))
    return positions


OVER = ev.GameOver("british", "siege-of-capital", "british", ev.Score(30, 4, 34), ev.Score(20, 0, 20))
HOSTILE = (
    "draft Militia", "hello; draft Militia", "1. pass", "* raid Boston with priest", "on raid: no block",
    "help", "x" * 500,
    "settle Deerfield from New Haven with St. Mary's, Philadelphia; and so on and so forth",
    "> done", "priest", "press: hello", "the board", "if blocked: draft Militia",
)  # fmt: skip


def refusals(chosen):
    text = chosen.choice(HOSTILE)
    refused = [
        UnknownName("There is no card called “{w}”.", line=3, text=text, span=(6, 12), w="x",
                    choices=("Priest", "Trader")),
        IllegalAction(
            "That cannot be.", rule="S8.11", line=4, text=text,
            choices=("home support", "raid Deerfield with Coureurs de Bois, neutral Native Americans, Priest",
                     "pass"),
        ),
    ]  # fmt: skip
    return [refusal.value for refusal in refused]


def joined(chosen):
    """What a joined answer may tell of letters."""
    at = "2031-01-05T18:00:00+00:00"
    kinds = "stale forecast same-id resign-asked nothing-to-confirm status board history rules help answer"
    yield from ({"at": at, "kind": kind} for kind in kinds.split())
    yield {"at": at, "kind": "answer", "refused": [msgspec.to_builtins(one) for one in refusals(chosen)]}
    yield {"at": at, "kind": "answer", "noted": ["press", "standing"]}
    yield {"at": at, "kind": "press", "text": "\n".join((*HOSTILE, "word " * 40 + "draft Militia " * 9))}


def heard_of(chosen):
    """How the lines of some mail may have been taken."""
    lines = [tuple((n, text) for n, text in enumerate(chosen.sample(HOSTILE, 5), 1)) for _ in range(3)]
    files = tuple(chosen.sample((*HOSTILE, "", "to-draft Militia.txt", "a/draft Militia", "draft  Québec; pass"), 3))
    return Heard(
        *lines,
        quoted=chosen.choice((0, 1, 40)),
        signed=chosen.choice((0, 1, 3)),
        files=files,
        subject=chosen.random() < 0.5,
    )


def standing_of(chosen, side):
    """The text of standing orders that name cards at random; "" now and then."""
    names = [name(side, card) for card in chosen.sample(sorted(CARDS[side]), 5)]
    listed = ", ".join(names)
    lines = (
        f"on raid: block with {listed}\non raid at Boston: no block\non raid at Quebec: block with location, {listed}",
        f"on ambush: block vulnerable with {listed}\non ambush: give {listed} from reserve first",
        f"on priest: give from hand\non siege lost: lose {listed}\non reshuffle: discard {listed}",
        f"on siege won: settle with {listed}\non surrender: no settle",
    )
    return "\n".join(chosen.sample(lines, chosen.randrange(len(lines) + 1)))


ABOUT = ("remind", "silence", "grace", "out", "may-claim", "last-call", "last-call-other", "passed", "answered")


def report_mails(here, events, chosen):
    """Every kind of mail about one position."""
    heard = heard_of(chosen)
    yield reports.welcome(here, "ab" * 32)
    yield reports.telling(reports.turn_report(here, events, noted=["note", "unknown-here"]), heard=heard.told())
    answer = reports.answer(here, events=events, applied=["pass"], refused=refusals(chosen),
                            not_tried=chosen.sample(HOSTILE, 5), noted=["press", "standing"])  # fmt: skip
    yield reports.telling(answer, heard=heard.told())
    yield reports.answer(here, events=events, applied=["pass", "draft Militia"], forecast=True)
    yield reports.telling(reports.stale(here, 2), heard=heard.told())
    yield reports.notice("press", here.game, text="\n".join((*HOSTILE, "word " * 40 + "draft Militia " * 9)))
    looks = "2031-01-05T18:00:00+00:00 " + " ".join(HOSTILE)
    said = {"why": "\n".join(HOSTILE), "looks": looks}
    yield reports.game_over(here, events, over=OVER, seed="cd" * 32, commitment="ab" * 32, **said)
    yield reports.game_over(
        here, events, over=OVER, seed="cd" * 32, commitment="ab" * 32, resent="yes", attached=True, **said
    )
    yield reports.turn_report(here, events, noted=["resent"])
    yield reports.back(here, "moderator", "\n".join(HOSTILE), "yes")
    yield reports.back(here, "agreement")
    yield reports.again(here)
    for about in ABOUT:
        yield reports.about_time(here, about, events, late="yes")
    yield reports.takeover(here, events, "ab" * 32)
    yield reports.joined(here, list(joined(chosen)), 7)
    yield reports.telling(reports.status(here), heard=heard.told())
    yield reports.telling(reports.board(here), heard=heard.told())
    deeds = "2031-01-05T18:00:00+00:00 took the game back"
    yield reports.telling(reports.history(here, events, deeds), heard=heard.told())
    yield reports.telling(reports.help_page("g17"), heard=heard.told())


def plain_mails():
    yield reports.stranger()
    yield reports.help_page("g17")
    for word in (
        "raid",
        "S8.11",
        "home support",
        "no such word",
        "Militia",
        "Military Leader",
        "Boston",
        "settle",
        "draft Militia; pass",
    ):
        yield reports.rules_page(word, "g17")
    values = {"sender": "x@example.org", "who": "Anna", "what": "a remark", "name": "g99", "why": "holidays",
              "deadline": "2031-01-05T18:00:00+00:00", "text": "draft Militia; pass", "fault": "KeyError",
              "number": "3", "address": "x@example.org", "status": "5.1.1", "position": "12",
              "offer": "takeback", "turn": "7", "own": "", "by": "offerer", "reason": "soon", "whole": "yes",
              "house": "", "until": "2031-01-05T18:00:00+00:00", "zone": "UTC", "mover": "french", "whose": "british",
              "first": "2031-01-05", "last": "2031-01-09", "policy": "loss", "left": "5d",
              "spec": "10d+1d/14d weekends", "before": "", "after": "", "side": "french",
              "mine": "True", "late": "yes"}  # fmt: skip
    for kind in reports.NoticeKind.__args__:
        yield reports.notice(kind, "g17", **values)


def our_mails(chosen: random.Random, length: int = 200) -> Iterator[tuple[str, str]]:
    """Texts of all kinds of mails over positions of a random game, each with the name of its template."""
    found = [*plain_mails()]
    for state, events in play(chosen.randrange(256), length, rules_for())[::20]:
        side = chosen.choice(SIDES)
        here = Situation("g17", side, rules_for(), state, opponent="Anna Example", standing=standing_of(chosen, side))
        found += report_mails(here, events[-40:], chosen)
    for report in found:
        yield report.template, render(report).text
