"""Our games as records: they replay, verify, come back equal, and tell spectators no secret."""

from collections import Counter
from datetime import UTC, datetime

import msgspec
import pytest
from random_games import WORDS, RandomGame

from adjudicator.errors import UsageError
from adjudicator.game.actions import Done
from adjudicator.game.edition import VARIANTS
from adjudicator.game.entries import RedealEntry
from adjudicator.game.export import Game, Played, record_of
from adjudicator.game.model import SIDES, replace
from adjudicator.game.public import PublicRecord, public_record
from adjudicator.game.record import read_record, written
from adjudicator.game.replay import replay
from adjudicator.game.verify import verify

GAMES = 60


def told(played):
    return [str(mismatch) for mismatch in played.mismatches]


def test_random_games_of_all_variants_replay_and_verify_without_mismatch():
    """Both editions, all variants, undos; every sort of entry must come up."""
    types = Counter()
    for number in range(GAMES):
        game = RandomGame(number, moves=400)
        record = game.record()
        raw = written(record)
        back = read_record(raw)
        assert back == record, number
        assert written(back) == raw, number
        played = verify(back)
        assert told(played) == [], (number, game.rules.edition, game.rules.variants)
        assert played.state == game.state, number
        types.update(entry.__struct_config__.tag for turn in record.turns for entry in turn.actions)
    wanted = {
        "siege-win",
        "exchange",
        "penalty",
        "redeal",
        "sell-fur",
        "drop",
        "withdraw",
        "home-support",
        "raid",
    }
    assert wanted <= set(types), types


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_alone_in_both_editions(variant):
    for edition in (1, 2):
        game = RandomGame(edition, edition=edition, variants=[variant], moves=150)
        assert told(verify(read_record(written(game.record())))) == []


def test_the_moves_of_a_replay_are_the_moves_of_the_game():
    """What `import` needs: the same actions by the same sides lead to an equal game."""
    game = RandomGame(21, undo=0, variants=["french-siege-redraw"], moves=350)
    record = game.record()
    moves = [Played(move.side, move.action) for move in replay(record).moves]
    kept = [move for move in game.moves if type(move.action).__name__ != "NoExchange"]
    assert [(move.side, move.action) for move in moves if type(move.action).__name__ != "NoExchange"] == [
        (move.side, move.action) for move in kept
    ]
    again = record_of(game.rules, record.start, moves, game.chance, Game(id=record.id))
    assert [turn.after for turn in again.turns] == [turn.after for turn in record.turns]


def test_orders_and_times_are_the_movers():
    game = RandomGame(4, undo=0, edition=2, variants=[], moves=60)
    at = datetime(2031, 5, 1, 12, 0, tzinfo=UTC)
    game.moves = [replace(move, at=at) for move in game.moves]
    record = game.record()
    mine = [move.order for move in game.moves if move.side == "british"]
    noted = [order for turn in record.turns if turn.side == "british" for order in turn.orders]
    assert set(noted) <= set(mine)
    assert noted[: len(record.turns[0].orders)] == mine[: len(record.turns[0].orders)] != []
    assert b'"at":"2031-05-01T12:00:00Z"' in written(record)


def test_a_game_stopped_at_any_move_is_a_record():
    """An open turn, an open question: the last turn is unfinished, and the replay ends there too."""
    whole = RandomGame(33, moves=140, undo=0)
    for number in range(1, len(whole.moves), 3):
        part = RandomGame(33, moves=number, undo=0)
        record = part.record()
        played = verify(read_record(written(record)))
        assert told(played) == [], number
        assert played.state == part.state, number


def test_a_false_shuffle_is_found():
    game = RandomGame(3, edition=2, variants=[], undo=0, moves=200)
    record = game.record()
    assert told(verify(record)) == []
    other = replace(record, seed="ab" * 32)
    paths = {mismatch.path.split(" ")[0] for mismatch in verify(other).mismatches}
    assert {"commitment", "shuffle"} <= paths
    assert any(path.startswith("start.players") for path in paths)
    swapped = replace(record, words=replace(WORDS, british=WORDS.french, french=WORDS.british))
    assert "commitment" not in {mismatch.path for mismatch in verify(swapped).mismatches}
    assert verify(swapped).mismatches


def long_deck(turn):
    """Whether the mover's deck has two ends that differ."""
    deck = turn.after.players.of(turn.side).deck
    return len(deck) > 1 and deck[0] != deck[-1]


def reshuffled():
    """The record of a random game, and the place of a turn with a reshuffle that left a deck with two ends."""
    for number in range(400):
        record = RandomGame(number, edition=2, variants=[], undo=0, moves=200).record()
        for place, turn in enumerate(record.turns):
            if turn.reshuffled and long_deck(turn) and turn.after.turn > turn.n:
                return record, place
    return pytest.fail("no reshuffle that left a deck with two different ends")


def test_a_swap_of_two_cards_that_stayed_in_the_deck_is_found():
    """The replay agrees with such a record in itself; only the seed convicts it."""
    record, place = reshuffled()
    turn = record.turns[place]
    deck = turn.after.players.of(turn.side).deck
    changed = (deck[-1], *deck[1:-1], deck[0])
    players = turn.after.players.put(turn.side, replace(turn.after.players.of(turn.side), deck=changed))
    swapped = replace(turn, after=replace(turn.after, players=players))
    false = replace(record, turns=(*record.turns[:place], swapped))
    false = replace(false, result=None)
    assert told(replay(false)) == []
    assert [mismatch.path.split(" ")[0] for mismatch in verify(false).mismatches] == ["shuffle"]


def test_a_shuffle_number_is_never_used_twice():
    record = RandomGame(7, undo=0.1, moves=150).record()
    assert any(isinstance(entry, RedealEntry) for turn in record.turns for entry in turn.actions)
    turns = list(record.turns)
    for place, turn in enumerate(turns):
        entries = [replace(entry, number=0) if isinstance(entry, RedealEntry) else entry for entry in turn.actions]
        turns[place] = replace(turn, actions=tuple(entries))
    found = told(verify(replace(record, turns=tuple(turns), result=None)))
    assert "shuffle 0 has been used already" in found[-1]


def test_verify_needs_a_commitment_and_a_seed():
    record = RandomGame(1, moves=10).record()
    with pytest.raises(UsageError, match="not over yet: the seed is not revealed"):
        verify(replace(record, seed=None))
    with pytest.raises(UsageError, match="no commitment"):
        verify(replace(record, commitment=None))


def test_a_game_from_a_position_verifies_its_shuffles_only():
    game = RandomGame(8, edition=2, variants=[], undo=0, moves=200)
    start = replace(game.start, forts_left=5)
    record = record_of(game.rules, start, [], game.chance, Game(id="x"))
    named = {"commitment": game.record().commitment, "seed": game.record().seed, "words": WORDS}
    record = msgspec.structs.replace(record, **named)
    assert told(verify(record)) != []
    assert told(verify(replace(record, from_position=True))) == []


SECRET = {"seed", "standing", "open", "pledged", "question"}


def test_the_public_record_of_a_running_game_tells_no_secret():
    """Two games that differ in hidden things only have the same public record."""
    for number in range(12):
        game = RandomGame(number, moves=120)
        record = game.record(standing={"british": "on raid: no block"})
        if record.result:
            continue
        public = public_record(record)
        assert isinstance(public, PublicRecord)
        raw = msgspec.json.encode(public)
        assert msgspec.json.decode(raw, type=PublicRecord) == public
        whole = msgspec.json.decode(raw)
        assert not SECRET & ({*whole} | {key for turn in whole["turns"] for key in turn["after"]})
        assert all(isinstance(turn["drawn"], int) for turn in whole["turns"])
        assert msgspec.json.encode(public_record(hidden_turned(record))) == raw, number


def hidden_turned(record):
    """The same game with every hand and deck reversed and mixed, and every draw other cards."""

    def turned(state):
        for side in SIDES:
            me = state.players.of(side)
            cards = (*me.hand, *me.deck)[::-1]
            me = replace(me, hand=cards[: len(me.hand)], deck=cards[len(me.hand) :])
            state = replace(state, players=state.players.put(side, me))
        return replace(state, open=None, pledged=None, question=None)

    turns = []
    for turn in record.turns:
        actions = tuple(
            replace(
                entry,
                **{name: ("boston",) * len(getattr(entry, name)) for name in ("drawn", "deck") if hasattr(entry, name)},
            )
            for entry in turn.actions
        )
        unfinished = turn.after.turn == turn.n
        if not unfinished:
            drawn = ("boston",) * len(turn.drawn)
            turns.append(replace(turn, actions=actions, drawn=drawn, after=turned(turn.after)))
    return replace(record, start=turned(record.start), turns=tuple(turns), seed=None, standing={})


def test_pledges_are_public_once_the_siege_is_resolved():
    for number in range(200):
        game = RandomGame(number, moves=260, undo=0)
        record = game.record()
        pledged = [place for place, turn in enumerate(record.turns) if turn.pledged_losses]
        if pledged and pledged[0] + 1 < len(record.turns):
            cut = replace(record, turns=record.turns[: pledged[0] + 1], result=None)
            assert public_record(cut).turns[-1].pledged_losses == ()
            more = replace(record, turns=record.turns[: pledged[0] + 2], result=None)
            if more.turns[-1].after.turn > more.turns[-1].n:
                shown = public_record(more).turns[pledged[0]].pledged_losses
                assert shown == record.turns[pledged[0]].pledged_losses
                return
    pytest.fail("no pledge in any game")


def test_the_public_record_of_a_finished_game_is_the_whole_game():
    game = next(made for number in range(40) if (made := RandomGame(number)).state.to_move is None)
    record = game.record(standing={"french": "on raid: no block"})
    public = public_record(record)
    assert public == replace(record, standing={})
    assert told(verify(public)) == []


def test_an_open_turn_is_not_public():
    game = RandomGame(2, edition=2, variants=[], undo=0, moves=40)
    while isinstance(game.moves[-1].action, Done):
        game = RandomGame(2, edition=2, variants=[], undo=0, moves=len(game.moves) + 1)
    record = game.record()
    assert record.turns[-1].after.turn == record.turns[-1].n
    assert len(public_record(record).turns) == len(record.turns) - 1
