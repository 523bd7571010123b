"""The record of a game as a file: with its last mail, and for whoever of the two asks for it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order
from adjudicator.service import records
from adjudicator.service.drafts import Draft, decode, encode, packed
from adjudicator.service.stored import Stored
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewPost

if TYPE_CHECKING:
    from adjudicator.service.changes import Changes

replace = msgspec.structs.replace


def with_record(tx: Transaction, game: Stored, posts: Iterable[NewPost]) -> list[NewPost]:
    """The mails with the record of the game in those that tell of its end; its moves are written already.

    It is made now and kept in the draft: the same mail goes out at each attempt, whatever becomes of the game.
    """
    posts = list(posts)
    if not any(post.kind == "over" for post in posts) or game.row.status != "finished":
        return posts
    record = packed(records.export(tx, game))
    return [_with(post, record) if post.kind == "over" else post for post in posts]


def _with(post: NewPost, record: bytes) -> NewPost:
    return replace(post, report=encode(replace(decode(post.report or b""), record=record)))


def send_record(changes: "Changes", side: Side, order: Order, letter: Letter) -> tuple[Draft, str]:  # noqa: ARG001 - as all
    """Answer with the record of the game: what anybody may see now, of a game that is over everything."""
    game = changes.game
    whole = game.row.status == "finished"
    record = packed(records.public_export(changes.tx, game))
    draft = changes.box.draft("notice", side, None, notice="record", values={"whole": "yes" if whole else ""})
    return replace(draft, record=record), "answered"
