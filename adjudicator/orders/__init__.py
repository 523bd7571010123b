"""Order language: text to actions and back. Pure; who speaks is settled before.

`read` takes the lines of a mail apart, `Order.resolve` makes an action of an order, `write` prints one,
`answer` settles a question by standing orders and defaults.
"""

from adjudicator.orders.ahead import changed
from adjudicator.orders.answers import answer
from adjudicator.orders.clauses import read_standing
from adjudicator.orders.idle import idle
from adjudicator.orders.misspelt import resembles
from adjudicator.orders.names import name, place
from adjudicator.orders.order import Later, Order, Reading
from adjudicator.orders.parser import read, read_again
from adjudicator.orders.recognise import begins_with
from adjudicator.orders.standing import NOTHING_SAID, Clause, Standing, amend
from adjudicator.orders.tokens import caret
from adjudicator.orders.writer import write, write_standing

__all__ = [
    "NOTHING_SAID",
    "Clause",
    "Later",
    "Order",
    "Reading",
    "Standing",
    "amend",
    "answer",
    "begins_with",
    "caret",
    "changed",
    "idle",
    "name",
    "place",
    "read",
    "read_again",
    "read_standing",
    "resembles",
    "write",
    "write_standing",
]
