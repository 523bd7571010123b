"""How the lines of a player's mail were taken, one by one: what an answer tells so that nothing is misread silently."""

import msgspec

Lines = tuple[tuple[int, str], ...]
"""Pairs of a line's number in the mail and a text."""


class Heard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of each line.

    `understood` are orders carried out, in canonical form, and whatever else had effect; `left` could be read and had
    no effect; `ignored` is prose. `quoted` and `signed` count the lines that were skipped as quotes and signatures.
    What was refused is told by the answer itself.
    """

    understood: Lines = ()
    left: Lines = ()
    ignored: Lines = ()
    quoted: int = 0
    signed: int = 0

    def told(self) -> dict[str, object]:
        """The same as plain values, without blank lines."""
        named = {"understood": self.understood, "left": self.left, "ignored": self.ignored}
        lines = {
            name: [{"line": number, "text": text} for number, text in pairs if text.strip()]
            for name, pairs in named.items()
        }
        return {**lines, "quoted": self.quoted, "signed": self.signed}
