"""From what happened to what is written down: the turns of a record, out of actions and their events."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from adjudicator.game import entries, events
from adjudicator.game.actions import Action, Leader, Withdraw
from adjudicator.game.entries import Entry
from adjudicator.game.facts import NATIVES
from adjudicator.game.model import Side, State, replace
from adjudicator.game.record import Turn

if TYPE_CHECKING:
    from datetime import datetime


class Recorder:
    """Collects one turn: fed with each action and its events, it gives the turn as it is written down.

    The side to move and the number of the turn are those of the state with which it begins.
    """

    def __init__(self, state: State) -> None:
        self.n = state.turn
        self.side = state.to_move
        self.entries: list[Entry] = []
        self.drawn: tuple[str, ...] = ()
        self.reshuffled = False
        self.refilled = False
        self.orders: list[str] = []
        self.at: datetime | None = None
        self.ended: events.TurnEnded | events.GameOver | None = None

    def feed(self, action: Action | None, happened: Iterable[events.Event]) -> None:
        """Take in the events of one action or answer, or of the siege check (None)."""
        for event in happened:
            match event:
                case events.Drew(cards=cards):
                    self.drawn += cards
                    self.refilled = True
                case events.Reshuffled():
                    self.reshuffled = True
                case events.TurnEnded() | events.GameOver():
                    self.ended = event
                case _ if (entry := _begun(action, event)) is not None:
                    self.entries.append(entry)
                case _:
                    self._go_on(event)

    def redealt(self, side: Side, number: int, deck: tuple[str, ...]) -> None:
        """Take in that an undo has shuffled a deck anew."""
        late = self.refilled
        self.entries.append(entries.RedealEntry(side=side, number=number, deck=deck, after_refill=late))

    def turn(self, after: State) -> Turn:
        """Return the turn as it is written down, with the state that it led to."""
        assert self.side
        return Turn(
            n=self.n,
            side=self.side,
            actions=tuple(self.entries),
            drawn=self.drawn,
            reshuffled=self.reshuffled,
            after=after,
            pledged_losses=(after.pledged or {}).get(self.side, ()),
            orders=tuple(self.orders),
            at=self.at,
        )

    def _go_on(self, event: events.Event) -> None:
        """Write into the entry of an action what came of it; an undo may have stepped in between."""
        for place in range(len(self.entries) - 1, -1, -1):
            if not isinstance(self.entries[place], entries.RedealEntry):
                self.entries[place] = _continued(self.entries[place], event)
                return


def _begun(action: Action | None, event: events.Event) -> Entry | None:
    """Return the entry that an event begins; None if it only continues one, or is not written down."""
    match event:
        case events.Settled(target=target, cards=cards, placed=placed, gained=gained):
            card = target if gained else None
            return entries.SettleEntry(target=target, cards=cards, placed_village=placed, gained_card=card)
        case events.Developed(target=target, cards=(location, settler)):
            return entries.DevelopEntry(target=target, cards=(location, settler))
        case events.Fortified(target=target, cards=(card, location), cost=cost):
            return entries.FortifyEntry(target=target, cards=(card, location), cost=cost)
        case events.Passed():
            return entries.PassEntry()
        case events.SiegeWon() | events.Withdrew():
            return _siege_over(action, event)
        case events.Exchanged(card=card, drawn=drawn):
            return entries.ExchangeEntry(card=card, drawn=drawn)
        case events.PenaltyPaid(money=money, cards=cards):
            return entries.PenaltyEntry(money=money, cards=cards)
        case _:
            return _fought(action, event) or _financed(event) or _managed(event)


def _fought(action: Action | None, event: events.Event) -> Entry | None:
    """Return the entry of a military action."""
    match event:
        case events.Besieged(target=target, cards=(origin, transport, strength), cost=cost):
            return entries.BesiegeEntry(target=target, cards=(origin, transport, strength), cost=cost)
        case events.Reinforced(attacker=attacker, target=target, card=card, cost=cost):
            if isinstance(action, Leader):
                return entries.LeaderEntry(siege=attacker, target=target, cards=(card,))
            return entries.ReinforceEntry(siege=attacker, target=target, cards=(card,), cost=cost)
        case events.RaidBegun(target=target, cards=cards, cost=cost):
            return entries.RaidEntry(target=target, cards=cards, cost=cost)
        case events.AmbushBegun(card=card, cost=cost):
            return entries.AmbushEntry(cards=(card,), cost=cost)
        case events.PriestPlayed(card="priest"):
            return entries.PriestEntry(cards=("priest",))
        case events.PriestPlayed(card=card):
            return entries.IndianLeaderEntry(cards=(card,))
        case _:
            return None


def _siege_over(action: Action | None, event: events.SiegeWon | events.Withdrew) -> Entry:
    """Return the entry of a siege that ended; the attacker's settling follows as an event of its own."""
    attacker_acts = event.side == event.attacker
    role: Literal["attacker", "defender"] = "attacker" if attacker_acts else "defender"
    if isinstance(event, events.Withdrew):
        entry = entries.WithdrawEntry(
            siege=event.attacker, target=event.target, role=role, returned_card=event.returned
        )
        if isinstance(action, Withdraw) and action.loss != event.returned:
            entry = replace(entry, named_card=action.loss)
        return entry if attacker_acts else replace(entry, captured=event.captured)
    won = entries.SiegeWinEntry(
        siege=event.attacker, target=event.target, role=role, loser_returned_card=event.returned
    )
    return replace(won, captured=event.captured) if attacker_acts else won


def _financed(event: events.Event) -> Entry | None:
    """Return the entry of a finance action."""
    match event:
        case events.MoneyTaken(by="money", cards=(card,), amount=amount):
            return entries.MoneyEntry(cards=(card,), amount=amount)
        case events.MoneyTaken(by="fur", cards=(card,), amount=amount):
            return entries.SellFurEntry(cards=(card,), amount=amount)
        case events.MoneyTaken(by="merchant", cards=cards, amount=amount):
            return entries.MerchantEntry(cards=cards, amount=amount)
        case events.MoneyTaken(by="trader", cards=cards, amount=amount):
            return entries.TraderEntry(cards=cards, amount=amount)
        case events.Pirated(cards=(port, ship), from_opponent=taken, from_bank=added):
            return entries.PiracyEntry(cards=(port, ship), amount=taken + added, from_opponent=taken, from_bank=added)
        case _:
            return None


def _managed(event: events.Event) -> Entry | None:  # noqa: PLR0911 - one row each
    """Return the entry of a card management action."""
    match event:
        case events.Drafted(card=card, cost=cost):
            return entries.DraftEntry(card=card, cost=cost)
        case events.Discarded(cards=cards, cost=cost):
            return entries.DiscardEntry(cards=cards, cost=cost)
        case events.Dropped(card=card):
            return entries.DropEntry(cards=(card,))
        case events.Reserved(card=card):
            return entries.ReserveEntry(cards=(card,))
        case events.Retrieved(cards=cards, cost=cost):
            return entries.RetrieveEntry(cards=cards, cost=cost)
        case events.Governed(cards=cards, ceded=()):
            return entries.GovernorEntry(cards=("governor",), removed=cards)
        case events.Governed(cards=cards, ceded=ceded):
            return entries.GovernorEntry(cards=("governor",), removed=cards, ceded=ceded)
        case events.Fetched(card=card, cost=cost):
            return entries.IntendantEntry(cards=("intendant",), retrieved=card, cost=cost)
        case events.HomeSupported(cards=cards):
            return entries.HomeSupportEntry(cards=("home-support",), drawn=cards)
        case _:
            return None


def _continued(entry: Entry, event: events.Event) -> Entry:  # noqa: PLR0911 - one row each
    """Return an entry with what an event adds to it."""
    match entry, event:
        case entries.RaidEntry(), events.RaidBlocked(card=card):
            return replace(entry, outcome="blocked", blocked_by=card)
        case entries.RaidEntry(), events.Raided(captured=piece, replaced=replaced):
            return replace(entry, outcome="success", captured=piece, replaced_by_village=replaced)
        case entries.AmbushEntry(), events.AmbushBlocked(card=card):
            return replace(entry, outcome="blocked", blocked_by=card)
        case entries.AmbushEntry(), events.CardLost(card=card, source=source, target=target):
            entry = replace(entry, outcome="success", lost_card=card, lost_from=source)
            return replace(entry, lost_at=target) if target else entry
        case entries.PriestEntry() | entries.IndianLeaderEntry(), events.NativeTaken(source=source):
            return replace(entry, outcome="success", taken_card=NATIVES, taken_from=source)
        case (
            entries.AmbushEntry() | entries.PriestEntry() | entries.IndianLeaderEntry(),
            events.HandShown(),
        ):
            return replace(entry, outcome="no-target")
        case (
            entries.SiegeWinEntry() | entries.WithdrawEntry(),
            events.SettledWon(target=target, settler=settler, gained=gained),
        ):
            own = target if gained else None
            return replace(entry, settled=True, settler_card=settler, gained_card=own)
        case entries.SiegeWinEntry() | entries.WithdrawEntry(), events.LeftNeutral():
            return replace(entry, settled=False, settler_card=None, gained_card=None)
        case _:
            return entry
