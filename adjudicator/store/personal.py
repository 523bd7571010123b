"""What the tables hold about one player, for him to read."""

from typing import Any

from sqlalchemy import Select, or_, select

from adjudicator.store.statements import (
    Statements,
    address,
    asking,
    audit,
    challenge,
    game,
    leave,
    letter,
    move,
    observer,
    player,
    post,
    seat,
)

_LETTER = ("received_at", "rcpt", "mail_from", "from_address", "message_id", "subject", "outcome")
_POST = ("created_at", "to_address", "message_id", "kind", "sent_at", "failed_at", "last_error")
_CHALLENGE = (
    "id", "edition", "variants", "switches", "side", "clock", "anonymous", "public", "rated_from", "rated_to", "word",
    "created_at", "closed_at",
)  # fmt: skip
_SEAT = ("side", "standing", "notes", "ahead", "confirms", "pending")
_GAME = ("name", "status", "edition", "variants", "clock", "created_at", "finished_at", "anonymous", "public")


class Personal(Statements):
    """Statements that gather what is kept about a player."""

    def kept_of(self, player_id: int) -> dict[str, Any]:
        """Return all that is kept about a player, by topic; nothing that only somebody else may know."""
        mine = address.c.player_id == player_id
        addresses = select(address.c.address).where(mine)
        return {
            "player": self._all(select(player).where(player.c.id == player_id)),
            "addresses": self._all(select(address).where(mine).order_by(address.c.id)),
            "seats": self._all(self._seats(player_id)),
            "moves": self._all(self._moves(player_id)),
            "letters": self._all(
                select(*(letter.c[name] for name in _LETTER))
                .where(or_(letter.c.from_address.in_(addresses), letter.c.mail_from.in_(addresses)))
                .order_by(letter.c.id)
            ),
            "mails": self._all(
                select(*(post.c[name] for name in _POST)).where(post.c.to_address.in_(addresses)).order_by(post.c.id)
            ),
            "leave": self._all(select(leave).where(leave.c.player_id == player_id).order_by(leave.c.id)),
            "challenges": self._all(
                select(*(challenge.c[name] for name in _CHALLENGE))
                .where(challenge.c.player_id == player_id)
                .order_by(challenge.c.id)
            ),
            "watched": self._all(
                select(game.c.name, observer.c.since_at)
                .join(observer, observer.c.game_id == game.c.id)
                .where(observer.c.player_id == player_id)
            ),
            "asked": self._all(
                select(asking.c.created_at, asking.c.address, asking.c.deeds, asking.c.used_at)
                .where(asking.c.player_id == player_id)
                .order_by(asking.c.id)
            ),
            "log": self._log(player_id),
        }

    def _seats(self, player_id: int) -> Select[Any]:
        columns = [*(game.c[name] for name in _GAME), *(seat.c[name] for name in _SEAT)]
        return (
            select(*columns)
            .join(seat, seat.c.game_id == game.c.id)
            .where(seat.c.player_id == player_id)
            .order_by(game.c.id)
        )

    def _moves(self, player_id: int) -> Select[Any]:
        return (
            select(game.c.name.label("game"), move.c.n, move.c.turn, move.c.text, move.c.cause, move.c.at)
            .join(game, game.c.id == move.c.game_id)
            .join(seat, (seat.c.game_id == move.c.game_id) & (seat.c.side == move.c.side))
            .where(seat.c.player_id == player_id)
            .order_by(move.c.game_id, move.c.n)
        )

    def _log(self, player_id: int) -> list[dict[str, Any]]:
        """The rows of the audit log that name him by his number."""
        rows = self._all(select(audit.c.at, audit.c.who, audit.c.command, audit.c.data).order_by(audit.c.id))
        return [row for row in rows if row["data"].get("player") == player_id or row["who"] == f"player {player_id}"]

    def _all(self, statement: Select[Any]) -> list[dict[str, Any]]:
        return [dict(row) for row in self.connection.execute(statement).mappings()]
