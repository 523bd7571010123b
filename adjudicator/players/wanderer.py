"""The player `random`: any legal order, with a taste for what brings a game to its end."""

from collections.abc import Sequence

from adjudicator.game.actions import (
    Action,
    Besiege,
    Develop,
    Discard,
    Done,
    Drop,
    HomeSupport,
    Leader,
    Pass,
    Raid,
    Reinforce,
    Reserve,
    Retrieve,
    SellFur,
    Settle,
    SettleWon,
    Withdraw,
)
from adjudicator.game.engine import decider, legal_actions
from adjudicator.game.model import State
from adjudicator.players.compose import Thought

# How often a kind is taken, against 4 for all others. Pieces that leave the stock end games; withdrawals, passes and
# throwing cards away do not.
TASTE: dict[type[Action], int] = {
    Settle: 12,
    Develop: 16,
    Raid: 10,
    Besiege: 8,
    Reinforce: 8,
    SettleWon: 12,
    HomeSupport: 8,
    Leader: 4,
    Retrieve: 4,
    Discard: 3,
    Reserve: 2,
    SellFur: 2,
    Drop: 2,
    Pass: 1,
    Withdraw: 1,
    Done: 24,
}
PLAIN = 4
EARLY_END = 0.02
"""Share of decisions in which a turn is ended with actions left."""


def wandering(thought: Thought) -> list[Action]:
    """Choose a kind of action by taste, then any action of this kind, until the turn is over."""
    state, side = thought.state, thought.side
    chosen: list[Action] = []
    while decider(state) == side and state.to_move == side:
        if state.question is None and thought.luck.random() < EARLY_END:
            return [*chosen, Done()]
        action = pick(thought, sane(thought, state))
        chosen.append(action)
        if thought.reveals(state, action):
            return chosen
        state = thought.after(state, action)
    if not chosen:  # a question in the other side's turn
        chosen.append(pick(thought, legal_actions(thought.rules, state)))
    return chosen


def sane(thought: Thought, state: State) -> Sequence[Action]:
    """The legal actions without reserving what could not be paid for when it is to come back.

    A side without money and with half its cards in the reserve can be stuck for ever.
    """
    options = legal_actions(thought.rules, state)
    me = state.players.of(thought.side)
    if me.money > len(me.reserve):
        return options
    return [option for option in options if not isinstance(option, Reserve)]


def pick(thought: Thought, options: Sequence[Action]) -> Action:
    """A kind by taste, then one of this kind, each as likely as the next."""
    kinds = list(dict.fromkeys(map(type, options)))
    kind = thought.luck.choices(kinds, [TASTE.get(kind, PLAIN) for kind in kinds])[0]
    return thought.luck.choice([option for option in options if type(option) is kind])
