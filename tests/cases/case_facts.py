"""Facts about a position and its events, as `then` names them, and what holds in every case."""

from collections import Counter

import msgspec

from adjudicator.game.model import SIDES, State, other


def zones(state: State) -> dict[str, tuple[str, ...]]:
    """Every zone in which cards lie, by name."""
    found = {"neutral": spread(state.neutral_supply)}
    for side in SIDES:
        player = state.players.of(side)
        found |= {f"{side} {zone}": getattr(player, zone) for zone in ("hand", "deck", "discard", "reserve")}
        found[f"{side} available"] = spread(state.available_empire.of(side)) + state.available_locations.of(side)
        siege = state.sieges.of(side)
        found[f"{side} siege attacker"] = siege.attacker_cards if siege else ()
        found[f"{side} siege defender"] = siege.defender_cards if siege else ()
    return found


def spread(counts: dict[str, int]) -> tuple[str, ...]:
    return tuple(Counter(counts).elements())


def owned_cards(state: State) -> Counter:
    """All cards, each with the side in whose care it is; neutral ones without."""
    found: Counter = Counter()
    for zone, cards in zones(state).items():
        side = zone.split()[0]
        if zone.endswith("siege defender"):
            side = other(side)
        found.update(card if card.startswith("neutral-") else f"{side} {card}" for card in cards)
    return found


def pieces(state: State) -> Counter:
    """All pieces of both sides and the fortification discs."""
    found = Counter(fort=state.forts_left)
    for piece in state.board.values():
        found[f"{piece.owner} {piece.piece}"] += 1
        found["fort"] += piece.fort
    for side in SIDES:
        player = state.players.of(side)
        for owner, some in ((side, player.stock), (other(side), player.captured)):
            found[f"{owner} village"] += some.villages
            found[f"{owner} town"] += some.towns
    return found


def differences(then: dict, state: State, events: tuple) -> list[str]:
    """Every fact that is otherwise, as "path: is X, should be Y"."""
    seen = Facts(state, events)
    return [
        f"{path}: is {is_!r}, should be {should!r}" for path, is_, should in seen.compare(then) if not same(is_, should)
    ]


def same(is_: object, should: object) -> bool:
    if isinstance(should, int) and isinstance(is_, list | tuple):
        return len(is_) == should
    return is_ == should


class Facts:
    """A position and its events, asked by the keys of `then`."""

    def __init__(self, state: State, events: tuple) -> None:
        self.state = state
        self.events = [msgspec.to_builtins(event) for event in events]
        self.zones = zones(state)

    def compare(self, then: dict):
        """Path, value and expected value of every fact."""
        for key, should in then.items():
            if key in SIDES:
                for part, value in should.items():
                    yield from self.of_side(key, part, value)
            else:
                yield from getattr(self, "of_" + key, self.plain)(key, should)

    def plain(self, key, should):
        yield key, {"to_move": self.state.to_move or "none"}.get(key, getattr(self.state, key, "?")), should

    def of_actions_left(self, key, should):
        yield key, self.state.open.actions_left if self.state.open else None, should

    def of_cards(self, key, should):
        yield key, sum(owned_cards(self.state).values()), should

    def of_board(self, key, should):
        for place, words in should.items():
            piece = self.state.board.get(place)
            is_ = f"{piece.owner} {piece.piece}{' fort' * piece.fort}" if piece else "neutral"
            yield f"{key}.{place}", is_, words

    def of_siege(self, key, should):
        for side, wanted in should.items():
            siege = self.state.sieges.of(side)
            if siege is None or wanted == "none":
                yield f"{key}.{side}", siege.location if siege else "none", wanted
                continue
            is_ = {
                "location": siege.location,
                "strength": siege.strength,
                "attacker": sorted(siege.attacker_cards),
                "defender": sorted(siege.defender_cards),
            }
            for part, value in wanted.items():
                yield f"{key}.{side}.{part}", is_[part], sorted(value) if isinstance(value, list) else value

    def of_where(self, key, should):
        for card, zone in should.items():
            yield f"{key}.{card}", zone if card in self.zones[zone] else self.lies(card), zone

    def lies(self, card):
        return " and ".join(zone for zone, cards in self.zones.items() if card in cards)

    def of_neutral(self, key, should):
        for card, number in should.items():
            yield f"{key}.{card}", self.state.neutral_supply.get(card, 0), number

    def of_events(self, key, should):
        """Each wanted event is the next one seen that has all its fields."""
        seen = iter(self.events)
        for number, wanted in enumerate(should):
            fields = {name: None if value == "nothing" else value for name, value in wanted.items()}
            found = any(fields.items() <= plain_items(event) for event in seen)
            yield f"{key}.{number}", fields if found else [event["type"] for event in self.events], fields

    def of_no_events(self, key, should):
        yield key, sorted({event["type"] for event in self.events} & set(should)), []

    def of_question(self, key, should):
        yield from self.some(key, self.state.question, should, "none")

    def of_over(self, key, should):
        over = [event for event in self.events if event["type"] == "GameOver"]
        yield from self.some(key, over[-1] if over else None, should, "no")

    def of_score(self, key, should):
        over = [event for event in self.events if event["type"] == "GameOver"]
        yield key, {side: over[-1][side]["total"] for side in SIDES} if over else "no", should

    def some(self, key, value, should, nothing):
        """Some fields of a value that may be missing."""
        if value is None or should == nothing:
            yield key, nothing if value is None else msgspec.to_builtins(value), should
            return
        fields = msgspec.to_builtins(value)
        for part, wanted in should.items():
            yield f"{key}.{part}", fields.get(part), wanted

    def of_side(self, side, key, should):
        """Facts about one side."""
        player = self.state.players.of(side)
        path = f"{side}.{key}"
        if key == "available":
            pile = self.state.available_empire.of(side)
            if isinstance(should, int):
                yield path, sum(pile.values()), should
            else:
                for card, number in should.items():
                    yield f"{path}.{card}", pile.get(card, 0), number
        elif key == "locations_with":
            yield path, sorted(set(should) & set(self.state.available_locations.of(side))), sorted(should)
        else:
            is_ = {
                "locations": lambda: self.state.available_locations.of(side),
                "hand_and_deck": lambda: player.hand + player.deck,
                "discard_top": lambda: player.discard[-1] if player.discard else None,
                "stock": lambda: msgspec.to_builtins(player.stock),
                "captured": lambda: msgspec.to_builtins(player.captured),
            }.get(key, lambda: getattr(player, key))()
            yield path, *alike(key, is_, should)


def alike(key, is_, should):
    """Two card lists in a form in which only what counts is compared."""
    if not isinstance(should, list):
        return is_, should
    return (list(is_), should) if key == "deck" else (sorted(is_), sorted(should))


def plain_items(event: dict):
    """The fields of an event as items that can be compared as a set; lists as tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in event.items()}.items()
