"""What those read who watch a game: the public side of it and nothing else."""

from collections.abc import Sequence

from adjudicator.game.edition import Rules
from adjudicator.game.events import Event, GameOver, TurnEnded
from adjudicator.game.model import State
from adjudicator.game.seen import visible
from adjudicator.game.view import view
from adjudicator.reports import Report
from adjudicator.reports.position import plain


def watched(
    game: str,
    rules: Rules,
    state: State,
    events: Sequence[Event] = (),
    over: GameOver | None = None,
    **told: str,
) -> Report:
    """A position at the border of two turns and what led to it, as a spectator may know them.

    `told`: the names of the players ("" in an anonymous game), and `why` this mail is written.
    """
    values = {
        "game": game,
        "side": None,
        "edition": rules.edition,
        "variants": rules.variants,
        "view": view(state, None),
        "events": [one for one in visible(tuple(events), None) if not isinstance(one, TurnEnded | GameOver)],
        "over": over,
        "why": told.get("why", ""),
        "british": told.get("british", ""),
        "french": told.get("french", ""),
    }
    return Report("watch", plain(values))
