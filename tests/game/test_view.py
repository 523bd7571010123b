"""A view holds what may be seen, and nothing else."""

import random

import msgspec
import pytest

from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import SIDES, Pledge, State, other, replace
from adjudicator.game.view import view

RULES = rules_for()
SEEDS = range(8)


def states(seed, length=80):
    """Positions of a game played at random."""
    chosen = random.Random(seed)
    chance = seeded(bytes([seed]) * 32)
    state = new_game(RULES, chance).state
    for _ in range(length):
        side = decider(state)
        if side is None:
            return
        yield state
        state = apply(RULES, state, side, chosen.choice(legal_actions(RULES, state)), chance).state


def shuffled(state: State, reader, chosen) -> State:
    """The same position for `reader`: everything that he may not see is exchanged or reordered."""
    players = state.players
    for side in SIDES:
        player = players.of(side)
        hidden = [*player.hand, *player.deck] if side != reader else list(player.deck)
        chosen.shuffle(hidden)
        hand = player.hand if side == reader else tuple(hidden[: len(player.hand)])
        players = players.put(side, replace(player, hand=hand, deck=tuple(hidden[len(hidden) - len(player.deck) :])))
    foe = other(reader) if reader else "british"
    return replace(state, players=players, pledged={**(state.pledged or {}), foe: (Pledge("british", "militia"),)})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reader", [*SIDES, None])
def test_hidden_parts_change_nothing_in_a_view(seed, reader):
    chosen = random.Random(seed)
    for number, state in enumerate(states(seed)):
        known = replace(state, pledged={reader: state.pledged[reader]} if (state.pledged or {}).get(reader) else None)
        changed = shuffled(known, reader, chosen)
        seen, again = (msgspec.json.encode(view(each, reader)) for each in (known, changed))
        assert seen == again, f"seed {seed}, state {number}, reader {reader}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_shows_what_may_be_seen(seed):
    for state in states(seed, 60):
        for side in SIDES:
            seen, player = view(state, side), state.players.of(side)
            assert seen.own
            assert seen.own.hand == tuple(sorted(player.hand))
            assert seen.own.deck == tuple(sorted(player.deck))
            foe = state.players.of(other(side))
            shown = seen.players.of(other(side))
            assert (shown.hand, shown.deck) == (len(foe.hand), len(foe.deck))
            assert (shown.discard, sorted(shown.reserve)) == (foe.discard, sorted(foe.reserve))
            assert seen.board == state.board
            assert seen.sieges == state.sieges


def test_a_question_is_shown_to_whom_it_is_put_only():
    for seed in SEEDS:
        for state in states(seed, 200):
            if state.question:
                asked = state.question.to
                assert view(state, asked).question == state.question
                assert view(state, other(asked)).question is None
                assert view(state, other(asked)).waiting_for == asked
                assert view(state, None).question is None
                return
    pytest.fail("no question in any game")


def test_a_spectator_has_no_cards_of_his_own():
    assert view(next(states(1)), None).own is None


def test_spent_cards_are_not_listed_in_the_piles():
    state = next(states(1))
    spent = replace(state, neutral_supply={**state.neutral_supply, "neutral-settlers": 0})
    assert "neutral-settlers" in view(state, "british").neutral_supply
    assert "neutral-settlers" not in view(spent, "british").neutral_supply
