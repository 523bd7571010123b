"""Reports become mails: subject and text in a language.

Every text begins with the cut line, and can be quoted back in any way without a line of it being read as an
order (`adjudicator.render.inert`).
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from adjudicator.render.text import folded
from adjudicator.render.words import FILTERS
from adjudicator.reports import Report

CUT_LINE = "~~~ adjudicator: write above this line ~~~"
"""The first line of every mail's text. Whatever a mail program quotes, our own words stand below it."""


class Rendered(msgspec.Struct, frozen=True):
    """A mail's content. `images` are pairs of content id and bytes."""

    subject: str
    text: str
    html: str | None = None
    images: tuple[tuple[str, bytes], ...] = ()


def render(report: Report, language: str = "en") -> Rendered:
    """The mail of a report; equal reports give equal mails.

    Raises: jinja2.TemplateNotFound for a language without templates.
    """
    environment = _environment(language)
    subject = environment.get_template("subjects.j2").render(template=report.template, **report.values)
    text = environment.get_template(f"{report.template}.txt.j2").render(**report.values)
    return Rendered(subject=" ".join(subject.split()), text=f"{CUT_LINE}\n\n{folded(text)}")


def outcome_told(word: str, argument: str, language: str = "en") -> str:
    """The sentence that tells what became of a wish about challenges, or about watching games."""
    macros: Any = _environment(language).get_template("challenges.j2").module
    return str(macros.outcome(word, argument))


def _templates() -> Path:
    """The folder of templates: inside an installed package, beside the package in a checkout."""
    inside = Path(str(files("adjudicator"))) / "templates"
    return inside if inside.is_dir() else inside.parent.parent / "templates"


@cache
def _environment(language: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_templates() / language),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - these are plain texts
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(FILTERS)
    return environment
