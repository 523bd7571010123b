"""Games and mails as commands print them: JSON objects, and text that reads well in 80 columns."""

from datetime import UTC, datetime
from textwrap import wrap

from adjudicator.cli.root import counted
from adjudicator.cli.shapes import JsonObject, over_json, position_json, question_json
from adjudicator.game.model import SIDES, Side, other
from adjudicator.league.running import left_now
from adjudicator.orders import name, place
from adjudicator.service.moderate import History
from adjudicator.service.records import OVER
from adjudicator.service.stored import Stored
from adjudicator.service.stuck import Stuck
from adjudicator.service.timing import clocks_of
from adjudicator.store.rows import GameWithSeats, SeatRow

WIDTH = 80


def seat_json(seat: SeatRow) -> JsonObject:
    """Return who sits at a seat; `bounced` says since when he gets no mail, and is missing if he does."""
    shown: JsonObject = {"name": seat.name, "address": seat.address, "house": seat.house}
    return shown | {"bounced": time_json(seat.bounced_at)} if seat.bounced_at else shown


def line_json(found: GameWithSeats, stuck: list[Stuck] | None = None) -> JsonObject:
    """Return a game of `game list`; `stuck` says why it stands still."""
    row = found.game
    why = {"stuck": [{"since": time_json(one.since), "why": one.why} for one in stuck]} if stuck else {}
    return why | {
        "game": row.name,
        "status": row.status,
        "edition": row.edition,
        "variants": row.variants,
        "seats": {side: seat_json(found.seats[side]) for side in SIDES},
        "turn": row.turn,
        "position_number": row.seq,
        "waiting_for": row.waiting_for,
        "deadline": time_json(row.deadline_at),
        "created": time_json(row.created_at),
        "updated": time_json(row.updated_at),
        "finished": time_json(row.finished_at),
    }


def time_json(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 with a Z."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def game_json(game: Stored, *, full: bool) -> JsonObject:
    """Return what `game show` prints; without `full` hands and decks are counts."""
    row = game.row
    over = OVER.decode(row.result) if row.result else None
    return {
        "game": row.name,
        "status": row.status,
        "edition": row.edition,
        "variants": row.variants,
        "switches": row.switches,
        "seats": {side: seat_json(game.seats[side]) for side in SIDES},
        "position": position_json(game.state, full=full),
        "position_number": row.seq,
        "waiting_for": row.waiting_for,
        "question": question_json(game.rules, game.state, full=full),
        "deadline": time_json(row.deadline_at),
        "clock": clock_json(game),
        "result": {**(over_json(over) or {}), "by": over.by} if over else None,
    }


def clock_json(game: Stored) -> JsonObject:
    """Return a game's clock, and the seconds that each side has left now (of an answer, if that is waited for)."""
    clock, clocks = clocks_of(game.row)
    now = datetime.now(UTC)
    return {
        "spec": game.row.clock,
        "held": clocks.held is not None,
        "left": {side: left_now(clock, clocks, side, now) for side in SIDES} if clock.budget else None,
    }


def history_json(game: str, history: History) -> JsonObject:
    """Return what `game log` prints."""
    return {
        "game": game,
        "moves": [
            {
                "n": move.n,
                "turn": move.turn,
                "side": move.side,
                "order": move.text,
                "cause": move.cause,
                "at": time_json(move.at),
            }
            for move in history.moves
        ],
        "hidden": history.hidden,
        "audit": [
            {"at": time_json(deed.at), "who": deed.who, "command": deed.command, "why": deed.why, "data": deed.data}
            for deed in history.deeds
        ],
    }


def _seat_text(seat: JsonObject) -> str:
    if seat["house"]:
        return f"house:{seat['house']}"
    return ("(no mail) " if "bounced" in seat else "") + str(seat["address"] or seat["name"] or "nobody")


def table(rows: list[list[str]]) -> str:
    """Return rows in columns, in lines of at most 80; where that is too narrow the widest columns are cut."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    return "\n".join(
        "  ".join(cut(cell, width).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def winner_text(over: JsonObject) -> str:
    """Return who won a game that is over, as a clause."""
    return f"the {over['winner'].capitalize()} win" if over["winner"] else "nobody wins"


def cut(text: str, width: int) -> str:
    """Return text of at most `width` characters on one line."""
    line = "".join(sign if sign.isprintable() else " " for sign in text)
    return line if len(line) <= width else line[: width - 1] + "…"


def list_text(found: list[GameWithSeats]) -> str:
    """Return `game list` as a table."""
    if not found:
        return "no games"
    rows = [["game", "status", "turn", "waits for", "british", "french"]]
    for one in found:
        seats = [_seat_text(seat_json(one.seats[side])) for side in SIDES]
        rows.append([one.game.name, one.game.status, str(one.game.turn), one.game.waiting_for or "-", *seats])
    return table(rows)


def stuck_text(found: list[GameWithSeats], why: dict[str, list[Stuck]]) -> str:
    """Return `game list --stuck` as a table, a line for each reason."""
    rows = [["game", "since", "why", "waits for"]]
    for one in found:
        row = one.game
        reasons = why[row.name]
        rows += [[row.name, f"{each.since:%Y-%m-%d %H:%M}Z", each.why, row.waiting_for or "-"] for each in reasons]
    return table(rows) if found else "no games"


def due_text(found: list[GameWithSeats]) -> str:
    """Return `game list --due` as a table."""
    rows = [["game", "deadline", "turn", "waits for", "address"]]
    for one in found:
        row = one.game
        seat = one.seats.get(row.waiting_for or "")
        who = _seat_text(seat_json(seat)) if seat else "-"
        rows.append([row.name, f"{row.deadline_at:%Y-%m-%d %H:%M}Z", str(row.turn), row.waiting_for or "-", who])
    return table(rows) if found else "no games"


def game_text(shown: JsonObject) -> str:
    """Return `game show` for a person to read."""
    lines = [f"game {shown['game']}: {shown['status']}, edition {shown['edition']}"]
    lines += _wrapped("variants", shown["variants"])
    lines += _wrapped("switches", [f"{switch}={value}" for switch, value in shown["switches"].items()])
    lines += [f"{side:9} {_seat_text(seat)}" for side, seat in shown["seats"].items()]
    state = shown["position"]
    now = f"turn {state['turn']}, position {shown['position_number']}"
    if "open" in state:
        now += f", open turn, actions left: {state['open']['actions_left']}"
    lines.append(f"{'now':9} {now}")
    if result := shown["result"]:
        points = ", ".join(f"{side} {score['total']}" for side, score in result["scores"].items())
        lines.append(f"{'result':9} {result['reason']}: {winner_text(result)} ({points})")
    if shown["waiting_for"]:
        lines.append(f"{'waits for':9} {shown['waiting_for']}")
    if question := shown["question"]:
        lines.append(f"{'question':9} to {question['to']}: {question['kind']}")
    if shown["deadline"]:
        lines.append(f"{'deadline':9} {shown['deadline']}")
    lines.append(f"{'clock':9} {shown['clock']['spec']}{', held' if shown['clock']['held'] else ''}")
    for side in SIDES:
        lines += ["", *_side_text(state, side)]
    return "\n".join(lines)


def _side_text(state: JsonObject, side: Side) -> list[str]:
    """Return what a side has on the board and in its zones."""
    player = state["players"][side]
    stock = player["stock"]
    lines = [f"{side}: {player['money']} money, {counted(stock['villages'], 'village')} and"]
    lines[0] += f" {counted(stock['towns'], 'town')} in stock"
    held = [(where, piece) for where, piece in state["board"].items() if piece["owner"] == side]
    for kind in ("village", "town"):
        names = [
            place(where) + (" (fortified)" if piece["fort"] else "") for where, piece in held if piece["piece"] == kind
        ]
        lines += _wrapped(f"{kind}s", names)
    if siege := state["sieges"][side]:
        cards = [f"{place(siege['location'])}, strength {siege['strength']}"]
        for who, owner in (("attacker", side), ("defender", other(side))):
            cards += [f"{who} {name(owner, card)}" for card in siege[f"{who}_cards"]]
        lines += _wrapped("besieges", cards)
    captured = player["captured"]
    lines += _wrapped("captured", [counted(count, kind.removesuffix("s")) for kind, count in captured.items() if count])
    for zone in ("hand", "reserve", "discard", "deck"):
        cards = player[zone]
        lines += _wrapped(
            zone, [counted(cards, "card")] if isinstance(cards, int) else [name(side, one) for one in cards]
        )
    return lines


def _wrapped(label: str, words: list[str]) -> list[str]:
    """Return words after a label, in lines of at most 80 columns; no line if there are none."""
    if not words:
        return []
    return wrap(f"  {label:9}{', '.join(words)}", WIDTH, subsequent_indent=" " * 11, break_on_hyphens=False)


def history_text(game: str, history: History) -> str:
    """Return `game log` for a person to read: a block for each turn, then what moderators did."""
    lines = [f"game {game}: {counted(len(history.moves), 'move')}"]
    heading = None
    for move in history.moves:
        if heading != (move.turn, move.at):
            heading = (move.turn, move.at)
            lines.append(f"\nturn {move.turn}, {move.at:%Y-%m-%d %H:%M}Z")
        why = "" if move.cause in ("mail", "house") else f" ({move.cause})"
        lines.append(f"  {move.side:8} {cut(move.text + why, WIDTH - 11)}")
    if history.hidden:
        lines.append(f"\n{counted(history.hidden, 'move')} still secret; --why TEXT shows them, and the look is logged")
    for deed in history.deeds:
        what = f"{deed.command} by {deed.who}" + (f": {deed.why}" if deed.why else "")
        lines += wrap(f"{deed.at:%Y-%m-%d %H:%M}Z {what}", WIDTH, initial_indent="\n", subsequent_indent="  ")
    return "\n".join(lines)
