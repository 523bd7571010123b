"""DKIM signatures checked by ourselves; the DNS is a dictionary here."""

import base64

import pytest

from adjudicator.mail.signatures import MAX_SIGNATURES, is_available, signers

dkim = pytest.importorskip("dkim", reason="the extra dkim is not installed")
nacl_signing = pytest.importorskip("nacl.signing")

KEY = nacl_signing.SigningKey(bytes(32))
RECORD = b"v=DKIM1; k=ed25519; p=" + base64.b64encode(KEY.verify_key.encode())
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: games@play.example.org\r\nSubject: Re: orders\r\n"
    b"Message-ID: <1@example.org>\r\n\r\ndraft Militia\r\n"
)


def signed(mail=MAIL, domain=b"example.org", **more):
    signature = dkim.DKIM(mail, signature_algorithm=b"ed25519-sha256").sign(
        b"s1", domain, base64.b64encode(KEY.encode()), **more
    )
    return signature + mail


def lookup(name, timeout=5):
    return RECORD if name.startswith(b"s1._domainkey.example.org") else None


def test_the_extra_is_noticed():
    assert is_available()


def test_a_signature_that_holds_proves_its_domain():
    assert signers(signed(), lookup) == ["example.org"]


@pytest.mark.parametrize(
    "mail",
    [
        MAIL,
        signed().replace(b"draft Militia", b"draft Governor"),
        signed().replace(b"ann@", b"eve@"),
        signed(domain=b"example.net"),
        signed(length=True) + b"draft Governor\r\n",
        signed().replace(b"DKIM-Signature: v=1", b"DKIM-Signature: v=2"),
        b"DKIM-Signature: v=1; a=ed25519-sha256; d=example.org; h=from; b=x; bh=y; s=s1\r\n" + MAIL,
        b"DKIM-Signature: \xff\r\n" + MAIL,
        b"\xff\r\n\r\n",
        b"",
    ],
)  # fmt: skip
def test_anything_else_proves_nothing(mail):
    assert signers(mail, lookup) == []


def test_a_dns_that_fails_proves_nothing():
    def fails(name, timeout=5):
        raise TimeoutError

    assert signers(signed(), fails) == []


def test_only_a_few_signatures_are_looked_at():
    asked = []

    def counting(name, timeout=5):
        asked.append(name)

    line = signed()[: -len(MAIL)]
    signers(line * 50 + MAIL, counting)
    assert len(asked) == MAX_SIGNATURES
