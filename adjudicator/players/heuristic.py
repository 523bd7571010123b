"""The player `heuristic`: settles and develops early, hires soldiers, besieges what it can win, and ends when ahead."""

from adjudicator.game.actions import Action, Done, HomeSupport, Lose
from adjudicator.game.engine import apply, decider, legal_actions
from adjudicator.game.model import State
from adjudicator.players.compose import Thought
from adjudicator.players.search import best_path
from adjudicator.players.values import CARD_VALUE
from adjudicator.players.worth import worth

ENOUGH_TO_DRAW = 2


def considered(thought: Thought) -> list[Action]:
    """Answer what is asked, look for the best way through the turn, then name the cards of lost sieges."""
    state, side = thought.state, thought.side
    chosen: list[Action] = []
    while state.question and decider(state) == side:
        reply = best_answer(thought, state)
        chosen.append(reply)
        if thought.reveals(state, reply):
            return chosen
        state = thought.after(state, reply)
    if state.to_move != side or decider(state) != side:
        return chosen
    if _draws_first(thought, state):
        return [*chosen, HomeSupport()]
    path = best_path(thought.at(state))
    chosen += path.actions
    if path.closed:
        return chosen
    return [*chosen, Done(), *_pledges(thought, path.state)]


def _draws_first(thought: Thought, state: State) -> bool:
    """Home Support comes before everything else if it draws enough."""
    if HomeSupport() not in legal_actions(thought.rules, state, {HomeSupport}):
        return False
    me = state.players.of(thought.side)
    drawn = len(me.deck) + (len(me.discard) if thought.rules.home_support_reshuffles else 0)
    return drawn >= ENOUGH_TO_DRAW


def best_answer(thought: Thought, state: State) -> Action:
    """The answer to an own question after which the position is best; the least valuable card is lost first."""

    def value(action: Action) -> float:
        if isinstance(action, Lose):
            return -CARD_VALUE[action.card]
        after = apply(thought.rules, state, thought.side, action, thought.chance).state
        return worth(thought.rules, after, thought.side)

    return max(legal_actions(thought.rules, state), key=value)


def _pledges(thought: Thought, state: State) -> list[Action]:
    """The cards that go back with the sieges which the opponent is going to win."""
    state = thought.after(state, Done())
    losses: list[Action] = []
    while state.question and state.question.to == thought.side:
        reply = best_answer(thought, state)
        losses.append(reply)
        state = thought.after(state, reply)
    return losses
