"""Conditions before orders: what each speaks of, settled when the mail is read.

`if blocked` and `if not blocked` speak of the raid or ambush that was ordered last, `if hand shown` of the last ambush,
Priest or Indian Leader. All lines of one block, conditional lines that follow each other, speak of an order before the
block if there is one; else of one within it, else of one earlier in the same turn. `if illegal` speaks of the order
just before it and takes its place. `otherwise` is the opposite of the conditions just before it. What could be meant
in two ways is refused, never guessed.
"""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal

import msgspec

from adjudicator.errors import OrderSyntax

if TYPE_CHECKING:
    from adjudicator.orders.order import Order

Test = Literal["blocked", "not blocked", "hand shown", "illegal", "otherwise"]

TESTS: dict[str, Test] = {
    "if blocked": "blocked", "if not blocked": "not blocked", "if unblocked": "not blocked",
    "if hand shown": "hand shown", "if illegal": "illegal", "otherwise": "otherwise",
}  # fmt: skip
"""How conditions are written."""

SPOKEN_OF: dict[Test, tuple[str, ...]] = {
    "blocked": ("raid", "ambush"),
    "not blocked": ("raid", "ambush"),
    "hand shown": ("ambush", "priest", "indian leader"),
}
"""The order words that a condition about a result can speak of."""


class Condition(msgspec.Struct, frozen=True):
    """When an order counts.

    `about` is the place in `Reading.orders` (or `Reading.ahead`) of the order that is spoken of; None if that was
    given earlier in the turn. `chain` are the conditions of which `otherwise` is the opposite.
    """

    test: Test
    about: int | None = None
    chain: tuple["Condition", ...] = ()


def link(test: Test, before: Sequence["Order"], *, earlier: bool) -> Condition:
    """The condition of an order that stands behind these; `earlier`: it may also speak of one before this mail.

    Raises: OrderSyntax if it speaks of nothing, or may speak of several things; without line, text and span.
    """
    block, last = _block(before)
    if test == "otherwise":
        return Condition(test, chain=_chain(block, before))
    if test == "illegal":
        just_before = block[-1] if block else last
        if just_before is None:
            raise OrderSyntax("“if illegal” speaks of the order just before it, and there is none.")
        return Condition(test, just_before)
    ahead_of_block = range(last, -1, -1) if last is not None else ()
    for at in chain(ahead_of_block, reversed(block)):
        if before[at].word in SPOKEN_OF[test]:
            return Condition(test, at)
    if not earlier:
        raise OrderSyntax("This condition speaks of nothing: no such order stands before it for that turn.")
    return Condition(test)


def _block(before: Sequence["Order"]) -> tuple[list[int], int | None]:
    """The places of the conditional orders at the end, and that of the last order of the game before them."""
    block: list[int] = []
    for at in range(len(before) - 1, -1, -1):
        if before[at].condition:
            block.insert(0, at)
        elif before[at].kind == "game":
            return block, at
    return block, None


def _chain(block: Sequence[int], before: Sequence["Order"]) -> tuple[Condition, ...]:
    """The conditions that stand just before an `otherwise`: all about a result, or all about legality."""
    found: list[Condition] = []
    for at in reversed(block):
        condition = before[at].condition
        if condition is None or condition.test == "otherwise":
            continue
        nested = condition.about is not None and condition.about >= block[0]
        if nested and not found:
            raise OrderSyntax("“otherwise” may speak of several conditions here. Write the one that you mean.")
        if nested or (found and (found[0].test == "illegal") != (condition.test == "illegal")):
            break
        found.insert(0, condition)
    if not found:
        raise OrderSyntax("“otherwise” speaks of the condition just before it, and there is none.")
    return tuple(found)
