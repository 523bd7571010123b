"""What one order of a mail says, before it is known which of the cards it may mean is at hand."""

import msgspec

from adjudicator.errors import Refusal
from adjudicator.game.actions import Action
from adjudicator.game.model import Side, Source, State
from adjudicator.orders.conditions import Condition
from adjudicator.orders.names import Ranked
from adjudicator.orders.resolve import Meaning, action_of
from adjudicator.orders.standing import NOTHING_SAID, Clause, Standing
from adjudicator.orders.words import PLAYED, Kind


class Order(msgspec.Struct, frozen=True):
    """One order as it was written.

    `line` counts from 1, `text` is this order alone, `span` its place in the line. `word` is the canonical
    order word (a key of `words.BY_WORD`); `kind` is "game" for what becomes an action, "word" for the rest
    (`done` included), whose `argument` is what follows the word, as written. `condition` says when it counts
    (None: always); it is part of `text`.
    """

    line: int
    text: str
    span: tuple[int, int]
    word: str
    kind: Kind
    side: Side
    target: str | None = None
    cards: tuple[Ranked, ...] = ()
    source: Source | None = None
    argument: str = ""
    condition: Condition | None = None

    def resolve(self, state: State, standing: Standing = NOTHING_SAID) -> Action:
        """The action that this order is in a position: of the cards it may mean, the first that is at hand.

        If none is at hand it is the likeliest one, so that the rules refuse it. `standing` settles which
        card goes back if `withdraw` leaves it open. Only for game orders and `done`.

        Raises: IllegalAction if an answer about a siege cannot belong to any; ValueError for other words.
        """
        try:
            return action_of(self.meaning, state, standing)
        except Refusal as refusal:
            refusal.line, refusal.text = self.line, self.text
            raise

    @property
    def plays(self) -> bool:
        """Whether the order has a part in the game: it becomes an action, or says when the turn ends."""
        return self.kind == "game" or self.word in PLAYED

    @property
    def meaning(self) -> Meaning:
        """What matters of the order for the game."""
        return Meaning(self.side, self.word, self.target, self.cards, self.source)


class Later(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order as written that waits for something, and its condition by what was known when it was put aside.

    `condition` is None if the order has none or if that came about; the places in it are those among the orders that
    wait together. What it is about if that has no place is the side's last such order of the turn.
    """

    text: str
    condition: Condition | None = None


class Reading(msgspec.Struct, frozen=True):
    """A whole mail read: `orders` in the order written, `ignored` lines of prose with their numbers.

    `refused` are all lines that start as an order and cannot be read, `standing` the standing orders that it
    sets. `ahead` are the orders for the next turn, each `text` without the words `next turn`; `clears_ahead` says
    that those sent before are taken back. They are no part of `orders` and never carried out with this mail.
    """

    orders: tuple[Order, ...]
    ignored: tuple[tuple[int, str], ...]
    refused: tuple[Refusal, ...]
    standing: tuple[Clause, ...]
    ahead: tuple[Order, ...] = ()
    clears_ahead: bool = False

    def said(self, word: str) -> list[Order]:
        """The orders with this word."""
        return [order for order in self.orders if order.word == word]

    @property
    def is_forecast(self) -> bool:
        """Whether `check` stands before the first order of the game (contract 4, point 6)."""
        heeded = (order for order in self.orders if order.word == "check" or (order.plays and order.word != "stop"))
        return next((order.word == "check" for order in heeded), False)
