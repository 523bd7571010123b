"""The one mail that stands for all answers of the desk beyond those of an hour, and tells what became of each letter.

Promise: nothing vanishes. What was confirmed was done and is told; what would have been asked back or answered is
named, so that it can be written again.
"""

from datetime import datetime, timedelta

import msgspec

from adjudicator.service.drafts import Draft, decode, encode
from adjudicator.service.visits import Visit, about, desk_mail
from adjudicator.store.rows import NewPost, PlayerRow

HOUR = timedelta(hours=1)
MOST_TOLD = 20
"""So many letters to which nothing was done are told one by one; the others are counted."""
_DONE = "done"


def is_spent(here: Visit, to: str) -> bool:
    """Whether an address has got as many answers of the desk within the hour as it may."""
    return here.tx.count_desk_posts(to, since=here.now - HOUR) >= here.config.answers_per_hour


def put_off(here: Visit, player: PlayerRow | None, answer: NewPost) -> tuple[str, list[NewPost]]:
    """Tell an answer in the late mail; returns the Message-ID of that, and the mail itself if it is a new one."""
    due_at = here.now.replace(minute=0, second=0, microsecond=0) + HOUR
    lines = _lines(decode(answer.report or b""), here.now)
    for cause in (f"late {due_at.isoformat()}", f"late {here.letter.key}"):
        late = _late(here, player, answer.to_address, cause, due_at, lines)
        waiting = here.tx.post_by_message_id(late.message_id)
        if waiting is None:
            return late.message_id, [late]
        told = decode(waiting.report or b"")
        values = {**about(here.tx, player), **_joined(told.values, lines)}
        report = encode(msgspec.structs.replace(told, values=values))
        if here.tx.retell(waiting.id, report, to_address=waiting.to_address, reply_to=waiting.reply_to):
            return late.message_id, []
    raise AssertionError("a letter has a key of its own")


def _late(here: Visit, player: PlayerRow | None, to: str, cause: str, due_at: datetime, lines: list[str]) -> NewPost:
    values = {**about(here.tx, player), **_joined({}, lines)}
    return desk_mail(here, "late" if player else "late-stranger", to, values, cause=cause, at=due_at)


def _joined(before: dict[str, str], lines: list[str]) -> dict[str, str]:
    """The lines of a late mail with more of them; of what was not done only the first ones."""
    known = [*before.get("late", "").splitlines(), *lines]
    kept: list[str] = []
    count = int(before.get("more", "0") or 0)
    for line in known:
        if f"\t{_DONE} " in line or len(kept) < MOST_TOLD:
            kept.append(line)
        else:
            count += 1
    return {"late": "\n".join(kept), "more": str(count) if count else ""}


def _lines(answer: Draft, now: datetime) -> list[str]:
    """What an answer tells, a line each: when the letter came, what became of it, and what that is about."""
    values = answer.values
    found = [f"{_DONE} {line}" for line in values.get("done", "").splitlines()]
    found += [f"asked {line}" for key in ("deeds", "left_out") for line in values.get(key, "").splitlines()]
    found += [f"hindered {line}" for line in values.get("hindered", "").splitlines()]
    found += [f"question {line}" for line in values.get("asks", "").splitlines()]
    found += ["unclear "] if values.get("faults") else []
    found += [] if found else ["nothing "]
    return [f"{now.isoformat()}\t{one}" for one in found]
