"""Authentication-Results: which header counts, what it proves, and what nobody can smuggle into it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.authentication import is_aligned, proven_domains, read_results, trusted

OURS = b" mx.example.org; spf=pass smtp.mailfrom=ann@example.org; dkim=pass header.d=example.net"


def proven(*headers: bytes, name: str = "mx.example.org") -> list[str]:
    return proven_domains(trusted(headers, name))


@pytest.mark.parametrize(
    ("value", "domains"),
    [
        (OURS, ["example.org", "example.net"]),
        (b"mx.example.org 1; dkim=pass (2048-bit key; good) header.d=a.org header.s=x", ["a.org"]),
        (b"MX.Example.ORG; DKIM=PASS Header.D=a.org", ["a.org"]),
        (b'"mx.example.org"; spf=pass smtp.mailfrom="odd;name"@a.org', ["a.org"]),
        (b"mx.example.org;\r\n\tspf=pass\r\n\t smtp.mailfrom=a.org", ["a.org"]),
        (b"mx.example.org; dkim/1 = pass header.i = @b.a.org", ["b.a.org"]),
        (b'mx.example.org; dkim=pass reason="good (really)" header.d=a.org header.b=AbC/dE==', ["a.org"]),
        (b"mx.example.org; spf=pass smtp.mailfrom=list+ann=b.org@a.org", ["a.org"]),
        (b"(a comment (in one)) mx.example.org (v) ; spf=pass smtp.mailfrom=a.org;", ["a.org"]),
        (b"mx.example.org; none", []),
        (b"mx.example.org", []),
        (b"mx.example.org; spf=fail smtp.mailfrom=a.org; dkim=neutral header.d=a.org", []),
        (b"mx.example.org; spf=softfail smtp.mailfrom=a.org; dkim=pass header.d=a.org", ["a.org"]),
        (b"mx.example.org; spf=pass smtp.helo=a.org", []),
        (b"mx.example.org; dmarc=pass header.from=a.org; auth=pass smtp.auth=ann", []),
        (b"mx.example.org; dkim=fail (dkim=pass header.d=a.org) header.d=b.org", []),
        (b'mx.example.org; dkim=fail reason="x; dkim=pass header.d=a.org"', []),
        (b'mx.example.org; spf=fail (" (" ) ; dkim=pass header.d=a.org )', []),
    ],
)
def test_what_a_header_proves(value, domains):
    assert proven(value) == domains


@pytest.mark.parametrize(
    "value",
    [
        b"", b";", b"; dkim=pass header.d=a.org", b"mx.example.org two 1; none", b"mx.example.org x; none",
        b"mx.example.org; dkim pass", b"mx.example.org; dkim=pass header.d", b"mx.example.org; dkim=pass d=a.org",
        b"mx.example.org; dkim=pass header.d=a.org header.d=b.org", b"mx.example.org; dkim=pass header.d=",
        b"mx.example.org; dkim=pass (header.d=a.org", b"mx.example.org); dkim=pass header.d=a.org",
        b'mx.example.org; dkim=pass header.d="a.org', b"mx.example.org; =pass header.d=a.org",
        b"mx.example.org; dkim=pass\\ header.d=a.org", b"mx.example.org; (\\", b"mx.example.org; dkim=p4ss x.y=z",
        b"mx.example.org; none; dkim=pass header.d=a.org", b"mx.example.org; dkim=pass header.d=a.org" + b" " * 10_000,
    ],
)  # fmt: skip
def test_what_is_written_wrongly_counts_for_nothing(value):
    assert read_results(value) is None
    assert proven(value) == []


def test_headers_of_other_servers_are_ignored():
    forged = [
        b"mx.example.com; dkim=pass header.d=victim.org",
        b"mx.example.org.evil.com; dkim=pass header.d=victim.org",
        b"evil.com (mx.example.org); dkim=pass header.d=victim.org",
        b"xmx.example.org; dkim=pass header.d=victim.org",
    ]
    assert proven(*forged) == []
    assert proven(*forged, OURS) == proven(OURS)


@pytest.mark.parametrize(
    "second",
    [
        OURS,
        b"mx.example.org; none",
        b"MX.EXAMPLE.ORG ; dkim=pass header.d=victim.org",
        b'"mx.example.org" (really) 1; dkim=pass header.d=victim.org',
        b'"mx\\.example.org"; dkim=pass header.d=victim.org',
        b"mx.example.org; this is no header",
        b"(unclosed mx.example.org; dkim=pass header.d=victim.org",
    ],
)
def test_two_with_our_name_are_none(second):
    assert proven(OURS, second) == []
    assert proven(second, OURS) == []


def test_a_heap_of_headers_is_none():
    assert proven(*[b"other.example.org; none"] * 49, OURS) != []
    assert proven(*[b"other.example.org; none"] * 50, OURS) == []


@pytest.mark.parametrize(
    ("address", "domain", "aligned"),
    [
        ("ann@example.org", "example.org", True),
        ("ann@example.org", "EXAMPLE.org.", True),
        ("ann@example.org", "mail.example.org", True),
        ("ann@mail.example.org", "example.org", True),
        ("ann@bücher.example", "xn--bcher-kva.example", True),
        ("ann@mail.example.org", "www.example.org", False),
        ("ann@example.org", "example.net", False),
        ("ann@example.org", "org", False),
        ("ann@example.org", "badexample.org", False),
        ("ann@example.org", "example.org.evil.com", False),
        ("ann@localhost", "localhost", False),
        ("", "example.org", False),
        ("ann@example.org", "", False),
        ("ann@" + "x." * 200 + "org", "org", False),
        ("ann@\N{LATIN SMALL LETTER SHARP S}" + "\u0301" * 200 + ".org", "example.org", False),
    ],
)
def test_alignment(address, domain, aligned):
    assert is_aligned(address, [domain]) is aligned


@given(st.binary(max_size=300) | st.text('mx.example.org;()"\\=dkimpasshead/ \t', max_size=120).map(str.encode))
def test_anything_is_read_and_nothing_comes_of_it(value):
    assert read_results(value) is None or isinstance(proven(value), list)


@given(st.text('();"\\ =dkim.pass', max_size=60))
def test_no_comment_can_bring_a_result(inside):
    """Whatever stands in a well-formed comment, it proves nothing."""
    quoted = "".join(f"\\{sign}" if sign in "()\\" else sign for sign in inside)
    value = f"mx.example.org; spf=fail ({quoted}) smtp.mailfrom=a.org".encode()
    assert proven(value) == []
    assert read_results(value) is not None


@pytest.mark.parametrize("piece", [b"(", b")", b'"', b"\\", b";", b"=", b"( ", b'"\\', b"a=(", b"(\\)", b"a."])
def test_no_header_takes_long(piece):
    value = b"mx.example.org; " + piece * 5_000
    start = time.process_time()
    read_results(value[:10_000])
    assert time.process_time() - start < 1  # what is quadratic takes minutes
