"""No mail holds what its reader may not know: scrambling all that is hidden changes no byte of it."""

import random

import msgspec
import pytest
from post_office import ADDRESSES, PostOffice

from adjudicator.game.engine import decider
from adjudicator.game.events import Drew, Event, Exchanged, HomeSupported, Pledged
from adjudicator.game.model import SIDES, Pledge, Side, State, other, replace
from adjudicator.players import compose_orders
from adjudicator.render import render
from adjudicator.service.drafts import Draft, encode, report_of
from adjudicator.service.stored import Stored

DRAFT = msgspec.json.Decoder(Draft)
MAILS = 60


def scrambled_state(state: State, reader: Side, rng: random.Random) -> State:
    """Another state that the reader cannot tell from this one."""
    foe = other(reader)
    theirs = state.players.of(foe)
    pool = list(theirs.hand + theirs.deck)
    rng.shuffle(pool)
    cut = len(theirs.hand)
    theirs = replace(theirs, hand=tuple(pool[:cut]), deck=tuple(pool[cut:]))
    own = state.players.of(reader)
    deck, hand = list(own.deck), list(own.hand)
    rng.shuffle(deck)
    rng.shuffle(hand)
    own = replace(own, deck=tuple(deck), hand=tuple(hand))
    pledged = {side: pledges for side, pledges in (state.pledged or {}).items() if side == reader}
    if rng.random() < 0.5:
        pledged[foe] = (Pledge("british", "militia"),)
    return replace(state, players=state.players.put(foe, theirs).put(reader, own), pledged=pledged or None)


def scrambled_event(event: Event, reader: Side, rng: random.Random) -> Event:
    """The event with other hidden cards."""
    if getattr(event, "side", None) == reader:
        return event
    secret = (f"secret-{rng.random()}",)
    match event:
        case Drew() | HomeSupported():
            return replace(event, cards=secret)
        case Exchanged():
            return replace(event, drawn=secret)
        case Pledged():
            return replace(event, card=secret[0])
    return event


def play_by_mail(office: PostOffice, mails: int) -> Stored:
    """Let house players play the two seats with mails of their own."""
    office.new_game(edition=1, variants=("french-siege-redraw",))
    for number in range(mails):
        game = office.game()
        side = decider(game.state)
        if side is None:
            break
        seed = number.to_bytes(32)
        office.answer(side, compose_orders("random" if number % 3 else "heuristic", game.rules, game.state, side, seed))
    return office.game()


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_hidden_changes_no_byte_of_a_mail(sqlite_office: PostOffice, seed: int):
    office = sqlite_office
    play_by_mail(office, MAILS)
    rng = random.Random(seed)
    with office.ledger.read() as tx:
        posts = [post for line in tx.posts(limit=1000) if (post := tx.post(line.id))]
    assert len(posts) > MAILS
    for post in posts:
        draft = DRAFT.decode(post.report or b"")
        if draft.state is None or draft.kind == "over":
            continue
        events = tuple(scrambled_event(event, draft.side, rng) for event in draft.events)
        twin = replace(draft, state=scrambled_state(draft.state, draft.side, rng), events=events)
        assert render(report_of(encode(twin))) == render(report_of(post.report or b"")), (seed, post.message_id)


def test_the_secret_of_a_seat_is_in_no_mail_of_the_other(sqlite_office: PostOffice):
    office = sqlite_office
    play_by_mail(office, 20)
    for side in SIDES:
        secrets = {mail["Reply-To"].split("@")[0] for mail in office.boxes[ADDRESSES[other(side)]]}
        for mail in office.boxes[ADDRESSES[side]]:
            text = mail.as_string()
            assert not any(secret in text for secret in secrets), (side, mail["Subject"])
            assert office.game().row.seed.hex() not in text
