"""`tick`: what is due in games, with the time as it is and with a made-up one."""

from datetime import UTC, datetime, timedelta

from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger

ANN, BEN = "ann@example.org", "ben@example.net"


def begun(terminal, clock: str = "5d loss") -> datetime:
    """A game, and its deadline."""
    terminal.run("game", "new", "--british", ANN, "--french", BEN, "--clock", clock)
    return datetime.fromisoformat(terminal.json("game", "show", "g1")["deadline"])


def beat_at(terminal, at: datetime | None) -> datetime | None:
    """Let the service have been alive last at a time; returns when that was."""
    database = open_database(f"sqlite:///{terminal.folder}/var/adjudicator.db")
    with Ledger(database).begin() as tx:
        if at:
            tx.set_beat(at)
        found = tx.beat()
    database.close()
    return found


def test_tick_does_what_is_due_once(terminal):
    deadline = begun(terminal)
    late = (deadline + timedelta(minutes=11)).strftime("%Y-%m-%dT%H:%MZ")
    assert terminal.run("tick", "--now", late) == "1 thing due in games, 0 mails of house players, 2 mails sent\n"
    assert terminal.run("tick", "--now", late) == "0 mails of house players, 0 mails sent\n"
    (event,) = [row for row in terminal.json("game", "log", "g1")["audit"] if row["command"] == "deadline"]
    assert (event["who"], event["why"]) == ("clock", "grace")
    assert len(terminal.mails(ANN)) == len(terminal.mails(BEN)) == 2


def test_a_made_up_time_tells_nothing_of_outages_and_is_no_sign_of_life(terminal):
    deadline = begun(terminal)
    before = deadline - timedelta(days=5)
    beat_at(terminal, before)
    terminal.run("tick", "--now", (deadline + timedelta(hours=-1)).strftime("%Y-%m-%dT%H:%MZ"))
    assert datetime.fromisoformat(terminal.json("game", "show", "g1")["deadline"]) == deadline
    assert beat_at(terminal, None) == before


def test_tick_takes_an_outage_out_of_the_clocks_once(terminal):
    deadline = begun(terminal)
    assert terminal.run("tick") == "0 mails of house players, 0 mails sent\n"
    assert beat_at(terminal, None) is None
    down = datetime.now(UTC) - timedelta(hours=3)
    beat_at(terminal, down)
    terminal.run("tick")
    after = datetime.fromisoformat(terminal.json("game", "show", "g1")["deadline"])
    assert after >= deadline
    seen = beat_at(terminal, None)
    assert seen
    assert seen > down + timedelta(hours=2)
    terminal.run("tick")
    assert datetime.fromisoformat(terminal.json("game", "show", "g1")["deadline"]) == after
