import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.store.database import open_database
from adjudicator.store.ledger import Ledger

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "game"))  # its random games

from post_office import PostOffice


@pytest.fixture
def office(ledger: Ledger) -> PostOffice:
    """A service on SQLite and on PostgreSQL, without games."""
    return PostOffice(ledger)


@pytest.fixture
def sqlite_office(sqlite_url: str) -> Iterator[PostOffice]:
    """A service on SQLite, for what does not depend on the database."""
    database = open_database(sqlite_url)
    yield PostOffice(Ledger(database))
    database.close()
