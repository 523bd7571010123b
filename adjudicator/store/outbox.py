"""The outbox: mails to send, each at least once, and always under the same Message-ID.

A mail is written in the transaction of what caused it. A sender takes those that are due for a while (a
lease); no other sender gets them before the lease ends, so a sender that dies only delays them. A mail that
was sent but could not be marked is sent again, under the same Message-ID.
"""

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Update, bindparam, func, insert, literal_column, select, update

from adjudicator.store.rows import NewPost, PostLine, PostRow
from adjudicator.store.statements import Statements, post, reading, storable

_INSERT = insert(post)
_UNSENT = post.c.sent_at.is_(None) & post.c.failed_at.is_(None)
_FREE = post.c.leased_until.is_(None) | (post.c.leased_until <= bindparam("now"))
_DUE = (
    reading(PostRow, post)
    .where(_UNSENT, post.c.due_at <= bindparam("now"), _FREE)
    .order_by(post.c.due_at, post.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
_NEXT_DUE = select(func.min(post.c.due_at)).where(_UNSENT)
_WHICH = post.c.id.in_(bindparam("ids", expanding=True))
_LEASE = update(post).where(_WHICH).values(leased_until=bindparam("until"), attempts=post.c.attempts + 1)
_SENT = update(post).where(_WHICH).values(sent_at=bindparam("at"), leased_until=None, last_error=None)
_END_LEASES = update(post).where(_UNSENT, post.c.leased_until.is_not(None)).values(leased_until=None)
_DEFER = update(post).where(_WHICH).values(due_at=bindparam("due"), leased_until=None, last_error=bindparam("why"))
_FAIL = update(post).where(_WHICH).values(failed_at=bindparam("at"), leased_until=None, last_error=bindparam("why"))
_AGAIN = (
    update(post)
    .where(_WHICH)
    .values(due_at=bindparam("at"), sent_at=None, failed_at=None, leased_until=None, last_error=None, attempts=0)
)
_LATEST = reading(PostLine, post).order_by(post.c.id.desc()).limit(bindparam("limit"))
_LATEST_OF = _LATEST.where(post.c.game_id == bindparam("game"))
_LATEST_UNSENT = _LATEST.where(_UNSENT)
_POST = reading(PostRow, post).where(post.c.id == bindparam("wanted"))
_BY_BOUNCE = reading(PostRow, post).where(post.c.bounce_key == bindparam("wanted"))
_BY_MESSAGE = reading(PostRow, post).where(post.c.message_id == bindparam("wanted"))
_COUNTED = post.c.counted == literal_column("true")  # as the index has it
_COUNTED_BEFORE = (
    select(post.c.created_at)
    .where(post.c.to_address == bindparam("wanted"), _COUNTED)
    .order_by(post.c.created_at.desc())
    .limit(1)
    .offset(bindparam("skipped"))
)
_IS_JOINED = post.c.kind == literal_column("'joined'")  # a literal, or no database finds the index of just these
_JOINED = reading(PostRow, post).where(
    _IS_JOINED, _UNSENT, post.c.attempts == 0, post.c.game_id == bindparam("game"), post.c.side == bindparam("of")
)
_ANY_JOINED = select(post.c.id).where(_IS_JOINED, _UNSENT, post.c.attempts == 0, post.c.game_id == bindparam("game"))
_RETELL = (
    update(post)
    .where(post.c.id == bindparam("was_id"), _UNSENT, post.c.attempts == 0)
    .values(report=bindparam("told"), to_address=bindparam("to"), reply_to=bindparam("answer_to"))
)
_DROP = (
    update(post)
    .where(post.c.to_address == bindparam("wanted"), _UNSENT)
    .values(failed_at=bindparam("at"), leased_until=None, last_error=bindparam("why"))
)


class Outbox(Statements):
    """Statements about mails to send."""

    def add_posts(self, posts: list[NewPost]) -> None:
        """Add mails to send, in one statement."""
        if posts:
            self.change(_INSERT, *map(msgspec.structs.asdict, posts))

    def due_posts(self, now: datetime, *, limit: int, lease: timedelta) -> list[PostRow]:
        """Take up to `limit` mails that are due, the longest due first; they are held for a `lease`."""
        taken = self.every(PostRow, _DUE, now=now, limit=limit)
        if not taken:
            return []
        until = now + lease
        self._change(_LEASE, [one.id for one in taken], until=until)
        return [msgspec.structs.replace(one, leased_until=until, attempts=one.attempts + 1) for one in taken]

    def next_due_at(self) -> datetime | None:
        """Return when the next mail is due (maybe in the past, maybe leased); None if none is."""
        found = self.connection.execute(_NEXT_DUE).scalar()
        return found if found is None or isinstance(found, datetime) else None

    def end_leases(self) -> None:
        """Let a sender take at once what another one, that is dead for certain, had taken."""
        self.connection.execute(_END_LEASES)

    def mark_sent(self, ids: list[int], *, at: datetime) -> None:
        """Note that mails were delivered."""
        self._change(_SENT, ids, at=at)

    def mark_deferred(self, post_id: int, *, due_at: datetime, error: str) -> None:
        """Note that a mail could not be delivered now, and when to try again."""
        self._change(_DEFER, [post_id], due=due_at, why=storable(error))

    def mark_failed(self, post_id: int, *, at: datetime, error: str) -> None:
        """Note that a mail cannot be delivered at all."""
        self._change(_FAIL, [post_id], at=at, why=storable(error))

    def resend(self, post_id: int, *, at: datetime) -> None:
        """Make a mail due again, whatever became of it before."""
        self._change(_AGAIN, [post_id], at=at)

    def post(self, post_id: int) -> PostRow | None:
        """Return a mail by id."""
        return self.first(PostRow, _POST, wanted=post_id)

    def post_by_bounce_key(self, key: str) -> PostRow | None:
        """Return the mail whose envelope sender carries this key, or None."""
        return self.first(PostRow, _BY_BOUNCE, wanted=key)

    def post_by_message_id(self, message_id: str) -> PostRow | None:
        """Return the mail with this Message-ID, or None."""
        return self.first(PostRow, _BY_MESSAGE, wanted=message_id)

    def posts(self, *, game_id: int | None = None, limit: int = 100) -> list[PostLine]:
        """Return the latest mails, of one game or of all, the newest first."""
        if game_id is None:
            return self.every(PostLine, _LATEST, limit=limit)
        return self.every(PostLine, _LATEST_OF, limit=limit, game=game_id)

    def unsent_posts(self, *, limit: int = 100) -> list[PostLine]:
        """Return the mails that are still to be sent, the newest first."""
        return self.every(PostLine, _LATEST_UNSENT, limit=limit)

    def counted_before(self, to_address: str, skipped: int) -> datetime | None:
        """Return when the newest mail but `skipped` that counts for an address's budget was written, None if none."""
        values = {"wanted": to_address, "skipped": skipped}
        found = self.first_row(_COUNTED_BEFORE, values)
        return None if found is None else found[0]

    def has_joined_post(self, game_id: int) -> bool:
        """Whether a joined answer to either seat still waits."""
        return self.first_row(_ANY_JOINED, {"game": game_id}) is not None

    def joined_post(self, game_id: int, side: str) -> PostRow | None:
        """Return the joined answer to a seat that no sender has begun to work on; None if there is none."""
        return self.first(PostRow, _JOINED, game=game_id, of=side)

    def retell(self, post_id: int, report: bytes, *, to_address: str, reply_to: str) -> bool:
        """Let a mail tell something else; False if a sender has begun to work on it: then it stays as it is."""
        values = {"was_id": post_id, "told": report, "to": to_address, "answer_to": reply_to}
        return self.change(_RETELL, values) == 1

    def drop_posts(self, to_address: str, *, at: datetime, error: str) -> None:
        """Give all mails up that are still to be sent to an address."""
        self.connection.execute(_DROP, {"wanted": to_address, "at": at, "why": storable(error)})

    def _change(self, statement: Update, ids: list[int], **values: object) -> None:
        if ids:
            self.connection.execute(statement, {"ids": ids, **values})
