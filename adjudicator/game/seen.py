"""What a side may know of what happened (hidden_information of the rules)."""

from adjudicator.game.events import Drew, Event, Exchanged, HandShown, HomeSupported, Pledged
from adjudicator.game.model import Side, replace


def visible(events: tuple[Event, ...], side: Side | None) -> tuple[Event, ...]:
    """The events as `side` (None: a spectator) may know them.

    Source: hidden_information of the rules.
    """
    return tuple(seen for event in events if (seen := _seen(event, side)) is not None)


def _seen(event: Event, side: Side | None) -> Event | None:
    """One event as `side` may know it; None if not even that it happened."""
    match event:
        case Pledged(side=owner):
            return event if owner == side else None
        case HandShown(side=owner):
            # The owner knows his hand, the opponent was shown it; a spectator learns the fact only.
            return event if side is not None else replace(event, cards=())
        case HomeSupported(side=owner) | Drew(side=owner):
            return event if owner == side else replace(event, cards=())
        case Exchanged(side=owner):
            return event if owner == side else replace(event, drawn=())
        case _:
            return event
