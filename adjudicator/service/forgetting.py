"""A player is forgotten: his name, addresses, letters and words go; the games, the moves and the audit log stay.

Promise: afterwards nothing in the tables holds his name, an address of his or his words, but for the words that he
added to the seed of a game (no shuffle could be checked without them), what moderators wrote about him into the audit
log, and the last mails to him until they are sent: the farewell, and before it his data if he wanted them. The audit
log's chain holds, as it never held more than numbers.
"""

import secrets
from datetime import datetime

import msgspec

from adjudicator.game.events import GameOver
from adjudicator.game.model import Side, other
from adjudicator.game.scoring import scores
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, decode, encode
from adjudicator.service.ending import end
from adjudicator.service.locking import games_of
from adjudicator.service.moderate import Warrant, note
from adjudicator.service.stored import stored
from adjudicator.store.forgetting import FAREWELL
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost

replace = msgspec.structs.replace


def erase(
    config: Config, tx: Transaction, player_id: int, warrant: Warrant, *, by_moderator: bool = False
) -> list[NewPost]:
    """Forget a player; his games that are not over are given up. Returns the last mail to him, not yet added.

    That says whether he wanted it or a moderator, and why.
    """
    tx.lock_games(games_of(tx, player_id))
    tx.lock_player(player_id)
    player, now = tx.player(player_id), warrant.now
    assert player
    verified = next((row.address for row in tx.addresses(player_id) if row.verified_at), None)
    addresses, name = tx.addresses_written_to(player_id), f"player {player_id}"
    tx.forget_person(player_id, addresses, name=name, at=now)
    given_up = _give_up(config, tx, player_id, now)
    games = tx.forget_seats(player_id)
    tx.forget_letters(player_id, addresses, games, at=now)
    tx.forget_posts(addresses, games, at=now)
    tx.empty_posts(tx.naming(addresses, player.name), at=now)
    for number, report in tx.unsent_of(games):
        _reword(tx, number, report, player.name, name, now)
    note(tx, warrant, "player erase", None, player=player_id, given_up=given_up)
    values = {"by_moderator": "yes", "why": warrant.why} if by_moderator else {}
    return [_farewell(config, verified, values, now)] if verified else []


def _give_up(config: Config, tx: Transaction, player_id: int, now: datetime) -> list[str]:
    """Resign his games; returns their names."""
    names = []
    for line in tx.seats_of(player_id):
        found = tx.game(line.game)
        if found is None or found.game.status == "finished" or found.game.state is None:
            continue
        side: Side = "british" if line.side == "british" else "french"
        changes = Changes(config, tx, stored(found, config.chance), now, f"erase {player_id}")
        points = scores(changes.game.state)
        end(changes, GameOver(other(side), "resignation", side, points.british, points.french), side)
        changes.write()
        names.append(line.game)
    return names


def _reword(tx: Transaction, number: int, report: bytes, old: str, new: str, now: datetime) -> None:
    """Let a mail that is still to be sent name him no more; words of his are not passed on any more."""
    draft = decode(report)
    if draft.notice.endswith("press"):
        tx.empty_posts([number], at=now)
        return
    values = {key: new if value == old else value for key, value in draft.values.items()}
    taken = tuple(one for one in draft.taken if one.kind != "press")
    opponent = new if draft.opponent == old else draft.opponent
    tx.reword_post(number, encode(replace(draft, opponent=opponent, values=values, taken=taken)))


def _farewell(config: Config, to: str, values: dict[str, str], now: datetime) -> NewPost:
    mark = secrets.token_hex(12)
    return NewPost(
        to_address=to,
        message_id=f"<farewell.{mark}@{config.domain}>",
        bounce_key=secrets.token_hex(16),
        kind=FAREWELL,
        cause="erase",
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(Draft(kind="desk", notice=FAREWELL, values=values)),
    )
