"""Letters that came in, and those in quarantine."""

from datetime import datetime

import msgspec
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from adjudicator.errors import Unavailable
from adjudicator.store.rows import LetterRow, NewLetter, QuarantineRow
from adjudicator.store.statements import Statements, letter, quarantine, reading, storable

_FIND = reading(LetterRow, letter).where(letter.c.key == bindparam("wanted"))
_LETTER = reading(LetterRow, letter).where(letter.c.id == bindparam("wanted"))
_LATEST = reading(LetterRow, letter).order_by(letter.c.id.desc()).limit(bindparam("limit"))
_LATEST_OF = _LATEST.where(letter.c.game_id == bindparam("game"))
_RAW = select(letter.c.raw).where(letter.c.id == bindparam("wanted"))
_INSERT = insert(letter)

_HELD = reading(QuarantineRow, quarantine).order_by(quarantine.c.id)
_HELD_OPEN = _HELD.where(quarantine.c.resolved_at.is_(None))
_HELD_ONE = reading(QuarantineRow, quarantine).where(quarantine.c.id == bindparam("wanted"))
_HELD_RAW = select(quarantine.c.raw).where(quarantine.c.id == bindparam("wanted"))
_HOLD = insert(quarantine)
_RETRIED = (
    update(quarantine)
    .where(quarantine.c.id == bindparam("wanted"))
    .values(retried_at=bindparam("at"), error=bindparam("why"))
)
_RESOLVED = update(quarantine).where(quarantine.c.id == bindparam("wanted")).values(resolved_at=bindparam("at"))


class SameLetter(Unavailable):
    """Another transaction took the same letter just now; trying again finds it."""


class Letters(Statements):
    """Statements about letters."""

    def find_letter(self, key: str) -> LetterRow | None:
        """Return the letter that was taken under this key, or None."""
        return self.first(LetterRow, _FIND, wanted=key)

    def add_letter(self, new: NewLetter) -> int:
        """Add a letter that was taken, and return its id.

        Raises:
            SameLetter: another transaction took the same letter just now.

        """
        row = msgspec.structs.asdict(new)
        row["subject"], row["from_address"] = storable(new.subject), storable(new.from_address)
        try:
            return self.insert(_INSERT, row)
        except IntegrityError as error:
            raise SameLetter("the same letter was taken just now") from error

    def letter(self, letter_id: int) -> LetterRow | None:
        """Return a letter by id."""
        return self.first(LetterRow, _LETTER, wanted=letter_id)

    def letter_raw(self, letter_id: int) -> bytes:
        """Return the bytes of a letter as they came."""
        return bytes(self.connection.execute(_RAW, {"wanted": letter_id}).scalar_one())

    def letters(self, *, game_id: int | None = None, limit: int = 100) -> list[LetterRow]:
        """Return the latest letters, of one game or of all, the newest first."""
        if game_id is None:
            return self.every(LetterRow, _LATEST, limit=limit)
        return self.every(LetterRow, _LATEST_OF, limit=limit, game=game_id)

    def hold(self, raw: bytes, *, rcpt: str, mail_from: str, error: str, received_at: datetime) -> int:
        """Put a letter into quarantine and return its number there; any text will do as `error`."""
        row = {"raw": raw, "received_at": received_at, "error": storable(error)}
        row |= {"rcpt": storable(rcpt), "mail_from": storable(mail_from)}
        return self.insert(_HOLD, row)

    def held(self, *, resolved: bool = False) -> list[QuarantineRow]:
        """Return the letters in quarantine, the oldest first; with `resolved` also those that are settled."""
        return self.every(QuarantineRow, _HELD if resolved else _HELD_OPEN)

    def held_one(self, number: int) -> QuarantineRow | None:
        """Return a letter in quarantine by its number."""
        return self.first(QuarantineRow, _HELD_ONE, wanted=number)

    def held_raw(self, number: int) -> bytes:
        """Return the bytes of a letter in quarantine as they came."""
        return bytes(self.connection.execute(_HELD_RAW, {"wanted": number}).scalar_one())

    def retry_failed(self, number: int, *, at: datetime, error: str) -> None:
        """Note that a letter in quarantine was tried again and failed again."""
        self.connection.execute(_RETRIED, {"wanted": number, "at": at, "why": storable(error)})

    def resolve(self, number: int, *, at: datetime) -> None:
        """Note that a letter in quarantine is settled: read after a fix, or looked at and let go."""
        self.connection.execute(_RESOLVED, {"wanted": number, "at": at})
