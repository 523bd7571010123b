"""Where the old mail begins: the lines that mail programs put above a quote.

Evidence counts, not language: a date, a time of day, an address, a word for "wrote". The word lists only help
where a head has little else.
"""

import re
from collections.abc import Sequence

from adjudicator.mail.quote_words import BEGIN_FORWARD, LABELS, MONTHS, ORIGINAL, WROTE, WROTE_ANYWHERE

_MAX_LINE = 400  # longer lines are no heads; keeps every search below short
_MAX_WRAPPED = 4  # lines over which one head may be broken
_MAX_BLOCK = 10  # lines that a block of From, Sent, To, Subject may take

_HINT = re.compile(r"[:@]|\d\d|--|__|\d[/.]")
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,@\"']@[^\s<>()\[\]:;,@\"']")
_TIME = re.compile(
    r"\b\d{1,2}[:h]\d\d|\b\d{1,2}\.\d\d(?=\s*(uhr|[ap]\.?m\b))|\bklo?\.? ?\d{1,2}[.:]\d\d|\d{1,2}[時时点시]"
)
_DATE = re.compile(
    r"\b(19|20)\d\d\b|\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}\b|\d[月일]|\d年|"
    rf"\b\d{{1,2}}(\.|th|st|nd|rd)? (de )?({'|'.join(MONTHS)})"
)
_WROTE = re.compile(rf"\b({'|'.join(WROTE)})\b|{'|'.join(map(re.escape, WROTE_ANYWHERE))}")
_ORIGINAL = re.compile("|".join(map(re.escape, ORIGINAL)))
_LABEL = re.compile(r"[*_\s]{0,3}([^\W\d_][^:*]{0,24}?)\s?[*_]{0,2}:[*_]{0,2}(\s|$)")
_LABEL_WITHIN = re.compile(r"(?:^|(?<=[\s>]))([^\W\d_]{1,15}(?: [^\W\d_]{1,10})?)\s?:(?=\s)")
_ROLES = {word: role for role, words in LABELS.items() for word in words}
_BLOCK_ROLES = 3  # that many different labels make a header block for sure


def head_end(lines: Sequence[str], at: int, *, quoted: Sequence[bool]) -> int:
    """Return the index behind the quote head that begins at line `at`, or `at` if none does.

    `lines` have been made plain; `quoted` says which of them are marked as quotes. A head never reaches over
    an empty line, except from a rule of dashes or underscores to the block below it.
    """
    line = lines[at]
    if len(line) > _MAX_LINE or not _HINT.search(line):
        return _forward_end(lines, at)
    for kind in (_rule_end, _joined_block_end, _block_end, _attribution_end):
        end = kind(lines, at, quoted)
        if end > at:
            return end
    return _forward_end(lines, at)


def _forward_end(lines: Sequence[str], at: int) -> int:
    line = lines[at].strip().casefold()
    return at + 1 if line.endswith(":") and len(line) < _MAX_LINE and line.startswith(BEGIN_FORWARD) else at


def _rule_end(lines: Sequence[str], at: int, quoted: Sequence[bool]) -> int:
    """Find a rule: `-----Original Message-----`, or a line of dashes or underscores above a header block.

    Where a program has joined lines, the header block may stand on the rule's own line.
    """
    line = lines[at].strip().strip("*").strip()
    if not line.startswith(("--", "__")):
        return at
    words = line.strip("-_ ").casefold()
    if _ORIGINAL.search(words.partition("--")[0]) and "--" in line[2:]:
        return max(at + 1, _block_below(lines, at, quoted))
    if not line.endswith(("-", "_")):
        return at
    if words and _evidence(words) >= _STRONG:
        return at + 1
    return _block_below(lines, at, quoted) if len(line) > len(words) + 6 else at


def _block_below(lines: Sequence[str], at: int, quoted: Sequence[bool]) -> int:
    """Return the index behind the header block below line `at`, or `at` if there is none."""
    below = _next_filled(lines, at + 1)
    end = _block_end(lines, below, quoted) if below < len(lines) else below
    return end if end > below else at


def _block_end(lines: Sequence[str], at: int, quoted: Sequence[bool]) -> int:
    """Find a block of header lines: From, Sent, To, Subject, or any three labels with evidence below them."""
    first = _LABEL.match(lines[at].casefold())
    if first is None:
        return at
    roles, labelled, end = set[str](), 0, at
    for index in range(at, min(len(lines), at + _MAX_BLOCK)):
        line = lines[index][:_MAX_LINE].casefold()
        if quoted[index] or not line.strip():
            break
        label = _LABEL.match(line)
        if label:
            labelled += 1
            roles.add(_ROLES.get(label[1].strip(), ""))
            end = index + 1
    text = " ".join(lines[at:end])[: _MAX_BLOCK * 100].casefold()
    known = roles - {""}
    if first[1].strip() in _ROLES and (
        len(known) >= _BLOCK_ROLES or (len(known) > 1 and "from" in known and _evidence(text))
    ):
        return end
    foreign = labelled >= _BLOCK_ROLES and "<" in text and _evidence(lines[at].casefold())
    return end if foreign and all(kind.search(text) for kind in (_ADDRESS, _DATE, _TIME)) else at


def _joined_block_end(lines: Sequence[str], at: int, _quoted: Sequence[bool]) -> int:
    """Find a header block whose lines a program has joined to one."""
    line = lines[at].casefold().strip("*_- ")
    roles = {_ROLES.get(label[1].strip("* ")) for label in _LABEL_WITHIN.finditer(line)} - {None}
    first = _LABEL.match(line)
    known = first is not None and first[1].strip() in _ROLES
    return at + 1 if known and len(roles) >= _BLOCK_ROLES and _evidence(line) >= _STRONG else at


# An address or a word for "wrote" counts 6, a date or a time 4.
_STRONG = 10  # one of the first two, and any other
_CERTAIN = 18  # nearly everything: enough without a colon at the end


def _evidence(text: str) -> int:
    """Weigh what in `text` (casefolded) speaks for a quote head."""
    score = 0
    if "@" in text and _ADDRESS.search(text):
        score += 6
    if _WROTE.search(text):
        score += 6
    if _DATE.search(text):
        score += 4
    if _TIME.search(text):
        score += 4
    return score


def _attribution_end(lines: Sequence[str], at: int, quoted: Sequence[bool]) -> int:
    """Find `On <date>, <name> <address> wrote:` in any language, possibly wrapped."""
    if not _evidence(lines[at].casefold()):
        return at
    joined = ""
    for end in range(at, min(len(lines), at + _MAX_WRAPPED)):
        line = lines[end].casefold().strip().strip("*_ ")
        if quoted[end] or not line or len(line) > _MAX_LINE:
            return at
        joined += " " + line
        if _is_attribution(joined, _followed_by_quote(quoted, lines, end + 1)):
            return end + 1 if _needs_first(lines, at, end, _evidence(joined)) else at
        if line.endswith(":"):
            return at
    return at


def _is_attribution(text: str, above_quote: bool) -> bool:  # noqa: FBT001 - a fact, not a mode
    if text.endswith(":"):
        score = _evidence(text)
        return score >= _STRONG or (above_quote and score > 0)
    if text.endswith((">", "-")) or _WROTE.search(text[-25:]):
        return _evidence(text) >= (_STRONG if above_quote else _CERTAIN)
    return False


def _needs_first(lines: Sequence[str], at: int, end: int, score: int) -> bool:
    """Tell whether the head loses evidence without its first line: else that line is the writer's own."""
    if end == at:
        return True
    rest = " ".join(lines[at + 1 : end + 1]).casefold()
    return _evidence(rest) < score


def _next_filled(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _followed_by_quote(quoted: Sequence[bool], lines: Sequence[str], at: int) -> bool:
    at = _next_filled(lines, at)
    return at < len(lines) and quoted[at]
