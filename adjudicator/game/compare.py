"""Where two accounts of one turn differ: entries, states, results. The first account is the recorded one.

Card lists are multisets; only the order of a deck means something. What a record leaves out is not compared.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from adjudicator.game.entries import Entry, RedealEntry
from adjudicator.game.events import GameOver
from adjudicator.game.model import SIDES, BySide, Player, Siege, State
from adjudicator.game.record import Result, Turn

_PLAIN = ("to_move", "turn", "forts_left", "open", "question")
_OPTIONAL: dict[str, object] = {"pledged": None, "french_have_besieged": False, "shuffles": 0}
"""Parts of a state that a record may leave out, with the value that means so."""


class Difference(NamedTuple):
    """One difference: its place, what is recorded, what was played."""

    path: str
    recorded: object
    played: object


def differing_turns(recorded: Turn, played: Turn) -> Iterator[Difference]:
    """Find where two accounts of a turn differ, the states after it left out."""
    yield from differing_entries(recorded.actions, played.actions)
    if sorted(recorded.drawn) != sorted(played.drawn):
        yield Difference("drawn", recorded.drawn, played.drawn)
    if recorded.reshuffled != played.reshuffled:
        yield Difference("reshuffled", recorded.reshuffled, played.reshuffled)
    if recorded.pledged_losses and set(recorded.pledged_losses) != set(played.pledged_losses):
        yield Difference("pledged_losses", recorded.pledged_losses, played.pledged_losses)


def differing_entries(recorded: tuple[Entry, ...], played: tuple[Entry, ...]) -> Iterator[Difference]:
    """Find where the entries of a turn differ; a field that the record leaves out is not compared."""
    for number, (said, done) in enumerate(zip(recorded, played, strict=False)):
        if type(said) is not type(done):
            yield Difference(f"actions[{number}].type", _type_of(said), _type_of(done))
            continue
        for name in said.__struct_fields__:
            one, two = getattr(said, name), getattr(done, name)
            if one is not UNSET and not _alike(one, two, ordered=isinstance(said, RedealEntry)):
                yield Difference(f"actions[{number}].{name}", one, None if two is UNSET else two)
    if len(recorded) != len(played):
        yield Difference("actions", [_type_of(entry) for entry in recorded], [_type_of(entry) for entry in played])


def _type_of(entry: Entry) -> object:
    return entry.__struct_config__.tag


def _alike(one: object, two: object, *, ordered: bool) -> bool:
    """Whether two values are the same: None as good as left out, tuples of cards as multisets."""
    if isinstance(one, tuple) and isinstance(two, tuple) and not ordered:
        return sorted(one) == sorted(two)
    return one == two or (one is None and two is UNSET)


def differing_states(recorded: State, played: State) -> Iterator[Difference]:
    """Find where two states differ."""
    for name in _PLAIN:
        if getattr(recorded, name) != getattr(played, name):
            yield Difference(name, getattr(recorded, name), getattr(played, name))
    for name, silent in _OPTIONAL.items():
        said = getattr(recorded, name)
        if said != silent and said != getattr(played, name):
            yield Difference(name, said, getattr(played, name))
    if recorded.board != played.board:
        for place in sorted({*recorded.board, *played.board}):
            one, two = recorded.board.get(place), played.board.get(place)
            if one != two:
                yield Difference(f"board.{place}", one, two)
    yield from _differing_counts("neutral_supply", recorded.neutral_supply, played.neutral_supply)
    for side in SIDES:
        yield from _differing_sieges(f"sieges.{side}", recorded.sieges.of(side), played.sieges.of(side))
        yield from _differing_players(f"players.{side}", recorded.players.of(side), played.players.of(side))
        yield from _differing_piles(side, recorded.available_locations, played.available_locations)
        one_empire, two_empire = recorded.available_empire.of(side), played.available_empire.of(side)
        yield from _differing_counts(f"available_empire.{side}", one_empire, two_empire)


def _differing_counts(path: str, recorded: dict[str, int], played: dict[str, int]) -> Iterator[Difference]:
    """Compare piles by count; a card with count 0 is as good as none."""
    if recorded != played:
        for card in sorted({*recorded, *played}):
            if recorded.get(card, 0) != played.get(card, 0):
                yield Difference(f"{path}.{card}", recorded.get(card, 0), played.get(card, 0))


def _differing_piles(
    side: str, recorded: BySide[tuple[str, ...]], played: BySide[tuple[str, ...]]
) -> Iterator[Difference]:
    one, two = getattr(recorded, side), getattr(played, side)
    if sorted(one) != sorted(two):
        yield Difference(f"available_locations.{side}", one, two)


def _differing_sieges(path: str, recorded: Siege | None, played: Siege | None) -> Iterator[Difference]:
    if recorded is None or played is None:
        if recorded is not played:
            yield Difference(path, recorded, played)
        return
    if (recorded.location, recorded.strength) != (played.location, played.strength):
        yield Difference(path, recorded, played)
    for name in ("attacker_cards", "defender_cards"):
        if sorted(getattr(recorded, name)) != sorted(getattr(played, name)):
            yield Difference(f"{path}.{name}", getattr(recorded, name), getattr(played, name))


def _differing_players(path: str, recorded: Player, played: Player) -> Iterator[Difference]:
    for name in ("money", "captured", "stock", "deck"):
        if getattr(recorded, name) != getattr(played, name):
            yield Difference(f"{path}.{name}", getattr(recorded, name), getattr(played, name))
    for name in ("hand", "discard", "reserve"):
        one, two = getattr(recorded, name), getattr(played, name)
        if one != two and sorted(one) != sorted(two):
            yield Difference(f"{path}.{name}", one, two)


def differing_results(recorded: Result, over: GameOver) -> Iterator[Difference]:
    """Find where the recorded end differs from the one that was played."""
    for name in ("winner", "reason", "by"):
        if getattr(recorded, name) != getattr(over, name):
            yield Difference(f"result.{name}", getattr(recorded, name), getattr(over, name))
    if recorded.scores and recorded.scores != BySide(over.british, over.french):
        yield Difference("result.scores", recorded.scores, BySide(over.british, over.french))
