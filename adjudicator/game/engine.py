"""The rules in three questions: who decides, what may he do, and what comes of it.

State in, state out; the same arguments give the same result. `apply` accepts what `legal_actions` lists, and
nothing else.
"""

from collections.abc import Collection

from adjudicator.errors import IllegalAction, NotYourDecision
from adjudicator.game import turn_start
from adjudicator.game.actions import ANSWERS, FREE, Action, Done
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.kinds import ANSWERED_BY, RULES, listers
from adjudicator.game.model import (
    MayBlock,
    MayExchange,
    MaySettle,
    MustDiscard,
    MustGive,
    MustLose,
    MustStartWith,
    Question,
    Side,
    State,
    replace,
)
from adjudicator.game.setup import new_game
from adjudicator.game.table import Step, table

__all__ = ["ANSWERED_BY", "Step", "apply", "begin", "check", "decider", "legal_actions", "new_game"]


_RULE_OF_QUESTION: dict[type[Question], str] = {
    MaySettle: "S8.12",
    MustLose: "S8.14",
    MayBlock: "S9.7",
    MustGive: "S10.3",
    MayExchange: "V5",
    MustStartWith: "V13",
    MustDiscard: "V0",
}


def decider(state: State) -> Side | None:
    """Who has to decide now; None when the game is over."""
    return state.question.to if state.question else state.to_move


def begin(rules: Rules, state: State) -> Step:
    """Begin the turn if it has not begun: points-end check, siege check, perhaps a question.

    A begun turn, an open question or a finished game is returned as it is.
    Source: S3.1.
    """
    return Step(state) if _begun(state) else turn_start.begin_turn(rules, state)


def _begun(state: State) -> bool:
    """Whether there is no turn left to begin: it has begun, a question is open, or the game is over."""
    turn = state.open
    return bool((turn and turn.siege_checked) or state.question or state.to_move is None)


def legal_actions(rules: Rules, state: State, only: Collection[type[Action]] | None = None) -> tuple[Action, ...]:
    """All that the decider may do, each once per set of cards; of the kinds `only` if given.

    At the border of two turns: what he may do once his turn has begun. Empty only when the game is over.
    """
    if not _begun(state):
        state = turn_start.begin_turn(rules, state).state
    side = decider(state)
    if side is None:
        return ()
    found = listers(rules, state, state.players.of(side))
    if len(found) == 1 and Done in found and only is None:
        return (Done(),)
    t = table(rules, state, side)
    listed: list[Action] = []
    for listing in found.values() if only is None else [found[kind] for kind in found if kind in only]:
        listed += listing(t)
    return tuple(listed)


def check(rules: Rules, state: State, side: Side, action: Action) -> None:
    """Refuse an action that `apply` would refuse.

    Raises: NotYourDecision, IllegalAction.
    """
    state = begin(rules, state).state
    _need_turn(state, side, action)
    RULES[type(action)].check(table(rules, state, side), action)


def _rule_of(question: Question) -> str:
    """The rule by which a question has to be answered."""
    if isinstance(question, MayBlock) and question.attack == "ambush":
        return "S10.2"
    if isinstance(question, MustGive) and question.cause != "ambush":
        return "S11.1"
    return _RULE_OF_QUESTION[type(question)]


def _need_turn(state: State, side: Side, action: Action) -> None:
    """Refuse what comes from the wrong side, in place of an answer, or after the last action."""
    kind = type(action)
    if decider(state) != side:
        if state.to_move is None:
            raise NotYourDecision("The game is over.", rule="S15.1")
        rule = "S3.5" if kind in FREE else "S3.1"
        raise NotYourDecision("It is not your turn to decide.", rule=rule)
    question = state.question
    if question:
        if kind not in ANSWERED_BY[type(question)]:
            rule = "S3.5" if kind in FREE else _rule_of(question)
            raise IllegalAction("A question has to be answered first.", rule=rule)
        return
    if kind in ANSWERS:
        rule = next(_RULE_OF_QUESTION[asked] for asked, kinds in ANSWERED_BY.items() if kind in kinds)
        raise IllegalAction("There is no question that this answers.", rule=rule)
    if kind not in FREE and kind is not Done and not (state.open and state.open.actions_left):
        rule = "S3.2" if state.turn <= turn_start.FIRST_TURNS else "S3.1"
        raise IllegalAction("You have no action left this turn.", rule=rule)


def apply(rules: Rules, state: State, side: Side, action: Action, chance: Chance) -> Step:
    """Carry one action out; at the border of two turns the turn begins first.

    Raises: NotYourDecision, IllegalAction (with the first broken rule).
    """
    begun = begin(rules, state)
    state = begun.state
    _need_turn(state, side, action)
    t = table(rules, state, side)
    rule = RULES[type(action)]
    rule.check(t, action)
    kind = type(action)
    if kind not in FREE and kind not in ANSWERS and kind is not Done:
        assert state.open
        state = replace(state, open=replace(state.open, actions_left=state.open.actions_left - 1))
        t = replace(t, state=state)
    step = rule.do(t, action, chance)
    return Step(step.state, begun.events + step.events) if begun.events else step
