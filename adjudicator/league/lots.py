"""Who plays which side in a game that comes of a challenge."""

import hmac
from typing import TypeVar

from adjudicator.game.model import SIDES, BySide, Side

T = TypeVar("T")


def lot(seed: bytes, challengers_word: str, joiners_word: str) -> Side:
    """The side that lots give to the challenger: who knows the seed can check it.

    The first bit of HMAC-SHA-256 over "afas lot", NUL, the challenger's word, NUL, the other's; the key is the seed.
    """
    said = f"afas lot\0{challengers_word}\0{joiners_word}".encode()
    return SIDES[hmac.digest(seed, said, "sha256")[0] >> 7]


def seated(challengers: T, joiners: T, side: Side) -> BySide[T]:
    """What is the challenger's and what the other's by side, if the challenger has that side."""
    return BySide(joiners, joiners).put(side, challengers)
