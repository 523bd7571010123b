"""The best way to spend a turn that the heuristic player finds: a beam of short sequences of orders.

The work is bounded by counts and never by the clock, so that the same position and seed give the same orders.
"""

import msgspec

from adjudicator.game import facts
from adjudicator.game.actions import Action, Ambush, IndianLeader, NoBlock, Pass, Priest, Raid
from adjudicator.game.engine import apply, legal_actions
from adjudicator.game.events import GameOver
from adjudicator.game.model import Side, State, other, replace
from adjudicator.game.raids import AMBUSHERS
from adjudicator.players.candidates import worth_a_thought
from adjudicator.players.chances import at_least_one, holds
from adjudicator.players.compose import Thought
from adjudicator.players.values import CARD_VALUE
from adjudicator.players.worth import WON, worth

BEAM = 5
DEEPEST = 4
ACTION_VALUE = 0.8
"""What an action that is left is worth: about what taking money brings."""
TASTE = 0.1
NATIVE_GAIN = 1.4


class Path(msgspec.Struct, frozen=True):
    """Orders one after the other, where they lead, and what that looks like. `closed`: something is revealed now."""

    actions: tuple[Action, ...]
    state: State
    value: float
    closed: bool = False


def best_path(thought: Thought) -> Path:
    """The best of the sequences that use the turn up, or that come to a reveal."""
    start = Path((), thought.state, 0.0)
    beam, finished = [start], [_spent(thought, start)]
    for _ in range(DEEPEST):
        grown = [longer for path in beam for longer in _grown(thought, path)]
        finished += [path for path in grown if path.closed or not _left(path.state)]
        beam = _best([path for path in grown if not path.closed])
        if not beam:
            break
    return max(finished, key=lambda path: path.value)


def _left(state: State) -> int:
    return state.open.actions_left if state.open else 0


def _spent(thought: Thought, path: Path) -> Path:
    """The same with nothing but passes to the end of the turn: never refused, seldom good."""
    state, left = path.state, _left(path.state)
    if state.open:
        state = replace(state, open=replace(state.open, actions_left=0))
    value = worth(thought.rules, state, thought.side)
    return Path((*path.actions, *([Pass()] * left)), state, value)


def _best(paths: list[Path]) -> list[Path]:
    """The best few, one for each position that they lead to."""
    found: list[Path] = []
    for path in sorted(paths, key=lambda path: -path.value):
        if all(path.state != other_path.state for other_path in found):
            found.append(path)
            if len(found) == BEAM:
                break
    return found


def _grown(thought: Thought, path: Path) -> list[Path]:
    """All sequences that are one order longer."""
    grown = []
    for action in worth_a_thought(legal_actions(thought.rules, path.state)):
        state, value = _outlook(thought, path.state, action)
        value += ACTION_VALUE * _left(state) + TASTE * thought.luck.random()
        closed = state.to_move is None or thought.reveals(path.state, action)
        grown.append(Path((*path.actions, action), state, value, closed))
    return grown


def _outlook(thought: Thought, state: State, action: Action) -> tuple[State, float]:
    """The position after an action, and its value; averaged over what the action reveals."""
    step = apply(thought.rules, state, thought.side, action, thought.chance)
    after = step.state
    if isinstance(action, Raid):
        return _raid_outlook(thought, after, action.target)
    if isinstance(action, Ambush | Priest | IndianLeader):
        after = replace(after, question=None)
        return after, worth(thought.rules, after, thought.side) + _taken(thought, after, action)
    after, over = thought.settled(after, step.events)
    if over:
        return after, _result(over, thought.side)
    return after, worth(thought.rules, after, thought.side)


def _result(over: GameOver, side: Side) -> float:
    return WON if over.winner == side else -WON


def _raid_outlook(thought: Thought, asked: State, target: str) -> tuple[State, float]:
    """A raid succeeds or is blocked; how likely that is follows from what the victim has in hand and deck together."""
    foe = other(thought.side)
    blockers = {name for name, card in facts.CARDS[foe].items() if card.blocks_raid} | {target}
    blocked = holds(asked.players.of(foe), blockers)
    through = apply(thought.rules, asked, foe, NoBlock(), thought.chance).state
    stopped = replace(asked, question=None)
    value = (1 - blocked) * worth(thought.rules, through, thought.side)
    return through, value + blocked * worth(thought.rules, stopped, thought.side)


def _taken(thought: Thought, state: State, action: Action) -> float:
    """What an ambush, a Priest or an Indian Leader brings on average."""
    foe = other(thought.side)
    them = state.players.of(foe)
    if not isinstance(action, Ambush):
        likely = 1.0 if facts.NATIVES in them.reserve else holds(them, [facts.NATIVES])
        return NATIVE_GAIN * likely
    weak = [card for card in them.hand + them.deck if facts.CARDS[foe][card].vulnerable]
    open_ones = [card for card in them.reserve if facts.CARDS[foe][card].vulnerable]
    if not weak and not open_ones:
        return 0.0
    size = len(them.hand)
    likely = 1.0 if open_ones else at_least_one(len(weak), size + len(them.deck), size)
    blockers = {name for name in AMBUSHERS if name in facts.CARDS[foe]}
    if foe == "french":
        blockers.add("militia")
    gain = min(CARD_VALUE[card] for card in (open_ones or weak))
    return (1 - holds(them, blockers)) * likely * gain
