"""The facts of board and cards: their sums, their links, and that they are those of the shared tables."""

import re
from collections import Counter
from pathlib import Path

import pytest

from adjudicator.game import facts
from adjudicator.game.board import RAID_LINES, SUPPLY_LINES
from adjudicator.game.edition import VARIANTS, rules_for
from adjudicator.game.model import SIDES
from adjudicator.game.setup import in_game, start_deck, start_empire

SHARED = Path(__file__).parents[3] / "shared" / "data"
NAMES = {"boat": "bateaux", "settler": "settlers", "money": "gold"}
"""Symbols that the shared tables call otherwise than the rules do."""


def every_card():
    yield from (card for cards in facts.LOCATION_CARDS.values() for card in cards.values())
    yield from (card for cards in facts.EMPIRE_CARDS.values() for card in cards.values())


@pytest.mark.parametrize(("edition", "total", "french"), [(1, 110, 47), (2, 109, 46)])
def test_the_box_holds_as_many_cards_as_the_rules_say(edition, total, french):
    """S1.4 to S1.7."""
    rules = rules_for(edition)
    counts = Counter()
    for card in every_card():
        counts[card.side] += in_game(rules, card)
    assert counts == {"british": 54, "french": french, "neutral": 9}
    assert counts.total() == total


def test_location_cards_by_side():
    """S1.4, S1.5."""
    assert {side: len(cards) for side, cards in facts.LOCATION_CARDS.items()} == {"british": 33, "french": 26}
    starts = {side: sum(card.start for card in facts.LOCATION_CARDS[side].values()) for side in SIDES}
    assert starts == {"british": 7, "french": 7}


def test_starting_decks():
    """S2.4, and what variants 7, 21 and 22 make of them."""
    sizes = {
        (1, ()): (7, 10),
        (2, ()): (7, 9),
        (2, ("british-start-bateaux",)): (8, 9),
        (2, ("french-start-bateaux",)): (7, 10),
        (2, ("french-draft-bateaux",)): (7, 9),
        (1, ("french-draft-bateaux",)): (7, 9),
    }
    for (edition, variants), expected in sizes.items():
        rules = rules_for(edition, variants)
        assert tuple(len(start_deck(rules, side)) for side in SIDES) == expected, (edition, variants)
        assert ("bateaux" in start_empire(rules, "french")) == ("french-draft-bateaux" in variants)


def test_cards_that_variants_take_out_of_the_game():
    """V4, V19."""
    rules = rules_for(2, ["fewer-british-infantry", "no-governors"])
    assert sum(in_game(rules, card) for card in every_card()) == 109 - 3 - 2
    assert start_empire(rules, "british")["regular-infantry"] == 3
    assert "governor" not in {**start_empire(rules, "british"), **start_empire(rules, "french")}


def test_every_variant_changes_the_rules():
    """In the second edition each variant changes the value, but for what the edition has anyway."""
    plain = rules_for(2)
    for variant in VARIANTS:
        changed = rules_for(2, [variant])
        fields = [name for name in plain.__struct_fields__ if getattr(plain, name) != getattr(changed, name)]
        assert len(fields) > 1, variant


def test_first_edition_has_some_variants_already():
    plain = rules_for(1)
    for variant in ("reserve-locations", "french-start-bateaux", "home-support-reshuffles", "short-raids"):
        changed = rules_for(1, [variant])
        fields = {name for name in plain.__struct_fields__ if getattr(plain, name) != getattr(changed, name)}
        assert fields == {"variants"}, variant


def test_pieces_on_the_board_at_the_start():
    """S2.1."""
    found = Counter((place.owner, place.piece) for place in facts.LOCATIONS.values() if place.owner)
    assert found == {
        ("british", "town"): 2, ("british", "village"): 5, ("french", "town"): 1, ("french", "village"): 6,
    }  # fmt: skip


def test_ids_are_words_and_unique():
    ids = [*facts.LOCATIONS, *(card.id for cards in facts.EMPIRE_CARDS.values() for card in cards.values())]
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in ids)
    for side in SIDES:
        own = [*facts.LOCATION_CARDS[side], *facts.EMPIRE_CARDS[side], *facts.EMPIRE_CARDS["neutral"]]
        assert len(set(own)) == len(own)
        assert set(own) == set(facts.CARDS[side])


def test_everything_named_is_known():
    places = set(facts.LOCATIONS)
    assert {line.a for line in facts.CONNECTIONS} | {line.b for line in facts.CONNECTIONS} <= places
    assert {place for ids in facts.LAKES.values() for place in ids} <= places
    for side in SIDES:
        for card in facts.LOCATION_CARDS[side].values():
            assert card.location in places
            assert set(card.destinations) <= places - {card.location}, card.id


def test_the_places_of_a_lake_are_all_linked():
    """S4.2."""
    lines = {frozenset((line.a, line.b)) for line in facts.CONNECTIONS if line.supply and line.raid}
    for lake, places in facts.LAKES.items():
        for a in places:
            for b in places:
                assert a == b or frozenset((a, b)) in lines, (lake, a, b)


def test_no_link_is_told_twice():
    pairs = Counter((frozenset((line.a, line.b)), line.raid) for line in facts.CONNECTIONS)
    assert [pair for pair, number in pairs.items() if number > 1] == []


def test_links_hold_both_ways():
    for lines in (RAID_LINES, SUPPLY_LINES):
        for place, near in lines.items():
            assert all(place in lines[other] for other in near), place
            assert place not in near


def test_only_destination_lists_may_be_one_way():
    """The cards need not list each other: Boston's leads to Halifax, Halifax's not to Boston (S4.3)."""
    british = facts.LOCATION_CARDS["british"]
    assert "halifax" in british["boston"].destinations
    assert "boston" not in british["halifax"].destinations


def test_destinations_that_are_no_lines_of_the_board():
    """A18: valid for settling and besieging, not for raids; by boat and wagon there are no others."""
    found = set()
    for side in SIDES:
        for card in facts.LOCATION_CARDS[side].values():
            for place, ways in card.destinations.items():
                if ways != ("ship",) and place not in RAID_LINES[card.id]:
                    found.add(frozenset((card.id, place)))
    assert found == {
        frozenset(pair)
        for pair in (
            ("st-marys", "richmond"),
            ("st-marys", "baltimore"),
            ("fort-st-john", "quebec"),
            ("tadoussac", "quebec"),
        )
    }


def test_sea_set_is_the_ship_places_and_two_more():
    """Annex B, A17."""
    sea = {place.id for place in facts.LOCATIONS.values() if place.sea}
    ships = {place.id for place in facts.LOCATIONS.values() if place.ship}
    assert sea - ships == {"fort-beausejour", "trois-rivieres"}
    assert ships <= sea


def rows(name):
    """The rows `- {…}` of a shared table, with the section that each stands in; a missing table skips."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path.name} of the shared tables is not there")
    section = part = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line[:1].isalpha():
            section, part = line.split(":")[0], ""
        elif re.match(r" +[a-z]+:\s*$", line):
            part = line.strip(" :")
        elif found := re.match(r" *- (\{.*\})", line):
            yield section, part, read_flow(found[1])


def read_flow(text):
    """A value of YAML's flow style as these tables write it: maps, lists, quoted and bare words, numbers."""
    words = re.findall(r'"[^"]*"|[{}\[\],:]|[^{}\[\],:"\s][^{}\[\],:"]*', text.split("}   #")[0])
    value, rest = _value([word.strip() for word in words])
    assert not [word for word in rest if word.strip() not in {"", "}"}] or "#" in rest[0], rest
    return value


def _value(words):
    head, rest = words[0], words[1:]
    if head == "{":
        found = {}
        while rest[0] != "}":
            key, rest = rest[0], rest[2:]
            found[key], rest = _value(rest)
            rest = rest[1:] if rest[0] == "," else rest
        return found, rest[1:]
    if head == "[":
        listed = []
        while rest[0] != "]":
            item, rest = _value(rest)
            listed.append(item)
            rest = rest[1:] if rest[0] == "," else rest
        return listed, rest[1:]
    plain = {"true": True, "false": False, "null": None}
    if head in plain:
        return plain[head], rest
    return (int(head) if head.lstrip("-").isdigit() else head.strip('"')), rest


def test_locations_are_those_of_the_shared_table():
    shared = {row["id"]: row for section, _, row in rows("board.yaml") if section == "locations"}
    assert set(shared) == set(facts.LOCATIONS)
    for place in facts.LOCATIONS.values():
        row = shared[place.id]
        same = {
            "name": place.name, "aliases": list(place.aliases), "ship": place.ship, "sea_supply": place.sea,
            "settler": place.settlers, "defence": place.defence, "victory_points": place.points, "x": place.x,
            "y": place.y, "start_owner": place.owner, "start_piece": place.piece,
        }  # fmt: skip
        assert {name: row[name] for name in same} == same


def test_connections_are_those_of_the_shared_table():
    """Lines that only cards print are no lines of the board (A18)."""
    shared = [row for section, _, row in rows("board.yaml") if section == "connections"]
    wanted = {
        (frozenset((row["a"], row["b"])), row["kind"], row["raid"], row["supply"])
        for row in shared
        if row["raid"] or row["supply"]
    }
    ours = {
        (frozenset((line.a, line.b)), line.kind, line.raid, line.supply)
        for line in facts.CONNECTIONS
        if line.raid or line.supply
    }
    assert ours == wanted


def test_location_cards_are_those_of_the_shared_table():
    found = 0
    for section, side, row in rows("cards.yaml"):
        if section == "location_cards":
            found += 1
            card = facts.LOCATION_CARDS[side][row["id"]]
            assert bool(card.start) == row["start"], card
            assert card.symbols == {NAMES.get(name, name): n for name, n in row["symbols"].items()}, card
            ways = {}
            for transport, places in row["connections"].items():
                for place in places:
                    ways[place] = (*ways.get(place, ()), NAMES.get(transport, transport))
            assert card.destinations == ways, card
    assert found == 59


def test_empire_cards_are_those_of_the_shared_table():
    same = {
        "count": "count", "start": "start", "cost": "cost", "ambushable": "vulnerable", "can_raid": "raids",
        "extends_raid": "extends_raid", "can_ambush": "ambushes", "blocks_raid": "blocks_raid",
        "blocks_ambush": "blocks_ambush",
    }  # fmt: skip
    found = set()
    for section, _, row in rows("cards.yaml"):
        if section in {"empire_cards", "first_edition_only"}:
            card = facts.EMPIRE_CARDS[row["side"]][row["id"]]
            found.add((row["side"], row["id"]))
            assert {name: row[name] for name in same} == {name: getattr(card, ours) for name, ours in same.items()}
            symbols = {NAMES.get(name, name): n for name, n in row["symbols"].items() if name != "ambush"}
            assert card.symbols == symbols, card
    assert found == {(card.side, card.id) for card in every_card() if not card.location}
