"""Money: gold cards, merchant, trader, piracy, and the fur sale of variant 11 (S12)."""

from collections.abc import Iterator
from itertools import combinations

from adjudicator.game import facts
from adjudicator.game.actions import Merchant, Piracy, SellFur, TakeMoney, Trade
from adjudicator.game.chance import Chance
from adjudicator.game.events import MoneyTaken, Pirated
from adjudicator.game.model import replace
from adjudicator.game.table import (
    Step,
    Table,
    hands,
    is_location,
    need_in_hand,
    need_own,
    need_playable,
    need_symbol,
    play,
    put,
    refuse,
    title,
)

TRADER = "trader"
FUR_MONEY = 2
PIRACY_MONEY = 2
PIRACY_PORT = "louisbourg"
MERCHANT_CARDS = (1, 2)


def _gold(t: Table, cards: tuple[str, ...]) -> int:
    return sum(facts.CARDS[t.side][card].symbols.get("gold", 0) for card in cards)


def check_money(t: Table, action: TakeMoney) -> None:
    """Source: S12.1."""
    need_in_hand(t, (action.card,))
    need_symbol(t, action.card, "gold", "S12.1")


def list_money(t: Table) -> list[TakeMoney]:
    """Every gold card that may be played."""
    return [TakeMoney(card) for card in t.symbols["gold"]]


def do_money(t: Table, action: TakeMoney, _chance: Chance) -> Step:
    """Source: S12.1."""
    cards = (action.card,)
    amount = _gold(t, cards)
    return Step(play(t.state, t.side, cards, -amount), (MoneyTaken(t.side, "money", cards, amount),))


def check_merchant(t: Table, action: Merchant) -> None:
    """Source: S12.2."""
    if len(action.gold) not in MERCHANT_CARDS:
        refuse("S12.2", "A merchant sells with one or two gold cards, not {number}.", number=len(action.gold))
    need_in_hand(t, (action.ship, *action.gold))
    need_symbol(t, action.ship, "ship", "S12.2")
    for card in action.gold:
        need_symbol(t, card, "gold", "S12.2")


def list_merchant(t: Table) -> list[Merchant]:
    """Every merchant action."""
    ships, gold = t.symbols["ship"], t.symbols["gold"]
    if not ships or not gold:
        return []
    return [
        Merchant(ship, cards)
        for ship in ships
        for number in MERCHANT_CARDS
        for cards in combinations(gold, number)
        if ship not in cards
    ]


def do_merchant(t: Table, action: Merchant, _chance: Chance) -> Step:
    """Source: S12.2 (the first card's own gold does not count)."""
    cards = (action.ship, *action.gold)
    amount = _gold(t, action.gold)
    return Step(play(t.state, t.side, cards, -amount), (MoneyTaken(t.side, "merchant", cards, amount),))


def check_trade(t: Table, action: Trade) -> None:
    """Source: S12.3; the switch trader_fur_limit of S0.2."""
    if not action.furs:
        refuse("S12.3", "A trader needs at least one fur card.")
    limit = t.rules.trader_fur_limit
    if limit is not None and len(action.furs) > limit:
        refuse("S12.3", "A trader takes at most {limit} fur cards.", limit=limit)
    need_own(t, TRADER, "S12.3")
    need_in_hand(t, action.furs)
    for card in action.furs:
        need_symbol(t, card, "fur", "S12.3")


def list_trade(t: Table) -> Iterator[Trade]:
    """Every choice of fur cards for the Trader."""
    if TRADER in t.hand:
        furs = t.symbols["fur"]
        most = len(furs) if t.rules.trader_fur_limit is None else min(len(furs), t.rules.trader_fur_limit)
        yield from map(Trade, hands(furs, most))


def do_trade(t: Table, action: Trade, _chance: Chance) -> Step:
    """Source: S12.3."""
    cards = (TRADER, *action.furs)
    amount = FUR_MONEY * len(action.furs)
    return Step(play(t.state, t.side, cards, -amount), (MoneyTaken(t.side, "trader", cards, amount),))


def check_piracy(t: Table, action: Piracy) -> None:
    """Source: S12.4."""
    if t.side != "french":
        refuse("S12.4", "Piracy is for the French.")
    need_own(t, PIRACY_PORT, "S12.4")
    need_in_hand(t, (PIRACY_PORT, action.ship))
    need_playable(t, PIRACY_PORT, "S12.4")
    need_symbol(t, action.ship, "ship", "S12.4")


def list_piracy(t: Table) -> Iterator[Piracy]:
    """Every ship card that may go out from Louisbourg."""
    if t.side == "french" and PIRACY_PORT in t.playable:
        for ship in t.symbols["ship"]:
            if ship != PIRACY_PORT:
                yield Piracy(ship)


def do_piracy(t: Table, action: Piracy, _chance: Chance) -> Step:
    """Source: S12.4 (the bank supplies what the British lack)."""
    cards = (PIRACY_PORT, action.ship)
    victim = t.state.players.of(t.foe)
    taken = min(PIRACY_MONEY, victim.money)
    state = play(t.state, t.side, cards, -PIRACY_MONEY)
    state = put(state, t.foe, replace(victim, money=victim.money - taken))
    return Step(state, (Pirated(t.side, cards, taken, PIRACY_MONEY - taken),))


def check_sell(t: Table, action: SellFur) -> None:
    """Source: V11."""
    if not t.rules.free_fur_money:
        refuse("V11", "Furs cannot be sold in this game (variant 11).")
    need_in_hand(t, (action.card,))
    if not is_location(action.card):
        refuse("V11", "{card} is no location card.", card=title(t.side, action.card))
    need_symbol(t, action.card, "fur", "V11")


def list_sell(t: Table) -> Iterator[SellFur]:
    """Every fur that may be sold by variant 11."""
    if t.rules.free_fur_money:
        for card in t.symbols["fur"]:
            yield SellFur(card)


def do_sell(t: Table, action: SellFur, _chance: Chance) -> Step:
    """Source: V11."""
    return Step(play(t.state, t.side, (action.card,), -1), (MoneyTaken(t.side, "fur", (action.card,), 1),))
