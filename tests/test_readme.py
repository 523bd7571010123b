"""What the README tells newcomers to type works, in the order in which it stands there."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.cli import app
from adjudicator.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PORT = "2525"
BLOCK = re.compile(r"<!-- (.+?) -->\n```\w+\n(.*?)```", re.DOTALL)


def blocks(mark: str) -> list[str]:
    return [text for found, text in BLOCK.findall(README) if found == mark]


def free_port() -> str:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return str(found.getsockname()[1])


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A clean environment in which `adjudicator` is a command, on a port that is free."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8", "ADJUDICATOR_LISTEN": f"127.0.0.1:{free_port()}"}


@pytest.fixture
def _service(tmp_path: Path, environment: dict[str, str]) -> Iterator[None]:
    (command,) = blocks("in the background")
    process = subprocess.Popen(
        command.split(), cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    assert "listening" in process.stdout.readline()
    yield
    process.terminate()
    assert process.wait(30) == 0
    process.stdout.close()


@pytest.mark.usefixtures("_service")
def test_the_first_game_by_hand(tmp_path: Path, environment: dict[str, str]) -> None:
    script = "\n".join(blocks("run")).replace(PORT, environment["ADJUDICATOR_LISTEN"].rpartition(":")[2])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "You play the British" in done.stdout
    assert "turn 3" in done.stdout  # the French have moved too
    assert "'game': 'g1'" in done.stdout or '"game":"g1"' in done.stdout


@pytest.mark.slow
def test_a_sceptic_checks_the_shuffles_of_a_game(tmp_path: Path, environment: dict[str, str]) -> None:
    (script,) = blocks("check.py")
    subprocess.run(["adjudicator", "demo"], cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=240)
    record = next(tmp_path.glob("var/demo-1/g1.json"))
    run = [sys.executable, "-c", script]
    good = subprocess.run([*run, record], capture_output=True, text=True, check=False)
    assert "every shuffle follows" in good.stdout, good.stderr
    forged = re.sub(rb'"seed":"..', b'"seed":"00', record.read_bytes())
    (tmp_path / "forged.json").write_bytes(forged)
    bad = subprocess.run([*run, tmp_path / "forged.json"], capture_output=True, text=True, check=False)
    assert "another seed" in bad.stderr


def test_all_settings_are_described() -> None:
    for name in Settings.model_fields:
        assert re.search(rf"^\| .*`{name.upper()}`.* \|.*\|.*\|$", README, re.MULTILINE), name


def test_all_commands_are_described() -> None:
    chapter = README.split("## Commands")[1].split("## Settings")[0]
    names = [command.callback.__name__ for command in app.registered_commands if command.callback]
    for group in app.registered_groups:
        assert group.typer_instance
        assert group.typer_instance.info.name
        names.append(group.typer_instance.info.name)
    for name in names:
        assert f"`{name}" in chapter, name


def test_make_help_lists_what_the_readme_names() -> None:
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in re.findall(r"(?:`|\$ )make (\w+)", README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        assert f"make {target} " in listed, target
