"""What reading one mail may cost: parts, HTML, and time.

The other limits bound each piece by itself; these bound the whole, so that many pieces, each just small enough, are no
way around them.
"""

import time
from collections.abc import Callable

from adjudicator.errors import Unreadable

MAX_PARTS = 100
MAX_HTML_BYTES = 65_536
MAX_SECONDS = 3.0
_MAX_LOOKALIKES = 1_000  # lines that begin like a boundary and are none


class Allowance:
    """What is left of the limits of one mail.

    `clock` tells seconds of work; by default that of this thread, so that a busy machine refuses nobody.
    """

    def __init__(self, seconds: float = MAX_SECONDS, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._seconds = seconds
        self._end = clock() + seconds
        self._parts = MAX_PARTS
        self._html = MAX_HTML_BYTES
        self._lookalikes = _MAX_LOOKALIKES

    def check_time(self) -> None:
        """Go on only if there is time left.

        Raises: Unreadable.
        """
        if self._clock() > self._end:
            raise Unreadable(f"this mail takes more than {self._seconds:g} seconds to read; please send plain text")

    def take_part(self) -> None:
        """Begin another part.

        Raises: Unreadable.
        """
        self.check_time()
        self._parts -= 1
        if self._parts < 0:
            raise Unreadable(f"this mail has more than {MAX_PARTS} parts")

    def take_html(self, size: int) -> None:
        """Read so many bytes of HTML.

        Raises: Unreadable.
        """
        self.check_time()
        self._html -= size
        if self._html < 0:
            raise Unreadable(
                f"the HTML of this mail is longer than {MAX_HTML_BYTES // 1024} KB; please send plain text"
            )

    def take_lookalike(self) -> None:
        """Pass a line that begins like a boundary and is none.

        Raises: Unreadable.
        """
        self._lookalikes -= 1
        if self._lookalikes < 0:
            raise Unreadable("the parts of this mail cannot be told apart")
