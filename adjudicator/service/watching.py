"""Those who watch a public game: what they are sent, and how they come and go.

Promise: they learn of a turn once it has ended, what anybody may know of it, and nothing of an open one. Their mails
are answered at `games@`, so no secret of a seat is in them.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

import msgspec

from adjudicator.game.events import Event, GameOver
from adjudicator.game.model import SIDES, Side, State
from adjudicator.orders import Order
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft, encode
from adjudicator.service.stored import Stored, seated, turn_start
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import GameRow, NewPost, SeatRow

MOST_WATCHED = 20
"""So many games a player can watch at a time."""
_OVER = msgspec.json.Decoder(GameOver)


def observe(config: Config, tx: Transaction, player_id: int, game: Stored, now: datetime) -> str:
    """Let a player watch a game, and send him how it stands; returns what came of it in one word.

    That is "watching", or why not (see `_hindered`). The game is locked.
    """
    if why := _hindered(tx, player_id, game.row, game.seats.values()):
        return why
    tx.observe(game.row.id, player_id, at=now)
    state = game.state if game.state.open is None and game.state.question is None else turn_start(tx, game)
    post = _post(config, tx, game, player_id, _draft(game, state, why="begun"), f"observe {now.isoformat()}", now)
    tx.add_posts([post] if post else [])
    return "watching"


def hindrance(tx: Transaction, player_id: int, deed: tuple[str, str]) -> tuple[str, str] | None:
    """What keeps a player from watching a game, or from watching it no longer, as one word and the game.

    None if nothing does, or if the deed is about something else.
    """
    word, name = deed
    if word not in ("observe", "unobserve"):
        return None
    found = tx.game(name, lock=False)
    if word == "unobserve":
        watches = found is not None and found.game.id in tx.watched(player_id)
        return None if watches else ("not-watched", name)
    if found is None or found.game.state is None:
        return "no-such-game", name
    why = _hindered(tx, player_id, found.game, found.seats.values())
    return (why, name) if why else None


def _hindered(tx: Transaction, player_id: int, row: GameRow, seats: Iterable[SeatRow]) -> str:
    """Why a player cannot watch a game: "not-public", "own" (he plays in it), "over", "already", "too-many-watched".

    "" if he can.
    """
    if not row.public:
        return "not-public"
    if player_id in {seat.player_id for seat in seats}:
        return "own"
    if row.status == "finished":
        return "over"
    watched = tx.watched(player_id)
    if row.id in watched:
        return "already"
    return "too-many-watched" if len(watched) >= MOST_WATCHED else ""


def unobserve(tx: Transaction, player_id: int, game: Stored) -> bool:
    """Let a player watch a game no longer; says whether he did."""
    watches = game.row.id in tx.watched(player_id)
    tx.unobserve(game.row.id, player_id)
    return watches


def tell_turns(changes: Changes, turns: list[tuple[State, tuple[Event, ...]]]) -> None:
    """Tell who watches of the turns that have ended, of the end of the game, or that it has gone back."""
    was, game = changes.was, changes.game
    if not game.row.public or not changes.tx.has_observers(game.row.id):
        return
    ended = was.row.status != "finished" and game.row.status == "finished"
    drafts = [_draft(game, state, events, why="turn") for state, events in turns]
    if ended:
        over = _OVER.decode(game.row.result or b"")
        events = turns[-1][1] if turns else ()
        drafts[-1:] = [_draft(game, game.state, events, why="over", over=over)]
    elif not turns and _went_back(changes):
        drafts = [_draft(game, game.state, why="back")]
    for number, draft in enumerate(drafts):
        _send(changes, draft, f"watch {number}")


def tell_watchers(changes: Changes, side: Side, orders: list[Order]) -> None:
    """Pass words that a side says to all on to who watches."""
    from adjudicator.service.press import passed_on  # noqa: PLC0415 - knows of changes, as this does

    row = changes.game.row
    if not orders or not row.public or not changes.tx.has_observers(row.id):
        return
    if text := passed_on(changes, side, orders):
        values = {"side": side, "text": text}
        _send(changes, Draft(kind="notice", game=row.name, notice="watch-press", values=values), "press")


def _went_back(changes: Changes) -> bool:
    was, now = changes.was, changes.game
    return now.state.turn < was.state.turn or (was.row.status == "finished" and now.row.status != "finished")


def _send(changes: Changes, draft: Draft, cause: str) -> None:
    players = {seat.player_id for seat in changes.game.seats.values()}
    for watcher in changes.tx.observers(changes.game.row.id):
        if watcher.id in players:  # he has a seat since
            continue
        why = f"{cause} {changes.cause}"
        post = _post(changes.config, changes.tx, changes.game, watcher.id, draft, why, changes.now)
        changes.posts += [post] if post else []


def _draft(
    game: Stored, state: State, events: tuple[Event, ...] = (), *, why: str, over: GameOver | None = None
) -> Draft:
    row = game.row
    names: dict[str, str] = {side: "" if row.anonymous else seated(game.seats[side]) for side in SIDES}
    return Draft(
        kind="watch",
        game=row.name,
        edition=row.edition,
        variants=tuple(row.variants),
        switches=row.switches,
        state=state,
        events=events,
        over=over,
        values={"why": why, **names},
    )


def _post(
    config: Config, tx: Transaction, game: Stored, player_id: int, draft: Draft, cause: str, now: datetime
) -> NewPost | None:
    """A mail to who watches; None if he has no address that works."""
    rows = tx.addresses(player_id)
    address = next((row.address for row in rows if row.verified_at and not row.bounced_at), None)
    if address is None:
        return None
    key = game.seats["british"].token_key
    mark = sha256(f"{cause}\0{draft.kind}\0{player_id}".encode() + key).hexdigest()[:16]
    local = f"{game.row.name}.watch.{game.row.seq}.{mark}"
    return NewPost(
        to_address=address,
        message_id=f"<{local}@{config.domain}>",
        bounce_key=sha256(key + local.encode()).hexdigest()[:32],
        kind=draft.kind,
        cause=cause,
        reply_to=f"games@{config.domain}",
        created_at=now,
        due_at=now,
        report=encode(draft),
        game_id=game.row.id,
    )
