"""Players by mail: registration, their addresses and names, at `games@` and at the addresses of confirmations.

Promise: nothing that only a From header says changes anything. Who asks for something gets a mail with a secret reply
address, and answering that does it. A stranger gets one fixed mail a day, whatever he wrote, and all strangers together
no more than `Config.strangers_per_hour`; nothing that a stranger wrote stands in any mail to him. An address gets
`Config.answers_per_hour` answers from here within an hour and then one that tells what became of all others (`tardy`).
They do not count for the budget of answers about games, since anybody can cause them who writes a player's address into
a From header.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from adjudicator.errors import NotAuthorised
from adjudicator.mail.letter import Letter
from adjudicator.service.addresses import ConfirmAddress
from adjudicator.service.asking import ask, asked_at, asked_in
from adjudicator.service.challenges import asked_of
from adjudicator.service.config import Config
from adjudicator.service.deeds import MOST_DEEDS, fit_address, fit_name, parted, read_deeds
from adjudicator.service.drafts import Draft
from adjudicator.service.forgetting import erase
from adjudicator.service.inbox import letter_row, without_traces
from adjudicator.service.moderate import Warrant
from adjudicator.service.personal import send_data
from adjudicator.service.petitions import DATA, ERASE, Deed
from adjudicator.service.senders import is_players_own
from adjudicator.service.tardy import is_spent, put_off
from adjudicator.service.visits import Outcome, Visit, about, desk_mail, listed, visit
from adjudicator.service.wanted import Wanted, questions_in, wanted
from adjudicator.service.wishes import carry_out, lock_games
from adjudicator.store.forgetting import FAREWELL
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewPost, PlayerRow

log = logging.getLogger("adjudicator")

_HOUR = timedelta(hours=1)
ERASED = "erased"
"""What became of a letter whose writer is forgotten."""


def at_games(config: Config, tx: Transaction, letter: Letter, raw: bytes, now: datetime) -> None:
    """Answer a letter to `games@` that somebody wrote; it is no copy of another one."""
    here = visit(config, tx, letter, now)
    asked = asked_in(tx, letter.in_reply_to, now) if here.orders else None
    player = _player_of(tx, letter.from_address)
    if asked and _may_answer(config, tx, letter, asked):
        outcome, posts = _answered(here, asked)
    elif player:
        outcome, posts = "player", _to_player(here, player)
    else:
        outcome, posts = "stranger", _to_stranger(here)
    _write(here, raw, outcome, posts)


def at_confirmation(
    config: Config, tx: Transaction, letter: Letter, raw: bytes, address: ConfirmAddress, now: datetime
) -> None:
    """Answer a letter to the secret reply address of a mail that asked for a confirmation.

    Raises: NotAuthorised if nothing was asked there, or somebody else is the sender.
    """
    asked = asked_at(tx, address, now)
    if asked is None or not _may_answer(config, tx, letter, asked):
        raise NotAuthorised("no such question, or not asked of this sender")
    if tx.find_letter(letter.key):
        return
    if letter.automatic or letter.bounce:
        tx.add_letter(letter_row(letter, raw, "automatic"))
        return
    here = visit(config, tx, letter, now)
    outcome, posts = _answered(here, asked)
    _write(here, raw, outcome, posts)


def _write(here: Visit, raw: bytes, outcome: str, posts: list[NewPost]) -> None:
    """Keep the letter and its answer, the first of the posts; it is told with others later if there were too many."""
    answer_id = posts[0].message_id if posts else None
    if posts and posts[0].kind != "stranger" and outcome != ERASED and is_spent(here, posts[0].to_address):
        answer_id, late = put_off(here, _player_of(here.tx, posts[0].to_address), posts[0])
        posts = late + posts[1:]
    row = letter_row(here.letter, raw, outcome, answer_id=answer_id)
    here.tx.add_letter(without_traces(row) if outcome == ERASED else row)
    here.tx.add_posts(posts)
    log.info("a letter to the desk was taken: %s", outcome)


def _player_of(tx: Transaction, address: str) -> PlayerRow | None:
    """The player whose verified address this is."""
    known = tx.address(address)
    return tx.player(known.player_id) if known and known.verified_at else None


def _may_answer(config: Config, tx: Transaction, letter: Letter, asked: AskingRow) -> bool:
    """Whether the sender is who was asked, or the same player at another address of his."""
    if config.auth == "token" or letter.from_address == asked.address:
        return True
    return asked.player_id is not None and is_players_own(tx, asked.player_id, letter.from_address)


def _to_stranger(here: Visit) -> list[NewPost]:
    """The one fixed mail of the day; what he asked for is kept for when he is a player, and shown to nobody."""
    tx, now = here.tx, here.now
    address = fit_address(here.letter.from_address, here.config.domain)
    if address is None:
        return []
    deeds = _kept(here)
    if tx.count_strangers_asked(since=now - _HOUR) >= here.config.strangers_per_hour:
        log.warning("a stranger was told nothing: too many within the hour")
        return []
    if tx.may_tell(address, today=now.date()):
        draft = Draft(kind="stranger")
        return [ask(here.config, tx, draft, address, deeds, now, in_reply_to=here.letter.message_id)]
    latest = next((row for row in tx.asked(address, since=now - _HOUR * 24) if not row.player_id), None)
    if latest and deeds and not latest.used_at:
        before = [(word, argument) for word, argument in latest.deeds]
        again = dict.fromkeys((*deeds, *(deed for deed in before if deed[0] != "register" or not _named(deeds))))
        tx.reword_asking(latest.id, [list(deed) for deed in again][: MOST_DEEDS + 1])
    return []


UNREAD = "unread"
"""What is kept of a stranger's wish that cannot be read: its word, of which there are only ours."""
QUESTION = "question"
"""What is kept of a stranger's question, to be answered once he is a player."""
_FOR_NEW = ("challenge", "join", "observe", "zone", "leave", "add")
"""What somebody can ask for who is no player yet."""


def _kept(here: Visit) -> tuple[Deed, ...]:
    """What of a stranger's letter is kept for the day on which he answers: his name, and what he asks for."""
    name = fit_name(here.said("register") or "")
    deeds, faults = read_deeds(here.orders, here.config.domain)
    found = [*(deed for deed in deeds if deed[0] in _FOR_NEW), *((UNREAD, fault.word) for fault in faults)]
    found += [(QUESTION, question) for question in questions_in(here.orders)]
    if len({order.argument for order in here.orders if order.word == "register"}) > 1:
        found.append((UNREAD, "register"))
    named: list[Deed] = [("register", name)] if name else []
    return (*named, *dict.fromkeys(found))[: MOST_DEEDS + 1]


def _named(deeds: Sequence[Deed]) -> str:
    return next((name for word, name in deeds if word == "register"), "")


def _register(here: Visit, asked: AskingRow) -> tuple[str, list[NewPost]]:
    """Make a player of who has answered the mail to strangers, and ask about what else he wanted."""
    tx, address = here.tx, asked.address
    before: list[Deed] = [(word, argument) for word, argument in asked.deeds]
    given = here.said("register")
    wanted_name = given if given is not None else _named(before)
    name = fit_name(wanted_name or here.letter.from_name or address.partition("@")[0])
    known = tx.address(address)
    if known and known.verified_at:
        tx.use_asking(asked.id, at=here.now)
        return "player", [desk_mail(here, "desk", address, about(tx, tx.player(known.player_id)))]
    if name is None or tx.players_called(name):
        return "refused", [desk_mail(here, "name", address, {"reason": "taken" if name else "unfit"}, again=asked)]
    if known:
        tx.forget_address(address)  # somebody claimed it without proof
    player_id = tx.create_player(name, at=here.now)
    tx.add_address(player_id, address, verified_at=here.now)
    tx.use_asking(asked.id, at=here.now)
    kept = [deed for deed in before if deed[0] not in ("register", UNREAD, QUESTION)]
    questions = [question for mark, question in before if mark == QUESTION]
    done = next((order for order in here.orders if order.word == "register"), None)
    new = msgspec.structs.replace(here, orders=tuple(order for order in here.orders if order != done))
    found = wanted(new, player_id, kept, questions)
    unread = "\n".join(word for mark, word in before if mark == UNREAD)
    values = {"name": name, "address": address, "guessed": "" if wanted_name else "yes", "unread": unread}
    return "registered", [_answer(here, "registered", address, player_id, found, values)]


def _to_player(here: Visit, player: PlayerRow) -> list[NewPost]:
    """The answer to somebody whose address is a player's, if it was he who wrote: nothing changes by it."""
    to = here.letter.from_address
    found = wanted(here, player.id)
    if found.is_understood or found.faults:
        values = {} if found.is_understood else about(here.tx, player)
        return [_answer(here, found.notice, to, player.id, found, values)]
    return [desk_mail(here, "desk", to, about(here.tx, player))]


def _answer(
    here: Visit, notice: str, to: str, player_id: int, found: Wanted, values: dict[str, str] | None = None
) -> NewPost:
    """A mail of the desk that also answers all that is wanted; it asks about what has to be confirmed."""
    told = {**found.values, **(values or {})}
    if not found.deeds:
        return desk_mail(here, notice, to, told)
    draft = Draft(kind="desk", notice=notice, values=told)
    answered = here.letter.message_id
    return ask(here.config, here.tx, draft, to, found.deeds, here.now, player_id=player_id, in_reply_to=answered)


def _answered(here: Visit, asked: AskingRow) -> tuple[str, list[NewPost]]:
    """Do what was asked about, if the answer says so."""
    tx = here.tx
    confirmed = here.said("confirm") is not None
    if asked.used_at or (asked.player_id is not None and not _still_his(tx, asked)):
        return "answered", [desk_mail(here, "used", asked.address)]
    if asked.player_id is None:
        if confirmed or here.said("register") is not None:
            return _register(here, asked)
        return "unclear", [desk_mail(here, "unclear", asked.address, again=asked)]
    if not confirmed:
        return "unclear", [_unclear(here, asked, asked.player_id)]
    lock_games(tx, asked)
    tx.lock_player(asked.player_id)
    tx.use_asking(asked.id, at=here.now)
    if list(ERASE) in asked.deeds:
        return _forgotten(here, asked, asked.player_id)
    before = _record(tx, asked.player_id)
    done, posts = carry_out(here, asked)
    return "confirmed", _told(here, asked, done, before) + posts


def _forgotten(here: Visit, asked: AskingRow, player_id: int) -> tuple[str, list[NewPost]]:
    """Forget a player; his data go before, if he wants them too, by a mail whose traces go as those of the last one.

    What is too large for a mail is not to be had afterwards, so he is not forgotten then.
    """
    before: list[NewPost] = []
    if list(DATA) in asked.deeds or DATA in read_deeds(here.orders, here.config.domain)[0]:
        became, before = send_data(here, asked, "")
        if not before:
            done: list[Outcome] = [became, ("not-erased", "")]
            return "confirmed", _told(here, asked, done, _record(here.tx, player_id))
    farewell = erase(here.config, here.tx, player_id, Warrant(f"player {player_id}", "", here.now))
    return ERASED, [*(msgspec.structs.replace(post, kind=FAREWELL, cause="erase") for post in before), *farewell]


def _unclear(here: Visit, asked: AskingRow, player_id: int) -> NewPost:
    """The answer to who does not say yes to a question, but perhaps something else."""
    found = wanted(here, player_id)
    if not found.deeds:
        return desk_mail(here, "unclear", asked.address, found.values, again=asked)
    before: list[Deed] = [(word, argument) for word, argument in asked.deeds]
    deeds, left_out = parted(tuple(dict.fromkeys((*before, *found.deeds, *found.left_out))))
    values = {**found.values, **asked_of(here.tx, deeds, left_out)}
    more = msgspec.structs.replace(found, deeds=deeds, values=values)
    return _answer(here, "unclear", asked.address, player_id, more)


def _still_his(tx: Transaction, asked: AskingRow) -> bool:
    """Whether a question went to an address that is the player's still, or is to become his."""
    assert asked.player_id
    is_proof = all(word.startswith("prove-") for word, _ in asked.deeds)
    return is_proof or is_players_own(tx, asked.player_id, asked.address)


def _told(here: Visit, asked: AskingRow, done: Sequence[Outcome], before: str | None) -> list[NewPost]:
    """The answer to who confirmed, and a notice to the address of record (that of before) if that is another one."""
    values = {"done": listed(done)}
    assert asked.player_id
    proof = any(word.startswith("prove-") for word, _ in asked.deeds)
    found = Wanted() if proof else wanted(here, asked.player_id)
    posts = [_answer(here, "done", asked.address, asked.player_id, found, values)]
    if before and before != asked.address:
        posts.append(desk_mail(here, "changed", before, values))
    return posts


def _record(tx: Transaction, player_id: int) -> str | None:
    """The address that a player's mails go to."""
    return next((row.address for row in tx.addresses(player_id) if row.verified_at), None)
