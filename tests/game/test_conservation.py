"""What no action changes: all cards and pieces stay in the game, no money below nothing, no dead end."""

import os
import random
from collections import Counter

import msgspec
import pytest
from support.ledger import Ledger, public
from support.play import chance_of, played, rules_of

from adjudicator.game import facts
from adjudicator.game.engine import apply, begin, decider, legal_actions, new_game
from adjudicator.game.events import Withdrew
from adjudicator.game.model import SIDES, State, other
from adjudicator.game.setup import in_game

GAMES = int(os.environ.get("ADJUDICATOR_TEST_GAMES", "60"))
"""How many random games `make test` plays; thousands by hand: ADJUDICATOR_TEST_GAMES=5000 pytest …"""

LONG = 3000


def cards_in(rules):
    """How often each card is in the game, by owner and id."""
    everything = [card for cards in facts.LOCATION_CARDS.values() for card in cards.values()]
    everything += [card for cards in facts.EMPIRE_CARDS.values() for card in cards.values()]
    return Counter({(card.side, card.id): in_game(rules, card) for card in everything if in_game(rules, card)})


def cards_of(state):
    """Where all the cards are, counted together."""
    found = Counter()
    for side in SIDES:
        player = state.players.of(side)
        piles = [player.hand, player.deck, player.discard, player.reserve, state.available_locations.of(side)]
        for attacker in SIDES:
            siege = state.sieges.of(attacker)
            if siege:
                piles.append(siege.attacker_cards if attacker == side else siege.defender_cards)
        for card in [card for pile in piles for card in pile]:
            found[facts.CARDS[side][card].side, card] += 1
        found.update({(side, card): count for card, count in state.available_empire.of(side).items()})
    found.update({("neutral", card): count for card, count in state.neutral_supply.items()})
    return +found


def pieces_of(state, side):
    """All villages and towns of a side: on the board, in stock and captured."""
    board = Counter(piece.piece for piece in state.board.values() if piece.owner == side)
    stock, lost = state.players.of(side).stock, state.players.of(other(side)).captured
    return (board["village"] + stock.villages + lost.villages, board["town"] + stock.towns + lost.towns)


def check_whole(rules, state, where):
    assert cards_of(state) == cards_in(rules), where
    for side in SIDES:
        limits = facts.PIECES[side]
        assert pieces_of(state, side) == (limits.villages, limits.towns), where
        player = state.players.of(side)
        numbers = (player.money, *msgspec.structs.astuple(player.stock), *msgspec.structs.astuple(player.captured))
        assert min(numbers) >= 0, where
        assert len(player.reserve) <= 5, where
        siege = state.sieges.of(side)
        assert siege is None or state.board[siege.location].owner == other(side), where
    assert sum(piece.fort for piece in state.board.values()) + state.forts_left == facts.FORTS, where


def test_cards_and_pieces_stay_in_the_game():
    """In every third game all steps, in the others the last state."""
    for seed in range(GAMES):
        rules = rules_of(seed)
        state = new_game(rules, chance_of(seed)).state
        for number, (_, _, step) in enumerate(played(rules, seed)):
            state = step.state
            if seed % 3 == 1:
                check_whole(rules, state, f"seed {seed} action {number}")
        check_whole(rules, state, f"seed {seed}")


def test_events_tell_the_whole_visible_change():
    """A ledger that hears the events only has the same books as the state, at the end of each step."""
    for seed in range(1, 2 * GAMES, 2):
        rules = rules_of(seed)
        if rules.ambush_takes_siege_cards or rules.french_start_card or rules.french_siege_redraw:
            continue  # these move a siege's marker, the first deal, and a card between two shuffles unsaid
        ledger = Ledger(new_game(rules, chance_of(seed)).state)
        for number, (_, action, step) in enumerate(played(rules, seed)):
            ledger.enter([event for event in step.events if not ends_the_game(event, step)])
            assert ledger.books == public(step.state), f"seed {seed} action {number} {action}"


def ends_the_game(event, step):
    """Whether it is a withdrawal that loses the game: then the siege stays as it stands."""
    return isinstance(event, Withdrew) and step.state.to_move is None


def test_states_survive_their_json_form():
    encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(State).decode
    for seed in range(0, GAMES, 4):
        for number, (state, _, step) in enumerate(played(rules_of(seed), seed)):
            for one in (state, step.state):
                assert decode(encode(one)) == one, f"seed {seed} action {number}"


def test_a_game_is_its_actions_and_its_seed():
    for seed in range(0, GAMES, 3):
        rules = rules_of(seed)
        moves = list(played(rules, seed))
        state = new_game(rules, chance_of(seed)).state
        for _, action, _ in moves:
            state = apply(rules, state, decider(state), action, chance_of(seed)).state
        assert state == moves[-1][2].state, f"seed {seed}"


def test_a_turn_can_always_be_ended():
    """Passing and ending, with any answer to what is asked, brings the opponent to move within few steps."""
    for seed in range(0, GAMES, 2):
        rules, dice = rules_of(seed), random.Random(seed)
        for number, (_, _, step) in enumerate(played(rules, seed)):
            if number % 29 == 0 and step.state.to_move:
                check_ends(rules, step.state, dice, f"seed {seed} action {number}")


def check_ends(rules, state, dice, where):
    turn = state.turn
    for _ in range(12):
        side = decider(state)
        if side is None or state.turn != turn:
            return
        listed = legal_actions(rules, state)
        quiet = [action for action in listed if type(action).__name__ in {"Pass", "Done"}]
        state = apply(rules, state, side, dice.choice(quiet or listed), chance_of(where)).state
    raise AssertionError(f"{where}: the turn does not end")


def test_beginning_a_turn_again_changes_nothing():
    for seed in range(0, GAMES, 5):
        rules = rules_of(seed)
        for number, (state, _, _) in enumerate(played(rules, seed)):
            begun = begin(rules, state).state
            assert begin(rules, begun).state is begun, f"seed {seed} action {number}"


@pytest.mark.slow
def test_long_games_come_to_no_dead_end():
    """Games without a limit worth mentioning; `played` asserts at each step that something is legal."""
    ends = Counter()
    for seed in range(GAMES // 6):
        last = None
        for _, _, step in played(rules_of(seed), seed, LONG):
            last = step.state
        assert last, f"seed {seed}"
        check_whole(rules_of(seed), last, f"seed {seed}")
        ends[last.to_move is None] += 1
    assert ends[True], "no game has come to an end: the games are too short to show anything"
