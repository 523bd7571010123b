"""Random games and random positions, each from one number, so that a failure can be had again."""

import hashlib
import random
from collections.abc import Iterator

from adjudicator.game import facts
from adjudicator.game.chance import seeded
from adjudicator.game.edition import VARIANTS, Rules, rules_for
from adjudicator.game.engine import apply, decider, legal_actions, new_game
from adjudicator.game.model import (
    SIDES,
    BySide,
    MayBlock,
    MaySettle,
    MustGive,
    Open,
    Piece,
    Pieces,
    Player,
    Siege,
    State,
    other,
    replace,
)
from adjudicator.game.setup import in_game

SWITCHES = {
    "ambush_may_take_siege_card": [True, False],
    "trader_fur_limit": [None, 2],
    "first_native_free_in_raid": [True, False],
    "siege_track_is_capped": [True, False],
    "leader_needs_supply": [True, False],
    "points_end_checked_before_siege_check": [True, False],
}


PIRATES = ("louisbourg", "quebec", "priest", "military-leader")
"""Cards that every fifth scrambled position puts into French hands: what needs them is rare otherwise."""


def chance_of(seed):
    return seeded(hashlib.sha256(str(seed).encode()).digest())


def rules_of(seed) -> Rules:
    """Every third seed plays plain, the others with some variants and switches."""
    dice = random.Random(f"rules {seed}")
    edition = dice.choice([1, 2])
    if seed % 3 == 0:
        return rules_for(edition)
    chosen = set(dice.sample(VARIANTS, dice.choice([1, 2, 5, 12])))
    if "french-draft-bateaux" in chosen:
        chosen.discard("french-start-bateaux")
    switches = {name: dice.choice(values) for name, values in SWITCHES.items()} if seed % 2 else {}
    return rules_for(edition, chosen, switches)


def lively(actions, dice):
    """An action whose kind is chosen first, so that rare kinds occur as often as discards."""
    kinds = sorted({type(action).__name__ for action in actions})
    kind = dice.choice(kinds)
    return dice.choice([action for action in actions if type(action).__name__ == kind])


def played(rules: Rules, seed, most: int = 400) -> Iterator[tuple[State, object, object]]:
    """One random game: each state, the action chosen in it, and the step that came of it."""
    dice, chance = random.Random(f"game {seed}"), chance_of(seed)
    state = new_game(rules, chance).state
    for _ in range(most):
        side = decider(state)
        if side is None:
            return
        listed = legal_actions(rules, state)
        assert listed, f"seed {seed}: nothing is legal in {state}"
        action = lively(listed, dice) if seed % 2 else dice.choice(listed)
        step = apply(rules, state, side, action, chance)
        yield state, action, step
        state = step.state


def scrambled(rules: Rules, seed) -> State:
    """A position that no game need ever reach: all pieces and cards somewhere, a turn or a question open."""
    dice = random.Random(f"scrambled {seed}")
    state = new_game(rules, chance_of(seed)).state
    board = _board(dice)
    pirates = seed % 5 == 0
    if pirates:
        board["louisbourg"] = board["quebec"] = Piece("french", "village")
    sieges = {side: _target(dice, board, side) for side in SIDES}
    wanted = PIRATES if pirates else ()
    zones = {side: _zones(rules, dice, side, wanted) for side in SIDES}
    neutral = _neutrals(dice, zones)
    turn = dice.choice([2, 3, 40])
    players, found = {}, {}
    for side in SIDES:
        captured = Pieces(dice.randrange(3), dice.randrange(2))
        players[side] = _player(dice, zones[side], board, side, captured)
    for side in SIDES:  # what the enemy has captured is neither on the board nor in stock
        lost = players[other(side)].captured
        stock = players[side].stock
        rest = Pieces(max(0, stock.villages - lost.villages), max(0, stock.towns - lost.towns))
        players[side] = replace(players[side], stock=rest)
        found[side] = _siege(dice, sieges[side], zones, side)
    state = State(
        to_move="french" if pirates else dice.choice(SIDES),
        turn=turn,
        board=board,
        sieges=BySide(**found),
        players=BySide(**players),
        available_empire=BySide(**{side: _counted(zones[side]["empire"]) for side in SIDES}),
        available_locations=BySide(**{side: tuple(zones[side]["locations"]) for side in SIDES}),
        neutral_supply=neutral,
        forts_left=facts.FORTS - sum(piece.fort for piece in board.values()),
        open=Open(2 if pirates else dice.choice([0, 1, 1, 2, 2]), siege_checked=True),
    )
    return state if pirates else _asked(state, dice)


def _board(dice):
    board = {}
    for place in facts.LOCATIONS:
        owner = dice.choice([None, "british", "french"])
        if owner:
            towns = sum(piece.owner == owner and piece.piece == "town" for piece in board.values())
            kind = "town" if towns < 6 and dice.random() < 0.3 else "village"
            board[place] = Piece(owner, kind, fort=dice.random() < 0.15)
    return board


def _target(dice, board, attacker):
    places = sorted(place for place, piece in board.items() if piece.owner == other(attacker))
    return dice.choice(places) if places and dice.random() < 0.5 else None


def _zones(rules, dice, side, wanted):
    """All cards of one side, dealt into zones, the wanted ones into hand; the neutral ones come later."""
    zones = {name: [] for name in ("hand", "deck", "discard", "reserve", "empire", "locations", "siege", "defence")}
    own = [card for card in facts.CARDS[side].values() if card.side != "neutral"]
    for card in dice.sample(own, len(own)):
        for _ in range(in_game(rules, card)):
            weights = {"hand": 3, "deck": 3, "discard": 3, "locations" if card.location else "empire": 3}
            if not card.location:
                weights.update(hand=5, reserve=2, siege=1, defence=1)
            zone = dice.choices(list(weights), list(weights.values()))[0]
            if card.id in wanted:
                zone = "hand"
            elif zone == "hand" and len(zones["hand"]) >= 6:
                zone = "deck"
            zones[zone if zone != "reserve" or len(zones["reserve"]) < 5 else "discard"].append(card.id)
    return zones


def _neutrals(dice, zones):
    left = {}
    for card in facts.EMPIRE_CARDS["neutral"].values():
        for _ in range(card.count):
            place = dice.choice(["supply", *SIDES])
            if place == "supply":
                left[card.id] = left.get(card.id, 0) + 1
            else:
                zone = dice.choice(["hand", "deck", "reserve", "siege", "defence"])
                full = zone == "reserve" and len(zones[place]["reserve"]) >= 5
                zones[place]["deck" if full else zone].append(card.id)
    return left


def _player(dice, zones, board, side, captured):
    own = [piece.piece for piece in board.values() if piece.owner == side]
    pieces = facts.PIECES[side]
    stock = Pieces(max(0, pieces.villages - own.count("village")), max(0, pieces.towns - own.count("town")))
    if dice.random() < 0.1:
        stock = Pieces(0, stock.towns)
    money = dice.choice([0, 1, 2, 3, 5, 8, 20])
    piles = {name: tuple(zones[name]) for name in ("hand", "deck", "discard", "reserve")}
    return Player(money=money, captured=captured, stock=stock, **piles)


def _siege(dice, location, zones, attacker):
    if location is None:
        return None
    cards = tuple(zones[attacker]["siege"]), tuple(zones[other(attacker)]["defence"])
    return Siege(location, dice.randint(-3, 5), *cards)


def _counted(cards):
    return {card: cards.count(card) for card in sorted(set(cards))}


def _asked(state, dice):
    """Perhaps with a question open."""
    if dice.random() < 0.6:
        return state
    victim = other(state.to_move)
    besieged = {siege.location for side in SIDES if (siege := state.sieges.of(side))}
    held = sorted(place for place, piece in state.board.items() if piece.owner == victim)
    questions = [MayBlock(victim, "ambush")]
    questions += [MayBlock(victim, "raid", place) for place in held if place not in besieged][:2]
    questions += [MaySettle(victim, place) for place in sorted(facts.LOCATIONS) if place not in state.board][:4]
    player = state.players.of(victim)
    if facts.NATIVES in player.hand + player.reserve:
        cause = "priest" if state.to_move == "french" else "indian-leader"
        questions += 3 * [MustGive(victim, cause)]
    if any(facts.CARDS[victim][card].vulnerable for card in player.hand + player.reserve):
        questions += 3 * [MustGive(victim, "ambush")]
    return replace(state, question=dice.choice(questions))
