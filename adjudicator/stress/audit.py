"""What the database holds against what the writers and the relay saw, after the service was killed.

Each letter leaves several traces, in several tables: itself, its note at the seat, its moves, the answer, the mail to
the other side. They are all there, once, or none is; and all are there if a 250 was heard.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from adjudicator.errors import AdjudicatorError
from adjudicator.service.stored import Stored, stored, turn_start
from adjudicator.store.ledger import Ledger, Transaction
from adjudicator.store.rows import LetterRow, PostLine
from adjudicator.stress.relay import Relay
from adjudicator.stress.writers import Sent

_ALL = 10_000_000
MOVED = "applied"


class Kept(msgspec.Struct):
    """What is stored: games by name, letters by Message-ID, mails by what caused them, marks of each seat's notes."""

    games: dict[str, Stored]
    letters: dict[str, list[LetterRow]]
    posts: dict[str, list[PostLine]]
    notes: dict[tuple[str, str], Counter[str]]


def faults(ledger: Ledger, sent: Iterable[Sent]) -> list[str]:
    """Return what is wrong, a line each; nobody may write meanwhile."""
    with ledger.read() as tx:
        kept = _kept(tx)
        found = [line for one in sent for line in _of_letter(one, kept)]
        for game in kept.games.values():
            found += _of_game(tx, game, {row.id for rows in kept.letters.values() for row in rows})
    return found


def _kept(tx: Transaction) -> Kept:
    games = {}
    for line in tx.games():
        row = tx.game(line.name, lock=False)
        assert row
        games[line.name] = stored(row)
    letters: defaultdict[str, list[LetterRow]] = defaultdict(list)
    for letter in tx.letters(limit=_ALL):
        letters[letter.message_id].append(letter)
    posts: defaultdict[str, list[PostLine]] = defaultdict(list)
    for post in tx.posts(limit=_ALL):
        posts[post.cause.rpartition(":")[2]].append(post)  # before the colon stands what a notice is about
    notes: dict[tuple[str, str], Counter[str]] = {
        (name, side): Counter(seat.notes.split()) for name, game in games.items() for side, seat in game.seats.items()
    }
    return Kept(games, letters, posts, notes)


def _of_letter(sent: Sent, kept: Kept) -> Iterator[str]:
    """Whether a letter had its whole effect, once, or none."""
    rows = kept.letters.get(sent.message_id, [])
    notes = kept.notes[sent.table.game, sent.side][sent.mark]
    what = f"{sent.message_id} (taken: {sent.taken}, tries: {sent.tries})"
    if len(rows) > 1 or (sent.taken and not rows):
        yield f"{what}: stored {len(rows)} times"
    if notes != len(rows):
        yield f"{what}: stored {len(rows)} times, noted {notes} times"
    for row in rows:
        posts = kept.posts.get(row.key, [])
        answers = [post for post in posts if post.message_id == row.answer_id and post.side == sent.side]
        others = len(posts) - len(answers)
        if len(answers) != 1 or others != sent.press + (row.outcome == MOVED):
            yield f"{what}: {row.outcome}, {len(answers)} answers, {others} other mails"


def _of_game(tx: Transaction, game: Stored, letters: set[int]) -> Iterator[str]:
    """Whether a game's moves lead to where it stands, each from a letter that is there."""
    row = game.row
    moves = tx.moves(row.id)
    if [move.n for move in moves] != list(range(row.moves)):
        yield f"game {row.name}: {row.moves} moves, stored {[move.n for move in moves]}"
    if row.seq != 1 + len({move.letter_id for move in moves}):
        yield f"game {row.name}: position {row.seq} after {len({move.letter_id for move in moves})} letters with moves"
    if any(move.letter_id not in letters for move in moves):
        yield f"game {row.name}: a move of a letter that is not there"
    is_border = game.state.open is None and game.state.question is None
    try:
        if is_border and turn_start(tx, game) != game.state:
            yield f"game {row.name}: its moves lead elsewhere"
    except AdjudicatorError as error:
        yield f"game {row.name}: its moves lead nowhere: {error}"


def delivery_faults(ledger: Ledger, relay: Relay) -> list[str]:
    """Return what is wrong with the mails that went out, a line each; the outbox should be empty."""
    with ledger.read() as tx:
        posts = tx.posts(limit=_ALL)
    written = {post.message_id for post in posts}
    found = [
        f"{post.message_id} was not sent: {post.kind}, due {post.due_at}, {post.attempts} attempts, {post.last_error}"
        for post in posts
        if post.sent_at is None
    ]
    found += [f"{one} did not arrive" for one in sorted(written - set(relay.copies))]
    found += [f"{one} arrived, and nothing is known of it" for one in sorted(set(relay.copies) - written)]
    found += [f"{one} arrived again, with other bytes" for one in sorted(relay.changed)]
    if len(written) != len(posts):
        found.append(f"{len(posts)} mails have {len(written)} Message-IDs")
    return found
