"""What a house player may not see has no part in what it writes."""

import random
from collections import Counter

import pytest
from house_games import HouseGame

from adjudicator.game.model import SIDES, Pledge, other, replace
from adjudicator.game.sieges import losable
from adjudicator.players import compose_orders, imagined


@pytest.fixture(scope="module")
def mails():
    """Positions out of games with both players in both seats, those with pledges of the opponent first."""
    games = [HouseGame("random", "random", number, edition=1 + number % 2) for number in range(12)]
    games.append(HouseGame("heuristic", "random", 1))
    found = [(game, *mail) for game in games for mail in game.mails]
    return sorted(found, key=lambda mail: not _foe_pledged(mail[1], mail[2]))


def _foe_pledged(state, side):
    return bool((state.pledged or {}).get(other(side)))


def disturbed(state, side, rng):
    """Another truth that `side` cannot tell from this one."""
    foe = other(side)
    mine, theirs = state.players.of(side), state.players.of(foe)
    pool = list(theirs.hand + theirs.deck)
    rng.shuffle(pool)
    size = len(theirs.hand)
    theirs = replace(theirs, hand=tuple(pool[:size]), deck=tuple(pool[size:]), reserve=theirs.reserve[::-1])
    mine = replace(
        mine,
        hand=tuple(rng.sample(mine.hand, len(mine.hand))),
        deck=tuple(rng.sample(mine.deck, len(mine.deck))),
    )
    places = list(state.board)
    rng.shuffle(places)
    return replace(
        state,
        players=state.players.put(side, mine).put(foe, theirs),
        board={place: state.board[place] for place in places},
        pledged=_other_pledges(state, side, rng),
    )


def _other_pledges(state, side, rng):
    pledged = dict(state.pledged or {})
    if _foe_pledged(state, side):
        pledged[other(side)] = tuple(
            Pledge(siege, rng.choice(losable(state.sieges.of(siege), siege, other(side))))
            for siege in SIDES
            if state.sieges.of(siege) and losable(state.sieges.of(siege), siege, other(side))
        )
    return pledged or None


@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_orders_do_not_depend_on_what_is_hidden(mails, name):
    rng = random.Random(5)
    pledged = [mail for mail in mails if _foe_pledged(mail[1], mail[2])]
    assert len(pledged) >= 5
    sample = mails[:20] + rng.sample(mails, 400 if name == "random" else 40)
    for game, state, side, seed, _ in sample:
        text = compose_orders(name, game.rules, state, side, seed)
        again = compose_orders(name, game.rules, disturbed(state, side, rng), side, seed)
        assert again == text, f"game {game.number}, turn {state.turn}, {side}, seed {seed.hex()}"


def test_an_imagined_position_shows_the_same_and_hides_the_truth(mails):
    changed = Counter()
    for game, state, side, seed, _ in mails[:400]:
        guess = imagined(state, side, seed)
        where = f"game {game.number}, turn {state.turn}, {side}"
        mine, mine_now = guess.players.of(side), state.players.of(side)
        theirs, theirs_now = guess.players.of(other(side)), state.players.of(other(side))
        assert sorted(mine.hand) == sorted(mine_now.hand), where
        assert sorted(mine.deck) == sorted(mine_now.deck), where
        assert len(theirs.hand) == len(theirs_now.hand), where
        assert Counter(theirs.hand + theirs.deck) == Counter(theirs_now.hand + theirs_now.deck), where
        assert (guess.board, guess.sieges, guess.neutral_supply, guess.open) == (
            state.board,
            state.sieges,
            state.neutral_supply,
            state.open,
        ), where
        assert not _foe_pledged(guess, side), where
        changed["hand"] += Counter(theirs.hand) != Counter(theirs_now.hand)
        changed["deck"] += mine.deck != mine_now.deck
    assert changed["hand"] > 100
    assert changed["deck"] > 100


def test_other_seeds_imagine_other_things(mails):
    _, state, side, _, _ = next(mail for mail in mails if len(mail[1].players.of(mail[2]).deck) > 4)
    decks = {imagined(state, side, bytes([seed])).players.of(side).deck for seed in range(20)}
    assert len(decks) > 10


def test_the_same_again_is_the_same_to_the_byte(mails):
    for game, state, side, seed, text in mails[:50]:
        assert compose_orders(game.names[side], game.rules, state, side, seed) == text


def test_what_a_side_sees_does_matter(mails):
    different = 0
    for game, state, side, seed, text in mails[-40:]:
        mine = state.players.of(side)
        poorer = replace(state, players=state.players.put(side, replace(mine, hand=mine.hand[:1])))
        different += compose_orders(game.names[side], game.rules, poorer, side, seed) != text
    assert different > 20
