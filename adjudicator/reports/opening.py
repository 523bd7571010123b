"""How the reader's turn will begin, told without what the opponent keeps secret."""

from adjudicator.game import engine
from adjudicator.game.actions import Action, NoExchange, NoSettle, SettleWon
from adjudicator.game.edition import Rules
from adjudicator.game.events import Event, SiegeWon
from adjudicator.game.model import Pledge, Side, State, other, replace
from adjudicator.game.sieges import losable
from adjudicator.game.turn_start import winning


def opening(rules: Rules, state: State, side: Side) -> tuple[State, tuple[Event, ...]]:
    """The position in which `side` acts, and what the siege check will bring before that.

    At the border before his turn that is the position after the siege check, or at its first question. Which card
    the opponent has named as his loss is not known before: any of them stands for it here, so neither the
    position's piles nor the events tell it. Any other position is returned as it is.
    Source: S3.1, S8.11; hidden_information of the rules.
    """
    if state.question or state.open or state.to_move != side:
        return state, ()
    named = []
    for attacker, siege in winning(state, side):
        choices = losable(siege, attacker, other(side))
        if choices:
            named.append(Pledge(attacker, choices[0]))
    step = engine.begin(rules, replace(state, pledged={other(side): tuple(named)}))
    return step.state, tuple(
        replace(event, returned=None) if isinstance(event, SiegeWon) else event for event in step.events
    )


def possible(rules: Rules, state: State, side: Side, *, at_once: bool) -> tuple[Action, ...]:
    """All that `side` may order in a position that `opening` gave; nothing if the other side has to decide.

    Unless he has to answer `at_once`, the answers to the questions that begin his turn are followed by what is
    possible after them, each question taken as answered by its default.
    Source: contract, how a mail is applied, point 7.
    """
    if engine.decider(state) != side:
        return ()
    legal = engine.legal_actions(rules, state)
    if at_once or not state.question:
        return legal
    default = next((action for action in _DEFAULTS if action in legal), None)
    if default is None:
        return legal
    answered = engine.apply(rules, state, side, default, _no_chance).state
    return legal + possible(rules, answered, side, at_once=False)


_DEFAULTS: tuple[Action, ...] = (SettleWon(), NoSettle(), NoExchange())
"""What an unsaid answer at the start of the own turn is taken for, the first that is legal."""


def _no_chance(number: int, pile: tuple[str, ...]) -> tuple[str, ...]:
    raise AssertionError(f"shuffle {number} of {len(pile)} cards: no default answer draws")
