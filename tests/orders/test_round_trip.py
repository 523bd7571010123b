"""What the service writes, it reads back as the same action: tried on what random games allow."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.game import actions as act
from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.orders import read, write
from adjudicator.orders.defaults import attacker_at

EVERYTHING = (
    "reshuffle-penalty",
    "ambush-siege-cards",
    "french-siege-redraw",
    "free-fur-money",
    "french-start-card",
    "natives-fight",
    "free-discard-lost-location",
    "fort-quebec",
    "french-draft-bateaux",
)
GAMES = [(1, ()), (2, ()), (2, EVERYTHING)]
STEPS = 500
SHOWN = 60


def again(text, side, state):
    reading = read(text, side)
    assert not reading.refused, (text, reading.refused[0].message)
    assert not reading.ignored, text
    assert len(reading.orders) == 1, text
    return reading.orders[0].resolve(state)


@pytest.mark.parametrize(("edition", "variants"), GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_is_read_back(edition, variants, seed):
    rules = rules_for(edition, variants)
    pick = random.Random(seed)
    chance = seeded(bytes([seed]) * 32)
    state = new_game(rules, chance).state
    kinds = set()
    for _ in range(STEPS):
        side = decider(state)
        if side is None:
            break
        legal = list(legal_actions(rules, state))
        pick.shuffle(legal)
        for action in islice(legal, SHOWN):
            text = write(action, side)
            assert again(text, side, state) == action, (edition, variants, seed, text)
            kinds.add(type(action))
        # Sieges and questions are rare in random play: prefer what leads there.
        eager = [a for a in legal if isinstance(a, act.Besiege | act.Raid | act.Ambush | act.Settle | act.Reinforce)]
        action = pick.choice(eager if eager and pick.random() < 0.5 else legal)
        state = apply(rules, state, side, action, chance).state
    assert len(kinds) > 12, (edition, variants, seed, sorted(kind.__name__ for kind in kinds))


@given(st.integers(0, 2**32), st.sampled_from(GAMES))
def test_a_position_that_random_orders_lead_to_reads_back_what_it_allows(seed, game):
    rules = rules_for(*game)
    pick = random.Random(seed)
    chance = seeded(seed.to_bytes(32, "big"))
    state = new_game(rules, chance).state
    for _ in range(pick.randrange(80)):
        side = decider(state)
        if side is None:
            return
        state = apply(rules, state, side, pick.choice(legal_actions(rules, state)), chance).state
    side = decider(state)
    for action in legal_actions(rules, state)[:SHOWN]:
        assert again(write(action, side), side, state) == action, (seed, game, write(action, side))


def test_withdraw_without_a_card_is_settled_by_the_default(siege_state):
    order = read("withdraw from Louisbourg", "british").orders[0]
    assert attacker_at(siege_state, "louisbourg") == "british"
    assert order.resolve(siege_state) == act.Withdraw("louisbourg", "militia")
