"""What the service needs to know of the settings."""

from typing import Literal

import msgspec


class Config(msgspec.Struct, frozen=True):
    """Our domain (lower case), how much authorises a sender (contract 2), and who is told of trouble."""

    domain: str = "localhost"
    auth: Literal["token", "token+from", "aligned"] = "token+from"
    moderators: tuple[str, ...] = ()
