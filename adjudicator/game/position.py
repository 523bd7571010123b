"""Whether a state that somebody wrote by hand is one that the rules can go on from.

The shape is checked when it is read (`record.py`); here it is the sense: known places and cards, no card
more often than the game has it, no piece that does not exist. Cards may be missing: a position for a single
question need not list the whole box.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from adjudicator.errors import UsageError
from adjudicator.game import facts
from adjudicator.game.edition import Rules
from adjudicator.game.engine import legal_actions
from adjudicator.game.model import (
    SIDES,
    MayBlock,
    MayExchange,
    MaySettle,
    MustDiscard,
    MustGive,
    MustLose,
    MustStartWith,
    Piece,
    Player,
    Question,
    Side,
    Siege,
    State,
    other,
)
from adjudicator.game.setup import in_game

MOST = 2**31 - 1
"""No number in a state is larger, so that it fits every database and every language."""


def check_position(rules: Rules, state: State) -> None:
    """Refuse a state that no game of these rules can hold.

    Raises:
        UsageError: one line with the path inside the state and what is wrong there.
    """
    _check_numbers(state)
    for place in state.board:
        _need_place(f"board.{place}", place)
    for side in SIDES:
        _check_siege(state, side)
        _check_zones(state, side)
    _need_range("forts_left", state.forts_left)
    _check_turn(state)
    _check_pledges(state)
    _check_answers(rules, state)


def surplus(rules: Rules, state: State) -> tuple[str, ...]:
    """What a state has more of than the box: pieces, fortification discs, cards; a line each.

    The rules can be applied all the same: a position that was written by hand may have forgotten a stock or a pile.
    """
    found = [line for side in SIDES for line in _more_pieces(state, side)]
    return (*found, *_more_cards(rules, state), *_more_forts(state))


def copies(rules: Rules, side: Side) -> dict[str, int]:
    """Return how often each card that a side may hold is in the game, neutral cards included (Annex A)."""
    return {card.id: in_game(rules, card) for card in facts.CARDS[side].values()}


def _wrong(path: str, what: str) -> UsageError:
    return UsageError(f"{path}: {what}")


def _need_place(path: str, place: str) -> None:
    if place not in facts.LOCATIONS:
        raise _wrong(path, f"no location is called {place!r}")


def _need_cards(path: str, side: Side, cards: Iterable[str]) -> None:
    for card in cards:
        if card not in facts.CARDS[side]:
            raise _wrong(path, f"the {side} side has no card {card!r}")


def _need_range(path: str, number: int, least: int = 0, most: int = MOST) -> None:
    if not least <= number <= most:
        raise _wrong(path, f"{number} is not between {least} and {most}")


def _check_numbers(state: State) -> None:
    """Refuse numbers out of range, the players' included."""
    _need_range("turn", state.turn, 1)
    _need_range("shuffles", state.shuffles)
    for side in SIDES:
        player, path = state.players.of(side), f"players.{side}"
        _need_range(f"{path}.money", player.money)
        for zone in ("captured", "stock"):
            pieces = player.captured if zone == "captured" else player.stock
            _need_range(f"{path}.{zone}.villages", pieces.villages)
            _need_range(f"{path}.{zone}.towns", pieces.towns)


def _check_siege(state: State, attacker: Side) -> None:
    """Refuse a siege of a place that the opponent does not control (S8.1), and unknown cards in it."""
    siege, path = state.sieges.of(attacker), f"sieges.{attacker}"
    if siege is None:
        return
    _need_place(f"{path}.location", siege.location)
    piece = state.board.get(siege.location)
    if piece is None or piece.owner == attacker:
        raise _wrong(f"{path}.location", f"{siege.location} is not controlled by the {other(attacker)} side")
    _need_range(f"{path}.strength", siege.strength, -MOST)
    _need_cards(f"{path}.attacker_cards", attacker, siege.attacker_cards)
    _need_cards(f"{path}.defender_cards", other(attacker), siege.defender_cards)


def _check_zones(state: State, side: Side) -> None:
    """Refuse cards in zones where they cannot lie, and counts below 0."""
    player = state.players.of(side)
    for zone in ("hand", "deck", "discard", "reserve"):
        _need_cards(f"players.{side}.{zone}", side, getattr(player, zone))
    path = f"available_locations.{side}"
    _need_cards(path, side, state.available_locations.of(side))
    for card in state.available_locations.of(side):
        if card not in facts.LOCATION_CARDS[side]:
            raise _wrong(path, f"{card} is no location card")
    _check_supply(f"available_empire.{side}", state.available_empire.of(side), facts.EMPIRE_CARDS[side])
    if side == "british":
        _check_supply("neutral_supply", state.neutral_supply, facts.EMPIRE_CARDS["neutral"])


def _check_supply(path: str, supply: dict[str, int], known: dict[str, facts.Card]) -> None:
    for card, count in supply.items():
        if card not in known:
            raise _wrong(path, f"no card of this pile is called {card!r}")
        _need_range(f"{path}.{card}", count)


def _more_pieces(state: State, side: Side) -> Iterator[str]:
    """Pieces of a side beyond S1.1; those that the opponent captured count."""
    limits = facts.PIECES[side]
    stock, lost = state.players.of(side).stock, state.players.of(other(side)).captured
    board = Counter(piece.piece for piece in state.board.values() if piece.owner == side)
    for kind, number, limit in (
        ("villages", board["village"] + stock.villages + lost.villages, limits.villages),
        ("towns", board["town"] + stock.towns + lost.towns, limits.towns),
    ):
        if number > limit:
            yield f"{number} {side} {kind} on the board, in stock and captured; there are {limit}"


def _more_forts(state: State) -> Iterator[str]:
    number = sum(piece.fort for piece in state.board.values()) + state.forts_left
    if number > facts.FORTS:
        yield f"{number} fortification discs on the board and left; there are {facts.FORTS}"


def _held(player: Player, sieges: Iterable[tuple[str, ...]]) -> Counter[str]:
    """Count the cards in a player's hands, piles and siege spaces."""
    return Counter(
        card for pile in (player.hand, player.deck, player.discard, player.reserve, *sieges) for card in pile
    )


def siege_cards(state: State, side: Side) -> list[tuple[str, ...]]:
    """Return a side's own cards in the sieges, one tuple for each siege."""
    found: list[tuple[str, ...]] = []
    for attacker in SIDES:
        siege: Siege | None = state.sieges.of(attacker)
        if siege:
            found.append(siege.attacker_cards if attacker == side else siege.defender_cards)
    return found


def _more_cards(rules: Rules, state: State) -> Iterator[str]:
    """Cards that are there more often than in this game."""
    neutrals = Counter(state.neutral_supply)
    for side in SIDES:
        limits = copies(rules, side)
        count = _held(state.players.of(side), siege_cards(state, side))
        for card in facts.EMPIRE_CARDS["neutral"]:
            neutrals[card] += count.pop(card, 0)
        count.update(state.available_locations.of(side))
        count.update(state.available_empire.of(side))
        yield from _beyond(f"{side} ", count, limits)
    yield from _beyond("", neutrals, copies(rules, "british"))


def _beyond(whose: str, count: Counter[str], limits: dict[str, int]) -> Iterator[str]:
    for card, number in sorted(count.items()):
        if number > limits[card]:
            yield f"{whose}{card!r} {number} times in all zones; this game has {limits[card]}"


def _check_turn(state: State) -> None:
    """Refuse an open turn or a question that cannot be."""
    if state.open is not None:
        _need_range("open.actions_left", state.open.actions_left, 0, 2)
    if state.to_move is None and (state.open or state.question):
        raise _wrong("to_move", "a game that is over has no open turn and no question")
    match state.question:
        case MaySettle(location=place) | MayBlock(location=str(place)):
            _need_place("question.location", place)
            _check_question_place(state, place)
        case MustLose(siege=attacker, location=place):
            siege = state.sieges.of(attacker)
            if siege is None or siege.location != place:
                raise _wrong("question", f"there is no siege of {place} by the {attacker} side")
        case _:
            pass


def _check_question_place(state: State, place: str) -> None:
    """Refuse settling a place that is taken, and blocking a raid on a place that is not one's own."""
    piece: Piece | None = state.board.get(place)
    match state.question:
        case MaySettle() if piece is not None:
            raise _wrong("question.location", f"{place} is not neutral")
        case MayBlock(to=victim) if piece is None or piece.owner != victim:
            raise _wrong("question.location", f"{place} is not controlled by the {victim} side")
        case _:
            pass


def _check_answers(rules: Rules, state: State) -> None:
    """Refuse a question that the rules never put to that side, or that has no answer."""
    question = state.question
    if question is None:
        return
    _check_asked(state, question)
    if not legal_actions(rules, state):
        raise _wrong("question", f"the {question.to} side has {_LACKING[type(question)]}")


_LACKING: dict[type[Question], str] = {
    MustGive: "no card to give",
    MustLose: "no empire card in that siege",
    MustStartWith: "no empire card to start with",
}
"""The questions that may find nothing to answer with; all others have an answer always."""


def _check_asked(state: State, question: Question) -> None:
    """Refuse a question to the wrong side, and an attack without its place or with one."""
    mover = state.to_move
    match question:
        case MayExchange() | MustStartWith() if question.to != "french":
            raise _wrong("question.to", "only the french side is asked that")
        case MayBlock() | MustGive() if question.to == mover:
            raise _wrong("question.to", f"it is the turn of the {mover} side: the attack is its own")
        case MustDiscard() if question.to != mover:
            raise _wrong("question.to", "only the side to move pays for a reshuffle")
        case MayBlock(attack=attack, location=place) if (attack == "raid") != (place is not None):
            raise _wrong("question.location", "a raid has a location, an ambush has none")
        case _:
            pass


def _check_pledges(state: State) -> None:
    """Refuse a pledge of what is no empire card on that side of that siege (S8.14)."""
    for side, pledges in (state.pledged or {}).items():
        for pledge in pledges:
            siege = state.sieges.of(pledge.siege)
            cards = siege and (siege.attacker_cards if pledge.siege == side else siege.defender_cards)
            if pledge.card in facts.LOCATIONS or pledge.card not in (cards or ()):
                raise _wrong(f"pledged.{side}", f"{pledge.card!r} is no empire card of that siege")
