"""Reactions of a recorded turn, and the standing orders that would have said them before. Pure.

A reaction is what the side not to move answers in the other side's turn. It is copied if the standing orders, read at
that moment, give the recorded answer.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from adjudicator.game.actions import Action, Block, Give, Lose, SettleWon
from adjudicator.game.chance import Chance
from adjudicator.game.edition import Rules
from adjudicator.game.engine import apply, begin
from adjudicator.game.model import MayBlock, MaySettle, MustGive, MustLose, Question, Side, State
from adjudicator.game.replay import Move
from adjudicator.orders import NOTHING_SAID, Clause, Standing, amend, answer
from adjudicator.orders.standing import BlockReply, GiveReply, ListReply, Ranks, SettleReply


class Reaction(msgspec.Struct, frozen=True):
    """What a side answered, `number` in the moves of the turn, and the position in which it was asked."""

    number: int
    side: Side
    question: Question
    action: Action
    state: State

    @property
    def kind(self) -> str:
        """What it answers, in a word or two."""
        match self.question:
            case MayBlock(attack=attack):
                return attack
            case MustGive(cause="ambush"):
                return "ambush, card given"
            case MustGive():
                return "priest"
            case MaySettle():
                return "surrender"
            case MustLose():
                return "siege lost"
        return "other"


def watched(rules: Rules, state: State, moves: Iterable[Move], chance: Chance) -> tuple[list[Reaction], State]:
    """Return the reactions in a turn that begins with `state`, and the position after its moves."""
    found = []
    mover = state.to_move
    for number, move in enumerate(moves):
        state = begin(rules, state).state
        if state.question and move.side != mover:
            found.append(Reaction(number, move.side, state.question, move.action, state))
        state = apply(rules, state, move.side, move.action, chance).state
    return found, state


def uncopied(rules: Rules, found: Iterable[Reaction], standing: Standing) -> list[Reaction]:
    """Return the reactions that come out otherwise with these standing orders, or that they have asked about."""
    return [one for one in found if answer(rules, one.state, standing) != one.action]


def is_default(rules: Rules, reaction: Reaction) -> bool:
    """Whether the defaults give the recorded answer."""
    return answer(rules, reaction.state, NOTHING_SAID) == reaction.action


def copying(found: Iterable[Reaction]) -> Standing:
    """Return the standing orders that say these reactions of one side, as well as the order language can."""
    return _joined(_said(one) for one in found)


def asking(found: Iterable[Reaction]) -> Standing:
    """Return the standing orders by which a side is asked about these."""
    return _joined(_ask(one) for one in found)


def _joined(said: Iterable[Standing]) -> Standing:
    """Standing orders that say all of these; what is said again about the same occasion adds its cards."""
    standing = NOTHING_SAID
    for says in said:
        merged: dict[str, Any] = {
            name: _merged(getattr(standing, name), getattr(says, name)) for name in Standing.__struct_fields__
        }
        standing = amend(standing, [Clause(0, "", (0, 0), Standing(**merged))])
    return standing


def _merged(before: object, now: object) -> object:
    """What was said before about an occasion together with what is said now."""
    if isinstance(before, tuple) and isinstance(now, tuple):
        earlier = {reply.at: reply for reply in before}
        return tuple(_merged(earlier.get(reply.at), reply) for reply in now)
    if isinstance(before, BlockReply) and isinstance(now, BlockReply):
        return _with_cards(before, now) if before.mode == "always" else now
    if before and isinstance(now, GiveReply | ListReply | SettleReply):
        return _with_cards(before, now)
    return now


def _with_cards(before: object, now: object) -> object:
    """The earlier reply with the cards of the later one behind its own."""
    cards = (getattr(before, "cards", None) or ()) + (getattr(now, "cards", None) or ())
    return msgspec.structs.replace(before, cards=cards)  # type: ignore[type-var]  # a reply of `standing`


def _said(reaction: Reaction) -> Standing:
    """The standing order that says one reaction."""
    match reaction.question, reaction.action:
        case MayBlock(attack="raid", location=place), action:
            return Standing(raid=(_block(action, place),))
        case MayBlock(), action:
            return Standing(ambush_block=_block(action, None))
        case MustGive(cause="ambush"), Give(card=card, source=source):
            return Standing(ambush_give=GiveReply(_only(card), source))
        case MustGive(), Give(source=source):
            return Standing(priest=GiveReply((), source))
        case MaySettle(), SettleWon(settler=settler):
            return Standing(surrender=SettleReply(settle=True, cards=_only(settler)))
        case MaySettle(), _:
            return Standing(surrender=SettleReply(settle=False))
        case MustLose(), Lose(card=card):
            return Standing(siege_lost=ListReply(_only(card)))
    return NOTHING_SAID


def _block(action: Action, place: str | None) -> BlockReply:
    return (
        BlockReply("always", _only(action.card), place)
        if isinstance(action, Block)
        else BlockReply("never", None, place)
    )


def _only(card: str | None) -> Ranks:
    return ((card,),) if card else ()


def _ask(reaction: Reaction) -> Standing:
    """The standing order by which the side is asked."""
    match reaction.question:
        case MayBlock(attack="raid", location=place):
            return Standing(raid=(BlockReply("ask", None, place),))
        case MayBlock() | MustGive(cause="ambush"):
            return Standing(ambush_block=BlockReply("ask"), ambush_give=GiveReply(ask=True))
        case MustGive():
            return Standing(priest=GiveReply(ask=True))
        case MaySettle():
            return Standing(surrender=SettleReply(settle=False, ask=True))
        case MustLose():
            return Standing(siege_lost=ListReply(ask=True))
    return NOTHING_SAID
