"""House players: they write orders as text, and these go through the same door as everybody's.

Promise: orders are a function of what the side may see and of the seed. Whatever a player tries out, it tries on a
position in which everything hidden is dealt anew (`imagine.py`), so nothing hidden can influence what it writes.
House players leave their standing orders unsaid: reactions in the other side's turn are the defaults.
"""

from collections.abc import Mapping

from adjudicator.game.edition import Rules
from adjudicator.game.model import Side, State
from adjudicator.players.compose import Player, written
from adjudicator.players.heuristic import considered
from adjudicator.players.imagine import imagined
from adjudicator.players.wanderer import wandering

__all__ = ["PLAYERS", "compose_orders", "imagined"]

PLAYERS: Mapping[str, Player] = {"heuristic": considered, "random": wandering}
"""Every house player by the name after `house:`."""


def compose_orders(name: str, rules: Rules, state: State, side: Side, seed: bytes) -> str:
    """The body of one mail of a house player: canonical orders, one a line.

    They make up the rest of the turn, `done` included, or the stretch up to an order that reveals something; then the
    player has to be asked again with the new position. A turn that has begun is continued, an open question answered.
    `state` may be the whole truth: only what `side` may see of it matters. Different positions should come with
    different seeds, of any length.

    Raises: KeyError if there is no player of this name; ValueError if `side` has nothing to decide.
    """
    return written(PLAYERS[name], rules, state, side, seed)
