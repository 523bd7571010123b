"""Recorded games through mail: one mail a turn, reactions said ahead; and what cannot be said ahead is asked."""

import json
from pathlib import Path

import pytest
from games_of_chance import whimsical
from msgspec.structs import replace
from typer.testing import CliRunner

from adjudicator.cli import app
from adjudicator.errors import UsageError
from adjudicator.game.actions import Block, Done, Give, Lose, NoBlock, NoSettle, Raid, SettleWon
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import MayBlock, MaySettle, MustGive, MustLose, MustStartWith
from adjudicator.game.record import read_record, written
from adjudicator.game.replay import Move
from adjudicator.orders import NOTHING_SAID, read_standing, write_standing
from adjudicator.replay_bench import long_game
from adjudicator.stress.copying import Reaction, asking, copying, is_default, uncopied
from adjudicator.stress.correspondence import correspondence
from adjudicator.stress.plan import letters_of, plan, words_for

RULES = rules_for()
START = new_game(RULES, seeded(SILENT)).state
SHARED = Path(__file__).parents[3] / "shared" / "records"
HOUSE = Path(__file__).parents[1] / "games" / "records"
FRENCH_NATIVES, MILITIA, TOWN = "native-americans", "militia", "boston"


def records(folder):
    return [read_record(path.read_bytes(), str(path)) for path in sorted(folder.glob("*.json"))]


def asked(question, action, *hand, number=0):
    players = START.players
    side = question.to
    holding = replace(players.of(side), hand=hand, reserve=())
    state = replace(START, question=question, players=players.put(side, holding))
    return Reaction(number, side, question, action, state)


def raid(action, *hand, at="quebec", number=0):
    return asked(MayBlock("french", "raid", at), action, *hand, number=number)


# --- whole games ---


@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no shared records here")
@pytest.mark.slow
def test_the_real_games_take_one_mail_a_turn_and_no_reaction_needs_one():
    found = correspondence(records(SHARED))
    assert found["ok"], found
    assert found["turns"] > 400
    assert found["order_mails_per_turn"] <= 1.02
    assert found["reactions"].keys() <= {"default", "standing"}
    assert sum(found["reactions"].values()) == 100
    assert [game["left_open"] for game in found["games"]] == [[], [40], [], [], []]
    for game in found["games"]:
        assert game["states_compared"] == game["turns"] + len(game["left_open"])
        assert game["received"].keys() <= {"applied", "answered", "resigned"}


@pytest.mark.skipif(not SHARED.is_dir(), reason="there are no shared records here")
@pytest.mark.slow
@pytest.mark.parametrize(("ahead", "how", "mails"), [("all", "standing", 96), ("never", "mail", 154)])
def test_a_real_game_with_all_reactions_said_and_with_none(ahead, how, mails):
    found = correspondence([record for record in records(SHARED) if record.id == "record-07"], ahead)
    assert found["ok"], found
    assert found["reactions"] == {how: 33}
    assert found["order_mails"] == mails


@pytest.mark.slow
def test_house_games_go_by_defaults():
    found = correspondence(records(HOUSE)[:1])
    assert found["ok"], found
    assert found["reactions"].keys() == {"default"}
    assert found["order_mails"] == found["turns"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
def test_whims_are_said_ahead(number):
    found = correspondence([whimsical(number, 60)])
    assert found["ok"], f"seed {number}: {found}"
    assert found["order_mails_per_turn"] == 1, f"seed {number}"
    assert found["reactions"]["standing"] > 0, f"seed {number}"
    assert found["games"][0]["standing_orders"] > 0, f"seed {number}"


def test_with_questions_the_same_game_takes_more_mails_and_comes_out_the_same():
    record = whimsical(2, 60)
    found = correspondence([record], "never")
    (game,) = found["games"]
    assert found["ok"], found
    assert found["reactions"].keys() == {"mail"}
    assert found["order_mails"] > found["turns"] + found["reactions"]["mail"] - 1
    assert len(game["not_said_ahead"]) == found["reactions"]["mail"]
    assert {"turn", "kind", "recorded"} == game["not_said_ahead"][0].keys()


@pytest.mark.parametrize("number", range(12))
def test_the_order_language_can_say_each_whim_ahead(number):
    turns = plan(whimsical(number, 150)).turns
    assert any(planned.reactions for planned in turns), f"seed {number}"
    assert [planned.asked for planned in turns if planned.asked] == [], f"seed {number}"
    assert all(len(planned.letters) == 1 for planned in turns[1:]), f"seed {number}"


def test_a_state_that_differs_is_a_fault(monkeypatch):
    record = long_game(12)
    planned = plan(record)
    foe = planned.turns[5].turn
    forged = replace(foe, after=replace(foe.after, forts_left=0))
    turns = (*planned.turns[:5], replace(planned.turns[5], turn=forged), *planned.turns[6:])
    monkeypatch.setattr("adjudicator.stress.correspondence.plan", lambda *_, **__: replace(planned, turns=turns))
    found = correspondence([record])
    assert not found["ok"]
    assert found["mismatches"] == 1
    assert found["games"][0]["first_mismatches"][0].startswith("turn 6: after.forts_left: recorded 0")


def test_a_mail_that_is_not_taken_or_comes_out_otherwise_is_a_fault(monkeypatch):
    record = long_game(6)
    planned = plan(record)
    first = planned.turns[0]
    other = replace(first, letters=(replace(first.letters[0], lines=("pass", "done")),))
    monkeypatch.setattr(
        "adjudicator.stress.correspondence.plan", lambda *_, **__: replace(planned, turns=(other, *planned.turns[1:]))
    )
    assert not correspondence([record])["ok"]


def test_a_false_record_is_refused():
    record = long_game(6)
    turn = record.turns[2]
    forged = replace(turn, after=replace(turn.after, forts_left=0))
    with pytest.raises(UsageError, match="does not replay"):
        plan(replace(record, turns=(*record.turns[:2], forged, *record.turns[3:])))


def test_the_command(tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(written(long_game(8)))
    done = CliRunner().invoke(app, ["bench", "correspondence", str(path), "--ahead", "all"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["correspondence"]["turns"] == 8
    assert CliRunner().invoke(app, ["bench", "correspondence"]).exit_code == 2


# --- what is said ahead ---


@pytest.mark.parametrize(
    ("reaction", "text"),
    [
        (raid(Block("militia"), MILITIA), "on raid at Quebec: block with Militia"),
        (raid(NoBlock(), MILITIA), "on raid at Quebec: no block"),
        (asked(MayBlock("french", "ambush"), Block("militia"), MILITIA), "on ambush: block always with Militia"),
        (asked(MayBlock("french", "ambush"), NoBlock(), MILITIA), "on ambush: block never"),
        (
            asked(MustGive("french", "ambush"), Give("militia", "hand"), MILITIA),
            "on ambush: give Militia from hand first",
        ),
        (asked(MustGive("british", "priest"), Give(FRENCH_NATIVES, "hand")), "on priest: give from hand"),
        (asked(MaySettle("french", TOWN), SettleWon(None)), "on surrender: settle"),
        (asked(MaySettle("french", TOWN), NoSettle()), "on surrender: no settle"),
        (asked(MustLose("french", "british", "quebec"), Lose("quebec", "militia")), "on siege lost: lose Militia"),
    ],
)
def test_each_kind_of_reaction_has_its_words(reaction, text):
    said = write_standing(copying([reaction]), reaction.side)
    assert said == text
    assert read_standing(said, reaction.side) == copying([reaction])


def test_reactions_of_one_turn_are_said_together():
    found = [raid(Block("militia"), MILITIA), raid(NoBlock()), raid(NoBlock(), at="montreal")]
    text = "on raid at Quebec: block with Militia\non raid at Montreal: no block"
    assert write_standing(copying(found), "french") == text
    assert uncopied(RULES, found, copying(found)) == []


def test_what_the_defaults_do_is_not_said_and_what_holds_already_is_not_said_again():
    block = raid(Block("militia"), MILITIA)
    assert is_default(RULES, block)
    assert words_for(RULES, "french", [block], NOTHING_SAID).said == ""
    refuse = raid(NoBlock(), MILITIA)
    first = words_for(RULES, "french", [refuse], NOTHING_SAID)
    assert first.said == "on raid at Quebec: no block"
    assert words_for(RULES, "french", [refuse], first.standing).said == ""
    assert words_for(RULES, "french", [block], first.standing).said == "on raid at Quebec: block with Militia"


def test_what_cannot_be_said_is_asked():
    found = [raid(NoBlock(), MILITIA), raid(Block("militia"), MILITIA, number=1)]
    words = words_for(RULES, "french", found, NOTHING_SAID)
    assert words.said == "on raid at Quebec: ask me"
    assert words.asked == tuple(found)  # asked about one, he is asked about the other too
    assert words.standing == asking(found)


def test_there_are_no_words_for_what_nobody_says_ahead():
    strange = asked(MustStartWith("french"), Block("militia"))
    assert strange.kind == "other"
    assert copying([strange]) == asking([strange]) == NOTHING_SAID


@pytest.mark.parametrize(
    ("question", "kind", "text"),
    [
        (MayBlock("french", "raid", "quebec"), "raid", "on raid at Quebec: ask me"),
        (MayBlock("french", "ambush"), "ambush", "on ambush: ask me"),
        (MustGive("french", "ambush"), "ambush, card given", "on ambush: ask me"),
        (MustGive("french", "indian-leader"), "priest", "on priest: ask me"),
        (MaySettle("french", TOWN), "surrender", "on surrender: ask me"),
        (MustLose("french", "british", "quebec"), "siege lost", "on siege lost: ask me"),
    ],
)
def test_each_kind_can_be_asked(question, kind, text):
    reaction = asked(question, NoBlock())
    assert reaction.kind == kind
    assert write_standing(asking([reaction]), "french") == text
    assert uncopied(RULES, [reaction], asking([reaction])) == [reaction]


# --- the letters of a turn ---

TURN = replace(long_game(2).turns[0], side="british")


def lines(moves, asked=(), ahead="", turn=TURN):
    played = [Move(1, side, action, ()) for side, action in moves]
    return [(letter.side, letter.lines) for letter in letters_of(turn, played, asked, ahead)]


STORM = Raid("quebec", ("pemaquid",))
MOVES = [("british", STORM), ("french", NoBlock()), ("british", Done()), ("british", Lose("boston", "militia"))]
PLAYED = "raid Quebec with Pemaquid"


def test_a_turn_is_one_letter_and_done_is_its_last_word():
    assert lines(MOVES) == [("british", (PLAYED, "lose Militia at Boston", "done"))]


def test_an_asked_reaction_parts_the_letter_and_words_ahead_stand_in_the_last():
    found = lines(MOVES, {1}, "on raid: no block")
    assert found == [
        ("british", (PLAYED,)),
        ("french", ("no block",)),
        ("british", ("on raid: no block", "lose Militia at Boston", "done")),
    ]


def test_a_turn_without_its_refill_is_left_open():
    assert lines(MOVES[:2], turn=replace(TURN, refill_skipped=True)) == [("british", (PLAYED, "stop"))]
