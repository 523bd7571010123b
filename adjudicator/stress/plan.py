"""What the players of a recorded game mail, so that a turn costs one mail: orders, and standing orders ahead. Pure.

In the mail with which he plays a turn, a player also says how he will answer in the other side's next turn, where
what is said already, or the defaults, would not do what the record says. Only what the order language cannot say
before is answered by a mail of its own, after `ask me`.
"""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from adjudicator.game.actions import Done, Lose
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.front import script_of
from adjudicator.game.model import Side, other
from adjudicator.game.record import Record, Turn, rules_of
from adjudicator.game.replay import Move
from adjudicator.orders import NOTHING_SAID, Clause, Standing, amend, write, write_standing
from adjudicator.stress.copying import Reaction, asking, copying, uncopied, watched

replace = msgspec.structs.replace

Ahead = Literal["needed", "all", "never"]
"""Which reactions are said as standing orders: where it needs that, all, or none of them: then he asks to be asked."""


class Letter(msgspec.Struct, frozen=True):
    """Who writes, and the lines."""

    side: Side
    lines: tuple[str, ...]


class Planned(msgspec.Struct, frozen=True):
    """A turn as it is mailed, its reactions, whether they were spoken of before, and those that need a mail."""

    turn: Turn
    letters: tuple[Letter, ...]
    reactions: tuple[Reaction, ...]
    spoken: bool
    asked: tuple[Reaction, ...]


class Plan(msgspec.Struct, frozen=True):
    """A whole game as it is mailed, with the record as our games draw it and its shuffles."""

    record: Record
    chance: Chance
    turns: tuple[Planned, ...]


class Words(msgspec.Struct, frozen=True):
    """Standing orders that are said for one turn of the other side, all that hold then, and what they cannot say."""

    said: str
    standing: Standing
    asked: tuple[Reaction, ...]


def plan(record: Record, *, ahead: Ahead = "needed") -> Plan:
    """Work out what is mailed in which turn; `ahead` says which reactions are spoken of before they are due.

    Raises: UsageError if the record does not replay, or holds an undo, which no player can mail.
    """
    script = script_of(record)
    moves = [_moves(turn, ones) for turn, ones in script.turns]
    words = _words(script.record, script.chance, moves, ahead=ahead)
    return Plan(script.record, script.chance, tuple(_turns(script.record, moves, words)))


def _moves(turn: Turn, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The moves of a turn that can be mailed: not its end if the record leaves the refill out, against the rules."""
    return tuple(move for move in moves if not (turn.refill_skipped and isinstance(move.action, Done)))


def _words(
    record: Record, chance: Chance, moves: list[tuple[Move, ...]], *, ahead: Ahead
) -> list[tuple[list[Reaction], Words]]:
    """For each turn the reactions in it, and what the side that reacts says about them beforehand."""
    rules, state = rules_of(record), record.start
    standing: dict[Side, Standing] = {"british": NOTHING_SAID, "french": NOTHING_SAID}
    found = []
    for turn, ones in zip(record.turns, moves, strict=True):
        reacted, after = watched(rules, state, ones, chance)
        foe = other(turn.side)
        words = words_for(rules, foe, reacted, standing[foe], ahead=ahead)
        standing[foe] = words.standing
        found.append((reacted, words))
        state = replace(turn.after, shuffles=after.shuffles) if turn.refill_skipped else after
    return found


def words_for(rules: Rules, side: Side, found: list[Reaction], standing: Standing, *, ahead: Ahead = "needed") -> Words:
    """Return what a side says about its next reactions, on top of the standing orders that it has."""
    if not found or (ahead == "needed" and not uncopied(rules, found, standing)):
        return Words("", standing, ())
    said = NOTHING_SAID if ahead == "never" else copying(found)
    if beyond := found if ahead == "never" else uncopied(rules, found, _amended(standing, said)):
        said = _amended(said, asking(beyond))
    holds = _amended(standing, said)
    return Words(write_standing(said, side), holds, tuple(uncopied(rules, found, holds)))


def _amended(standing: Standing, said: Standing) -> Standing:
    return amend(standing, [Clause(0, "", (0, 0), said)])


def _turns(
    record: Record, moves: list[tuple[Move, ...]], words: list[tuple[list[Reaction], Words]]
) -> Iterable[Planned]:
    """Put the letters of each turn together: its orders, and in the last one what is said about the next turn."""
    ahead = [*(one.said for _, one in words[1:]), ""]
    for number, (turn, (reacted, one)) in enumerate(zip(record.turns, words, strict=True)):
        asked = {reaction.number for reaction in one.asked}
        letters = letters_of(turn, moves[number], asked, ahead[number])
        if number == 0 and one.said:
            letters = [Letter(other(turn.side), tuple(one.said.splitlines())), *letters]
        yield Planned(turn, tuple(letters), tuple(reacted), bool(one.said), one.asked)


def letters_of(turn: Turn, moves: Iterable[Move], asked: Collection[int], ahead: str) -> list[Letter]:
    """Return the letters of a turn: one, unless the other side is asked something on the way.

    `ahead` are standing orders for the next turn; they stand in the last letter that carries a move of the turn. A turn
    whose refill the record leaves out is left open.
    """
    letters: list[tuple[Side, list[str]]] = [(turn.side, [])]
    for number, move in enumerate(moves):
        if move.side != turn.side and number not in asked:
            continue
        lines = letters[-1][1]
        if move.side != letters[-1][0]:
            letters.append((move.side, [write(move.action, move.side)]))
        elif lines[-1:] == ["done"] and isinstance(move.action, Lose):
            lines.insert(-1, write(move.action, move.side))  # nothing may stand after `done`
        elif lines[-1:] == ["done"]:
            letters.append((move.side, [write(move.action, move.side)]))
        else:
            lines.append(write(move.action, move.side))
    if turn.refill_skipped:
        letters[-1][1].append("stop")
    last = next(lines for side, lines in reversed(letters) if side == turn.side)
    last[:0] = ahead.splitlines()
    return [Letter(side, tuple(lines)) for side, lines in letters if lines]
