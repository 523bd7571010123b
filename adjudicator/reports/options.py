"""What is possible now, as few lines instead of hundreds of orders.

The legal actions are gathered by order word, then by place; each row holds the cards that can play each part.
Not every combination of a row's cards need be legal (one card cannot play two parts), but each card of a row
is part of some legal order, and no legal order is left out.
"""

from collections.abc import Iterable

import msgspec

from adjudicator.game import actions as act


class Part(msgspec.Struct, frozen=True):
    """The cards (ids, sorted) for one part of an order; `role` is "with" where there is one part only."""

    role: str
    cards: tuple[str, ...]


class Row(msgspec.Struct, frozen=True):
    """The orders of one word for one place or none; `need` and `most` count the cards of one order."""

    place: str | None
    need: int
    most: int
    parts: tuple[Part, ...]


class Group(msgspec.Struct, frozen=True):
    """All orders of one word."""

    word: str
    rows: tuple[Row, ...]


class Shape(msgspec.Struct, frozen=True):
    """How one kind of action is told: its word, and which of its fields hold the cards of which role."""

    word: str
    fields: tuple[tuple[str, str], ...] = ()


Cards = tuple[tuple[str, tuple[str, ...]], ...]
"""Of one action: each role with its cards."""

_CARD = (("with", "card"),)
_CARDS = (("with", "cards"),)
SHAPES: dict[type, Shape] = {
    act.SettleWon: Shape("settle-won", (("settlers", "settler"),)),
    act.NoSettle: Shape("no-settle"),
    act.Lose: Shape("lose", _CARD),
    act.Block: Shape("block", _CARD),
    act.NoBlock: Shape("no-block"),
    act.Give: Shape("give", _CARD),
    act.Exchange: Shape("exchange", _CARD),
    act.NoExchange: Shape("no-exchange"),
    act.StartWith: Shape("start-with", _CARD),
    act.DiscardDrawn: Shape("discard-drawn", _CARDS),
    act.Settle: Shape("settle", (("from", "origin"), ("transport", "transport"), ("settlers", "settler"))),
    act.Develop: Shape("develop", (("settlers", "settler"),)),
    act.Fortify: Shape("fortify", _CARD),
    act.Besiege: Shape("besiege", (("from", "origin"), ("transport", "transport"), ("strength", "strength"))),
    act.Reinforce: Shape("reinforce", _CARD),
    act.Leader: Shape("leader"),
    act.Raid: Shape("raid", _CARDS),
    act.Ambush: Shape("ambush", _CARD),
    act.Priest: Shape("priest"),
    act.IndianLeader: Shape("indian-leader"),
    act.TakeMoney: Shape("money", _CARD),
    act.Merchant: Shape("merchant", (("ship", "ship"), ("gold", "gold"))),
    act.Trade: Shape("trade", (("furs", "furs"),)),
    act.Piracy: Shape("piracy", (("ship", "ship"),)),
    act.Draft: Shape("draft", _CARD),
    act.Discard: Shape("discard", _CARDS),
    act.Reserve: Shape("reserve", _CARD),
    act.Retrieve: Shape("retrieve"),
    act.Govern: Shape("govern", _CARDS),
    act.Intendant: Shape("intendant", _CARD),
    act.HomeSupport: Shape("home-support"),
    act.Withdraw: Shape("withdraw", (("losing", "loss"),)),
    act.SellFur: Shape("sell", _CARD),
    act.Drop: Shape("drop", _CARD),
    act.Pass: Shape("pass"),
    act.Done: Shape("done"),
}
"""Every kind of action, in the order of the mails: answers to a question first."""

_ORDER = {shape.word: number for number, shape in enumerate(SHAPES.values())}
_BY_ORIGIN = ("settle", "besiege")


def cards_of(action: act.Action) -> Cards:
    """Each role of an action with its cards; what a question asks for has its source as role."""
    if isinstance(action, act.Give):
        return ((action.source, (action.card,)),)
    found = []
    for role, field in SHAPES[type(action)].fields:
        value = getattr(action, field)
        if value:
            found.append((role, (value,) if isinstance(value, str) else value))
    return tuple(found)


def options(legal: Iterable[act.Action]) -> tuple[Group, ...]:
    """The legal actions, gathered by word and place, answers to a question first."""
    gathered: dict[str, dict[tuple[str, str], list[Cards]]] = {}
    for action in legal:
        word, cards = SHAPES[type(action)].word, cards_of(action)
        # Another origin has other transport cards: a row of its own.
        origin = cards[0][1][0] if word in _BY_ORIGIN else ""
        place = getattr(action, "target", None) or ""
        gathered.setdefault(word, {}).setdefault((place, origin), []).append(cards)
    return tuple(
        Group(word, tuple(_row(place, plays) for (place, _), plays in sorted(gathered[word].items())))
        for word in sorted(gathered, key=_ORDER.__getitem__)
    )


def _row(place: str, plays: list[Cards]) -> Row:
    """One row out of all orders for one place."""
    parts: dict[str, set[str]] = {}
    for cards in plays:
        for role, ids in cards:
            parts.setdefault(role, set()).update(ids)
    sizes = [sum(len(ids) for _, ids in cards) for cards in plays]
    shown = tuple(Part(role, tuple(sorted(ids))) for role, ids in parts.items())
    return Row(place or None, min(sizes), max(sizes), shown)
