"""What tests of time need besides the post office."""

from datetime import timedelta
from email.message import EmailMessage

from post_office import PostOffice, text_of

from adjudicator.render.inert import assert_inert
from adjudicator.service.records import OVER
from adjudicator.service.timekeeping import keep_time
from adjudicator.store.rows import AuditRow

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
LATE = timedelta(minutes=10)
"""How long after a deadline it is acted on."""


def wait(office: PostOffice, time: timedelta) -> int:
    """Let time pass, do what is due then and send it; returns how much was due."""
    office.now += time
    done = keep_time(office.config, office.ledger, office.now)
    office.deliver()
    return done


HARMLESS: set[str] = set()
"""Lines of mails that have been read, and are no orders."""


def said(mail: EmailMessage) -> str:
    """The text of a mail in one line; none of its own lines could be read as an order."""
    part = mail.get_body(("plain",))
    assert part
    assert_inert(part.get_content(), HARMLESS)
    return " ".join(text_of(mail).split())


def events(office: PostOffice, game: str = "g1") -> list[AuditRow]:
    """The events about deadlines."""
    with office.ledger.read() as tx:
        found = tx.game(game, lock=False)
        assert found
        return [row for row in tx.audit(game_id=found.game.id) if row.command == "deadline"]


def causes(office: PostOffice, game: str = "g1") -> list[tuple[str, str]]:
    """The causes of these events, and whose deadline it was."""
    return [(row.data["cause"], row.data["side"]) for row in events(office, game)]


def over(office: PostOffice, game: str = "g1") -> tuple[str, str | None]:
    """Why a game is over, and who has won."""
    result = OVER.decode(office.game(game).row.result or b"")
    return result.reason, result.winner
