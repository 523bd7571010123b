"""The cases as they stand in the chapter files."""

import tomllib
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent


class Mail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    by: str
    orders: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One case; the keys are explained in README.md."""

    id: str
    rules: tuple[str, ...]
    shows: str
    ruling: str = ""
    editions: tuple[int, ...] = (1, 2)
    variants: tuple[str, ...] = ()
    switches: dict[str, object] = {}
    new_game: bool = False
    given: dict[str, object] = {}
    standing: dict[str, str] = {}
    by: str = "british"
    orders: str | None = None
    mails: tuple[Mail, ...] = ()
    refused: tuple[str, ...] = ()
    usage_error: bool = False
    then: dict[str, object] = {}

    @property
    def letters(self) -> tuple[Mail, ...]:
        """All mails of the case; none if it only looks at a position."""
        return self.mails if self.orders is None else (Mail(self.by, self.orders),)

    @property
    def shown_ruling(self) -> str | None:
        """The ruling that the case shows."""
        return self.ruling or (self.id if self.id[:3].isupper() else None)


def chapter(path: Path) -> tuple[Case, ...]:
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["case"], tuple[Case, ...])


CASES = tuple(case for path in sorted(FOLDER.glob("*.toml")) for case in chapter(path))
