"""The end of a siege: withdrawing, and what the loser gives up (S8.12 to S8.15)."""

from collections.abc import Iterator

from adjudicator.game.actions import Withdraw
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.ending import game_over, wins_by_siege
from adjudicator.game.events import Withdrew
from adjudicator.game.model import (
    SIDES,
    MaySettle,
    PieceKind,
    Pieces,
    Side,
    Siege,
    State,
    other,
    replace,
)
from adjudicator.game.sieges import losable, need_siege
from adjudicator.game.table import Step, Table, give_back, place, put, refuse, title, without


def check_withdraw(t: Table, action: Withdraw) -> None:
    """Source: S8.15, S8.14."""
    attacker, siege = need_siege(t, action.target, "S8.15")
    choices = losable(siege, attacker, t.side)
    if action.loss is None and choices:
        refuse("S8.14", "Say which empire card goes back: {possible}.", possible=_titles(t.side, choices))
    if action.loss is not None and action.loss not in choices:
        refuse(
            "S8.14",
            "{card} cannot be given up with the siege of {target}; possible: {possible}.",
            card=title(t.side, action.loss),
            target=place(action.target),
            possible=_titles(t.side, choices) or "nothing",
        )


def _titles(side: Side, cards: tuple[str, ...]) -> str:
    return ", ".join(title(side, card) for card in cards)


def list_withdraw(t: Table) -> Iterator[Withdraw]:
    """Every legal withdrawal."""
    for attacker in SIDES:
        siege = t.state.sieges.of(attacker)
        if siege:
            for card in losable(siege, attacker, t.side) or (None,):
                yield Withdraw(siege.location, card)


def do_withdraw(t: Table, action: Withdraw, _chance: Chance) -> Step:
    """Source: S8.15."""
    attacker, siege = need_siege(t, action.target, "S8.15")
    winner = other(t.side)
    state, captured, after = resolve(t.rules, t.state, attacker, siege, winner, action.loss)
    if after:  # the game is over: the siege stays as it stands, no card goes back
        return Step(after.state, (Withdrew(t.side, attacker, action.target, None, None), *after.events))
    return Step(state, (Withdrew(t.side, attacker, action.target, action.loss, captured),))


def resolve(
    rules: Rules, state: State, attacker: Side, siege: Siege, winner: Side, loss: str | None
) -> tuple[State, PieceKind | None, Step | None]:
    """End a siege: capture, cards, marker; then ask a winning attacker whether to settle.

    Returns the state, the captured piece (None if none was), and the end of the game if it is one: then the
    siege stays as it stands.
    Source: S8.12 to S8.14.
    """
    if winner != attacker:
        return clear(state, attacker, siege, winner, loss), None, None
    reason = wins_by_siege(rules, state, winner, siege.location)
    if reason:
        return state, None, game_over(state, winner, reason, winner)
    captured = state.board[siege.location].piece
    state = capture(state, winner, siege.location)
    state = clear(state, attacker, siege, winner, loss)
    return replace(state, question=MaySettle(winner, siege.location)), captured, None


def capture(state: State, side: Side, location: str) -> State:
    """Take the piece of a location; it becomes neutral, a fortification disc goes back to stock (S8.12)."""
    piece = state.board[location]
    rest = {name: kept for name, kept in state.board.items() if name != location}
    state = replace(state, board=rest, forts_left=state.forts_left + (1 if piece.fort else 0))
    return add_captured(state, side, piece.piece)


def add_captured(state: State, side: Side, piece: PieceKind) -> State:
    """Count a captured piece."""
    me = state.players.of(side)
    village = piece == "village"
    taken = Pieces(me.captured.villages + village, me.captured.towns + (not village))
    return put(state, side, replace(me, captured=taken))


def clear(state: State, attacker: Side, siege: Siege, winner: Side, loss: str | None) -> State:
    """Send the siege's cards where they belong and take the marker off (S8.14)."""
    for side, cards in ((attacker, siege.attacker_cards), (other(attacker), siege.defender_cards)):
        going = cards
        if side != winner and loss is not None:
            going = without(cards, [loss])
            state = give_back(state, side, loss)
        me = state.players.of(side)
        state = put(state, side, replace(me, discard=me.discard + going))
    return replace(state, sieges=state.sieges.put(attacker, None))
