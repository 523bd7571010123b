"""What the mail server in front found out about a sender, and whether that fits the From header.

Anyone can write an Authentication-Results header. Only one that carries the name of the server in front counts, and
only if it is the only one: that server removes forged ones, and where two are left nobody can say which is its own.
Whatever is not written as the standard wants counts for nothing.

Source: RFC 8601 (the header), RFC 7489 section 3.1 (alignment).
"""

import re
from collections.abc import Iterable

import msgspec

_MAX_VALUE = 10_000  # bytes of a header that is read
_MAX_HEADERS = 50
_MAX_DOMAIN = 253
_LEAST_LABELS = 2  # a top-level domain speaks for nobody

_PIECE = re.compile(r'\s+|(?:"(?:[^"\\]|\\.)*"|[^\s;()"\\])+|[;()]', re.DOTALL)
_IN_COMMENT = re.compile(r"[^()\\]+|\\.|[()]", re.DOTALL)  # quotes mean nothing there
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_METHOD = re.compile(r"([a-z0-9-]+)(?:/[0-9]+)?", re.IGNORECASE)
_RESULT = re.compile(r"[a-z]+", re.IGNORECASE)
_PROPERTY = re.compile(r"(?:reason|[a-z0-9-]+\.[a-z0-9_-]+)", re.IGNORECASE)
_DOMAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")


class Result(msgspec.Struct, frozen=True):
    """One result: of what `method` ("spf", "dkim"), which, and about what ("header.d", "smtp.mailfrom")."""

    method: str
    result: str
    properties: dict[str, str]


class Results(msgspec.Struct, frozen=True):
    """One Authentication-Results header: who says it (lower case), and what."""

    authserv_id: str
    results: tuple[Result, ...]


def read_results(value: bytes) -> Results | None:
    """Return what a header says, None if it is not written as the standard wants.

    Source: RFC 8601 section 2.2.
    """
    if len(value) > _MAX_VALUE:
        return None
    sections = _sections(value.decode("ascii", "surrogateescape"))
    if not sections or not 1 <= len(sections[0]) <= 2:  # noqa: PLR2004 - the id, and perhaps a version
        return None
    authserv_id, *version = sections[0]
    if any(not one.isdecimal() for one in version):
        return None
    rest = [section for section in sections[1:] if section]
    if rest == [["none"]]:
        rest = []
    results = [_result(section) for section in rest]
    found = tuple(one for one in results if one is not None)
    return Results(_unquoted(authserv_id).lower(), found) if len(found) == len(results) else None


def trusted(headers: Iterable[bytes], authserv_id: str) -> tuple[Result, ...]:
    """Return the results of the one header of the server called `authserv_id`; none if there is not exactly one.

    A header that cannot be read and holds that name somewhere is taken for a second one.
    """
    values = list(headers)
    if len(values) > _MAX_HEADERS:
        return ()
    name = authserv_id.lower()
    ours: list[Results] = []
    for value in values:
        read = read_results(value)
        if read is None and name.encode("ascii", "replace") in value.lower():
            return ()
        if read and read.authserv_id == name:
            ours.append(read)
    return ours[0].results if len(ours) == 1 else ()


def proven_domains(results: Iterable[Result]) -> list[str]:
    """Return the domains that SPF or DKIM has proved: of the envelope sender, and of those who signed."""
    found: list[str] = []
    for one in results:
        if one.result != "pass":
            continue
        if one.method == "spf":
            found.append(one.properties.get("smtp.mailfrom", "").rpartition("@")[2])
        elif one.method == "dkim":
            signer = one.properties.get("header.d") or one.properties.get("header.i", "").rpartition("@")[2]
            found.append(signer)
    return [domain for domain in found if domain]


def is_aligned(from_address: str, proven: Iterable[str]) -> bool:
    """Whether one of the proven domains is that of the From address, or one of the two lies below the other.

    That is narrower than "relaxed" alignment, which needs to know where people can register domains: two
    domains side by side (mail.example.org and www.example.org) are not aligned here.

    Source: RFC 7489 section 3.1.
    """
    wanted = _domain(from_address.rpartition("@")[2])
    if not wanted:
        return False
    return any(_is_below(wanted, domain) or _is_below(domain, wanted) for domain in map(_domain, proven) if domain)


def _is_below(domain: str, above: str) -> bool:
    return domain == above or domain.endswith(f".{above}")


def _domain(text: str) -> str:
    """Return a domain in ASCII and lower case, "" if it is none or a top-level domain only."""
    text = text.removesuffix(".").lower()
    if len(text) > _MAX_DOMAIN:
        return ""
    if not text.isascii():
        try:
            text = text.encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    return text if _DOMAIN.fullmatch(text) and text.count(".") >= _LEAST_LABELS - 1 else ""


def _sections(text: str) -> list[list[str]]:
    """Return the words between the semicolons, without comments; nothing if brackets or quotes do not fit."""
    sections: list[list[str]] = [[]]
    depth = position = 0
    while position < len(text):
        piece = (_IN_COMMENT if depth else _PIECE).match(text, position)
        if piece is None:
            return []
        position = piece.end()
        if piece[0] in ("(", ")"):
            depth += 1 if piece[0] == "(" else -1
            if depth < 0:
                return []
        elif depth or piece[0].isspace():
            continue
        elif piece[0] == ";":
            sections.append([])
        else:
            sections[-1].append(piece[0])
    return sections if depth == 0 else []


def _result(section: list[str]) -> Result | None:
    """Return one result, None if it is not written as the standard wants."""
    pairs = [_pair(word) for word in _joined(section)]
    (method, result), *rest = pairs
    named = _METHOD.fullmatch(method)
    if named is None or not _RESULT.fullmatch(result):
        return None
    properties: dict[str, str] = {}
    for key, value in rest:
        if not _PROPERTY.fullmatch(key) or key.lower() in properties or not value:
            return None
        properties[key.lower()] = value
    return Result(named[1].lower(), result.lower(), properties)


def _joined(words: list[str]) -> list[str]:
    """Put words together that stand around an equals sign."""
    joined: list[str] = []
    for word in words:
        if joined and (word.startswith("=") or (joined[-1].endswith("=") and joined[-1].count("=") == 1)):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _pair(word: str) -> tuple[str, str]:
    key, _, value = word.partition("=")
    return key, _unquoted(value)


def _unquoted(text: str) -> str:
    return _QUOTED.sub(lambda found: re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL), text)
