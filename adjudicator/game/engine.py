"""The rules in three questions: who decides, what may he do, and what comes of it.

State in, state out; the same arguments give the same result. `apply` accepts exactly what `legal_actions` lists.
"""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Any, Literal

import msgspec

from adjudicator.errors import IllegalAction, NotYourDecision
from adjudicator.game import cards, expansion, finance, raids, setup, sieges, turn
from adjudicator.game.actions import (
    ANSWERS,
    FREE,
    Action,
    Ambush,
    Besiege,
    Block,
    Develop,
    Discard,
    DiscardDrawn,
    Done,
    Draft,
    Drop,
    Exchange,
    Fortify,
    Give,
    Govern,
    HomeSupport,
    IndianLeader,
    Intendant,
    Leader,
    Lose,
    Merchant,
    NoBlock,
    NoExchange,
    NoSettle,
    Pass,
    Piracy,
    Priest,
    Raid,
    Reinforce,
    Reserve,
    Retrieve,
    SellFur,
    Settle,
    SettleWon,
    StartWith,
    TakeMoney,
    Trade,
    Withdraw,
)
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
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
from adjudicator.game.table import MEMORY, Step, Table, table

__all__ = ["Step", "apply", "begin", "check", "decider", "legal_actions", "new_game"]


class Rule(msgspec.Struct, frozen=True):
    """One kind of action: refuse it, list it, carry it out.

    There is none to list without one of `cards` in hand, without a `siege` or a `reserve` if it is about these, or if
    `variant` (a field of Rules) is off.
    """

    check: Callable[[Table, Any], None]
    list: Callable[[Table], Iterable[Action]]
    do: Callable[[Table, Any, Chance], Step]
    cards: frozenset[str] | None = None
    siege: bool = False
    reserve: bool = False
    variant: Literal["free_fur_money", "drop_lost_locations"] | None = None


RULES: dict[type[Action], Rule] = {
    Settle: Rule(expansion.check_settle, expansion.list_settle, expansion.do_settle),
    Develop: Rule(expansion.check_develop, expansion.list_develop, expansion.do_develop),
    Fortify: Rule(expansion.check_fortify, expansion.list_fortify, expansion.do_fortify, frozenset(expansion.FORTIFICATIONS)),
    Besiege: Rule(sieges.check_besiege, sieges.list_besiege, sieges.do_besiege),
    Reinforce: Rule(sieges.check_reinforce, sieges.list_reinforce, sieges.do_reinforce, siege=True),
    Leader: Rule(sieges.check_leader, sieges.list_leader, sieges.do_leader, frozenset({sieges.LEADER}), siege=True),
    Raid: Rule(raids.check_raid, raids.list_raid, raids.do_raid, raids.RAIDERS),
    Ambush: Rule(raids.check_ambush, raids.list_ambush, raids.do_ambush, raids.AMBUSHERS),
    Priest: Rule(raids.check_taker, raids.list_taker, raids.do_taker, frozenset(raids.TAKERS.values())),
    IndianLeader: Rule(raids.check_taker, raids.list_taker, raids.do_taker),
    TakeMoney: Rule(finance.check_money, finance.list_money, finance.do_money),
    Merchant: Rule(finance.check_merchant, finance.list_merchant, finance.do_merchant),
    Trade: Rule(finance.check_trade, finance.list_trade, finance.do_trade, frozenset({finance.TRADER})),
    Piracy: Rule(finance.check_piracy, finance.list_piracy, finance.do_piracy, frozenset({finance.PIRACY_PORT})),
    Draft: Rule(cards.check_draft, cards.list_draft, cards.do_draft),
    Discard: Rule(cards.check_discard, cards.list_discard, cards.do_discard),
    Reserve: Rule(cards.check_reserve, cards.list_reserve, cards.do_reserve),
    Retrieve: Rule(cards.check_retrieve, cards.list_retrieve, cards.do_retrieve, reserve=True),
    Govern: Rule(cards.check_govern, cards.list_govern, cards.do_govern, frozenset({cards.GOVERNOR})),
    Intendant: Rule(cards.check_intendant, cards.list_intendant, cards.do_intendant, frozenset({cards.INTENDANT})),
    HomeSupport: Rule(cards.check_home_support, cards.list_home_support, cards.do_home_support, frozenset({cards.HOME_SUPPORT})),
    Withdraw: Rule(sieges.check_withdraw, sieges.list_withdraw, sieges.do_withdraw, siege=True),
    SellFur: Rule(finance.check_sell, finance.list_sell, finance.do_sell, variant="free_fur_money"),
    Drop: Rule(cards.check_drop, cards.list_drop, cards.do_drop, variant="drop_lost_locations"),
    Pass: Rule(cards.check_pass, cards.list_pass, cards.do_pass),
    Done: Rule(turn.check_done, turn.list_done, turn.do_done),
    SettleWon: Rule(turn.check_settle_won, turn.list_settle_won, turn.do_settle_won),
    NoSettle: Rule(cards.check_pass, turn.list_settle_won, turn.do_no_settle),
    Lose: Rule(turn.check_lose, turn.list_lose, turn.do_lose),
    Block: Rule(raids.check_block, raids.list_block, raids.do_block),
    NoBlock: Rule(cards.check_pass, raids.list_block, raids.do_no_block),
    Give: Rule(raids.check_give, raids.list_give, raids.do_give),
    Exchange: Rule(turn.check_exchange, turn.list_exchange, turn.do_exchange),
    NoExchange: Rule(cards.check_pass, turn.list_exchange, turn.do_no_exchange),
    StartWith: Rule(setup.check_start_with, setup.list_start_with, setup.do_start_with),
    DiscardDrawn: Rule(turn.check_penalty, turn.list_penalty, turn.do_penalty),
}

ANSWERED_BY: dict[type[Question], tuple[type[Action], ...]] = {
    MaySettle: (SettleWon, NoSettle),
    MustLose: (Lose,),
    MayBlock: (Block, NoBlock),
    MustGive: (Give,),
    MayExchange: (Exchange, NoExchange),
    MustStartWith: (StartWith,),
    MustDiscard: (DiscardDrawn,),
}

_RULE_OF_QUESTION: dict[type[Question], str] = {
    MaySettle: "S8.12",
    MustLose: "S8.14",
    MayBlock: "S9.7",
    MustGive: "S10.3",
    MayExchange: "V5",
    MustStartWith: "V13",
    MustDiscard: "V0",
}

_FREE = set(FREE)
_ANSWERS = set(ANSWERS)
# Priest and Indian Leader share a lister, as the hand tells which one it is; the same goes for two answers' pairs.
_LISTED = [kind for kind in RULES if kind not in _ANSWERS and kind not in (Done, IndianLeader)]
_LISTED_FREE = [kind for kind in _LISTED if kind in _FREE]


def decider(state: State) -> Side | None:
    """Who has to decide now; None when the game is over."""
    return state.question.to if state.question else state.to_move


def begin(rules: Rules, state: State) -> Step:
    """Begin the turn if it has not begun: points-end check, siege check, perhaps a question.

    A begun turn, an open question or a finished game is returned as it is.
    Source: S3.1.
    """
    if state.to_move is None or state.question or (state.open and state.open.siege_checked):
        return Step(state)
    return turn.begin(rules, state)


def legal_actions(
    rules: Rules, state: State, only: Collection[type[Action]] | None = None
) -> tuple[Action, ...]:
    """All that the decider may do, each once per set of cards; of the kinds `only` if given.

    At the border of two turns: what he may do once his turn has begun. Empty only when the game is over.
    """
    state = begin(rules, state).state
    side = decider(state)
    if side is None:
        return ()
    kinds = _kinds(rules, state, side)
    if only is not None:
        kinds = tuple(kind for kind in kinds if kind in only)
    if kinds == (Done,):
        return (Done(),)
    t = table(rules, state, side)
    listed: list[Action] = []
    for kind in kinds:
        listed.extend(RULES[kind].list(t))
    return tuple(listed)


def _kinds(rules: Rules, state: State, side: Side) -> tuple[type[Action], ...]:
    """The kinds of action that may be found: answers, or free actions and, while there are any left, actions."""
    if state.question:
        return ANSWERED_BY[type(state.question)][:1]
    me = state.players.of(side)
    circumstances = (
        state.open is not None and state.open.actions_left > 0,
        state.sieges.british is not None or state.sieges.french is not None,
        len(me.reserve) > 0,
        rules.free_fur_money,
        rules.drop_lost_locations,
    )
    return _kinds_of(me.hand, circumstances)


@lru_cache(maxsize=MEMORY)
def _kinds_of(
    hand: tuple[str, ...], circumstances: tuple[bool, bool, bool, bool, bool]
) -> tuple[type[Action], ...]:
    """The kinds that a hand may allow; the circumstances are those of `_kinds`."""
    actions, siege, reserve, *variants = circumstances
    on = dict(zip(("free_fur_money", "drop_lost_locations"), variants, strict=True))

    def possible(rule: Rule) -> bool:
        return (
            (rule.cards is None or not rule.cards.isdisjoint(hand))
            and siege >= rule.siege
            and reserve >= rule.reserve
            and (rule.variant is None or on[rule.variant])
        )

    listed = _LISTED if actions else (*_LISTED_FREE, Done)
    return tuple(kind for kind in listed if possible(RULES[kind]))


def check(rules: Rules, state: State, side: Side, action: Action) -> None:
    """Refuse an action that is not legal now for this side, in a turn that has begun.

    Raises: NotYourDecision, IllegalAction.
    """
    _need_turn(state, side, action)
    RULES[type(action)].check(table(rules, state, side), action)


def _need_turn(state: State, side: Side, action: Action) -> None:
    """Refuse what comes from the wrong side, in place of an answer, or after the last action."""
    kind = type(action)
    if decider(state) != side:
        if state.to_move is None:
            raise NotYourDecision("The game is over.", rule="S15.1")
        rule = "S3.5" if kind in _FREE else "S3.1"
        raise NotYourDecision("It is not your turn to decide.", rule=rule)
    question = state.question
    if question:
        if kind not in ANSWERED_BY[type(question)]:
            rule = _RULE_OF_QUESTION[type(question)]
            raise IllegalAction("A question has to be answered first.", rule=rule)
        return
    if kind in _ANSWERS:
        raise IllegalAction("There is no question that this answers.", rule="S3.1")
    if kind not in _FREE and kind is not Done and not (state.open and state.open.actions_left):
        rule = "S3.2" if state.turn <= turn.FIRST_TURNS else "S3.1"
        raise IllegalAction("You have no action left this turn.", rule=rule)


def apply(rules: Rules, state: State, side: Side, action: Action, chance: Chance) -> Step:
    """Carry one action out; at the border of two turns the turn begins first.

    Raises: NotYourDecision, IllegalAction (with the first broken rule); the state is a value and stays as it is.
    """
    begun = begin(rules, state)
    state = begun.state
    _need_turn(state, side, action)
    t = table(rules, state, side)
    rule = RULES[type(action)]
    rule.check(t, action)
    kind = type(action)
    if kind not in _FREE and kind not in _ANSWERS and kind is not Done:
        assert state.open
        state = replace(state, open=replace(state.open, actions_left=state.open.actions_left - 1))
        t = replace(t, state=state)
    step = rule.do(t, action, chance)
    if begun.events:
        return Step(step.state, begun.events + step.events)
    return step
