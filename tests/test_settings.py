from pathlib import Path

import pytest

from adjudicator.errors import UsageError
from adjudicator.settings import (
    FILE,
    HostPort,
    UnixPath,
    load_settings,
    parse_addresses,
    parse_host_port,
    parse_lmtp,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    import os  # noqa: PLC0415 - only to clear what the tester has set

    for name in list(os.environ):
        if name.upper().startswith("ADJUDICATOR_"):
            monkeypatch.delenv(name)
    return tmp_path


def write(folder: Path, text: str) -> None:
    (folder / FILE).write_text(text, "utf-8")


def refusal(folder: Path) -> str:
    with pytest.raises(UsageError) as caught:
        load_settings(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_defaults_are_those_of_the_contract(folder):
    assert load_settings(folder).describe() == [
        ("DATA", "var", "default"),
        ("DATABASE_URL", "sqlite:///var/adjudicator.db", "default"),
        ("DOMAIN", "localhost", "default"),
        ("LISTEN", "127.0.0.1:2525", "default"),
        ("LMTP", "", "default"),
        ("RELAY", "maildir:var/outbox", "default"),
        ("AUTH", "token+from", "default"),
        ("AUTHSERV_ID", "", "default"),
        ("STRANGERS_PER_HOUR", "60", "default"),
        ("ANSWERS_PER_HOUR", "30", "default"),
        ("MODERATORS", "", "default"),
        ("TLS_CERT", "", "default"),
        ("TLS_KEY", "", "default"),
        ("CONNECTIONS", "500", "default"),
        ("CONNECTIONS_PER_CLIENT", "100", "default"),
        ("CLIENT_SECONDS", "120.0", "default"),
    ]


def test_the_values_are_ready_for_use(folder, monkeypatch):
    settings = load_settings(folder)
    assert settings.listen == HostPort("127.0.0.1", 2525)
    assert (settings.lmtp, settings.moderators, settings.data) == (None, (), Path("var"))
    monkeypatch.setenv("ADJUDICATOR_LMTP", "unix:<DATA>/lmtp")
    monkeypatch.setenv("ADJUDICATOR_DATA", "/srv/play")
    monkeypatch.setenv("ADJUDICATOR_MODERATORS", "a@example.org, b@example.org")
    settings = load_settings(folder)
    assert settings.lmtp == UnixPath(Path("/srv/play/lmtp"))
    assert settings.database_url == "sqlite:////srv/play/adjudicator.db"
    assert settings.moderators == ("a@example.org", "b@example.org")


def test_the_environment_wins_over_the_file_and_each_source_is_told(folder, monkeypatch):
    write(folder, 'domain = "file.example.org"\nAUTH = "token"\nmoderators = ["m@example.org"]\n')
    monkeypatch.setenv("ADJUDICATOR_DOMAIN", "Env.Example.Org")
    told = {name: (value, source) for name, value, source in load_settings(folder).describe()}
    assert told["DOMAIN"] == ("env.example.org", "environment")
    assert told["AUTH"] == ("token", FILE)
    assert told["MODERATORS"] == ("m@example.org", FILE)
    assert told["LISTEN"] == ("127.0.0.1:2525", "default")


def test_an_empty_value_in_the_environment_takes_back_the_files(folder, monkeypatch):
    write(folder, 'lmtp = "127.0.0.1:24"')
    monkeypatch.setenv("ADJUDICATOR_LMTP", "")
    assert load_settings(folder).lmtp is None


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("DATABASE_URL", "postgresql://me:s3:cr/e@t@db/play", "postgresql://me:***@db/play"),
        ("DATABASE_URL", "postgresql://db/play?user=me&password=s3cret&x=1", "postgresql://db/play?user=me&password=***&x=1"),
        ("DATABASE_URL", "postgresql://me@db/play", "postgresql://me@db/play"),
        ("RELAY", "smtp://me:s3cret@mx.example.org:587?starttls=required", "smtp://me:***@mx.example.org:587?starttls=required"),
        ("RELAY", "smtp://mx.example.org:25", "smtp://mx.example.org:25"),
        ("RELAY", "lmtp://[::1]:24", "lmtp://[::1]:24"),
    ],
)  # fmt: skip
def test_passwords_are_hidden(folder, monkeypatch, name, value, shown):
    monkeypatch.setenv(f"ADJUDICATOR_{name}", value)
    assert (name, shown, "environment") in load_settings(folder).describe()


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LISTEN", "2525", "must be host:port"),
        ("LISTEN", "", "must be host:port"),
        ("LISTEN", "127.0.0.1:65536", "must be host:port"),
        ("LISTEN", "::1:25", "must be host:port"),
        ("LMTP", "unix:", "must name a socket"),
        ("LMTP", "nowhere", "must be host:port, unix:/path, or empty"),
        ("DOMAIN", "", "must be a domain"),
        ("DOMAIN", "ex ample.org", "must be a domain"),
        ("DOMAIN", "-x.example.org", "must be a domain"),
        ("DOMAIN", "jó.example.org", "must be a domain in ASCII"),
        ("DATABASE_URL", "mysql://me:s3cret@db/play", "must begin with one of sqlite:///"),
        ("DATABASE_URL", "sqlite:///", "must begin with one of sqlite:///"),
        ("RELAY", "sendmail", "must begin with one of maildir:"),
        ("RELAY", "", "must begin with one of maildir:"),
        ("AUTH", "none", "must be 'token', 'token+from' or 'aligned'"),
        ("MODERATORS", "a@example.org, b", "'b' is none"),
        ("DATA", "", "must name a folder"),
        ("TLS_KEY", "key.pem", "must be empty while TLS_CERT is"),
        ("CONNECTIONS", "0", "must be greater than or equal to 1"),
        ("CONNECTIONS_PER_CLIENT", "many", "must be a valid integer"),
        ("CLIENT_SECONDS", "0", "must be greater than 0"),
    ],
)
def test_a_bad_value_names_the_setting_and_where_it_stands(folder, monkeypatch, name, value, told):
    write(folder, f'{name.lower()} = "{value}"')
    assert refusal(folder).startswith(f"setting {name} ({FILE}) ")
    assert told in refusal(folder)
    monkeypatch.setenv(f"ADJUDICATOR_{name}", value)
    assert refusal(folder).startswith(f"setting {name} (environment) ")
    assert "s3cret" not in refusal(folder)


@pytest.mark.parametrize("line", ["listen = 25", "domain = true", "relay = []", "auth = 1", "tls_cert = []"])
def test_a_value_of_another_kind_is_refused(folder, line):
    write(folder, line)
    name = line.partition(" ")[0].upper()
    assert refusal(folder).startswith(f"setting {name} ({FILE}) must be ")


def test_unknown_names_are_refused_with_the_nearest(folder, monkeypatch):
    write(folder, 'databaseurl = "sqlite:///x"')
    assert refusal(folder) == f"unknown setting DATABASEURL ({FILE}); the nearest is DATABASE_URL"
    monkeypatch.setenv("ADJUDICATOR_MODERATOR", "m@example.org")
    assert refusal(folder) == "unknown setting MODERATOR (environment); the nearest is MODERATORS"


def test_what_tests_say_to_themselves_is_no_setting(folder, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_TEST_PG_URL", "postgresql://x/y")
    assert load_settings(folder).domain == "localhost"


def test_a_file_that_cannot_be_read(folder):
    write(folder, "domain")
    assert refusal(folder).startswith(f"{FILE} cannot be read: ")
    (folder / FILE).write_bytes(b"\xff")
    assert refusal(folder).startswith(f"{FILE} cannot be read: ")
    (folder / FILE).unlink()
    (folder / FILE).mkdir()
    assert refusal(folder).startswith(f"{FILE} cannot be read: ")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[::1]:25", HostPort("::1", 25)),
        ("localhost:0", HostPort("localhost", 0)),
        (" 0.0.0.0:65535 ", HostPort("0.0.0.0", 65535)),
    ],
)
def test_where_to_listen(text, read):
    assert parse_host_port(text) == read
    assert str(read) == text.strip()
    assert parse_lmtp(text) == read


def test_a_unix_socket_is_written_as_it_is_read():
    assert str(parse_lmtp("unix:/run/lmtp")) == "unix:/run/lmtp"


@pytest.mark.parametrize("text", ["a@x,b@y", "a@x b@y", " a@x ,\n b@y, ", ["a@x", "b@y"]])
def test_addresses(text):
    assert parse_addresses(text) == ("a@x", "b@y")


def test_the_name_of_the_mail_server_in_front(folder, monkeypatch):
    monkeypatch.setenv("ADJUDICATOR_AUTHSERV_ID", "MX.example.org")
    assert load_settings(folder).authserv_id == "mx.example.org"
    for wrong in ("mx.example.org; none", "mx example", "(mx)"):
        monkeypatch.setenv("ADJUDICATOR_AUTHSERV_ID", wrong)
        assert refusal(folder).startswith("setting AUTHSERV_ID (environment) must be the name in")
