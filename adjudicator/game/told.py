"""What the entries of a record mean: the mover's orders, and the answers that they tell."""

from msgspec import UNSET

from adjudicator.game import actions
from adjudicator.game.entries import (
    AmbushEntry,
    BesiegeEntry,
    DevelopEntry,
    DiscardEntry,
    DraftEntry,
    DropEntry,
    Entry,
    ExchangeEntry,
    FortifyEntry,
    GovernorEntry,
    HomeSupportEntry,
    IndianLeaderEntry,
    IntendantEntry,
    LeaderEntry,
    MerchantEntry,
    MoneyEntry,
    PassEntry,
    PenaltyEntry,
    PiracyEntry,
    PriestEntry,
    RaidEntry,
    ReinforceEntry,
    ReserveEntry,
    RetrieveEntry,
    SellFurEntry,
    SettleEntry,
    SiegeWinEntry,
    TraderEntry,
    WithdrawEntry,
)
from adjudicator.game.model import MayBlock, MayExchange, MaySettle, MustDiscard, MustGive, Question


def to_action(entry: Entry) -> actions.Action | None:  # noqa: C901, PLR0911, PLR0912 - one row for each type
    """Return the mover's order that an entry records; None for an entry that is no order."""
    match entry:
        case SettleEntry(target=target, cards=(origin, transport, *rest)):
            return actions.Settle(target, origin, transport, rest[0] if rest else None)
        case DevelopEntry(target=target, cards=cards):
            return actions.Develop(target, _beside(target, cards))
        case FortifyEntry(target=target, cards=cards):
            return actions.Fortify(target, _beside(target, cards))
        case BesiegeEntry(target=target, cards=cards):
            return actions.Besiege(target, *cards)
        case ReinforceEntry(target=target, cards=(card,)):
            return actions.Reinforce(target, card)
        case LeaderEntry(target=target):
            return actions.Leader(target)
        case RaidEntry(target=target, cards=cards):
            return actions.Raid(target, tuple(sorted(cards)))
        case AmbushEntry(cards=(card,)):
            return actions.Ambush(card)
        case PriestEntry():
            return actions.Priest()
        case IndianLeaderEntry():
            return actions.IndianLeader()
        case DraftEntry(card=card):
            return actions.Draft(card)
        case WithdrawEntry(target=target, returned_card=loss, named_card=named):
            return actions.Withdraw(target, loss if named is UNSET else named)
        case PassEntry():
            return actions.Pass()
        case _:
            return _money(entry) or _card_action(entry)


def _money(entry: Entry) -> actions.Action | None:
    """Return the order of a finance entry."""
    match entry:
        case MoneyEntry(cards=(card,)):
            return actions.TakeMoney(card)
        case MerchantEntry(cards=(ship, *gold)):
            return actions.Merchant(ship, tuple(sorted(gold)))
        case TraderEntry(cards=(_, *furs)):
            return actions.Trade(tuple(sorted(furs)))
        case PiracyEntry(cards=cards):
            return actions.Piracy(_beside("louisbourg", cards))
        case SellFurEntry(cards=(card,)):
            return actions.SellFur(card)
        case _:
            return None


def _card_action(entry: Entry) -> actions.Action | None:
    """Return the order of a card management entry."""
    match entry:
        case DiscardEntry(cards=cards):
            return actions.Discard(tuple(sorted(cards)))
        case ReserveEntry(cards=(card,)):
            return actions.Reserve(card)
        case RetrieveEntry():
            return actions.Retrieve()
        case GovernorEntry(removed=removed):
            return actions.Govern(tuple(sorted(removed)))
        case IntendantEntry(retrieved=card):
            return actions.Intendant(card)
        case HomeSupportEntry():
            return actions.HomeSupport()
        case DropEntry(cards=(card,)):
            return actions.Drop(card)
        case _:
            return None


def _beside(place: str, cards: tuple[str, str]) -> str:
    """Return the card of two that is not the location card of the place."""
    return cards[1] if cards[0] == place else cards[0]


def to_answer(entry: Entry, question: Question) -> actions.Action | None:
    """Return the answer to a question that an entry records; None if it records none."""
    match question, entry:
        case MayBlock(), RaidEntry(blocked_by=card) | AmbushEntry(blocked_by=card) if isinstance(card, str):
            return actions.Block(card)
        case MayBlock(), RaidEntry(outcome=outcome) | AmbushEntry(outcome=outcome) if outcome is not UNSET:
            return actions.NoBlock()
        case MustGive(), AmbushEntry(lost_card=str(card), lost_from=str(source), lost_at=at):
            return actions.Give(card, source, at if isinstance(at, str) else None)
        case (
            MustGive(),
            PriestEntry(taken_card=str(card), taken_from=str(source))
            | IndianLeaderEntry(taken_card=str(card), taken_from=str(source)),
        ):
            return actions.Give(card, source)
        case MaySettle(location=place), SiegeWinEntry() | WithdrawEntry() if entry.target == place:
            return _settling(entry)
        case MayExchange(), ExchangeEntry(card=card):
            return actions.Exchange(card)
        case MustDiscard(), PenaltyEntry(cards=cards):
            return actions.DiscardDrawn(tuple(sorted(cards)))
        case _:
            return None


def _settling(entry: SiegeWinEntry | WithdrawEntry) -> actions.Action | None:
    """Return whether a place just won was settled."""
    if entry.settled is UNSET:
        return None
    if not entry.settled:
        return actions.NoSettle()
    return actions.SettleWon(entry.settler_card if isinstance(entry.settler_card, str) else None)
