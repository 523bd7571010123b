"""Questions by mail: a side that wants to be asked is asked, and the turn waits for it."""

import pytest
from post_office import PostOffice, text_of

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import BySide, Piece, Siege, State, replace
from adjudicator.game.record import Position
from adjudicator.game.table import lower, put
from adjudicator.service import powers
from adjudicator.service.moderate import Warrant


def raid_position() -> State:
    """The British hold Rangers and may raid Fort Halifax; the French hold Militia."""
    state = replace(new_game(rules_for(), seeded(SILENT)).state, turn=3)
    state = replace(state, board={**state.board, "fort-halifax": Piece("french", "village")})
    for side, card in (("british", "rangers"), ("french", "militia")):
        me = state.players.of(side)
        state = put(state, side, replace(me, hand=(*me.hand, card)))
        piles = state.available_empire
        state = replace(state, available_empire=piles.put(side, lower(piles.of(side), card)))
    french = state.players.french
    stock = replace(french.stock, villages=french.stock.villages - 1)
    return put(state, "french", replace(french, stock=stock))


def asked_game(office: PostOffice, standing: str) -> None:
    position = Position(
        format="afas-position/1", edition=2, state=raid_position(), standing={"french": standing} if standing else {}
    )
    office.new_game(position=position)


def test_by_default_a_raid_is_blocked_without_a_mail(office: PostOffice):
    asked_game(office, "")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    game = office.game()
    assert game.state.to_move == "french"
    assert game.state.players.french.discard == ("militia",)
    assert office.count("french") == 2


def test_who_wants_to_be_asked_is_asked_and_the_turn_waits(office: PostOffice):
    asked_game(office, "on raid: ask me")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    game = office.game()
    assert game.row.waiting_for == "french"
    assert game.state.question is not None
    question = office.last("french")
    assert "a question to you" in question["Subject"]
    office.answer("british", "draft Governor")
    assert office.game().state == game.state
    office.answer("french", "block with Militia", question)
    game = office.game()
    assert game.state.question is None
    assert game.state.board["fort-halifax"].owner == "french"
    told = text_of(office.last("british"))
    assert "stopped that raid" in told, told[:1200]
    assert "carried out: draft Governor" in told  # it waited with the turn, and needs no second mail
    assert game.state.players.british.discard[-1] == "governor"
    assert game.row.waiting_for == "french"


def test_an_answer_that_is_none_is_refused_and_asked_again(office: PostOffice):
    asked_game(office, "on raid: ask me")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    office.answer("french", "block with Trader")
    assert office.game().row.waiting_for == "french"
    assert "refused" in office.last("french")["Subject"]
    office.answer("french", "no block")
    assert "fort-halifax" not in office.game().state.board


def test_standing_orders_by_mail_take_the_place_of_the_question(office: PostOffice):
    asked_game(office, "on raid: ask me")
    office.answer("french", "on raid: no block")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    assert office.game().state.to_move == "french"
    assert "fort-halifax" not in office.game().state.board


def lost_siege() -> State:
    """The French are to move and win against the British siege of Louisbourg; nobody has named a card."""
    state = new_game(rules_for(), seeded(SILENT)).state
    british = state.players.british
    piles = state.available_empire
    pile = lower(lower(piles.british, "militia"), "siege-artillery")
    siege = Siege("louisbourg", -1, ("militia", "siege-artillery"), ())
    state = replace(
        state, to_move="french", turn=4, sieges=BySide(siege, None), available_empire=piles.put("british", pile)
    )
    return put(state, "british", british)


def test_a_loser_who_wants_to_be_asked_is_asked_in_the_siege_check(office: PostOffice):
    position = Position(
        format="afas-position/1", edition=2, state=lost_siege(), standing={"british": "on siege lost: ask me"}
    )
    office.new_game(position=position)
    office.answer("french", "draft Militia")
    game = office.game()
    assert game.row.waiting_for == "british"
    assert game.state.question is not None
    office.answer("british", "lose siege artillery")
    game = office.game()
    assert game.state.sieges.british is None
    assert game.state.available_empire.british["siege-artillery"] == 1
    assert game.row.waiting_for == "french"
    assert game.state.open.actions_left == 1
    assert "militia" in game.state.players.french.discard  # ordered before the question
    office.answer("french", "draft Governor")
    assert office.game().state.to_move == "british"


def test_a_question_shows_how_it_is_answered(office: PostOffice):
    asked_game(office, "on raid: ask me")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    told = text_of(office.last("french"))
    assert "e.g. block with Militia" in told
    assert "e.g. no block" in told
    assert "- To let it happen: no block" in told


def test_who_waits_for_an_answer_has_time_for_the_rest_of_his_turn(office: PostOffice):
    asked_game(office, "on raid: ask me")
    office.answer("british", "raid Fort Halifax with Rangers\ndraft Governor")
    told = " ".join(text_of(office.last("british")).split())
    assert "for the rest of your turn" in told
    assert "your next turn. " not in told.split("== ")[0]


def test_a_siege_won_that_one_wants_to_be_asked_about_has_to_be_spoken_of(office: PostOffice):
    state = replace(lost_siege(), sieges=BySide(None, Siege("pemaquid", 3, (), ())))
    for said, asked in (("on siege won: ask me", True), ("", False)):
        standing = {"french": said} if said else {}
        office.new_game(position=Position(format="afas-position/1", edition=2, state=state, standing=standing))
        told = " ".join(text_of(office.last("french")).split())
        assert ("You wanted to be asked, so say it first" in told) == asked
        assert ("If you say nothing" in told) == (not asked)


@pytest.mark.parametrize(
    ("orders", "first", "others"),
    [
        (
            "no block\nhello\ndraft Militia",
            "1 order applied",
            [
                "line 2: hello",
                "line 3: draft Militia What belongs to a turn was not tried, because it was not your move any more.",
            ],
        ),
        ("no block\nhello\non raid: no block", "1 order applied", ["line 3: on raid: no block", "line 2: hello"]),
    ],
)
def test_the_receipt_for_a_moderators_orders_tells_of_each_line(
    sqlite_office: PostOffice, orders: str, first: str, others: list[str]
):
    office = sqlite_office
    asked_game(office, "on raid: ask me")
    office.answer("british", "raid Fort Halifax with Rangers\nstop")
    with office.ledger.begin() as tx:
        powers.order(office.config, tx, "g1", "french", orders, Warrant("op", "by phone", office.now))
    office.deliver()
    receipt = " ".join(text_of(office.last("french")).split())
    assert "A moderator has given orders for you." in receipt
    for part in (first, "== Understood and carried out == line 1: no block", *others):
        assert part in receipt, (part, receipt)
    assert "hello" not in text_of(office.last("british"))
