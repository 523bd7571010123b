"""Actions and standing orders as text, in the canonical form; reading the text gives the same again."""

from collections.abc import Callable, Iterable
from typing import Any

from adjudicator.game import actions as act
from adjudicator.game import facts
from adjudicator.game.actions import Action
from adjudicator.game.model import Side, other
from adjudicator.orders.names import Ranked, can_have, candidates, name, place
from adjudicator.orders.standing import (
    LOCATION,
    BlockReply,
    GiveReply,
    ListReply,
    Ranks,
    SettleReply,
    Standing,
)

Names = Callable[[str], str]


def _list(cards: Iterable[str], names: Names) -> str:
    return ", ".join(names(card) for card in cards)


def _settle(a: act.Settle, n: Names) -> str:
    cards = [a.transport] if a.settler is None else [a.transport, a.settler]
    return f"settle {place(a.target)} from {n(a.origin)} with {_list(cards, n)}"


def _fortify(a: act.Fortify, n: Names) -> str:
    return f"fortify {place(a.target)}" + ("" if a.card == "fortification" else f" with {n(a.card)}")


def _besiege(a: act.Besiege, n: Names) -> str:
    return f"besiege {place(a.target)} from {n(a.origin)} with {_list((a.transport, a.strength), n)}"


def _withdraw(a: act.Withdraw, n: Names) -> str:
    return f"withdraw from {place(a.target)}" + (f" losing {n(a.loss)}" if a.loss else "")


def _settle_won(a: act.SettleWon, n: Names) -> str:
    return f"settle with {n(a.settler)}" if a.settler else "settle"


def _give(a: act.Give, n: Names) -> str:
    return f"give {n(a.card)} from {a.source}" + (f" at {place(a.target)}" if a.target else "")


# Any: each function takes the action that it stands beside.
_WRITE: dict[type, Callable[[Any, Names], str]] = {
    act.Settle: _settle,
    act.Develop: lambda a, n: f"develop {place(a.target)} with {n(a.settler)}",
    act.Fortify: _fortify,
    act.Besiege: _besiege,
    act.Reinforce: lambda a, n: f"reinforce {place(a.target)} with {n(a.card)}",
    act.Leader: lambda a, _: f"leader {place(a.target)}",
    act.Raid: lambda a, n: f"raid {place(a.target)} with {_list(a.cards, n)}",
    act.Ambush: lambda a, n: f"ambush with {n(a.card)}",
    act.Priest: lambda _a, _: "priest",
    act.IndianLeader: lambda _a, _: "indian leader",
    act.TakeMoney: lambda a, n: f"money from {n(a.card)}",
    act.Merchant: lambda a, n: f"merchant {n(a.ship)}: {_list(a.gold, n)}",
    act.Trade: lambda a, n: f"trade {_list(a.furs, n)}",
    act.Piracy: lambda a, n: f"piracy with {n(a.ship)}",
    act.Draft: lambda a, n: f"draft {n(a.card)}",
    act.Discard: lambda a, n: f"discard {_list(a.cards, n)}",
    act.Reserve: lambda a, n: f"reserve {n(a.card)}",
    act.Retrieve: lambda _a, _: "retrieve",
    act.Govern: lambda a, n: f"govern {_list(a.cards, n)}",
    act.Intendant: lambda a, n: f"intendant {n(a.card)}",
    act.HomeSupport: lambda _a, _: "home support",
    act.Withdraw: _withdraw,
    act.Pass: lambda _a, _: "pass",
    act.Done: lambda _a, _: "done",
    act.SellFur: lambda a, n: f"sell {n(a.card)}",
    act.Drop: lambda a, n: f"drop {n(a.card)}",
    act.SettleWon: _settle_won,
    act.NoSettle: lambda _a, _: "no settle",
    act.Lose: lambda a, n: f"lose {n(a.card)} at {place(a.target)}",
    act.Block: lambda a, n: f"block with {n(a.card)}",
    act.NoBlock: lambda _a, _: "no block",
    act.Give: _give,
    act.Exchange: lambda a, n: f"exchange {n(a.card)}",
    act.NoExchange: lambda _a, _: "no exchange",
    act.StartWith: lambda a, n: f"start with {n(a.card)}",
    act.DiscardDrawn: lambda a, n: f"discard {_list(a.cards, n)}",
}


def write(action: Action, side: Side) -> str:
    """An action of a side as the service prints it (contract, section 4)."""
    return _WRITE[type(action)](action, lambda card: name(side, card))


def _ranked(cards: Ranks | None, side: Side) -> str:
    """A list of cards as it is written."""
    return ", ".join(_one(ranked, side) for ranked in cards or ())


def _one(ranked: Ranked, side: Side) -> str:
    """A listed card: bare if its name means several cards, with `own` if one of them alone is meant.

    Reading lets no card through that only the other side can have; such a one is written by its name there.
    """
    if ranked == LOCATION:
        return "location"
    if not can_have(side, ranked[0]):
        return name(other(side), ranked[0])
    printed = name(side, ranked[0])
    if len(ranked) > 1:
        return printed.removeprefix("start ")
    card = facts.card(side, ranked[0])
    shared = printed == card.name and len(candidates(side, card.location or card.name)) > 1
    return f"own {printed}" if shared else printed


def _write_block(reply: BlockReply, side: Side, *, ambush: bool) -> str:
    if reply.mode == "ask":
        return "ask me"
    if reply.mode == "never":
        return "block never" if ambush else "no block"
    with_cards = f" with {_ranked(reply.cards, side)}" if reply.cards else ""
    return f"block {reply.mode}{with_cards}" if ambush else f"block{with_cards}"


def _write_give(reply: GiveReply, side: Side) -> str:
    if reply.ask:
        return "ask me"
    first = f"from {reply.first} first" if reply.first else ""
    return " ".join(word for word in ("give", _ranked(reply.cards, side), first) if word)


def _write_settle(reply: SettleReply, side: Side) -> str:
    if reply.ask or not reply.settle:
        return "ask me" if reply.ask else "no settle"
    return f"settle with {_ranked(reply.cards, side)}" if reply.cards else "settle"


def _write_list(reply: ListReply, word: str, side: Side) -> str:
    return "ask me" if reply.ask else f"{word} {_ranked(reply.cards, side)}"


def write_standing(standing: Standing, side: Side) -> str:
    """Standing orders as text, one clause a line; reading it gives the same again."""
    lines = []
    for reply in standing.raid:
        where = f" at {place(reply.at)}" if reply.at else ""
        lines.append(f"on raid{where}: {_write_block(reply, side, ambush=False)}")
    give, block = standing.ambush_give, standing.ambush_block
    if block:
        lines.append(f"on ambush: {_write_block(block, side, ambush=True)}")
    # `ask me` about an ambush asks both; it stands once, and a list for giving after it counts.
    if give and not (give.ask and block and block.mode == "ask"):
        lines.append(f"on ambush: {_write_give(give, side)}")
    if standing.priest:
        lines.append(f"on priest: {_write_give(standing.priest, side).removesuffix(' first')}")
    if standing.siege_lost:
        lines.append(f"on siege lost: {_write_list(standing.siege_lost, 'lose', side)}")
    if standing.siege_won:
        lines.append(f"on siege won: {_write_settle(standing.siege_won, side)}")
    if standing.surrender:
        lines.append(f"on surrender: {_write_settle(standing.surrender, side)}")
    if standing.reshuffle:
        lines.append(f"on reshuffle: {_write_list(standing.reshuffle, 'discard', side)}")
    return "\n".join(lines)
