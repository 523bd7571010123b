"""Inbox and outbox as moderators see them. What a mail says about a running game is shown on demand only."""

import re
from collections.abc import Callable
from datetime import datetime

import msgspec

from adjudicator.errors import UsageError
from adjudicator.service.config import Config
from adjudicator.service.deliver import mail_of
from adjudicator.service.moderate import Warrant, find, note
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import LetterRow, PostLine, PostRow

_ID = re.compile(r"(in|out|held)-([0-9]{1,9})")


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail in ("in-3"), out ("out-5") or in quarantine ("held-1"); `raw` None: not to be seen.

    `state` is what became of it, `answer` the Message-ID of the answer to a letter.
    """

    id: str
    state: str
    kind: str
    from_address: str
    to_address: str
    at: datetime
    message_id: str = ""
    game: str | None = None
    side: str | None = None
    due_at: datetime | None = None
    attempts: int | None = None
    error: str | None = None
    answer: str | None = None
    raw: bytes | None = None


def number_of(mail_id: str, kind: str) -> int:
    """Return the number in "out-5" and the like.

    Raises: UsageError if it is no id of that kind.
    """
    found = _ID.fullmatch(mail_id)
    if found is None or found[1] != kind:
        raise UsageError(f"{mail_id!r} is no mail of this kind: its id looks like {kind}-5")
    return int(found[2])


def mails(tx: Transaction, game: str | None, limit: int, *, unsent: bool) -> list[Mail]:
    """Return mails in and out, at most `limit` of each, the newest first.

    Raises: UsageError if there is no such game.
    """
    game_id = find(tx, game).row.id if game else None
    names = {line.id: line.name for line in tx.games()}
    if unsent:
        posts = [post for post in tx.unsent_posts(limit=limit) if game_id in (None, post.game_id)]
        return [_out(post, names) for post in posts]
    letters = [_in(row, names) for row in tx.letters(game_id=game_id, limit=limit)]
    sent = [_out(row, names) for row in tx.posts(game_id=game_id, limit=limit)]
    return sorted(letters + sent, key=lambda one: one.at, reverse=True)


def _in(row: LetterRow, names: dict[int, str]) -> Mail:
    return Mail(
        id=f"in-{row.id}",
        state=row.outcome,
        kind="letter",
        from_address=row.from_address or row.mail_from,
        to_address=_hidden(row.rcpt),
        at=row.received_at,
        message_id=row.message_id,
        game=names.get(row.game_id or 0),
        side=row.side,
        answer=row.answer_id,
    )


def _hidden(rcpt: str) -> str:
    """Return an address of ours without the secret in it."""
    local, at, host = rcpt.rpartition("@")
    return f"{local.partition('.')[0]}.…{at}{host}" if "." in local else rcpt


def _out(row: PostLine | PostRow, names: dict[int, str]) -> Mail:
    state = "sent" if row.sent_at else "failed" if row.failed_at else "waiting"
    return Mail(
        id=f"out-{row.id}",
        state=state,
        kind=row.kind,
        from_address="",
        to_address=row.to_address,
        at=row.created_at,
        message_id=row.message_id,
        game=names.get(row.game_id or 0),
        side=row.side,
        due_at=row.due_at if state == "waiting" else None,
        attempts=row.attempts,
        error=row.last_error,
    )


def mail(config: Config, tx: Transaction, mail_id: str, *, full: bool) -> Mail:
    """Return one mail; as a whole if it is about no running game, or if `full`. "in" and "out" are the newest ones.

    Raises: UsageError if there is no such mail.
    """
    if mail_id in ("in", "out"):
        mail_id = _newest(tx, mail_id)
    kind, _, _ = mail_id.partition("-")
    if kind == "out":
        post = tx.post(number_of(mail_id, kind))
        if post:
            is_emptied = _is_emptied(post)
            return _whole(tx, _out(post, _names(tx)), lambda: b"" if is_emptied else mail_of(config, post), full=full)
    elif kind == "held":
        return _held(tx, mail_id, full=full)
    else:
        letter = tx.letter(number_of(mail_id, "in"))
        if letter:
            return _whole(tx, _in(letter, _names(tx)), lambda: tx.letter_raw(letter.id), full=full)
    raise UsageError(f"there is no mail {mail_id}")


def _is_emptied(post: PostRow) -> bool:
    """Whether a mail has nothing in it any more, since somebody was forgotten."""
    return not post.report and not post.raw


def _newest(tx: Transaction, kind: str) -> str:
    """Return the id of the newest mail in or out."""
    found = tx.posts(limit=1) if kind == "out" else tx.letters(limit=1)
    if not found:
        raise UsageError(f"there is no mail {kind} yet")
    return f"{kind}-{found[0].id}"


def _names(tx: Transaction) -> dict[int, str]:
    return {line.id: line.name for line in tx.games()}


def _whole(tx: Transaction, found: Mail, read: Callable[[], bytes], *, full: bool) -> Mail:
    """Return the mail as a whole, if it may be seen."""
    running = found.game is not None and find(tx, found.game).row.status != "finished"
    if running and not full:
        return found
    return msgspec.structs.replace(found, raw=read())


def _held(tx: Transaction, mail_id: str, *, full: bool) -> Mail:
    """Return a letter in quarantine; nobody knows yet which game it is about, so it is shown on demand."""
    number = number_of(mail_id, "held")
    row = tx.held_one(number)
    if row is None:
        raise UsageError(f"there is no mail {mail_id}")
    return Mail(
        id=mail_id,
        state="settled" if row.resolved_at else "held",
        kind="letter",
        from_address=row.mail_from,
        to_address=_hidden(row.rcpt),
        at=row.received_at,
        error=row.error,
        raw=tx.held_raw(number) if full else None,
    )


def resend(tx: Transaction, mail_id: str, warrant: Warrant) -> None:
    """Make a mail due again, whatever became of it.

    Raises: UsageError if there is no such mail.
    """
    number = number_of(mail_id, "out")
    post = tx.post(number)
    if post is None:
        raise UsageError(f"there is no mail {mail_id}")
    if _is_emptied(post):
        raise UsageError(f"mail {mail_id} is empty, as it was to or about somebody who is forgotten")
    tx.resend(number, at=warrant.now)
    note(tx, warrant, "mail resend", post=number)


def drop_held(tx: Transaction, ids: list[str], warrant: Warrant) -> None:
    """Settle letters in quarantine without reading them.

    Raises: UsageError if one of them is not in quarantine.
    """
    for one in ids:
        number = number_of(one, "held")
        row = tx.held_one(number)
        if row is None or row.resolved_at:
            raise UsageError(f"there is no letter {one} in quarantine")
        tx.resolve(number, at=warrant.now)
        note(tx, warrant, "mail quarantine --drop", held=number)
