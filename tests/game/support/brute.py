"""Every action that can be written down over the cards at hand, legal or not: a superset of what is legal.

It knows the forms of the actions and nothing of the rules.
"""

from itertools import combinations, product

from adjudicator.errors import IllegalAction
from adjudicator.game import actions as act
from adjudicator.game import facts
from adjudicator.game.kinds import ANSWERED_BY, RULES
from adjudicator.game.model import SIDES
from adjudicator.game.table import table

PLACES = tuple(facts.LOCATIONS)


def selections(cards, most):
    """Different sorted selections of at least one card from a multiset."""
    pile = sorted(cards)
    return {chosen for size in range(1, most + 1) for chosen in combinations(pile, size)}


def pool(state, side, strangers):
    """The hand as a multiset, with some cards that are not in it."""
    return (*state.players.of(side).hand, *strangers)


def written(state, side, strangers):
    """Every action over the hand and the strangers, in all forms there are."""
    cards = pool(state, side, strangers)
    one = tuple(sorted(set(cards)))
    maybe = (None, *one)
    known = sorted(facts.CARDS[side])
    yield from (act.Settle(*form) for form in product(PLACES, one, one, maybe))
    yield from (act.Besiege(*form) for form in product(PLACES, one, one, one))
    for kind in (act.Develop, act.Fortify, act.Reinforce):
        yield from (kind(*form) for form in product(PLACES, one))
    yield from map(act.Leader, PLACES)
    yield from (act.Raid(*form) for form in product(PLACES, selections(cards, len(cards))))
    for kind in (act.Ambush, act.TakeMoney, act.Piracy, act.Reserve, act.SellFur, act.Drop):
        yield from map(kind, one)
    for kind in (act.Draft, act.Intendant, act.StartWith):
        yield from map(kind, known)
    yield from (act.Merchant(*form) for form in product(one, selections(cards, 3)))
    yield from map(act.Trade, selections(cards, len(cards)))
    yield from map(act.Discard, selections(cards, len(cards)))
    yield from map(act.Govern, selections(cards, 3))
    yield from (act.Withdraw(*form) for form in product(PLACES, (None, *known)))
    for kind in (act.Priest, act.IndianLeader, act.Retrieve, act.HomeSupport, act.Pass, act.Done):
        yield kind()
    yield from answers(cards, one, known)


def answers(cards, one, known):
    """Every answer to a question."""
    for kind in (act.NoSettle, act.NoBlock, act.NoExchange, act.SettleWon):
        yield kind()
    for kind in (act.SettleWon, act.Block, act.Exchange):
        yield from map(kind, one)
    yield from (act.Lose(*form) for form in product(PLACES, known))
    for source in ("hand", "reserve"):
        yield from (act.Give(card, source) for card in known)
    yield from (act.Give(card, "siege", place) for card in known for place in PLACES)
    yield from map(act.DiscardDrawn, selections(cards, 3))


def asked_for(state, action):
    """Whether an action is of a kind that the moment asks for: an answer, or the use of an action that is left."""
    if state.question:
        return type(action) in ANSWERED_BY[type(state.question)]
    if type(action) in act.ANSWERS:
        return False
    return type(action) in act.FREE or type(action) is act.Done or state.open.actions_left > 0


def accepted(rules, state, side, strangers):
    """What the rules' own checks accept of all that can be written down, in a turn that has begun.

    The checks are called over one table, as `engine.check` does over a new one each time.
    """
    t = table(rules, state, side)
    found, refusals = [], []
    for number, action in enumerate(written(state, side, strangers)):
        if asked_for(state, action):
            try:
                RULES[type(action)].check(t, action)
            except IllegalAction as refusal:
                if number % 64 == 0:
                    refusals.append(refusal)
                continue
            found.append(action)
    assert all(refusal.rule and refusal.message for refusal in refusals)
    return found


def strangers_of(state, side, dice):
    """A card that is not in hand: one of the reserve, or one from anywhere."""
    player = state.players.of(side)
    others = [card for card in sorted(facts.CARDS[side]) if card not in player.hand]
    return [dice.choice(dice.choice([player.reserve or others, others]))]


__all__ = ["SIDES", "accepted", "strangers_of", "written"]
