"""Every case of the chapter files, played and compared."""

import pytest
from case_facts import differences, owned_cards, pieces
from case_files import CASES
from case_play import play_case

from adjudicator.errors import UsageError
from adjudicator.game.edition import rules_for
from adjudicator.game.position import check_position, surplus

PLAYED = [(case, edition) for case in CASES if not case.usage_error for edition in case.editions]
UNPLAYABLE = [case for case in CASES if case.usage_error]


def name(value):
    return getattr(value, "id", f"edition {value}")


@pytest.mark.parametrize(("case", "edition"), PLAYED, ids=name)
def test_case(case, edition):
    played = play_case(case, edition)
    check_position(played.rules, played.before)
    assert not surplus(played.rules, played.before)
    assert not played.ignored, "an order was taken for prose"
    verdicts = {verdict for one in played.refused for verdict in (one.rule, one.code)}
    if case.refused:
        assert verdicts & set(case.refused), f"refused by {verdicts or 'nothing'}, not by {case.refused}"
    else:
        assert not played.refused, played.refused
        assert not played.not_tried
    assert differences(case.then, played.state, played.events) == []


@pytest.mark.parametrize(("case", "edition"), PLAYED, ids=name)
def test_nothing_is_lost_or_made(case, edition):
    played = play_case(case, edition)
    before, after = owned_cards(played.before), owned_cards(played.state)
    taken = {card: number for card, number in (after - before).items() if not card.startswith("neutral-")}
    assert taken == {}
    assert before == after
    assert pieces(played.before) == pieces(played.state)


@pytest.mark.parametrize(("case", "edition"), [(case, edition) for case, edition in PLAYED if case.refused], ids=name)
def test_a_refusal_changes_nothing(case, edition):
    """Unless an order before it has revealed something, and so stands."""
    played = play_case(case, edition)
    assert played.applied or played.state == played.last_before


@pytest.mark.parametrize("case", UNPLAYABLE, ids=name)
def test_a_game_that_cannot_be_set_up(case):
    for edition in case.editions:
        with pytest.raises(UsageError):
            rules_for(edition, case.variants, case.switches)
