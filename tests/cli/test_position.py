"""`position try`."""

import json

import msgspec
import pytest

from adjudicator.game.model import BySide, Siege
from adjudicator.game.record import Position, written

KEYS = {"applied", "events", "refused", "not_tried", "ignored", "question", "over", "position"}
replace = msgspec.structs.replace


def tried(terminal, file, orders, side="british", *more, typed=""):
    return terminal.json("position", "try", file, "--side", side, "--orders", orders, *more, typed=typed)


def changed(path, state, **more):
    """The position file with another state."""
    path.write_bytes(written(Position(format="afas-position/1", edition=2, state=state, **more)))
    return path


def test_a_turn(terminal, position_file, start):
    result = tried(terminal, position_file, "Hello,\n\ndraft ships please\n\nThanks")
    assert set(result) == KEYS
    assert result["applied"] == ["draft Ships"]
    assert [event["type"] for event in result["events"]] == ["Drafted", "Drew", "TurnEnded"]
    assert result["events"][0] == {"type": "Drafted", "side": "british", "card": "ships", "cost": 6}
    assert result["ignored"] == ["Hello,", "Thanks"]
    assert (result["refused"], result["not_tried"], result["question"], result["over"]) == ([], [], None, None)
    assert (result["position"]["to_move"], result["position"]["turn"]) == ("french", 2)
    assert result["position"]["players"]["british"]["money"] == start.players.british.money - 6


def test_orders_that_do_not_count_are_told(terminal, position_file):
    orders = "draft Ships; if illegal: pass\nnext turn: draft Militia"
    result = tried(terminal, position_file, orders)
    assert set(result) == KEYS | {"disarmed", "ahead"}
    assert result["disarmed"] == [
        {"line": 1, "text": "if illegal: pass", "why": "The order before it was legal.", "rule": None}
    ]
    assert result["ahead"] == ["draft Militia"]
    assert (result["applied"], result["not_tried"]) == (["draft Ships"], [])
    said = terminal.run("position", "try", position_file, "--side", "british", "--orders", orders)
    assert "left out   line 1: if illegal: pass\n           The order before it was legal.\n" in said
    assert "next turn  draft Militia\n" in said


def test_done_is_listed_as_the_passes_it_makes(terminal, position_file):
    assert tried(terminal, position_file, "done")["applied"] == ["pass"]


def test_no_orders_run_the_start_of_the_turn_only(terminal, position_file):
    result = tried(terminal, position_file, "")
    assert result["position"]["open"] == {"actions_left": 1, "siege_checked": True}
    assert result["applied"] == []


def test_all_refused_gives_the_position_back(terminal, position_file):
    result = tried(terminal, position_file, "draft ships; draft governer\npass")
    (refused,) = result["refused"]
    assert set(refused) == {"line", "text", "code", "message", "rule", "choices"}
    assert (refused["line"], refused["text"], refused["code"]) == (1, "draft governer", "UnknownName")
    assert refused["choices"] == ["Governor"]
    assert result["not_tried"] == ["draft ships", "pass"]
    assert result["position"] == json.loads(position_file.read_bytes())["state"]


def test_an_illegal_order_names_its_rule(terminal, position_file):
    (refused,) = tried(terminal, position_file, "\nsettle Halifax from Boston with Boston")["refused"]
    assert (refused["line"], refused["code"], refused["rule"][0]) == (2, "IllegalAction", "S")
    assert refused["choices"]


def test_the_side_that_is_not_to_move(terminal, position_file):
    result = tried(terminal, position_file, "draft militia", "french")
    assert [(one["code"], one["rule"]) for one in result["refused"]] == [("NotYourDecision", "S3.1")]
    assert result["position"] == json.loads(position_file.read_bytes())["state"]


def test_orders_from_standard_input(terminal, position_file):
    assert tried(terminal, position_file, "-", typed="draft ships\n")["applied"] == ["draft Ships"]
    assert tried(terminal, position_file, "-", typed=b"draft ships\n\xff\xfe")["ignored"] == ["\ufffd\ufffd"]


def test_check_makes_a_forecast(terminal, position_file):
    result = tried(terminal, position_file, "check\ndraft ships")
    assert result["applied"] == ["draft Ships"]
    assert result["position"]["to_move"] == "british"


def test_the_seed_decides_shuffles_only(terminal, position_file, start):
    british = start.players.british
    cards = (*british.hand, *british.deck)
    player = replace(british, hand=cards[:1], deck=(), discard=cards[1:])
    file = changed(position_file, replace(start, players=start.players.put("british", player)))
    zero = tried(terminal, file, "pass")
    assert tried(terminal, file, "pass", "british", "--seed", "00" * 32) == zero
    others = [tried(terminal, file, "pass", "british", "--seed", f"{n:064x}") for n in range(1, 4)]
    assert any(other["position"]["players"] != zero["position"]["players"] for other in others)


def ambush(start, position_file, standing):
    """The British ambush; the French have a card to block with."""
    hand = (*start.players.british.hand[:4], "rangers")
    players = start.players.put("british", replace(start.players.british, hand=hand))
    foe = players.french
    players = players.put("french", replace(foe, hand=(*foe.hand[:4], "native-americans")))
    empire = start.available_empire
    empire = empire.put("british", {**empire.british, "rangers": 0})
    empire = empire.put("french", {**empire.french, "native-americans": 0})
    state = replace(start, players=players, available_empire=empire)
    return changed(position_file, state, standing={"french": standing})


def test_a_question_to_the_other_side_waits_or_is_settled_by_his_standing_orders(terminal, position_file, start):
    asked = tried(terminal, ambush(start, position_file, "on ambush: ask me"), "ambush with rangers")
    assert asked["question"] == {"to": "french", "kind": "block", "choices": asked["question"]["choices"]}
    assert set(asked["question"]["choices"]) == {"block with Native Americans", "no block"}
    assert asked["position"]["question"]["to"] == "french"
    # The printed position is one that can be tried again, by the side that is asked.
    file = position_file.with_name("asked.json")
    file.write_text(json.dumps({"format": "afas-position/1", "edition": 2, "state": asked["position"]}))
    assert tried(terminal, file, "no block", "french")["applied"] == ["no block"]
    settled = tried(terminal, ambush(start, position_file, "on ambush: block never"), "ambush with rangers")
    assert settled["question"] is None
    assert "AmbushBlocked" not in [event["type"] for event in settled["events"]]


def test_the_end_of_the_game(terminal, position_file, start):
    captured = replace(start.players.british.captured, towns=6)
    stock = replace(start.players.french.stock, towns=1)
    players = start.players.put("british", replace(start.players.british, captured=captured))
    players = players.put("french", replace(players.french, stock=stock))
    result = tried(terminal, changed(position_file, replace(start, players=players)), "pass")
    assert set(result["over"]) == {"winner", "reason", "scores"}
    assert (result["over"]["winner"], result["over"]["reason"]) == ("british", "captured-12")
    assert set(result["over"]["scores"]["french"]) == {"locations", "captured", "total"}
    assert result["position"]["to_move"] is None


def test_the_account_for_people(terminal, position_file):
    text = terminal.run("position", "try", position_file, "--side", "british", "--orders", "Hi\ndraft ships")
    assert text.splitlines()[0] == "applied    draft Ships"
    assert "ignored    Hi" in text
    assert text.splitlines()[-1] == "next       turn 2, french to move"
    text = terminal.run("position", "try", position_file, "--side", "british", "--orders", "settle Halifax from Boston")
    assert "refused    line 1: settle Halifax from Boston" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no JSON"),
        (b"[]", "Expected `object`"),
        (b"\xff", "not UTF-8 text"),
        (b'{"format": "afas-position/1", "edition": 3}', "$.edition"),
    ],
)
def test_bad_files(terminal, tmp_path, content, message):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    line = terminal.error("position", "try", path, "--side", "british", "--orders", "", "--json")
    assert line.startswith(str(path))
    assert message in line


def test_bad_standing_orders_in_the_file(terminal, position_file, start):
    file = changed(position_file, start, standing={"french": "on raid: dance"})
    line = terminal.error("position", "try", file, "--side", "british", "--orders", "")
    assert "$.standing.french: line 1" in line


def test_files_that_cannot_be_read(terminal, tmp_path):
    line = terminal.error("position", "try", tmp_path / "none", "--side", "british", "--orders", "")
    assert line == f"{tmp_path}/none: No such file or directory"
    line = terminal.error("position", "try", tmp_path, "--side", "british", "--orders", "")
    assert line == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize("seed", ["", "xy", "00" * 31, "0" * 63, "00" * 33, " ".join(["00"] * 32), "é" * 64])
def test_bad_seeds(terminal, position_file, seed):
    line = terminal.error("position", "try", position_file, "--side", "british", "--orders", "", "--seed", seed, code=2)
    assert "--seed" in line
    assert "64 hex digits" in line


def test_a_wrong_side(terminal, position_file):
    assert "--side" in terminal.error("position", "try", position_file, "--side", "dutch", "--orders", "", code=2)
    assert "--orders" in terminal.error("position", "try", position_file, "--side", "british", code=2)


@pytest.mark.parametrize(
    "order",
    [
        "merchant Norfolk: Philadelphia, New York",
        "merchant Norfolk: New York, Philadelphia",
        "discard Pemaquid, Norfolk",
        "discard Norfolk, Pemaquid",
    ],
)
def test_an_order_is_listed_with_its_cards_as_they_were_named(terminal, position_file, start, order):
    hand = ("norfolk", "philadelphia", "new-york", "pemaquid", "boston")
    deck = ("new-haven", "st-marys")
    british = replace(start.players.british, hand=hand, deck=deck)
    changed(position_file, replace(start, players=start.players.put("british", british)))
    assert tried(terminal, position_file, order)["applied"] == [order]


def test_a_card_named_for_a_siege_while_the_turn_stays_open_is_not_tried(terminal, position_file, start):
    siege = Siege("louisbourg", -1, ("militia",), ())
    empire = start.available_empire.put("british", {})
    changed(position_file, replace(start, turn=5, sieges=BySide(siege, None), available_empire=empire))
    result = tried(terminal, position_file, "lose Militia; stop")
    assert (result["applied"], result["not_tried"]) == ([], ["lose Militia"])
    result = tried(terminal, position_file, "lose Militia; done")
    assert (result["applied"][-1], result["not_tried"]) == ("lose Militia at Louisbourg", [])


def test_not_tried_names_no_done_and_no_stop(terminal, position_file):
    for end in ("done", "stop"):
        assert tried(terminal, position_file, f"pass; draft governer; {end}")["not_tried"] == ["pass"]


def test_a_card_of_the_other_side_is_refused_by_its_printed_name(terminal, position_file):
    (refused,) = tried(terminal, position_file, "draft Coureurs de Bois")["refused"]
    assert (refused["rule"], refused["message"]) == ("S13.1", "Coureurs de Bois is not available.")


def test_a_position_with_more_than_the_box_is_played_and_told_of(terminal, tmp_path, position_file):
    found = json.loads(position_file.read_text())
    found["state"]["players"]["british"]["discard"].append("militia")
    found["state"]["available_empire"]["british"]["militia"] = 3
    file = tmp_path / "more.json"
    file.write_text(json.dumps(found))
    result = terminal.json("position", "try", file, "--side", "british", "--orders", "draft Militia")
    assert result["applied"] == ["draft Militia"]
    assert "4 times in all zones" in terminal.err
