"""Secrets of a seat, from which its reply addresses follow; with a new one all earlier addresses are worthless."""

import secrets

from adjudicator.game.model import Side
from adjudicator.service.changes import Changes

KEY_BYTES = 16


def new_key() -> bytes:
    """Return a secret that nobody can guess."""
    return secrets.token_bytes(KEY_BYTES)


def rekey(changes: Changes, side: Side) -> None:
    """Give a seat a new key, and send it the position with a new address."""
    changes.set_seat(side, token_key=new_key())
    changes.tell(side, changes.box.draft("turn", side, changes.shown(side), noted=("newkey",)))
