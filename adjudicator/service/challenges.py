"""Open challenges: made, listed, taken back, taken up.

Promise: the seed of a game that comes of a challenge is drawn with the challenge, and its commitment stands in the list
and in each mail about it, before the second player's word is known. So the service cannot choose a seed that suits both
words. Where nobody asked for a side, lots follow from seed and words (`league.lots`).
"""

import secrets
from collections.abc import Sequence

import msgspec

from adjudicator.game.chance import SEED_BYTES, commitment
from adjudicator.league.challenge import Offer, fits_rating, read_challenge, write_challenge
from adjudicator.league.lots import lot, seated
from adjudicator.service.moderate import Warrant, find, note
from adjudicator.service.petitions import Deed
from adjudicator.service.start import Wish, begin_game, is_barred
from adjudicator.service.visits import Done, Outcome, Visit, listed
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, ChallengeRow, NewChallenge, NewPost, PlayerRow

MOST_OPEN = 5
"""So many challenges of one player are open at a time."""


def rating_of(player: PlayerRow) -> int | None:  # noqa: ARG001 - nobody has one yet
    """The rating of a player, None without one."""
    return None


def offer_of(row: ChallengeRow) -> Offer:
    """The game that a challenge offers."""
    return msgspec.convert({name: getattr(row, name) for name in Offer.__struct_fields__}, Offer)


def listing(tx: Transaction) -> str:
    """All open challenges, the oldest first, one a line."""
    return "\n".join(_line(tx, row) for row in tx.open_challenges())


def asked_of(tx: Transaction, deeds: Sequence[Deed], left_out: Sequence[Deed] = ()) -> dict[str, str]:
    """What the mail tells that asks about deeds: they, the challenges that they take up, and what was left out."""
    rows = [tx.challenge(_number_of(argument)) for word, argument in deeds if word == "join"]
    wanted = [_line(tx, row) for row in rows if row and row.closed_at is None]
    return {"deeds": listed(deeds), "open": "\n".join(wanted), "left_out": listed(left_out)}


def _line(tx: Transaction, row: ChallengeRow) -> str:
    """A challenge as the templates take it: number, by whom ("" if that is not told), text, since, commitment."""
    by = tx.player(row.player_id)
    name = by.name if by and not row.anonymous else ""
    text = write_challenge(offer_of(row), word=False)
    return "\t".join((str(row.id), name, text, f"{row.created_at:%Y-%m-%d}", commitment(row.seed)))


def _number_of(argument: str) -> int:
    return int(argument.partition(" ")[0])


def hindrance(tx: Transaction, player_id: int, deed: Deed) -> Outcome | None:
    """What keeps a player from a deed about challenges; None if nothing does, or if it is about something else."""
    word, argument = deed
    if word not in ("challenge", "join", "cancel-challenge"):
        return None
    player = tx.player(player_id)
    if player is None or (word != "cancel-challenge" and is_barred(tx, player_id)):
        return "banned", ""
    if word == "challenge":
        mine = sum(row.player_id == player_id for row in tx.open_challenges())
        return ("challenge-many", str(MOST_OPEN)) if mine >= MOST_OPEN else None
    return _closed_to(tx, player, word, _number_of(argument))


def _closed_to(tx: Transaction, player: PlayerRow, word: str, number: int) -> Outcome | None:
    """What keeps a player from taking a challenge up, or back."""
    row = tx.challenge(number)
    if row is None or row.closed_at or (word == "join" and is_barred(tx, row.player_id)):
        return "challenge-none", str(number)
    if word == "cancel-challenge":
        return None if row.player_id == player.id else ("challenge-not-yours", str(number))
    if row.player_id == player.id:
        return "challenge-own", str(number)
    if not fits_rating(offer_of(row), rating_of(player)):
        return "challenge-rated", str(number)
    return None


def make(here: Visit, asked: AskingRow, text: str) -> Done:
    """Open a challenge, and draw the seed of its game."""
    assert asked.player_id
    if hindered := hindrance(here.tx, asked.player_id, ("challenge", text)):
        return hindered, []
    said = msgspec.structs.asdict(read_challenge(text))
    said["variants"] = list(said["variants"])
    seed = secrets.token_bytes(SEED_BYTES)
    new = NewChallenge(player_id=asked.player_id, created_at=here.now, seed=seed, **said)
    number = here.tx.add_challenge(new)
    _note(here, asked.player_id, "challenge open", challenge=number, commitment=commitment(seed))
    return ("challenged", f"{number} {commitment(seed)}"), []


def take_back(here: Visit, asked: AskingRow, argument: str) -> Done:
    """Close a challenge of the player's own."""
    assert asked.player_id
    if hindered := hindrance(here.tx, asked.player_id, ("cancel-challenge", argument)):
        return hindered, []
    here.tx.close_challenge(_number_of(argument), at=here.now)
    _note(here, asked.player_id, "challenge cancel", challenge=_number_of(argument))
    return ("challenge-cancelled", argument), []


def take_up(here: Visit, asked: AskingRow, argument: str) -> Done:
    """Make a game of a challenge; its first mails go to both."""
    assert asked.player_id
    if hindered := hindrance(here.tx, asked.player_id, ("join", argument)):
        return hindered, []
    row = here.tx.challenge(_number_of(argument))
    assert row
    name, first = _start(here, row, asked.player_id, argument.partition(" ")[2])
    return ("challenge-joined", f"{row.id} {name}"), first


def _start(here: Visit, row: ChallengeRow, joiner: int, word: str) -> tuple[str, list[NewPost]]:
    """Start the game of a challenge; returns its name and its first mails."""
    drawn = lot(row.seed, row.word, word)
    side = offer_of(row).side or drawn
    seats = seated(row.player_id, joiner, side)
    wish = Wish(
        seats.british,
        seats.french,
        edition=row.edition,
        variants=tuple(row.variants),
        switches=row.switches,
        clock=row.clock,
        seed=row.seed,
        words=seated(row.word, word, side),
        anonymous=row.anonymous,
        public=row.public,
    )
    name, first = begin_game(here.config, here.tx, wish, here.now)
    game = find(here.tx, name)
    here.tx.close_challenge(row.id, at=here.now, game_id=game.row.id)
    data = {"challenge": row.id, "lot": None if row.side else drawn, **msgspec.structs.asdict(seats)}
    note(here.tx, Warrant(f"player {joiner}", "", here.now), "challenge join", game, **data)
    return name, first


def _note(here: Visit, player_id: int, command: str, **data: object) -> None:
    note(here.tx, Warrant(f"player {player_id}", "", here.now), command, None, player=player_id, **data)
