"""What a player can ask for about himself: words into deeds, pure.

A deed is a word and its argument: ("name", "Ann"), ("add", address), ("use", address), ("remove", address),
("newkey", ""), and those of `petitions`. Nothing is guessed: a line without exactly one address, or with one that is
not fit, is no deed but a fault, which says what is possible.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.model import SIDES
from adjudicator.league.wall import UnknownZone, zone_of
from adjudicator.orders import Order, read
from adjudicator.service.petitions import DATA, ERASE, NO_LEAVE, PETITIONS, Deed, petition_of

ASKED_BACK = ("set", *PETITIONS)
"""The words of orders that ask for deeds wherever they are written."""
_ZONE = re.compile(r"[\w/+-]{1,64}")
NEWKEY: Deed = ("newkey", "")

MOST_DEEDS = 5
"""So many deeds of one mail are asked back; those beyond are faults."""
LONGEST_NAME = 40
_LONGEST_LOCAL, _LONGEST_ADDRESS = 64, 254
_LOCAL = r"[^\s@<>()\[\],;:\\\"]+"
_HOST = r"[\w-]+(?:\.[\w-]+)+"
_ADDRESS = re.compile(rf"{_LOCAL}@{_HOST}")
_MARKUP = "*_~`|'"
"""What may stand before an address in a text and is no part of it."""
_FIT_NAME = re.compile(r"[\w .'\N{RIGHT SINGLE QUOTATION MARK}-]+")
_TAKEN_WORDS = frozenset({"house", "british", "french", "moderator", "games", "postmaster", "abuse"})
_FIRST = {"add": "add", "also": "add", "remove": "remove", "delete": "remove", "drop": "remove", "use": "use"}


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a line that was meant to be a deed: a sentence or two of our own, which anybody may see."""

    line: int
    word: str
    text: str


def told_faults(faults: Iterable[Fault]) -> str:
    """Faults, one a line, as `reports.desk` takes them."""
    return "\n".join(f"{fault.line}\t{fault.word}\t{fault.text}" for fault in faults)


def deeds_of(orders: Iterable[Order], domain: str) -> tuple[Deed, ...]:
    """Return the deeds among the orders of a mail that are asked back, each once, in order; `domain` is ours."""
    return parted(read_deeds(orders, domain)[0])[0]


def parted(deeds: Sequence[Deed]) -> tuple[tuple[Deed, ...], tuple[Deed, ...]]:
    """Part deeds into those that are asked back, and those that are left out.

    Of who is to be forgotten nothing is left that another deed could be about, so only his data go with it, before it.
    """
    if ERASE not in deeds:
        return tuple(deeds), ()
    return tuple(one for one in (DATA, ERASE) if one in deeds), tuple(one for one in deeds if one not in (DATA, ERASE))


def read_deeds(orders: Iterable[Order], domain: str) -> tuple[tuple[Deed, ...], tuple[Fault, ...]]:
    """Return the deeds among the orders of a mail, and what is wrong with those that are none."""
    found, faults = each_deed(orders, domain)
    deeds, more = _beside_each_other(found)
    return deeds, (*faults, *more)


def settle_deeds(
    orders: Iterable[Order], domain: str, without: Sequence[str] = ()
) -> tuple[tuple[Deed, ...], tuple[Fault, ...]]:
    """Return the deeds among the orders but for some words, and what is wrong with those that do not go together."""
    return _beside_each_other([(order, deed) for order, deed in each_deed(orders, domain)[0] if deed[0] not in without])


def each_deed(orders: Iterable[Order], domain: str) -> tuple[list[tuple[Order, Deed]], list[Fault]]:
    """Each order by itself: those that are deeds, and what is wrong with the others."""
    found: list[tuple[Order, Deed]] = []
    faults: list[Fault] = []
    for order in orders:
        if order.word not in (*ASKED_BACK, "leave"):
            continue
        try:
            found.append((order, _deed(order, domain)))
        except UsageError as error:
            faults.append(Fault(order.line, order.word, str(error)))
    return found, faults


def _beside_each_other(found: Sequence[tuple[Order, Deed]]) -> tuple[tuple[Deed, ...], tuple[Fault, ...]]:
    """The deeds of one mail, each once, and what is wrong with those that are too many or are said otherwise later."""
    last = {_about(deed): (order, deed) for order, deed in found}
    no_leave = next((order for order, deed in reversed(found) if deed == NO_LEAVE), None)
    deeds: dict[Deed, Order] = {}
    faults: list[Fault] = []
    for order, deed in found:
        later, final = last[_about(deed)]
        if deed != final and {deed[0], final[0]} != _TOGETHER:
            why = "takes it back" if final[0] == "remove" else "sets it anew"
            faults.append(Fault(order.line, order.word, f"This does not count, as line {later.line} {why}."))
        elif no_leave and deed[0] == "leave" and deed != NO_LEAVE and order.line < no_leave.line:
            why = f"This does not count, as line {no_leave.line} takes it back."
            faults.append(Fault(order.line, order.word, why))
        elif deed in deeds and deed[0] == "challenge":
            faults.append(Fault(order.line, order.word, f"Line {deeds[deed].line} offers the same. {_AGAIN}"))
        elif deed in deeds or len(deeds) < MOST_DEEDS:
            deeds.setdefault(deed, order)
        else:
            faults.append(Fault(order.line, order.word, f"One mail can ask for {MOST_DEEDS} things. {_AGAIN}"))
    return tuple(deeds), tuple(faults)


def _about(deed: Deed) -> tuple[str, ...]:
    """What a deed is about: of several about the same in one mail the last counts."""
    word, argument = deed
    if word in ("name", "zone"):
        return (word,)
    if word in ("add", "use", "remove"):
        return ("address", argument)
    return (word, argument.partition(" ")[0]) if word == "join" else deed


_TOGETHER = {"add", "use"}
"""What may both be done about one address."""
_AGAIN = "Please write this one again in another mail."


def _deed(order: Order, domain: str) -> Deed:
    """Raises: UsageError, with what is possible."""
    if order.word != "set":
        deed = petition_of(order)
        assert deed
        return deed
    deed = deed_of(order.argument, domain)
    if deed is None:
        raise UsageError(_wrong_with(order.argument, domain))
    if deed[0] == "zone":
        try:
            zone_of(deed[1])
        except UnknownZone as fault:
            raise UsageError(f"No time zone is called that. The nearest are {', '.join(fault.near)}.") from None
    return deed


def _wrong_with(argument: str, domain: str) -> str:
    """Why what stands after `set` is no deed, and what would be one."""
    option = argument.replace(":", " ").split()[0].lower().rstrip(".!") if argument.strip() else ""
    if option == "address" and only_address(argument, domain) is None:
        return "Please name just one mail address, and one that mails can go to."
    return _POSSIBLE.get(option, f"Nothing of that kind can be set here. {_SETTINGS}")


_SETTINGS = "Possible are the settings name, address, zone and newkey."
_POSSIBLE = {
    "name": f"That cannot be a name. It has letters, up to {LONGEST_NAME} signs, and is nothing that can be ordered.",
    "address": "Possible is an address alone, or the word add or remove before it.",
    "zone": "A time zone is like Europe/Berlin.",
    "timezone": "A time zone is like Europe/Berlin.",
    "newkey": "The word newkey stands alone.",
    "confirm": "That is set for each game. Please write it in answer to the newest mail of the game.",
}


def deed_of(argument: str, domain: str) -> Deed | None:
    """Return the deed that stands after `set`, None if it is none that is known."""
    option, _, rest = argument.replace(":", " ").strip().partition(" ")
    option = option.lower().rstrip(".!")
    if option == "newkey" and not rest.strip(" .!"):
        return NEWKEY
    if option in ("zone", "timezone"):
        zone = rest.strip(" .!=")
        return ("zone", zone) if _ZONE.fullmatch(zone) and not _is_order(zone) else None
    if option == "name":
        name = fit_name(rest)
        return ("name", name) if name else None
    if option != "address":
        return None
    address = only_address(argument, domain)
    verb = rest.split()[0].lower() if rest.split() else ""
    return (_FIRST.get(verb, "use"), address) if address and (verb in _FIRST or "@" in verb) else None


def only_address(text: str, domain: str) -> str | None:
    """Return the one address in a text, in lower case; mail programs write it twice where they make links of it."""
    found = {fit_address(one.lstrip(_MARKUP).rstrip("_"), domain) for one in _ADDRESS.findall(text)}
    return found.pop() if len(found) == 1 else None


def fit_address(text: str, domain: str) -> str | None:
    """Return an address in lower case if we can write to it, None otherwise; ours are no player's."""
    address = text.strip().lower().removeprefix("mailto:")
    local, at, host = address.rpartition("@")
    fits = at and 0 < len(local) <= _LONGEST_LOCAL and len(address) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(address)
    plain = address.isascii() and address.isprintable() and not _is_order(address)
    return address if fits and host != domain and plain else None


def fit_name(text: str) -> str | None:
    """Return a player's name as it is shown; None if it is none, or if some of its words could be read as orders.

    Names stand in mails that are quoted back and wrapped anew, so any of their words can come to begin a line.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split()).strip(" .!-'\"<>")
    if not name or len(name) > LONGEST_NAME or not _FIT_NAME.fullmatch(name) or not any(map(str.isalpha, name)):
        return None
    if "_" in name or name.casefold().split()[0] in _TAKEN_WORDS:
        return None
    words = name.split()
    return None if any(_is_order(" ".join(words[first:])) for first in range(len(words))) else name


def _is_order(text: str) -> bool:
    readings = [read(text, side) for side in SIDES]
    return any(one.orders or one.refused or one.standing or one.ahead for one in readings)
