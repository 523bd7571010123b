"""Mails of ours that come back, and addresses that do not work.

Promise: a permanent failure, of a mail that was written since the address last proved to work, marks the address. From
then on nothing is sent to it; the moderators are told at once, the opponent by each mail that he gets. A letter that
its owner sends about one of his games clears it, and he gets the newest position of each. Temporary failures change
nothing. A report counts only at the secret envelope sender of the very mail that came back.
"""

import logging
from datetime import datetime

import msgspec

from adjudicator.errors import NotAuthorised
from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter
from adjudicator.service.addresses import BounceAddress
from adjudicator.service.alarms import alarm
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.inbox import letter_row, without_traces
from adjudicator.service.records import OVER
from adjudicator.service.stored import Stored, stored
from adjudicator.store.ledger import Transaction

log = logging.getLogger("adjudicator")

replace = msgspec.structs.replace


def note_report(
    config: Config, tx: Transaction, letter: Letter, raw: bytes, address: BounceAddress, now: datetime
) -> None:
    """Note what came to the envelope sender of a mail of ours.

    Raises: NotAuthorised if no mail of ours has this sender, or if it is neither a report nor automatic: whoever
        answers there is to hear that nobody reads it.
    """
    post = tx.post_by_bounce_key(address.key)
    if post is None or not (letter.bounce or letter.automatic):
        raise NotAuthorised("no report about a mail of ours")
    if tx.find_letter(letter.key):
        return
    outcome = "bounce" if letter.bounce else "automatic"
    row = replace(letter_row(letter, raw, outcome), game_id=post.game_id, side=post.side)
    tx.add_letter(row if post.to_address else without_traces(row))  # it names somebody who is forgotten
    if letter.bounce and letter.bounce.permanent:
        log.warning("mail %d came back for good", post.id)
        mark(config, tx, post.to_address, letter.bounce.status or "permanent failure", now, written_at=post.created_at)


def mark(config: Config, tx: Transaction, address: str, status: str, now: datetime, *, written_at: datetime) -> None:
    """Note that an address does not work, as a mail showed that was written at that time; tell the moderators once.

    Another address of the player's that works gets his mails from now on, the newest positions first.
    """
    row = tx.address(address)
    if row is None:
        if address in config.moderators:
            alarm(config, tx, "came-back", now, address=address, status=status)
        return
    if row.bounced_at or (row.cleared_at and written_at < row.cleared_at):
        return
    tx.lock_games([line.game for line in tx.seats_of(row.player_id)])
    tx.bounce_address(address, at=now, reason=status)
    tx.drop_posts(address, at=now, error=f"mail to this address comes back: {status}")
    alarm(config, tx, "came-back", now, address=address, status=status, since=now.isoformat())
    _tell_again(config, tx, row.player_id, None, now)


def revive(config: Config, tx: Transaction, game: Stored, side: Side, letter: Letter, now: datetime) -> Stored | None:
    """Let addresses work again that a letter about a game proves to work; returns the game as it is then.

    None if there was nothing to clear. His other games' newest positions are sent; this game's is the answer's to tell.
    """
    seat = game.seats[side]
    if letter.from_address == seat.address and not seat.bounced_at:
        return None
    mine = [tx.address(one) for one in {letter.from_address, seat.address or ""} if one]
    marked = [row.address for row in mine if row and row.player_id == seat.player_id and row.bounced_at]
    if not marked:
        return None
    assert seat.player_id
    tx.lock_games([line.game for line in tx.seats_of(seat.player_id)])
    for address in marked:
        tx.clear_address(address, at=now)
    log.info("game %s: mail to the %s goes out again", game.row.name, side)
    if seat.bounced_at:
        _tell_again(config, tx, seat.player_id, game, now, since=seat.bounced_at)
    found = tx.game(game.row.name)
    assert found
    return stored(found, config.chance)


def _tell_again(
    config: Config, tx: Transaction, player_id: int, but: Stored | None, now: datetime, since: datetime | None = None
) -> None:
    """Send a player the newest position of each of his games `but` one, if he has an address that works.

    Of games that are over, only those that ended `since`.
    """
    for line in tx.seats_of(player_id):
        if but and line.game == but.row.name:
            continue
        found = tx.game(line.game)
        if found is None or found.game.state is None:
            continue
        ended_at = found.game.finished_at
        if found.game.status == "finished" and not (since and ended_at and ended_at >= since):
            continue
        tell_position(config, tx, stored(found, config.chance), "british" if line.side == "british" else "french", now)


def tell_position(config: Config, tx: Transaction, game: Stored, side: Side, now: datetime) -> None:
    """Send a seat what it missed: the newest position, or the end of the game."""
    changes = Changes(config, tx, game, now, f"again {now.isoformat()}")
    draft = changes.box.draft("again", side, changes.shown(side))
    if game.row.result:
        draft = changes.box.over_draft(side, changes.shown(side), OVER.decode(game.row.result), ())
    changes.tell(side, draft)
    changes.write()
