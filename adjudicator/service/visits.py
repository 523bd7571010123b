"""Letters to a desk, and the mails that a desk writes."""

import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from hashlib import sha256

import msgspec

from adjudicator.mail.letter import Letter
from adjudicator.orders import Order, read
from adjudicator.orders.tokens import tokens
from adjudicator.orders.words import starting
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
    """A letter to a desk, its orders, and when it came.

    `misread` are lines that cannot be read, and why; `of_games` those that have their place in answers to games.
    """

    config: Config
    tx: Transaction
    letter: Letter
    orders: tuple[Order, ...]
    now: datetime
    misread: dict[int, str] = {}
    of_games: set[int] = set()

    def said(self, word: str) -> str | None:
        """The argument of the first order with this word, None if there is none."""
        return next((order.argument for order in self.orders if order.word == word), None)


def visit(config: Config, tx: Transaction, letter: Letter, now: datetime) -> Visit:
    """Return a letter with its orders read; those of the game have no place at a desk."""
    lines = [(line.number, line.text) for line in letter.lines if line.kind == "own"]
    reading = read(lines, "british")
    orders = [order for order in reading.orders if order.kind == "word"]
    orders += _unread(reading.ignored, {order.line for order in orders})
    orders += [_confirm(number, text) for number, text in reading.ignored if _YES.fullmatch(text)]
    misread = {number: near for number, text in reading.ignored if (near := _near(text))}
    misread |= {fault.line or 0: fault.message for fault in reading.refused}
    of_games = {order.line for order in reading.orders if order.kind != "word"}
    of_games |= {clause.line for clause in reading.standing} | {order.line for order in reading.ahead}
    of_games |= {fault.line or 0 for fault in reading.refused if _is_of_game(fault.text)}
    return Visit(config, tx, letter, tuple(sorted(orders, key=lambda order: order.line)), now, misread, of_games)


_YES = re.compile(r"\W*yes(\W+please)?\W*", re.IGNORECASE)
"""A whole line that says as much as `confirm`, in answer to a mail that asks; elsewhere it does nothing."""


def _confirm(number: int, text: str) -> Order:
    return Order(number, text, (0, len(text)), "confirm", "word", "british")


_MEANT = re.compile(
    r"\W*(challenge|join|cancel\s+challenge|set|observe|unobserve|leave)\b\W*(.*)", re.IGNORECASE | re.DOTALL
)
_NEAR = ("challenge", "challenges", "join", "cancel", "games", "observe", "unobserve", "leave", "confirm", "rules")
_LONGEST_MEANT = 6
"""Words behind one of these in a line that is no sentence."""


def _unread(ignored: Sequence[tuple[int, str]], known: set[int]) -> list[Order]:
    """Lines that begin as wishes and cannot be read as such: nothing else is meant at a desk."""
    found = [(number, text, _MEANT.fullmatch(text)) for number, text in ignored if number not in known]
    return [
        Order(number, text, (0, len(text)), word, "word", "british", argument=match[2].strip())
        for number, text, match in found
        if match
        and ((word := " ".join(match[1].lower().split())) == "challenge" or len(match[2].split()) <= _LONGEST_MEANT)
    ]


def _near(text: str) -> str:
    """What a short line was probably meant to be, if its first word is nearly one of ours; "" for all other prose."""
    words = re.findall(r"\w+", text.lower())
    if not words or len(words) > _LONGEST_MEANT or words[0] in _NEAR:
        return ""
    near = get_close_matches(words[0], _NEAR, n=1, cutoff=0.75)
    return f"This cannot be read. Did you mean the word {near[0]}?" if near else ""


def _is_of_game(text: str) -> bool:
    """Whether a line that was refused begins as an order of the game."""
    start = starting(tokens(text))
    return start is not None and start[0].kind == "game"


def about(tx: Transaction, player: PlayerRow | None) -> dict[str, str]:
    """What a player is told of himself: his name, his addresses, his games, and the zone in which times are told."""
    if player is None:
        return {}
    addresses = [row.address for row in tx.addresses(player.id) if row.verified_at]
    games = [f"{seat.game} {seat.side}" for seat in tx.seats_of(player.id) if seat.status != "finished"]
    told = {"name": player.name, "addresses": "\n".join(addresses), "games": "\n".join(games)}
    return {**told, "reader_zone": player.zone}


def listed(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of words, one a line and each once, as `reports.desk` takes them."""
    return "\n".join(dict.fromkeys(f"{word} {argument}" for word, argument in pairs))


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
