"""The filters of the templates: ids become the names that the orders use, piles become lists."""

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.game import facts
from adjudicator.game.model import SIDES, Side, other
from adjudicator.league.clock import DAY, HOUR
from adjudicator.orders import names

LONGEST_QUOTED = 60
LONGEST_FILENAME = 40
NARROW = 50
"""Columns of a player's own line that we show back to him."""


def cards(ids: Iterable[str], side: Side, each: bool = False) -> str:  # noqa: FBT001, FBT002 - for templates
    """Cards of a side in the order given, equal ones together; with `each` single empire cards get a (1)."""
    return ", ".join(_named(card, n, side, each=each) for card, n in Counter(ids).items())


def _named(card: str, n: int, side: Side, *, each: bool) -> str:
    shown = names.name(side, card)
    return f"{shown} ({n})" if n > 1 or (each and facts.card(side, card).location is None) else shown


def card(id_: str, side: Side) -> str:
    """What a card of a side is called."""
    return names.name(side, id_)


def places(ids: Iterable[str]) -> str:
    """Places as a list."""
    return ", ".join(names.place(place) for place in ids)


def held(board: Mapping[str, Mapping[str, Any]], side: Side, piece: str) -> str:
    """The places where a side has towns (or villages), with their printed points and forts."""
    return ", ".join(
        _with_points(place) + (" fort" if stands["fort"] else "")
        for place, stands in board.items()
        if stands["owner"] == side and stands["piece"] == piece
    )


def neutral(board: Mapping[str, object]) -> str:
    """The places that nobody holds, with their printed points."""
    return ", ".join(_with_points(place) for place in sorted(facts.LOCATIONS) if place not in board)


def _with_points(place: str) -> str:
    location = facts.LOCATIONS[place]
    return f"{location.name} {location.points}" if location.points else location.name


def by_cost(pile: Mapping[str, int], side: Side) -> list[tuple[int, list[str]]]:
    """A pile of empire cards as pairs of cost and ids (each as often as it is there), the cheapest first."""
    costs: dict[int, list[str]] = {}
    for card_id, n in pile.items():
        costs.setdefault(facts.card(side, card_id).cost, []).extend([card_id] * n)
    return sorted(costs.items())


def costed(ids: Iterable[str], side: Side) -> list[tuple[int, list[str]]]:
    """Empire cards as pairs of cost and ids, the cheapest first."""
    return by_cost(Counter(ids), side)


def counted(ids: Iterable[str]) -> list[tuple[str, int]]:
    """Each card once, with its number."""
    return list(Counter(ids).items())


def column(id_: str, side: Side, n: int) -> str:
    """The first column of a table of cards: number and name.

    The number stands first also where it is 1, as some card names are order words.
    """
    return f"{n} {names.name(side, id_):<18}  "


def features(id_: str, side: Side) -> list[tuple[str, int]]:
    """What a card can do, as keys that a template has words for, each with a number."""
    fact = facts.card(side, id_)
    found: list[tuple[str, int]] = []
    for symbol, n in fact.symbols.items():
        found.append(("strength" if symbol == "military" else symbol, n))
    found += [(key, 1) for key, holds in _TRAITS if holds(fact)]
    return found


_TRAITS: tuple[tuple[str, Callable[[facts.Card], bool]], ...] = (
    ("defends", lambda fact: "fortification" in fact.id),
    ("pay", lambda fact: fact.id == "siege-artillery"),
    ("attacks-both", lambda fact: fact.raids and fact.ambushes),
    ("extends", lambda fact: fact.extends_raid and not fact.raids),
    ("blocks-both", lambda fact: fact.blocks_raid and fact.blocks_ambush),
    ("blocks-raid", lambda fact: fact.blocks_raid and not fact.blocks_ambush),
    ("vulnerable", lambda fact: fact.vulnerable),
    ("priest", lambda fact: fact.id in ("priest", "indian-leader")),
    ("free", lambda fact: fact.id in ("military-leader", "home-support")),
    ("trader", lambda fact: fact.id == "trader"),
    ("governor", lambda fact: fact.id == "governor"),
    ("intendant", lambda fact: fact.id == "intendant"),
    ("home-support", lambda fact: fact.id == "home-support"),
)


def cards_called(word: str) -> list[tuple[Side, str]]:
    """The cards of both sides with this printed name, as pairs of side and id."""
    asked = " ".join(word.split()).casefold()
    return [(side, id_) for side in SIDES for id_, fact in facts.CARDS[side].items() if fact.name.casefold() == asked]


def valued(ids: Iterable[str], side: Side) -> str:
    """Gold cards as a list, each with its gold."""
    return ", ".join(f"{names.name(side, id_)} {facts.card(side, id_).symbols.get('gold', 0)}" for id_ in ids)


def moment(at: str, zone: str = "UTC") -> str:
    """A date and time as the clocks of a zone show it, with the zone's name."""
    shown = datetime.fromisoformat(at).astimezone(ZoneInfo(zone))
    return f"{shown:%A %d %B %Y, %H:%M} {zone if zone == 'UTC' else f'({zone})'}"


def day(date_: str) -> str:
    """A date."""
    return f"{date.fromisoformat(date_):%A %d %B %Y}"


def span(seconds: int) -> str:
    """A time of whole days and hours, below an hour of minutes; always rounded down."""
    days, hours, minutes = seconds // DAY, seconds % DAY // HOUR, seconds % HOUR // 60
    parts = [(days, "day"), (hours, "hour"), (0 if days or hours else minutes, "minute")]
    return " and ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n) or "less than a minute"


def narrow(text: str) -> list[str]:
    """Words of a player, whole, in lines so short that no mail program wraps them again."""
    return [part for line in text.splitlines() for part in textwrap.wrap(line, NARROW) or [""]]


def oneline(text: str) -> str:
    """Words of a player on one line of bounded length."""
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_QUOTED else plain[: LONGEST_QUOTED - 1] + "…"


def filename(name: str) -> str:
    """What a file of a player's is called, tied to the word before it: no line can begin with it, however wrapped."""
    return "\u00a0“" + re.sub(r"[^\w.]+", "_", name)[:LONGEST_FILENAME] + "”"


def filled(refusal: Mapping[str, Any]) -> str:
    """The sentence of a refusal."""
    return str(refusal["template"]).format(**refusal["values"])


def marked(refusal: Mapping[str, Any]) -> tuple[str, str]:
    """The faulty line, cut to what fits around the fault, and the carets that stand under it."""
    text = "".join(" " if letter.isspace() else letter for letter in refusal["text"])
    start, end = refusal["span"] or (0, 0)
    skipped = max(0, min(end, len(text)) - LONGEST_QUOTED + 10) if len(text) > LONGEST_QUOTED else 0
    shown = text[skipped : skipped + LONGEST_QUOTED - 2]
    if skipped:
        shown = "…" + shown[1:]
    carets = " " * (start - skipped) + "^" * max(0, min(end - skipped, len(shown)) - max(0, start - skipped))
    return shown, carets


FILTERS: dict[str, Callable[..., Any]] = {
    "cards": cards,
    "card": card,
    "place": names.place,
    "places": places,
    "held": held,
    "neutral": neutral,
    "by_cost": by_cost,
    "cards_called": cards_called,
    "costed": costed,
    "counted": counted,
    "column": column,
    "features": features,
    "valued": valued,
    "opponent": other,
    "moment": moment,
    "day": day,
    "span": span,
    "narrow": narrow,
    "oneline": oneline,
    "filename": filename,
    "filled": filled,
    "marked": marked,
}
