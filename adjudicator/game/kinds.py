"""Each kind of action: how it is refused, listed and carried out, and what it cannot be without."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

import msgspec

from adjudicator.game import (
    cards,
    expansion,
    finance,
    giving,
    raids,
    setup,
    siege_end,
    sieges,
    turn_end,
    turn_start,
)
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
    Player,
    Question,
    State,
)
from adjudicator.game.table import Step, Table


class Rule(msgspec.Struct, frozen=True):
    """One kind of action: refuse it, list it, carry it out.

    There is none to list without one of `cards` in hand, without a `siege` or a `reserve` that can be paid for if
    it is about these, or if `variant` (a field of Rules) is off.
    """

    check: Callable[[Table, Any], None]
    list: Callable[[Table], Iterable[Action]]
    do: Callable[[Table, Any, Chance], Step]
    cards: frozenset[str] | None = None
    siege: bool = False
    reserve: bool = False
    variant: Literal["free_fur_money", "drop_lost_locations"] | None = None


def _allow(_t: Table, _action: Action) -> None:
    """Refuse nothing: what may always be done when it is asked for (S14.1; an answer that declines)."""


def _always(action: Action) -> Callable[[Table], Iterable[Action]]:
    """The lister of an action that is always possible and has only one form."""
    only = (action,)
    return lambda _t: only


RULES: dict[type[Action], Rule] = {
    Settle: Rule(expansion.check_settle, expansion.list_settle, expansion.do_settle),
    Develop: Rule(expansion.check_develop, expansion.list_develop, expansion.do_develop),
    Fortify: Rule(
        expansion.check_fortify,
        expansion.list_fortify,
        expansion.do_fortify,
        frozenset(expansion.FORTIFICATIONS),
    ),
    Besiege: Rule(sieges.check_besiege, sieges.list_besiege, sieges.do_besiege),
    Reinforce: Rule(sieges.check_reinforce, sieges.list_reinforce, sieges.do_reinforce, siege=True),
    Leader: Rule(sieges.check_leader, sieges.list_leader, sieges.do_leader, frozenset({sieges.LEADER}), siege=True),
    Raid: Rule(raids.check_raid, raids.list_raid, raids.do_raid, raids.RAIDERS),
    Ambush: Rule(raids.check_ambush, raids.list_ambush, raids.do_ambush, raids.AMBUSHERS),
    Priest: Rule(giving.check_taker, giving.list_priest, giving.do_taker, frozenset({"priest"})),
    IndianLeader: Rule(giving.check_taker, giving.list_indian_leader, giving.do_taker, frozenset({"indian-leader"})),
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
    HomeSupport: Rule(
        cards.check_home_support,
        cards.list_home_support,
        cards.do_home_support,
        frozenset({cards.HOME_SUPPORT}),
    ),
    Withdraw: Rule(siege_end.check_withdraw, siege_end.list_withdraw, siege_end.do_withdraw, siege=True),
    SellFur: Rule(finance.check_sell, finance.list_sell, finance.do_sell, variant="free_fur_money"),
    Drop: Rule(cards.check_drop, cards.list_drop, cards.do_drop, variant="drop_lost_locations"),
    Pass: Rule(_allow, _always(Pass()), cards.do_pass),
    Done: Rule(turn_end.check_done, turn_end.list_done, turn_end.do_done),
    SettleWon: Rule(turn_start.check_settle_won, turn_start.list_settle_won, turn_start.do_settle_won),
    NoSettle: Rule(_allow, _always(NoSettle()), turn_start.do_no_settle),
    Lose: Rule(turn_end.check_lose, turn_end.list_lose, turn_end.do_lose),
    Block: Rule(raids.check_block, raids.list_block, raids.do_block),
    NoBlock: Rule(_allow, _always(NoBlock()), raids.do_no_block),
    Give: Rule(giving.check_give, giving.list_give, giving.do_give),
    Exchange: Rule(turn_start.check_exchange, turn_start.list_exchange, turn_start.do_exchange),
    NoExchange: Rule(_allow, _always(NoExchange()), turn_start.do_no_exchange),
    StartWith: Rule(setup.check_start_with, setup.list_start_with, setup.do_start_with),
    DiscardDrawn: Rule(turn_end.check_penalty, turn_end.list_penalty, turn_end.do_penalty),
}

ANSWERED_BY: dict[type[Question], tuple[type[Action], ...]] = {
    MaySettle: (NoSettle, SettleWon),
    MustLose: (Lose,),
    MayBlock: (NoBlock, Block),
    MustGive: (Give,),
    MayExchange: (NoExchange, Exchange),
    MustStartWith: (StartWith,),
    MustDiscard: (DiscardDrawn,),
}

_LISTED = [kind for kind in RULES if kind not in ANSWERS and kind is not Done]
_LISTED_FREE = [kind for kind in _LISTED if kind in FREE]


Lister = Callable[[Table], Iterable[Action]]
Listers = dict[type[Action], Lister]


def listers(rules: Rules, state: State, me: Player) -> Listers:
    """How to list each kind of action that may be found: answers, or free actions and, while any are left, actions."""
    if state.question:
        return _LISTERS_OF_ANSWERS[type(state.question)]
    marks = 0
    for card in me.hand:
        if card in _MARKS:
            marks |= _MARKS[card]
    return _listers_of(
        (
            marks,
            state.open is not None and state.open.actions_left > 0,
            state.sieges.british is not None or state.sieges.french is not None,
            0 < len(me.reserve) <= me.money,
            rules.free_fur_money,
            rules.drop_lost_locations,
        )
    )


_LISTERS_OF_ANSWERS: dict[type[Question], Listers] = {
    question: {kind: RULES[kind].list for kind in kinds} for question, kinds in ANSWERED_BY.items()
}

_SORTS = list(dict.fromkeys(rule.cards for rule in RULES.values() if rule.cards))
_MARKS = {
    card: sum(1 << number for number, sort in enumerate(_SORTS) if card in sort) for sort in _SORTS for card in sort
}
"""The cards without which there is none of some kind, each with a bit for every sort of card that it is of."""


@cache
def _listers_of(circumstances: tuple[int, bool, bool, bool, bool, bool]) -> Listers:
    """The listers of what the marks of a hand and the rest of `listers` allow; few, as many cards allow the same."""
    marks, actions, siege, reserve, *variants = circumstances
    on = dict(zip(("free_fur_money", "drop_lost_locations"), variants, strict=True))
    sorts = [sort for number, sort in enumerate(_SORTS) if marks >> number & 1]

    def possible(rule: Rule) -> bool:
        return (
            (rule.cards is None or rule.cards in sorts)
            and siege >= rule.siege
            and reserve >= rule.reserve
            and (rule.variant is None or on[rule.variant])
        )

    listed = _LISTED if actions else (*_LISTED_FREE, Done)
    return {kind: RULES[kind].list for kind in listed if possible(RULES[kind])}
