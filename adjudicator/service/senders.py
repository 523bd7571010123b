"""Who may speak for a seat, and the one notice to its owner where somebody else has tried.

Source: contract 2 (AUTH), contract 3.
"""

import logging
from datetime import datetime
from hashlib import sha256
from typing import Literal

from adjudicator.errors import NotAuthorised, Unavailable
from adjudicator.mail import signatures
from adjudicator.mail.authentication import is_aligned, proven_domains, trusted
from adjudicator.mail.letter import Letter
from adjudicator.mail.mime import split_header
from adjudicator.service.budget import is_spent
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.rows import NewPost, SeatRow

log = logging.getLogger("adjudicator")

Fault = Literal["foreign-sender", "unproved-sender"]


class ForeignSender(NotAuthorised):
    """A right secret from an address that is not the player's, or not proved to be his; its owner is told once."""

    def __init__(self, game: str, side: str, sender: str, fault: Fault) -> None:
        super().__init__(f"{'a foreign' if fault == 'foreign-sender' else 'an unproved'} sender for {game} {side}")
        self.game = game
        self.side = side
        self.sender = sender
        self.fault = fault


def is_proven(config: Config, letter: Letter, raw: bytes) -> bool:
    """Whether SPF or DKIM proves the From header; only AUTH=aligned asks.

    It may take seconds where we check signatures ourselves, so never ask within a transaction.
    """
    if config.auth != "aligned" or not letter.from_address:
        return False
    if config.checks_signatures:
        return is_aligned(letter.from_address, signatures.signers(raw))
    headers, _ = split_header(raw)
    results = trusted(headers.get("authentication-results", ()), config.authserv_id)
    return is_aligned(letter.from_address, proven_domains(results))


def authorise(config: Config, tx: Transaction, seat: SeatRow, letter: Letter, *, proven: bool) -> None:
    """Refuse a letter whose sender may not speak for the seat; `proven` is what `is_proven` said.

    Raises: NotAuthorised.
    """
    if seat.player_id is None:
        raise NotAuthorised("nobody sits there")
    if config.auth == "token":
        return
    if not is_players_own(tx, seat.player_id, letter.from_address):
        raise ForeignSender(tx.game_name(seat.game_id), seat.side, letter.from_address, "foreign-sender")
    if config.auth == "aligned" and not proven:
        raise ForeignSender(tx.game_name(seat.game_id), seat.side, letter.from_address, "unproved-sender")


def need_proof(config: Config, *, proven: bool) -> None:
    """Refuse a letter about no game from a sender who is not proven, if AUTH=aligned asks for that.

    Raises: NotAuthorised.
    """
    if config.auth == "aligned" and not proven:
        raise NotAuthorised("the sender is not proven")


def is_second(tx: Transaction, seat: SeatRow, address: str) -> bool:
    """Whether an address is a verified one of the player who sits there, and not that of record."""
    return address != seat.address and seat.player_id is not None and is_players_own(tx, seat.player_id, address)


def is_players_own(tx: Transaction, player_id: int, address: str) -> bool:
    """Whether an address is a verified one of a player."""
    known = tx.address(address) if address else None
    return known is not None and known.player_id == player_id and known.verified_at is not None


def tell_owner(config: Config, ledger: Ledger, error: NotAuthorised, now: datetime) -> None:
    """One notice a day and sender to the address of record about a mail from a foreign address."""
    log.info("a mail was refused: %s", error)
    if not isinstance(error, ForeignSender):
        return
    try:
        with ledger.begin() as tx:
            found = tx.game(error.game)
            post = _notice(config, found.seats[error.side], error, now) if found else None
            if post is None or tx.post_by_message_id(post.message_id) is not None:
                return
            if is_spent(config, tx, post.to_address, now):
                log.info("game %s: its owner has got too many mails to be told", error.game)
            else:
                tx.add_posts([post])
    except Unavailable:
        log.warning("game %s: the notice of a foreign sender was not written", error.game)


def _notice(config: Config, seat: SeatRow, error: ForeignSender, now: datetime) -> NewPost | None:
    if not seat.address or seat.bounced_at:
        return None
    mark = sha256(f"{error.sender}\0{now.date()}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    local = f"{error.game}.{seat.side}.{error.fault.partition('-')[0]}.{mark}"
    draft = Draft(kind="notice", game=error.game, notice=error.fault, values={"sender": error.sender})
    return NewPost(
        to_address=seat.address,
        message_id=f"<{local}@{config.domain}>",
        bounce_key=sha256(seat.token_key + local.encode()).hexdigest()[:32],
        kind="notice",
        cause="foreign sender",
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(draft),
        counted=True,
        game_id=seat.game_id,
        side=seat.side,
        in_reply_to=seat.thread_id,
        references=seat.thread_id or "",
    )
