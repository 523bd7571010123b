"""The settings of the service: from the environment, else from `adjudicator.toml`, else the default.

In the environment a setting is called `ADJUDICATOR_DOMAIN`, in the file `domain` (or `DOMAIN`). `<DATA>`
inside a value stands for the data folder. Each value remembers where it came from.
"""

import difflib
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from adjudicator.errors import UsageError

PREFIX = "ADJUDICATOR_"
FILE = "adjudicator.toml"

# What tests and tools may say to themselves.
_NOT_SETTINGS = PREFIX + "TEST_"
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*")
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_DATABASES = ("sqlite:///", "sqlite+pysqlite:///", "postgresql://", "postgresql+psycopg://")
_RELAYS = ("maildir:", "smtp://", "smtps://", "lmtp://")
_PASSWORD = re.compile(r"(?<=://)([^:/?#@]*):(.*)@|(?<=password=)[^&]*")


class HostPort(NamedTuple):
    """Where to listen; port 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class UnixPath(NamedTuple):
    """A Unix socket to listen on."""

    path: Path

    def __str__(self) -> str:
        return f"unix:{self.path}"


def parse_host_port(text: str) -> HostPort:
    """Read `host:port`, an IPv6 host in brackets.

    Raises:
        ValueError: it is not that; the message says what is wanted.

    """
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]/]+)):([0-9]{1,5})", text.strip(), re.ASCII)
    if found is None or int(found[3]) > 65535:  # noqa: PLR2004 - the highest port
        raise ValueError("must be host:port, like 127.0.0.1:2525 or [::1]:2525")
    return HostPort(found[1] or found[2], int(found[3]))


def parse_lmtp(text: str) -> HostPort | UnixPath | None:
    """Read `host:port` or `unix:/path`; None if the text is empty: no LMTP.

    Raises:
        ValueError: it is none of these.

    """
    if not text.strip():
        return None
    if text.startswith("unix:"):
        if text == "unix:":
            raise ValueError("must name a socket, like unix:/run/adjudicator/lmtp")
        return UnixPath(Path(text.removeprefix("unix:")))
    try:
        return parse_host_port(text)
    except ValueError as error:
        raise ValueError("must be host:port, unix:/path, or empty") from error


def parse_addresses(value: str | list[str]) -> tuple[str, ...]:
    """Read mail addresses parted by commas or spaces (in the file also a list).

    Raises:
        ValueError: one of them is no address.

    """
    addresses = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    for one in addresses:
        if one and not _ADDRESS.fullmatch(one):
            raise ValueError(f"must be mail addresses parted by commas; {one!r} is none")
    return tuple(one for one in addresses if one)


def parse_domain(text: str) -> str:
    """Read a domain and return it in lower case.

    Raises:
        ValueError: it is no domain in ASCII letters.

    """
    if not _DOMAIN.fullmatch(text.strip().lower()):
        raise ValueError("must be a domain in ASCII letters, like play.example.org")
    return text.strip().lower()


def parse_path(text: str) -> Path | None:
    """Read the name of a file; None if the text is empty.

    Raises:
        ValueError: it is a list, or no name a file can have.

    """
    if not isinstance(text, str) or "\0" in text:
        raise ValueError("must be the name of a file")
    return Path(text.strip()) if text.strip() else None


def parse_authserv_id(text: str) -> str:
    """Read the name under which a mail server signs its Authentication-Results, in lower case; it may be empty.

    Raises:
        ValueError: it is no such name.

    """
    if not re.fullmatch(r"[A-Za-z0-9._-]{0,253}", text.strip()):
        raise ValueError("must be the name in your mail server's Authentication-Results, like mx.example.org")
    return text.strip().lower()


def _text_first(parse: Any) -> BeforeValidator:  # noqa: ANN401 - any of the readers above
    def read(value: object) -> object:
        if not isinstance(value, (str, list)):
            raise ValueError("must be text in quotes")  # noqa: TRY004 - what pydantic collects
        return parse(value)

    return BeforeValidator(read)


class Settings(BaseSettings):
    """All settings, read and checked; `load_settings` makes them."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, validate_default=True, extra="forbid")

    data: Path = Path("var")
    database_url: str = "sqlite:///<DATA>/adjudicator.db"
    domain: Annotated[str, _text_first(parse_domain)] = "localhost"
    listen: Annotated[HostPort, NoDecode, _text_first(parse_host_port)] = "127.0.0.1:2525"  # type: ignore[assignment]
    lmtp: Annotated[HostPort | UnixPath | None, NoDecode, _text_first(parse_lmtp)] = ""  # type: ignore[assignment]
    relay: str = "maildir:<DATA>/outbox"
    auth: Literal["token", "token+from", "aligned"] = "token+from"
    authserv_id: Annotated[str, _text_first(parse_authserv_id)] = ""
    strangers_per_hour: Annotated[int, Field(ge=0)] = 60
    answers_per_hour: Annotated[int, Field(ge=1)] = 30
    moderators: Annotated[tuple[str, ...], NoDecode, _text_first(parse_addresses)] = ""  # type: ignore[assignment]
    tls_cert: Annotated[Path | None, _text_first(parse_path)] = ""  # type: ignore[assignment]
    tls_key: Annotated[Path | None, _text_first(parse_path)] = ""  # type: ignore[assignment]
    connections: Annotated[int, Field(ge=1)] = 500
    connections_per_client: Annotated[int, Field(ge=1)] = 100
    client_seconds: Annotated[float, Field(gt=0)] = 120

    _sources: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(  # noqa: D102 - pydantic's own hook
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # What is given by name is what stands in the file: the environment wins over it.
        return env_settings, init_settings

    @field_validator("database_url", "relay", "lmtp", mode="before")
    @classmethod
    def _expand(cls, value: object, info: ValidationInfo) -> object:
        return value.replace("<DATA>", str(info.data.get("data", ""))) if isinstance(value, str) else value

    @field_validator("tls_key")
    @classmethod
    def _has_chain(cls, value: Path | None, info: ValidationInfo) -> Path | None:
        if value and not info.data.get("tls_cert"):
            raise ValueError("must be empty while TLS_CERT is")
        return value

    @field_validator("data")
    @classmethod
    def _is_named(cls, value: Path) -> Path:
        if not value.parts:
            raise ValueError("must name a folder")
        return value

    @field_validator("database_url", "relay")
    @classmethod
    def _has_scheme(cls, value: str, info: ValidationInfo) -> str:
        schemes = _DATABASES if info.field_name == "database_url" else _RELAYS
        if not any(value.startswith(one) and len(value) > len(one) for one in schemes):
            raise ValueError(f"must begin with one of {', '.join(schemes)}")
        return value

    def describe(self) -> list[tuple[str, str, str]]:
        """Return name, value (passwords hidden) and source of each setting, for a person to read."""
        return [
            (name.upper(), _shown(getattr(self, name)), self._sources.get(name, "default"))
            for name in type(self).model_fields
        ]


def load_settings(folder: Path = Path()) -> Settings:
    """Return the settings from the environment and from `adjudicator.toml` in a folder.

    Raises:
        UsageError: a name is unknown or a value is wrong; the message names the setting and where it came
        from.

    """
    in_file = {key.lower(): value for key, value in _read_file(folder / FILE).items()}
    in_environment = {
        key[len(PREFIX) :].lower()
        for key in os.environ
        if key.upper().startswith(PREFIX) and not key.startswith(_NOT_SETTINGS)
    }
    for names, source in ((in_environment, "environment"), (in_file, FILE)):
        _refuse_unknown(names, source)
    sources = dict.fromkeys(in_file, FILE) | dict.fromkeys(in_environment, "environment")
    try:
        settings = Settings(**in_file)
    except ValidationError as error:
        raise UsageError(_first_fault(error, sources)) from error
    settings._sources.update(sources)  # noqa: SLF001 - only here are they known
    return settings


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{FILE} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{FILE} cannot be read: {error}") from error


def _refuse_unknown(names: Any, source: str) -> None:  # noqa: ANN401 - a set or a dict
    for name in sorted(set(names) - set(Settings.model_fields)):
        known = difflib.get_close_matches(name, Settings.model_fields, n=1, cutoff=0)
        raise UsageError(f"unknown setting {name.upper()} ({source}); the nearest is {known[0].upper()}")


def _first_fault(error: ValidationError, sources: dict[str, str]) -> str:
    fault = error.errors(include_url=False)[0]
    name = str(fault["loc"][0])
    reason = fault["msg"].removeprefix("Value error, ")
    if not reason.startswith("must"):
        reason = "must be " + reason.removeprefix("Input should be ")
    return f"setting {name.upper()} ({sources.get(name, 'default')}) {reason}"


def _shown(value: object) -> str:
    if isinstance(value, tuple) and not isinstance(value, (HostPort, UnixPath)):
        return ", ".join(value)
    text = "" if value is None else str(value)
    return _PASSWORD.sub(lambda found: f"{found[1]}:***@" if found[1] is not None else "***", text)
