"""Standing orders: how a side answers what the other side's turn asks, without a mail in between.

Each clause starts with `on` and the occasion. A later clause replaces an earlier one about the same occasion
(raids: about the same place). Only listed cards are used; what is not said follows the defaults
(`answers.py`).
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from adjudicator.game.model import Source
from adjudicator.orders.names import Ranked

Mode = Literal["always", "vulnerable", "never", "ask"]
Ranks = tuple[Ranked, ...]
"""Listed cards, each as the ids that its name may mean."""

LOCATION: Ranked = ("location",)
"""In a list for raids: the location card of the raided place."""


class BlockReply(msgspec.Struct, frozen=True):
    """Whether to block, and with which cards (None: any, in the default order). `at`: only raids there."""

    mode: Mode
    cards: Ranks | None = None
    at: str | None = None

    @property
    def ask(self) -> bool:
        """Whether the side wants to be asked."""
        return self.mode == "ask"


class GiveReply(msgspec.Struct, frozen=True):
    """Which cards to give first, and from where first."""

    cards: Ranks = ()
    first: Source | None = None
    ask: bool = False


class SettleReply(msgspec.Struct, frozen=True):
    """Whether to settle a place just won; `cards` are the settler cards that may be played."""

    settle: bool
    cards: Ranks = ()
    ask: bool = False


class ListReply(msgspec.Struct, frozen=True):
    """Which cards go first."""

    cards: Ranks = ()
    ask: bool = False


class Standing(msgspec.Struct, frozen=True):
    """All standing orders of one side; None where nothing is said."""

    raid: tuple[BlockReply, ...] = ()
    ambush_block: BlockReply | None = None
    ambush_give: GiveReply | None = None
    priest: GiveReply | None = None
    siege_lost: ListReply | None = None
    siege_won: SettleReply | None = None
    surrender: SettleReply | None = None
    reshuffle: ListReply | None = None


NOTHING_SAID = Standing()


class Clause(msgspec.Struct, frozen=True):
    """One clause as written (as `Order`), and `says`: standing orders in which it alone speaks.

    `unsays` are fields of Standing that go back to nothing said, for raids only what is said about the places `at`.
    """

    line: int
    text: str
    span: tuple[int, int]
    says: Standing = NOTHING_SAID
    unsays: tuple[str, ...] = ()
    at: tuple[str | None, ...] = ()


def amend(standing: Standing, clauses: Iterable[Clause]) -> Standing:
    """Standing orders after further clauses."""
    for clause in clauses:
        said = {field: value for field in Standing.__struct_fields__ if (value := getattr(clause.says, field))}
        unsaid = {field: None for field in clause.unsays if field != "raid"}
        places = {reply.at for reply in clause.says.raid} | set(clause.at)
        kept = tuple(reply for reply in standing.raid if reply.at not in places)
        standing = msgspec.structs.replace(standing, **{**said, **unsaid, "raid": kept + clause.says.raid})
    return standing
