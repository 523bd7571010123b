"""What moderators look at and do, in and out of the audit log."""

import pytest
from post_office import START

from adjudicator.errors import UsageError
from adjudicator.mail.session import Reply
from adjudicator.service import mailroom, moderate, powers, taking
from adjudicator.service.moderate import Warrant
from adjudicator.service.receive import UNKNOWN

MOD = Warrant("mod", "because", START)


def audit(office):
    with office.ledger.read() as tx:
        return [(row.who, row.command, row.why, row.data) for row in tx.audit()]


def test_pausing_and_resuming_is_logged_and_keeps_orders_out(office):
    office.new_game()
    with office.ledger.begin() as tx:
        powers.pause(office.config, tx, "g1", MOD)
    office.answer("british", "draft Ships")
    assert office.game().row.status == "paused"
    assert office.game().state.turn == 1
    with office.ledger.begin() as tx:
        powers.resume(office.config, tx, "g1", MOD)
    office.answer("british", "draft Ships")
    assert office.game().state.turn == 2
    data = {"game": "g1", "position_number": 1}
    deeds = [deed for deed in audit(office) if deed[1] != "deadline"]
    assert deeds == [("mod", "game pause", "because", data), ("mod", "game resume", "because", data)]
    held, free = [deed[3] for deed in audit(office) if deed[1] == "deadline"]
    assert held["before"] == "2031-03-11T20:00:00+00:00"
    assert (held["after"], free["before"], free["side"]) == ("", "", "british")


@pytest.mark.parametrize("at", [2, 3])
def test_a_change_meant_for_another_state_is_refused(sqlite_office, at):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia\nstop")
    assert (office.game().row.turn, office.game().row.seq) == (2, 3)
    with office.ledger.begin() as tx:
        with pytest.raises(UsageError, match="g1 has moved on: it is at turn 2, position 3, not at 1"):
            powers.pause(office.config, tx, "g1", Warrant("mod", "", START, at=1))
        powers.pause(office.config, tx, "g1", Warrant("mod", "", START, at=at))
    assert office.game().row.status == "paused"


def test_what_cannot_be_paused(sqlite_office):
    office = sqlite_office
    office.new_game()
    with office.ledger.begin() as tx:
        with pytest.raises(UsageError, match="there is no game 'g2'"):
            powers.pause(office.config, tx, "g2", MOD)
        with pytest.raises(UsageError, match="g1 is running, not paused"):
            powers.resume(office.config, tx, "g1", MOD)
    assert audit(office) == []


def test_games_by_status(sqlite_office):
    office = sqlite_office
    for _ in range(3):
        office.new_game()
    with office.ledger.begin() as tx:
        powers.pause(office.config, tx, "g2", MOD)
        assert [one.game.name for one in moderate.games(tx)] == ["g1", "g2", "g3"]
        assert [one.game.name for one in moderate.games(tx, "running")] == ["g1", "g3"]
        assert [one.game.name for one in moderate.games(tx, "finished")] == []


def test_the_open_turn_is_not_in_the_history_without_a_reason(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia\nstop")
    with office.ledger.read() as tx:
        game = moderate.find(tx, "g1")
        short, whole = (moderate.history(tx, game, full=full) for full in (False, True))
    if game.state.open is None:
        pytest.fail("no open turn")
    assert [move.text for move in short.moves] == ["draft Ships", "done"]
    assert short.hidden == 1
    assert [move.text for move in whole.moves] == ["draft Ships", "done", "draft Militia"]
    assert whole.hidden == 0


def test_mails_in_and_out_and_what_they_say(office):
    office.new_game()
    office.answer("british", "draft Ships")
    with office.ledger.read() as tx:
        listed = mailroom.mails(tx, "g1", 50, unsent=False)
        assert {one.id for one in listed} == {"in-1", "out-1", "out-2", "out-3", "out-4"}
        letter = next(one for one in listed if one.id == "in-1")
        assert (letter.state, letter.game, letter.side) == ("applied", "g1", "british")
        assert letter.to_address == "g1.…@play.example.org"
        assert letter.answer in {one.message_id for one in listed}
        assert mailroom.mails(tx, "g1", 50, unsent=True) == []
        assert mailroom.mail(office.config, tx, "in-1", full=False).raw is None
        assert b"draft Ships" in mailroom.mail(office.config, tx, "in-1", full=True).raw
        assert mailroom.mail(office.config, tx, "out-1", full=True).raw == office.sent[0]
        for wrong, message in (("out-99", "there is no mail out-99"), ("nine", "'nine' is no mail of this kind")):
            with pytest.raises(UsageError, match=message):
                mailroom.mail(office.config, tx, wrong, full=False)
        with pytest.raises(UsageError, match="there is no game 'g7'"):
            mailroom.mails(tx, "g7", 50, unsent=False)


def test_a_mail_of_a_finished_game_has_no_secrets(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "resign")
    office.answer("british", "confirm")
    with office.ledger.read() as tx:
        assert mailroom.mail(office.config, tx, "in-1", full=False).raw


def test_a_mail_sent_again_is_the_same(sqlite_office):
    office = sqlite_office
    office.new_game()
    before = list(office.sent)
    with office.ledger.begin() as tx:
        mailroom.resend(tx, "out-2", MOD)
        with pytest.raises(UsageError, match="there is no mail out-9"):
            mailroom.resend(tx, "out-9", MOD)
    assert office.deliver() == 1
    assert office.sent == [*before, before[1]]
    assert audit(office) == [("mod", "mail resend", "because", {"post": 2})]


def test_the_recipient_is_asked_for_first(sqlite_office):
    office = sqlite_office
    office.new_game()
    reply_to = office.last("british")["Reply-To"]
    letter = office.letter("british", "draft Ships").replace(b"\r\n", b"\n")

    def feed(rcpt, raw=letter):
        return taking.take_by_hand(office.config, office.ledger, raw, rcpt, "ann@example.org", office.now)

    for rcpt in ("house@play.example.org", "who@play.example.org", "g1.1-aaaa@play.example.org", reply_to + "x"):
        assert feed(rcpt) == UNKNOWN
    assert feed(reply_to, letter + b"x" * 1_100_000) == Reply(552, "5.3.4 This mail is larger than 1024 KB")
    assert office.game().state.turn == 1
    assert feed(reply_to.upper()).code == 250
    assert office.game().state.turn == 2


def held(office, monkeypatch):
    """One letter in quarantine, after a fault that is then mended."""
    office.new_game()
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.service.receive.answer_letter", broken)
        assert office.answer("british", "draft Ships").code == 250
    with office.ledger.read() as tx:
        assert [row.id for row in tx.held()] == [1]
    assert office.game().state.turn == 1


def broken(*_args):
    raise ZeroDivisionError("a fault of ours")


def test_a_letter_in_quarantine_is_read_after_a_fix_exactly_once(office, monkeypatch):
    held(office, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr("adjudicator.service.receive.answer_letter", broken)
        again = taking.retry_held(office.config, office.ledger, 1, office.now)
    assert (again.failed, again.said) == (True, "failed again: ZeroDivisionError")
    with office.ledger.read() as tx:
        assert [row.id for row in tx.held()] == [1]
        assert tx.held_one(1).retried_at == office.now
    assert taking.retry_held(office.config, office.ledger, 1, office.now).said == "taken"
    assert office.game().state.turn == 2
    with office.ledger.read() as tx:
        assert tx.held() == []
    with pytest.raises(UsageError, match="there is no letter held-1 in quarantine"):
        taking.retry_held(office.config, office.ledger, 1, office.now)


def test_a_letter_in_quarantine_that_nobody_may_write(sqlite_office):
    office = sqlite_office
    office.new_game()
    reply_to = office.last("british")["Reply-To"]
    foreign = office.letter("british", "draft Ships").replace(b"ann@example.org", b"eve@example.org")
    house = office.letter("british", "draft Ships")
    with office.ledger.begin() as tx:
        for raw, rcpt, mail_from in (
            (foreign, reply_to, "eve@example.org"),
            (house, "house@play.example.org", "house@play.example.org"),
            (house, "g1.1-x@elsewhere.example.org", "ann@example.org"),
        ):
            tx.hold(raw, rcpt=rcpt, mail_from=mail_from, error="x", received_at=office.now)
    said = [taking.retry_held(office.config, office.ledger, number, office.now).said for number in (1, 2, 3)]
    assert said == ["refused: a foreign sender for g1 british", *["refused: no address of ours"] * 2]
    assert office.game().state.turn == 1
    with office.ledger.read() as tx:
        assert tx.held() == []


def test_a_letter_is_dropped_from_quarantine(sqlite_office, monkeypatch):
    office = sqlite_office
    held(office, monkeypatch)
    with office.ledger.begin() as tx:
        mailroom.drop_held(tx, ["held-1"], MOD)
        with pytest.raises(UsageError, match="there is no letter held-1 in quarantine"):
            mailroom.drop_held(tx, ["held-1"], MOD)
    assert audit(office) == [("mod", "mail quarantine --drop", "because", {"held": 1})]
