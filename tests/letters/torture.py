"""Mails that other people collected because programs fell over them: what installed packages and given folders hold.

None of these files is part of the project.
"""

import gzip
import importlib.util
import mailbox
import re
from collections.abc import Iterator
from pathlib import Path

ENDINGS = frozenset((".eml", ".msg", ".txt", ".mbox", ".mail", ".bounce", ".mime", ".in", ".dsn", ".gz", ""))
MAX_FILES, MAX_BYTES = 20_000, 5_000_000
_HEADER = re.compile(rb"\s*(From |[!-9;-~]+[ \t]*:)")


def standard_library() -> Path | None:
    """The folder of the standard library's own test mails; None where its tests are not installed."""
    try:
        found = importlib.util.find_spec("test.test_email")
    except ModuleNotFoundError:
        return None
    places = list(found.submodule_search_locations or ()) if found else []
    folder = Path(places[0]) / "data" if places else None
    return folder if folder and folder.is_dir() else None


def collected(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every mail under a folder, with where it lies; mailboxes are taken apart."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix.lower() in ENDINGS]
    for path in files[:MAX_FILES]:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
        if not _HEADER.match(raw) or len(raw) > MAX_BYTES:
            continue
        yield str(path.relative_to(folder)), raw
        if raw.startswith(b"From ") and path.suffix != ".gz":
            yield from _boxed(path, str(path.relative_to(folder)))


def _boxed(path: Path, name: str) -> Iterator[tuple[str, bytes]]:
    box = mailbox.mbox(path, create=False)
    try:
        yield from [(f"{name}:{key}", box.get_bytes(key)) for key in box.iterkeys()]
    finally:
        box.close()
