"""Shuffles: an independent recomputation, the distribution, and what a shuffle may depend on."""

import hashlib
import hmac
import itertools
from collections import Counter

import pytest

from adjudicator.game.chance import SILENT, commitment, permuted, seeded

SEED = bytes(range(32))
CARDS = tuple(f"card-{n:03}" for n in range(60))


def plainly(seed, british, french, number, pile):
    """The contract's formula once more, with the textbook definition of HMAC and one joined stream."""

    def mac(key, message):
        key = key.ljust(64, b"\0")
        inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + message).digest()
        return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()

    key = mac(seed, b"afas" + b"\x00" + british.encode("utf-8") + b"\x00" + french.encode("utf-8"))
    blocks = (len(pile) * 4) // 32 + 40
    stream = b"".join(
        mac(key, b"shuffle" + number.to_bytes(4, "big") + block.to_bytes(4, "big")) for block in range(blocks)
    )
    items, at = sorted(pile), 0
    for i in range(len(items) - 1, 0, -1):
        while True:
            x = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if x < (2**32 // (i + 1)) * (i + 1):
                break
        j = x % (i + 1)
        items[i], items[j] = items[j], items[i]
    return tuple(items)


@pytest.mark.parametrize("words", [("", ""), ("maple", ""), ("", "érable"), ("a", "b")])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 9, 10, 33, 60])
def test_equal_to_an_independent_recomputation(words, size):
    for number, seed in itertools.product((0, 1, 2, 300), (SEED, SILENT, bytes([255] * 32))):
        pile = CARDS[:size]
        assert seeded(seed, *words)(number, pile) == plainly(seed, *words, number, pile), (number, seed.hex())


def test_fixed_vectors():
    """Frozen values: a change of any of them would make finished games unverifiable."""
    pile = tuple("abcdefghi")
    assert commitment(SILENT) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert "".join(seeded(SILENT)(0, pile)) == "hfaiedcbg"
    assert "".join(seeded(SILENT)(1, pile)) == "fdcgiebah"
    assert "".join(seeded(SEED, "maple", "érable")(7, pile)) == "debcgfiha"


def test_a_pile_needs_more_than_one_block():
    """32 bytes are eight numbers: ten cards already need a second block."""
    one_block = hmac.digest(hmac.digest(SEED, b"afas\0\0", "sha256"), b"shuffle" + bytes(4) + bytes(4), "sha256")
    assert len(one_block) // 4 < 9
    assert sorted(seeded(SEED)(0, CARDS)) == sorted(CARDS)
    assert len({seeded(SEED)(k, CARDS) for k in range(50)}) == 50


def test_only_the_cards_count_not_their_order():
    shuffle = seeded(SEED)
    assert shuffle(3, CARDS) == shuffle(3, CARDS[::-1])


def test_equal_cards_stay_a_multiset():
    pile = ("militia",) * 3 + ("infantry",) * 2
    assert Counter(seeded(SEED)(0, pile)) == Counter(pile)


def test_words_and_their_border_change_the_order():
    orders = {seeded(SEED, *words)(0, CARDS) for words in [("", ""), ("ab", ""), ("", "ab"), ("a", "b")]}
    assert len(orders) == 4


def test_numbers_above_the_largest_multiple_are_thrown_away():
    """For three cards 2**32 - 1 is the only number beyond 3 * floor(2**32 / 3); it must be skipped."""
    plain = permuted(("a", "b", "c"), iter([1, 0]))
    assert permuted(("a", "b", "c"), iter([2**32 - 1, 1, 0])) == plain
    assert permuted(("a", "b", "c"), iter([2**32 - 1, 2**32 - 1, 1, 0])) == plain
    assert permuted(("a", "b", "c"), iter([2**32 - 2, 0])) == permuted(("a", "b", "c"), iter([2, 0]))


def test_every_order_is_equally_likely():
    """Chi-square over the 24 orders of four cards; 23 degrees of freedom, 60 is beyond one in 30,000."""
    shuffle, rounds = seeded(SEED), 12_000
    counts = Counter(shuffle(k, ("a", "b", "c", "d")) for k in range(rounds))
    expected = rounds / 24
    chi_square = sum((counts[order] - expected) ** 2 / expected for order in itertools.permutations("abcd"))
    assert chi_square < 60, f"chi-square {chi_square:.1f}, seed {SEED.hex()}"


def test_a_seed_has_32_bytes():
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        seeded(bytes(31))
