"""Players by mail: registration, their addresses and names, at `games@` and at the addresses of confirmations.

Promise: nothing that only a From header says changes anything. Who asks for something gets a mail with a secret reply
address, and answering that does it. A stranger gets one fixed mail a day, whatever he wrote, and all strangers together
no more than `Config.strangers_per_hour`; nothing that a stranger wrote stands in any mail. An address gets
`ANSWERS_PER_HOUR` answers from here within an hour and then one that stands for all others. They do not count for the
budget of answers about games, since anybody can cause them who writes a player's address into a From header.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from adjudicator.errors import NotAuthorised
from adjudicator.mail.letter import Letter
from adjudicator.service.addresses import ConfirmAddress
from adjudicator.service.asking import ask, asked_at, asked_in
from adjudicator.service.challenges import asked_of, hindrance, listing
from adjudicator.service.config import Config
from adjudicator.service.deeds import deeds_of, faults_of, fit_address, fit_name
from adjudicator.service.drafts import Draft
from adjudicator.service.forgetting import erase
from adjudicator.service.inbox import letter_row, without_traces
from adjudicator.service.moderate import Warrant
from adjudicator.service.petitions import ERASE, Deed
from adjudicator.service.played import played
from adjudicator.service.senders import is_players_own
from adjudicator.service.visits import Outcome, Visit, about, desk_mail, listed, page, visit
from adjudicator.service.wishes import carry_out
from adjudicator.store.ledger import Transaction
from adjudicator.store.rows import AskingRow, NewPost, PlayerRow

log = logging.getLogger("adjudicator")

ANSWERS_PER_HOUR = 6
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
    if posts and posts[0].kind != "stranger" and outcome != ERASED:
        to = posts[0].to_address
        if here.tx.count_desk_posts(to, since=here.now - _HOUR) >= ANSWERS_PER_HOUR:
            late = _late(here, to)
            answer_id = late.message_id
            posts = ([late] if here.tx.post_by_message_id(late.message_id) is None else []) + posts[1:]
    row = letter_row(here.letter, raw, outcome, answer_id=answer_id)
    here.tx.add_letter(without_traces(row) if outcome == ERASED else row)
    here.tx.add_posts(posts)
    log.info("a letter to the desk was taken: %s", outcome)


def _late(here: Visit, to: str) -> NewPost:
    """The one mail that stands for all answers beyond those of this hour."""
    due_at = here.now.replace(minute=0, second=0, microsecond=0) + _HOUR
    values = about(here.tx, _player_of(here.tx, to))
    kind = "late" if values else "late-stranger"
    return desk_mail(here, kind, to, values, cause=f"late {due_at.isoformat()}", at=due_at)


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
    """The one fixed mail of the day; a name that he gave is kept for his confirmation, and shown to nobody."""
    tx, now = here.tx, here.now
    address = fit_address(here.letter.from_address, here.config.domain)
    if address is None:
        return []
    name = fit_name(here.said("register") or "")
    deeds: tuple[Deed, ...] = (("register", name),) if name else ()
    if tx.count_strangers_asked(since=now - _HOUR) >= here.config.strangers_per_hour:
        log.warning("a stranger was told nothing: too many within the hour")
        return []
    if tx.may_tell(address, today=now.date()):
        draft = Draft(kind="stranger")
        return [ask(here.config, tx, draft, address, deeds, now, in_reply_to=here.letter.message_id)]
    latest = next((row for row in tx.asked(address, since=now - _HOUR * 24) if not row.player_id), None)
    if latest and name and not latest.used_at:
        tx.reword_asking(latest.id, [list(deed) for deed in deeds])
    return []


def _register(here: Visit, asked: AskingRow) -> tuple[str, list[NewPost]]:
    """Make a player of who has answered the mail to strangers."""
    tx, address = here.tx, asked.address
    given = here.said("register")
    wanted = given if given is not None else next((name for word, name in asked.deeds if word == "register"), "")
    name = fit_name(wanted or here.letter.from_name or address.partition("@")[0])
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
    return "registered", [desk_mail(here, "registered", address, {"name": name, "address": address})]


def _to_player(here: Visit, player: PlayerRow) -> list[NewPost]:
    """The answer to somebody whose address is a player's, if it was he who wrote: nothing changes by it."""
    to = here.letter.from_address
    if faults := faults_of(here.orders):
        return [desk_mail(here, "faults", to, {"faults": "\n".join(faults)})]
    deeds = deeds_of(here.orders, here.config.domain)
    if hindered := [found for deed in deeds if (found := hindrance(here.tx, player.id, deed))]:
        return [desk_mail(here, "hindered", to, {"done": listed(hindered)})]
    if deeds:
        return [ask_player(here, player.id, to, deeds)]
    if here.said("challenges") is not None:
        return [desk_mail(here, "challenges", to, {"open": listing(here.tx)})]
    if here.said("games") is not None:
        return [desk_mail(here, "games", to, {"played": played(here.tx, player.id, here.now)})]
    if (word := here.said("rules")) is not None:
        return [page(here, to, Draft(kind="rules", values={"word": word}))]
    if here.said("help") is not None:
        return [page(here, to, Draft(kind="help"))]
    return [desk_mail(here, "desk", to, about(here.tx, player))]


def ask_player(here: Visit, player_id: int, to: str, deeds: tuple[Deed, ...]) -> NewPost:
    """Return the mail that asks a player whether he wants these deeds."""
    draft = Draft(kind="desk", notice="asked", values=asked_of(here.tx, deeds))
    answered = here.letter.message_id
    return ask(here.config, here.tx, draft, to, deeds, here.now, player_id=player_id, in_reply_to=answered)


def _answered(here: Visit, asked: AskingRow) -> tuple[str, list[NewPost]]:
    """Do what was asked about, if the answer says so."""
    tx = here.tx
    if asked.used_at:
        return "answered", [desk_mail(here, "used", asked.address)]
    confirmed = here.said("confirm") is not None
    if asked.player_id is not None and not _still_his(tx, asked):
        return "answered", [desk_mail(here, "used", asked.address)]
    if asked.player_id is None:
        if confirmed or here.said("register") is not None:
            return _register(here, asked)
        return "unclear", [desk_mail(here, "unclear", asked.address, again=asked)]
    if not confirmed:
        return "unclear", [desk_mail(here, "unclear", asked.address, again=asked)]
    tx.lock_player(asked.player_id)
    tx.use_asking(asked.id, at=here.now)
    if list(ERASE) in asked.deeds:
        return ERASED, erase(here.config, tx, asked.player_id, Warrant(f"player {asked.player_id}", "", here.now))
    before = _record(tx, asked.player_id)
    done: list[Outcome] = []
    posts: list[NewPost] = []
    for word, argument in asked.deeds:
        outcome, more = carry_out(here, asked, word, argument)
        done.append(outcome)
        posts += more
    return "confirmed", _told(here, asked, done, before) + posts


def _still_his(tx: Transaction, asked: AskingRow) -> bool:
    """Whether a question went to an address that is the player's still, or is to become his."""
    assert asked.player_id
    is_proof = all(word.startswith("prove-") for word, _ in asked.deeds)
    return is_proof or is_players_own(tx, asked.player_id, asked.address)


def _told(here: Visit, asked: AskingRow, done: Sequence[Outcome], before: str | None) -> list[NewPost]:
    """The answer to who confirmed, and a notice to the address of record (that of before) if that is another one."""
    values = {"done": listed(done)}
    posts = [desk_mail(here, "done", asked.address, values)]
    if before and before != asked.address:
        posts.append(desk_mail(here, "changed", before, values))
    return posts


def _record(tx: Transaction, player_id: int) -> str | None:
    """The address that a player's mails go to."""
    return next((row.address for row in tx.addresses(player_id) if row.verified_at), None)
