"""A game ends by word of somebody, not by what was played."""

from adjudicator.game.events import GameOver
from adjudicator.game.model import Side, other
from adjudicator.service.changes import Changes
from adjudicator.service.drafts import Draft


def end(changes: Changes, over: GameOver, side: Side) -> Draft:
    """End a game in the position that it has: tell the other side, and return the mail to this one."""
    changes.renumber()
    changes.finish(over)
    foe, state = other(side), changes.game.state
    changes.tell(foe, changes.box.over_draft(foe, state, over, (over,)))
    return changes.box.over_draft(side, state, over, (over,))
