"""A new game: who sits where, the committed seed, the deal, and the first mail to each seat."""

import secrets
from datetime import datetime

import msgspec

from adjudicator.errors import UsageError
from adjudicator.game.chance import SEED_BYTES, commitment, seeded
from adjudicator.game.edition import Rules, rules_for
from adjudicator.game.engine import decider, new_game
from adjudicator.game.model import SIDES, BySide, MustStartWith, Side, State
from adjudicator.game.record import Position, rules_of
from adjudicator.league.clock import DEFAULT as DEFAULT_CLOCK
from adjudicator.league.clock import parse_clock, write_clock
from adjudicator.orders import read_standing
from adjudicator.players import PLAYERS
from adjudicator.service.absence import leave_ahead
from adjudicator.service.config import Config
from adjudicator.service.keys import new_key
from adjudicator.service.stored import ENCODER, Postbox, Stored, stored
from adjudicator.service.timing import begun
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import NewGame, NewPost, NewSeat

HOUSE = "house"
DEFAULT_HOUSE = "heuristic"
replace = msgspec.structs.replace


class Wish(msgspec.Struct, frozen=True):
    """A game that is asked for. Seats are addresses, numbers of players, "house" or "house:NAME".

    `seed` None: a random one. `words` are what the players add to it; to be fair it was committed to before. In an
    `anonymous` game nobody learns who the other is; anybody may watch a `public` one. A game that `restarts` another
    one takes over what its players had said for themselves: `standing` orders, and who `confirms` each turn.
    """

    british: str | int
    french: str | int
    edition: int = 2
    variants: tuple[str, ...] = ()
    switches: dict[str, object] = {}
    clock: str = DEFAULT_CLOCK
    lang: str = "en"
    position: Position | None = None
    seed: bytes | None = None
    words: BySide[str] = BySide("", "")
    anonymous: bool = False
    public: bool = False
    restarts: str = ""
    standing: dict[Side, str] = {}
    confirms: tuple[Side, ...] = ()

    def seat(self, side: Side) -> str | int:
        """Who is to sit on a side."""
        return self.british if side == "british" else self.french


def start_game(config: Config, tx: Transaction, wish: Wish, now: datetime) -> str:
    """Create and deal a game, and write the first mails; returns its name.

    Raises: UsageError for wishes that cannot be fulfilled, and for players who may not play this game.
    """
    name, posts = begin_game(config, tx, wish, now)
    tx.add_posts(posts)
    return name


def begin_game(config: Config, tx: Transaction, wish: Wish, now: datetime) -> tuple[str, list[NewPost]]:
    """As `start_game`, for who has other mails to write before the first ones of the game; returns those too."""
    rules = rules_of(wish.position) if wish.position else rules_for(wish.edition, wish.variants, wish.switches)
    try:
        clock = write_clock(parse_clock(wish.clock))
    except ValueError as error:
        raise UsageError(f"clock {wish.clock!r}: {error}") from error
    if wish.lang != "en":
        raise UsageError(f"language {wish.lang!r}: only en is known")
    seed = wish.seed if wish.seed is not None else secrets.token_bytes(SEED_BYTES)
    if len(seed) != SEED_BYTES:
        raise UsageError(f"a seed has {SEED_BYTES} bytes ({2 * SEED_BYTES} hex digits), not {len(seed)}")
    if wish.position:
        _need_playable(wish.position.state)
    chance = seeded(seed, wish.words.british, wish.words.french)
    state = wish.position.state if wish.position else new_game(rules, chance).state
    sitting = _sitting(tx, wish, now)
    name = _free_name(tx)
    game_id = tx.create_game(_row(name, rules, replace(wish, clock=clock), seed, state, now))
    tx.add_seats(*(_seat(wish, side, game_id, sitting[side]) for side in SIDES))
    return name, _welcome(config, tx, name, wish, now)


def is_barred(tx: Transaction, player_id: int) -> bool:
    """Whether a moderator keeps a player out of new games, however he would come into one."""
    player = tx.player(player_id)
    return player is None or player.banned_at is not None


def need_admitted(tx: Transaction, player_id: int) -> None:
    """Refuse a player who is kept out of new games.

    Raises: UsageError.
    """
    if is_barred(tx, player_id):
        raise UsageError(f"player {player_id} is banned from new games; `player unban {player_id}` lets him in again")


def _sitting(tx: Transaction, wish: Wish, now: datetime) -> dict[Side, int | None]:
    """The player of each side, None for a house player. Raises: UsageError for who may not play."""
    sitting: dict[Side, int | None] = {}
    for side in SIDES:
        wanted = wish.seat(side)
        if isinstance(wanted, str):
            wanted = 0 if house_name(wanted) else player_at(tx, wanted, now)
        sitting[side] = wanted or None
        if wanted:
            need_admitted(tx, wanted)
    if sitting["british"] and sitting["british"] == sitting["french"]:
        raise UsageError(f"player {sitting['british']} cannot sit on both sides: the other seat needs somebody else")
    return sitting


def _need_playable(state: State) -> None:
    """A game begins at a position in which somebody is to move; a question in the middle of something has no past."""
    if state.to_move is None:
        raise UsageError("position: the game is over there")
    if state.question is not None and not isinstance(state.question, MustStartWith):
        raise UsageError("position: a game cannot begin with an open question")


def _free_name(tx: Transaction) -> str:
    """The next number that no game has."""
    number = len(tx.games()) + 1
    while tx.has_game(f"g{number}"):
        number += 1
    return f"g{number}"


def _row(name: str, rules: Rules, wish: Wish, seed: bytes, state: State, now: datetime) -> NewGame:
    encoded = ENCODER.encode(state)
    return NewGame(
        name=name,
        status="running",
        edition=rules.edition,
        seed=seed,
        commitment=commitment(seed),
        created_at=now,
        updated_at=now,
        variants=list(rules.variants),
        switches=msgspec.to_builtins(rules.switches),
        words=msgspec.structs.asdict(wish.words),
        clock=wish.clock,
        lang=wish.lang,
        start=encoded,
        state=encoded,
        turn=state.turn,
        seq=1,
        waiting_for=decider(state),
        anonymous=wish.anonymous,
        public=wish.public,
    )


def _seat(wish: Wish, side: Side, game_id: int, player_id: int | None) -> NewSeat:
    wanted = wish.seat(side)
    house = house_name(wanted) if isinstance(wanted, str) else None
    standing = wish.position.standing.get(side, "") if wish.position else ""
    standing = wish.standing.get(side, standing)
    read_standing(standing, side)
    return NewSeat(
        game_id=game_id,
        side=side,
        token_key=new_key(),
        player_id=player_id,
        house=house,
        seq=1,
        standing=standing,
        confirms=side in wish.confirms,
    )


def house_name(wanted: str) -> str | None:
    """The house player that a seat asks for, None if it asks for an address.

    Raises: UsageError for a house player that there is not.
    """
    kind, _, name = wanted.partition(":")
    if kind != HOUSE:
        return None
    name = name or DEFAULT_HOUSE
    if name not in PLAYERS:
        raise UsageError(f"there is no house player {name!r}; there are {', '.join(sorted(PLAYERS))}")
    return name


def player_at(tx: Transaction, address: str, now: datetime) -> int:
    """The player with this address; one that is new here counts as verified (contract 3)."""
    address = address.strip().lower()
    local, at, host = address.rpartition("@")
    if not at or not local or not host or any(sign in address for sign in " <>,;\"'()\r\n\t"):
        raise UsageError(f"{address!r} is no mail address; a seat is an address, house or house:random")
    known = tx.address(address)
    if known is None:
        player_id = tx.create_player(local, at=now)
        tx.add_address(player_id, address, verified_at=now)
        return player_id
    if known.verified_at is None:
        tx.verify_address(address, at=now)
    return known.player_id


def _zones(tx: Transaction, game: Stored) -> BySide[str]:
    """Where the players' days count."""
    players = [tx.player(seat.player_id) if seat.player_id else None for seat in game.seats.values()]
    return BySide(*(player.zone if player else "UTC" for player in players))


def _welcome(config: Config, tx: Transaction, name: str, wish: Wish, now: datetime) -> list[NewPost]:
    """The first mail to each seat, which is the first turn's mail; they are not written yet."""
    found = tx.game(name)
    assert found
    game = stored(found)
    leave = BySide(*(leave_ahead(tx, seat.player_id, now) for seat in game.seats.values()))
    row = begun(game, _zones(tx, game), now, leave)
    tx.update_game(row, game.row)
    game = replace(game, row=row)
    box = Postbox(game, config.domain, now)
    words = BySide(**game.row.words)
    posts: list[NewPost] = []
    for side in SIDES:
        said = {"restarts": wish.restarts, "confirms": "yes" if side in wish.confirms else ""} if wish.restarts else {}
        draft = box.draft("welcome", side, game.state, commitment=game.row.commitment, words=words, values=said)
        post = box.post(draft, game.seats[side], "start")
        if post:
            posts.append(post)
            tx.update_seat(replace(game.seats[side], thread_id=post.message_id, last_id=post.message_id))
    return posts
