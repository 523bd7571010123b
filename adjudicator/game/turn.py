"""The steps of a turn around its actions: points-end and siege check before, refill and pledges after (S3.1)."""

from collections.abc import Iterator

from adjudicator.game.actions import (
    DiscardDrawn,
    Done,
    Exchange,
    Lose,
    NoExchange,
    NoSettle,
    SettleWon,
)
from adjudicator.game.chance import Chance
from adjudicator.game.draw import draw, reshuffle
from adjudicator.game.edition import Rules
from adjudicator.game.ending import end_by_points, game_over, points_end, wins_by_siege
from adjudicator.game.events import (
    Drew,
    Event,
    Exchanged,
    LeftNeutral,
    PenaltyPaid,
    Pledged,
    SettledWon,
    SiegeWon,
    TurnEnded,
)
from adjudicator.game.expansion import place_village
from adjudicator.game.facts import LOCATIONS
from adjudicator.game.model import (
    SIDES,
    MayExchange,
    MaySettle,
    MustDiscard,
    MustLose,
    Open,
    Pledge,
    Side,
    Siege,
    State,
    other,
    replace,
)
from adjudicator.game.sieges import losable, resolve
from adjudicator.game.table import (
    Step,
    Table,
    gain_location,
    hands,
    need_in_hand,
    need_symbol,
    place,
    play,
    put,
    refuse,
    title,
)

ACTIONS = 2
FIRST_TURNS = 2
HAND = 5
SIEGE_WIN_ATTACKER = 2
SIEGE_WIN_DEFENDER = -1
PENALTY_CARDS = 2


def actions_of(turn: int) -> int:
    """How many actions a turn has; `turn` counts both sides' turns from 1 (S3.1, S3.2)."""
    return 1 if turn <= FIRST_TURNS else ACTIONS


# The start of a turn


def winning(state: State, side: Side) -> Iterator[tuple[Side, Siege]]:
    """The sieges that `side` wins in a siege check now, British attack first, with their attackers (S8.11)."""
    for attacker in SIDES:
        siege = state.sieges.of(attacker)
        if siege:
            ahead = siege.strength >= SIEGE_WIN_ATTACKER
            behind = siege.strength <= SIEGE_WIN_DEFENDER
            if ahead if attacker == side else behind:
                yield attacker, siege


def decided(rules: Rules, state: State, side: Side, *, points: bool) -> Step | None:
    """The end of the game before the turn of `side`, if it comes now: by points, or by winning a capital's siege.

    Source: S15.4 (the points end only if `points`), S8.12 (1).
    """
    if points and (reason := points_end(state, side)):
        return end_by_points(state, side, reason)
    for attacker, siege in winning(state, side):
        if attacker == side and (reason := wins_by_siege(rules, state, side, siege.location)):
            return game_over(state, side, reason, side)
    return None


def begin(rules: Rules, state: State) -> Step:
    """Begin the turn of the side to move: points-end check and siege check, up to the first question.

    Source: S3.1 steps 1 and 2.
    """
    side = state.to_move
    assert side
    if over := decided(rules, state, side, points=rules.points_end_first):
        return over
    left = state.open.actions_left if state.open else actions_of(state.turn)
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
    """The siege check is over: variant 5's exchange, then the actions."""
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


# The answers


def check_settle_won(t: Table, action: SettleWon) -> None:
    """Source: S8.12 (3), A42, A42b."""
    question = t.state.question
    if not isinstance(question, MaySettle):
        refuse("S8.12", "There is no place just won to settle.")
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


def list_settle_won(t: Table) -> Iterator[SettleWon | NoSettle]:
    """Every answer to the question whether a place just won is settled."""
    yield NoSettle()
    question = t.state.question
    if isinstance(question, MaySettle) and t.me.stock.villages:
        if LOCATIONS[question.location].settlers:
            yield from map(SettleWon, t.showing("settlers"))
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


def check_lose(t: Table, action: Lose) -> None:
    """Source: S8.14."""
    question = t.state.question
    if not isinstance(question, MustLose):
        refuse("S8.14", "There is no siege to lose a card with.")
    if action not in list(list_lose(t)):
        refuse("S8.14", "{card} cannot be given up with this siege.", card=title(t.side, action.card))


def list_lose(t: Table) -> Iterator[Lose]:
    """Every card that can be named."""
    question = t.state.question
    if isinstance(question, MustLose):
        siege = t.state.sieges.of(question.siege)
        assert siege
        for card in losable(siege, question.siege, t.side):
            yield Lose(question.location, card)


def do_lose(t: Table, action: Lose, _chance: Chance) -> Step:
    """Name the card for a siege; secret until the siege is resolved (S3.1 step 5)."""
    question = t.state.question
    assert isinstance(question, MustLose)
    pledges = t.state.pledged or {}
    mine = (*pledges.get(t.side, ()), Pledge(question.siege, action.card))
    state = replace(t.state, question=None, pledged={**pledges, t.side: mine})
    event = Pledged(t.side, action.target, action.card)
    # The loser is asked at the end of his own turn; a position without pledges asks him in the siege check.
    step = next_pledge(t.rules, state) if t.side == state.to_move else siege_check(t.rules, state)
    return Step(step.state, (event, *step.events))


def check_exchange(t: Table, action: Exchange) -> None:
    """Source: V5."""
    if not isinstance(t.state.question, MayExchange):
        refuse("V5", "There is no card to exchange.")
    need_in_hand(t, (action.card,))


def list_exchange(t: Table) -> Iterator[Exchange | NoExchange]:
    """Every answer to variant 5's offer."""
    yield NoExchange()
    yield from map(Exchange, t.hand)


def do_exchange(t: Table, action: Exchange, chance: Chance) -> Step:
    """Source: V5."""
    state = play(replace(t.state, question=None), t.side, (action.card,))
    state, drawn, events = draw(state, t.side, 1, chance, may_reshuffle=True)
    return Step(state, (*events, Exchanged(t.side, action.card, drawn)))


def do_no_exchange(t: Table, _action: NoExchange, _chance: Chance) -> Step:
    """Keep the hand."""
    return Step(replace(t.state, question=None))


# The end of a turn


def check_done(t: Table, _action: Done) -> None:
    """Source: S3.1."""
    if t.state.open and t.state.open.actions_left:
        refuse("S3.1", "There are actions left: {left}.", left=t.state.open.actions_left)


def list_done(_t: Table) -> Iterator[Done]:
    """Ending the turn."""
    yield Done()


def do_done(t: Table, _action: Done, chance: Chance) -> Step:
    """Refill the hand, then the opponent is to move (S3.1 steps 4 and 5)."""
    missing = max(0, HAND - len(t.me.hand))
    state, drawn, events = draw(t.state, t.side, missing, chance, may_reshuffle=not t.rules.late_reshuffle)
    events += (Drew(t.side, len(drawn), drawn),)
    me = state.players.of(t.side)
    shuffled = state.shuffles > t.state.shuffles
    if t.rules.late_reshuffle and not me.deck and me.discard:
        state, event = reshuffle(state, t.side, chance)
        events += (event,)
    elif t.rules.reshuffle_penalty and shuffled:
        if not me.money:
            drawn_last = me.hand[-PENALTY_CARDS:]
            return Step(replace(state, question=MustDiscard(t.side, drawn_last)), events)
        state = put(state, t.side, replace(me, money=me.money - 1))
        events += (PenaltyPaid(t.side, 1),)
    step = next_pledge(t.rules, state)
    return Step(step.state, (*events, *step.events))


def check_penalty(t: Table, action: DiscardDrawn) -> None:
    """Source: V0."""
    if not isinstance(t.state.question, MustDiscard):
        refuse("V0", "There is no reshuffle to pay for.")
    need_in_hand(t, action.cards)
    wanted = min(PENALTY_CARDS, len(t.me.hand))
    if len(action.cards) != wanted:
        refuse(
            "V0", "{wanted} cards pay for a reshuffle, not {number}.", wanted=wanted, number=len(action.cards)
        )


def list_penalty(t: Table) -> Iterator[DiscardDrawn]:
    """Every pair of hand cards."""
    wanted = min(PENALTY_CARDS, len(t.me.hand))
    return map(DiscardDrawn, hands(t.me.hand, wanted, wanted))


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
    if decided(rules, state, foe, points=False) is None:
        for attacker, siege in winning(state, foe):
            if losable(siege, attacker, side) and pledged(state, side, attacker) is None:
                return Step(replace(state, question=MustLose(side, attacker, siege.location)))
    return _change_sides(rules, state, side)


def _change_sides(rules: Rules, state: State, side: Side) -> Step:
    """The border of two turns; the game may end there (S15.4, S8.12)."""
    ended = TurnEnded(side, state.turn)
    state = replace(state, to_move=other(side), turn=state.turn + 1, open=None)
    over = decided(rules, state, other(side), points=rules.points_end_first)
    return Step(over.state, (ended, *over.events)) if over else Step(state, (ended,))
