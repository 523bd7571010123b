"""What the service needs to know of the settings."""

from typing import Literal

import msgspec

from adjudicator.game.chance import Chance


class Config(msgspec.Struct, frozen=True):
    """Our domain (lower case), how much authorises a sender (contract 2), and who is told of trouble.

    `authserv_id` names the mail server whose word on SPF and DKIM counts for `aligned`; without it we check DKIM
    ourselves. `strangers_per_hour` mails at most go to people who are no players,
    `answers_per_hour` answers at most to one address (see `budget`).
    `chance` shuffles instead of the games' seeds where recorded games are played again; no setting leads to it.
    """

    domain: str = "localhost"
    auth: Literal["token", "token+from", "aligned"] = "token+from"
    moderators: tuple[str, ...] = ()
    authserv_id: str = ""
    strangers_per_hour: int = 60
    answers_per_hour: int = 30
    chance: Chance | None = None

    @property
    def checks_signatures(self) -> bool:
        """Whether we check DKIM ourselves, which asks the DNS and takes its time."""
        return self.auth == "aligned" and not self.authserv_id
