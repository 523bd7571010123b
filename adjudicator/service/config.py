"""What the service needs to know of the settings."""

from typing import Literal

import msgspec

from adjudicator.game.chance import Chance


class Config(msgspec.Struct, frozen=True):
    """Our domain (lower case), how much authorises a sender (contract 2), and who is told of trouble.

    `chance` shuffles instead of the games' seeds where recorded games are played again; no setting leads to it.
    """

    domain: str = "localhost"
    auth: Literal["token", "token+from", "aligned"] = "token+from"
    moderators: tuple[str, ...] = ()
    chance: Chance | None = None
