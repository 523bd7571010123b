"""Who may import whom (README, How it is built): imports go one way only."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "adjudicator"
RULES = {"errors", "game"}
ORDERS = {*RULES, "orders"}
TABLE = {*ORDERS, "turns"}
JOINED = {*TABLE, "players", "reports", "render", "mail", "store", "league"}
SERVICE = {*JOINED, "service"}

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "game": RULES,
    "schemas": RULES,
    "orders": ORDERS,
    "turns": TABLE,
    "players": {*TABLE, "players"},
    "reports": {*ORDERS, "reports"},
    "render": {*ORDERS, "league", "reports", "render"},
    "mail": {"errors", "mail"},
    "store": {"errors", "store"},
    "league": {*RULES, "league"},
    "settings": {"errors"},
    "service": {*SERVICE, "settings"},
    "demo": {*SERVICE, "demo"},
    "bench": {*SERVICE, "bench"},
    "mail_bench": SERVICE,
    "replay_bench": SERVICE,
    "stress": {*SERVICE, "settings", "stress"},
    "cli": {*SERVICE, "settings", "cli", "demo", "bench", "mail_bench", "replay_bench", "schemas", "stress"},
}
"""The parts of the package, and of which parts each may know."""

IMPURE = {"asyncio", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "time"}
"""No clock, network, files or dice in the rules; only their facts are read from files."""

FILES = sorted(PACKAGE.rglob("*.py"))


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            assert node.module
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    part = path.relative_to(PACKAGE).with_suffix("").parts[0]
    if part == "__init__":
        return
    for name in imported(path):
        if name.startswith("adjudicator."):
            assert part_of(name) in MAY_IMPORT[part], f"{part} must not know {name}"


def test_every_part_has_its_rule() -> None:
    parts = {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in FILES} - {"__init__"}
    assert parts == set(MAY_IMPORT) - ({"league"} - parts)


@pytest.mark.parametrize("path", sorted((PACKAGE / "game").rglob("*.py")), ids=lambda path: path.stem)
def test_rules_are_pure(path: Path) -> None:
    names = {name.partition(".")[0] for name in imported(path)}
    assert not names & IMPURE or (path.parent.name == "facts" and names & IMPURE <= {"pathlib"})
