"""A `serve` in a process of its own, which can be watched and killed."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

COMMAND = (sys.executable, "-c", "from adjudicator.cli import app; app()", "serve", "--log-level", "warning")
SIGN = "listening on 127.0.0.1:"
ENDING_SECONDS = 60


class Serve:
    """`serve` with settings of its own; it keeps its data in `folder` and writes its log into `serve.log` there.

    At the end of the `with` it is killed, unless it has ended.
    """

    def __init__(self, folder: Path, **settings: str) -> None:
        self.log = folder / "serve.log"
        self.port = 0
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("ADJUDICATOR_")}
        given = {"LISTEN": "127.0.0.1:0", "DATA": str(folder)} | settings
        self._stack = ExitStack()
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            COMMAND,
            cwd=folder,
            env=kept | {f"ADJUDICATOR_{name}": value for name, value in given.items()},
            stdout=subprocess.PIPE,
            stderr=self._stack.enter_context(self.log.open("ab")),
            text=True,
        )
        assert self.process.stdout
        self._stdout = self._stack.enter_context(self.process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def wait(self) -> str:
        """Wait until it listens; returns what it says then.

        Raises: RuntimeError if it ends instead.
        """
        line = self._stdout.readline()
        if not line.startswith(SIGN):
            raise RuntimeError(f"serve did not start: {self.log.read_text('utf-8', 'replace')[-2000:]}")
        self.port = int(line.removeprefix(SIGN).partition(",")[0])
        return line.rstrip("\n")

    def memory(self) -> float:
        """The resident memory, in MB; 0 once it has ended."""
        return _megabytes(self.process.pid, "VmRSS")

    def most_memory(self) -> float:
        """The most resident memory it ever had, in MB; 0 once it has ended."""
        return _megabytes(self.process.pid, "VmHWM")

    def kill(self) -> None:
        """Kill it as a power cut does: nothing of it runs any more."""
        self.process.kill()
        self.process.wait(ENDING_SECONDS)
        self._stack.close()

    def stop(self) -> float:
        """Ask it to end, and wait for that; returns how many seconds it took.

        Raises: RuntimeError if it does not end well.
        """
        begun = time.monotonic()
        self.process.terminate()
        code = self.process.wait(ENDING_SECONDS)
        self._stack.close()
        if code:
            raise RuntimeError(f"serve ended with code {code}")
        return time.monotonic() - begun


def _megabytes(pid: int, name: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0.0)
