"""What one side offers the other: a draw, a new game in place of this one, or to take the last turn back.

One offer at a time is open. It lapses when the turn ends of the side that it was made to; to take a turn back, when any
turn ends. An offer of the same kind can be made again only after the other side has ended a turn, so nobody can
be pestered with offers, or two machines with each other.
"""

from adjudicator.errors import UsageError
from adjudicator.game.engine import new_game
from adjudicator.game.events import GameOver
from adjudicator.game.model import SIDES, Side, other
from adjudicator.game.record import Position
from adjudicator.game.scoring import scores
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order
from adjudicator.service.changes import Changes
from adjudicator.service.deadlines import note_deadline
from adjudicator.service.drafts import Draft
from adjudicator.service.ending import end
from adjudicator.service.moderate import Warrant
from adjudicator.service.offered import KINDS, Kind, Offer, open_offer
from adjudicator.service.start import HOUSE, Wish, begin_game, is_barred
from adjudicator.service.stored import ENCODER, STATE, Stored
from adjudicator.service.undo import back_draft, undo_to
from adjudicator.store.rows import SeatRow

Spoken = tuple[Draft, str]


def offer(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:  # noqa: ARG001 - as all others
    """Make an offer, if one can be made now."""
    said = order.argument.lower().strip(" .!")
    kind = next((one for one in KINDS if said.endswith(one)), None)
    if kind is None:
        return _notice(changes, side, "offer-refused", reason="unknown", offer="draw")
    turn = _turn_back(changes.game, side) if kind == "takeback" else 0
    if reason := _hindrance(changes, side, kind, turn):
        return _notice(changes, side, "offer-refused", reason=reason, offer=kind)
    new = Offer(kind, side, changes.game.row.seq, changes.now, turn)
    changes.set_row(offer=ENCODER.encode(new))
    _log(changes, side, f"offer {kind}", turn=changes.game.row.turn, again_at=_again_at(changes.game, side))
    values = {"offer": kind, "turn": str(turn)}
    changes.tell(other(side), changes.box.draft("notice", other(side), None, notice="offered", values=values))
    return _notice(changes, side, "offer-made", offer=kind, turn=str(turn))


def accept(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:
    """Take the offer of the other side, if it is the one that is meant."""
    found = open_offer(changes.game.row)
    if found is None or found.by == side or not _is_meant(changes, found, order, letter):
        return _notice(changes, side, "no-offer")
    if barred := _barred(changes, side, found.kind):
        return _notice(changes, side, "offer-refused", reason=barred, offer=found.kind, accepting="yes")
    _log(changes, side, f"accept {found.kind}", turn=changes.game.row.turn)
    if found.kind == "takeback":
        return _take_back(changes, side, found), "taken-back"
    points = scores(changes.game.state)
    draft = end(changes, GameOver(None, "agreement", None, points.british, points.french), side)
    if found.kind == "restart":
        name, first = begin_game(changes.config, changes.tx, again(changes.game), changes.now)
        changes.afterwards += first
        _log(changes, side, "restart", new_game=name)
    return draft, "agreed"


def decline(changes: Changes, side: Side, order: Order, letter: Letter) -> Spoken:
    """Decline the offer of the other side, or take one's own back."""
    found = open_offer(changes.game.row)
    if found is None or not _is_meant(changes, found, order, letter):
        return _notice(changes, side, "no-offer")
    changes.set_row(offer=None)
    _log(changes, side, f"decline {found.kind}", turn=changes.game.row.turn)
    values = {"offer": found.kind, "own": "", "by": "offerer" if found.by == side else "other"}
    foe = other(side)
    changes.tell(foe, changes.box.draft("notice", foe, None, notice="offer-declined", values=values))
    return _notice(changes, side, "offer-declined", **{**values, "own": "yes"})


def again(game: Stored) -> Wish:
    """The wish for a new game with the same people, sides, rules and clock, dealt anew.

    One that began from a position given by hand begins from that again. What the players have set for themselves goes
    with them, their standing orders and whether they confirm each turn; notes and orders sent ahead were about the old
    game.
    """
    row, rules = game.row, game.rules
    start = STATE.decode(row.start or b"")
    position = None
    if start != new_game(rules, game.chance()).state:
        position = Position(
            format="afas-position/1",
            edition=rules.edition,
            variants=tuple(rules.variants),
            switches=row.switches,
            state=start,
        )
    return Wish(
        british=_who(game.seats["british"]),
        french=_who(game.seats["french"]),
        edition=row.edition,
        variants=tuple(row.variants),
        switches=row.switches,
        clock=row.clock,
        lang=row.lang,
        position=position,
        anonymous=row.anonymous,
        public=row.public,
        restarts=row.name,
        standing={side: game.seats[side].standing for side in SIDES if not game.is_house(side)},
        confirms=tuple(side for side in SIDES if game.seats[side].confirms),
    )


def _who(seat: SeatRow) -> str | int:
    return f"{HOUSE}:{seat.house}" if seat.house else seat.player_id or ""


def _hindrance(changes: Changes, side: Side, kind: Kind, turn: int) -> str:
    """What keeps a side from offering this now; "" if nothing does."""
    game = changes.game
    if game.is_house(other(side)):
        return "house"
    if game.row.offer:
        return "open"
    if barred := _barred(changes, side, kind):
        return barred
    if kind == "takeback" and turn < STATE.decode(game.row.start or b"").turn:
        return "nothing"
    return "soon" if game.row.turn < _last_again_at(changes, side, kind) else ""


def _barred(changes: Changes, side: Side, kind: Kind) -> str:
    """Who of the two may begin no new game, if one is offered: "barred" this side, "barred-other"; "" if nobody."""
    for one, told in ((side, "barred"), (other(side), "barred-other")):
        player_id = changes.game.seats[one].player_id
        if kind == "restart" and player_id and is_barred(changes.tx, player_id):
            return told
    return ""


def _turn_back(game: Stored, side: Side) -> int:
    """The turn that a side may ask to begin again: its own open one, else the last that has ended.

    Whether the other side has begun its turn plays no part: he who waits does not know it.
    """
    state = game.state
    return state.turn if state.to_move == side and state.open is not None else state.turn - 1


def _again_at(game: Stored, side: Side) -> int:
    """The first turn in which the same can be offered again: the other side has ended one by then."""
    return game.row.turn + (2 if game.state.to_move == side else 1)


def _last_again_at(changes: Changes, side: Side, kind: Kind) -> int:
    rows = changes.tx.audit(game_id=changes.game.row.id)
    made = [row.data["again_at"] for row in rows if row.command == f"offer {kind}" and row.data["side"] == side]
    return max(made, default=0)


def _is_meant(changes: Changes, found: Offer, order: Order, letter: Letter) -> bool:
    """Whether an answer is about this offer: it names no other kind, and answers no mail from before it."""
    named = [kind for kind in KINDS if kind in order.text.lower().split()]
    answered = changes.tx.post_by_message_id(letter.in_reply_to) if letter.in_reply_to else None
    return named in ([], [found.kind]) and (bool(named) or answered is None or answered.created_at >= found.at)


def _take_back(changes: Changes, side: Side, found: Offer) -> Draft:
    """Let the game go back, and tell the other side; returns the mail to this one."""
    try:
        back = undo_to(changes, found.turn)
    except UsageError:  # it was undone otherwise meanwhile
        changes.set_row(offer=None)
        return _notice(changes, side, "no-offer")[0]
    note_deadline(changes, Warrant(_author(changes, side), "takeback", changes.now), "takeback")
    drafts = {one: back_draft(changes, one, back, "agreement") for one in SIDES}
    changes.tell(other(side), drafts[other(side)])
    return drafts[side]


def _notice(changes: Changes, side: Side, notice: str, **values: str) -> Spoken:
    return changes.box.draft("notice", side, None, notice=notice, values=values), "answered"


def _log(changes: Changes, side: Side, command: str, **data: object) -> None:
    row = changes.game.row
    changes.tx.add_audit(
        at=changes.now,
        who=_author(changes, side),
        command=command,
        why="",
        game_id=row.id,
        data={"game": row.name, "position_number": row.seq, "side": side, **data},
    )


def _author(changes: Changes, side: Side) -> str:
    return f"player {changes.game.seats[side].player_id}"
