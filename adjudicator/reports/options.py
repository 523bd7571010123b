"""What is possible now, as few lines instead of hundreds of orders.

The legal actions are gathered by order word, then by place; each row holds the cards that can play each part. Not
every combination of a row's cards need be legal (one card cannot play two parts), but each card of a row is part of
some legal order, and no legal order is left out.
"""

from collections.abc import Callable, Iterable

import msgspec

from adjudicator.game import actions as act


class Part(msgspec.Struct, frozen=True):
    """The cards (ids, sorted) that can play one part of an order; `role` is "with" where there is but one part."""

    role: str
    cards: tuple[str, ...]


class Row(msgspec.Struct, frozen=True):
    """The orders of one word for one place (None: without a place). `need` and `most` count the cards of one order."""

    place: str | None
    need: int
    most: int
    parts: tuple[Part, ...]


class Group(msgspec.Struct, frozen=True):
    """All orders of one word."""

    word: str
    rows: tuple[Row, ...]


Cards = tuple[tuple[str, tuple[str, ...]], ...]
"""Of one action: each part's role with its cards."""


def _one(role: str, card: str | None) -> Cards:
    return ((role, (card,)),) if card else ()


def _settle(action: act.Settle) -> Cards:
    return (
        ("from", (action.origin,)), ("transport", (action.transport,)), *_one("settlers", action.settler),
    )  # fmt: skip


def _besiege(action: act.Besiege) -> Cards:
    return (
        ("from", (action.origin,)), ("transport", (action.transport,)), ("strength", (action.strength,)),
    )  # fmt: skip


_WORDS: dict[type, tuple[str, Callable[..., str | None], Callable[..., Cards]]] = {
    act.SettleWon: ("settle-won", lambda a: None, lambda a: _one("settlers", a.settler)),
    act.NoSettle: ("no-settle", lambda a: None, lambda a: ()),
    act.Lose: ("lose", lambda a: a.target, lambda a: _one("with", a.card)),
    act.Block: ("block", lambda a: None, lambda a: _one("with", a.card)),
    act.NoBlock: ("no-block", lambda a: None, lambda a: ()),
    act.Give: ("give", lambda a: a.target, lambda a: _one(a.source, a.card)),
    act.Exchange: ("exchange", lambda a: None, lambda a: _one("with", a.card)),
    act.NoExchange: ("no-exchange", lambda a: None, lambda a: ()),
    act.StartWith: ("start-with", lambda a: None, lambda a: _one("with", a.card)),
    act.DiscardDrawn: ("discard-drawn", lambda a: None, lambda a: (("with", a.cards),)),
    act.Settle: ("settle", lambda a: a.target, _settle),
    act.Develop: ("develop", lambda a: a.target, lambda a: _one("settlers", a.settler)),
    act.Fortify: ("fortify", lambda a: a.target, lambda a: _one("with", a.card)),
    act.Besiege: ("besiege", lambda a: a.target, _besiege),
    act.Reinforce: ("reinforce", lambda a: a.target, lambda a: _one("with", a.card)),
    act.Leader: ("leader", lambda a: a.target, lambda a: ()),
    act.Raid: ("raid", lambda a: a.target, lambda a: (("with", a.cards),)),
    act.Ambush: ("ambush", lambda a: None, lambda a: _one("with", a.card)),
    act.Priest: ("priest", lambda a: None, lambda a: ()),
    act.IndianLeader: ("indian-leader", lambda a: None, lambda a: ()),
    act.TakeMoney: ("money", lambda a: None, lambda a: _one("with", a.card)),
    act.Merchant: ("merchant", lambda a: None, lambda a: (("ship", (a.ship,)), ("gold", a.gold))),
    act.Trade: ("trade", lambda a: None, lambda a: (("furs", a.furs),)),
    act.Piracy: ("piracy", lambda a: None, lambda a: _one("ship", a.ship)),
    act.Draft: ("draft", lambda a: None, lambda a: _one("with", a.card)),
    act.Discard: ("discard", lambda a: None, lambda a: (("with", a.cards),)),
    act.Reserve: ("reserve", lambda a: None, lambda a: _one("with", a.card)),
    act.Retrieve: ("retrieve", lambda a: None, lambda a: ()),
    act.Govern: ("govern", lambda a: None, lambda a: (("with", a.cards),)),
    act.Intendant: ("intendant", lambda a: None, lambda a: _one("with", a.card)),
    act.HomeSupport: ("home-support", lambda a: None, lambda a: ()),
    act.Withdraw: ("withdraw", lambda a: a.target, lambda a: _one("losing", a.loss)),
    act.SellFur: ("sell", lambda a: None, lambda a: _one("with", a.card)),
    act.Drop: ("drop", lambda a: None, lambda a: _one("with", a.card)),
    act.Pass: ("pass", lambda a: None, lambda a: ()),
    act.Done: ("done", lambda a: None, lambda a: ()),
}
"""For each kind of action: its word, its place, its cards. The order is that of the mails."""

_ORDER = {word: number for number, (word, _, _) in enumerate(_WORDS.values())}
_BY_ORIGIN = ("settle", "besiege")


def options(legal: Iterable[act.Action]) -> tuple[Group, ...]:
    """The legal actions, gathered by word and place, answers to a question first."""
    gathered: dict[str, dict[tuple[str | None, str], list[Cards]]] = {}
    for action in legal:
        word, place_of, cards_of = _WORDS[type(action)]
        cards, place = cards_of(action), place_of(action)
        # Another origin has other transport cards: a row of its own.
        origin = cards[0][1][0] if word in _BY_ORIGIN else ""
        gathered.setdefault(word, {}).setdefault((place, origin), []).append(cards)
    return tuple(
        Group(word, tuple(_row(place, plays) for (place, _), plays in _sorted(gathered[word])))
        for word in sorted(gathered, key=_ORDER.__getitem__)
    )


def _sorted(
    rows: dict[tuple[str | None, str], list[Cards]],
) -> list[tuple[tuple[str | None, str], list[Cards]]]:
    return sorted(rows.items(), key=lambda row: (row[0][0] or "", row[0][1]))


def _row(place: str | None, plays: list[Cards]) -> Row:
    """One row out of all orders for one place."""
    parts: dict[str, set[str]] = {}
    for cards in plays:
        for role, ids in cards:
            parts.setdefault(role, set()).update(ids)
    sizes = [sum(len(ids) for _, ids in cards) for cards in plays]
    return Row(place, min(sizes), max(sizes), tuple(Part(role, tuple(sorted(ids))) for role, ids in parts.items()))
