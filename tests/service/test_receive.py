"""One mail from bytes to answers: what it changes, who is told, and what does nothing."""

import pytest
from post_office import ADDRESSES, PostOffice, text_of

from adjudicator.errors import Unavailable
from adjudicator.service import receive as receive_module
from adjudicator.service.config import Config
from adjudicator.service.door import Door


def test_both_get_a_welcome_with_the_commitment_and_their_own_address(office: PostOffice):
    office.new_game()
    british, french = office.last("british"), office.last("french")
    assert british["Reply-To"] != french["Reply-To"]
    commitment = office.game().row.commitment
    for mail in (british, french):
        assert commitment in text_of(mail).splitlines()
        assert mail["Auto-Submitted"] == "auto-generated"


def test_a_turn_is_applied_and_told_to_both(office: PostOffice):
    office.new_game()
    assert office.answer("british", "Hi Ben,\n\ndraft governor\n\nThanks!\n-- \nAnn\ndraft trader").code == 250
    game = office.game()
    assert game.state.to_move == "french"
    assert game.state.players.british.discard == ("governor",)
    assert office.count("british") == 2
    assert office.count("french") == 2
    assert "drafted Governor" in text_of(office.last("french"))
    assert office.last("british")["In-Reply-To"] == "<1@example.org>"


def test_addresses_change_with_the_position_and_the_thread_goes_on(office: PostOffice):
    office.new_game()
    first = office.last("french")
    office.answer("british", "draft governor")
    second = office.last("french")
    assert first["Reply-To"] != second["Reply-To"]
    assert first["Message-ID"] in second["References"]


def test_a_half_turn_is_hidden_from_the_other_side(office: PostOffice):
    office.new_game()
    office.answer("british", "draft governor")
    office.answer("french", "draft coureurs")
    before = office.count("french")
    seen = office.last("french")
    office.answer("british", "draft militia\nstop")
    assert office.count("french") == before
    office.answer("french", "status", seen)
    status = text_of(office.last("french"))
    assert "Militia (2)" not in status
    assert office.last("french")["Reply-To"] == seen["Reply-To"]
    office.answer("british", "draft bateaux")
    told = text_of(office.last("french"))
    assert "drafted Militia" in told
    assert "drafted Bateaux" in told


def test_a_refused_mail_changes_nothing_and_is_answered(office: PostOffice):
    office.new_game()
    address = office.last("british")["Reply-To"]
    before = office.game().state
    office.answer("british", "draft governor\ndraft bateaux")
    assert office.game().state == before
    assert "1 of 2 orders refused" in office.last("british")["Subject"]
    assert "S3.2" in text_of(office.last("british"))
    assert office.last("british")["Reply-To"] == address
    assert office.count("french") == 1


def test_a_typo_offers_the_nearest_name(office: PostOffice):
    office.new_game()
    office.answer("british", "draft governer")
    answer = text_of(office.last("british"))
    assert "Governor" in answer
    assert "^^^^^^^^" in answer


def test_orders_for_an_older_position_are_refused_with_the_newest(office: PostOffice):
    office.new_game()
    old = office.last("british")
    office.answer("british", "draft governor")
    office.answer("french", "draft coureurs")
    state = office.game().state
    office.answer("british", "draft militia", old)
    assert office.game().state == state
    stale = office.last("british")
    assert "older position" in stale["Subject"]
    assert stale["Reply-To"] == office.boxes[ADDRESSES["british"]][-2]["Reply-To"]


def test_a_copy_by_another_way_does_nothing(office: PostOffice):
    office.new_game()
    asked = office.last("british")
    raw = office.letter("british", "draft governor\nstop")
    copy = b"Received: from a.example.net by b.example.org; Sat, 1 Mar 2031 20:00:01 +0000\r\n" + raw
    for one in (raw, copy, raw):
        assert office.post(one, asked["Reply-To"]).code == 250
    assert office.game().row.moves == 1
    assert office.count("british") == 2


def test_the_same_message_id_with_another_text_is_answered_only(office: PostOffice):
    office.new_game()
    asked = office.last("british")
    office.answer("british", "draft governor\nstop", asked, Message_ID="<same@example.org>")
    state = office.game().state
    for _ in range(2):
        office.answer("british", "draft militia", asked, Message_ID="<same@example.org>")
    assert office.game().state == state
    assert office.count("british") == 3


@pytest.mark.parametrize(
    "rcpt", ["g1.1-aaaaaaaaaaaaaaaaaaaaaaaa", "g9.1-aaaaaaaaaaaaaaaaaaaaaaaa", "nobody", "house", "g1"]
)
def test_unknown_addresses_are_refused_at_the_door(office: PostOffice, rcpt: str):
    office.new_game()
    door = Door(office.config, office.ledger)
    assert not door.knows(f"{rcpt}@play.example.org")
    assert office.post(office.letter("british", "draft governor"), f"{rcpt}@play.example.org").code == 550
    assert office.count("british") == 1


def test_known_addresses_are_let_in(office: PostOffice):
    office.new_game()
    door = Door(office.config, office.ledger)
    asked = office.last("british")["Reply-To"]
    for rcpt in (asked, asked.upper(), "games@play.example.org", "Postmaster@PLAY.example.org"):
        assert door.knows(rcpt)
    assert not door.knows(asked.replace("play.", "other."))


def test_a_foreign_sender_is_refused_and_the_owner_told_once_a_day(office: PostOffice):
    office.new_game()
    asked = office.last("british")
    for _ in range(3):
        reply = office.answer("british", "draft governor", asked, From="Eve <eve@example.com>")
        assert reply.code == 550
    assert office.game().row.moves == 0
    assert office.count("british") == 2
    notice = text_of(office.last("british"))
    assert "eve@example.com" in notice
    assert "Orders go in answer to the newest mail about the game, not to this one." in " ".join(notice.split())
    assert office.last("british")["Subject"] == "[g1] A mail to your seat came from an unknown address"


def test_with_auth_token_the_secret_is_enough(office: PostOffice):
    office.config = Config(domain="play.example.org", auth="token")
    office.new_game()
    assert office.answer("british", "draft governor", From="Eve <eve@example.com>").code == 250
    assert office.game().row.moves > 0


def test_automatic_mail_is_noted_and_never_answered(office: PostOffice):
    office.new_game()
    assert office.answer("british", "draft governor", Auto_Submitted="auto-replied").code == 250
    assert office.count("british") == 1
    assert office.game().row.moves == 0


def test_a_stranger_gets_one_fixed_answer_a_day(office: PostOffice):
    for number in range(3):
        raw = f"From: eve@example.com\r\nMessage-ID: <{number}@example.com>\r\n\r\nlet me in: secret words\r\n".encode()
        assert office.post(raw, "games@play.example.org", "eve@example.com").code == 250
    mails = office.boxes["eve@example.com"]
    assert len(mails) == 1
    assert "secret words" not in mails[0].as_string()


def test_resigning_takes_a_confirmation(office: PostOffice):
    office.new_game()
    office.answer("british", "resign")
    assert office.game().row.status == "running"
    office.answer("british", "confirm")
    game = office.game()
    assert game.row.status == "finished"
    assert "the French win" in office.last("french")["Subject"]
    assert game.row.seed.hex() in text_of(office.last("british"))


def test_confirm_alone_gives_nothing_up(office: PostOffice):
    office.new_game()
    office.answer("british", "confirm")
    assert office.game().row.status == "running"
    assert office.count("british") == 2


def test_the_waiting_side_may_ask_and_press_but_not_move(office: PostOffice):
    office.new_game()
    before = office.game().state
    office.answer("french", "draft militia")
    assert office.game().state == before
    assert "refused" in office.last("french")["Subject"]
    office.answer("french", "press: Have a good game!\nSee you.")
    assert "Have a good game!" in text_of(office.last("british"))
    assert office.game().state == before


def test_standing_orders_are_kept_and_used(office: PostOffice):
    office.new_game()
    office.answer("french", "on raid: no block\non siege lost: lose militia")
    assert "raid" in office.game().seats["french"].standing
    assert office.game().seats["british"].standing == ""


def test_a_standing_order_with_a_card_of_the_other_side_is_refused(office: PostOffice):
    office.new_game()
    before = office.game()
    office.answer("british", "draft Governor\non raid: block with Priest")
    assert "The British have no card Priest." in text_of(office.last("british"))
    assert (office.game().row.moves, office.game().seats["british"].standing) == (0, "")
    assert office.game().state == before.state


def test_a_misspelt_check_keeps_orders_from_being_carried_out(office: PostOffice):
    office.new_game()
    office.answer("british", "chek\ndraft governor")
    assert office.game().row.moves == 0
    assert "Near to it: check." in text_of(office.last("british"))


def test_a_forecast_changes_nothing(office: PostOffice):
    office.new_game()
    office.answer("british", "check\ndraft governor")
    assert office.game().row.moves == 0
    office.answer("british", "draft governor", Subject="Re: [g1] check")
    assert office.game().row.moves == 0
    assert "forecast" in text_of(office.last("british"))


def test_a_fault_of_ours_keeps_the_letter(office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    office.config = Config(domain="play.example.org", moderators=("mod@example.org",))
    office.new_game()

    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(receive_module, "answer_letter", fail)
    reply = office.answer("british", "draft governor")
    assert reply.code == 250
    assert "secret" not in reply.text
    with office.ledger.read() as tx:
        (held,) = tx.held()
        assert b"draft governor" in tx.held_raw(held.id)
    (alarm,) = office.boxes["mod@example.org"]
    assert "quarantine" in alarm["Subject"]
    assert "governor" not in alarm.as_string()
    assert office.game().row.moves == 0


def test_a_database_that_is_away_defers_the_mail(office: PostOffice, monkeypatch: pytest.MonkeyPatch):
    office.new_game()

    def away(*_: object) -> None:
        raise Unavailable("away")

    monkeypatch.setattr(receive_module, "answer_letter", away)
    assert office.answer("british", "draft governor").code == 451
    monkeypatch.undo()
    assert office.game().row.moves == 0


def test_unreadable_mail_is_refused(office: PostOffice):
    office.new_game()
    asked = office.last("british")["Reply-To"]
    assert office.post(b"X" * 2_000_000, asked).code == 550


def test_every_letter_gets_exactly_one_answer(office: PostOffice):
    office.new_game()
    bodies = [
        "", "Hello", "draft", "status", "board", "history", "help", "rules siege", "note: remember", "set zone",
        "leave", "check", "stop", "if blocked: draft militia", "done",
    ]  # fmt: skip
    for number, body in enumerate(bodies, 2):
        assert office.answer("british", body).code == 250, body
        assert office.count("british") == number, body


def test_a_game_that_is_over_asks_for_nothing_more(office: PostOffice):
    office.new_game()
    office.answer("british", "resign")
    office.answer("british", "confirm")
    for body in ("draft militia", "resign", "Hello?", "status"):
        office.answer("british", body)
        answer = office.last("british")
        assert "The game is over" in answer["Subject"], body
        assert "You are to move" not in text_of(answer), body


def test_press_passes_no_secret_address_on(office: PostOffice):
    office.new_game()
    secret = office.last("french")["Reply-To"]
    office.answer("french", f"press: write to me at {secret} or so")
    assert secret.partition("@")[0] not in office.last("british").as_string()
    assert "or so" in text_of(office.last("british"))
