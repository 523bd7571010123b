"""A recorded game played again by mail: the recorded orders as text, the recorded draws, every state compared.

Both players say `ask me` about everything, so each answer of the record is a mail of its own. Where a record breaks the
rules by leaving a refill out, that turn is left open and a second game begins from the recorded position.
"""

from collections.abc import Callable, Iterator
from itertools import groupby

import msgspec

from adjudicator.demo.correspondent import Correspondent
from adjudicator.demo.hall import Hall
from adjudicator.game.actions import Done
from adjudicator.game.compare import differing_states
from adjudicator.game.front import Script
from adjudicator.game.model import Side, State
from adjudicator.game.record import Position, Turn
from adjudicator.game.replay import Mismatch, Move
from adjudicator.orders import write
from adjudicator.service.start import Wish
from adjudicator.service.stored import Stored

replace = msgspec.structs.replace
Players = dict[Side, Correspondent]

ASKED = ("raid", "ambush", "priest", "siege lost", "siege won", "surrender", "reshuffle")


def bodies(moves: tuple[Move, ...]) -> Iterator[tuple[Side, str]]:
    """The mails of a turn: who writes, and the orders. Nothing stands after `done` in a mail."""
    mail = 0
    numbered = []
    for before, move in zip((None, *moves), moves, strict=False):
        if before and (before.side != move.side or isinstance(before.action, Done)):
            mail += 1
        numbered.append((mail, move.side, write(move.action, move.side)))
    for (_, side), lines in groupby(numbered, key=lambda one: one[:2]):
        yield side, "\n".join(line for _, _, line in lines)


class Again:
    """Plays a script; `found` are the mismatches, `turns` how many states were compared, `games` what was played."""

    def __init__(self, hall: Hall, script: Script, players: Players, told: Callable[[Stored], None]) -> None:
        self.hall = hall
        self.script = script
        self.players = players
        self.told = told
        self.found: list[Mismatch] = []
        self.turns = 0
        self.games: list[str] = []

    def play(self) -> None:
        """Play everything, resignation included."""
        self._begin(self.script.record.start)
        for turn, moves in self.script.turns:
            for side, body in bodies(_unended(moves) if turn.refill_skipped else moves):
                # The record says when a turn ends; by itself it would end with the answer to its last action.
                goes_on = side == turn.side and not body.endswith("done")
                self._mail(side, f"{body}\nstop" if goes_on else body)
            self._compare(turn)
            if turn.refill_skipped:
                self._begin(replace(turn.after, shuffles=self.game.state.shuffles))
        self._result()

    @property
    def game(self) -> Stored:
        """The game that is played now."""
        return self.hall.game(self.games[-1])

    def _begin(self, state: State) -> None:
        record = self.script.record
        standing = "\n".join(f"on {occasion}: ask me" for occasion in ASKED)
        position = Position(
            format="afas-position/1",
            edition=record.edition,
            variants=record.variants,
            switches=record.switches,
            state=state,
            standing={"british": standing, "french": standing},
        )
        wish = Wish(self.players["british"].address, self.players["french"].address, position=position)
        self.games.append(self.hall.start(wish))

    def _mail(self, side: Side, body: str) -> None:
        """Mail orders in answer to the newest mail and wait for what comes of it."""
        player, game = self.players[side], self.game
        player.reply(player.newest(game.row.name, game.seats[side].seq), body)
        after = self.game
        if after.row.seq == game.row.seq:
            self._note(game.state.turn, "mail", body, player.newest(game.row.name, game.seats[side].seq).subject)
        self.told(after)

    def _compare(self, turn: Turn) -> None:
        """Compare the stored state with the recorded one; a turn without its refill is still open with us."""
        state, after = self.game.state, turn.after
        if turn.refill_skipped:
            state = replace(state, to_move=after.to_move, turn=after.turn, open=None)
        self.turns += 1
        for path, recorded, played in differing_states(after, state):
            self._note(turn.n, f"after.{path}", recorded, played)

    def _result(self) -> None:
        """Resign if that is how the game ended, and compare the result."""
        result = self.script.record.result
        if result and result.reason == "resignation" and result.by:
            self._mail_resignation(result.by)
        row = self.game.row
        played = msgspec.json.decode(row.result) if row.result else {}
        if result and (result.winner, result.reason) != (played.get("winner"), played.get("reason")):
            self._note(self.turns, "result", (result.winner, result.reason), played)

    def _mail_resignation(self, side: Side) -> None:
        """Write `resign`, and `confirm` in answer to the mail that asks back."""
        player, game = self.players[side], self.game
        seq = game.seats[side].seq
        asked = player.reply(player.newest(game.row.name, seq), "resign")
        player.reply(player.answer_to(asked), "confirm")
        self.told(self.game)

    def _note(self, turn: int, path: str, recorded: object, played: object) -> None:
        self.found.append(Mismatch(turn, path, recorded, played))


def _unended(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The moves of a turn before its end."""
    return tuple(move for move in moves if not isinstance(move.action, Done))
