"""What players have confirmed about themselves, carried out.

Each deed is one function of the letter that confirms it, the question, and what the deed is about. It returns what
became of it, and the mails that it causes besides the answer.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from adjudicator.errors import Refusal
from adjudicator.league.leave import Leave
from adjudicator.service import challenges
from adjudicator.service.absence import Ends, Wish, change_leave, change_zone
from adjudicator.service.asking import ask
from adjudicator.service.changes import Changes
from adjudicator.service.config import Config
from adjudicator.service.drafts import Draft
from adjudicator.service.keys import rekey
from adjudicator.service.locking import games_of
from adjudicator.service.personal import send_data
from adjudicator.service.senders import is_players_own
from adjudicator.service.stored import stored
from adjudicator.service.visits import Done, Outcome, Visit, desk_mail
from adjudicator.service.watching import observe, unobserve
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewPost

MOST_ADDRESSES = 10
PROOFS_PER_DAY = 3
"""So often a day an address is asked whether it is a player's."""
_HOUR = timedelta(hours=1)


def carry_out(here: Visit, asked: AskingRow) -> tuple[list[Outcome], list[NewPost]]:
    """Do all that was asked about, in order.

    What is about days off is done together, so that the opponents are told of it in one mail a game.
    """
    done: list[Outcome] = []
    posts: list[NewPost] = []
    leave = [argument for word, argument in asked.deeds if word == "leave"]
    for word, argument in asked.deeds:
        if word != "leave":
            outcome, more = _DEEDS[word](here, asked, argument)
            done.append(outcome)
            posts += more
        elif leave:
            done += _leave(here, asked, leave)
            leave = []
    return done, posts


_OF_ALL_GAMES = frozenset({"leave", "zone", "newkey", "erase"})
_OF_ONE_GAME = frozenset({"observe", "unobserve"})


def lock_games(tx: Transaction, asked: AskingRow) -> None:
    """Lock all games that the deeds of a question touch, before anything is done."""
    assert asked.player_id
    names = [argument for word, argument in asked.deeds if word in _OF_ONE_GAME]
    if any(word in _OF_ALL_GAMES for word, _ in asked.deeds):
        names += games_of(tx, asked.player_id)
    tx.lock_games(names)


def _rename(here: Visit, asked: AskingRow, name: str) -> Done:
    assert asked.player_id
    if any(one.id != asked.player_id for one in here.tx.players_called(name)):
        return ("name-taken", name), []
    here.tx.rename_player(asked.player_id, name)
    return ("named", name), []


def _newkey(here: Visit, asked: AskingRow, _: str) -> Done:
    assert asked.player_id
    here.tx.void_asked(asked.player_id, at=here.now)
    return ("rekeyed", str(rekey_player(here.config, here.tx, asked.player_id, here.now))), []


def rekey_player(config: Config, tx: Transaction, player_id: int, now: datetime) -> int:
    """Give each seat of a player in a game that is not over a new key; returns how many there are."""
    tx.lock_games(games_of(tx, player_id))
    count = 0
    for line in tx.seats_of(player_id):
        found = tx.game(line.game)
        if found and found.game.state and found.game.status != "finished":
            changes = Changes(config, tx, stored(found, config.chance), now, f"newkey {now.isoformat()}")
            rekey(changes, "british" if line.side == "british" else "french")
            changes.write()
            count += 1
    return count


def _add(here: Visit, asked: AskingRow, address: str) -> Done:
    return _prove(here, asked, address, "add")


def _use(here: Visit, asked: AskingRow, address: str) -> Done:
    assert asked.player_id
    if is_players_own(here.tx, asked.player_id, address):
        here.tx.prefer_address(address, at=here.now)
        return ("preferred", address), []
    return _prove(here, asked, address, "use")


def _prove(here: Visit, asked: AskingRow, address: str, what: str) -> Done:
    """Write to a new address; whoever reads that mail has to say yes, and nobody learns whether it is known here."""
    tx = here.tx
    assert asked.player_id
    if is_players_own(tx, asked.player_id, address):
        return ("yours", address), []
    if len(tx.addresses(asked.player_id)) >= MOST_ADDRESSES:
        return ("too-many", address), []
    if tx.count_strangers_asked(since=here.now - _HOUR) >= here.config.strangers_per_hour:
        return ("later", address), []
    if len(tx.asked(address, since=here.now - 24 * _HOUR)) >= PROOFS_PER_DAY:
        return ("tomorrow", address), []
    draft = Draft(kind="desk", notice="prove")
    post = ask(here.config, tx, draft, address, ((f"prove-{what}", address),), here.now, player_id=asked.player_id)
    return ("proving", address), [post]


def _proved(here: Visit, asked: AskingRow, address: str) -> Done:
    known = here.tx.address(address)
    assert asked.player_id
    if known and known.verified_at:
        return ("yours" if known.player_id == asked.player_id else "not-free", address), []
    if known:
        here.tx.forget_address(address)
    here.tx.add_address(asked.player_id, address, verified_at=here.now)
    return ("added", address), []


def _proved_to_use(here: Visit, asked: AskingRow, address: str) -> Done:
    (word, _), posts = _proved(here, asked, address)
    if word == "not-free":
        return (word, address), posts
    here.tx.prefer_address(address, at=here.now)
    return ("preferred", address), posts


def _remove(here: Visit, asked: AskingRow, address: str) -> Done:
    assert asked.player_id
    rows = here.tx.addresses(asked.player_id)
    if address not in {row.address for row in rows}:
        return ("not-yours", address), []
    if not any(row.verified_at and row.address != address for row in rows):
        return ("last", address), []
    here.tx.forget_address(address)
    here.tx.void_asked(asked.player_id, at=here.now)  # what was begun from there is not to be ended from elsewhere
    told = [] if address in (asked.address, rows[0].address) else [desk_mail(here, "taken-off", address)]
    return ("removed", address), told


def _zone(here: Visit, asked: AskingRow, zone: str) -> Done:
    assert asked.player_id
    try:
        name, ends = change_zone(here.config, here.tx, asked.player_id, zone, here.now)
    except Refusal as refusal:
        return ("no-zone", str(refusal.values.get("near", ""))), []
    return ("zoned", with_ends(name, ends)), []


def _leave(here: Visit, asked: AskingRow, wanted: Sequence[str]) -> list[Outcome]:
    """Declare days off and take them back; the last thing that was done is told with the new deadlines."""
    assert asked.player_id
    wishes = [_days(text) for text in wanted]
    became, ends = change_leave(here.config, here.tx, asked.player_id, wishes, here.now)
    last = max((number for number, one in enumerate(became) if one == "done"), default=-1)
    done: list[Outcome] = []
    for number, (text, wish, one) in enumerate(zip(wanted, wishes, became, strict=True)):
        if isinstance(one, Refusal):
            done.append(("no-leave", one.message))
        elif one == "void":
            done.append(("leave-void", text))
        else:
            told = with_ends(text if wish else "", ends if number == last else ())
            done.append(("left" if wish else "left-off", told))
    return done


def _days(text: str) -> Wish:
    return None if text == "cancel" else Leave(*(date.fromisoformat(day) for day in text.split(" to ")))


def with_ends(text: str, ends: Ends) -> str:
    """What an outcome is about, and new deadlines behind it, with tabs between them."""
    return "\t".join((text, *(end.line for end in ends)))


def _observe(here: Visit, asked: AskingRow, name: str) -> Done:
    found = here.tx.game(name)
    if found is None or found.game.state is None:
        return ("no-such-game", name), []
    assert asked.player_id
    became = observe(here.config, here.tx, asked.player_id, stored(found, here.config.chance), here.now)
    return (became, name), []


def _unobserve(here: Visit, asked: AskingRow, name: str) -> Done:
    found = here.tx.game(name)
    assert asked.player_id
    did = found and found.game.state and unobserve(here.tx, asked.player_id, stored(found, here.config.chance))
    return ("watched-no-more" if did else "not-watched", name), []


_DEEDS: dict[str, Callable[[Visit, AskingRow, str], Done]] = {
    "name": _rename,
    "newkey": _newkey,
    "add": _add,
    "use": _use,
    "remove": _remove,
    "prove-add": _proved,
    "prove-use": _proved_to_use,
    "data": send_data,
    "observe": _observe,
    "unobserve": _unobserve,
    "zone": _zone,
    "challenge": challenges.make,
    "join": challenges.take_up,
    "cancel-challenge": challenges.take_back,
}
