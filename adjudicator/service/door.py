"""Which addresses are ours, asked at RCPT: unknown ones are refused there, so that nothing is ever sent back later."""

from datetime import UTC, datetime

from adjudicator.game.model import SIDES, Side
from adjudicator.service.addresses import BounceAddress, ConfirmAddress, SeatAddress, read_address, seat_of
from adjudicator.service.asking import asked_at
from adjudicator.service.config import Config
from adjudicator.store.ledger import Ledger

_REMEMBERED = 4096

Keys = dict[Side, bytes]


class Door:
    """Knows our addresses.

    Seats' keys are remembered, from the first question on those of the games that changed last; a secret is compared
    again, with the game locked, at DATA.
    """

    def __init__(self, config: Config, ledger: Ledger) -> None:
        self._config = config
        self._ledger = ledger
        self._keys: dict[str, Keys] = {}
        self._is_open = False

    def knows(self, rcpt: str) -> bool:
        """Whether mail to this address may be taken.

        Raises: Unavailable if the database is needed and away.
        """
        address = read_address(rcpt, self._config.domain)
        if isinstance(address, ConfirmAddress):
            with self._ledger.read() as tx:
                return asked_at(tx, address, datetime.now(UTC), lock=False) is not None
        if isinstance(address, BounceAddress):
            with self._ledger.read() as tx:
                return tx.post_by_bounce_key(address.key) is not None
        if isinstance(address, SeatAddress):
            if not self._is_open:
                self._open()
            return self._fits(address, self._keys.get(address.game)) or self._fits(address, self._read(address.game))
        return address is not None and address != "house"

    def _fits(self, address: SeatAddress, keys: Keys | None) -> bool:
        return keys is not None and seat_of(address, keys) is not None

    def _open(self) -> None:
        """Read the keys that will be asked for most, all at once."""
        with self._ledger.read() as tx:
            for game, keys in tx.seat_keys(games=_REMEMBERED // 2).items():
                self._keys[game] = {side: keys[side] for side in SIDES}
        self._is_open = True

    def _read(self, game: str) -> Keys | None:
        """The keys as they are now; they change when a player asks for new addresses."""
        with self._ledger.read() as tx:
            found = tx.game(game, lock=False)
        if found is None:
            return None
        if len(self._keys) >= _REMEMBERED:
            self._keys.clear()
        keys: Keys = {side: found.seats[side].token_key for side in SIDES}
        self._keys[game] = keys
        return keys
