"""Chance: each shuffle of a game follows from a seed to which the service committed before the first deal.

Promise: the same seed, words and piles give the same orders for ever; the formula is open, so that anybody
can check a finished game with a few lines of his own. A shuffle permutes the pile *sorted by card id*, so it
depends on which cards are in the pile and never on how they came there.

Source: contract section 6, "Chance".
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator

Chance = Callable[[int, tuple[str, ...]], tuple[str, ...]]
"""(number k of the shuffle, the pile sorted by card id) -> the new pile; index 0 is drawn first."""

SEED_BYTES = 32
SILENT = bytes(SEED_BYTES)
"""The seed of a forecast on a bare position: 32 zero bytes (contract section 5, `position try`)."""

_WORD = 4
_RANGE = 2 ** (8 * _WORD)


def commitment(seed: bytes) -> str:
    """Return what is published of the seed at the start of a game: the hex SHA-256 of its 32 bytes."""
    return hashlib.sha256(seed).hexdigest()


def seeded(seed: bytes, british_word: str = "", french_word: str = "") -> Chance:
    """Return the shuffles of a game with this seed and the players' words (fixed before the first deal).

    Raises:
        ValueError: the seed is not 32 bytes long.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    text = b"afas\0" + british_word.encode() + b"\0" + french_word.encode()
    key = hmac.digest(seed, text, "sha256")

    def shuffle(number: int, pile: tuple[str, ...]) -> tuple[str, ...]:
        return permuted(pile, _numbers(key, number))

    return shuffle


def permuted(pile: tuple[str, ...], numbers: Iterator[int]) -> tuple[str, ...]:
    """Shuffle the pile by a stream of 32-bit numbers (Fisher and Yates, without bias).

    A number at or above the largest multiple of the bound is thrown away: it would favour the low places.
    """
    cards = sorted(pile)
    for last in range(len(cards) - 1, 0, -1):
        bound = last + 1
        limit = _RANGE // bound * bound
        number = next(x for x in numbers if x < limit)
        other = number % bound
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def _numbers(key: bytes, shuffle: int) -> Iterator[int]:
    """Yield the endless stream of 32-bit big-endian numbers of one shuffle."""
    head = b"shuffle" + shuffle.to_bytes(4, "big")
    block = 0
    while True:
        piece = hmac.digest(key, head + block.to_bytes(4, "big"), "sha256")
        for start in range(0, len(piece), _WORD):
            yield int.from_bytes(piece[start : start + _WORD], "big")
        block += 1
