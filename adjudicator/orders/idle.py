"""Standing orders that cannot fire now: told to their side, never dropped.

Only what is sure is told, and only from what the side may see: its own cards, the board, the open piles.
"""

from collections.abc import Callable, Iterator

import msgspec

from adjudicator.game import facts
from adjudicator.game.board import RAID_LINES
from adjudicator.game.edition import Rules
from adjudicator.game.model import SIDES, Side, State
from adjudicator.orders.defaults import side_cards
from adjudicator.orders.names import place
from adjudicator.orders.standing import LOCATION, BlockReply, GiveReply, Ranks, SettleReply, Standing
from adjudicator.orders.writer import write_standing

Fit = Callable[[facts.Card], bool]

_NO_CARD = "cannot fire now: none of its cards is yours, nor can you draft one"
_NO_FIT = "cannot fire now: none of its cards can do this"


class _Look(msgspec.Struct, frozen=True):
    """A position as a side looks at it."""

    rules: Rules
    state: State
    side: Side

    def obtainable(self) -> set[str]:
        """The cards that are the side's own, wherever they lie, or open for it to draft or to gain."""
        me = self.state.players.of(self.side)
        found = {*me.hand, *me.deck, *me.discard, *me.reserve, *self.state.available_locations.of(self.side)}
        for pile in (self.state.available_empire.of(self.side), self.state.neutral_supply):
            found |= {card for card, count in pile.items() if count > 0}
        for attacker in SIDES:
            if siege := self.state.sieges.of(attacker):
                found.update(side_cards(siege, attacker, self.side))
        return found

    def lacks(self, cards: Ranks, fit: Fit) -> str | None:
        """Why none of the listed cards can ever be used as things stand; None if one can, or none is listed."""
        known = facts.CARDS[self.side]
        able = [card for ranked in cards for card in ranked if card in known and fit(known[card])]
        if not cards or LOCATION in cards:
            return None
        if not able:
            return _NO_FIT
        return None if self.obtainable() & set(able) else _NO_CARD

    def place_unraided(self, location: str) -> str | None:
        """Why nobody can raid the side at a place now (S9.3, S9.5)."""
        piece = self.state.board.get(location)
        if piece is None or piece.owner != self.side:
            return f"cannot fire now: {place(location)} is not yours"
        if piece.fort:
            return f"cannot fire now: {place(location)} is fortified, so it cannot be raided"
        if not RAID_LINES[location]:
            return f"cannot fire now: no way leads to {place(location)}, so it cannot be raided"
        return None


def idle(standing: Standing, rules: Rules, state: State, side: Side) -> list[tuple[str, str]]:
    """The clauses of a side that cannot fire now, each as `write_standing` writes it, with why.

    That is told of a clause about a place that nobody can raid, about something that the rules of this game do not
    have, of which no listed card can be had, or that wants to settle without a village in stock.
    """
    look = _Look(rules, state, side)
    return [(write_standing(said, side), why) for said, why in _clauses(standing, look) if why]


def _clauses(standing: Standing, look: _Look) -> Iterator[tuple[Standing, str | None]]:
    """Each clause alone, and why it cannot fire now."""
    for reply in standing.raid:
        yield Standing(raid=(reply,)), _raid(reply, look)
    if block := standing.ambush_block:
        cards = block.cards or ()
        yield Standing(ambush_block=block), look.lacks(cards, lambda card: card.blocks_ambush)
    if (give := standing.ambush_give) and not give.ask:
        yield Standing(ambush_give=give), _give(give, look)
    if lost := standing.siege_lost:
        yield Standing(siege_lost=lost), look.lacks(lost.cards, _goes_back)
    if won := standing.siege_won:
        yield Standing(siege_won=won), _settle(won, look)
    if surrender := standing.surrender:
        yield Standing(surrender=surrender), _settle(surrender, look)
    if reshuffle := standing.reshuffle:
        why = None if look.rules.reshuffle_penalty else "cannot fire: in this game no card is lost to a reshuffle"
        yield Standing(reshuffle=reshuffle), why or look.lacks(reshuffle.cards, lambda _card: True)


def _goes_back(card: facts.Card) -> bool:
    """Whether a card can go back with a siege: an empire card (S8.14)."""
    return card.location is None


def _raid(reply: BlockReply, look: _Look) -> str | None:
    def fit(card: facts.Card) -> bool:
        return card.blocks_raid or (card.location is not None and reply.at in (None, card.location))

    unraided = look.place_unraided(reply.at) if reply.at else None
    return unraided or look.lacks(reply.cards or (), fit)


def _give(reply: GiveReply, look: _Look) -> str | None:
    from_siege = reply.first == "siege" and not look.rules.ambush_takes_siege_cards
    if from_siege and not reply.cards:
        return "cannot fire: in this game an ambush takes no card from a siege"
    return look.lacks(reply.cards, lambda card: card.vulnerable)


def _settle(reply: SettleReply, look: _Look) -> str | None:
    if not reply.settle:
        return None
    if not look.state.players.of(look.side).stock.villages:
        return "cannot fire now: you have no village left in stock"
    why = look.lacks(reply.cards, lambda card: "settlers" in card.symbols)
    return f"{why}, and a place without a settler symbol is settled all the same" if why else None
