"""Games to play in: their players write real letters, and know of the game what their mails say."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from adjudicator.game.model import SIDES, Side
from adjudicator.service.config import Config
from adjudicator.service.start import Wish, start_game
from adjudicator.store.ledger import Ledger
from adjudicator.stress.relay import Relay
from adjudicator.stress.wire import Envelope

LETTERS = 14
"""So many letters a seat may write: with as many words of the other side its mails stay within an hour's budget of
answers, so that each letter is answered by itself.
"""


class Table(msgspec.Struct):
    """A game and its two players; `left` is how many letters each may still write."""

    game: str
    left: dict[Side, int]

    def address(self, side: Side) -> str:
        """The address of a player."""
        return f"{side}-{self.game}@example.org"


def set_tables(ledger: Ledger, count: int) -> list[Table]:
    """Begin so many games; their first mails lie in the outbox."""
    found = []
    with ledger.begin() as tx:
        for number in range(len(tx.games()) + 1, len(tx.games()) + 1 + count):
            table = Table(f"g{number}", dict.fromkeys(SIDES, LETTERS))
            name = start_game(Config(), tx, Wish(table.address("british"), table.address("french")), datetime.now(UTC))
            assert name == table.game
            found.append(table)
    return found


def letter(table: Table, side: Side, message_id: str, body: str, relay: Relay) -> Envelope | None:
    """A letter that answers the newest mail to a player, which it quotes a little; None if he has got none yet."""
    asked = relay.newest.get(table.address(side))
    if asked is None:
        return None
    sender = table.address(side)
    text = (
        f"From: Somebody <{sender}>\nTo: {asked.reply_to}\nSubject: Re: our game\nMessage-ID: {message_id}\n"
        f"In-Reply-To: {asked.message_id}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n"
        f"Good evening,\n\n{body}\n\nBest wishes\n\nOn 1 January 2030, the games wrote:\n"
    )
    return Envelope(sender, asked.reply_to, (text + "> It is your turn.\n" * 20).replace("\n", "\r\n").encode())


def folder_url(folder: Path) -> str:
    """The URL of the SQLite database that `serve` keeps in its folder."""
    return f"sqlite:///{folder / 'adjudicator.db'}"
