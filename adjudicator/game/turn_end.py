"""The end of a turn: refill, penalty of variant 0, pledges, change of sides (S3.1 steps 4 and 5)."""

from collections.abc import Iterator

from adjudicator.game.actions import DiscardDrawn, Done, Lose
from adjudicator.game.chance import Chance
from adjudicator.game.draw import draw, reshuffle
from adjudicator.game.edition import Rules
from adjudicator.game.events import Drew, PenaltyPaid, Pledged, TurnEnded
from adjudicator.game.model import MustDiscard, MustLose, Pledge, Side, State, other, replace
from adjudicator.game.sieges import losable
from adjudicator.game.table import Step, Table, hands, need_in_hand, place, play, put, refuse, title
from adjudicator.game.turn_start import begin_turn, decided, pledged, siege_check, winning

HAND = 5
PENALTY_MONEY = 1
PENALTY_CARDS = 2


def check_done(t: Table, _action: Done) -> None:
    """Source: S3.1."""
    if t.state.open and t.state.open.actions_left:
        refuse("S3.1", "There are actions left: {left}.", left=t.state.open.actions_left)


def list_done(_t: Table) -> Iterator[Done]:
    """Ending the turn; it is looked for only when no action is left."""
    yield Done()


def do_done(t: Table, _action: Done, chance: Chance) -> Step:
    """Refill the hand, then the opponent is to move (S3.1 steps 4 and 5; V0, V25)."""
    missing = max(0, HAND - len(t.me.hand))
    state, drawn, events = draw(t.state, t.side, missing, chance, may_reshuffle=not t.rules.late_reshuffle)
    shuffled = state.shuffles > t.state.shuffles
    events += (Drew(t.side, len(drawn), drawn),)
    me = state.players.of(t.side)
    if t.rules.late_reshuffle and not me.deck and me.discard:
        state, event = reshuffle(state, t.side, chance)
        events += (event,)
    elif t.rules.reshuffle_penalty and shuffled:
        if me.money < PENALTY_MONEY:
            return Step(replace(state, question=MustDiscard(t.side, me.hand[-PENALTY_CARDS:])), events)
        state = put(state, t.side, replace(me, money=me.money - PENALTY_MONEY))
        events += (PenaltyPaid(t.side, PENALTY_MONEY),)
    step = next_pledge(t.rules, state)
    return Step(step.state, (*events, *step.events))


def check_penalty(t: Table, action: DiscardDrawn) -> None:
    """Source: V0."""
    need_in_hand(t, action.cards, twice="S5.6")
    wanted = min(PENALTY_CARDS, len(t.me.hand))
    number = len(action.cards)
    if number != wanted:
        refuse("V0", "{wanted} cards pay for a reshuffle, not {number}.", wanted=wanted, number=number)


def list_penalty(t: Table) -> Iterator[DiscardDrawn]:
    """Every pair of hand cards."""
    wanted = min(PENALTY_CARDS, len(t.me.hand))
    return map(DiscardDrawn, hands(t.cards, wanted, wanted))


def do_penalty(t: Table, action: DiscardDrawn, _chance: Chance) -> Step:
    """Source: V0."""
    state = play(replace(t.state, question=None), t.side, action.cards)
    step = next_pledge(t.rules, state)
    return Step(step.state, (PenaltyPaid(t.side, 0, action.cards), *step.events))


def next_pledge(rules: Rules, state: State) -> Step:
    """Ask for the card of the next siege that the opponent is going to win; when none is left, change sides.

    Source: S3.1 step 5.
    """
    side = state.to_move
    assert side
    foe = other(side)
    if decided(rules, state, foe) is None:
        for attacker, siege in winning(state, foe):
            if losable(siege, attacker, side) and pledged(state, side, attacker) is None:
                return Step(replace(state, question=MustLose(side, attacker, siege.location)))
    return _change_sides(rules, state, side)


def _change_sides(rules: Rules, state: State, side: Side) -> Step:
    """The border of two turns; if the next turn's start ends the game unasked, it ends here (S15.4, S8.12)."""
    ended = TurnEnded(side, state.turn)
    state = replace(state, to_move=other(side), turn=state.turn + 1, open=None)
    begun = begin_turn(rules, state)
    return Step(state, (ended,)) if begun.state.to_move else Step(begun.state, (ended, *begun.events))


def check_lose(t: Table, action: Lose) -> None:
    """Source: S8.14."""
    question = t.state.question
    assert isinstance(question, MustLose)
    if action not in list(list_lose(t)):
        refuse(
            "S8.14",
            "{card} cannot be given up with the siege of {target}.",
            card=title(t.side, action.card),
            target=place(action.target),
        )


def list_lose(t: Table) -> Iterator[Lose]:
    """Every card that can be named."""
    question = t.state.question
    assert isinstance(question, MustLose)
    siege = t.state.sieges.of(question.siege)
    assert siege
    for card in losable(siege, question.siege, t.side):
        yield Lose(question.location, card)


def do_lose(t: Table, action: Lose, _chance: Chance) -> Step:
    """Name the card for a siege; secret until the siege is resolved (S3.1 step 5)."""
    question = t.state.question
    assert isinstance(question, MustLose)
    pledges = t.state.pledged or {}
    others = (pledge for pledge in pledges.get(t.side, ()) if pledge.siege != question.siege)
    mine = (*others, Pledge(question.siege, action.card))
    state = replace(t.state, question=None, pledged={**pledges, t.side: mine})
    event = Pledged(t.side, action.target, action.card)
    # The loser is asked at the end of his own turn; a position without pledges asks him in the siege check.
    step = next_pledge(t.rules, state) if t.side == state.to_move else siege_check(t.rules, state)
    return Step(step.state, (event, *step.events))
