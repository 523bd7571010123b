"""Letters to a desk, and the mails that a desk writes."""

import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

import msgspec

from adjudicator.mail.letter import Letter
from adjudicator.orders import Order, read
from adjudicator.service.asking import ask
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewPost, PlayerRow

Outcome = tuple[str, str]
"""What became of a deed: a word that the mail's template knows, and what it is about (an address, a number)."""
Done = tuple[Outcome, list[NewPost]]
"""That, and the mails that it causes besides the answer."""


class Visit(msgspec.Struct, frozen=True):
    """A letter to a desk, its orders, and when it came."""

    config: Config
    tx: Transaction
    letter: Letter
    orders: tuple[Order, ...]
    now: datetime

    def said(self, word: str) -> str | None:
        """The argument of the first order with this word, None if there is none."""
        return next((order.argument for order in self.orders if order.word == word), None)


def visit(config: Config, tx: Transaction, letter: Letter, now: datetime) -> Visit:
    """Return a letter with its orders read; game orders have no place at a desk."""
    lines = [(line.number, line.text) for line in letter.lines if line.kind == "own"]
    orders = [order for order in read(lines, "british").orders if order.kind == "word"]
    orders += _challenges(lines, {order.line for order in orders})
    return Visit(config, tx, letter, tuple(orders), now)


_CHALLENGE = re.compile(r"\W*challenge\b\W*(.*)", re.IGNORECASE)


def _challenges(lines: list[tuple[int, str]], known: set[int]) -> list[Order]:
    """Lines that begin as challenges and cannot be read as such: nothing else is meant at a desk."""
    found = [(number, text, _CHALLENGE.fullmatch(text)) for number, text in lines if number not in known]
    return [
        Order(number, text, (0, len(text)), "challenge", "word", "british", argument=match[1])
        for number, text, match in found
        if match
    ]


def about(tx: Transaction, player: PlayerRow | None) -> dict[str, str]:
    """What a player is told of himself: his name, his addresses, his games."""
    if player is None:
        return {}
    addresses = [row.address for row in tx.addresses(player.id) if row.verified_at]
    games = [f"{seat.game} {seat.side}" for seat in tx.seats_of(player.id) if seat.status != "finished"]
    return {"name": player.name, "addresses": "\n".join(addresses), "games": "\n".join(games)}


def listed(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of words, one a line, as `reports.desk` takes them."""
    return "\n".join(f"{word} {argument}" for word, argument in pairs)


def page(here: Visit, to: str, draft: Draft) -> NewPost:
    """A mail that is the same for everybody."""
    return _mail(here, to, draft, here.letter.key)


def desk_mail(
    here: Visit,
    kind: str,
    to: str,
    values: dict[str, str] | None = None,
    *,
    again: AskingRow | None = None,
    cause: str = "",
    at: datetime | None = None,
) -> NewPost:
    """A mail of the desk; one that asks `again` is to be answered as the first one was."""
    draft = Draft(kind="desk", notice=kind, values=values or {})
    if again and not here.letter.rcpt.startswith("confirm."):
        deeds = tuple((word, argument) for word, argument in again.deeds)
        answered = here.letter.message_id
        return ask(here.config, here.tx, draft, to, deeds, here.now, player_id=again.player_id, in_reply_to=answered)
    post = _mail(here, to, draft, cause or here.letter.key, at)
    return msgspec.structs.replace(post, reply_to=here.letter.rcpt) if again else post


def _mail(here: Visit, to: str, draft: Draft, cause: str, at: datetime | None = None) -> NewPost:
    mark = sha256(f"{cause}\0{draft.kind}\0{draft.notice}\0{to}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
    message_id = f"<desk.{mark}@{here.config.domain}>"
    is_answer = to == here.letter.from_address
    return NewPost(
        to_address=to,
        message_id=message_id,
        bounce_key=secrets.token_hex(16),  # who wrote the letter knows all else, and could report that it came back
        kind=draft.kind,
        cause=here.letter.key,
        reply_to=f"games@{here.config.domain}",
        created_at=at or here.now,
        due_at=at or here.now,
        report=encode(draft),
        in_reply_to=here.letter.message_id if is_answer else None,
        references=(here.letter.message_id or "") if is_answer else "",
    )
