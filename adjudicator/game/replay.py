"""Replaying a record: the engine plays every turn again, and every state is compared with the recorded one.

Promise: whatever a record says, the answer is a list of mismatches, never an exception. Chance comes from
the record. After a mismatch of states the replay goes on from the recorded one, so that one fault is told
once; an action that is not legal ends it.
"""

from itertools import zip_longest

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game import events
from adjudicator.game.chance import Chance
from adjudicator.game.compare import Difference, differing_results, differing_states, differing_turns
from adjudicator.game.edition import Rules
from adjudicator.game.export import Redealt
from adjudicator.game.model import State, replace
from adjudicator.game.position import check_position, surplus
from adjudicator.game.record import Record, Turn, rules_of
from adjudicator.game.scoring import scores
from adjudicator.game.turn_play import Move, Setting, Stop, TurnPlay

__all__ = ["Mismatch", "Move", "Replay", "replay"]

UNPLAYED = ("resignation", "time", "agreement", "decision", "void")
"""Reasons that come from outside the rules: the engine does not end such a game."""


class Mismatch(msgspec.Struct, frozen=True):
    """One difference: turn (0: before the first), place in it, what the record says, what the engine says."""

    turn: int
    path: str
    recorded: object
    played: object

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.path}: recorded {self.recorded!r}, played {self.played!r}"


class Replay(msgspec.Struct, frozen=True):
    """What a replay found: turns played, mismatches, the moves, and the last state (unended if resigned).

    `redeals` are the decks that an undo has shuffled anew, each with the number of moves before it.
    """

    turns: int
    mismatches: tuple[Mismatch, ...]
    moves: tuple[Move, ...]
    state: State
    redeals: tuple[tuple[int, Redealt], ...] = ()


def replay(record: Record, chance: Chance | None = None) -> Replay:
    """Play a record again and compare every state; with `chance` every shuffle is compared as well.

    Raises:
        UsageError: the record names unknown variants or switches.
    """
    return _Player(record, rules_of(record), chance).run()


class _Player:
    """Plays one record: the state so far and what was found."""

    def __init__(self, record: Record, rules: Rules, chance: Chance | None) -> None:
        self.record = record
        self.setting = Setting(rules, record.home_support == "front", chance)
        self.state = record.start
        self.found: list[Mismatch] = []
        self.moves: list[Move] = []
        self.redeals: list[tuple[int, Redealt]] = []
        self.over: events.GameOver | None = None
        self.number = 0

    def run(self) -> Replay:
        """Play all turns, up to the first that cannot be played."""
        turns = self.record.turns
        played = 0
        try:
            for turn, following in zip_longest(turns, turns[1:]):
                self.number = turn.n
                self._turn(turn, following)
                played += 1
            self._result()
        except Stop as stop:
            self.note(stop.difference)
        return Replay(played, tuple(self.found), tuple(self.moves), self.state, tuple(self.redeals))

    def note(self, difference: Difference) -> None:
        """Keep a difference of the turn that is played."""
        self.found.append(Mismatch(self.number, *difference))

    def _turn(self, turn: Turn, following: Turn | None) -> None:
        """Play one turn and compare what is written of it."""
        if (self.state.to_move, self.state.turn) != (turn.side, turn.n):
            ours = f"turn {self.state.turn}, {self.state.to_move or 'nobody'} to move"
            raise Stop("side", f"turn {turn.n}, {turn.side} to move", ours)
        play = TurnPlay(self.setting, self.state, turn, following)
        try:
            play.run()
        finally:
            self.state = play.state
            self.redeals += [(len(self.moves) + place, redeal) for place, redeal in play.redealt]
            self.moves += play.moves
            for difference in play.found:
                self.note(difference)
        written = play.recorder.turn(self.state)
        for difference in differing_turns(turn, written):
            self.note(difference)
        if isinstance(play.recorder.ended, events.GameOver):
            self.over = play.recorder.ended
        self._compare(turn.after)

    def _compare(self, recorded: State) -> None:
        """Compare the state after a turn; go on from the recorded one if it is another."""
        found = list(differing_states(recorded, self.state))
        for path, one, two in found:
            self.note(Difference(f"after.{path}", one, two))
        if found:
            try:
                check_position(self.setting.rules, recorded)
            except UsageError as error:
                raise Stop("after", str(error), "a position that can be") from None
            if more := surplus(self.setting.rules, recorded):
                raise Stop("after", more[0], "a position that can be")
            self.state = replace(
                recorded,
                pledged=recorded.pledged or self.state.pledged,
                french_have_besieged=recorded.french_have_besieged or self.state.french_have_besieged,
                shuffles=recorded.shuffles or self.state.shuffles,
            )

    def _result(self) -> None:
        """Compare how the game ended, and the points."""
        result = self.record.result
        if result is None or result.reason in UNPLAYED:
            if self.over:
                self.note(Difference("result", result and result.reason, self.over.reason))
            elif result and result.scores and result.scores != scores(self.state):
                self.note(Difference("result.scores", result.scores, scores(self.state)))
        elif self.over is None:
            self.note(Difference("result", result.reason, "the game is not over"))
        else:
            for difference in differing_results(result, self.over):
                self.note(difference)
