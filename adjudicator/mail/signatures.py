"""DKIM signatures checked by ourselves, for a site whose mail server in front does not check them.

Needs the extra `dkim` (dkimpy and dnspython). A lookup in the DNS can take seconds, so it is done outside any
transaction, and for a few signatures only.

Source: RFC 6376.
"""

import logging
import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

log = logging.getLogger(__name__)

MAX_SIGNATURES = 3
"""So many signatures of a mail are looked at, the topmost first."""
DNS_SECONDS = 5

Lookup = Callable[..., bytes | None]
"""The TXT record of a name: `lookup(name, timeout=5)`, as dkimpy asks."""


def is_available() -> bool:
    """Whether the extra is installed."""
    return find_spec("dkim") is not None and find_spec("dns") is not None


def signers(raw: bytes, lookup: Lookup | None = None) -> list[str]:
    """Return the domains whose DKIM signature on the mail holds, From header and whole body included.

    A signature that does not cover the From header, or only the beginning of the body, counts for nothing, and
    neither does one that cannot be checked now.
    """
    dkim: Any = import_module("dkim")
    try:
        mail = dkim.DKIM(raw, timeout=DNS_SECONDS)
        count = sum(name.lower() == b"dkim-signature" for name, _ in mail.headers)
    except dkim.DKIMException:
        return []
    found = [_signer(mail, number, lookup or dkim.get_txt) for number in range(min(count, MAX_SIGNATURES))]
    return [domain for domain in found if domain]


def _signer(mail: Any, number: int, lookup: Lookup) -> str | None:  # noqa: ANN401 - a DKIM of dkimpy
    """Return who made a signature that holds, None for any other."""
    try:
        if not mail.verify(idx=number, dnsfunc=lookup):
            return None
    except Exception as error:  # noqa: BLE001 - dkimpy and the DNS raise whatever they like on strange input
        log.info("a signature could not be checked: %s", type(error).__name__)
        return None
    fields = mail.signature_fields
    signed = {name.strip().lower() for name in re.split(rb":", fields.get(b"h", b""))}
    if b"l" in fields or b"from" not in signed:
        return None
    return str(mail.domain.decode("ascii", "replace")).lower()
