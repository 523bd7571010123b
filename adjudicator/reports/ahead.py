"""What a player is told of his orders that are not for now: those sent ahead, and those under conditions."""

import msgspec

from adjudicator.errors import Refused


class Ahead(msgspec.Struct, frozen=True, omit_defaults=True):
    """Orders that wait for their time, and what became of those whose time has come.

    `waiting` are for the next turn, `after_answer` for as soon as the other side has answered. `played` were carried
    out, `dropped` were not, each with what the other side changed of what it names; `refused` was why none counted.
    `disarmed` did not count, each with why: its condition failed. `to_confirm`: nothing is done before he says yes;
    `unconfirmed` are those of which an earlier mail asked that. `ends_turn`: what is foretold would end the turn.
    """

    waiting: tuple[str, ...] = ()
    after_answer: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    refused: tuple[Refused, ...] = ()
    not_tried: tuple[str, ...] = ()
    disarmed: tuple[tuple[str, str], ...] = ()
    to_confirm: bool = False
    unconfirmed: tuple[str, ...] = ()
    ends_turn: bool = False

    def told(self) -> dict[str, object]:
        """The same as plain values."""
        plain: dict[str, object] = {name: getattr(self, name) for name in self.__struct_fields__}
        return {**plain, "refused": [msgspec.to_builtins(one) for one in self.refused]}
