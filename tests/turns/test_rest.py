"""What waits for the other side's answer comes to the same as if no answer had been waited for."""

import pytest
from test_conditional_orders import AMBUSH, BLOCKER, NOTHING, RAID, VULNERABLE, played, position

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply
from adjudicator.game.model import replace
from adjudicator.orders import NOTHING_SAID, answer, read_again, read_standing
from adjudicator.turns import NO_STANDING, play

ASKED = NO_STANDING.put("british", read_standing("on raid: ask me\non ambush: ask me\non priest: ask me", "british"))
HAND = ("coureurs-de-bois", "native-americans", "coureurs-de-bois", "priest", "trader")


def asked_first(state, lines):
    """The outcomes of a mail whose other side is asked again and again, and says what it would say by default."""
    rules, chance = rules_for(2), seeded(SILENT)
    outcomes = [played(state, *lines, standing=ASKED)]
    events = [*outcomes[0].events]
    while (question := outcomes[-1].question) and question.to == "british":
        action = answer(rules, outcomes[-1].state, NOTHING_SAID)
        step = apply(rules, outcomes[-1].state, "british", action, chance)
        events += step.events
        if step.state.question and step.state.question.to == "british":
            outcomes[-1] = replace(outcomes[-1], state=step.state, question=step.state.question)
            continue
        reading = read_again(outcomes[-1].rest, "french")
        outcomes.append(play(rules, step.state, "french", reading, chance, ASKED, earlier=tuple(events)))
        events += outcomes[-1].events
    return outcomes


def told(outcomes):
    return sorted((one.text, one.why) for outcome in outcomes for one in outcome.disarmed)


MAILS = [
    (RAID, "done"),
    (RAID, "draft Militia"),
    ("pass", RAID),
    ("pass", RAID, "stop"),
    (RAID, "if blocked: draft Trader", "otherwise: draft Militia"),
    (RAID, "if not blocked: done", "draft Trader"),
    (RAID, "if not blocked: stop", "if blocked: draft Trader"),
    (RAID, "if illegal: draft Ships", "if blocked: draft Trader", "done"),
    ("draft Ships", f"if illegal: {RAID}", "if blocked: draft Trader", "if not blocked: pass"),
    ("draft Ships", f"if illegal: {RAID}", "otherwise: draft Trader", "done"),
    (RAID, f"if blocked: {AMBUSH}", "if not blocked: draft Militia"),
    (RAID, f"if not blocked: {AMBUSH}", "if blocked: draft Militia", "done"),
    (RAID, f"if not blocked: {AMBUSH}", "otherwise: draft Militia"),
    (RAID, f"if blocked: {AMBUSH}", "if hand shown: leader Pemaquid", "done"),
    (RAID, AMBUSH, "done"),
    (AMBUSH, "if hand shown: draft Militia", "otherwise: draft Trader"),
    (AMBUSH, "if blocked: draft Militia", "if not blocked: draft Trader", "done"),
    (AMBUSH, "if hand shown: done", "if not blocked: draft Trader"),
]


@pytest.mark.parametrize("victim", [BLOCKER, NOTHING, VULNERABLE])
@pytest.mark.parametrize("lines", MAILS, ids=" / ".join)
def test_a_mail_that_waits_comes_to_the_same(victim, lines):
    state = position(victim, hand=HAND, money=2)
    at_once = played(state, *lines)
    outcomes = asked_first(state, lines)
    last = outcomes[-1]
    assert len(outcomes) > 1
    assert last.state == at_once.state
    assert sum((outcome.applied for outcome in outcomes), ()) == at_once.applied
    assert told(outcomes) == told([at_once])
    assert [one.template for one in last.refused] == [one.template for one in at_once.refused]
    assert last.not_tried == at_once.not_tried


def test_what_cannot_count_any_more_is_told_at_once():
    outcome = played(position(NOTHING), RAID, "if illegal: draft Militia", "done", standing=ASKED)
    assert told([outcome]) == [("if illegal: draft Militia", "The order before it was legal.")]
    assert [one.text for one in outcome.rest] == ["done"]
    assert outcome.not_tried == ()
