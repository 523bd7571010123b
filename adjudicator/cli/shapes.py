"""The JSON that commands print about positions (contract section 5)."""

from typing import Any

import msgspec

from adjudicator.game.edition import Rules
from adjudicator.game.engine import legal_actions
from adjudicator.game.events import GameOver
from adjudicator.game.model import SIDES, State
from adjudicator.orders import Reading, write
from adjudicator.turns import Outcome

JsonObject = dict[str, Any]  # Any: JSON


def position_json(state: State, *, full: bool = True) -> JsonObject:
    """Return a STATE; without `full` hands and decks are counts, and pledges are left out."""
    shown: JsonObject = msgspec.to_builtins(state)
    if full:
        return shown
    shown.pop("pledged", None)
    for side in SIDES:
        player = shown["players"][side]
        player.update({zone: len(player[zone]) for zone in ("hand", "deck")})
    if "drawn" in shown.get("question", {}):
        shown["question"]["drawn"] = len(shown["question"]["drawn"])
    return shown


def question_json(rules: Rules, state: State, *, full: bool = True) -> JsonObject | None:
    """Return the open question with every answer as a canonical order, or without `full` their number."""
    question = state.question
    if question is None:
        return None
    choices = [write(action, question.to) for action in legal_actions(rules, state)]
    kind = str(type(question).__struct_config__.tag)
    return {"to": question.to, "kind": kind, "choices": choices if full else len(choices)}


def over_json(over: GameOver | None) -> JsonObject | None:
    """Return the end of a game."""
    if over is None:
        return None
    scores = {"british": over.british, "french": over.french}
    return {"winner": over.winner, "reason": over.reason, "scores": msgspec.to_builtins(scores)}


def outcome_json(rules: Rules, outcome: Outcome, reading: Reading) -> JsonObject:
    """Return what `position try` prints; orders that did not count, or are for the next turn, only if there are any."""
    more = {
        "disarmed": msgspec.to_builtins(outcome.disarmed),
        "ahead": [] if reading.refused else [order.text for order in reading.ahead],
    }
    return {
        "applied": list(outcome.applied),
        "events": msgspec.to_builtins(outcome.events),
        "refused": [
            {
                "line": refused.line,
                "text": refused.text,
                "code": refused.code,
                "message": refused.message,
                "rule": refused.rule,
                "choices": list(refused.choices),
            }
            for refused in outcome.refused
        ],
        "not_tried": list(outcome.not_tried),
        "ignored": [text for _, text in reading.ignored],
        "question": question_json(rules, outcome.state),
        "over": over_json(outcome.over),
        "position": position_json(outcome.state),
        **{name: told for name, told in more.items() if told},
    }
