"""Mail that is noted and never answered, so that no two machines talk to each other.

Promise: subject words that our own mails carry never decide this. What gets past is stopped by the budget.
"""

from typing import Literal

from adjudicator.mail.letter import Letter
from adjudicator.service.addresses import read_address
from adjudicator.service.config import Config
from adjudicator.store.ledger import Transaction

Noted = Literal["bounce", "automatic", "own"]


def noted(config: Config, tx: Transaction, letter: Letter) -> Noted | None:
    """Return as what a letter is only noted; None if a person wrote it.

    "own" is a mail of ours that came home, by a forwarding rule for instance: it has a Message-ID of ours, or is from
    an address of ours.
    Source: RFC 3834 section 2.
    """
    if letter.bounce:
        return "bounce"
    if letter.automatic:
        return "automatic"
    if read_address(letter.from_address, config.domain) is not None:
        return "own"
    if not letter.message_id or not letter.message_id.endswith(f"@{config.domain}>"):
        return None
    return "own" if tx.post_by_message_id(letter.message_id) else None
