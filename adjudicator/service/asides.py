"""What a letter about a game has besides the game: its writer's wishes about himself, and another address of his."""

from collections.abc import Sequence

import msgspec

from adjudicator.game.model import SIDES
from adjudicator.mail.letter import Letter
from adjudicator.orders import Reading
from adjudicator.service.asking import ask
from adjudicator.service.budget import free_at, join
from adjudicator.service.challenges import asked_of
from adjudicator.service.config import Config
from adjudicator.service.deeds import ASKED_BACK, each_deed, parted, settle_deeds, told_faults
from adjudicator.service.drafts import Draft
from adjudicator.service.petitions import AT_DESK_ONLY, PETITIONS
from adjudicator.service.stored import Postbox, shown
from adjudicator.service.visits import listed
from adjudicator.service.wanted import hindered_in
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import SeatRow

replace = msgspec.structs.replace


def ask_back(
    config: Config, tx: Transaction, box: Postbox, seat: SeatRow, letter: Letter, reading: Reading
) -> str | None:
    """Ask whether the writer wants what he asks for about himself; returns the Message-ID of that mail.

    `seat` has the address that the answer goes to. None if that has had too many mails within the hour.
    """
    if not seat.address or not seat.player_id or free_at(config, tx, seat.address, box.now) > box.now:
        return None
    found, _ = each_deed([order for order in reading.orders if order.word in PETITIONS], config.domain)
    hindered = hindered_in(tx, seat.player_id, found)
    orders = [order for order in reading.orders if order not in hindered]
    said, faults = settle_deeds(orders, config.domain, without=AT_DESK_ONLY)
    deeds, left_out = parted(said)
    values = {**asked_of(tx, deeds, left_out), "faults": told_faults(faults)}
    values["hindered"] = listed(tuple(hindered.values()))
    draft = Draft(kind="desk", notice="asked", values=values)
    post = ask(config, tx, draft, seat.address, deeds, box.now, player_id=seat.player_id, in_reply_to=letter.message_id)
    tx.add_posts([replace(post, game_id=seat.game_id, side=seat.side, counted=True)])
    return post.message_id


def says_more(reading: Reading, noted: Sequence[str]) -> bool:
    """Whether a letter has anything that the question back is no answer to.

    The question is a mail of its own: its reply address is for this one question, and a yes to it must never be one to
    what else a letter says.
    """
    return set(noted) != {"asked"} or any(order.word not in ASKED_BACK for order in reading.orders)


def tell_record(config: Config, tx: Transaction, box: Postbox, seat: SeatRow, letter: Letter) -> None:
    """Report a letter from another address of the player's to that of record, with the newest reply address."""
    if not seat.address or seat.bounced_at:
        return
    side = next(one for one in SIDES if one == seat.side)
    draft = box.draft("notice", side, None, notice="second-address", values={"sender": letter.from_address})
    cause = f"second {letter.key}"
    due_at = free_at(config, tx, seat.address, box.now)
    if due_at > box.now:
        join(tx, box, seat, draft, shown(tx, box.game, side), cause, due_at)
    elif post := box.post(draft, seat, cause):
        tx.add_posts([replace(post, counted=True)])
