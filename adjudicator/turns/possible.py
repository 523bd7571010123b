"""What could be ordered now, and what would reveal something."""

from adjudicator.game.actions import Action, Ambush, HomeSupport, IndianLeader, Priest, Raid, Withdraw
from adjudicator.game.edition import Rules
from adjudicator.game.engine import legal_actions
from adjudicator.game.model import Side, State
from adjudicator.orders import write

MOST_CHOICES = 12


def reveals(state: State, side: Side, action: Action) -> bool:
    """Whether an action reveals something hidden, whatever comes of it (contract 4, point 2)."""
    if isinstance(action, Withdraw):
        own = state.sieges.of(side)
        return own is None or own.location != action.target
    return isinstance(action, Raid | Ambush | Priest | IndianLeader | HomeSupport)


def possible(rules: Rules, state: State, side: Side, action: Action) -> tuple[str, ...]:
    """Canonical orders of the action's kind that are legal now, those for the same place first.

    If there is none of the kind: one order of each kind that is.
    """
    target = getattr(action, "target", None)
    alike = legal_actions(rules, state, {type(action)})
    if alike:
        chosen = sorted(alike, key=lambda found: getattr(found, "target", None) != target)
    else:
        chosen = list({type(found): found for found in reversed(legal_actions(rules, state))}.values())[::-1]
    return tuple(write(found, side) for found in chosen[:MOST_CHOICES])
