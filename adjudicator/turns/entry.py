"""What a mail's game orders need before any is tried: their side has to decide, and the turn's end must be clear."""

from collections.abc import Sequence

from adjudicator.errors import NotYourDecision, OrderSyntax
from adjudicator.game.engine import decider
from adjudicator.game.model import Side, State
from adjudicator.orders import Order

FREE_WORDS = ("leader", "retrieve", "home support", "withdraw", "sell", "drop")
"""The order words of free actions (S3.5; V11, V17)."""


def need_decider(state: State, side: Side, orders: Sequence[Order]) -> None:
    """Game orders come from the side that has to decide."""
    if decider(state) == side:
        return
    if state.to_move is None:
        refusal = NotYourDecision("The game is over.", rule="S15.1")
    else:
        waits = state.to_move == side
        free = bool(orders) and orders[0].word in FREE_WORDS
        message = "The other side has to answer a question first." if waits else "It is not your turn."
        refusal = NotYourDecision(message, rule="S3.5" if free else "S3.1")
    if orders:
        refusal.line, refusal.text = orders[0].line, orders[0].text
    raise refusal


def need_clear_end(orders: Sequence[Order]) -> None:
    """`done` is the last order, and not together with `stop`; under a condition both may stand anywhere."""
    words = ["" if order.condition else order.word for order in orders]
    if "done" not in words:
        return
    at = words.index("done")
    if "stop" in words:
        raise OrderSyntax("Either done or stop: both together say nothing.", line=orders[at].line, text="done")
    if at + 1 < len(words):
        after = orders[at + 1]
        raise OrderSyntax("An order stands after done.", line=after.line, text=after.text, span=None)
