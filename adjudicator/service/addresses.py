"""Our own addresses (contract 3): who is written to, and the secret reply addresses.

The secret of a seat and position is the position's number and a keyed hash over game, side and number. The key is the
seat's own; a new key makes all old addresses worthless.
"""

import base64
import hmac
import re
from functools import lru_cache
from typing import Literal

import msgspec

from adjudicator.game.model import SIDES, Side

_MAC_BYTES = 15  # 24 letters; a guess hits with 2^-120
_LOCAL = re.compile(r"([a-z0-9-]{1,24})\.([0-9]{1,9})-([a-z2-7]{24})")
_LOCAL_IN_TEXT = re.compile(r"[a-z0-9-]{1,24}\.[0-9]{1,9}-[a-z2-7]{24}(@[a-z0-9.-]+)?", re.IGNORECASE)
_BOUNCE = re.compile(r"bounce\.([a-z0-9-]{1,57})")
_CONFIRM = re.compile(r"confirm\.([a-z2-7]{24})")
Desk = Literal["games", "postmaster", "abuse", "house"]
DESKS: tuple[Desk, ...] = ("games", "postmaster", "abuse", "house")


class SeatAddress(msgspec.Struct, frozen=True):
    """A secret reply address, not yet compared with any seat's key."""

    game: str
    seq: int
    mac: str


class BounceAddress(msgspec.Struct, frozen=True):
    """An envelope sender of ours; `key` tells the post."""

    key: str


class ConfirmAddress(msgspec.Struct, frozen=True):
    """The reply address of a mail that asks for a confirmation."""

    secret: str


def local_part(rcpt: str, domain: str) -> str | None:
    """The local part of an address of ours in lower case, None for another domain's."""
    local, at, host = rcpt.rpartition("@")
    return local.lower() if at and host.lower() == domain else None


def read_address(rcpt: str, domain: str) -> SeatAddress | BounceAddress | ConfirmAddress | Desk | None:
    """What an address of ours is for; None if it is none of ours.

    Source: contract 3 (upper and lower case are the same).
    """
    local = local_part(rcpt, domain)
    if local is None:
        return None
    for desk in DESKS:
        if local == desk:
            return desk
    if found := _BOUNCE.fullmatch(local):
        return BounceAddress(found[1])
    if found := _CONFIRM.fullmatch(local):
        return ConfirmAddress(found[1])
    if found := _LOCAL.fullmatch(local):
        return SeatAddress(found[1], int(found[2]), found[3])
    return None


@lru_cache(maxsize=8192)
def secret_mac(key: bytes, game: str, side: Side, seq: int) -> str:
    """The keyed hash in the secret of a seat and position; asked for at RCPT, at DATA, and when it is written."""
    digest = hmac.digest(key, f"{game}.{side}.{seq}".encode(), "sha256")
    return base64.b32encode(digest[:_MAC_BYTES]).decode().lower()


def reply_address(key: bytes, game: str, side: Side, seq: int, domain: str) -> str:
    """The Reply-To of a mail about position `seq` to that seat."""
    return f"{game}.{seq}-{secret_mac(key, game, side, seq)}@{domain}"


def without_secrets(text: str) -> str:
    """Words of a player without secret addresses in them, his own for instance, for whom they are passed on to."""
    return _LOCAL_IN_TEXT.sub("(an address)", text)


def seat_of(address: SeatAddress, keys: dict[Side, bytes]) -> Side | None:
    """The side whose secret it is, in a time that does not tell how near a guess was."""
    found: Side | None = None
    for side in SIDES:
        if hmac.compare_digest(secret_mac(keys[side], address.game, side, address.seq), address.mac):
            found = side
    return found
