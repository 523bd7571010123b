"""The certificate for STARTTLS, taken up anew when its files change: a renewal needs no restart."""

import logging
import ssl
from pathlib import Path

from adjudicator.errors import UsageError

log = logging.getLogger(__name__)

Stamp = tuple[tuple[int, int, int], ...]


class Certificate:
    """A certificate chain and its key, in PEM files; with one file for both, name it twice.

    Promise: once there was a certificate that could be used, there always is one. Files that do not fit together
    (a renewal writes one after the other) are looked at again when they have changed.

    Raises: UsageError if the files cannot be used at the start.
    """

    def __init__(self, chain: Path, key: Path) -> None:
        self._chain, self._key = chain, key
        try:
            self._stamp = self._look()
            self._context = self._load()
        except (OSError, ssl.SSLError) as error:
            raise UsageError(f"TLS_CERT {chain} and TLS_KEY {key} cannot be used: {_reason(error)}") from error

    def context(self) -> ssl.SSLContext:
        """Return what a new connection is encrypted with; connections that exist keep what they have."""
        try:
            stamp = self._look()
            if stamp != self._stamp:
                self._stamp = stamp  # before the attempt: a fault is told once
                self._context = self._load()
                log.info("a renewed certificate is in use")
        except (OSError, ssl.SSLError) as error:
            log.warning("the renewed certificate cannot be used, the old one stays: %s", _reason(error))
        return self._context

    def _look(self) -> Stamp:
        """What shows that a file is another: renewals replace files as well as write into them."""
        found = [path.stat() for path in (self._chain, self._key)]
        return tuple((one.st_ino, one.st_mtime_ns, one.st_size) for one in found)

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self._chain, self._key, password=str)  # "": nobody is asked at a terminal
        return context


def _reason(error: OSError) -> str:  # SSLError is one
    return error.strerror or str(error)
