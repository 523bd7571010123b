"""Those who watch: they get each turn once it has ended, and nothing that only a side may know."""

import random

import msgspec
import pytest
from post_office import ADDRESSES, PostOffice, text_of
from test_secrecy import play_by_mail, scrambled_event, scrambled_state

from adjudicator.game.model import SIDES, Side, replace
from adjudicator.render import render
from adjudicator.render.inert import assert_inert
from adjudicator.service import moderate
from adjudicator.service.drafts import Draft, encode, report_of
from adjudicator.service.watching import MOST_WATCHED, observe, unobserve

WATCHER = "cat@example.com"


def watch(office: PostOffice, name: str = "g1", address: str = WATCHER) -> str:
    """Let somebody begin to watch."""
    with office.ledger.begin() as tx:
        known = tx.address(address)
        player = known.player_id if known else tx.create_player("Cat", at=office.now)
        if known is None:
            tx.add_address(player, address, verified_at=office.now)
        outcome = observe(office.config, tx, player, moderate.find(tx, name, lock=True), office.now)
    office.deliver()
    return outcome


def mails(office: PostOffice) -> list:
    return office.boxes.get(WATCHER, [])


def test_a_turn_is_told_when_it_has_ended_and_not_before(office):
    office.new_game(public=True)
    assert watch(office) == "watching"
    assert watch(office) == "already"
    assert len(mails(office)) == 1
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    assert len(mails(office)) == 3
    office.answer("british", "money from Boston\nstop")
    assert len(mails(office)) == 3
    office.answer("british", "pass\ndone")
    last = mails(office)[-1]
    said = " ".join(text_of(last).split())
    assert last["Reply-To"] == "games@play.example.org"
    assert last["Subject"] == "[g1] Watching turn 4"
    assert "The British took" in said
    assert "ann (British) against ben (French)" in said
    assert 'a line that says "unobserve g1"' in said


def test_who_comes_in_an_open_turn_sees_how_it_began(sqlite_office):
    office = sqlite_office
    office.new_game(public=True)
    before = office.game().state.players.british.money
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia")
    money = office.game().state.players.british.money
    office.answer("british", "money from Boston\nstop")
    assert office.game().state.players.british.money > money < before
    watch(office)
    assert f"They have {money} money" in " ".join(text_of(mails(office)[-1]).split())


def test_the_end_and_going_back_are_told(office):
    office.new_game(public=True)
    watch(office)
    office.answer("british", "draft Ships")
    office.answer("british", "offer takeback")
    office.answer("french", "accept takeback")
    assert "gone back to the start of turn 1" in " ".join(text_of(mails(office)[-1]).split())
    office.answer("british", "offer draw")
    office.answer("french", "accept draw")
    assert mails(office)[-1]["Subject"] == "[g1] The game is over: no winner"
    count = len(mails(office))
    assert watch(office) == "over"
    assert len(mails(office)) == count


def test_words_to_all_reach_who_watches_and_words_to_the_opponent_do_not(office):
    office.new_game(public=True)
    watch(office)
    office.answer("british", "press: a secret plan")
    assert len(mails(office)) == 1
    office.answer("british", "press all: hello to everybody")
    assert "says: hello to everybody" in text_of(mails(office)[-1])
    assert "says: hello to everybody" in text_of(office.last("french"))


def test_who_may_not_watch(office):
    office.new_game()
    assert watch(office) == "not-public"
    office.new_game(public=True)
    assert watch(office, "g2", ADDRESSES["french"]) == "own"
    for number in range(3, MOST_WATCHED + 3):
        office.new_game(public=True)
        assert watch(office, f"g{number}") == "watching"
    assert watch(office, "g2") == "too-many-watched"


def test_who_has_enough_of_it_gets_no_more(office):
    office.new_game(public=True)
    watch(office)
    with office.ledger.begin() as tx:
        game, player = moderate.find(tx, "g1", lock=True), tx.address(WATCHER).player_id
        assert unobserve(tx, player, game)
        assert not unobserve(tx, player, game)
    office.answer("british", "draft Ships")
    assert len(mails(office)) == 1


def seen_by_nobody(draft: Draft, rng: random.Random) -> Draft:
    """The same draft with all that is hidden from a spectator permuted: what is hidden from either side."""
    state, events = draft.state, draft.events
    for side in SIDES:
        state = scrambled_state(state, side, rng)
    for reader in SIDES:
        events = tuple(scrambled_event(event, reader, rng) for event in events)
    return replace(draft, state=state, events=events)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_hidden_changes_no_byte_of_a_mail_to_who_watches(sqlite_office: PostOffice, seed: int):
    office = sqlite_office
    plain = office.new_game
    office.new_game = lambda **wish: (plain(**wish, public=True), watch(office))  # type: ignore[method-assign]
    play_by_mail(office, 60)
    rng = random.Random(seed)
    with office.ledger.read() as tx:
        posts = [post for line in tx.posts(limit=1000) if line.kind == "watch" and (post := tx.post(line.id))]
    assert len(posts) > 20
    harmless: set[str] = set()
    for post in posts:
        twin = seen_by_nobody(msgspec.json.decode(post.report, type=Draft), rng)
        mail = render(report_of(post.report))
        assert render(report_of(encode(twin))) == mail, (seed, post.message_id)
        assert_inert(mail.text, harmless)


def test_the_secret_of_no_seat_is_in_a_mail_to_who_watches(sqlite_office: PostOffice):
    office = sqlite_office
    office.new_game(public=True)
    watch(office)
    sides: tuple[Side, ...] = ("british", "french")
    for side, orders in zip(sides, ("draft Ships", "draft Militia"), strict=True):
        office.answer(side, orders)
    secrets = {mail["Reply-To"].split("@")[0] for side in sides for mail in office.boxes[ADDRESSES[side]]}
    for mail in mails(office):
        raw = mail.as_string()
        assert not any(secret in raw for secret in secrets)
        assert office.game().row.seed.hex() not in raw
        assert not any(address in raw for address in ADDRESSES.values())
