"""Reports hold plain values, and only what their reader may know."""

import random
from datetime import UTC, datetime

import msgspec
import pytest

from adjudicator import reports
from adjudicator.errors import IllegalAction
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import decider, legal_actions
from adjudicator.game.events import Drew, GameOver, HandShown, Pledged, Score, TurnEnded
from adjudicator.game.model import SIDES, Piece, Pieces, Pledge, Siege, other, replace
from adjudicator.game.view import view
from adjudicator.orders import read
from adjudicator.render import render
from adjudicator.reports import Report
from adjudicator.reports.opening import opening, possible
from adjudicator.reports.warnings import Warned, warnings


def unseen(state, reader, chosen):
    """The same position for `reader` with all that he may not see exchanged."""
    foe = other(reader)
    own, his = state.players.of(reader), state.players.of(foe)
    deck, hidden = list(own.deck), [*his.hand, *his.deck]
    chosen.shuffle(deck)
    chosen.shuffle(hidden)
    cut = len(his.hand)
    players = state.players.put(reader, replace(own, deck=tuple(deck)))
    players = players.put(foe, replace(his, hand=tuple(hidden[:cut]), deck=tuple(hidden[cut:])))
    return replace(state, players=players)


@pytest.mark.parametrize("reader", SIDES)
def test_what_a_side_may_not_see_changes_no_byte_of_its_mails(games, situation, reader):
    compared = 0
    for seed, positions in games.items():
        chosen = random.Random(seed)
        for number, (state, events) in enumerate(positions[::6]):
            if state.question and state.question.to != reader:
                continue
            changed = unseen(state, reader, chosen)
            for make in (
                lambda s: reports.turn_report(s, events[-20:]),  # noqa: B023 - called at once
                reports.board,
                reports.status,
                lambda s: reports.welcome(s, "ab" * 32),
            ):
                mails = [render(make(situation(each, reader))) for each in (state, changed)]
                assert mails[0] == mails[1], f"seed {seed}, position {number * 6}"
                compared += 1
    assert compared > 100


def test_a_report_survives_json(games, situation):
    state, events = games[2][90]
    report = reports.turn_report(situation(state, "french", deadline_at=datetime(2031, 1, 5, 18, tzinfo=UTC)), events)
    again = msgspec.json.decode(msgspec.json.encode(report), type=Report)
    assert render(again) == render(report)


def test_drawn_cards_and_pledges_are_their_owners_alone(games, situation):
    state = games[0][0][0]
    events = (
        Drew("french", 2, ("gaspe", "montreal")),
        Pledged("french", "quebec", "militia"),
        HandShown("british", "ambush", ("boston", "norfolk")),
        TurnEnded("french", 2),
    )
    told = {side: str(reports.turn_report(situation(state, side), events).values["chapters"]) for side in SIDES}
    assert "gaspe" in told["french"]
    assert "Pledged" in told["french"]
    assert "gaspe" not in told["british"]
    assert "Pledged" not in told["british"]
    assert "'count': 2" in told["british"]
    assert "norfolk" in told["french"]


def test_events_are_told_turn_by_turn(games, situation):
    state, events = games[1][60]
    chapters = reports.turn_report(situation(state, "british"), events).values["chapters"]
    turns = [chapter["turn"] for chapter in chapters]
    assert turns == sorted(turns)
    assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("number", [0, 25, 50, 75, 100])
def test_examples_are_valid_in_this_very_position(games, situation, number):
    for seed, positions in games.items():
        state = positions[min(number, len(positions) - 1)][0]
        side = decider(state)
        if side is None:
            continue
        begun, _ = opening(rules_for(), state, side)
        legal = possible(rules_for(), begun, side, at_once=state.question is not None)
        examples = reports.turn_report(situation(state, side), ()).values["examples"]
        for example in examples:
            (order,) = read([(1, example)], side).orders
            assert order.resolve(state) in legal, f"seed {seed}: {example}"


def test_without_questions_the_possibilities_are_the_legal_actions(games):
    compared = 0
    for seed, positions in games.items():
        for state, _ in positions[::9]:
            side = decider(state)
            if side is None:
                continue
            begun, coming = opening(rules_for(), state, side)
            if not coming:
                shown = possible(rules_for(), begun, side, at_once=state.question is not None)
                assert shown == legal_actions(rules_for(), state), f"seed {seed}, turn {state.turn}"
                compared += 1
    assert compared > 50


def test_the_start_has_two_examples(games, situation):
    assert len(reports.welcome(situation(games[0][0][0], "british"), "ab" * 32).values["examples"]) == 2


def test_who_is_not_asked_gets_no_possibilities(games, situation):
    state = games[0][0][0]
    values = reports.turn_report(situation(state, "french"), ()).values
    assert not values["options"]
    assert not values["your_move"]


def test_an_answer_counts_all_orders_and_keeps_the_refusal(games, situation):
    state = games[0][0][0]
    refusal = IllegalAction(
        "You have only {n} money.",
        rule="S13.1",
        line=4,
        text="draft ships",
        span=(6, 11),
        n=2,
        choices=("pass",),
    )
    values = reports.answer(
        situation(state, "british"), applied=["pass"], refused=[refusal.value], not_tried=["draft trader"],
    ).values  # fmt: skip
    assert values["total"] == 3
    assert values["refused"][0]["code"] == "IllegalAction"
    assert values["refused"][0]["span"] == (6, 11)


def changed(state, side, **fields):
    return replace(state, players=state.players.put(side, replace(state.players.of(side), **fields)))


def test_what_can_end_the_game_is_warned_of(games):
    state = games[0][0][0]
    assert warnings(view(state, "british")) == ()
    cases = [
        (changed(state, "british", stock=Pieces(0, 3)), Warned("no-villages", "british")),
        (changed(state, "french", stock=Pieces(3, 0)), Warned("no-towns", "french")),
        (changed(state, "french", captured=Pieces(4, 1)), Warned("captured", "french")),
        (
            replace(state, sieges=state.sieges.put("british", Siege("quebec", 0))),
            Warned("siege", "british", "quebec"),
        ),
        (
            replace(state, board={place: piece for place, piece in state.board.items() if place != "boston"}),
            Warned("open-capital", "french", "boston"),
        ),
    ]
    for position, expected in cases:
        assert warnings(view(position, "british")) == (expected,)
    assert warnings(view(changed(state, "french", captured=Pieces(5, 0)), "french")) == ()
    harmless = replace(state, sieges=state.sieges.put("british", Siege("louisbourg", 4)))
    assert warnings(view(harmless, "french")) == ()
    over = replace(cases[0][0], to_move=None)
    assert warnings(view(over, "british")) == ()


def test_useless_cards_are_named_with_the_reason(games, situation):
    state = games[0][0][0]
    board = {**state.board, "norfolk": Piece("french", "village")}
    hand = ("norfolk", "boston", "new-york", "fort-venango")
    lost = changed(replace(state, board=board), "british", hand=hand)
    lost = replace(
        lost,
        board={**lost.board, "fort-venango": Piece("british", "village")},
        sieges=lost.sieges.put("french", Siege("new-york", 0)),
    )
    values = reports.turn_report(situation(lost, "british"), ()).values
    assert values["unusable"] == {"norfolk": "lost", "new-york": "besieged", "fort-venango": "cut-off"}


def test_the_end_tells_the_seed_to_check_the_shuffles(games, situation):
    over = GameOver("french", "captured-12", "french", Score(20, 2, 22), Score(30, 12, 42))
    state = replace(games[0][0][0], to_move=None)
    report = reports.game_over(situation(state, "british"), (over,), over=over, seed="cd" * 32, commitment="ab" * 32)
    lines = render(report).text.splitlines()
    assert "cd" * 32 in lines
    assert "ab" * 32 in lines
    assert any("42 points" in line for line in lines)


def won_siege(state, defender_cards=("militia", "regular-infantry"), place="louisbourg"):
    """The British are to move and win the siege of a French place in their siege check."""
    siege = Siege(place, 3, ("regular-infantry",), defender_cards)
    return replace(state, to_move="british", turn=9, sieges=state.sieges.put("british", siege))


def test_a_siege_about_to_be_won_asks_its_question_at_once(games, situation):
    report = reports.turn_report(situation(won_siege(games[0][0][0]), "british"), ())
    assert report.values["question"] == {"kind": "settle", "to": "british", "location": "louisbourg"}
    words = [group["word"] for group in report.values["options"]]
    assert words[:2] == ["settle-won", "no-settle"]
    assert {"settle", "draft", "pass"} <= set(words)
    assert report.values["examples"]
    assert [event["type"] for event in report.values["coming"]] == ["SiegeWon"]


def test_the_card_named_as_a_loss_is_not_told_before_the_siege_ends(games, situation):
    state = won_siege(games[0][0][0])
    mails = set()
    for card in ("militia", "regular-infantry", None):
        pledged = {"french": (Pledge("british", card),)} if card else None
        mails.add(render(reports.turn_report(situation(replace(state, pledged=pledged), "british"), ())).text)
    assert len(mails) == 1


def test_a_question_to_the_opponent_gives_the_reader_no_possibilities(games, situation):
    for positions in games.values():
        for state, events in positions:
            if state.question:
                asked = state.question.to
                values = reports.turn_report(situation(state, other(asked)), events[-5:]).values
                assert not values["options"]
                assert values["question"] is None
                assert reports.turn_report(situation(state, asked), events[-5:]).values["options"]
                return
    pytest.fail("no question in any game")
