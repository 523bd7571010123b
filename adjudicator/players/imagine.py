"""A position as one side may imagine it: what it sees stands, what is hidden from it is dealt anew.

This is the only place of the house players that touches the hidden part of a position.
"""

from random import Random

from adjudicator.game.chance import Chance, permuted
from adjudicator.game.model import Player, Side, State, other, replace

_WORD_BITS = 32


def dice(seed: bytes, purpose: str) -> Random:
    """A stream of numbers that follows from a seed; another one for each purpose."""
    return Random(purpose.encode() + b"\0" + seed)  # noqa: S311 - guesses and tastes, nothing secret


def imagined(state: State, side: Side, seed: bytes) -> State:
    """A position that `side` cannot tell from the true one, with all that is hidden from it made up by the seed.

    The opponent's hand and deck are pooled and dealt anew (their sizes stay, and what is in both together is no
    secret: every card that comes or goes is seen); the own deck is shuffled; what the opponent has pledged is
    forgotten, and a question put to him too. Piles whose order means nothing are sorted.
    """
    foe = other(side)
    luck = dice(seed, "imagined")
    mine, theirs = state.players.of(side), state.players.of(foe)
    pool = _shuffled(theirs.hand + theirs.deck, luck)
    size = len(theirs.hand)
    pledges = (state.pledged or {}).get(side)
    players = state.players.put(side, _tidy(replace(mine, deck=_shuffled(mine.deck, luck))))
    players = players.put(foe, _tidy(replace(theirs, hand=pool[:size], deck=pool[size:])))
    return replace(
        state,
        board=dict(sorted(state.board.items())),
        players=players,
        pledged={side: pledges} if pledges else None,
        question=state.question if state.question and state.question.to == side else None,
    )


def imagined_chance(seed: bytes) -> Chance:
    """Shuffles for trying things out; they have nothing to do with those of the game."""

    def shuffle(number: int, pile: tuple[str, ...]) -> tuple[str, ...]:
        luck = dice(seed, f"shuffle {number}")
        return permuted(pile, iter(lambda: luck.getrandbits(_WORD_BITS), None))

    return shuffle


def _shuffled(pile: tuple[str, ...], luck: Random) -> tuple[str, ...]:
    """A pile in an order that does not depend on the one it had."""
    return permuted(pile, iter(lambda: luck.getrandbits(_WORD_BITS), None))


def _tidy(player: Player) -> Player:
    return replace(player, hand=tuple(sorted(player.hand)), reserve=tuple(sorted(player.reserve)))
