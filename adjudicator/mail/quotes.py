"""What of a mail its writer wrote: every line is own, quote or signature.

The rules, in the order in which they are tried on each line:

1. A line behind `>` or `|` is a quote, and so is one whose HTML element says so.
2. The cut line of our own mails, not behind `>`, makes itself and all that follows a quote.
3. A quote head (see `quote_heads`) is a quote. If marked quotes follow it, the text after them is own again:
answers
   between and below quotes are read. If plain text follows it, all of it to the end is a quote.
4. `--` alone begins a signature, up to the next quote. So does the last line of underscores if an address of mail or
web, or a telephone number, stands in the few lines below it, as in the footers of mailing lists and companies; people
write orders below such lines as well. A line like "Sent from my phone" is a signature by itself.

Where a doubt is left, the line is a quote: an order that was ignored is listed in the answer and can be sent
again, an old order carried out again cannot be taken back.
"""

import re
from collections.abc import Sequence
from typing import Literal

from adjudicator.mail.quote_heads import head_end
from adjudicator.mail.quote_words import AD_BEGINS, AD_HOLDS

Kind = Literal["own", "quote", "signature"]

CUT_LINE = "~~~ adjudicator: write above this line ~~~"

_CUT_WORDS = "adjudicator: write above this line"
_BAR = re.compile(r"\s{0,8}(>|\|(?!\|)|[A-Z][A-Za-z]{0,3}>)")
_DASHES = frozenset({"--", "- --"})  # the second: within a text signed by PGP
_NARROWEST_WRAP = 70  # columns; no program that quotes breaks lines that fit into fewer
_MAX_AD = 90
_UNDERSCORES = re.compile(r"\s*_{4,}\s*")
_MAX_SEARCHED = 400  # characters of a line of a footer
_MAX_FOOTER = 12  # lines below a line of underscores
_CONTACT = re.compile(r"[^\s<>@]@[\w-]+\.\w|\bhttps?://|\bwww\.\w|(?:^|\s)[+(0]\d(?:[\s()/.-]{0,2}\d){6,}")


def classify(lines: Sequence[str], marked: Sequence[Kind] | None = None) -> list[Kind]:
    """Return the kind of each line.

    `lines` have been made plain by `charsets.plain`; `marked` are the kinds that the HTML gave them. Takes
    time linear in the length of the text.
    """
    kinds: list[Kind] = list(marked) if marked is not None else ["own"] * len(lines)
    quoted = [kinds[i] == "quote" or bool(_BAR.match(line)) for i, line in enumerate(lines)]
    _mark_wrapped(lines, quoted)
    state: Kind = "own"
    at = 0
    while at < len(lines):
        if quoted[at]:
            kinds[at], state = "quote", "own"
            at += 1
            continue
        if _CUT_WORDS in lines[at]:
            return _rest_is_quote(kinds, at)
        end = head_end(lines, at, quoted=quoted)
        if end > at:
            if not _quote_follows(lines, quoted, end):
                return _rest_is_quote(kinds, at)
            kinds[at:end] = ["quote"] * (end - at)
            state, at = "own", end
            continue
        state = "signature" if _begins_footer(lines, quoted, at) else _state_after(state, lines[at])
        if state == "signature" or _is_ad(lines[at]):
            kinds[at] = "signature"
        at += 1
    return kinds


def _state_after(state: Kind, line: str) -> Kind:
    return "signature" if state == "signature" or line.strip() in _DASHES else "own"


def _begins_footer(lines: Sequence[str], quoted: Sequence[bool], at: int) -> bool:
    """Whether a line of underscores has a footer below it, up to the next quote or the end of the mail.

    Between two such lines may stand anything.
    """
    if not _UNDERSCORES.fullmatch(lines[at]):
        return False
    last = min(len(lines), at + 2 + _MAX_FOOTER)
    end = next((index for index in range(at + 1, last) if quoted[index]), last)
    below = [line[:_MAX_SEARCHED] for line in lines[at + 1 : end]]
    if len(below) > _MAX_FOOTER or any(_UNDERSCORES.fullmatch(line) for line in below):
        return False
    return any(_CONTACT.search(line) for line in below)


def _is_ad(line: str) -> bool:
    if len(line) > _MAX_AD:
        return False
    text = line.strip(" *_-[").casefold()
    return text.startswith(AD_BEGINS) or any(words in text for words in AD_HOLDS)


def _rest_is_quote(kinds: list[Kind], at: int) -> list[Kind]:
    return kinds[:at] + ["quote"] * (len(kinds) - at)


def _quote_follows(lines: Sequence[str], quoted: Sequence[bool], at: int) -> bool:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at < len(lines) and quoted[at]


def _mark_wrapped(lines: Sequence[str], quoted: list[bool]) -> None:
    """Mark the torn-off ends of long quoted lines: short, directly between two quoted lines.

    The end was torn off because its first word had no room on the line above.
    """
    for at in range(1, len(lines) - 1):
        if (
            not quoted[at]
            and quoted[at - 1]
            and quoted[at + 1]
            and lines[at].strip()
            and len(lines[at]) < _NARROWEST_WRAP < len(lines[at - 1]) + 1 + len(lines[at].split(maxsplit=1)[0])
        ):
            quoted[at] = True
