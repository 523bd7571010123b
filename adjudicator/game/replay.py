"""Replaying a record: the engine plays every turn again, and every state is compared with the recorded one.

Promise: whatever a record says, the answer is a list of mismatches, never an exception. Chance comes from the
record (`_Script`): each draw takes index 0 of the deck, and a reshuffle puts into the new pile what the rest of the
turn draws from it, then the deck that is left after the turn. After a mismatch of states the replay goes on from
the recorded one, so that one fault is told once; an action that is not legal ends it.
"""

import msgspec

from adjudicator.errors import Refusal, UsageError
from adjudicator.game import actions, engine, events
from adjudicator.game.actions import Action
from adjudicator.game.chance import Chance
from adjudicator.game.compare import Difference, differing_results, differing_states, differing_turns
from adjudicator.game.edition import Rules
from adjudicator.game.entries import (
    EVENTS_ONLY,
    Entry,
    ExchangeEntry,
    HomeSupportEntry,
    PenaltyEntry,
    RedealEntry,
    SiegeWinEntry,
    to_action,
    to_answer,
)
from adjudicator.game.facts import HOME
from adjudicator.game.model import (
    MayExchange,
    MaySettle,
    MustDiscard,
    MustLose,
    Player,
    Question,
    Side,
    State,
    replace,
)
from adjudicator.game.position import check_position
from adjudicator.game.record import Record, Turn, rules_of
from adjudicator.game.recorder import Recorder
from adjudicator.game.scoring import scores

HOME_SUPPORT_CARDS = 3
FULL_HAND = 5
UNPLAYED = ("resignation", "time", "agreement", "decision", "void")
"""Reasons that come from outside the rules: the engine does not end such a game."""


class Mismatch(msgspec.Struct, frozen=True):
    """One difference: the turn (0: before the first), where in it, what the record says, what the engine says."""

    turn: int
    path: str
    recorded: object
    played: object

    def __str__(self) -> str:
        return f"turn {self.turn}: {self.path}: recorded {self.recorded!r}, played {self.played!r}"


class Move(msgspec.Struct, frozen=True):
    """One action or answer of a replayed game, with what came of it."""

    turn: int
    side: Side
    action: Action
    events: tuple[events.Event, ...]


class Replay(msgspec.Struct, frozen=True):
    """What a replay found: turns played, mismatches (none is what one hopes for), the moves and the last state."""

    turns: int
    mismatches: tuple[Mismatch, ...]
    moves: tuple[Move, ...]
    state: State


class _Stop(Exception):  # noqa: N818 - no error: the end of a replay
    """The replay cannot go on after this difference."""

    def __init__(self, path: str, recorded: object, played: object) -> None:
        super().__init__(path)
        self.difference = Difference(path, recorded, played)


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
        self.rules = rules
        self.chance = chance
        self.state = record.start
        self.found: list[Mismatch] = []
        self.moves: list[Move] = []
        self.over: events.GameOver | None = None
        self.number = 0

    def run(self) -> Replay:
        """Play all turns, up to the first that cannot be played."""
        turns = self.record.turns
        played = 0
        try:
            for turn, following in zip(turns, (*turns[1:], None), strict=True):
                self.number = turn.n
                self._turn(turn, following)
                played += 1
            self._result()
        except _Stop as stop:
            self._note(stop.difference)
        return Replay(played, tuple(self.found), tuple(self.moves), self.state)

    def _note(self, difference: Difference) -> None:
        self.found.append(Mismatch(self.number, *difference))

    def _turn(self, turn: Turn, following: Turn | None) -> None:
        """Play one turn and compare what is written of it."""
        if (self.state.to_move, self.state.turn) != (turn.side, turn.n):
            ours = f"turn {self.state.turn}, {self.state.to_move or 'nobody'} to move"
            raise _Stop("side", f"turn {turn.n}, {turn.side} to move", ours)
        play = _Turn(self, turn, following)
        play.run()
        written = play.recorder.turn(self.state)
        for difference in differing_turns(turn, written):
            self._note(difference)
        if isinstance(play.recorder.ended, events.GameOver):
            self.over = play.recorder.ended
        self._compare(turn.after)

    def _compare(self, recorded: State) -> None:
        """Compare the state after a turn; go on from the recorded one if it is another."""
        found = list(differing_states(recorded, self.state))
        for path, one, two in found:
            self._note(Difference(f"after.{path}", one, two))
        if found:
            try:
                check_position(self.rules, recorded)
            except UsageError as error:
                raise _Stop("after", str(error), "a position that can be") from None
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
                self._note(Difference("result", result and result.reason, self.over.reason))
            elif result and result.scores and result.scores != scores(self.state):
                self._note(Difference("result.scores", result.scores, scores(self.state)))
        elif self.over is None:
            self._note(Difference("result", result.reason, "the game is not over"))
        else:
            for difference in differing_results(result, self.over):
                self._note(difference)


class _Turn:
    """Plays one turn of a record with its recorded chance and answers."""

    def __init__(self, player: _Player, turn: Turn, following: Turn | None) -> None:
        self.player = player
        self.turn = turn
        self.following = following
        self.recorder = Recorder(player.state)
        self.entry: Entry | None = None
        draws = [entry.drawn for entry in turn.actions if isinstance(entry, HomeSupportEntry | ExchangeEntry)]
        self.draws = [*draws, turn.drawn]

    def run(self) -> None:
        """Undo's shuffles, the start of the turn, its actions, its end."""
        redeals = [entry for entry in self.turn.actions if isinstance(entry, RedealEntry)]
        orders = [entry for entry in self.turn.actions if not isinstance(entry, EVENTS_ONLY)]
        waiting = len(redeals) == len(self.turn.actions) and self.turn.after.turn == self.turn.n
        begun = waiting and self.turn.after.open is None
        for entry in orders:
            if not begun and not isinstance(entry, RedealEntry):
                self._begin()
                begun = True
            self._order(entry)
        self.entry = None
        if not begun:
            self._begin()
        if self.player.state.to_move and not self._unfinished():
            self._end()

    def _unfinished(self) -> bool:
        """Whether the record breaks off within this turn (a running game, or a resignation)."""
        after, question = self.turn.after, self.turn.after.question
        refilled = isinstance(question, MustLose | MustDiscard) and question.to == self.turn.side
        return after.turn == self.turn.n and after.to_move is not None and not refilled

    def _begin(self) -> None:
        step = engine.begin(self.player.rules, self.player.state)
        self.recorder.feed(None, step.events)
        self.player.state = step.state
        self._answer_all()

    def _order(self, entry: Entry) -> None:
        """Play one entry and the answers that belong to it."""
        self.entry = entry
        if isinstance(entry, RedealEntry):
            self._redeal(entry)
            return
        action = to_action(entry)
        assert action
        if isinstance(entry, HomeSupportEntry):
            self._turn_deck()
        self._apply(self.turn.side, action)
        self._answer_all()

    def _end(self) -> None:
        """Refill and answer the questions that follow; without the refill where the record skipped it."""
        if not self.turn.refill_skipped:
            self._apply(self.turn.side, actions.Done())
        else:
            hand = self._me().hand
            self._put(replace(self._me(), hand=hand + (HOME[self.turn.side],) * FULL_HAND))
            self._apply(self.turn.side, actions.Done())
            self._put(replace(self._me(), hand=hand))
        self._answer_all()

    def _apply(self, side: Side, action: Action) -> None:
        """Apply one action; a refusal is a mismatch that ends the replay."""
        player, before = self.player, self.player.state
        draws = isinstance(action, actions.HomeSupport | actions.Exchange | actions.Done)
        try:
            step = engine.apply(player.rules, before, side, action, self._shuffle)
        except Refusal as refusal:
            said = msgspec.to_builtins(self.entry or action)
            raise _Stop("actions", said, f"{refusal.rule}: {refusal}") from None
        if draws:
            del self.draws[:1]
        self.recorder.feed(action, step.events)
        player.moves.append(Move(self.turn.n, side, action, step.events))
        player.state = step.state

    def _answer_all(self) -> None:
        """Answer what is asked as the record says; a question without a recorded answer stays open."""
        while (question := self.player.state.question) is not None:
            answer = self._answer(question)
            if answer is None:
                return
            self._apply(question.to, answer)

    def _answer(self, question: Question) -> Action | None:
        """Return the recorded answer to a question, None if there is none."""
        match question:
            case MustLose(to=side, siege=siege, location=location):
                card = self._loss(side, siege)
                return actions.Lose(location, card) if card else None
            case MayExchange() if self.turn.after.question != question:
                chosen = self._find(question, ExchangeEntry)
                return chosen or actions.NoExchange()
            case MustDiscard():
                return self._find(question, PenaltyEntry)
            case MaySettle() if self.entry is None:
                return self._find(question, SiegeWinEntry)
            case _:
                return to_answer(self.entry, question) if self.entry else None

    def _find(self, question: Question, kind: type[Entry]) -> Action | None:
        """Return the answer in this turn's entry of a kind; for a place to settle, the entry of that place."""
        for entry in self.turn.actions:
            if isinstance(entry, kind):
                if isinstance(question, MaySettle) and entry.target != question.location:  # type: ignore[union-attr]
                    continue
                return to_answer(entry, question)
        return None

    def _loss(self, side: Side, siege: Side) -> str | None:
        """Return the card that a side gives up with a siege: pledged, or as the siege check tells it."""
        if side == self.turn.side:
            for pledge in self.turn.pledged_losses:
                if pledge.siege == siege:
                    return pledge.card
        told = self.following if side == self.turn.side else self.turn
        for entry in told.actions if told else ():
            if isinstance(entry, SiegeWinEntry) and entry.siege == siege:
                return entry.loser_returned_card
        return None

    def _shuffle(self, number: int, pile: tuple[str, ...]) -> tuple[str, ...]:
        """Return the pile in the order that the record tells: what is still drawn from it, then the deck left."""
        left = list(self.draws[0]) if self.draws else []
        for card in self._me().deck:
            if card in left:
                left.remove(card)
        later = [card for drawn in self.draws[1:] for card in drawn]
        deck = self.turn.after.players.of(self.turn.side).deck
        order = (*left, *later, *deck)[: len(pile)]
        if sorted(order) != sorted(pile):
            raise _Stop("reshuffled", order, pile)
        self._check_order(number, pile, order)
        return order

    def _check_order(self, number: int, pile: tuple[str, ...], order: tuple[str, ...]) -> None:
        """Compare a shuffle with the committed chance, if that is asked for."""
        if self.player.chance:
            real = self.player.chance(number, tuple(sorted(pile)))
            if real != order:
                self.player._note(Difference(f"shuffle {number}", order, real))

    def _redeal(self, entry: RedealEntry) -> None:
        """Take over a deck that an undo has shuffled anew."""
        state = self.player.state
        owner = state.players.of(entry.side)
        if sorted(owner.deck) != sorted(entry.deck):
            raise _Stop("actions", msgspec.to_builtins(entry), f"the deck holds {sorted(owner.deck)}")
        self._check_order(entry.number, owner.deck, entry.deck)
        self.recorder.redealt(entry.side, entry.number, entry.deck)
        players = state.players.put(entry.side, replace(owner, deck=entry.deck))
        self.player.state = replace(state, players=players, shuffles=entry.number + 1)

    def _turn_deck(self) -> None:
        """Bring the cards for Home Support to the front, where a record draws them from the other end."""
        player = self.player
        if player.record.home_support == "front" or player.rules.home_support_reshuffles:
            return
        deck = self._me().deck
        end = deck[-HOME_SUPPORT_CARDS:]
        self._put(replace(self._me(), deck=(*reversed(end), *deck[: len(deck) - len(end)])))

    def _me(self) -> Player:
        return self.player.state.players.of(self.turn.side)

    def _put(self, me: Player) -> None:
        state = self.player.state
        self.player.state = replace(state, players=state.players.put(self.turn.side, me))
