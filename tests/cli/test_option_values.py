"""Values that an option does not take: told in the words of the command line, for every option of every command."""

import inspect
from typing import Literal, get_args, get_origin

import pytest
import typer

from adjudicator.cli import app

OF_OTHERS = ("Value error", "Input should", "validation error", "pydantic", "unable to")
"""Words of the library behind, which nobody who types a command knows."""


def commands(group, path=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def checks(annotation):
    """Whether values of this kind are checked: numbers, and names of which there are a few."""
    return annotation is int or get_origin(annotation) is Literal or any(map(checks, get_args(annotation)))


CHECKED = [
    (*path, option.opts[0])
    for path, command in commands(typer.main.get_command(app))
    for option in command.params
    if option.opts[0].startswith("--")
    and checks(inspect.signature(command.callback).parameters[option.name].annotation)
]


@pytest.mark.parametrize("words", CHECKED, ids=" ".join)
@pytest.mark.parametrize("value", ["dutch", "9" * 5000])
def test_no_option_lets_strange_words_through(terminal, words, value):
    terminal.error(*words, value, code=2)
    assert f"Invalid value for '{words[-1]}': " in terminal.err
    assert not [word for word in OF_OTHERS if word in terminal.err], terminal.err


def test_options_of_all_kinds_were_tried():
    assert {"--side", "--winner", "--at", "--to", "--limit", "--edition", "--log-level"} <= {one[-1] for one in CHECKED}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("game", "extend", "g1", "--side", "dutch"), "'--side': 'dutch' is not one of 'british', 'french'."),
        (
            ("game", "result", "g1", "--winner", "dutch"),
            "'--winner': 'dutch' is not one of 'british', 'french', 'draw'.",
        ),
        (("game", "undo", "g1", "--at", "foo"), "'--at': 'foo' is not a valid integer."),
        (("game", "undo", "g1", "--to", "-5"), "'--to': -5 is not in the range x>=0."),
        (("mail", "list", "--limit", "20000"), "'--limit': 20000 is not in the range x<=10000."),
    ],
)
def test_what_an_option_takes_is_told(terminal, words, message):
    terminal.error(*words, code=2)
    assert message in terminal.err
