"""What became of a mail's orders so far, and what their conditions come to by that."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from adjudicator.errors import OrderSyntax
from adjudicator.game.events import AmbushBegun, AmbushBlocked, Event, HandShown, PriestPlayed, RaidBegun, RaidBlocked
from adjudicator.game.model import Side
from adjudicator.orders import Order
from adjudicator.orders.conditions import SPOKEN_OF, Condition, Test

_ATTACKS = (RaidBegun, AmbushBegun)
_BEGUN: dict[Test, tuple[type[RaidBegun | AmbushBegun | PriestPlayed], ...]] = {
    "blocked": _ATTACKS,
    "not blocked": _ATTACKS,
    "hand shown": (AmbushBegun, PriestPlayed),
}
"""The events with which an order begins that a condition about a result can speak of."""

_BLOCKED = (RaidBlocked, AmbushBlocked)
_NOT_DONE = "What it speaks of was not done."
_CAME_ABOUT = "What stands before it came about."
_WHY: dict[Test, str] = {
    "blocked": "It was not blocked.",
    "not blocked": "It was blocked.",
    "hand shown": "No hand was shown.",
}


class Fates:
    """The orders of a mail by their places in `Reading.orders`: refused as illegal, or done and with which events.

    An order in place of an illegal one counts as that one where a condition speaks of a result. `earlier` are the
    events of the turn before this mail. `last` is the order that was carried out last.
    """

    def __init__(self, orders: Sequence[Order], side: Side, earlier: Sequence[Event]) -> None:
        self.orders = orders
        self.side: Side = side
        self.earlier = earlier
        self.refused: set[int] = set()
        self.done: set[int] = set()
        self.last: int | None = None
        self.events: dict[int, tuple[Event, ...]] = {}
        self.with_substitute = {
            order.condition.about for order in orders if order.condition and order.condition.test == "illegal"
        }

    def keep(self, place: int, events: tuple[Event, ...] = ()) -> None:
        """An order was carried out."""
        self.done.add(place)
        self.last = self._replaced(place)
        self.events[self._replaced(place)] = events

    def _replaced(self, place: int) -> int:
        """The order in whose place one stands: the first of those that were illegal, else itself."""
        condition = self.orders[place].condition
        while condition and condition.test == "illegal" and condition.about is not None:
            place = condition.about
            condition = self.orders[place].condition
        return place

    def why_not(self, condition: Condition | None) -> str | None:
        """Why an order under this condition does not count; None if it does."""
        if condition is None:
            return None
        if not self._decided(condition.chain[0] if condition.chain else condition):
            return _NOT_DONE
        if condition.test == "otherwise":
            held = any(self.why_not(before) is None for before in condition.chain)
            return _CAME_ABOUT if held else None
        if condition.test == "illegal":
            return None if condition.about in self.refused else "The order before it was legal."
        return None if self._came_about(condition) else _WHY[condition.test]

    def settled(self, condition: Condition | None, places: Mapping[int, int]) -> Condition | str | None:
        """A condition as it is for an order that waits for the other side's answer.

        None if it holds, in words why it does not, or what is still open of it: by the order that the answer is about,
        or by one that waits too, whose place then `places` gives.
        """
        if condition is None:
            return None
        if condition.test == "otherwise":
            return self._settled_opposite(condition, places)
        if condition.about is not None and condition.about in places:
            return msgspec.structs.replace(condition, about=places[condition.about])
        if condition.test in SPOKEN_OF and condition.about is not None and self._replaced(condition.about) == self.last:
            return Condition(condition.test)
        return self.why_not(condition)

    def _settled_opposite(self, condition: Condition, places: Mapping[int, int]) -> Condition | str | None:
        found = [(one, self.settled(one, places)) for one in condition.chain]
        if any(now is None for _, now in found):
            return _CAME_ABOUT
        still = tuple(now for _, now in found if isinstance(now, Condition))
        first, now = found[0]
        if isinstance(now, str) and not self._decided(first):
            return _NOT_DONE
        return Condition("otherwise", chain=still) if still else None

    def _decided(self, condition: Condition) -> bool:
        """Whether the order that a condition speaks of was tried, and if it is about a result: carried out."""
        if condition.test == "illegal":
            return condition.about in self.refused | self.done
        return any(isinstance(event, _BEGUN[condition.test]) for event in self._events(condition))

    def _came_about(self, condition: Condition) -> bool:
        events = self._events(condition)
        if condition.test == "hand shown":
            return any(isinstance(event, HandShown) for event in events)
        return any(isinstance(event, _BLOCKED) for event in events) == (condition.test == "blocked")

    def _events(self, condition: Condition) -> tuple[Event, ...]:
        """What came of the order that a condition speaks of."""
        if condition.about is None:
            return self._last_begun(_BEGUN[condition.test])
        return self.events.get(self._replaced(condition.about), ())

    def _last_begun(self, kinds: tuple[type[Event], ...]) -> tuple[Event, ...]:
        """The events of the turn from the last of the side's own that begins so, up to the next of its attacks."""
        found: tuple[Event, ...] = ()
        for event in self.earlier:
            if isinstance(event, RaidBegun | AmbushBegun | PriestPlayed) and event.side == self.side:
                begins = isinstance(event, kinds)
                found, taking = ((event,), True) if begins else (found, False)
            elif found and taking:
                found += (event,)
        return found

    def need_subjects(self) -> None:
        """Refuse a condition that speaks of nothing: neither in the mail nor earlier in the turn.

        Raises: OrderSyntax.
        """
        for order in self.orders:
            for condition in _with_chain(order.condition):
                if condition.test in SPOKEN_OF and condition.about is None and not self._events(condition):
                    *others, last = SPOKEN_OF[condition.test]
                    raise OrderSyntax(
                        "This condition speaks of {orders}: none stands before it in this turn.",
                        line=order.line,
                        text=order.text,
                        orders=f"{', '.join(others)} or {last}",
                    )


def _with_chain(condition: Condition | None) -> Iterable[Condition]:
    return (condition, *condition.chain) if condition else ()
