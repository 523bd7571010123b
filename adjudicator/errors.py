"""What can go wrong, by who can act on it.

    AdjudicatorError
    ├── Unreadable         nobody we know can act: refused at SMTP with 550, nothing kept
    ├── NotAuthorised      likewise
    ├── Refusal            the player can act: answered by mail, the game is unchanged
    │   ├── StaleOrders        orders for an older position
    │   ├── OrderSyntax        a line starts as an order and cannot be read
    │   ├── UnknownName        no place or card is called so
    │   ├── AmbiguousName      several places or cards begin so
    │   ├── NotYourDecision    the other side has to decide, or the game is over
    │   └── IllegalAction      a rule forbids it
    ├── Unavailable        the operator can act: 451, the sender's server tries again
    │   └── Crossed            another change was in the way: the same may be done again at once
    └── UsageError         whoever typed the command, or wrote the file or the setting, can act

Anything else that is raised is our own fault: the letter goes to quarantine, the moderators are told.
"""

import msgspec


class Refused(msgspec.Struct, frozen=True):
    """A refusal as a value, with everything that an answer shows of it. `span` is a part of `text`."""

    code: str
    template: str
    values: dict[str, str]
    rule: str | None
    line: int | None
    text: str
    span: tuple[int, int] | None
    choices: tuple[str, ...]

    @property
    def message(self) -> str:
        """The English sentence, filled in."""
        return self.template.format(**self.values)


class AdjudicatorError(Exception):
    """The root of all errors that are meant."""


class Unreadable(AdjudicatorError):  # noqa: N818 - refusals say what is wrong
    """A mail that cannot be read at all (SMTP 550)."""


class NotAuthorised(AdjudicatorError):  # noqa: N818
    """A mail from nobody we know (SMTP 550)."""


class Unavailable(AdjudicatorError):  # noqa: N818
    """The database or another thing that we need is out of reach (SMTP 451)."""


class Crossed(Unavailable):
    """Two changes waited for each other; this one was broken off, nothing was changed, and it may be done again."""


class UsageError(AdjudicatorError):
    """A command, a file or a setting that is wrong; the message is one clear line."""


class Refusal(AdjudicatorError):  # noqa: N818
    """Orders that cannot be carried out; the game is unchanged.

    `template` is an English sentence with named places for `values`, so that it can be translated before it is
    filled in. `rule` is the first broken rule ("S8.11", "V4") or None. `choices` are what would have been possible,
    as canonical orders or names. `line` counts from 1 (None: no line), `span` is the faulty part of the line.
    """

    def __init__(
        self,
        template: str,
        *,
        rule: str | None = None,
        choices: tuple[str, ...] = (),
        line: int | None = None,
        text: str = "",
        span: tuple[int, int] | None = None,
        **values: object,
    ) -> None:
        super().__init__(template)
        self.template = template
        self.values = values
        self.rule = rule
        self.choices = choices
        self.line = line
        self.text = text
        self.span = span

    @property
    def code(self) -> str:
        """The stable name of this kind of refusal."""
        return type(self).__name__

    @property
    def message(self) -> str:
        """The English sentence, filled in."""
        return self.template.format(**self.values)

    @property
    def value(self) -> Refused:
        """The same as a value that can be kept."""
        values = {name: str(value) for name, value in self.values.items()}
        return Refused(self.code, self.template, values, self.rule, self.line, self.text, self.span, self.choices)

    def __str__(self) -> str:
        return self.message


class StaleOrders(Refusal):
    """Game orders in answer to an older position (contract 4, point 4)."""


class OrderSyntax(Refusal):
    """A line that starts as an order and cannot be read."""


class UnknownName(Refusal):
    """A name that no place or card begins with; `choices` are the nearest names."""


class AmbiguousName(Refusal):
    """A beginning that several names share; `choices` are those names."""


class NotYourDecision(Refusal):
    """Orders from a side that has nothing to decide now."""


class IllegalAction(Refusal):
    """An action that a rule forbids; always carries that rule."""
