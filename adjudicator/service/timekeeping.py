"""What is due in running games: reminders, grace, and what a game's clock says about who ran out of time.

Promise: nothing ends that is not over. A deadline is acted on ten minutes after it, and not before a letter in
quarantine that came to a seat of the game in time is settled. Each thing is done in a transaction of its own, for the
game as it is then; a game in which something fails keeps no other one waiting.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from adjudicator.errors import Unavailable
from adjudicator.game.events import GameOver
from adjudicator.game.model import Side, other, replace
from adjudicator.game.scoring import scores
from adjudicator.league.clock import Clock, Clocks
from adjudicator.league.due import PASSES_LOST, Due, due, grant_grace, is_late_grace, may_have_grace, reminded, run_out
from adjudicator.service.ahead import pass_on
from adjudicator.service.alarms import alarm
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.deadlines import retime
from adjudicator.service.ending import end
from adjudicator.service.lateness import letter_held
from adjudicator.service.stored import stored
from adjudicator.service.timing import clocks_of, with_clocks
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.turns import Outcome
from adjudicator.turns.silence import silent

log = logging.getLogger("adjudicator")

MOST_AT_ONCE = 20
"""So many things may be due in one game at a time; more is a fault of ours."""
LOOK_AGAIN = timedelta(minutes=10)
"""When a game is looked at again in which something waits for a letter in quarantine."""
AFTER_FAULT = timedelta(hours=1)
ENDING = frozenset({"deadline", "grace-over", "fallback", "question-over"})
"""What may cost somebody something, and so waits for letters in quarantine."""


def keep_time(config: Config, ledger: Ledger, now: datetime) -> int:
    """Do everything that is due in running games, once; returns how many things that were.

    Raises: Unavailable if the database is away.
    """
    with ledger.read() as tx:
        names = tx.due_games(now)
    return sum(_keep_time_in(config, ledger, name, now) for name in names)


def _keep_time_in(config: Config, ledger: Ledger, name: str, now: datetime) -> int:
    """Do what is due in one game; a fault of ours is logged, told to the moderators, and put off."""
    try:
        for done in range(MOST_AT_ONCE):
            with ledger.begin() as tx:
                if not _did_one(config, tx, name, now):
                    return done
    except Unavailable:
        raise
    except Exception:
        log.exception("game %s: its clock failed", name)
    with ledger.begin() as tx:
        alarm(config, tx, "clock-stuck", now, name)
        _look_again(config, tx, name, now, AFTER_FAULT)
    return 0


def _did_one(config: Config, tx: Transaction, name: str, now: datetime) -> bool:
    """Do one thing that is due in a game, if there is one."""
    changes = _opened(config, tx, name, now)
    if changes is None:
        return False
    clock, clocks = clocks_of(changes.game.row)
    one = due(clocks, now)
    if one is None:
        return False
    if one.kind in ENDING and (number := letter_held(changes, one.side)) is not None:
        alarm(config, tx, "clock-waits", now, name, number=str(number))
        _look_again(config, tx, name, now, LOOK_AGAIN)
        return False
    changes.cause = f"{one.kind} {one.at.isoformat()}"
    DEEDS[one.kind](changes, one, clock, clocks)
    changes.write()
    log.info("game %s: %s of the %s", name, one.kind, one.side)
    return True


def _opened(config: Config, tx: Transaction, name: str, now: datetime) -> Changes | None:
    """A running game, locked, to be changed."""
    found = tx.game(name)
    if found is None or found.game.status != "running" or found.game.state is None:
        return None
    return Changes(config, tx, stored(found, config.chance), now, "clock")


def _look_again(config: Config, tx: Transaction, name: str, now: datetime, after: timedelta) -> None:
    changes = _opened(config, tx, name, now)
    if changes:
        changes.set_row(due_at=now + after)
        changes.write()


# --- what is done ---


def set_clocks(changes: Changes, clocks: Clocks) -> None:
    """Give a game other clocks whose deadline is the same."""
    row = with_clocks(changes.game.row, clocks)
    changes.set_row(clocks=row.clocks, deadline_at=row.deadline_at, due_at=row.due_at)


def tell(
    changes: Changes, side: Side, about: str, outcome: Outcome | None = None, told: dict[str, str] | None = None
) -> None:
    """Write a side a mail about time, with the whole position."""
    state = outcome.state if outcome else changes.shown(side)
    events = outcome.events if outcome else ()
    changes.tell(side, changes.box.draft("time", side, state, notice=about, events=events, values=told or {}))


def lose(changes: Changes, loser: Side) -> None:
    """End a game on time, and tell both."""
    points = scores(changes.game.state)
    over = GameOver(other(loser), "time", loser, points.british, points.french)
    changes.tell(loser, end(changes, over, loser))


def _remind(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:
    set_clocks(changes, reminded(clock, clocks, changes.now))
    tell(changes, one.side, one.kind)


def _last_call(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:
    set_clocks(changes, reminded(clock, clocks, changes.now))
    tell(changes, one.side, "last-call")
    tell(changes, other(one.side), "last-call-other")


def _deadline(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:
    """Grace, if the player has not had it this season."""
    player_id = changes.game.seats[one.side].player_id
    if player_id is not None:
        changes.tx.lock_player(player_id)
        player = changes.tx.player(player_id)
        if player and may_have_grace(player.graced_at, changes.now):
            changes.tx.grace_player(player_id, at=changes.now)
            graced = grant_grace(clock, clocks, changes.now)
            told = {"late": "yes" if is_late_grace(graced) else ""}
            retime(changes, graced, "grace", tell=(other(one.side),), told=told)
            tell(changes, one.side, "grace", told=told)
            return
    _out(changes, one, clock, clocks)


def _out(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:
    """What the clock says about who ran out of time."""
    passed = clocks.of(one.side).passed + 1
    if clock.policy == "claim":
        set_clocks(changes, run_out(clock, clocks, changes.now))
        tell(changes, one.side, "out")
        tell(changes, other(one.side), "may-claim")
    elif clock.policy == "passes" and passed < PASSES_LOST:
        _speak_for(changes, one.side, "passed", passed)
    else:
        lose(changes, one.side)


def _fallback(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:  # noqa: ARG001 - as all others
    lose(changes, one.side)


def _answer(changes: Changes, one: Due, clock: Clock, clocks: Clocks) -> None:  # noqa: ARG001 - as all others
    _speak_for(changes, one.side, "answered", clocks.of(one.side).passed)


def _speak_for(changes: Changes, side: Side, about: str, passed: int) -> None:
    """Play what counts for a side that has said nothing, and tell both; `passed` turns in a row it has now missed."""
    game = changes.game
    word = "done" if about == "passed" else ""
    outcome = silent(game.rules, game.state, side, game.chance(), game.standing(), word)
    assert outcome.moves or outcome.over, outcome.refused
    untold = changes.enter(side, outcome, "clock")
    if not outcome.over:
        clocks = clocks_of(changes.game.row)[1]
        set_clocks(changes, clocks.put(side, replace(clocks.of(side), passed=passed)))
        tell(changes, side, about, outcome)
    else:
        changes.tell(side, changes.turn_draft(side, outcome, outcome.events))
    changes.noted = (f"{about}-other",)
    pass_on(changes, side, outcome, untold)


DEEDS: dict[str, Callable[[Changes, Due, Clock, Clocks], None]] = {
    "remind": _remind,
    "silence": _remind,
    "deadline": _deadline,
    "grace-over": _out,
    "last-call": _last_call,
    "fallback": _fallback,
    "question-over": _answer,
}
