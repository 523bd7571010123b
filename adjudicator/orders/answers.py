"""Answers to questions by standing orders, else by the defaults.

Only listed cards are used where a side may decline (blocks, settling). Where it must give something and holds
nothing listed, the default decides among the rest.
Source: rules/decisions.md, sections 2 and 4.
"""

from collections.abc import Sequence

from adjudicator.game import facts
from adjudicator.game.actions import (
    Action,
    Block,
    DiscardDrawn,
    Give,
    Lose,
    NoBlock,
    NoExchange,
    NoSettle,
    SettleWon,
)
from adjudicator.game.edition import Rules
from adjudicator.game.engine import legal_actions
from adjudicator.game.model import (
    MayBlock,
    MayExchange,
    MaySettle,
    MustDiscard,
    MustGive,
    MustLose,
    MustStartWith,
    Question,
    State,
)
from adjudicator.orders.defaults import SOURCE_ORDER, blockers
from adjudicator.orders.resolve import loss, pick
from adjudicator.orders.standing import (
    LOCATION,
    BlockReply,
    GiveReply,
    ListReply,
    Ranks,
    SettleReply,
    Standing,
)


def answer(rules: Rules, state: State, standing: Standing) -> Action | None:
    """The answer to the open question of a position by the standing orders of the side that is asked.

    None if the side itself has to answer: it has said `ask me`, or there is no default (variant 13's start
    card).

    Raises: ValueError if there is no question.
    """
    if state.question is None:
        raise ValueError("there is no question")
    if asks(state.question, state, standing):
        return None
    return choose(state, standing, legal_actions(rules, state))


Reply = BlockReply | GiveReply | ListReply | SettleReply


def asks(question: Question, state: State, standing: Standing) -> bool:
    """Whether the side wants to be asked this, or has to be."""
    reply = _reply(question, state, standing)
    return isinstance(question, MustStartWith) or (reply is not None and reply.ask)


def _reply(question: Question, state: State, standing: Standing) -> Reply | None:
    """What the standing orders say about a question."""
    said: Reply | None = None
    match question:
        case MayBlock():
            said = _block_reply(question, standing)
        case MustGive():
            said = standing.ambush_give if question.cause == "ambush" else standing.priest
        case MaySettle():
            # `on siege won` is for the own turn, `on surrender` for the other side's.
            said = standing.siege_won if question.to == state.to_move else standing.surrender
        case MustLose():
            said = standing.siege_lost
        case MustDiscard():
            said = standing.reshuffle
    return said


def choose(state: State, standing: Standing, options: Sequence[Action]) -> Action | None:
    """The answer among those that are legal; None if only the side itself can choose."""
    chosen: Action | None = None
    match state.question:
        case MayBlock() as question:
            chosen = _block(question, state, standing, options)
        case MustGive() as question:
            chosen = _give(question, state, standing, [option for option in options if isinstance(option, Give)])
        case MaySettle() as question:
            chosen = _settle(question, state, standing, options)
        case MustLose() as question:
            card = loss(state, question.siege, question.to, standing)
            wanted = (option for option in options if isinstance(option, Lose) and option.card == card)
            chosen = next(wanted, options[0])
        case MayExchange():
            chosen = NoExchange()
        case MustDiscard() as question:
            chosen = _discard(question, state, standing.reshuffle or ListReply())
    return chosen


def _block_reply(question: MayBlock, standing: Standing) -> BlockReply | None:
    """What is said about this attack: for a raid first what is said about its place."""
    if question.attack == "ambush":
        return standing.ambush_block
    said = {reply.at: reply for reply in standing.raid}
    return said.get(question.location, said.get(None))


def _vulnerable(state: State, question: MayBlock) -> bool:
    """Whether an unblocked ambush could take a card from hand or reserve."""
    me = state.players.of(question.to)
    return any(facts.card(question.to, card).vulnerable for card in me.hand + me.reserve)


_DEFAULT_BLOCK = {"raid": BlockReply("always"), "ambush": BlockReply("vulnerable")}


def _block(question: MayBlock, state: State, standing: Standing, options: Sequence[Action]) -> Action:
    """Block with the first listed card that can; without a list in the default order."""
    reply = _block_reply(question, standing) or BlockReply("vulnerable" if question.attack == "ambush" else "always")
    if reply.mode == "never" or (reply.mode == "vulnerable" and not _vulnerable(state, question)):
        return NoBlock()
    order = blockers(question.to, question.location) if reply.cards is None else _flat(reply.cards, question.location)
    for card in order:
        if Block(card) in options:
            return Block(card)
    return NoBlock()


def _flat(cards: Ranks, location: str | None) -> list[str]:
    """A list of names as one list of cards."""
    flat: list[str] = []
    for ranked in cards:
        if ranked != LOCATION:
            flat += ranked
        elif location:
            flat.append(location)
    return flat


def _give(question: MustGive, state: State, standing: Standing, options: Sequence[Give]) -> Action:
    """The listed card first, else the cheapest; siege cards last, unless they are to go first.

    Among equal cards the source decides: the preferred one, else reserve before hand.
    """
    reply = _reply(question, state, standing)
    reply = reply if isinstance(reply, GiveReply) else GiveReply()
    listed = _flat(reply.cards, None)
    sources = (*((reply.first,) if reply.first else ()), *SOURCE_ORDER)

    def rank(option: Give) -> tuple[bool, int, int, int, str, str]:
        from_siege = (option.source == "siege") != (reply.first == "siege")
        place = listed.index(option.card) if option.card in listed else len(listed)
        cost = facts.card(question.to, option.card).cost
        return from_siege, place, cost, sources.index(option.source), option.card, option.target or ""

    return min(options, key=rank)


def _settle(question: MaySettle, state: State, standing: Standing, options: Sequence[Action]) -> Action:
    """Settle if no settler card is needed, or with the first listed card that can."""
    reply = _reply(question, state, standing)
    reply = reply if isinstance(reply, SettleReply) else SettleReply(settle=True)
    if not reply.settle:
        return NoSettle()
    for settler in (None, *_flat(reply.cards, None)):
        if SettleWon(settler) in options:
            return SettleWon(settler)
    return NoSettle()


def _discard(question: MustDiscard, state: State, reply: ListReply) -> Action:
    """The listed cards that are in hand; what is missing is made up from the cards drawn last."""
    hand, drawn = list(state.players.of(question.to).hand), list(question.drawn)
    chosen: list[str] = []
    for ranked in reply.cards:
        card = pick(hand, (ranked,))[0]
        if card in hand and len(chosen) < len(question.drawn):
            hand.remove(card)
            chosen.append(card)
            if card in drawn:
                drawn.remove(card)
    return DiscardDrawn(tuple(sorted(chosen + drawn[len(drawn) + len(chosen) - len(question.drawn) :])))
