"""The public record of a running game: what spectators may see, and nothing else.

Hands and decks are counts, and so is what was drawn; the open turn, pledges of unresolved sieges, questions,
seed and standing orders are left out. A finished game has no secrets any more: it is public as it is.

Source: hidden_information of the rules.
"""

from datetime import datetime
from typing import Literal

import msgspec

from adjudicator.game.entries import (
    Entry,
    ExchangeEntry,
    HomeSupportEntry,
    OpenEntry,
    RedealEntry,
)
from adjudicator.game.model import BySide, Piece, Pieces, Player, Pledge, Side, Siege, State, replace
from adjudicator.game.record import Edition, Hex32, Record, Switch, Turn


class PublicPlayer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side as spectators see it; `hand` and `deck` are numbers of cards."""

    money: int
    hand: int
    deck: int
    discard: tuple[str, ...]
    reserve: tuple[str, ...]
    captured: Pieces
    stock: Pieces


class PublicState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position at the border of two turns as spectators see it."""

    to_move: Side | None
    turn: int
    board: dict[str, Piece]
    sieges: BySide[Siege | None]
    players: BySide[PublicPlayer]
    available_empire: BySide[dict[str, int]]
    available_locations: BySide[tuple[str, ...]]
    neutral_supply: dict[str, int]
    forts_left: int
    french_have_besieged: bool = False
    shuffles: int = 0


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """As the entries of a record."""


class PublicHomeSupport(_Entry, frozen=True, kw_only=True, tag="home-support"):
    """Home Support; `drawn` is a number of cards."""

    cards: tuple[str]
    drawn: int
    free: bool = True


class PublicExchange(_Entry, frozen=True, kw_only=True, tag="exchange"):
    """Variant 5; `drawn` is a number of cards."""

    card: str
    drawn: int


class PublicRedeal(_Entry, frozen=True, kw_only=True, tag="redeal"):
    """A deck shuffled anew by an undo; `deck` is a number of cards."""

    side: Side
    number: int
    deck: int
    after_refill: bool = False


PublicEntry = OpenEntry | PublicHomeSupport | PublicExchange | PublicRedeal


class PublicTurn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A finished turn; `drawn` is a number of cards."""

    n: int
    side: Side
    actions: tuple[PublicEntry, ...]
    drawn: int
    reshuffled: bool
    after: PublicState
    pledged_losses: tuple[Pledge, ...] = ()
    orders: tuple[str, ...] = ()
    at: datetime | None = None


class PublicRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A running game as spectators see it: its finished turns."""

    format: Literal["afas-record/1"]
    public: bool
    id: str
    edition: Edition
    variants: tuple[str, ...] = ()
    switches: dict[str, Switch] = {}
    commitment: Hex32 | None = None
    words: BySide[str] | None = None
    start_with: str | None = None
    from_position: bool = False
    start: PublicState
    turns: tuple[PublicTurn, ...]


def public_record(record: Record) -> Record | PublicRecord:
    """Return what anybody may see of a game now; of a finished one everything but the standing orders and the seats."""
    if record.result is not None:
        return replace(record, standing={}, kept=None)
    finished = [turn for turn in record.turns if turn.after.turn > turn.n]
    return PublicRecord(
        format=record.format,
        public=True,
        id=record.id,
        edition=record.edition,
        variants=record.variants,
        switches=record.switches,
        commitment=record.commitment,
        words=record.words,
        start_with=record.start_with,
        from_position=record.from_position,
        start=_state(record.start),
        turns=tuple(_turn(turn, resolved=turn is not finished[-1]) for turn in finished),
    )


def _turn(turn: Turn, *, resolved: bool) -> PublicTurn:
    """Return a finished turn; its pledges only once the sieges are `resolved`."""
    return PublicTurn(
        n=turn.n,
        side=turn.side,
        actions=tuple(_entry(entry) for entry in turn.actions),
        drawn=len(turn.drawn),
        reshuffled=turn.reshuffled,
        after=_state(turn.after),
        pledged_losses=turn.pledged_losses if resolved else (),
        orders=turn.orders,
        at=turn.at,
    )


def _entry(entry: Entry) -> PublicEntry:
    match entry:
        case HomeSupportEntry(cards=cards, drawn=drawn):
            return PublicHomeSupport(cards=cards, drawn=len(drawn))
        case ExchangeEntry(card=card, drawn=drawn):
            return PublicExchange(card=card, drawn=len(drawn))
        case RedealEntry(side=side, number=number, deck=deck, after_refill=late):
            return PublicRedeal(side=side, number=number, deck=len(deck), after_refill=late)
        case _:
            return entry


def _state(state: State) -> PublicState:
    return PublicState(
        to_move=state.to_move,
        turn=state.turn,
        board=state.board,
        sieges=state.sieges,
        players=BySide(_player(state.players.british), _player(state.players.french)),
        available_empire=state.available_empire,
        available_locations=state.available_locations,
        neutral_supply=state.neutral_supply,
        forts_left=state.forts_left,
        french_have_besieged=state.french_have_besieged,
        shuffles=state.shuffles,
    )


def _player(player: Player) -> PublicPlayer:
    return PublicPlayer(
        money=player.money,
        hand=len(player.hand),
        deck=len(player.deck),
        discard=player.discard,
        reserve=player.reserve,
        captured=player.captured,
        stock=player.stock,
    )
