"""SMTP and LMTP over real sockets: conversations, smuggling, floods, and the end of the service."""

import socket
import ssl
import threading
import time
import tracemalloc

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from adjudicator.errors import UsageError
from adjudicator.mail.certificate import Certificate
from adjudicator.mail.listener import Limits, Reply
from adjudicator.mail.session import worst

SMALL = Limits(message_bytes=20_000)


def eventually(fact, seconds=5.0):
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


# --- conversations ---


def test_a_whole_conversation(serve):
    server = serve()
    with server.client() as client:
        client.talk("""
            S: 220 mx.example.org ESMTP
            C: NOOP
            S: 250
            C: MAIL FROM:<ann@example.net>
            S: 503
            C: EHLO client.example.net
            S: 250-mx.example.org
            C: DATA
            S: 503
            C: RCPT TO:<game@example.org>
            S: 503
            C: MAIL FROM:<ann@example.net> SIZE=100 BODY=8BITMIME
            S: 250
            C: DATA
            S: 503
            C: RCPT TO:<nobody@example.org>
            S: 550 5.1.1
            C: RCPT TO:<game@example.org>
            S: 250
            C: DATA
            S: 354
            C: Subject: x
            C:
            C: ..dot
            C: .
            S: 250 2.0.0 OK
            C: RSET
            S: 250
            C: QUIT
            S: 221
        """)
        assert client.hear() == ""
    assert server.mails == [(b"Subject: x\r\n\r\n.dot\r\n", "game@example.org", "ann@example.net")]


def test_the_greeting_tells_nothing_but_the_domain(serve):
    with serve().client() as client:
        assert client.hear() == "220 mx.example.org ESMTP"
        words = client.ask("EHLO x").split()
    expected = ["250-mx.example.org", "250-SIZE", "1048576", "250-8BITMIME", "250-SMTPUTF8"]
    assert words == [*expected, "250-PIPELINING", "250", "HELP"]


@pytest.mark.parametrize("command", ["LHLO x", "AUTH PLAIN AGEAYg==", "EXPN x", "TURN", "ETRN x"])
def test_what_smtp_does_not_offer_is_refused(client, command):
    assert client.ask(command).startswith("50")


def test_helo_is_enough(serve):
    server = serve()
    with server.client() as client:
        client.greet("HELO")
        client.begin_data()
        assert client.ask(b"x\r\n.\r\n").startswith("250")


def test_the_null_path_and_an_empty_mail(client):
    client.envelope(mail_from="")
    client.ask("DATA")
    assert client.ask(b".\r\n").startswith("250")
    assert client.mails == [(b"", "game@example.org", "")]


def test_several_mails_on_one_connection_do_not_mix(client):
    for number in range(3):
        client.begin_data(f"game{number}@example.org")
        assert client.ask(b"%d\r\n.\r\n" % number).startswith("250")
    assert [(raw, rcpt) for raw, rcpt, _ in client.mails] == [
        (b"%d\r\n" % number, f"game{number}@example.org") for number in range(3)
    ]


def test_reset_forgets_the_recipients(client):
    client.envelope("old@example.org")
    client.ask("RSET")
    client.begin_data("new@example.org")
    client.ask(b"x\r\n.\r\n")
    assert [rcpt for _, rcpt, _ in client.mails] == ["new@example.org"]


def test_addresses_beyond_ascii(client):
    assert client.ask("MAIL FROM:<játékos@példa.example> SMTPUTF8").startswith("250")
    assert client.ask("RCPT TO:<játék@example.org>").startswith("250")
    client.ask("DATA")
    client.ask(b"x\r\n.\r\n")
    assert client.mails[0][1:] == ("játék@example.org", "játékos@példa.example")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("<game@example.org>", "250"),
        (" <game@example.org>", "250"),
        ("game@example.org", "250"),
        ("<postmaster>", "250"),
        ("<@relay.example,@b.example:game@example.org>", "250"),
        ('<"a b"@example.org>', "250"),
        ("<game@example.org", "553"),
        ("<<game@example.org>>", "553"),
        ("<game example.org>", "553"),
        ("<" + "a" * 321 + "@example.org>", "553"),
        ("(" * 300, "553"),
        ('"' * 9, "553"),
        ("<game@example.org> X=Y", "555"),
        ("<game@example.org> ==", "501"),
        ("", "501"),
    ],
)
def test_recipients_well_and_badly_written(client, path, code):
    client.ask("MAIL FROM:<ann@example.net>")
    reply = client.ask(f"RCPT TO:{path}")
    expected = code if path != "(" * 300 else ("553", "250", "550")
    assert reply.startswith(expected), reply


def test_bytes_that_are_no_text_in_a_path_are_refused(client):
    client.ask("MAIL FROM:<ann@example.net>")
    assert client.ask(b"RCPT TO:<g\xff@example.org>\r\n").startswith("553")


# --- several recipients ---


def test_in_smtp_a_temporary_failure_asks_for_the_mail_again(client):
    answers = {"a@example.org": 250, "b@example.org": 451, "c@example.org": 550}
    client.server.reply = lambda rcpt: Reply(answers[rcpt], "x")
    client.begin_data(*answers)
    assert client.ask(b"x\r\n.\r\n").startswith("451")
    client.begin_data("a@example.org", "c@example.org")
    assert client.ask(b"x\r\n.\r\n").startswith("250")
    client.begin_data("c@example.org")
    assert client.ask(b"x\r\n.\r\n").startswith("550")


def test_the_worst_of_no_replies_is_temporary():
    assert worst([]).code == worst([Reply(200 - 1, "?")]).code == 451


def test_in_lmtp_each_recipient_gets_an_answer(serve):
    server = serve(lmtp=True)
    answers = {"a@example.org": 250, "b@example.org": 451, "c@example.org": 550}
    server.reply = lambda rcpt: Reply(answers[rcpt], rcpt)
    with server.client() as client:
        assert client.hear() == "220 mx.example.org LMTP"
        assert client.ask("EHLO x").startswith("500")
        assert client.ask("HELO x").startswith("500")
        assert client.ask("LHLO x").startswith("250-mx.example.org")
        client.begin_data(*answers, "a@example.org")
        client.say(b"x\r\n.\r\n")
        expected = ["250 a@example.org", "451 b@example.org", "550 c@example.org", "250 a@example.org"]
        assert [client.hear() for _ in range(4)] == expected
        assert client.ask("NOOP").startswith("250")
    assert [rcpt for _, rcpt, _ in server.mails] == list(answers)  # named twice, received once


def test_in_lmtp_faults_and_limits_are_answered_for_each_recipient_too(serve):
    server = serve(lmtp=True, limits=SMALL)
    server.reply = lambda _rcpt: 1 / 0
    with server.client() as client:
        client.greet("LHLO")
        client.begin_data("a@example.org", "b@example.org")
        client.say(b"x\r\n.\r\n")
        assert [client.hear()[:3] for _ in range(2)] == ["451", "451"]
        client.begin_data("a@example.org", "b@example.org")
        client.say(b"x" * 30_000 + b"\r\n.\r\n")
        assert [client.hear()[:3] for _ in range(2)] == ["552", "552"]
        assert client.ask("NOOP").startswith("250")


# --- faults of our own ---


def test_a_fault_is_temporary_and_shows_nothing(client):
    def fail(_rcpt):
        raise KeyError("secret-table")

    client.server.reply = fail
    client.begin_data()
    assert client.ask(b"x\r\n.\r\n") == "451 4.3.0 Try again later"
    client.server.reply = lambda _rcpt: Reply(250, "OK")
    client.begin_data()
    assert client.ask(b"x\r\n.\r\n") == "250 OK"


def test_a_fault_at_the_recipient_is_temporary(serve):
    def fail(_rcpt):
        raise KeyError("secret-table")

    with serve(knows=fail).client() as client:
        client.greet()
        client.ask("MAIL FROM:<a@b.example>")
        assert client.ask("RCPT TO:<game@example.org>") == "451 4.3.0 Try again later"


def test_a_fault_of_a_command_is_temporary(serve, monkeypatch):
    monkeypatch.setattr("adjudicator.mail.session.Connection._getaddr", lambda *_: 1 / 0)
    with serve().client() as client:
        client.greet()
        assert client.ask("MAIL FROM:<a@b.example>") == "451 4.3.0 Try again later"


def test_a_reply_is_one_ascii_line(client):
    client.server.reply = lambda _rcpt: Reply(550, "é\r\n250 OK " + "x" * 1000)
    client.begin_data()
    reply = client.ask(b"x\r\n.\r\n")
    assert reply.startswith("550 ? 250 OK xxx")
    assert len(reply) < 512
    assert client.ask("NOOP").startswith("250 OK")


# --- smuggling ---

ENDS = [
    b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\n.\r", b"\r.\n", b"\r\n\0.\r\n",
    b"\r\n.\0\r\n", b"\r\n..\r\n", b"\r\n. \r\n", b"\r\n\x85.\r\n", b"\n\r.\n\r", b"\x0b.\x0b", b"\r\n\t.\r\n",
]  # fmt: skip


@pytest.mark.parametrize("end", ENDS)
def test_only_crlf_dot_crlf_ends_a_mail(client, end):
    inner = b"MAIL FROM:<eve@example.net>\r\nRCPT TO:<other@example.org>\r\nDATA\r\nsmuggled\r\n"
    client.begin_data()
    client.say(b"before" + end + inner)
    reply = client.ask(b"\r\n.\r\n")
    assert reply.startswith("250")
    assert client.ask("NOOP").startswith("250")
    ((raw, rcpt, mail_from),) = client.mails
    assert (rcpt, mail_from) == ("game@example.org", "ann@example.net")
    unstuffed = end.replace(b"\r\n.", b"\r\n", 1) if end.startswith(b"\r\n.") else end
    assert raw == b"before" + unstuffed + inner + b"\r\n"


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_end_is_found_however_the_bytes_arrive(client, size):
    client.begin_data()
    data = b"a\r\n..b\r\n\r\n.c\r\n.\r\n"
    client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for start in range(0, len(data), size):
        client.say(data[start : start + size])
        time.sleep(0.002)
    assert client.hear().startswith("250")
    assert client.mails[0][0] == b"a\r\n.b\r\n\r\nc\r\n"


def test_long_lines_are_taken_and_their_dots_kept(client):
    line = b"x" * 65_536 + b"." + b"y" * 70_000
    client.begin_data()
    assert client.ask(line + b"\r\n.." + line + b"\r\n.\r\n").startswith("250")
    assert client.mails[0][0] == line + b"\r\n." + line + b"\r\n"


def test_pipelined_commands_are_answered_in_order(serve):
    server = serve()
    with server.client() as client:
        client.hear()
        mail = "MAIL FROM:<ann@example.net>\r\nRCPT TO:<{}@example.org>\r\nDATA\r\n{}\r\n.\r\n"
        client.say(("EHLO x\r\n" + mail.format("a", "1") + mail.format("b", "2") + "QUIT\r\n").encode())
        codes = [client.hear()[:3] for _ in range(10)]
    assert codes == ["250", "250", "250", "354", "250", "250", "250", "354", "250", "221"]
    received = [(raw, rcpt) for raw, rcpt, _ in server.mails]
    assert received == [(b"1\r\n", "a@example.org"), (b"2\r\n", "b@example.org")]


# --- limits ---


def test_size_at_both_edges(serve):
    with serve(limits=SMALL).client() as client:
        assert "SIZE 20000" in client.greet()
        assert client.ask("MAIL FROM:<a@b.example> SIZE=20001").startswith("552")
        client.begin_data()
        assert client.ask(b"x" * 19_998 + b"\r\n.\r\n").startswith("250")
        client.begin_data()
        assert client.ask(b"x" * 19_999 + b"\r\n.\r\n").startswith("552 5.3.4 This mail is larger than 19 KB")
        client.begin_data()
        assert client.ask(b"small\r\n.\r\n").startswith("250")


def test_a_flood_without_line_ends_takes_no_memory(serve):
    server = serve(limits=SMALL)
    with server.client() as client:
        client.greet()
        client.begin_data()
        tracemalloc.start()
        for _ in range(100):
            client.say(b"x" * 200_000)
        client.say(b"\r\n.\r\n")
        reply = client.hear()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert reply.startswith("552")
    assert peak < 5_000_000
    assert server.mails == []


def test_a_command_without_end_takes_no_memory(client):
    tracemalloc.start()
    for _ in range(50):
        client.say(b"x" * 200_000)
    client.say(b"\r\n")
    reply = client.hear()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert reply.startswith("500")
    assert peak < 5_000_000


def test_dots_that_are_only_for_the_way_do_not_count(serve):
    """RFC 1870 section 6: doubled dots are no part of a mail's size."""
    with serve(limits=Limits(message_bytes=200_000)).client() as client:
        client.greet()
        for extra, code in ((0, "250"), (1, "552")):
            client.begin_data()
            data = b"..\r\n" * 66_666 + b"x" * extra + b"\r\n"
            assert client.ask(data + b".\r\n").startswith(code)


def test_a_mail_of_nothing_but_line_ends_costs_little(serve):
    with serve().client() as client:
        client.greet()
        client.begin_data()
        tracemalloc.start()
        start = time.process_time()
        reply = client.ask(b"\r\n" * 500_000 + b".\r\n")
        seconds = time.process_time() - start
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert reply.startswith("250")
    assert peak < 8_000_000
    assert seconds < 1


def test_all_clients_together_have_a_share(serve):
    server = serve(limits=Limits(bytes_in_flight=600_000))
    with server.client() as first, server.client() as second:
        for client in (first, second):
            client.greet()
            client.begin_data()
        first.say(b"x" * 400_000 + b"\r\n")
        eventually(lambda: server.listener.bytes_in_flight > 300_000)
        assert second.ask(b"x" * 400_000 + b"\r\n.\r\n").startswith("452 4.3.1")
        assert first.ask(b".\r\n").startswith("250")
        second.begin_data()
        assert second.ask(b"x" * 400_000 + b"\r\n.\r\n").startswith("250")
        assert server.listener.bytes_in_flight == 0


def test_what_a_client_that_hangs_up_held_is_given_back(serve):
    server = serve()
    with server.client() as client:
        client.greet()
        client.begin_data()
        client.say(b"half a mail\r\n" * 10_000)
        eventually(lambda: server.listener.bytes_in_flight)
    eventually(lambda: not server.listener.connections)
    assert server.listener.bytes_in_flight == 0
    assert server.mails == []


def test_recipients_are_limited(serve):
    with serve(limits=Limits(recipients=2)).client() as client:
        client.greet()
        client.envelope("a@example.org", "b@example.org")
        assert client.ask("RCPT TO:<c@example.org>").startswith("452")


@pytest.mark.parametrize("limits", [Limits(connections=2), Limits(connections_per_client=2)])
def test_connections_are_limited_and_come_free_again(serve, limits):
    server = serve(limits=limits)
    with server.client() as first, server.client() as second:
        first.greet()
        second.greet()
        with server.client() as third:
            assert third.hear().startswith("421 4.")
            assert third.hear() == ""
    eventually(lambda: not server.listener.connections)
    with server.client() as client:
        client.greet()


def test_an_mta_in_front_may_open_more(serve):
    server = serve(lmtp=True, limits=Limits(connections_per_client=1))
    with server.client() as first, server.client() as second:
        first.greet("LHLO")
        second.greet("LHLO")


def test_a_client_that_says_nothing_is_sent_away(serve):
    with serve(limits=Limits(command_seconds=0.2)).client() as client:
        client.hear()
        assert client.hear() == "421 4.4.2 That took too long"
        assert client.hear() == ""


def test_a_client_that_reads_nothing_is_sent_away(serve, monkeypatch):
    """Its answers fill every buffer on the way; closing alone would wait for it for ever."""
    monkeypatch.setattr("adjudicator.mail.session._CLOSING_SECONDS", 0.2)
    server = serve(limits=Limits(command_seconds=0.5, junk_commands=10**6))
    bound = server.listener._server.sockets[0]  # noqa: SLF001 - connections inherit its small buffer
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with server.client() as client:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.greet()
        client.say(b"EHLO x\r\n" * 5_000)
        (connection,) = server.listener._shared.live  # noqa: SLF001 - to see that it hangs
        eventually(lambda: connection.transport.get_write_buffer_size() > 0)
        eventually(lambda: not server.listener.connections)


def test_a_client_that_is_refused_again_and_again_is_sent_away(serve):
    server = serve(limits=Limits(refusals=3))
    with server.client() as client:
        client.greet()
        client.say(b"MAIL FROM:<ann@example.net>\r\n" + b"RCPT TO:<nobody@example.org>\r\n" * 9)
        codes = [client.hear()[:3] for _ in range(6)]
        assert codes == ["250", "550", "550", "550", "421", ""]
    eventually(lambda: not server.listener.connections)


def test_mail_that_follows_a_goodbye_is_not_taken(serve):
    server = serve(limits=Limits(refusals=1))
    mail = b"RSET\r\nMAIL FROM:<ann@example.net>\r\nRCPT TO:<game@example.org>\r\nDATA\r\nx\r\n.\r\n"
    with server.client() as client:
        client.greet()
        client.say(b"RCPT TO:<game@example.org>\r\n" + mail)
        assert [client.hear()[:3] for _ in range(3)] == ["503", "421", ""]
    eventually(lambda: not server.listener.connections)
    assert server.mails == []


def test_a_client_that_drips_is_sent_away(serve):
    server = serve(limits=Limits(data_seconds=0.4))
    start = time.monotonic()
    with server.client() as client:
        client.greet()
        client.begin_data()
        with pytest.raises(OSError):  # noqa: PT012 - one of many sends must fail
            while time.monotonic() - start < 5:
                client.say(b"x\r\n")
                time.sleep(0.05)
    assert time.monotonic() - start < 3
    assert server.mails == []


def test_junk_ends_the_connection(serve):
    with serve().client() as client:
        client.greet()
        client.say(b"JUNK\r\n" * 100)
        replies = [client.hear() for _ in range(30)]
    assert replies[0].startswith("500")
    assert replies[-1] == ""
    assert len([reply for reply in replies if reply]) <= 20


def test_a_flood_of_commands_ends_the_connection(serve):
    with serve(limits=Limits(junk_commands=5)).client() as client:
        client.greet()
        replies = [client.ask("NOOP")[:3] for _ in range(6)]
        assert replies == ["250"] * 5 + ["421"]
        assert client.hear() == ""


# --- the end of the service ---


def test_a_mail_under_way_is_finished_before_the_service_ends(serve):
    server = serve(threads=1)
    entered, leave = threading.Event(), threading.Event()

    def slow(_rcpt):
        entered.set()
        assert leave.wait(5)
        return Reply(250, "kept")

    server.reply = slow
    with server.client() as busy, server.client() as idle:
        busy.greet()
        idle.greet()
        busy.begin_data()
        busy.say(b"x\r\n.\r\n")
        assert entered.wait(5)
        stopping = server.start_stop(5)
        assert idle.hear().startswith("421 4.3.2")
        with pytest.raises(OSError):
            socket.create_connection(server.address, timeout=1)
        assert not stopping.done()
        leave.set()
        assert busy.hear() == "250 kept"
        stopping.result(5)
    assert len(server.mails) == 1


def test_the_service_does_not_wait_for_ever(serve):
    server = serve()
    with server.client() as client:
        client.greet()
        client.begin_data()
        server.start_stop(0.2).result(5)
        assert client.hear() == ""
    assert server.mails == []


def test_while_one_mail_takes_long_in_a_thread_others_are_received(serve):
    server = serve(threads=2)
    leave = threading.Event()
    server.reply = lambda rcpt: Reply(250, str(rcpt.startswith("fast") or leave.wait(5)))
    with server.client() as slow, server.client() as fast:
        for client, rcpt in ((slow, "slow@example.org"), (fast, "fast@example.org")):
            client.greet()
            client.begin_data(rcpt)
            client.say(b"x\r\n.\r\n")
        assert fast.hear() == "250 True"
        leave.set()
        assert slow.hear() == "250 True"


def test_a_unix_socket(serve, tmp_path):
    path = tmp_path / "lmtp"
    with socket.socket(socket.AF_UNIX) as left_over:  # by a crash
        left_over.bind(str(path))
    server = serve(lmtp=True, unix_path=path)
    assert server.address == (str(path), 0)
    with server.client() as client:
        client.greet("LHLO")
        client.begin_data()
        assert client.ask(b"x\r\n.\r\n").startswith("250")
    server.start_stop(1).result(5)
    assert not path.exists()


# --- encryption ---


AUTHORITY = trustme.CA()


@pytest.fixture
def trusting():
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


@pytest.fixture
def tls(serve, trusting):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("mx.example.org").configure_cert(context)
    return serve(tls=lambda: context, limits=Limits(command_seconds=1)), trusting


def encrypt(client, context):
    """Go on in TLS; returns the name in the certificate."""
    assert client.ask("STARTTLS").startswith("220")
    return wrap(client, context)


def wrap(client, context):
    client.socket = context.wrap_socket(client.socket, server_hostname="mx.example.org")
    client.file.close()
    client.file = client.socket.makefile("rb")
    return client.socket.getpeercert()["serialNumber"]


def test_starttls_offers_no_login_and_forgets_what_was_said_before(tls):
    server, context = tls
    with server.client() as client:
        assert "STARTTLS" in client.greet()
        client.say(b"STARTTLS\r\nMAIL FROM:<eve@example.net>\r\n")  # injected in clear
        assert client.hear().startswith("220")
        wrap(client, context)
        assert client.ask("MAIL FROM:<ann@example.net>").startswith("503")
        hello = client.ask("EHLO x")
        assert "AUTH" not in hello
        assert "STARTTLS" not in hello
        client.begin_data()
        assert client.ask(b"x\r\n.\r\n").startswith("250")
    assert server.mails == [(b"x\r\n", "game@example.org", "ann@example.net")]
    eventually(lambda: not server.listener.connections)


def test_encryption_is_begun_once(tls):
    server, context = tls
    with server.client() as client:
        client.greet()
        encrypt(client, context)
        client.ask("EHLO x")
        assert client.ask("STARTTLS").startswith("503")
        client.begin_data()
        assert client.ask(b"x\r\n.\r\n").startswith("250")


@pytest.mark.parametrize("junk", [b"\x16\x03\x01\x00\x05junk!", b"EHLO x\r\n" * 9, b"\x16\x03\x01\x40", b""])
@pytest.mark.parametrize("hang_up", [True, False])
def test_a_client_that_never_gets_to_encryption_holds_nothing(tls, junk, hang_up):
    """Asyncio tells the protocol nothing of a connection that ends within the handshake."""
    server, _ = tls
    with server.client() as client:
        client.greet()
        assert client.ask("STARTTLS").startswith("220")
        client.say(junk)
        if hang_up:
            client.close()
        eventually(lambda: not server.listener.connections)


def test_the_service_ends_within_a_handshake(tls):
    server, _ = tls
    with server.client() as client:
        client.greet()
        assert client.ask("STARTTLS").startswith("220")
        server.start_stop(3).result(2)


def test_encryption_in_lmtp(serve, trusting):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("mx.example.org").configure_cert(context)
    server = serve(lmtp=True, tls=lambda: context)
    with server.client() as client:
        client.greet("LHLO")
        encrypt(client, trusting)
        client.ask("LHLO x")
        client.begin_data("a@example.org", "b@example.org")
        client.say(b"x\r\n.\r\n")
        assert [client.hear()[:3] for _ in range(2)] == ["250", "250"]


# --- a certificate that is renewed ---


class Files:
    """The two files of a certificate."""

    def __init__(self, folder):
        self.chain, self.key = folder / "chain.pem", folder / "key.pem"
        self.issued = None

    def issue(self):
        self.issued = AUTHORITY.issue_cert("mx.example.org")
        self.write_chain()
        self.write_key()

    def write_chain(self):
        self.chain.write_bytes(b"".join(one.bytes() for one in self.issued.cert_chain_pems))

    def write_key(self):
        self.key.write_bytes(self.issued.private_key_pem.bytes())


@pytest.fixture
def files(tmp_path):
    found = Files(tmp_path)
    found.issue()
    return found


def test_new_connections_get_the_renewed_certificate(serve, trusting, files):
    server = serve(tls=Certificate(files.chain, files.key).context)
    with server.client() as old:
        old.greet()
        first = encrypt(old, trusting)
        with server.client() as same:
            same.greet()
            assert encrypt(same, trusting) == first
        files.issue()
        with server.client() as new:
            new.greet()
            assert encrypt(new, trusting) != first
        assert old.ask("EHLO x").startswith("250")


def test_a_renewal_that_is_half_written_or_wrong_changes_nothing(files, caplog):
    certificate = Certificate(files.chain, files.key)
    old = certificate.context()
    files.issued = AUTHORITY.issue_cert("mx.example.org")
    files.write_chain()  # its key is still the old one
    assert [certificate.context() is old for _ in range(3)] == [True] * 3
    assert len([line for line in caplog.messages if "the old one stays" in line]) == 1
    files.write_key()
    new = certificate.context()
    assert new is not old
    files.key.write_bytes(b"")
    assert certificate.context() is new
    files.key.unlink()
    assert certificate.context() is new


def test_files_that_are_no_certificate_are_told_at_the_start(files, tmp_path):
    with pytest.raises(UsageError, match=r"TLS_CERT .*nowhere.* cannot be used: No such file"):
        Certificate(tmp_path / "nowhere", files.key)
    files.key.write_text("no key")
    with pytest.raises(UsageError, match="cannot be used"):
        Certificate(files.chain, files.key)
    password = serialization.BestAvailableEncryption(b"secret")
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, password)
    key = serialization.load_pem_private_key(files.issued.private_key_pem.bytes(), None)
    files.key.write_bytes(key.private_bytes(*form))
    with pytest.raises(UsageError, match="cannot be used"):  # and nobody is asked for a password
        Certificate(files.chain, files.key)
