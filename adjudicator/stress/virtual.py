"""Time that is made up: what is to happen, in its order."""

import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

What = Callable[[], None]


class Agenda:
    """What is to happen when; `now` is the time of what happens just now. All times are UTC."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self._heap: list[tuple[datetime, int, What]] = []
        self._numbers = count()

    def at(self, when: datetime, what: What) -> None:
        """Let something happen; what lies in the past happens next."""
        heapq.heappush(self._heap, (max(when, self.now), next(self._numbers), what))

    def after(self, delay: timedelta, what: What) -> None:
        """Let something happen later."""
        self.at(self.now + delay, what)

    def run(self, until: datetime, over: Callable[[], bool]) -> None:
        """Let everything happen until it is over, or that late; ends at once when nothing is left."""
        while self._heap and self._heap[0][0] <= until and not over():
            self.now, _, what = heapq.heappop(self._heap)
            what()
