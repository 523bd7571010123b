"""Export and import of stored games: whole, running, in the middle of a turn, with a question pending."""

import random

import msgspec
import pytest
from post_office import ADDRESSES, START, PostOffice
from random_games import RandomGame

from adjudicator.errors import UsageError
from adjudicator.game import engine
from adjudicator.game.chance import SILENT, seeded
from adjudicator.game.edition import VARIANTS, rules_for
from adjudicator.game.model import BySide, MustGive
from adjudicator.game.public import PublicRecord
from adjudicator.game.record import Kept, Position, Record, Seated, read_position, read_record, written
from adjudicator.game.replay import replay
from adjudicator.game.verify import verify
from adjudicator.orders import write
from adjudicator.service import moderate, powers, records
from adjudicator.service.house import play_house
from adjudicator.service.imports import import_record
from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger
from adjudicator.store.migrate import upgrade

replace = msgspec.structs.replace


def full(office, name="g1"):
    with office.ledger.read() as tx:
        return records.full_export(tx, moderate.find(tx, name))


def brought_in(office, record, name="copy"):
    """The name under which a record was imported, after a way through a file."""
    with office.ledger.begin() as tx:
        return import_record(tx, read_record(written(record)), office.now, name)


def assert_equal_import(office, label="", name="g1"):
    """A full export, imported, has the same state and row, and is exported as the same again."""
    before = full(office, name)
    copy = brought_in(office, before, f"copy-{label}")
    one, two = office.game(name), office.game(copy)
    assert two.state == one.state, label
    assert replace(full(office, copy), id=before.id) == before, label
    for field in ("status", "turn", "seq", "moves", "waiting_for", "deadline_at", "result", "seed", "words", "start"):
        assert getattr(two.row, field) == getattr(one.row, field), (label, field)
    return copy


def some_variants(number):
    rng = random.Random(number)
    chosen = [one for one in VARIANTS if rng.random() < 0.3]
    if "french-draft-bateaux" in chosen and "french-start-bateaux" in chosen:
        chosen.remove("french-start-bateaux")
    return tuple(chosen)


@pytest.mark.parametrize("number", range(5))
def test_whole_house_games_replay_verify_and_come_back_at_every_stage(sqlite_office, number):
    office = sqlite_office
    french = "house:random" if number else "house:heuristic"
    wish = {"edition": 1 + number % 2, "variants": some_variants(number), "seed": bytes([number]) * 32}
    name = office.new_game(british="house:random", french=french, **wish)
    written_mails = 0
    while play_house(office.config, office.ledger, office.now, at_most=13):
        written_mails += 13
        assert_equal_import(office, f"{number}-{written_mails}", name)
        with office.ledger.begin() as tx:  # the copies shall not play on
            for line in tx.games():
                if line.name != name and line.status == "running":
                    powers.pause(office.config, tx, line.name, moderate.Warrant("test", "", office.now))
    game = office.game(name)
    assert game.row.status == "finished", f"game {number}"
    with office.ledger.read() as tx:
        record = records.export(tx, game)
        assert records.public_export(tx, game) == record
    for check in (replay, verify):
        found = check(read_record(written(record)))
        assert found.mismatches == (), f"game {number}"
        assert found.state == game.state
        assert found.turns == len(record.turns) > 10
    assert (record.kept, record.standing) == (None, {})
    assert record.result.reason == full(office, name).result.reason


def test_the_middle_of_a_turn(office):
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "draft Militia\nstop")
    office.answer("british", "on raid: no block\non siege lost: lose militia")
    assert office.game().state.turn == 2
    copy = assert_equal_import(office)
    record = full(office, copy)
    assert record.standing["british"].startswith("on raid: no block")
    assert record.turns[0].orders == ("draft Ships",)
    assert record.turns[0].at == office.game().row.created_at.replace(minute=1)


def test_an_open_turn_with_an_action_left(sqlite_office):
    office = sqlite_office
    for side, orders in (
        ("british", "draft Ships"),
        ("french", "draft Militia"),
        ("british", "draft Militia\nstop"),
    ):
        if not office.boxes:
            office.new_game()
        office.answer(side, orders)
    assert office.game().state.open.actions_left == 1
    copy = assert_equal_import(office)
    # Both games go on in the same way, also over the next refill.
    for name in ("g1", copy):
        assert office.game(name).state.open.actions_left == 1
    letter = office.letter("british", "pass")
    office.post(letter, office.last("british")["Reply-To"])
    assert office.game().state.turn == 4


def asked(office):
    """A game in which the British are asked whether to block an ambush."""
    position = read_position(ambush_position())
    office.new_game(position=position)
    office.answer("british", "on ambush: ask me")
    office.answer("french", "ambush with Native Americans")
    question = office.game().state.question
    assert question
    assert question.to == "british"
    return office


def ambush_position():
    """The file of a start position in which the French can ambush and the British can block."""
    state = engine.new_game(rules_for(), seeded(SILENT)).state
    french = state.players.french
    hand = (*french.hand[:-1], "native-americans")
    players = state.players.put("french", replace(french, hand=hand))
    british = state.players.british
    players = players.put("british", replace(british, hand=(*british.hand[:4], "militia")))
    empire = state.available_empire
    empire = empire.put("french", {**empire.french, "native-americans": 0})
    empire = empire.put("british", {**empire.british, "militia": 2})
    state = replace(state, players=players, to_move="french", turn=4, available_empire=empire)
    return written(Position(format="afas-position/1", edition=2, state=state))


def test_a_pending_question(office):
    asked(office)
    record = full(office)
    assert record.from_position
    copy = assert_equal_import(office)
    assert office.game(copy).state.question == office.game().state.question
    assert office.game(copy).row.waiting_for == "british"


def test_the_secret_addresses_of_an_imported_game_stay_good(sqlite_office, tmp_path):
    """In a new database the answer to the last mail from the old one is taken, and moves the game."""
    old = sqlite_office
    old.new_game()
    old.answer("british", "draft Ships")
    letter, rcpt = old.letter("french", "draft Militia"), old.last("french")["Reply-To"]
    database = open_database(f"sqlite:///{tmp_path}/other.db")
    upgrade(database)
    new = PostOffice(Ledger(database), old.config)
    brought_in(new, full(old), "g1")
    assert new.post(letter, rcpt, ADDRESSES["french"]).code == 250
    assert old.post(letter, rcpt, ADDRESSES["french"]).code == 250
    assert new.game().state == old.game().state
    assert new.last("british")["References"].split()[0] == old.boxes[ADDRESSES["british"]][0]["Message-ID"]
    database.close()


def test_a_resigned_game_comes_back(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    office.answer("french", "resign")
    office.answer("french", "confirm")
    assert office.game().row.status == "finished"
    copy = assert_equal_import(office)
    assert full(office, copy).result.reason == "resignation"


def test_a_paused_game_stays_paused(sqlite_office):
    office = sqlite_office
    office.new_game()
    with office.ledger.begin() as tx:
        powers.pause(office.config, tx, "g1", moderate.Warrant("mod", "because", START))
    copy = assert_equal_import(office)
    assert office.game(copy).row.status == "paused"


def test_variant_13_before_and_after_the_choice(sqlite_office):
    office = sqlite_office
    office.new_game(variants=("french-start-card",))
    assert_equal_import(office, "before")
    office.answer("french", "start with Militia")
    assert office.game().state.question is None
    assert_equal_import(office, "after")
    assert full(office).start_with == "militia"


def test_a_running_game_is_exported_publicly_or_for_a_reason_only(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    with office.ledger.read() as tx:
        game = moderate.find(tx, "g1")
        with pytest.raises(UsageError, match="g1 is not over: its record needs --why TEXT"):
            records.export(tx, game)
        public = records.public_export(tx, game)
    assert isinstance(public, PublicRecord)
    raw = msgspec.json.encode(public)
    assert b"ann@example.org" not in raw
    assert office.game().row.seed.hex().encode() not in raw


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": None}, "no seed and commitment in it"),
        ({"commitment": None}, "no seed and commitment in it"),
        ({"kept": None}, "a running game without its seats"),
        ({"seed": "ab" * 32}, "mismatches, the first: turn 0: commitment"),
        ({"standing": {"french": "on raid: dance"}}, "standing orders of the french side"),
        ({"standing": {"french": "on ambush: give Boston"}}, "The French have no card Boston"),
        ({"turns": ()}, None),
    ],
)
def test_records_that_cannot_be_imported(sqlite_office, change, message):
    office = sqlite_office
    office.new_game()
    office.answer("british", "draft Ships")
    record = replace(full(office), **change)
    if message is None:
        assert brought_in(office, record) == "copy"
        return
    with pytest.raises(UsageError, match=message):
        brought_in(office, record)


def test_names_of_imported_games(sqlite_office):
    office = sqlite_office
    office.new_game()
    record = full(office)
    with pytest.raises(UsageError, match="there is a game 'g1' already; --as"):
        brought_in(office, record, None)
    with pytest.raises(UsageError, match="'G 1' is no name of a game"):
        brought_in(office, record, "G 1")


def test_seats_that_cannot_be(sqlite_office):
    office = sqlite_office
    office.new_game()
    record = full(office)
    seats = record.kept.seats
    nobody = replace(seats, french=replace(seats.french, house="nobody"))
    with pytest.raises(UsageError, match="there is no house player 'nobody'"):
        brought_in(office, replace(record, kept=replace(record.kept, seats=nobody)))
    with pytest.raises(UsageError, match="a game has a result if it is finished, and only then"):
        brought_in(office, replace(record, kept=replace(record.kept, status="finished")))


def test_a_finished_game_without_its_seats_comes_back(sqlite_office):
    office = sqlite_office
    office.new_game()
    office.answer("british", "resign")
    office.answer("british", "confirm")
    with office.ledger.read() as tx:
        record: Record = records.export(tx, moderate.find(tx, "g1"))
    copy = office.game(brought_in(office, record))
    assert copy.row.status == "finished"
    assert [copy.seats[side].address for side in ("british", "french")] == [None, None]
    assert copy.seats["british"].token_key != copy.seats["french"].token_key


def stopped_games():
    """Random games that stop at each kind of question, three of each, as records with seats."""
    left = dict.fromkeys(("MaySettle", "MustLose", "MayBlock", "MustGive", "MayExchange", "MustDiscard"), 3)
    for number in range(400):
        whole = RandomGame(number, moves=200, undo=0)
        states = [whole.start]
        for move in whole.moves:
            states.append(engine.apply(whole.rules, states[-1], move.side, move.action, whole.chance).state)
        for place, state in enumerate(states):
            kind = type(state.question).__name__
            if left.get(kind):
                left[kind] -= 1
                yield RandomGame(number, moves=place, undo=0), kind
        if not any(left.values()):
            return
    pytest.fail(f"not every question was open: {left}")


def test_every_kind_of_open_question_comes_back(sqlite_office):
    """The answers before it, after it none: the imported game waits for the same answer of the same side."""
    office = sqlite_office
    for place, (game, kind) in enumerate(stopped_games()):
        at = START.replace(microsecond=0)
        game.moves = [replace(move, order=write(move.action, move.side), at=at) for move in game.moves]
        seats = BySide(Seated(key="ab" * 32, position_number=1), Seated(key="cd" * 32, position_number=1))
        kept = Kept(status="running", position_number=game.state.turn, seats=seats)
        name = brought_in(office, game.record(kept=kept), f"{kind.lower()}-{place}")
        assert office.game(name).state == game.state, (kind, game.number)
        assert office.game(name).row.waiting_for == game.state.question.to, (kind, game.number)
        assert_equal_import(office, str(place), name)


def test_an_ambush_let_through_but_not_yet_paid(office):
    asked(office)
    office.answer("british", "no block")
    assert isinstance(office.game().state.question, MustGive)
    copy = assert_equal_import(office)
    assert office.game(copy).row.waiting_for == "british"


def test_the_stored_game_of_a_banned_player_goes_on(sqlite_office):
    office = sqlite_office
    office.new_game()
    record = full(office)
    with office.ledger.begin() as tx:
        (player,) = tx.players_called("ann")
        tx.ban_player(player.id, at=office.now)
    assert brought_in(office, record) == "copy"
    assert office.game("copy").seats["british"].player_id == player.id
    office.answer("british", "pass")
    assert office.game().row.turn == 2
