"""Which of the legal actions the heuristic player thinks about: those that could be the best of their kind."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from adjudicator.game import facts
from adjudicator.game.actions import Action, Discard, Done, Govern, Merchant, Raid, Reserve, Trade
from adjudicator.players.values import CARD_VALUE, LOCATION_CARD_VALUE

MOST_DISCARDED = 2


def worth_a_thought(actions: Iterable[Action]) -> list[Action]:
    """The actions without those that another one of the same kind outdoes; the end of the turn is no choice."""
    kept: list[Action] = []
    groups: dict[type[Action], list[Action]] = {}
    for action in actions:
        if type(action) in _SIFT:
            groups.setdefault(type(action), []).append(action)
        elif not isinstance(action, Done):
            kept.append(action)
    for kind, alike in groups.items():
        kept.extend(_SIFT[kind](alike))
    return kept


def _few_discards(actions: Sequence[Discard]) -> list[Discard]:
    return [action for action in actions if len(action.cards) <= MOST_DISCARDED]


def _soldiers(actions: Sequence[Reserve]) -> list[Reserve]:
    """Reserving: soldiers wait there for a siege; a location card (first edition) is only hidden away."""
    return [action for action in actions if action.card not in facts.LOCATIONS]


def _shortest_raids(actions: Sequence[Raid]) -> list[Raid]:
    """Of the raids on a place those with the fewest cards."""
    least: dict[str, int] = {}
    for action in actions:
        least[action.target] = min(len(action.cards), least.get(action.target, len(action.cards)))
    return [action for action in actions if len(action.cards) == least[action.target]]


def _all_furs(actions: Sequence[Trade]) -> list[Trade]:
    most = max(len(action.furs) for action in actions)
    return [action for action in actions if len(action.furs) == most]


def _most_goods(actions: Sequence[Merchant]) -> list[Merchant]:
    most = max(len(action.gold) for action in actions)
    return [action for action in actions if len(action.gold) == most]


def _least_wanted(actions: Sequence[Govern]) -> list[Govern]:
    """The Governor returns what is worth least: the better halves of his choices are left out."""
    side_values = {**LOCATION_CARD_VALUE["british"], **LOCATION_CARD_VALUE["french"], **CARD_VALUE}
    ranked = sorted(actions, key=lambda action: sum(side_values.get(card, 0.0) - 0.3 for card in action.cards))
    return ranked[:4]


# Any: each function takes the actions of the kind that it stands beside.
_SIFT: dict[type[Action], Callable[[Any], list[Any]]] = {
    Discard: _few_discards,
    Reserve: _soldiers,
    Raid: _shortest_raids,
    Trade: _all_furs,
    Merchant: _most_goods,
    Govern: _least_wanted,
}
