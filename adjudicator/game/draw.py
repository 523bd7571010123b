"""Drawing and reshuffling (S3.7, S3.8)."""

from adjudicator.game.chance import Chance
from adjudicator.game.events import Event, Reshuffled
from adjudicator.game.model import Side, State, replace
from adjudicator.game.table import put


def reshuffle(state: State, side: Side, chance: Chance) -> tuple[State, Event]:
    """Make the discard pile the draw deck (which is empty): the next shuffle of the game."""
    me = state.players.of(side)
    deck = chance(state.shuffles, tuple(sorted(me.discard)))
    event = Reshuffled(side, state.shuffles, len(deck))
    state = put(state, side, replace(me, deck=deck, discard=()))
    return replace(state, shuffles=state.shuffles + 1), event


def draw(
    state: State, side: Side, count: int, chance: Chance, *, may_reshuffle: bool
) -> tuple[State, tuple[str, ...], tuple[Event, ...]]:
    """Take up to `count` cards from the front of the deck into hand, reshuffling only when one must be drawn.

    Returns the state, the drawn cards in order and what was seen of it.
    Source: S3.7.
    """
    drawn: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    while len(drawn) < count:
        me = state.players.of(side)
        if not me.deck:
            if not may_reshuffle or not me.discard:
                break
            state, event = reshuffle(state, side, chance)
            events += (event,)
            continue
        taken = me.deck[: count - len(drawn)]
        drawn += taken
        state = put(state, side, replace(me, deck=me.deck[len(taken) :], hand=me.hand + taken))
    return state, drawn, events
