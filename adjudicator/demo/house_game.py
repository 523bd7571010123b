"""A game of two house players, each of whom has nothing but his mails and a mail program."""

from collections.abc import Callable
from hashlib import sha256

from adjudicator.demo.correspondent import Correspondent
from adjudicator.demo.hall import Hall
from adjudicator.errors import UsageError
from adjudicator.game import facts
from adjudicator.game.engine import decider
from adjudicator.game.model import SIDES, Side, State
from adjudicator.game.scoring import scores
from adjudicator.players import compose_orders
from adjudicator.service.stored import Stored

MOST_TURNS = 400
_CAPTURED = 12

Players = dict[Side, Correspondent]
Told = Callable[[Stored], None]


def play_house_game(hall: Hall, name: str, players: Players, seed: bytes, told: Told) -> Stored:
    """Play a game to its end; `told` is called with the game after each mail. Returns the game.

    Raises: UsageError if it has not ended after `MOST_TURNS` turns, or stands still.
    """
    game = hall.game(name)
    while (side := decider(game.state)) and game.row.status == "running":
        if game.state.turn > MOST_TURNS:
            raise UsageError(f"the game has not ended after {MOST_TURNS} turns")
        luck = sha256(seed + f"{side} {game.row.seq}".encode()).digest()
        orders = compose_orders("heuristic", game.rules, game.state, side, luck)
        game = _mail(hall, game, players, side, orders)
        told(game)
    return game


def _mail(hall: Hall, game: Stored, players: Players, side: Side, orders: str) -> Stored:
    """Mail orders in answer to the newest mail; if they change nothing, end the turn."""
    player, seq = players[side], game.seats[side].seq
    for body in (orders, "done"):
        player.reply(player.newest(game.row.name, seq), body)
        after = hall.game(game.row.name)
        if after.row.seq != game.row.seq:
            return after
    raise UsageError(f"the game stands still at turn {game.state.turn}: nothing comes of {orders!r}")


def nearness(state: State) -> float:
    """How near the nearest end of a game is, from 0 to 1: pieces run out, or 12 points captured (S15)."""
    parts = [0.0]
    for side in SIDES:
        player, pieces = state.players.of(side), facts.PIECES[side]
        parts += [
            scores(state).of(side).captured / _CAPTURED,
            1 - player.stock.villages / pieces.villages,
            1 - player.stock.towns / pieces.towns,
        ]
    return min(1.0, max(parts))
