"""How people come to games: open challenges, and who watches."""

from datetime import datetime

import msgspec
from sqlalchemy import bindparam, delete, exists, insert, select, update

from adjudicator.store.rows import ChallengeRow, NewChallenge, PlayerRow
from adjudicator.store.statements import Statements, challenge, observer, player, reading

_INSERT_CHALLENGE = insert(challenge)
_OPEN = reading(ChallengeRow, challenge).where(challenge.c.closed_at.is_(None)).order_by(challenge.c.id)
_CHALLENGE = reading(ChallengeRow, challenge).where(challenge.c.id == bindparam("wanted")).with_for_update()
_CLOSE = (
    update(challenge)
    .where(challenge.c.id == bindparam("was_id"))
    .values(closed_at=bindparam("at"), game_id=bindparam("game"))
)
_OBSERVERS = (
    reading(PlayerRow, player)
    .join(observer, observer.c.player_id == player.c.id)
    .where(observer.c.game_id == bindparam("game"))
    .order_by(observer.c.since_at, player.c.id)
)
_WATCHED = select(observer.c.game_id).where(observer.c.player_id == bindparam("player"))
_ANY_OBSERVER = select(exists().where(observer.c.game_id == bindparam("game")))
_OBSERVE = insert(observer)
_UNOBSERVE = delete(observer).where(
    observer.c.game_id == bindparam("game"), observer.c.player_id == bindparam("player")
)


class Meeting(Statements):
    """Statements about challenges and observers."""

    def add_challenge(self, new: NewChallenge) -> int:
        """Add an open challenge and return its number."""
        return self.insert(_INSERT_CHALLENGE, msgspec.structs.asdict(new))

    def open_challenges(self) -> list[ChallengeRow]:
        """Return the challenges that nobody has taken or taken back, the oldest first."""
        return self.every(ChallengeRow, _OPEN)

    def challenge(self, number: int) -> ChallengeRow | None:
        """Return a challenge, open or closed; nobody else can take it before this transaction ends."""
        return self.first(ChallengeRow, _CHALLENGE, wanted=number)

    def close_challenge(self, number: int, *, at: datetime, game_id: int | None = None) -> None:
        """Note that a challenge was taken (it became a game) or taken back."""
        self.connection.execute(_CLOSE, {"was_id": number, "at": at, "game": game_id})

    def observers(self, game_id: int) -> list[PlayerRow]:
        """Return who watches a game, the longest first."""
        return self.every(PlayerRow, _OBSERVERS, game=game_id)

    def has_observers(self, game_id: int) -> bool:
        """Whether anybody watches a game."""
        found = self.first_row(_ANY_OBSERVER, {"game": game_id})
        return bool(found and found[0])

    def watched(self, player_id: int) -> list[int]:
        """Return the ids of the games that a player watches."""
        return list(self.connection.execute(_WATCHED, {"player": player_id}).scalars())

    def observe(self, game_id: int, player_id: int, *, at: datetime) -> None:
        """Let a player watch a game; he does not yet."""
        self.connection.execute(_OBSERVE, {"game_id": game_id, "player_id": player_id, "since_at": at})

    def unobserve(self, game_id: int, player_id: int) -> None:
        """Let a player watch a game no longer."""
        self.connection.execute(_UNOBSERVE, {"game": game_id, "player": player_id})
