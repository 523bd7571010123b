"""House players at the table: they write orders as text, which go through the same door as people's."""

import hmac
import logging
from datetime import datetime

from adjudicator.errors import Unavailable
from adjudicator.game.engine import decider
from adjudicator.game.model import Side
from adjudicator.players import compose_orders
from adjudicator.service.addresses import reply_address
from adjudicator.service.alarms import alarm
from adjudicator.service.config import Config
from adjudicator.service.receive import receive
from adjudicator.service.stored import Stored, stored
from adjudicator.store.ledger import Ledger

log = logging.getLogger("adjudicator")

Stuck = set[tuple[str, int]]
"""Games and the position numbers at which a house player could not move."""


def play_house(
    config: Config, ledger: Ledger, now: datetime, *, at_most: int | None = None, stuck: Stuck | None = None
) -> int:
    """Let house players move wherever the game waits for one; returns how many mails they wrote.

    They go on until no game waits for them, or until they have written `at_most` mails. Positions in which one could
    not move are added to `stuck`, and those in it are passed over.
    """
    written = 0
    stuck = set() if stuck is None else stuck
    while True:
        waiting = _waiting(ledger, stuck)
        if not waiting:
            return written
        for game in waiting:
            if written == at_most:
                return written
            written += 1
            if not _moved(config, ledger, game, now):
                stuck.add((game.row.name, game.row.seq))
                log.error("game %s: its house player is stuck at position %d", game.row.name, game.row.seq)
                with ledger.begin() as tx:
                    alarm(config, tx, "house-stuck", now, game.row.name, position=str(game.row.seq))


def _waiting(ledger: Ledger, stuck: Stuck) -> list[Stored]:
    """The running games that wait for a house player."""
    with ledger.read() as tx:
        names = [line.name for line in tx.games() if line.status == "running" and line.waiting_for]
        found = [stored(game) for name in names if (game := tx.game(name, lock=False))]
    return [
        game
        for game in found
        if game.row.status == "running"
        and (side := decider(game.state))
        and game.is_house(side)
        and (game.row.name, game.row.seq) not in stuck
    ]


def _moved(config: Config, ledger: Ledger, game: Stored, now: datetime) -> bool:
    """Move in one game; a fault of ours there must not keep the other games from going on."""
    try:
        return _move(config, ledger, game, now)
    except Unavailable:
        raise
    except Exception:
        log.exception("game %s: its house player failed", game.row.name)
        return False


def _move(config: Config, ledger: Ledger, game: Stored, now: datetime) -> bool:
    """Write one mail for the side to move; if it changes nothing, write `done`. Says whether the game moved."""
    side = decider(game.state)
    assert side
    seat = game.seats[side]
    seed = hmac.digest(seat.token_key, f"house.{seat.seq}".encode(), "sha256")
    orders = compose_orders(seat.house or "", game.rules, game.state, side, seed)
    for attempt, body in enumerate((orders, "done")):
        raw = house_mail(config, game, side, body, attempt)
        receive(config, ledger, raw, _reply_to(config, game, side), f"house@{config.domain}", now, own=True)
        with ledger.read() as tx:
            after = tx.game(game.row.name, lock=False)
        if after is None or after.game.seq != game.row.seq:
            return True
    return False


def _reply_to(config: Config, game: Stored, side: Side) -> str:
    seat = game.seats[side]
    return reply_address(seat.token_key, game.row.name, side, seat.seq, config.domain)


def house_mail(config: Config, game: Stored, side: Side, body: str, attempt: int = 0) -> bytes:
    """The mail of a house player; the same position gives the same Message-ID, so a repetition does nothing."""
    name, seq = game.row.name, game.seats[side].seq
    lines = (
        f"From: house@{config.domain}",
        f"To: {_reply_to(config, game, side)}",
        f"Subject: [{name}] orders",
        f"Message-ID: <house.{name}.{side}.{seq}.{attempt}@{config.domain}>",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        *body.splitlines(),
        "",
    )
    return "\r\n".join(lines).encode()
