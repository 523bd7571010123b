"""Mails and connections that nobody well-meaning makes: none of them may change a game, or cost much."""

import random
import time
from collections.abc import Callable

import msgspec

from adjudicator.stress.wire import Envelope, Wire

STRANGER = "stranger@example.net"
DESK = "games@localhost"
_WORDS = ("pass", "draft", "done", "raid", "Quebec", "Militia", "viagra", "http://example.net/", ";", "--", ">", ":")


class Target(msgspec.Struct, frozen=True):
    """What an attacker knows: a port, a game's name, and (it leaked) a real mail of one of its players."""

    port: int
    game: str
    leaked: Envelope


Mail = Callable[[random.Random, Target], Envelope]
Attack = Callable[[random.Random, Target], str]


def headed(*lines: str, body: str = "pass\ndone\n", to: str = DESK, mail_from: str = STRANGER) -> Envelope:
    """A mail with some headers, from a stranger to our desk."""
    raw = "\r\n".join((f"From: {STRANGER}", f"To: {to}", *lines, "", body.replace("\n", "\r\n")))
    return Envelope(mail_from, to, raw.encode("utf-8", "surrogateescape"))


def _noise(rng: random.Random, _: Target) -> Envelope:
    return Envelope(STRANGER, DESK, rng.randbytes(rng.randrange(1, 60_000)))


def _prose(rng: random.Random, _: Target) -> Envelope:
    return headed("Subject: hello", body=" ".join(rng.choices(_WORDS, k=400)))


def _unknown(rng: random.Random, _: Target) -> Envelope:
    return headed(to=f"user{rng.randrange(10**6)}@localhost")


def _guessed(rng: random.Random, target: Target) -> Envelope:
    secret = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=24))
    return headed(to=f"{target.game}.{rng.randrange(1, 9)}-{secret}@localhost")


def _foreign(_: random.Random, target: Target) -> Envelope:
    return headed("Subject: your secret", to=target.leaked.rcpt)


def _copied(_: random.Random, target: Target) -> Envelope:
    return target.leaked


def _automatic(rng: random.Random, target: Target) -> Envelope:
    head = f"Auto-Submitted: auto-replied\r\nX-Number: {rng.random()}\r\n".encode()
    raw = target.leaked.raw.replace(b"Message-ID: <", b"Message-ID: <auto" + str(rng.random()).encode())
    return target.leaked._replace(raw=head + raw)


def _bounced(rng: random.Random, _: Target) -> Envelope:
    rcpt = f"bounce.{rng.randbytes(16).hex()}@localhost"
    return headed("Content-Type: multipart/report; report-type=delivery-status", to=rcpt, mail_from="")


def _heads(rng: random.Random, _: Target) -> Envelope:
    return headed(*(f"X-Head-{number}: {'x' * 400}" for number in range(rng.randrange(300, 900))))


def _addresses(_: random.Random, __: Target) -> Envelope:
    return headed("Cc: " + ",\r\n ".join(f"a{number}@example.net" for number in range(3_000)))


def _brackets(_: random.Random, __: Target) -> Envelope:
    return headed("Sender: " + "(" * 5_000, "Message-ID: <" + "[" * 5_000, "Subject: =?utf-8?q?" + "=?" * 5_000)


def _nested(_: random.Random, __: Target) -> Envelope:
    depth = 500
    body = "".join(f'Content-Type: multipart/mixed; boundary="{n}"\n\n--{n}\n' for n in range(1, depth))
    return headed('Content-Type: multipart/mixed; boundary="0"', body=f"--0\n{body}")


def _parts(_: random.Random, __: Target) -> Envelope:
    return headed('Content-Type: multipart/mixed; boundary="b"', body="--b\n\npass\n" * 20_000)


def _tags(rng: random.Random, _: Target) -> Envelope:
    tag = rng.choice(["<a ", "<div>", "<!--", "<blockquote><p>", "&amp;", "</", "<td><table>"])
    return headed("Content-Type: text/html", body=tag * (60_000 // len(tag)))


def _charset(rng: random.Random, _: Target) -> Envelope:
    name = rng.choice(["utf-7", "utf-16", "hex", "rot13", "idna", "zlib", "x" * 5_000, "iso-2022-jp", "undefined"])
    head = (f'Content-Type: text/plain; charset="{name}"', "Content-Transfer-Encoding: base64")
    return headed(*head, body=rng.randbytes(3_000).hex())


def _large(rng: random.Random, _: Target) -> Envelope:
    return headed("Subject: large", body=("x" * 70 + "\n") * rng.randrange(15_000, 25_000))


def _lines(_: random.Random, __: Target) -> Envelope:
    return headed("Subject: lines", body="pass\n" * 100_000)


MAILS: dict[str, Mail] = {
    mail.__name__.lstrip("_"): mail
    for mail in (
        _noise, _prose, _unknown, _guessed, _foreign, _copied, _automatic, _bounced, _heads, _addresses, _brackets,
        _nested, _parts, _tags, _charset, _large, _lines,
    )
}  # fmt: skip
"""What is sent as a mail, over a connection that goes on."""


def _junk(rng: random.Random, wire: Wire) -> None:
    wire.say(b"".join(rng.randbytes(rng.randrange(1, 80)) + b"\r\n" for _ in range(200)))


def _endless(_: random.Random, wire: Wire) -> None:
    for _number in range(30):
        wire.say(b"x" * 100_000)


def _data_without_end(rng: random.Random, wire: Wire) -> None:
    _begin(wire)
    for _ in range(30):
        wire.say(rng.randbytes(50_000).replace(b"\r\n", b""))


def _half(_: random.Random, wire: Wire) -> None:
    _begin(wire)
    wire.say(b"Subject: half of it\r\n\r\n" + b"pass\r\n" * 5_000)


def _smuggled(rng: random.Random, wire: Wire) -> None:
    _begin(wire)
    end = rng.choice([b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n\0.\r\n"])
    wire.say(b"x" + end + b"MAIL FROM:<a@example.net>\r\nRCPT TO:<games@localhost>\r\nDATA\r\npass\r\n")


def _deaf(_: random.Random, wire: Wire) -> None:
    wire.say(b"EHLO x\r\n" * 800)


def _slow(rng: random.Random, wire: Wire) -> None:
    _begin(wire)
    for _number in range(rng.randrange(3, 10)):
        wire.say(b"x")
        time.sleep(0.05)


def _encrypted(rng: random.Random, wire: Wire) -> None:
    wire.say(b"EHLO x\r\nSTARTTLS\r\n\x16\x03\x01" + rng.randbytes(300))


def _begin(wire: Wire) -> None:
    wire.greet()
    for line in (f"MAIL FROM:<{STRANGER}>", f"RCPT TO:<{DESK}>", "DATA"):
        wire.ask(line)


ATTACKS: dict[str, Callable[[random.Random, Wire], None]] = {
    attack.__name__.lstrip("_"): attack
    for attack in (_junk, _endless, _data_without_end, _half, _smuggled, _deaf, _slow, _encrypted)
}
"""What is done to a connection that then is hung up."""


def attack(name: str, rng: random.Random, target: Target) -> str:
    """Make a connection, do that, and hang up; returns what became of it."""
    try:
        wire = Wire(target.port)
        try:
            ATTACKS[name](rng, wire)
        finally:
            wire.close()
    except OSError:
        return "sent away"
    return "hung up"
