"""`serve` as the network meets it: encryption, a mail server in front, and clients that mean no good."""

import contextlib
import smtplib
import socket
import sqlite3
import ssl
import time

import pytest
import trustme

from adjudicator.stress.process import Serve
from adjudicator.stress.wire import Wire

ANN, BEN = "ann@example.org", "ben@example.org"
AUTHORITY = trustme.CA()


@pytest.fixture
def game(terminal):
    """A game between Ann and Ben, whose first mails have been delivered."""
    terminal.run("game", "new", "--british", ANN, "--french", BEN)
    return terminal


def served(terminal, **settings):
    """A `serve` on the terminal's database."""
    return Serve(terminal.folder / "var", **settings)


def raw(terminal, address, body, name):
    return terminal.letter(address, body, name).read_bytes().replace(b"\n", b"\r\n")


def until(fact, seconds=20.0):
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)


# --- encryption ---


def issue(folder):
    issued = AUTHORITY.issue_cert("localhost")
    (folder / "chain.pem").write_bytes(b"".join(one.bytes() for one in issued.cert_chain_pems))
    (folder / "key.pem").write_bytes(issued.private_key_pem.bytes())
    issued.private_key_and_cert_chain_pem.write_to_path(folder / "both.pem")


def trusting():
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


def serial(port):
    """The serial number of the certificate that a client is shown."""
    with smtplib.SMTP("localhost", port, timeout=20) as client:
        client.starttls(context=trusting())
        assert client.noop()[0] == 250
        return client.sock.getpeercert()["serialNumber"]


def test_orders_in_tls_and_a_certificate_renewed_without_a_restart(game):
    issue(game.folder)
    with served(game, TLS_CERT=str(game.folder / "chain.pem"), TLS_KEY=str(game.folder / "key.pem")) as serve:
        serve.wait()
        first = serial(serve.port)
        rcpt = game.reply_to(ANN)
        with smtplib.SMTP("localhost", serve.port, timeout=20) as client:
            client.starttls(context=trusting())
            client.sendmail(ANN, [rcpt], raw(game, ANN, "draft militia", "one"))
        issue(game.folder)
        assert serial(serve.port) != first
        (game.folder / "key.pem").write_text("a broken key")
        second = serial(serve.port)
        assert second != first
        until(lambda: len(game.mails(ANN)) == 2)
        serve.stop()
    assert "the renewed certificate cannot be used, the old one stays" in serve.log.read_text()


def test_one_file_for_both_and_none_at_all(game):
    issue(game.folder)
    with served(game, TLS_CERT=str(game.folder / "both.pem")) as serve:
        serve.wait()
        assert serial(serve.port)
        serve.stop()
    with served(game) as serve:
        serve.wait()
        with smtplib.SMTP("localhost", serve.port, timeout=20) as client:
            client.ehlo()
            assert not client.has_extn("starttls")
            assert client.docmd("STARTTLS")[0] == 454


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"TLS_CERT": "nowhere.pem"},
            "Error: TLS_CERT nowhere.pem and TLS_KEY nowhere.pem cannot be used: No such file",
        ),
        ({"TLS_KEY": "key.pem"}, "Error: setting TLS_KEY (environment) must be empty while TLS_CERT is"),
    ],
)
def test_a_certificate_that_is_not_there_is_told_at_the_start(game, settings, told):
    with served(game, **settings) as serve:
        assert serve.process.wait(20) == 1
    assert serve.log.read_text().startswith(told)
    assert "Traceback" not in serve.log.read_text()


def test_broken_handshakes_are_no_fault_of_ours(game):
    issue(game.folder)
    with served(game, TLS_CERT=str(game.folder / "both.pem"), CONNECTIONS_PER_CLIENT="3") as serve:
        serve.wait()
        for junk in (b"\x16\x03\x01\x00\x05junk!", b"EHLO x\r\n" * 9, b"") * 2:
            wire = Wire(serve.port)
            wire.greet()
            assert wire.ask("STARTTLS").startswith("220")
            wire.say(junk)
            wire.close()
        until(lambda: greeting(serve.port).startswith("220"))
        serve.stop()
    assert serve.log.read_text() == ""


# --- a mail server in front ---


@pytest.mark.parametrize("kind", ["tcp", "unix"])
def test_lmtp_has_one_answer_for_each_recipient(game, kind):
    """A refusal would become a mail to whom a forger names: what cannot be taken is dropped."""
    path = game.folder / "lmtp"
    with served(game, LMTP=f"unix:{path}" if kind == "unix" else "127.0.0.1:0") as serve:
        place = serve.wait().rpartition(", ")[2]
        client = smtplib.LMTP(str(path)) if kind == "unix" else smtplib.LMTP("127.0.0.1", int(place.rpartition(":")[2]))
        with client:
            client.ehlo()
            client.mail(ANN)
            ours, theirs = game.reply_to(ANN), game.reply_to(BEN)
            codes = [client.rcpt(rcpt)[0] for rcpt in (ours, "who@localhost", theirs, "postmaster@localhost", ours)]
            assert codes == [250, 550, 250, 250, 250]
            client.putcmd("DATA")
            assert client.getreply()[0] == 354
            client.send(raw(game, ANN, "draft militia", "one") + b".\r\n")
            replies = [client.getreply() for _ in range(4)]
            assert [code for code, _ in replies] == [250] * 4
            assert replies[0] == replies[3] == (250, b"2.0.0 taken")
            assert replies[1] == (250, b"2.0.0 dropped")
            assert client.noop()[0] == 250
        until(lambda: len(game.mails(ANN)) == 2)
        until(lambda: len(game.mails(BEN)) == 3)  # his turn, and the notice that Ann wrote to his secret address
        serve.stop()
    assert not path.exists()
    assert game.json("game", "show", "g1")["waiting_for"] == "french"


def test_any_user_may_use_the_socket_who_may_enter_its_folder(game):
    path = game.folder / "lmtp"
    with served(game, LMTP=f"unix:{path}") as serve:
        serve.wait()
        assert path.stat().st_mode & 0o777 == 0o666


# --- attacks ---


def greeting(port):
    wire = Wire(port)
    try:
        return wire.hear()
    finally:
        wire.close()


def test_connections_are_limited_and_come_free_again(game):
    with served(game, CONNECTIONS_PER_CLIENT="3") as serve:
        serve.wait()
        wires = [Wire(serve.port) for _ in range(3)]
        assert [wire.hear()[:3] for wire in wires] == ["220"] * 3
        assert greeting(serve.port) == "421 4.7.0 Too many connections from your host"
        wires[0].close()
        until(lambda: greeting(serve.port).startswith("220"))
        for wire in wires[1:]:
            wire.close()
    with served(game, CONNECTIONS="1") as serve:
        serve.wait()
        wire = Wire(serve.port)
        wire.greet()
        assert greeting(serve.port) == "421 4.3.2 Busy, try again later"
        wire.close()


def test_slow_clients_are_sent_away_and_nobody_waits_for_them(game):
    with served(game, CLIENT_SECONDS="0.6") as serve:
        serve.wait()
        silent, dripping, half = Wire(serve.port), Wire(serve.port), Wire(serve.port)
        for wire in (dripping, half):
            wire.greet()
            for line in (f"MAIL FROM:<{ANN}>", f"RCPT TO:<{game.reply_to(ANN)}>", "DATA"):
                wire.ask(line)
        half.say(raw(game, ANN, "draft militia", "half"))
        with smtplib.SMTP("127.0.0.1", serve.port, timeout=20) as client:
            client.sendmail(ANN, [game.reply_to(ANN)], raw(game, ANN, "status", "quick"))
        assert silent.hear().startswith("220")
        assert silent.hear().startswith("421 4.4.2")
        with pytest.raises(OSError):  # noqa: PT012 - one of many
            for _ in range(200):
                dripping.say(b"x\r\n")
                time.sleep(0.05)
        assert half.hear().startswith("421 4.4.2")
        for wire in (silent, dripping, half):
            wire.close()
        until(lambda: len(game.mails(ANN)) == 2)
        serve.stop()
    assert game.json("game", "show", "g1")["position_number"] == 1  # half a mail is no mail


def test_junk_costs_nothing_and_changes_nothing(game):
    with served(game) as serve:
        serve.wait()
        before = serve.memory()
        for junk in (b"\xff\x00" * 500_000, b"\r\n" * 100_000, b"JUNK\r\n" * 10_000, b"MAIL FROM:<(((>\r\n" * 5_000):
            wire = Wire(serve.port)
            with contextlib.suppress(OSError):
                wire.say(junk)
                while wire.hear():
                    pass
            wire.close()
        assert serve.most_memory() < before + 20
        with smtplib.SMTP("127.0.0.1", serve.port, timeout=20) as client:
            client.sendmail(ANN, [game.reply_to(ANN)], raw(game, ANN, "status", "after"))
        until(lambda: len(game.mails(ANN)) == 2)
        serve.stop()
    assert "Traceback" not in serve.log.read_text()


def test_pipelined_mails_and_smuggled_ones(game):
    with served(game) as serve:
        serve.wait()
        rcpt = game.reply_to(ANN)
        head = f"MAIL FROM:<{ANN}>\r\nRCPT TO:<{rcpt}>\r\nDATA\r\n".encode()
        wire = Wire(serve.port)
        wire.greet()
        one, two = raw(game, ANN, "status", "one"), raw(game, ANN, "board", "two")
        inner = b"\n.\r\n" + head + raw(game, ANN, "draft militia", "smuggled").replace(b"\r\n", b"\n") + b"\n.\n"
        wire.say(head + one + b".\r\n" + head + two + inner + b"\r\n.\r\nQUIT\r\n")
        assert [wire.hear()[:3] for _ in range(9)] == ["250", "250", "354", "250"] * 2 + ["221"]
        wire.close()
        until(lambda: len(game.mails(ANN)) == 3)
        serve.stop()
    letters = [mail for mail in game.json("mail", "list") if mail["kind"] == "letter"]
    assert len(letters) == 2


def test_the_end_waits_for_mails_under_way(game):
    """SIGTERM within DATA: the mail is taken and answered; an idle client is told, a new one finds nobody."""
    with served(game) as serve:
        serve.wait()
        idle, busy = Wire(serve.port), Wire(serve.port)
        for wire in (idle, busy):
            wire.greet()
        for line in (f"MAIL FROM:<{ANN}>", f"RCPT TO:<{game.reply_to(ANN)}>", "DATA"):
            busy.ask(line)
        mail = raw(game, ANN, "draft militia", "late")
        busy.say(mail[:40])
        serve.process.terminate()
        assert idle.hear().startswith("421 4.3.2")
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", serve.port), timeout=5)
        busy.say(mail[40:] + b".\r\n")
        assert busy.hear().startswith("250")
        assert serve.process.wait(20) == 0
        busy.close()
        idle.close()
    assert len(game.mails(ANN)) == 2
    assert game.json("game", "show", "g1")["waiting_for"] == "french"


def test_mails_that_a_killed_process_had_taken_go_out_at_once(game):
    """Its lease of five minutes ends with it."""
    with socket.create_server(("127.0.0.1", 0)) as mute:  # a relay that takes the connection and says nothing
        relay = f"smtp://127.0.0.1:{mute.getsockname()[1]}"
        with served(game, RELAY=relay) as serve:
            serve.wait()
            with smtplib.SMTP("127.0.0.1", serve.port, timeout=20) as client:
                client.sendmail(ANN, [game.reply_to(ANN)], raw(game, ANN, "status", "one"))
            connection, _ = mute.accept()
            serve.kill()
            connection.close()
    with served(game) as serve:
        serve.wait()
        until(lambda: len(game.mails(ANN)) == 2, 10)


def test_a_database_that_is_away_asks_for_the_mail_again(game):
    """Nothing of our own trouble shows: 451, and the same mail is taken when it is back."""
    with served(game) as serve:
        serve.wait()
        rcpt, mail = game.reply_to(ANN), raw(game, ANN, "draft militia", "one")
        with smtplib.SMTP("127.0.0.1", serve.port, timeout=60) as client:
            client.ehlo()
            with contextlib.closing(sqlite3.connect(game.folder / "var/adjudicator.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")  # and does not let go
                with pytest.raises(smtplib.SMTPDataError) as refused:
                    client.sendmail(ANN, [rcpt], mail)
                assert (refused.value.smtp_code, refused.value.smtp_error) == (451, b"4.3.0 try again later")
            client.sendmail(ANN, [rcpt], mail)
        until(lambda: len(game.mails(ANN)) == 2)
        serve.stop()
    assert game.json("game", "show", "g1")["waiting_for"] == "french"
