import pytest

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import new_game
from adjudicator.game.model import Siege, replace


@pytest.fixture
def rules():
    return rules_for(2)


@pytest.fixture
def start(rules):
    """The first position, whose hands tests replace."""
    return new_game(rules, seeded(SILENT)).state


def with_player(state, side, **changes):
    """The same position with another hand, reserve or the like."""
    player = replace(state.players.of(side), **changes)
    return replace(state, players=state.players.put(side, player))


@pytest.fixture
def edit():
    return with_player


@pytest.fixture
def siege_state(start):
    """The British besiege Louisbourg; both sides have cards there."""
    siege = Siege(
        "louisbourg",
        1,
        ("siege-artillery", "militia", "boston"),
        ("regular-infantry", "regular-infantry-start"),
    )
    return replace(start, turn=5, sieges=start.sieges.put("british", siege))
