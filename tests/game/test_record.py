"""Reading the two formats: every bad file is one clear line, and never anything else."""

import json
import random

import pytest

from adjudicator.errors import UsageError
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import VARIANTS, rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import (
    SIDES,
    BySide,
    MayBlock,
    MayExchange,
    MustDiscard,
    MustGive,
    MustLose,
    MustStartWith,
    Siege,
    State,
    replace,
)
from adjudicator.game.position import check_position, copies, surplus
from adjudicator.game.record import LARGEST, Position, read_position, read_record, rules_of, written

RULES = rules_for(2)
START = new_game(RULES, seeded(SILENT)).state


def position(**parts):
    return {**json.loads(written(Position(format="afas-position/1", edition=2, state=START))), **parts}


def changed(path, value):
    """A position with one value changed; "drop" takes the key out."""
    whole = position()
    place = whole
    *way, last = path.split(".")
    for key in way:
        place = place[key]
    if value == "drop":
        del place[last]
    else:
        place[last] = value
    return json.dumps(whole).encode()


def refusal(raw, read=read_position):
    with pytest.raises(UsageError) as caught:
        read(raw, "x.json")
    line = str(caught.value)
    assert line.startswith("x.json: ")
    assert line.isprintable()
    assert len(line) <= 300
    return line.removeprefix("x.json: ")


def test_a_position_comes_back_as_it_was():
    raw = json.dumps(position(standing={"british": "on raid: no block"}, switches={"trader_fur_limit": 2})).encode()
    read = read_position(raw)
    assert read.state == START
    assert read.standing == {"british": "on raid: no block"}
    assert rules_of(read).trader_fur_limit == 2
    assert read_position(written(read)) == read
    assert read_position(b"\xef\xbb\xbf" + raw) == read


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("format", "afas-position/2", "$.format: Invalid enum value 'afas-position/2'"),
        ("format", "drop", "Object missing required field `format`"),
        ("edition", 3, "$.edition: Invalid enum value 3"),
        ("edition", "2", "$.edition: Expected `int`, got `str`"),
        ("variants", ["fort-louisburg"], "unknown variant 'fort-louisburg'; did you mean 'fort-louisbourg'?"),
        ("switches", {"trader_limit": 2}, "unknown switch 'trader_limit'"),
        ("more", 1, "Object contains unknown field `more`"),
        ("standing", {"dutch": "x"}, "$.standing"),
        ("state.turn", 0, "~turn: 0 is not between 1 and 2147483647"),
        ("state.turn", 10**9 * 10, "~turn: 10000000000 is not between"),
        ("state.turn", 10**40, "~turn: 1000"),
        ("state.turn", 1.5, "~turn: Expected `int`, got `float`"),
        ("state.turn", "drop", "$.state: Object missing required field `turn`"),
        ("state.to_move", "dutch", "~to_move: Invalid enum value 'dutch'"),
        ("state.board.paris", {"owner": "french", "piece": "town"}, "~board.paris: no location"),
        ("state.board.boston.piece", "city", "~board[...].piece: Invalid enum value 'city'"),
        ("state.players.british.money", -1, "~players.british.money: -1 is not between"),
        ("state.players.british.hand", ["mohawk"], "~players.british.hand: the british side has no card"),
        ("state.players.british.hand", ["montreal"], "~players.british.hand: the british side has no"),
        ("state.players.french.captured.towns", -1, "~players.french.captured.towns: -1 is not"),
        ("state.available_empire.british.priest", 1, "~available_empire.british: no card of this pile"),
        ("state.available_empire.french.priest", -1, "~available_empire.french.priest: -1 is not"),
        ("state.neutral_supply.settlers", 1, "~neutral_supply: no card of this pile is called 'settlers'"),
        ("state.available_locations.british", ["militia"], "~available_locations.british: militia is no"),
        ("state.forts_left", -1, "~forts_left: -1 is not between"),
        ("state.shuffles", -1, "~shuffles: -1 is not between"),
        ("state.sieges.british", {"location": "boston", "strength": 0}, "~sieges.british.location: boston"),
        ("state.sieges.british", {"location": "albany", "strength": 0}, "~sieges.british.location: albany"),
        ("state.sieges.british", {"location": "paris", "strength": 0}, "~sieges.british.location: no loc"),
        ("state.sieges.french", {"location": "boston", "strength": 2**40}, "~sieges.french.strength"),
        (
            "state.sieges.french",
            {"location": "boston", "strength": 1, "defender_cards": ["priest"]},
            "~sieges.french.defender_cards: the british side has no card 'priest'",
        ),
        ("state.open", {"actions_left": 3, "siege_checked": True}, "~open.actions_left: 3 is not"),
        ("state.open", {"actions_left": 1}, "~open: Object missing required field `siege_checked`"),
        ("state.question", {"kind": "who"}, "~question.kind: Invalid value 'who'"),
        (
            "state.question",
            {"kind": "lose", "to": "british", "siege": "french", "location": "boston"},
            "~question: there is no siege of boston by the french side",
        ),
        (
            "state.question",
            {"kind": "settle", "to": "british", "location": "quebec"},
            "~question.location: quebec is not neutral",
        ),
        (
            "state.question",
            {"kind": "block", "to": "british", "attack": "raid", "location": "quebec"},
            "~question.location: quebec is not controlled by the british side",
        ),
        ("state.pledged", {"british": [{"siege": "french", "card": "militia"}]}, "~pledged.british: 'mili"),
    ],
)  # fmt: skip
def test_one_line_says_where_and_what(path, value, said):
    """In the table above `~` stands for `$.state.`"""
    assert said.replace("~", "$.state.") in refusal(changed(path, value))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe{}", "not UTF-8 text"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"format": NaN}', "NaN is no JSON number"),
        (b'{"format": -Infinity}', "-Infinity is no JSON number"),
        (b'{"edition": 2, "edition": 1}', "the key 'edition' stands twice"),
        (b'{"a": {"b\\n": 1, "b\\n": 2}}', "stands twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"state":' * 100_000, "nested too deeply"),
        (b'{"turn": 1' + b"0" * 10_000 + b"}", "no JSON"),
        (b'{"a\\u0007\\n": 1}', "unknown field"),
        (b" " * (LARGEST + 1), "5000001 bytes"),
        (b'{"format": "afas-position/1"} x', "no JSON"),
    ],
    ids=range(14),
)
def test_what_is_no_file_of_ours(raw, said):
    """Deep nesting, NaN, doubled keys, broken text: no traceback from either reader."""
    line = refusal(raw)
    assert said in line or "Object missing required field" in line
    refusal(raw, read_record)


def test_any_single_change_of_a_position_is_read_or_refused():
    """Random values at random places: read or refused by one line, never anything else."""
    rng = random.Random(7)
    strange = [
        None,
        True,
        -1,
        2**70,
        0.5,
        "",
        "x" * 500,
        "boston",
        [],
        {},
        ["militia"],
        {"owner": "french"},
        "\0",
    ]
    accepted, lines = 0, []
    for number in range(1500):
        whole = position()
        place, key = whole, rng.choice(list(whole))
        while isinstance(place[key], dict | list) and place[key] and rng.random() < 0.9:
            place = place[key]
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
        place[key] = rng.choice(strange)
        raw = json.dumps(whole).encode()
        try:
            read_position(raw)
            accepted += 1
        except UsageError as error:
            lines.append((str(error), number))
    assert accepted
    assert not [line for line in lines if not line[0].isprintable()]


def asking(hand, sieges):
    """A turn of the French while the British have this hand and no deck, with nothing left to buy."""
    players = START.players.put("british", replace(START.players.british, hand=hand, deck=()))
    empire = BySide({}, {})
    return replace(START, to_move="french", turn=4, players=players, sieges=sieges, available_empire=empire)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (MustGive("british", "ambush"), "question: the british side has no card to give"),
        (MustGive("british", "priest"), "question: the british side has no card to give"),
        (MustLose("british", "french", "boston"), "question: the british side has no empire card in that siege"),
        (MustStartWith("french"), "question: the french side has no empire card"),
        (MustStartWith("british"), "question.to: only the french side is asked that"),
        (MayExchange("british"), "question.to: only the french side is asked that"),
        (MustGive("french", "ambush"), "question.to: it is the turn of the french side: the attack is its own"),
        (MayBlock("french", "ambush"), "question.to: it is the turn of the french side: the attack is its own"),
        (MustDiscard("british", ()), "question.to: only the side to move pays for a reshuffle"),
        (MayBlock("british", "raid"), "question.location: a raid has a location, an ambush has none"),
        (MayBlock("british", "ambush", "boston"), "question.location: a raid has a location, an ambush has none"),
    ],
    ids=repr,
)
def test_a_question_that_nobody_can_answer_is_refused(question, said):
    """Each is put to a side that holds no card but location cards."""
    sieges = BySide(None, Siege("boston", 0, ("militia",), ("new-haven",)))
    state = replace(asking(("boston",), sieges), question=question)
    whole = written(Position(format="afas-position/1", edition=2, state=state))
    assert refusal(whole).startswith(f"$.state.{said}")


def test_a_question_with_an_answer_is_read():
    """The same questions as above where there is something to give."""
    state = asking(("militia",), BySide(None, Siege("boston", 0, ("regular-infantry",), ("militia",))))
    for question in (MustGive("british", "ambush"), MustLose("british", "french", "boston")):
        check_position(RULES, replace(state, question=question))


def test_cards_may_be_missing_but_not_doubled():
    me = START.players.british
    fewer = replace(START, players=START.players.put("british", replace(me, hand=me.hand[:1], deck=())))
    check_position(RULES, fewer)
    doubled = replace(START, players=START.players.put("british", replace(me, discard=me.hand[:1])))
    check_position(RULES, doubled)
    assert surplus(RULES, START) == ()
    assert surplus(RULES, doubled) == (f"british {me.hand[0]!r} 2 times in all zones; this game has 1",)


@pytest.mark.parametrize("edition", [1, 2])
def test_a_new_game_of_every_variant_is_a_position_that_holds_the_whole_box(edition):
    for variant in ("", *VARIANTS):
        rules = rules_for(edition, [variant] if variant else [])
        state = new_game(rules, seeded(SILENT)).state
        check_position(rules, state)
        for side in SIDES:
            there = sum(state.available_empire.of(side).values()) + len(state.available_locations.of(side))
            there += len(state.players.of(side).hand) + len(state.players.of(side).deck)
            neutral = sum(state.neutral_supply.values())
            assert there + neutral == sum(copies(rules, side).values()), (variant, side)


def test_bateaux_of_the_french_only_where_the_rules_have_them():
    me = START.players.french
    state = replace(START, players=START.players.put("french", replace(me, discard=("bateaux",))))
    assert surplus(rules_for(1), state) == ()
    assert surplus(RULES, state) == ("french 'bateaux' 1 times in all zones; this game has 0",)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("players.french.stock.towns", 9, "10 french towns on the board"),
        ("players.french.captured.villages", 1, "19 british villages on the board"),
        ("available_empire.british.militia", 4, "british 'militia' 4 times"),
        ("neutral_supply.neutral-settlers", 3, "'neutral-settlers' 3 times"),
        ("available_locations.british", ["boston"], "british 'boston' 2 times"),
        ("forts_left", 13, "13 fortification discs"),
    ],
)
def test_what_is_beyond_the_box_is_read_and_told(path, value, said):
    whole = position()
    *parents, last = path.split(".")
    place = whole["state"]
    for name in parents:
        place = place[name]
    place[last] = value
    found = read_position(json.dumps(whole).encode())
    assert any(line.startswith(said) for line in surplus(RULES, found.state))


def test_a_record_with_a_bad_start_or_entry_is_refused():
    whole = {"format": "afas-record/1", "id": "x", "edition": 2, "start": position()["state"], "turns": []}
    assert read_record(json.dumps(whole).encode()).start == START
    bad = {**whole, "start": {**whole["start"], "forts_left": 13}}
    assert refusal(json.dumps(bad).encode(), read_record).startswith("$.start: 13 fortification discs")
    turn = {"n": 1, "side": "british", "drawn": [], "reshuffled": False, "after": whole["start"]}
    for action, said in [
        ({"type": "dance"}, "$.turns[0].actions[0].type: Invalid value 'dance'"),
        ({"type": "pass", "cards": []}, "$.turns[0].actions[0]: Object contains unknown field `cards`"),
        (
            {"type": "develop", "target": "boston", "cards": ["boston"]},
            "$.turns[0].actions[0].cards: Expected `arr",
        ),
        (
            {"type": "governor", "cards": ["governor"], "removed": []},
            "$.turns[0].actions[0].removed: Expected",
        ),
        ({"type": "draft", "card": "militia", "cost": -1}, "$.turns[0].actions[0].cost: Expected `int` >= 0"),
    ]:
        raw = json.dumps({**whole, "turns": [{**turn, "actions": [action]}]}).encode()
        assert refusal(raw, read_record).startswith(said)
    assert "seed" in refusal(json.dumps({**whole, "seed": "00"}).encode(), read_record)


def test_a_public_record_is_named_as_such():
    raw = json.dumps({"format": "afas-record/1", "public": True, "id": "x"}).encode()
    assert refusal(raw, read_record) == "the public record of a running game has no hands and no draws"


def test_the_state_in_a_file_is_the_state_of_the_engine():
    assert position()["state"].keys() <= set(State.__struct_fields__)
