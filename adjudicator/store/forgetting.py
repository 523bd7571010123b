"""What a player leaves in the tables, found and overwritten when he wants to be forgotten.

His row, his seats, the moves and the audit log stay: they hold his number, never his name, an address or his words.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, delete, func, or_, select, update

from adjudicator.store.statements import (
    Statements,
    address,
    asking,
    challenge,
    leave,
    letter,
    observer,
    player,
    post,
    quarantine,
    seat,
    stranger,
)

FAREWELL = "farewell"
"""The kind of the last mail to somebody: where it went is forgotten when it is sent."""
_NO_HEAD = {"mail_from": "", "from_address": "", "message_id": "", "subject": ""}
_NO_TEXT: dict[str, Any] = {"report": b"", "raw": None, "in_reply_to": None, "references": "", "last_error": None}
_UNSENT = post.c.sent_at.is_(None) & post.c.failed_at.is_(None)


class Forgetting(Statements):
    """Statements that forget a player; `addresses` are in lower case, `games` are ids."""

    def addresses_written_to(self, player_id: int) -> list[str]:
        """Return all addresses of a player, and those that mails to his seats went to, unless they are another's."""
        his = select(address.c.address).where(address.c.player_id == player_id)
        others = select(address.c.address).where(address.c.player_id != player_id)
        once = (
            select(post.c.to_address)
            .join(seat, (seat.c.game_id == post.c.game_id) & (seat.c.side == post.c.side))
            .where(seat.c.player_id == player_id, post.c.to_address.not_in(others), post.c.to_address != "")
        )
        return sorted(self.connection.execute(his.union(once)).scalars())

    def forget_person(self, player_id: int, addresses: Sequence[str], *, name: str, at: datetime) -> None:
        """Give a player another name, and drop his addresses, leave, wishes and what he watches."""
        run = self.connection.execute
        nobody = {"name": name, "zone": "UTC", "graced_at": None, "erased_at": at}
        run(update(player).where(player.c.id == player_id).values(nobody))
        for table in (address, leave, observer):
            run(delete(table).where(table.c.player_id == player_id))
        run(delete(asking).where((asking.c.player_id == player_id) | asking.c.address.in_(addresses)))
        run(delete(stranger).where(stranger.c.address.in_(addresses)))
        mine = challenge.c.player_id == player_id
        run(update(challenge).where(mine, challenge.c.closed_at.is_(None)).values(closed_at=at))
        run(update(challenge).where(mine).values(word=""))

    def forget_seats(self, player_id: int) -> list[int]:
        """Empty what a player wrote for himself at his seats; returns the ids of the games."""
        empty = {"standing": "", "notes": "", "ahead": "", "pending": ""}
        self.connection.execute(update(seat).where(seat.c.player_id == player_id).values(empty))
        return list(self.connection.execute(select(seat.c.game_id).where(seat.c.player_id == player_id)).scalars())

    def forget_letters(self, player_id: int, addresses: Sequence[str], games: Sequence[int], *, at: datetime) -> None:
        """Blank a player's letters, and the bytes of all others of his games, which quote mails with his name."""
        run, lower = self.connection.execute, func.lower
        others = select(address.c.address).where(address.c.player_id != player_id)
        his_seats = select(seat.c.game_id).where(
            seat.c.player_id == player_id, seat.c.game_id == letter.c.game_id, seat.c.side == letter.c.side
        )
        from_him = letter.c.from_address.in_(addresses) | lower(letter.c.mail_from).in_(addresses)
        for_him = his_seats.exists() & letter.c.from_address.not_in(others)
        run(update(letter).where(letter.c.game_id.in_(games)).values(raw=b""))
        run(update(letter).where(from_him | for_him | self._reports(addresses)).values(raw=b"", **_NO_HEAD))
        settled = {"raw": b"", "mail_from": "", "error": "", "resolved_at": func.coalesce(quarantine.c.resolved_at, at)}
        run(update(quarantine).where(lower(quarantine.c.mail_from).in_(addresses)).values(settled))

    def _reports(self, addresses: Sequence[str]) -> ColumnElement[bool]:
        """The letters that tell of mails to him that came back."""
        keys = select(post.c.bounce_key).where(post.c.to_address.in_(addresses))
        return func.substr(letter.c.rcpt, 1, 7 + 32).in_(select("bounce." + keys.subquery().c.bounce_key))

    def forget_posts(self, addresses: Sequence[str], games: Sequence[int], *, at: datetime) -> None:
        """Empty the mails to a player, and those of his games that are sent; give up what was still to go to him."""
        run = self.connection.execute
        about_him = post.c.to_address.in_(addresses) | post.c.reply_to.in_(addresses)
        run(update(post).where(about_him, _UNSENT).values(failed_at=at, leased_until=None))
        run(update(post).where(about_him).values(_NO_TEXT))
        run(update(post).where(post.c.to_address.in_(addresses)).values(to_address=""))
        run(update(post).where(post.c.reply_to.in_(addresses)).values(reply_to=""))
        run(update(post).where(post.c.game_id.in_(games), ~_UNSENT).values(report=b"", raw=None))

    def unsent_of(self, games: Sequence[int]) -> list[tuple[int, bytes]]:
        """Return id and report of the mails of these games that are still to be sent."""
        wanted = post.c.game_id.in_(games) & _UNSENT & post.c.report.is_not(None)
        found = self.connection.execute(select(post.c.id, post.c.report).where(wanted))
        return [(int(number), bytes(report)) for number, report in found]

    def naming(self, addresses: Sequence[str], name: str) -> list[int]:
        """Return the ids of mails to others, not about his games, that name him or may name him.

        Each notice and each mail about no game is looked at for the addresses and, in lists, for the name. Of lists
        that are sent all are meant: he may have had another name then.
        """
        looked_at = post.c.game_id.is_(None) | post.c.kind.in_(("notice", "desk"))
        rows = self.connection.execute(select(post.c.id, post.c.report, post.c.sent_at).where(looked_at))
        wanted = [*(one.encode() for one in addresses), msgspec.json.encode(f"\t{name}\t")[1:-1]]
        return [int(number) for number, report, sent_at in rows if report and _names(bytes(report), wanted, sent_at)]

    def reword_post(self, post_id: int, report: bytes) -> None:
        """Let a mail tell something else."""
        self.connection.execute(update(post).where(post.c.id == post_id).values(report=report))

    def empty_posts(self, ids: Iterable[int], *, at: datetime) -> None:
        """Empty mails, and give up those that are still to be sent."""
        which = post.c.id.in_(list(ids))
        self.connection.execute(update(post).where(which, _UNSENT).values(failed_at=at, leased_until=None))
        self.connection.execute(update(post).where(which).values(_NO_TEXT))

    def forget_farewells(self) -> None:
        """Forget where the last mails to forgotten players went, once they are sent or given up."""
        done = (post.c.kind == FAREWELL) & or_(post.c.sent_at.is_not(None), post.c.failed_at.is_not(None))
        self.connection.execute(update(post).where(done, post.c.to_address != "").values(to_address="", **_NO_TEXT))


_LISTS = (b'"open":"', b'"played":"')
"""How a report holds a list of challenges or of games, with names in it."""


def _names(report: bytes, wanted: list[bytes], sent_at: datetime | None) -> bool:
    lowered = report.lower()
    return any(one.lower() in lowered for one in wanted) or (sent_at is not None and any(x in report for x in _LISTS))
