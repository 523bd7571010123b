"""The start of a turn: points-end check and siege check, and the answers they ask for (S3.1 steps 1, 2)."""

from collections.abc import Iterator

from adjudicator.game.actions import Exchange, NoExchange, NoSettle, SettleWon
from adjudicator.game.chance import Chance
from adjudicator.game.draw import draw
from adjudicator.game.edition import Rules
from adjudicator.game.ending import end_by_points, game_over, points_end, wins_by_siege
from adjudicator.game.events import Event, Exchanged, LeftNeutral, SettledWon, SiegeWon
from adjudicator.game.expansion import place_village
from adjudicator.game.facts import LOCATIONS
from adjudicator.game.model import (
    SIDES,
    MayExchange,
    MaySettle,
    MustLose,
    Open,
    Side,
    Siege,
    State,
    other,
    replace,
)
from adjudicator.game.siege_end import resolve
from adjudicator.game.sieges import losable
from adjudicator.game.table import (
    Step,
    Table,
    gain_location,
    need_in_hand,
    need_symbol,
    place,
    play,
    refuse,
)

ACTIONS = 2
FIRST_TURNS = 2
SIEGE_WIN_ATTACKER = 2
SIEGE_WIN_DEFENDER = -1


def actions_of(turn: int) -> int:
    """How many actions a turn has; `turn` counts both sides' turns from 1 (S3.1, S3.2)."""
    return 1 if turn <= FIRST_TURNS else ACTIONS


def winning(state: State, side: Side) -> Iterator[tuple[Side, Siege]]:
    """The sieges that `side` wins in a siege check now, British attack first, with their attackers.

    Source: S8.11 (A41).
    """
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege:
            ahead = siege.strength >= SIEGE_WIN_ATTACKER
            behind = siege.strength <= SIEGE_WIN_DEFENDER
            if ahead if attacker == side else behind:
                yield attacker, siege


def decided(rules: Rules, state: State, side: Side) -> Step | None:
    """The end of the game before the actions of `side`, if it comes now, with nothing to be answered first.

    That is a points end (no siege stands then, so which check comes first makes no difference here) or the
    siege of a capital that he wins.
    Source: S15.4, S8.12 (1).
    """
    if reason := points_end(state, side):
        return end_by_points(state, side, reason)
    if state.sieges.of(side):
        for attacker, siege in winning(state, side):
            if attacker == side and (reason := wins_by_siege(rules, state, side, siege.location)):
                return game_over(state, side, reason, side)
    return None


def begin_turn(rules: Rules, state: State) -> Step:
    """Begin the turn of the side to move: points-end check and siege check, up to the first question.

    Source: S3.1 steps 1 and 2.
    """
    side = state.to_move
    assert side
    if over := decided(rules, state, side):
        return over
    left = state.open.actions_left if state.open else actions_of(state.turn)
    if state.sieges.british is None and state.sieges.french is None:
        return Step(replace(state, open=Open(left, siege_checked=True), pledged=None))
    return siege_check(rules, replace(state, open=Open(left, siege_checked=False)))


def siege_check(rules: Rules, state: State) -> Step:
    """Resolve what the side to move has won, one siege after the other, until a question has to be answered.

    Source: S8.11 to S8.14; V5.
    """
    side = state.to_move
    assert side
    events: tuple[Event, ...] = ()
    for attacker, siege in winning(state, side):
        loser = other(side)
        loss = pledged(state, loser, attacker)
        choices = losable(siege, attacker, loser)
        if loss not in choices:
            if choices:
                return Step(replace(state, question=MustLose(loser, attacker, siege.location)), events)
            loss = None
        state, captured, over = resolve(rules, state, attacker, siege, side, loss)
        assert over is None  # `decided` has looked for it
        assert state.open
        state = replace(state, open=replace(state.open, siege_won=True))
        events += (SiegeWon(side, attacker, siege.location, loss, captured),)
        if state.question:
            return Step(state, events)
    return _after_sieges(rules, state, events)


def _after_sieges(rules: Rules, state: State, events: tuple[Event, ...]) -> Step:
    """The siege check is over: the late points-end check of S0.2, variant 5's exchange, then the actions."""
    assert state.open
    won = state.open.siege_won
    state = replace(state, open=Open(state.open.actions_left, siege_checked=True), pledged=None)
    side = state.to_move
    assert side
    if not rules.points_end_first and (reason := points_end(state, side)):
        over = end_by_points(state, side, reason)
        return Step(over.state, (*events, *over.events))
    if won and rules.french_siege_redraw and side == "french" and state.players.french.hand:
        state = replace(state, question=MayExchange("french"))
    return Step(state, events)


def pledged(state: State, side: Side, attacker: Side) -> str | None:
    """The card that a side has named for the siege of that attacker."""
    for pledge in (state.pledged or {}).get(side, ()):
        if pledge.siege == attacker:
            return pledge.card
    return None


def check_settle_won(t: Table, action: SettleWon) -> None:
    """Source: S8.12 (3), A42, A42b."""
    question = t.state.question
    assert isinstance(question, MaySettle)
    name = place(question.location)
    if not t.me.stock.villages:
        refuse("S8.12", "{place} cannot be settled: you have no village left in stock.", place=name)
    if LOCATIONS[question.location].settlers:
        if not action.settler:
            refuse("S8.12", "{place} has a settler symbol: settling it needs a settler card.", place=name)
        need_in_hand(t, (action.settler,))
        need_symbol(t, action.settler, "settlers", "S8.12")
    elif action.settler:
        refuse("S8.12", "{place} needs no settler card.", place=name)


def list_settle_won(t: Table) -> Iterator[SettleWon]:
    """Every way in which a place just won can be settled."""
    question = t.state.question
    assert isinstance(question, MaySettle)
    if t.me.stock.villages:
        if LOCATIONS[question.location].settlers:
            yield from map(SettleWon, t.symbols["settlers"])
        else:
            yield SettleWon()


def do_settle_won(t: Table, action: SettleWon, _chance: Chance) -> Step:
    """Source: S8.12 (3)."""
    question = t.state.question
    assert isinstance(question, MaySettle)
    state = replace(t.state, question=None)
    if action.settler:
        state = play(state, t.side, (action.settler,))
    state = place_village(state, t.side, question.location)
    state, gained = gain_location(state, t.side, question.location)
    event = SettledWon(t.side, question.location, action.settler, gained)
    return _go_on(t.rules, state, event)


def do_no_settle(t: Table, _action: NoSettle, _chance: Chance) -> Step:
    """The place stays neutral."""
    question = t.state.question
    assert isinstance(question, MaySettle)
    return _go_on(t.rules, replace(t.state, question=None), LeftNeutral(t.side, question.location))


def _go_on(rules: Rules, state: State, event: Event) -> Step:
    """Resume the siege check if the question came from it."""
    if state.open is None or state.open.siege_checked:
        return Step(state, (event,))
    step = siege_check(rules, state)
    return Step(step.state, (event, *step.events))


def check_exchange(t: Table, action: Exchange) -> None:
    """Source: V5."""
    need_in_hand(t, (action.card,))


def list_exchange(t: Table) -> Iterator[Exchange]:
    """Every card that variant 5 may exchange."""
    return map(Exchange, t.hand)


def do_exchange(t: Table, action: Exchange, chance: Chance) -> Step:
    """Source: V5."""
    state = play(replace(t.state, question=None), t.side, (action.card,))
    state, drawn, events = draw(state, t.side, 1, chance, may_reshuffle=True)
    return Step(state, (*events, Exchanged(t.side, action.card, drawn)))


def do_no_exchange(t: Table, _action: NoExchange, _chance: Chance) -> Step:
    """Keep the hand."""
    return Step(replace(t.state, question=None))
