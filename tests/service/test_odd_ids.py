"""Letters whose Message-ID is malformed are answered like all others."""

import pytest


@pytest.mark.parametrize(
    "odd", ["<a b@example.org>", "no brackets", "<<a@example.org>", "<" + "[" * 5000, "<>", "<\x7f@x>", "<é@x>"]
)
def test_a_malformed_message_id_keeps_no_answer_back(sqlite_office, odd):
    sqlite_office.new_game()
    before = sqlite_office.count("british")
    for _ in range(2):
        assert sqlite_office.answer("british", "status", Message_ID=odd).code == 250
    assert sqlite_office.count("british") == before + 1  # the second one is a copy
    with sqlite_office.ledger.read() as tx:
        assert tx.unsent_posts() == []
