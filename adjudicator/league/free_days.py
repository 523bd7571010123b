"""Free days of a calendar: weekends and public holidays, as day numbers (days since 1970-01-01).

The library that knows the holidays is big and is loaded only for a clock that names a country.
"""

from datetime import date
from functools import lru_cache

from rapidfuzz import process


class UnknownRegion(ValueError):  # noqa: N818 - refusals say what is wrong
    """A code that is no country's; the message has the nearest ones."""


_EPOCH = date(1970, 1, 1).toordinal()
_SATURDAY = 5


def is_weekend(day: int) -> bool:
    """Whether it is a Saturday or a Sunday."""
    return (day + _EPOCH - 1) % 7 >= _SATURDAY


def is_holiday(day: int, region: str) -> bool:
    """Whether it is a public holiday there (a canonical region)."""
    return day in _holidays(region, date.fromordinal(day + _EPOCH).year)


@lru_cache(maxsize=256)
def _holidays(region: str, year: int) -> frozenset[int]:
    import holidays  # noqa: PLC0415 - takes a second to load

    country, _, part = region.partition("-")
    found = holidays.country_holidays(country, subdiv=part or None, years=year, expand=False)
    return frozenset(day.toordinal() - _EPOCH for day in found)


@lru_cache(maxsize=1)
def _regions() -> dict[str, str]:
    """The regions that are known (DE, DE-BY), by their names in capitals."""
    import holidays  # noqa: PLC0415 - takes a second to load

    known: dict[str, str] = {}
    for country, parts in holidays.list_supported_countries().items():
        if len(country) == 2:  # noqa: PLR2004 - the codes of two letters; those of three are the same countries
            known |= {name.upper(): name for name in (country, *(f"{country}-{part}" for part in parts))}
    return known


def canonical_region(text: str) -> str:
    """The region as it is written (DE-BY). Raises: UnknownRegion."""
    known = _regions()
    name = known.get(text.upper())
    if name is None:
        near = ", ".join(known[found] for found, _, _ in process.extract(text.upper(), known.keys(), limit=5))
        raise UnknownRegion(f"{text!r} is no code of a country (DE) or its part (DE-BY); the nearest are {near}")
    return name
