"""Words of a letter about a game that concern its writer, not the game: as at `games@`, they are asked back first."""

from collections.abc import Sequence

from adjudicator.game.model import Side
from adjudicator.mail.letter import Letter
from adjudicator.orders import Order
from adjudicator.render import outcome_told
from adjudicator.service.challenges import listing
from adjudicator.service.changes import Changes
from adjudicator.service.deeds import each_deed
from adjudicator.service.drafts import Draft
from adjudicator.service.played import played
from adjudicator.service.wanted import hindered_in


def ask_first(changes: Changes, side: Side, orders: Sequence[Order]) -> tuple[str, ...]:
    """Take all wishes of a letter together: note what has to be confirmed first, by the mail that asks for it.

    That is written later (`asides.ask_back`). What is not possible is refused at once, as at `games@`.
    """
    deeds, faults = each_deed(orders, changes.config.domain)
    wrong = {fault.line for fault in faults}
    hindered = hindered_in(changes.tx, changes.game.seats[side].player_id, deeds)
    changes.undone += [order for order in orders if order.line in wrong or order in hindered]
    for fault in faults:
        changes.remark("In line {line} (“{word}”): {fault}", line=str(fault.line), word=fault.word, fault=fault.text)
    for order, (word, argument) in hindered.items():
        why = outcome_told(word, argument)
        changes.remark("In line {line} (“{word}”), not done: {why}", line=str(order.line), word=order.word, why=why)
    noted = [*(["asked"] if len(hindered) < len(deeds) else []), *(["unknown-here"] if faults else [])]
    return tuple(noted) or ("told",)


def desk_answer(changes: Changes, side: Side, order: Order, letter: Letter) -> tuple[Draft, str]:  # noqa: ARG001
    """The open challenges, or the games of the player."""
    if order.word == "challenges":
        return Draft(
            kind="desk", notice="challenges", values={"asks": "challenges", "offered": listing(changes.tx)}
        ), "answered"
    player_id = changes.game.seats[side].player_id
    told = played(changes.tx, player_id, changes.now) if player_id else ""
    return Draft(kind="desk", notice="games", values={"asks": "games", "played": told}), "answered"
