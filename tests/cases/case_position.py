"""Positions of cases: the start position plus what a case changes, all cards and pieces accounted for."""

from collections import Counter

from adjudicator.game import facts
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import Rules
from adjudicator.game.engine import new_game
from adjudicator.game.model import (
    SIDES,
    BySide,
    Open,
    Piece,
    Pieces,
    Player,
    Pledge,
    Siege,
    State,
    other,
    replace,
)

ZONES = ("hand", "reserve", "discard", "deck")


def position(rules: Rules, case) -> State:
    """The position of a case, at the start of the first sender's turn unless it says otherwise."""
    dealt = new_game(rules, seeded(SILENT)).state
    if case.new_game:
        return dealt
    given = case.given
    mover = given.get("to_move") or (case.letters[0].by if case.letters else "british")
    left = given.get("actions_left")
    sieges = BySide(*(siege(given, side) for side in SIDES))
    piles = Piles(dealt)
    players = {side: Player(**hold(piles, side, given, sieges)) for side in SIDES}
    board = pieces_on_board(dealt, given)
    state = replace(
        dealt,
        to_move=mover,
        turn=given.get("turn", 5 if mover == "british" else 6),
        board=board,
        sieges=sieges,
        players=BySide(players["british"], players["french"]),
        available_empire=BySide(*(piles.empire(side) for side in SIDES)),
        available_locations=BySide(*(piles.locations(side) for side in SIDES)),
        neutral_supply=dict(+piles.neutral),
        forts_left=facts.FORTS - sum(piece.fort for piece in board.values()),
        open=None if left is None else Open(left, siege_checked=True),
        pledged=pledges(given) or None,
        question=None,
    )
    for side in SIDES:
        state = replace(state, players=state.players.put(side, replace(players[side], stock=stock(state, side))))
    return state


class Piles:
    """All cards of a game, waiting to be laid out: a Counter for each side and one for the neutral cards."""

    def __init__(self, dealt: State) -> None:
        self.start = {side: Counter(dealt.players.of(side).hand + dealt.players.of(side).deck) for side in SIDES}
        self.rest = {
            side: Counter(dealt.available_empire.of(side)) + Counter(dealt.available_locations.of(side))
            for side in SIDES
        }
        self.neutral = Counter(dealt.neutral_supply)

    def take(self, side: str, cards) -> tuple[str, ...]:
        """Take cards from where the start position has them, the starting deck first."""
        for card in cards:
            pile = next((pile for pile in (self.start[side], self.rest[side], self.neutral) if pile[card]), None)
            assert pile is not None, f"the {side} side has no further {card}"
            pile[card] -= 1
        return tuple(cards)

    def take_start(self, side: str) -> tuple[str, ...]:
        """What is left of the starting deck."""
        return self.take(side, sorted(self.start[side].elements()))

    def empire(self, side: str) -> dict[str, int]:
        return {card: n for card, n in self._left(side).items() if card not in facts.LOCATIONS}

    def locations(self, side: str) -> tuple[str, ...]:
        return tuple(card for card in self._left(side) if card in facts.LOCATIONS)

    def _left(self, side: str) -> Counter:
        return self.rest[side] + self.start[side]


def hold(piles: Piles, side: str, given: dict, sieges: BySide) -> dict:
    """What a side has, without its stock."""
    mine = given.get(side, {})
    for attacker in SIDES:
        lying = sieges.of(attacker)
        if lying:
            piles.take(side, lying.attacker_cards if attacker == side else lying.defender_cards)
    held = {zone: piles.take(side, mine.get(zone, ())) for zone in ZONES}
    rest = "deck" if "deck" not in mine else "discard" if "discard" not in mine else None
    if rest:
        held[rest] += piles.take_start(side)
    captured = Pieces(**mine.get("captured", {"villages": 0, "towns": 0}))
    money = mine.get("money", facts.START_MONEY[side])
    return {**held, "money": money, "captured": captured, "stock": Pieces(0, 0)}


def siege(given: dict, attacker: str) -> Siege | None:
    found = given.get("siege", {}).get(attacker)
    if found is None:
        return None
    return Siege(
        found["location"],
        found["strength"],
        tuple(found.get("attacker", ())),
        tuple(found.get("defender", ())),
    )


def pledges(given: dict) -> dict:
    return {side: tuple(Pledge(**one) for one in some) for side, some in given.get("pledged", {}).items()}


def pieces_on_board(dealt: State, given: dict) -> dict[str, Piece]:
    board = dict(dealt.board)
    for side in SIDES:
        for kind in ("village", "town"):
            for place in given.get(side, {}).get(kind + "s", ()):
                board[place] = Piece(side, kind)
    for place, words in given.get("board", {}).items():
        assert place in facts.LOCATIONS, place
        board.pop(place, None)
        if words != "neutral":
            owner, kind, *fort = words.split()
            board[place] = Piece(owner, kind, fort=bool(fort))
    return board


def stock(state: State, side: str) -> Pieces:
    """What is neither on the board nor captured."""
    limits, lost = facts.PIECES[side], state.players.of(other(side)).captured
    out = Counter(piece.piece for piece in state.board.values() if piece.owner == side)
    return Pieces(limits.villages - out["village"] - lost.villages, limits.towns - out["town"] - lost.towns)
