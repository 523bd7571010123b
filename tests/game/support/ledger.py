"""The public side of a position, kept by events alone: an independent bookkeeper.

It knows what each event says, and nothing of when events happen. If an event leaves something out that everybody
sees, the books differ from the state.
"""

from adjudicator.game import facts
from adjudicator.game.model import other

COSTS = {
    "Fortified", "Besieged", "Reinforced", "RaidBegun", "AmbushBegun", "Drafted", "Discarded", "Retrieved", "Fetched",
}  # fmt: skip
PLAYED = {
    "Settled", "Developed", "Fortified", "RaidBegun", "MoneyTaken", "Pirated", "Discarded", "AmbushBegun",
    "PriestPlayed", "Dropped", "RaidBlocked", "AmbushBlocked",
}  # fmt: skip


def public(state):
    """All that both sides see of a position, hands and decks as numbers, lists of cards sorted."""
    books = {"board": {place: (p.owner, p.piece, p.fort) for place, p in state.board.items()}}
    books["forts"] = state.forts_left
    books["neutral"] = {card: count for card, count in state.neutral_supply.items() if count}
    for side in ("british", "french"):
        player, siege = state.players.of(side), state.sieges.of(side)
        books[side] = {
            "money": player.money,
            "hand": len(player.hand),
            "deck": len(player.deck),
            "discard": sorted(player.discard),
            "reserve": sorted(player.reserve),
            "captured": [player.captured.villages, player.captured.towns],
            "stock": [player.stock.villages, player.stock.towns],
            "empire": {card: count for card, count in state.available_empire.of(side).items() if count},
            "locations": sorted(state.available_locations.of(side)),
            "siege": siege
            and [siege.location, siege.strength, sorted(siege.attacker_cards), sorted(siege.defender_cards)],
        }
    return books


class Ledger:
    """Books that begin with a position and are then carried on by events."""

    def __init__(self, state):
        self.books = public(state)

    def enter(self, events):
        """Carry the books on; the lists are sorted again at the end."""
        for event in events:
            name = type(event).__name__
            if name in COSTS:
                self.books[event.side]["money"] -= event.cost
            if name in PLAYED:
                cards = event.cards if hasattr(event, "cards") else (event.card,)
                self.discard(event.side, cards)
                self.books[event.side]["hand"] -= len(cards)
            getattr(self, f"on_{name}", lambda _event: None)(event)
        for side in ("british", "french"):
            for zone in ("discard", "reserve", "locations"):
                self.books[side][zone].sort()
            if self.books[side]["siege"]:
                for cards in self.books[side]["siege"][2:]:
                    cards.sort()

    def discard(self, side, cards):
        self.books[side]["discard"] += cards

    def give_back(self, side, card):
        """A card goes to the pile that its colour and kind say."""
        if card in facts.LOCATIONS:
            self.books[side]["locations"].append(card)
            return
        pile = self.books["neutral"] if card in facts.EMPIRE_CARDS["neutral"] else self.books[side]["empire"]
        pile[card] = pile.get(card, 0) + 1

    def village(self, side, place, *, fort=False):
        self.books["board"][place] = (side, "village", fort)
        self.books[side]["stock"][0] -= 1

    def gain(self, event):
        if event.gained:
            self.books[event.side]["locations"].remove(event.target)
            self.discard(event.side, [event.target])

    def take(self, side, place, piece):
        """A captured piece leaves the board, a fort under it goes to stock."""
        _, _, fort = self.books["board"].pop(place)
        self.books["forts"] += fort
        self.books[side]["captured"][piece == "town"] += 1

    def on_Settled(self, event):  # noqa: N802 - named after the event
        if event.placed:
            self.village(event.side, event.target)
        self.gain(event)

    def on_SettledWon(self, event):  # noqa: N802
        if event.settler:
            self.discard(event.side, [event.settler])
            self.books[event.side]["hand"] -= 1
        self.village(event.side, event.target)
        self.gain(event)

    def on_Developed(self, event):  # noqa: N802
        _, _, fort = self.books["board"][event.target]
        self.books["board"][event.target] = (event.side, "town", fort)
        stock = self.books[event.side]["stock"]
        stock[0], stock[1] = stock[0] + 1, stock[1] - 1

    def on_Fortified(self, event):  # noqa: N802
        owner, piece, _ = self.books["board"][event.target]
        self.books["board"][event.target] = (owner, piece, True)
        self.books["forts"] -= 1

    def on_Besieged(self, event):  # noqa: N802
        *carriers, card = event.cards
        self.discard(event.side, carriers)
        self.books[event.side]["hand"] -= 3
        self.books[event.side]["siege"] = [event.target, event.strength, [card], []]

    def on_Reinforced(self, event):  # noqa: N802
        siege = self.books[event.attacker]["siege"]
        siege[1] = event.strength
        siege[2 if event.side == event.attacker else 3].append(event.card)
        self.books[event.side]["hand"] -= 1

    def on_Raided(self, event):  # noqa: N802
        owner, _, fort = self.books["board"][event.target]
        self.take(event.side, event.target, event.captured)
        if event.replaced:
            self.books["forts"] -= fort
            self.village(owner, event.target, fort=fort)

    def on_CardLost(self, event):  # noqa: N802
        mine = self.books[event.side]
        if event.source == "hand":
            mine["hand"] -= 1
        elif event.source == "reserve":
            mine["reserve"].remove(event.card)
        else:
            raise AssertionError("a card from a siege moves the marker: leave this variant out of the books")
        self.give_back(event.side, event.card)

    def on_NativeTaken(self, event):  # noqa: N802
        if event.source == "hand":
            self.books[event.side]["hand"] -= 1
        else:
            self.books[event.side]["reserve"].remove(facts.NATIVES)
        self.discard(other(event.side), [facts.NATIVES])

    def on_MoneyTaken(self, event):  # noqa: N802
        self.books[event.side]["money"] += event.amount

    def on_Pirated(self, event):  # noqa: N802
        self.books[event.side]["money"] += event.from_opponent + event.from_bank
        self.books[other(event.side)]["money"] -= event.from_opponent

    def on_Drafted(self, event):  # noqa: N802
        neutral = event.card in facts.EMPIRE_CARDS["neutral"]
        pile = self.books["neutral"] if neutral else self.books[event.side]["empire"]
        pile[event.card] -= 1
        if not pile[event.card]:
            del pile[event.card]
        self.discard(event.side, [event.card])

    def on_Reserved(self, event):  # noqa: N802
        self.books[event.side]["reserve"].append(event.card)
        self.books[event.side]["hand"] -= 1

    def on_Retrieved(self, event):  # noqa: N802
        for card in event.cards:
            self.books[event.side]["reserve"].remove(card)
        self.books[event.side]["hand"] += len(event.cards)

    def on_Governed(self, event):  # noqa: N802
        self.books[event.side]["hand"] -= 1 + len(event.cards)
        self.discard(event.side, ["governor"])
        for card in event.cards:
            self.give_back(event.side, card)
        for place in event.ceded:
            _, piece, fort = self.books["board"].pop(place)
            self.books["forts"] += fort
            self.books[event.side]["stock"][piece == "town"] += 1

    def on_Fetched(self, event):  # noqa: N802
        self.books[event.side]["discard"].remove(event.card)
        self.discard(event.side, ["intendant"])

    def on_HomeSupported(self, event):  # noqa: N802
        self.on_Drew(event)
        self.books[event.side]["hand"] -= 1
        self.discard(event.side, ["home-support"])

    def on_Drew(self, event):  # noqa: N802
        self.books[event.side]["hand"] += event.count
        self.books[event.side]["deck"] -= event.count

    def on_Reshuffled(self, event):  # noqa: N802
        assert event.count == len(self.books[event.side]["discard"])
        self.books[event.side]["deck"] += event.count
        self.books[event.side]["discard"] = []

    def on_PenaltyPaid(self, event):  # noqa: N802
        self.books[event.side]["money"] -= event.money
        self.books[event.side]["hand"] -= len(event.cards)
        self.discard(event.side, event.cards)

    def on_SiegeWon(self, event):  # noqa: N802
        self.end_siege(event, loser=other(event.side), capturer=event.side)

    def on_Withdrew(self, event):  # noqa: N802
        self.end_siege(event, loser=event.side, capturer=other(event.side))

    def end_siege(self, event, loser, capturer):
        """All cards to their owners' discard piles, but for the one that goes back."""
        siege = self.books[event.attacker]["siege"]
        self.books[event.attacker]["siege"] = None
        for side, cards in ((event.attacker, siege[2]), (other(event.attacker), siege[3])):
            rest = list(cards)
            if side == loser and event.returned:
                rest.remove(event.returned)
                self.give_back(side, event.returned)
            self.discard(side, rest)
        if event.captured:
            self.take(capturer, event.target, event.captured)
