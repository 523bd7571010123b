"""A case played the public way: its mails one after the other, standing orders and defaults between them."""

from functools import cache

import msgspec
from case_files import CASES, Case
from case_position import position

from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import Rules, rules_for
from adjudicator.game.model import SIDES, BySide, State
from adjudicator.orders import read, read_standing
from adjudicator.turns import Move, Refused, play


class Played(msgspec.Struct, frozen=True):
    """What came of a case: `refused` and `not_tried` are of the last mail, all else of all mails."""

    rules: Rules
    before: State
    last_before: State
    state: State
    events: tuple = ()
    moves: tuple[Move, ...] = ()
    applied: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    not_tried: tuple[str, ...] = ()
    ignored: tuple = ()


def play_case(case: Case, edition: int) -> Played:
    """Play a case in one edition, once however often it is asked for."""
    return _played(case.id, edition)


BY_ID = {case.id: case for case in CASES}


@cache
def _played(case_id: str, edition: int) -> Played:
    """Play the mails one after the other; every mail but the last must be applied whole."""
    case = BY_ID[case_id]
    rules = rules_for(edition, case.variants, case.switches)
    state = position(rules, case)
    played = Played(rules, state, state, state)
    standing = BySide(*(read_standing(case.standing.get(side, ""), side) for side in SIDES))
    for mail in case.letters:
        assert not played.refused, f"{case.id}: an earlier mail was refused: {played.refused}"
        reading = read(mail.orders, mail.by)
        outcome = play(rules, played.state, mail.by, reading, seeded(SILENT), standing)
        played = Played(
            rules,
            state,
            played.state,
            outcome.state,
            played.events + outcome.events,
            played.moves + outcome.moves,
            outcome.applied,
            outcome.refused,
            outcome.not_tried,
            reading.ignored,
        )
    return played
