"""What a letter says besides orders and questions, taken whatever position it answers (contract 4, point 4).

Each group of words has a function of the changes, the side that speaks, and its orders with these words. It returns
the kinds of things that were taken, as the answer names them.
"""

from collections.abc import Callable, Sequence

from adjudicator.game.model import Side, other
from adjudicator.orders import Order, Reading, Standing, amend, write_standing
from adjudicator.service.ahead import take_ahead
from adjudicator.service.asked_first import ask_first
from adjudicator.service.changes import Changes
from adjudicator.service.deeds import NEWKEY, deed_of
from adjudicator.service.keys import new_key
from adjudicator.service.petitions import PETITIONS
from adjudicator.service.press import passed_on
from adjudicator.service.time_words import is_zone, set_zone, take_leave, zone_said
from adjudicator.service.watching import tell_watchers

Noted = tuple[str, ...]


def take_words(changes: Changes, side: Side, reading: Reading) -> Noted:
    """Keep standing orders, notes and whatever else a letter says besides; returns the kinds that were found."""
    noted: list[str] = []
    if reading.standing:
        said: Standing = amend(changes.game.standing().of(side), reading.standing)
        changes.set_seat(side, standing=write_standing(said, side))
        noted.append("standing")
    noted += take_ahead(changes, side, reading)
    for words, take in TAKEN.items():
        if orders := [order for order in reading.orders if order.word in words]:
            noted += take(changes, side, orders)
    return tuple(dict.fromkeys(noted))


def _note(changes: Changes, side: Side, orders: Sequence[Order]) -> Noted:
    """Keep remarks that the player writes to himself."""
    notes = changes.game.seats[side].notes
    changes.set_seat(side, notes=notes + "".join(f"{order.argument}\n" for order in orders))
    return ("note",)


def _press(changes: Changes, side: Side, orders: Sequence[Order]) -> Noted:
    """Pass words on to the other side, and those to all to who watches a public game."""
    text = passed_on(changes, side, orders)
    if not text:
        return ("press-empty" if any(order.argument.strip() for order in orders) else "press-none",)
    values = {"text": text}
    draft = changes.box.draft("notice", other(side), None, notice="press", values=values)
    changes.tell(other(side), draft, counted=True)
    tell_watchers(changes, side, [order for order in orders if order.target == "all"])
    return ("press",)


_CONFIRMS = {"confirm on": True, "confirm off": False, "confirm": True}
"""Whether a player wants to say yes to each forecast, as he writes it after `set`."""


def _set(changes: Changes, side: Side, orders: Sequence[Order]) -> Noted:
    """Change something about the seat, or note what has to be confirmed first."""
    noted: list[str] = []
    last = {about: order for order in orders if (about := _about(order))}
    for order in orders:
        later = last.get(_about(order), order)
        if later.argument != order.argument:
            changes.undone.append(order)
            changes.remark(
                "Line {line} does not count, as line {later} sets the same anew.",
                line=str(order.line),
                later=str(later.line),
            )
            continue
        if (zone := zone_said(order.argument)) is not None:
            noted += set_zone(changes, side, zone, order)
            continue
        deed = deed_of(order.argument, changes.config.domain)
        confirms = _CONFIRMS.get(_plain(order))
        if confirms is not None:
            changes.set_seat(side, confirms=confirms)
            noted.append("confirm-on" if confirms else "confirm-off")
        elif deed == NEWKEY:
            changes.set_seat(side, token_key=new_key())
            noted.append("newkey")
        else:
            noted.append("asked" if deed else "unknown-here")
            changes.undone += [] if deed else [order]
    return tuple(noted)


def _plain(order: Order) -> str:
    return " ".join(order.argument.lower().rstrip(" .!").split())


def _about(order: Order) -> str:
    """What an order sets at once, if it can be set so: of several in one letter the last counts."""
    if (zone := zone_said(order.argument)) is not None:
        return "zone" if is_zone(zone) else ""
    return "confirm" if _plain(order) in _CONFIRMS else ""


def _elsewhere(changes: Changes, side: Side, orders: Sequence[Order]) -> Noted:  # noqa: ARG001 - as all others
    """What has its place at `games@`."""
    return ("unknown-here",)


TAKEN: dict[tuple[str, ...], Callable[[Changes, Side, Sequence[Order]], Noted]] = {
    ("note",): _note,
    ("press",): _press,
    ("set",): _set,
    ("leave",): take_leave,
    ("register",): _elsewhere,
    PETITIONS: ask_first,
}
"""By the words that are taken together, in the order in which they are taken."""
