"""One turn of a record, played by the engine with the recorded chance and answers.

Each draw takes index 0 of the deck; a reshuffle puts into the new pile what the rest of the turn draws from
it, then the deck that is left after the turn.
"""

import msgspec

from adjudicator.errors import Refusal
from adjudicator.game import actions, engine, events
from adjudicator.game.actions import Action
from adjudicator.game.chance import Chance
from adjudicator.game.compare import Difference
from adjudicator.game.edition import Rules
from adjudicator.game.entries import (
    EVENTS_ONLY,
    Entry,
    ExchangeEntry,
    HomeSupportEntry,
    RedealEntry,
    SiegeWinEntry,
)
from adjudicator.game.export import Redealt
from adjudicator.game.facts import HOME
from adjudicator.game.model import (
    MayBlock,
    MayExchange,
    MustDiscard,
    MustGive,
    MustLose,
    Player,
    Question,
    Side,
    State,
    replace,
)
from adjudicator.game.record import Turn
from adjudicator.game.recorder import Recorder
from adjudicator.game.told import to_action, to_answer

HOME_SUPPORT_CARDS = 3
FULL_HAND = 5


class Move(msgspec.Struct, frozen=True):
    """One action or answer of a replayed game, with what came of it."""

    turn: int
    side: Side
    action: Action
    events: tuple[events.Event, ...]


class Setting(msgspec.Struct, frozen=True):
    """What is the same for all turns: rules, whether Home Support draws in front, chance to compare with."""

    rules: Rules
    front: bool
    chance: Chance | None


class Stop(Exception):  # noqa: N818 - no error: the end of a replay
    """The replay cannot go on after this difference."""

    def __init__(self, path: str, recorded: object, played: object) -> None:
        super().__init__(path)
        self.difference = Difference(path, recorded, played)


class TurnPlay:
    """Plays one turn of a record; afterwards `state`, `moves` and `recorder` tell what was played.

    `found` are shuffles that differ from the committed ones; `redealt` those of an undo, after so many of the moves.
    """

    def __init__(self, setting: Setting, state: State, turn: Turn, following: Turn | None) -> None:
        self.setting = setting
        self.state = state
        self.turn = turn
        self.following = following
        self.recorder = Recorder(state)
        self.moves: list[Move] = []
        self.found: list[Difference] = []
        self.entry: Entry | None = None
        draws = [entry.drawn for entry in turn.actions if isinstance(entry, HomeSupportEntry | ExchangeEntry)]
        self.draws = [*draws, turn.drawn]
        self.redeals = [entry for entry in turn.actions if isinstance(entry, RedealEntry)]
        self.redealt: list[tuple[int, Redealt]] = []
        self.begun = False

    def run(self) -> None:
        """Play the start of the turn, its actions and its end; undo's shuffles where they stand."""
        for entry in self.turn.actions:
            self._redeal_due()
            if isinstance(entry, RedealEntry):
                continue
            self._begin()
            if not isinstance(entry, EVENTS_ONLY):
                self._order(entry)
        self.entry = None
        self._redeal_due()
        if not self._unfinished():
            self._begin()
            if self.state.to_move and not self.state.question:
                self._end()

    def _unfinished(self) -> bool:
        """Whether the record breaks off within this turn (a running game, or a resignation)."""
        after, question = self.turn.after, self.turn.after.question
        refilled = isinstance(question, MustLose | MustDiscard) and question.to == self.turn.side
        return after.turn == self.turn.n and after.to_move is not None and not refilled

    def _begin(self) -> None:
        """Play the start of the turn if it has not been played."""
        if self.begun:
            return
        self.begun = True
        step = engine.begin(self.setting.rules, self.state)
        self.recorder.feed(None, step.events)
        self.state = step.state
        self._answer_all()

    def _order(self, entry: Entry) -> None:
        """Play one entry and the answers that belong to it."""
        self.entry = entry
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
        self._redeal_due()

    def _apply(self, side: Side, action: Action) -> None:
        """Apply one action; a refusal is a mismatch that ends the replay."""
        draws = isinstance(action, actions.HomeSupport | actions.Exchange | actions.Done)
        try:
            step = engine.apply(self.setting.rules, self.state, side, action, self._shuffle)
        except Refusal as refusal:
            said = msgspec.to_builtins(self.entry or action)
            raise Stop("actions", said, f"{refusal.rule}: {refusal}") from None
        if draws:
            del self.draws[:1]
        self.recorder.feed(action, step.events)
        self.moves.append(Move(self.turn.n, side, action, step.events))
        self.state = step.state

    def _answer_all(self) -> None:
        """Answer what is asked as the record says; a question without a recorded answer stays open.

        A shuffle of an undo that stands next comes before the answer: the answer may lead to the next entry.
        """
        while (question := self.state.question) is not None:
            self._redeal_due()
            answer = self._answer(question)
            if answer is None:
                return
            self._apply(question.to, answer)

    def _answer(self, question: Question) -> Action | None:
        """Return the recorded answer to a question, None if there is none."""
        later = self.turn.after.question
        match question:
            case MustLose(to=side, siege=siege, location=location):
                card = self._loss(side, siege)
                return actions.Lose(location, card) if card else None
            case MayExchange() if later != question:
                return self._told(question) or actions.NoExchange()
            case MayBlock(to=side, attack="ambush") if later == MustGive(side, "ambush"):
                return self._told(question) or actions.NoBlock()
            case _:
                return self._told(question)

    def _told(self, question: Question) -> Action | None:
        """Return the answer that the entry of the last order tells, or in its place one that is no order."""
        if self.entry:
            return to_answer(self.entry, question)
        told = (to_answer(entry, question) for entry in self.turn.actions if isinstance(entry, EVENTS_ONLY))
        return next((answer for answer in told if answer), None)

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
        """Return the pile in the recorded order: what is still drawn from it, then the deck that is left."""
        left = list(self.draws[0]) if self.draws else []
        for card in self._me().deck:
            if card in left:
                left.remove(card)
        later = [card for drawn in self.draws[1:] for card in drawn]
        deck = self.turn.after.players.of(self.turn.side).deck
        order = (*left, *later, *deck)[: len(pile)]
        if sorted(order) != sorted(pile):
            raise Stop("reshuffled", order, pile)
        # An undo later in this turn has changed the order of what is left: then only these draws are known.
        known = len(left) if self.redeals else len(order)
        self._check_order(number, pile, order[:known])
        return order

    def _check_order(self, number: int, pile: tuple[str, ...], order: tuple[str, ...]) -> None:
        """Compare the known beginning of a shuffle with the committed chance, if that is asked for."""
        if self.setting.chance:
            real = self.setting.chance(number, tuple(sorted(pile)))[: len(order)]
            if real != order:
                self.found.append(Difference(f"shuffle {number}", order, real))

    def _redeal_due(self) -> None:
        """Take over the undo's shuffles that stand next: before an entry that is not played yet."""
        for entry in self.turn.actions[len(self.recorder.entries) :]:
            if not isinstance(entry, RedealEntry) or (entry.after_refill and not self.recorder.refilled):
                return
            self._redeal(entry)

    def _redeal(self, entry: RedealEntry) -> None:
        """Take over a deck that an undo has shuffled anew."""
        self.redeals.remove(entry)
        state = self.state
        owner = state.players.of(entry.side)
        if sorted(owner.deck) != sorted(entry.deck):
            raise Stop("actions", msgspec.to_builtins(entry), f"the deck holds {sorted(owner.deck)}")
        if entry.number < state.shuffles:
            raise Stop("actions", msgspec.to_builtins(entry), f"shuffle {entry.number} has been used already")
        self._check_order(entry.number, owner.deck, entry.deck)
        self.recorder.redealt(entry.side, entry.number, entry.deck)
        self.redealt.append((len(self.moves), Redealt(entry.side, entry.number)))
        players = state.players.put(entry.side, replace(owner, deck=entry.deck))
        self.state = replace(state, players=players, shuffles=entry.number + 1)

    def _turn_deck(self) -> None:
        """Bring the cards for Home Support to the front, where a record draws them from the other end."""
        if self.setting.front or self.setting.rules.home_support_reshuffles:
            return
        deck = self._me().deck
        end = deck[-HOME_SUPPORT_CARDS:]
        self._put(replace(self._me(), deck=(*reversed(end), *deck[: len(deck) - len(end)])))

    def _me(self) -> Player:
        return self.state.players.of(self.turn.side)

    def _put(self, me: Player) -> None:
        self.state = replace(self.state, players=self.state.players.put(self.turn.side, me))
