"""What stands in the envelope of a mail, and who hands it in."""

import ipaddress
import re
from typing import Any

_PATH = re.compile(r"\s*<(?:@[^<>\s:]*:)?((?:\"[^\"<>\r\n]*\"@)?[^\s<>\"]*)>(.*)", re.DOTALL)
_BARE_PATH = re.compile(r"\s*([^\s<>\"]+)(.*)", re.DOTALL)
_MAX_PATH = 320


def split_path(arg: str) -> tuple[str | None, str | None]:
    """Split what follows `MAIL FROM:` or `RCPT TO:` into path and parameters; "<>" is the null path.

    Both are "" for nothing at all, None for what is malformed. An old source route is left out.
    Source: RFC 5321 section 4.1.2.
    """
    if not arg.strip():
        return "", ""
    match = _PATH.fullmatch(arg) or _BARE_PATH.fullmatch(arg)
    if match is None or len(match[1]) > _MAX_PATH or not _is_text(match[1]):
        return None, None
    return match[1] or "<>", match[2]


def _is_text(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def client_of(peer: Any) -> str:  # noqa: ANN401 - whatever the kind of socket calls its other end
    """Return what counts as one client: an IPv4 address, an IPv6 /64, "" for a local socket."""
    if not isinstance(peer, tuple) or not peer:
        return ""
    try:
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    except ValueError:
        return str(peer[0])
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
