"""Handing mails on: Maildir, SMTP and LMTP, and what is tried again."""

import mailbox
import socket
import ssl
import threading
from contextlib import contextmanager
from datetime import timedelta

import pytest
import trustme

from adjudicator.errors import UsageError
from adjudicator.mail.sender import Deferred, Rejected, open_transport, retry_after

RAW = b"From: games@example.org\r\nMessage-ID: <17.4@example.org>\r\nSubject: x\r\n\r\nline\r\n.dot\r\n"


# --- the Maildir ---


def mails(folder):
    return [bytes(mail) for mail in mailbox.Maildir(folder, create=False)]


def test_a_maildir_file_holds_mail_and_envelope(tmp_path):
    open_transport(f"maildir:{tmp_path / 'out'}").send(RAW, "bounce.1@example.org", "ann@example.net")
    (mail,) = mails(tmp_path / "out")
    envelope = b"Return-Path: <bounce.1@example.org>\nDelivered-To: ann@example.net\n"
    assert mail == envelope + RAW.replace(b"\r\n", b"\n")
    assert not list((tmp_path / "out" / "tmp").iterdir())


def test_the_same_mail_again_is_not_double(tmp_path):
    transport = open_transport(f"maildir:{tmp_path}")
    for _ in range(3):
        transport.send(RAW, "", "ann@example.net")
    transport.send(RAW, "", "bob@example.net")
    transport.send(RAW.replace(b"17.4", b"17.5"), "", "ann@example.net")
    assert len(mails(tmp_path)) == 3


def test_a_mail_that_was_read_already_does_not_come_back(tmp_path):
    transport = open_transport(f"maildir:{tmp_path}")
    transport.send(RAW, "", "ann@example.net")
    (file,) = (tmp_path / "new").iterdir()
    file.rename(tmp_path / "cur" / f"{file.name}:2,S")
    transport.send(RAW, "", "ann@example.net")
    assert len(mails(tmp_path)) == 1


def test_a_maildir_that_cannot_be_written_defers(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Deferred, match="cannot write"):
        open_transport(f"maildir:{tmp_path / 'file'}").send(RAW, "", "ann@example.net")


def test_envelope_addresses_with_line_ends_are_refused(tmp_path):
    with pytest.raises(Rejected):
        open_transport(f"maildir:{tmp_path}").send(RAW, "", "ann@example.net\nX: y")


# --- SMTP and LMTP, against a scripted server ---


class Script:
    """A server that answers by the first word of each command; `answers` may be changed between mails."""

    def __init__(self, **answers):
        self.answers = {
            "EHLO": "250-mx\r\n250 8BITMIME", "LHLO": "250 mx", "MAIL": "250 ok", "RCPT": "250 ok",
            "DATA": "354 go", ".": "250 kept", "QUIT": "221 bye", "RSET": "250 ok", "NOOP": "250 ok",
            "AUTH": "235 ok", **answers,
        }  # fmt: skip
        self.commands, self.mails, self.connections = [], [], 0
        self.context = None

    def serve(self, connection):
        self.connections += 1
        file = connection.makefile("rwb")

        def say(text):
            file.write(text.encode() + b"\r\n")
            file.flush()

        say(self.answers.get("greeting", "220 mx"))
        while line := file.readline():
            command = line.decode().strip()
            self.commands.append(command)
            answer = self.answers.get(command.split()[0].upper(), "500 what")
            if answer == "drop":
                break
            say(answer)
            if answer.startswith("354"):
                self.mails.append(b"".join(iter(file.readline, b".\r\n")))
                if self.answers["."] == "drop":
                    break
                say(self.answers["."])
            if command.upper() == "STARTTLS" and answer.startswith("220"):
                connection = self.context.wrap_socket(connection, server_side=True)
                file = connection.makefile("rwb")
        file.close()
        connection.close()


@contextmanager
def running(script):
    server = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def accept():
        while not stop.is_set():
            try:
                connection, _ = server.accept()
            except OSError:
                return
            try:
                script.serve(connection)
            except OSError:
                connection.close()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        stop.set()
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(5)


@pytest.mark.parametrize(
    ("command", "answer", "no_such_box"),
    [
        ("RCPT", "550 5.1.1 no such user", True),
        ("RCPT", "550 5.2.1 mailbox disabled", True),
        ("RCPT", "550 no such user", True),
        ("RCPT", "553 sorry, nobody here by that name", True),
        ("RCPT", "550 5.7.1 relaying denied", False),
        ("RCPT", "554 5.7.1 your server is on a list", False),
        ("RCPT", "554 no", False),
        ("RCPT", "550 5.4.4 no route to 5.1.1 there", False),
        ("MAIL", "550 5.1.8 bad sender", False),
        (".", "550 5.1.1 what", False),
    ],
)
def test_a_box_is_missing_only_if_the_refusal_says_so(command, answer, no_such_box):
    with running(Script(**{command: answer})) as port:
        transport = open_transport(f"smtp://127.0.0.1:{port}")
        with pytest.raises(Rejected) as found:
            transport.send(RAW, "bounce.1@example.org", "ann@example.net")
        transport.close()
    assert found.value.no_such_box == no_such_box


@pytest.mark.parametrize(("scheme", "hello"), [("smtp", "EHLO"), ("lmtp", "LHLO")])
def test_a_batch_goes_over_one_connection(scheme, hello):
    script = Script()
    with running(script) as port:
        transport = open_transport(f"{scheme}://127.0.0.1:{port}")
        transport.send(RAW, "bounce.1@example.org", "ann@example.net")
        transport.send(RAW, "", "bob@example.net")
        transport.close()
    assert script.connections == 1
    assert script.commands[0].upper().startswith(hello)
    assert script.mails == [RAW.replace(b"\r\n.dot", b"\r\n..dot")] * 2
    assert "MAIL FROM:<bounce.1@example.org>" in script.commands[1].replace("mail", "MAIL")
    assert [line for line in script.commands if line.lower().startswith("mail")][1].lower() == "mail from:<>"


def test_a_connection_that_the_server_closed_is_opened_again():
    script = Script(NOOP="drop")
    with running(script) as port:
        transport = open_transport(f"smtp://127.0.0.1:{port}", "mx.example.org")
        transport.send(RAW, "", "ann@example.net")
        transport.send(RAW, "", "ann@example.net")
        transport.close()
    assert (script.connections, len(script.mails)) == (2, 2)
    assert script.commands[0] == "ehlo mx.example.org"


@pytest.mark.parametrize(
    ("step", "answer", "expected"),
    [
        ("RCPT", "550 5.1.1 no such user", Rejected),
        ("RCPT", "450 4.2.0 greylisted", Deferred),
        ("MAIL", "550 no", Rejected),
        ("MAIL", "451 busy", Deferred),
        ("MAIL", "530 5.7.0 authenticate first", Deferred),
        (".", "554 5.7.1 spam", Rejected),
        (".", "452 full", Deferred),
        (".", "drop", Deferred),
        ("DATA", "drop", Deferred),
        ("DATA", "451 later", Deferred),
        ("greeting", "421 go away", Deferred),
        ("greeting", "554 go away", Deferred),
        ("EHLO", "drop", Deferred),
    ],
)
def test_refusals_tell_now_from_never(step, answer, expected):
    script = Script(**{step: answer})
    with running(script) as port:
        transport = open_transport(f"smtp://127.0.0.1:{port}")
        with pytest.raises(expected) as refusal:
            transport.send(RAW, "", "ann@example.net")
        if answer[0].isdigit():
            assert answer[:3] in str(refusal.value)
        script.answers = Script().answers
        transport.send(RAW, "", "ann@example.net")  # the transport lives on
        transport.close()
    assert script.mails[-1].endswith(b"..dot\r\n")


def test_nobody_listening_defers():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(Deferred):
        open_transport(f"smtp://127.0.0.1:{port}").send(RAW, "", "ann@example.net")


def test_a_login_is_given_and_its_refusal_defers():
    script = Script(EHLO="250-mx\r\n250 AUTH PLAIN")
    with running(script) as port:
        transport = open_transport(f"smtp://us%40er:pass@127.0.0.1:{port}")
        transport.send(RAW, "", "ann@example.net")
        transport.close()
        assert any(line.startswith("AUTH PLAIN") for line in script.commands)
        script.answers["AUTH"] = "535 5.7.8 wrong"
        with pytest.raises(Deferred, match="535"):
            transport.send(RAW, "", "ann@example.net")


def test_an_address_beyond_ascii_needs_smtputf8():
    script = Script()
    with running(script) as port:
        transport = open_transport(f"smtp://127.0.0.1:{port}")
        with pytest.raises(Rejected, match="SMTPUTF8"):
            transport.send(RAW, "", "játék@example.net")
        transport.close()
        script.answers["EHLO"] = "250-mx\r\n250-8BITMIME\r\n250 SMTPUTF8"
        transport.send(RAW, "", "játék@example.net")
        transport.close()
    assert any("SMTPUTF8" in line.upper() for line in script.commands)


def test_starttls_required_is_required():
    script = Script()
    with running(script) as port, pytest.raises(Deferred):
        open_transport(f"smtp://127.0.0.1:{port}?starttls=required").send(RAW, "", "ann@example.net")
    assert not script.mails


def test_offered_encryption_is_used_but_a_stranger_is_not_trusted_where_it_is_required():
    script = Script(EHLO="250-mx\r\n250 STARTTLS", STARTTLS="220 go")
    authority = trustme.CA()
    script.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(script.context)
    with running(script) as port:
        with pytest.raises(Deferred):
            open_transport(f"smtp://127.0.0.1:{port}?starttls=required").send(RAW, "", "ann@example.net")
        assert not script.mails
        transport = open_transport(f"smtp://127.0.0.1:{port}")
        transport.send(RAW, "", "ann@example.net")
        transport.close()
    assert len(script.mails) == 1


# --- settings and the schedule ---


@pytest.mark.parametrize(
    "relay",
    [
        "", "maildir:", "maildir://x", "smtp:", "smtp://", "smtp://:25", "smtp://host:no", "smtp://host:99999",
        "http://host", "smtp://host/path", "smtp://host?tls=1", "smtp://host?starttls=maybe", "host:25",
        "smtp://host:0",
        "smtps://host?starttls=required", "smtp://user:secret@mx.example.net", "smtp://host#x",
    ],
)  # fmt: skip
def test_a_wrong_setting_is_a_usage_error_without_the_password(relay):
    with pytest.raises(UsageError, match="RELAY") as refusal:
        open_transport(relay)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "relay",
    ["smtp://host", "smtp://user:pass@127.0.0.1:25", "smtp://user:pass@host:587?starttls=required", "smtps://u:p@host",
     "lmtp://[::1]:24", "maildir:relative/path"],
)  # fmt: skip
def test_right_settings_connect_to_nothing_yet(relay):
    open_transport(relay).close()


def test_retries_come_later_and_later_and_end_after_five_days():
    waits = []
    while (wait := retry_after(len(waits) + 1)) is not None:
        waits.append(wait)
    assert waits[0] == timedelta(minutes=1)
    assert waits == sorted(waits)
    assert timedelta(days=5) <= sum(waits, timedelta()) < timedelta(days=6)
    assert retry_after(len(waits) + 100) is None
