"""What counts where a side has said nothing until its time was over: passes, or the answers that need no word of it.

Its standing orders count, `ask me` does not: what they say else, or the default, answers. Where there is no default
(variant 13's start card) it is the first card that is legal.
"""

import msgspec

from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.engine import legal_actions
from adjudicator.game.model import BySide, MustStartWith, Side, State
from adjudicator.orders import Standing, read, write
from adjudicator.orders.standing import BlockReply
from adjudicator.turns.course import play
from adjudicator.turns.outcome import Move, Outcome

replace = msgspec.structs.replace
_FIELDS = ("ambush_give", "priest", "siege_lost", "siege_won", "surrender", "reshuffle")


def silent(rules: Rules, state: State, side: Side, chance: Chance, standing: BySide[Standing], word: str) -> Outcome:
    """What comes of a side's silence; `word` is "done" to end its turn by passes, "" to answer its question only."""
    if isinstance(state.question, MustStartWith):
        word = write(legal_actions(rules, state)[0], side)
    both = {"british": standing.british, "french": standing.french}
    both[side] = unasked(both[side])
    outcome = play(rules, state, side, read(word, side), chance, BySide(both["british"], both["french"]))
    return replace(outcome, moves=tuple(_by_clock(move, side) for move in outcome.moves))


def _by_clock(move: Move, side: Side) -> Move:
    return replace(move, cause="done", line=None) if move.side == side else move


def unasked(standing: Standing) -> Standing:
    """Standing orders without `ask me`."""
    others = {name: None for name in _FIELDS if (reply := getattr(standing, name)) and reply.ask}
    block = standing.ambush_block
    if block and block.ask:
        block = BlockReply("vulnerable", block.cards)
    raid = tuple(BlockReply("always", one.cards, one.at) if one.ask else one for one in standing.raid)
    return replace(standing, raid=raid, ambush_block=block, **others)
