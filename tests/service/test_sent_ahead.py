"""Orders that wait for their time: for the next turn, for the other side's answer, for their writer's yes."""

import pytest
from post_office import PostOffice, text_of
from test_questions import asked_game

from adjudicator.game.edition import rules_for
from adjudicator.render import render
from adjudicator.reports import turn_report
from adjudicator.reports.position import Situation
from adjudicator.service.ahead import kept

FIRST = "draft Militia"
"""A first turn (one action) that changes nothing on the board."""


@pytest.fixture
def game(office: PostOffice) -> PostOffice:
    office.new_game()
    return office


@pytest.fixture
def raided(office: PostOffice) -> PostOffice:
    """The British are about to raid Fort Halifax, which will not be defended."""
    asked_game(office, "on raid: no block")
    return office


def ahead_of(office: PostOffice, side: str):
    return kept(office.game().seats[side].ahead)


def moves(office: PostOffice):
    with office.ledger.read() as tx:
        return [(row.side, row.text, row.cause) for row in tx.moves(office.game().row.id)]


def test_orders_for_the_next_turn_are_carried_out_when_it_comes(game: PostOffice):
    game.answer("british", f"{FIRST}\nnext turn: draft Governor\nnext turn: money from Boston")
    assert ahead_of(game, "british").turn == ("draft Governor", "money from Boston")
    assert "waits: draft Governor" in text_of(game.last("british"))
    game.answer("french", FIRST)
    found = game.game()
    assert found.row.turn == 4
    assert found.row.waiting_for == "french"
    assert [one for one in moves(game) if one[2] == "ahead"][:2] == [
        ("british", "draft Governor", "ahead"),
        ("british", "money from Boston", "ahead"),
    ]
    told = text_of(game.last("british"))
    assert "carried out: draft Governor" in told
    assert ahead_of(game, "british").turn == ()
    assert game.count("british") == 3  # the welcome, his turn's answer, and the next turn with his orders


def test_the_opponent_learns_of_orders_ahead_only_by_what_they_do(game: PostOffice):
    game.answer("british", f"{FIRST}\nnext turn: draft Governor\nnext turn: pass")
    before = game.last("french")
    assert "Governor" not in text_of(before).split("The piles")[0].split("What you may do")[0]
    assert "next turn" not in text_of(before).lower()
    assert "waits:" not in text_of(before)


def test_orders_ahead_are_dropped_with_a_mail_if_what_they_name_was_changed(raided: PostOffice):
    raided.answer("french", "next turn: fortify Fort Halifax\nnext turn: draft Militia")
    raided.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    told = text_of(raided.last("french"))
    assert "were dropped" in told
    assert "named: Fort Halifax" in told
    assert "left out: draft Militia" in told
    assert ahead_of(raided, "french").turn == ()
    assert raided.game().row.waiting_for == "french"
    assert [cause for _, _, cause in moves(raided)].count("ahead") == 0


def test_orders_ahead_stand_if_something_else_was_changed(raided: PostOffice):
    raided.answer("french", "next turn: draft Governor\nnext turn: pass")
    raided.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    assert [cause for _, _, cause in moves(raided)].count("ahead") >= 2
    assert raided.game().row.waiting_for == "british"


def test_orders_ahead_that_turn_out_illegal_are_refused_and_the_turn_stays_open(game: PostOffice):
    game.answer("british", f"{FIRST}\nnext turn: ambush with Rangers\nnext turn: draft Militia")
    game.answer("french", FIRST)
    found = game.game()
    assert found.row.waiting_for == "british"
    assert found.row.turn == 3
    told = text_of(game.last("british"))
    assert "could not be carried out" in told
    assert "left out: draft Militia" in told
    game.answer("british", "draft Militia\npass")
    assert game.game().row.waiting_for == "french"


def test_orders_ahead_are_replaced_and_taken_back(game: PostOffice):
    game.answer("british", f"{FIRST}\nnext turn: draft Governor")
    game.answer("british", "next turn: draft Militia")
    assert ahead_of(game, "british").turn == ("draft Militia",)
    game.answer("british", "next turn: nothing")
    assert ahead_of(game, "british").turn == ()
    game.answer("french", FIRST)
    assert game.game().row.waiting_for == "british"


def test_both_sides_can_send_ahead_and_nothing_is_played_twice(game: PostOffice):
    game.answer("french", "next turn: draft Militia")
    assert game.game().row.waiting_for == "british"
    game.answer("british", f"{FIRST}\nnext turn: draft Governor\nnext turn: pass")
    found = game.game()
    assert found.row.turn == 4
    assert found.row.waiting_for == "french"
    assert [cause for _, text, cause in moves(game) if text == "draft Militia"] == ["mail", "ahead"]


def test_a_typo_in_an_order_ahead_is_refused_at_once(game: PostOffice):
    game.answer("british", f"{FIRST}\nnext turn: draft Miiltia")
    assert "refused" in game.last("british")["Subject"]
    assert game.game().row.waiting_for == "british"
    assert ahead_of(game, "british").turn == ()


def test_a_condition_that_fails_is_told(raided: PostOffice):
    raided.answer("british", "raid Fort Halifax with Rangers\nif blocked: draft Militia\notherwise: draft Governor")
    told = text_of(raided.last("british"))
    assert "left out: if blocked: draft Militia" in told
    assert "governor" in raided.game().state.players.british.discard


def test_conditions_speak_of_what_came_of_an_answer(office: PostOffice):
    asked_game(office, "on raid: ask me")
    question = "raid Fort Halifax with Rangers\nif blocked: draft Militia\notherwise: draft Governor"
    office.answer("british", question)
    assert "As soon as your opponent has answered" in text_of(office.last("british"))
    office.answer("french", "block with Militia")
    assert office.game().state.players.british.discard[-1] == "militia"


def test_who_wants_to_be_asked_says_yes_to_the_forecast(game: PostOffice):
    game.answer("british", "set confirm on")
    assert game.game().seats["british"].confirms
    game.answer("british", FIRST)
    asking = game.last("british")
    assert "Nothing is done yet" in text_of(asking)
    assert moves(game) == []
    game.answer("british", "confirm", asking)
    assert moves(game)[0] == ("british", "draft Militia", "mail")
    assert game.game().row.waiting_for == "french"


def test_an_old_yes_does_nothing(game: PostOffice):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    first = game.last("british")
    game.answer("british", "draft Governor", first)
    newest = game.last("british")
    game.answer("british", "confirm", first)
    assert moves(game) == []  # the later orders took the place of the first
    game.answer("british", "confirm", newest)
    assert moves(game)[0][1] == "draft Governor"
    game.answer("british", "confirm", first)
    assert len([one for one in moves(game) if one[0] == "british"]) <= 2
    game.answer("british", "set confirm off")
    assert not game.game().seats["british"].confirms


def test_a_standing_order_that_cannot_fire_is_shown_and_kept(game: PostOffice):
    game.answer("british", "on raid at Quebec: no block")
    told = text_of(game.last("british"))
    assert "of no effect now" in told
    assert "Quebec" in game.game().seats["british"].standing


# --- a yes, and to what ---


def test_a_yes_to_the_question_about_resigning_resigns_and_plays_no_forecast(game: PostOffice):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    game.answer("british", "resign")
    game.answer("british", "confirm", game.last("british"))
    found = game.game()
    assert found.row.status == "finished"
    assert moves(game) == []


def test_who_wants_no_forecasts_any_more_keeps_what_waits_and_is_told(game: PostOffice):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    forecast = game.last("british")
    game.answer("british", "set confirm off")
    told = flat(game.last("british"))
    assert "wait for your yes" in told
    assert f"waits: {FIRST}" in told
    assert moves(game) == []
    game.answer("british", "confirm", forecast)
    assert game.game().row.waiting_for == "french"


@pytest.mark.parametrize("body", ["confirm\nset confirm off", "set confirm off\nconfirm", "thanks\nconfirm"])
def test_a_yes_counts_beside_other_words_and_is_told_as_carried_out(game: PostOffice, body: str):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    game.answer("british", body, game.last("british"))
    assert game.game().row.waiting_for == "french"
    told = text_of(game.last("british"))
    assert "not carried out" not in told


@pytest.mark.parametrize("body", ["check\nconfirm", "confirm\ncheck"])
def test_who_asks_what_would_happen_does_not_say_yes(game: PostOffice, body: str):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    game.answer("british", body, game.last("british"))
    assert moves(game) == []
    game.answer("british", "confirm", game.last("british"))  # that mail told of the orders that wait
    assert game.game().row.waiting_for == "french"


def test_a_yes_with_stop_keeps_the_turn_open(raided: PostOffice):
    raided.answer("british", "set confirm on")
    raided.answer("british", "draft Governor\ndraft Militia")
    raided.answer("british", "confirm\nstop", raided.last("british"))
    assert len([one for one in moves(raided) if one[0] == "british"]) == 2
    assert raided.game().row.waiting_for == "british"


def test_a_forecast_says_if_the_turn_would_end(raided: PostOffice):
    raided.answer("british", "set confirm on")
    raided.answer("british", "draft Governor\ndone")
    told = flat(raided.last("british"))
    assert "Your turn would end with this, and what is left of your actions become passes." in told
    assert "not carried out" not in told
    raided.answer("british", "check\ndraft Governor")
    assert "would end" not in flat(raided.last("british"))


@pytest.mark.parametrize(
    "above",
    ["press: Good evening\n\n", "note: hi\n\n", "help\n", "status\n", "set confirm off\n", "set zone UTC\n", "stop\n"],
)
def test_check_before_the_first_order_of_the_game_makes_a_forecast(raided: PostOffice, above: str):
    raided.answer("british", f"{above}check\ndraft Governor\ndraft Militia")
    assert moves(raided) == []
    assert "This was a forecast" in text_of(raided.last("british"))


def test_check_behind_an_order_makes_none(raided: PostOffice):
    raided.answer("british", "draft Governor\ncheck\ndraft Militia")
    assert moves(raided) != []


def flat(mail) -> str:
    return " ".join(text_of(mail).split())


# --- what waits for the other side's answer ---


def whole_turn(office: PostOffice, orders: str, reply: str = "no block"):
    """The British mail these orders, the French answer; returns what the British were told last."""
    asked_game(office, "on raid: ask me")
    office.answer("british", orders)
    office.answer("french", reply)
    return text_of(office.last("british"))


def british_hand(office: PostOffice):
    return office.game().state.players.british


@pytest.mark.parametrize("end", ["\ndone", ""])
def test_the_end_of_the_turn_waits_for_an_answer_even_if_nothing_else_does(office: PostOffice, end):
    first = "raid Fort Halifax with Rangers" if end else "draft Governor\nraid Fort Halifax with Rangers"
    whole_turn(office, first + end)
    assert office.game().row.waiting_for == "french"
    assert office.game().row.turn == 4


def test_a_turn_that_is_to_stay_open_stays_open(office: PostOffice):
    whole_turn(office, "draft Governor\nraid Fort Halifax with Rangers\nstop")
    assert office.game().row.waiting_for == "british"
    assert office.game().row.turn == 3


def test_the_place_of_an_illegal_order_is_not_taken_once_the_order_was_legal(office: PostOffice):
    orders = "raid Fort Halifax with Rangers\nif illegal: raid Quebec with Rangers\nif blocked: draft Militia\ndone"
    asked_game(office, "on raid: ask me")
    office.answer("british", orders)
    told = " ".join(text_of(office.last("british")).split())
    assert "left out: if illegal: raid Quebec with Rangers (The order before it was legal.)" in told
    assert "waits: if blocked: draft Militia" in told
    office.answer("french", "block with Militia")
    assert "carried out: draft Militia" in text_of(office.last("british"))
    assert office.game().row.waiting_for == "french"


def test_conditions_that_waited_are_told_as_they_were_written(office: PostOffice):
    told = whole_turn(
        office, "raid Fort Halifax with Rangers\nif blocked: draft Militia\nif not blocked: draft Governor"
    )
    assert "left out: if blocked: draft Militia (It was not blocked.)" in told
    assert "governor" in british_hand(office).discard


def waiting_turn(office: PostOffice, orders: str = "raid Fort Halifax with Rangers\ndraft Governor\ndone") -> str:
    """The British have ordered a raid and more, and the French are asked; returns what the British were told."""
    asked_game(office, "on raid: ask me")
    office.answer("british", orders)
    return text_of(office.last("british"))


def test_what_waits_is_told_once_and_neither_as_done_nor_as_left_out(office: PostOffice):
    told = waiting_turn(office)
    assert told.count("draft Governor") == told.count("waits: draft Governor") == 1
    assert "waits: done" in told
    assert "not carried out" not in told


def test_orders_for_the_next_turn_are_no_orders_of_this_one(office: PostOffice):
    waiting_turn(office)
    office.answer("british", "next turn: nothing")
    office.answer("french", "no block")
    assert office.game().row.waiting_for == "french"
    assert british_hand(office).discard[-1] == "governor"


def test_what_waits_can_be_taken_back(office: PostOffice):
    told = waiting_turn(office)
    assert 'answer with the single word "stop"' in " ".join(told.split())
    office.answer("british", "stop")
    told = flat(office.last("british"))
    assert "is taken back. Your turn stays open." in told
    assert "waits:" not in told
    office.answer("french", "no block")
    assert office.game().row.waiting_for == "british"
    assert [one for one in moves(office) if one[2] == "ahead"] == []


def test_who_answers_a_question_is_told_of_his_answer_and_where_to_go_on(office: PostOffice):
    waiting_turn(office)
    before = office.count("french")
    office.answer("french", "no block")
    first, second = office.boxes["ben@example.net"][before:]
    assert "Your turn is still open" not in text_of(first)
    assert "please answer that one" in flat(first)
    assert "we wait for" not in text_of(first)
    assert "You are to move" in text_of(second)


def test_a_forecast_of_an_answer_names_no_deadline_of_somebody_else(office: PostOffice):
    waiting_turn(office)
    office.answer("french", "set confirm on")
    office.answer("french", "no block")
    told = flat(office.last("french"))
    assert "Nothing is done yet" in told
    assert "we wait for" not in told


def test_a_question_is_no_move_of_the_other_side(office: PostOffice):
    waiting_turn(office)
    here = Situation("g1", "british", rules_for(), office.game().state)
    assert render(turn_report(here, [])).subject == "[g1] Turn 3: a question to the French"


def test_a_yes_in_a_mail_of_its_own_answers_the_newest_mail(game: PostOffice):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    forecast = game.last("british")
    game.answer("british", "resign")
    game.answer("british", "confirm", forecast, **{"In-Reply-To": ""})
    assert game.game().row.status == "running"
    assert moves(game) == []  # it might have meant the resignation
    game.answer("british", "confirm", forecast)
    assert game.game().row.waiting_for == "french"


@pytest.mark.parametrize(
    "other", ["status", "rules raid", "help", "games", "offer draw", "press: hm\n", "draft Ships", "done"]
)
@pytest.mark.parametrize("first", [True, False])
def test_stop_takes_back_what_waits_beside_anything_else(office: PostOffice, other: str, *, first: bool):
    waiting_turn(office)
    office.answer("british", f"stop\n{other}" if first else f"{other}\nstop")
    told = flat(office.last("british"))
    assert not ahead_of(office, "british").rest
    assert "What waited for your opponent's answer is taken back. Your turn stays open." in told
    assert "stop" not in told.partition("not carried out")[2].partition("==")[2].partition("==")[0]
    if other in ("draft Ships", "done"):
        assert "The other side has to answer a question first" in told


def test_stop_in_answer_to_an_old_mail_is_told_as_left_out(office: PostOffice):
    asked_game(office, "on raid: ask me")
    first = office.last("british")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    office.answer("british", "stop", first)
    told = flat(office.last("british"))
    assert "counts only in answer to the newest mail" in told
    assert "not carried out == line 1: stop" in told
    assert ahead_of(office, "british").rest


def test_stop_that_took_something_back_names_its_mail(office: PostOffice):
    waiting_turn(office)
    office.answer("british", "stop")
    assert "your turn stays open" in office.last("british")["Subject"]


@pytest.mark.parametrize("first", ["check\n", ""])
def test_a_forecast_of_what_is_hidden_says_so(raided: PostOffice, first: str):
    raided.answer("british", "set confirm on")
    raided.answer("british", f"{first}raid Fort Halifax with Rangers\ndraft Governor\ndone")
    told = flat(raided.last("british"))
    assert "There was no order" not in told
    assert "Nothing of this can be told before it is done" in told
    assert "it cannot be told what would come of it" in told
