"""Edition, variants and switches as one value: everything in which two games' rules may differ.

The rules ask this value by meaning ("may Home Support reshuffle?"), never by edition or by variant number.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Literal, get_args

import msgspec

from adjudicator.errors import UsageError

Edition = Literal[1, 2]

VARIANTS: tuple[str, ...] = (
    "reshuffle-penalty", "fort-louisbourg", "duquesne-win", "ambush-siege-cards", "fewer-british-infantry",
    "french-siege-redraw", "reserve-locations", "british-start-bateaux", "free-blocked-ambush",
    "free-blocked-raid", "fort-quebec", "free-fur-money", "free-discards", "french-start-card",
    "governor-cedes-location", "natives-fight", "no-early-british-siege", "free-discard-lost-location",
    "no-governor-start-locations", "no-governors", "reserve-lost-location", "french-draft-bateaux",
    "french-start-bateaux",
    "home-support-reshuffles", "short-raids", "late-reshuffle",
)  # fmt: skip
"""The optional rules; the place in this tuple is the number, V0 to V25."""


class Switches(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The low-confidence readings of the rules (S0.2), each at its default unless said otherwise."""

    ambush_may_take_siege_card: bool = False
    trader_fur_limit: int | None = None
    first_native_free_in_raid: bool = False
    siege_track_is_capped: bool = True
    leader_needs_supply: bool = True
    points_end_checked_before_siege_check: bool = True


class Rules(msgspec.Struct, frozen=True):
    """The rules of one game. Made by `rules_for`; the fields after `switches` follow from the first three."""

    edition: Edition
    variants: tuple[str, ...]
    switches: Switches
    # S0.1
    french_bateaux: Literal["start", "draft", "none"]
    home_support_reshuffles: bool
    raid_reach_bonus: int
    short_raids: bool
    reserve_any_location: bool
    # S0.2
    ambush_takes_siege_cards: bool
    trader_fur_limit: int | None
    first_native_free: bool
    track_capped: bool
    leader_needs_supply: bool
    points_end_first: bool
    # variants
    reshuffle_penalty: bool
    start_forts: tuple[str, ...]
    duquesne_wins: bool
    fewer_infantry: bool
    french_siege_redraw: bool
    british_start_bateaux: bool
    free_blocked_ambush: bool
    free_blocked_raid: bool
    free_fur_money: bool
    free_discards: bool
    french_start_card: bool
    governor_cedes: bool
    natives_fight: bool
    no_early_british_siege: bool
    drop_lost_locations: bool
    governor_spares_start_locations: bool
    no_governors: bool
    reserve_lost_locations: bool
    late_reshuffle: bool


def rules_for(edition: int = 2, variants: Iterable[str] = (), switches: Mapping[str, object] | None = None) -> Rules:
    """The rules of an edition with variants (ids of `VARIANTS`) and switches (names of S0.2).

    Raises: UsageError for an unknown edition, variant, switch or value, and for variants that exclude each
    other.
    """
    values = switches_of(switches or {})
    return _rules(edition, _ordered(variants), Switches(**values))  # type: ignore[arg-type]


def _ordered(variants: Iterable[str]) -> tuple[str, ...]:
    """Known variants by number, each once; a number stands for its variant."""
    numbers = {str(number): variant for number, variant in enumerate(VARIANTS)}
    chosen = {numbers.get(variant, variant) for variant in variants}
    for variant in sorted(chosen - set(VARIANTS)):
        near = _nearest(variant, VARIANTS) or f"; there are {', '.join(VARIANTS)}"
        raise UsageError(f"unknown variant {variant!r}{near}")
    if {"french-draft-bateaux", "french-start-bateaux"} <= chosen:
        raise UsageError("the variants french-draft-bateaux and french-start-bateaux exclude each other")
    return tuple(variant for variant in VARIANTS if variant in chosen)


def _nearest(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def switches_of(values: Mapping[str, object]) -> dict[str, bool | int | None]:
    """Return what switches are set to; "yes", "no", "none" and digits are read as well as JSON's own values.

    Raises: UsageError for an unknown switch, or for a value that it cannot have.
    """
    return {name: _set_to(name, value) for name, value in values.items()}


_LONGEST_NUMBER = 3
_WORDS: dict[str, bool | None] = {"yes": True, "no": False, "true": True, "false": False, "none": None}


def _set_to(name: str, value: object) -> bool | int | None:
    if name not in Switches.__struct_fields__:
        raise UsageError(f"unknown switch {name!r}{_nearest(name, Switches.__struct_fields__)}")
    read = value
    if isinstance(value, str):
        is_number = value.isdecimal() and value.isascii() and len(value) <= _LONGEST_NUMBER
        read = int(value) if is_number else _WORDS.get(value, value)
    if name != "trader_fur_limit":
        if not isinstance(read, bool):
            raise UsageError(f"The switch {name} is yes or no.")
    elif read is not None and (not isinstance(read, int) or isinstance(read, bool) or read < 1):
        raise UsageError(f"The switch {name} is a number from 1 to 999, or none.")
    return read


@cache
def _rules(edition: int, variants: tuple[str, ...], switches: Switches) -> Rules:
    if edition not in get_args(Edition):
        raise UsageError(f"unknown edition {edition!r}: 1 or 2")
    first = edition == 1
    on = set(variants).__contains__
    start_bateaux = on("french-start-bateaux") or (first and not on("french-draft-bateaux"))
    forts = {"fort-louisbourg": "louisbourg", "fort-quebec": "quebec"}
    return Rules(
        edition=1 if first else 2,
        variants=variants,
        switches=switches,
        french_bateaux="start" if start_bateaux else "draft" if on("french-draft-bateaux") else "none",
        home_support_reshuffles=first or on("home-support-reshuffles"),
        short_raids=on("short-raids") and not first,
        raid_reach_bonus=0 if first or on("short-raids") else 1,
        reserve_any_location=first or on("reserve-locations"),
        ambush_takes_siege_cards=switches.ambush_may_take_siege_card or on("ambush-siege-cards"),
        trader_fur_limit=switches.trader_fur_limit,
        first_native_free=switches.first_native_free_in_raid,
        track_capped=switches.siege_track_is_capped,
        leader_needs_supply=switches.leader_needs_supply,
        points_end_first=switches.points_end_checked_before_siege_check,
        reshuffle_penalty=on("reshuffle-penalty"),
        start_forts=tuple(place for variant, place in forts.items() if on(variant)),
        duquesne_wins=on("duquesne-win"),
        fewer_infantry=on("fewer-british-infantry"),
        french_siege_redraw=on("french-siege-redraw"),
        british_start_bateaux=on("british-start-bateaux"),
        free_blocked_ambush=on("free-blocked-ambush"),
        free_blocked_raid=on("free-blocked-raid"),
        free_fur_money=on("free-fur-money"),
        free_discards=on("free-discards"),
        french_start_card=on("french-start-card"),
        governor_cedes=on("governor-cedes-location"),
        natives_fight=on("natives-fight"),
        no_early_british_siege=on("no-early-british-siege"),
        drop_lost_locations=on("free-discard-lost-location"),
        governor_spares_start_locations=on("no-governor-start-locations"),
        no_governors=on("no-governors"),
        reserve_lost_locations=on("reserve-lost-location"),
        late_reshuffle=on("late-reshuffle"),
    )
