"""Orders that wait for their time: for the next turn, for the other side's answer, for their writer's yes."""

import pytest
from post_office import PostOffice, text_of
from test_questions import asked_game

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


def test_who_wants_no_forecasts_any_more_has_none_waiting(game: PostOffice):
    game.answer("british", "set confirm on")
    game.answer("british", FIRST)
    forecast = game.last("british")
    game.answer("british", "set confirm off")
    game.answer("british", "confirm", forecast)
    assert moves(game) == []
    assert "confirm" in text_of(game.last("british"))


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
