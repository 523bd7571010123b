"""What a moderator looks at and does about players; each change is in the audit log, and its owner is told of it.

All are plain functions in a transaction of the ledger.
"""

import secrets
from datetime import datetime

import msgspec

from adjudicator.errors import Refusal, UsageError
from adjudicator.service.absence import change_zone
from adjudicator.service.config import Config
from adjudicator.service.deeds import fit_address, fit_name
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.forgetting import erase
from adjudicator.service.moderate import Warrant, note
from adjudicator.service.visits import Outcome, listed
from adjudicator.service.wishes import rekey_player, with_ends
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AddressRow, NewPost, PlayerRow, PlayersSeat


class Player(msgspec.Struct, frozen=True):
    """A player, his addresses (that of record first, if it is verified) and his seats."""

    row: PlayerRow
    addresses: list[AddressRow]
    seats: list[PlayersSeat]


def players(tx: Transaction) -> list[Player]:
    """Return all players, the oldest first."""
    return [_whole(tx, row) for row in tx.players()]


def find_player(tx: Transaction, who: str) -> Player:
    """Return the player with this number, address or name.

    Raises: UsageError if there is none, or if several have this name.
    """
    if who.isdecimal() and who.isascii() and len(who) < 10:  # noqa: PLR2004 - no number is longer
        found = tx.player(int(who))
        rows = [found] if found else []
    elif address := tx.address(who):
        rows = [row for row in (tx.player(address.player_id),) if row]
    else:
        rows = tx.players_called(who)
    if not rows:
        raise UsageError(f"there is no player {who!r}: name a number, an address or a name")
    if len(rows) > 1:
        numbers = ", ".join(str(row.id) for row in rows)
        raise UsageError(f"several players are called {who!r}: name a number ({numbers}) or an address")
    return _whole(tx, rows[0])


def _whole(tx: Transaction, row: PlayerRow) -> Player:
    return Player(row, tx.addresses(row.id), tx.seats_of(row.id))


def add_player(config: Config, tx: Transaction, name: str, address: str, warrant: Warrant) -> int:
    """Add a player with an address that counts as verified; returns his number.

    Raises: UsageError for a name or an address that cannot be.
    """
    name, address = _free_name(tx, name), _free_address(config, tx, address)
    number = tx.create_player(name, at=warrant.now)
    tx.add_address(number, address, verified_at=warrant.now)
    note(tx, warrant, "player add", player=number)
    values = {"name": name, "address": address}
    tx.add_posts([_told(config, address, "registered", values, warrant.now)])
    return number


def rename(config: Config, tx: Transaction, who: str, name: str, warrant: Warrant) -> Player:
    """Give a player another name.

    Raises: UsageError for a name that cannot be.
    """
    player = find_player(tx, who)
    name = _free_name(tx, name, player.row.id)
    tx.rename_player(player.row.id, name)
    note(tx, warrant, "player rename", player=player.row.id)
    _tell(config, tx, player, ("named", name), warrant)
    return player


def add_address(config: Config, tx: Transaction, who: str, address: str, warrant: Warrant, *, use: bool) -> Player:
    """Add an address that counts as verified; with `use` mails go there from now on.

    One that the player has already only changes its place.
    Raises: UsageError for an address that cannot be.
    """
    player = find_player(tx, who)
    mine = {row.address for row in player.addresses if row.verified_at}
    if address.lower() not in mine or not use:
        address = _free_address(config, tx, address)
        tx.add_address(player.row.id, address, verified_at=warrant.now)
    if use:
        tx.prefer_address(address, at=warrant.now)
    note(tx, warrant, "player address add", player=player.row.id, use=use)
    _tell(config, tx, player, ("preferred" if use else "added", address.lower()), warrant)
    return player


def remove_address(config: Config, tx: Transaction, who: str, address: str, warrant: Warrant) -> Player:
    """Take an address from a player, and let all that he was asked come to nothing.

    Raises: UsageError if it is none of his, or his last.
    """
    player = find_player(tx, who)
    row = next((row for row in player.addresses if row.address == address.lower()), None)
    if row is None:
        raise UsageError(f"{address} is no address of player {player.row.id}")
    if not any(other.verified_at and other is not row for other in player.addresses):
        raise UsageError(f"{address} is the last address of player {player.row.id}: add another one first")
    tx.forget_address(row.address)
    tx.void_asked(player.row.id, at=warrant.now)
    note(tx, warrant, "player address remove", player=player.row.id)
    _tell(config, tx, player, ("removed", row.address), warrant)
    return player


def set_zone(config: Config, tx: Transaction, who: str, zone: str, warrant: Warrant) -> str:
    """Let a player's days count in another zone; returns its name as it is written.

    Raises: UsageError for an unknown zone, with the nearest ones.
    """
    player = find_player(tx, who)
    try:
        name, ends = change_zone(config, tx, player.row.id, zone, warrant.now)
    except Refusal as refusal:
        raise UsageError(refusal.message) from refusal
    note(tx, warrant, "player zone", player=player.row.id, zone=name)
    _tell(config, tx, player, ("zoned", with_ends(name, ends)), warrant)
    return name


def ban(config: Config, tx: Transaction, who: str, warrant: Warrant, *, banned: bool) -> Player:
    """Keep a player out of new games, and close his open challenges; or let him take part again.

    Raises: UsageError if he is that already.
    """
    player = find_player(tx, who)
    if bool(player.row.banned_at) == banned:
        raise UsageError(f"player {player.row.id} is {'banned already' if banned else 'not banned'}")
    tx.ban_player(player.row.id, at=warrant.now if banned else None)
    closed = [row.id for row in tx.open_challenges() if banned and row.player_id == player.row.id]
    for number in closed:
        tx.close_challenge(number, at=warrant.now)
    note(tx, warrant, "player ban" if banned else "player unban", player=player.row.id, challenges=closed)
    _tell(config, tx, player, ("banned" if banned else "unbanned", ""), warrant)
    return player


def forget(config: Config, tx: Transaction, who: str, warrant: Warrant) -> int:
    """Forget a player, as he can himself by `erase me`; returns his number.

    Raises: UsageError if he is forgotten already.
    """
    player = find_player(tx, who).row
    if player.erased_at:
        raise UsageError(f"player {player.id} is forgotten already")
    tx.add_posts(erase(config, tx, player.id, warrant, by_moderator=True))
    return player.id


def rekey_seats(config: Config, tx: Transaction, who: str, warrant: Warrant) -> int:
    """Make all reply addresses of a player's seats void; the mails with the new ones follow. Returns how many seats.

    Raises: UsageError if there is no such player.
    """
    player = find_player(tx, who)
    tx.void_asked(player.row.id, at=warrant.now)
    count = rekey_player(config, tx, player.row.id, warrant.now)
    note(tx, warrant, "player rekey", player=player.row.id, seats=count)
    return count


def _free_name(tx: Transaction, name: str, but: int | None = None) -> str:
    fit = fit_name(name)
    if fit is None:
        raise UsageError(f"{name!r} cannot be a name: letters, up to 40 signs, nothing that is an order")
    if any(row.id != but for row in tx.players_called(fit)):
        raise UsageError(f"there is a player called {fit!r} already")
    return fit


def _free_address(config: Config, tx: Transaction, text: str) -> str:
    """Return an address that is nobody's; a claim to it that was never proved is forgotten."""
    address = fit_address(text, config.domain)
    if address is None:
        raise UsageError(f"{text!r} is no mail address of a player")
    known = tx.address(address)
    if known and known.verified_at:
        raise UsageError(f"{address} is an address of player {known.player_id} already")
    if known:
        tx.forget_address(address)
    return address


def _tell(config: Config, tx: Transaction, before: Player, outcome: Outcome, warrant: Warrant) -> None:
    """Tell a player what was changed and why, at his address of record of before."""
    to = next((row.address for row in before.addresses if row.verified_at), None)
    if to:
        tx.add_posts([_told(config, to, "moderated", {"done": listed([outcome]), "why": warrant.why}, warrant.now)])


def _told(config: Config, to: str, kind: str, values: dict[str, str], now: datetime) -> NewPost:
    return NewPost(
        to_address=to,
        message_id=f"<desk.{secrets.token_hex(12)}@{config.domain}>",
        bounce_key=secrets.token_hex(16),
        kind="desk",
        cause="moderator",
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(Draft(kind="desk", notice=kind, values=values)),
    )
