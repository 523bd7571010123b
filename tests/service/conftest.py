import sys
from pathlib import Path

import pytest

from adjudicator.store.ledger import Ledger

sys.path.insert(0, str(Path(__file__).parent))

from post_office import PostOffice  # noqa: E402 - found beside this file


@pytest.fixture
def office(ledger: Ledger) -> PostOffice:
    """A service on SQLite and on PostgreSQL, without games."""
    return PostOffice(ledger)
