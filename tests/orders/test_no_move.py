"""Words that are no move: alone or with what they are known to take they are orders, in sentences they are prose."""

import pytest

from adjudicator.orders import read


@pytest.mark.parametrize(
    ("line", "word", "argument"),
    [
        ("claim", "claim", ""),
        ("Claim!", "claim", ""),
        ("accept", "accept", ""),
        ("accept the draw", "accept", ""),
        ("Accept offer.", "accept", ""),
        ("decline", "decline", ""),
        ("decline takeback", "decline", ""),
        ("offer draw", "offer", "draw"),
        ("Offer a draw, please.", "offer", "draw"),
        ("offer: restart", "offer", "restart"),
        ("offer takeback", "offer", "takeback"),
        ("offer take back", "offer", "takeback"),
        ("record", "record", ""),
        ("games", "games", ""),
        ("observe g12", "observe", "g12"),
        ("unobserve g12.", "unobserve", "g12"),
        ("my data", "my data", ""),
        ("My data, please!", "my data", ""),
        ("erase me", "erase me", ""),
        ("challenge", "challenge", ""),
        ("challenge edition 2 as French clock 5d", "challenge", "edition 2 as French clock 5d"),
        ("challenge: clock 10d+1d/14d weekends", "challenge", "clock 10d+1d/14d weekends"),
        ("challenge as british", "challenge", "as british"),
        ("challenge rated 1400-1700", "challenge", "rated 1400-1700"),
        ("challenges", "challenges", ""),
        ("cancel challenge 3", "cancel challenge", "3"),
        ("cancel challenge #14.", "cancel challenge", "14"),
        ("join g7", "join", "g7"),
        ("join g7 word BANANA", "join", "g7 word BANANA"),
        ("Join G7 word: Banane-42!", "join", "G7 word: Banane-42"),
        ("set zone Europe/Berlin", "set", "zone Europe/Berlin"),
        ("set confirm on", "set", "confirm on"),
        ("set word banana", "set", "word banana"),
        ("set clock 5d", "set", "clock 5d"),
        ("register Ann Example", "register", "Ann Example"),
    ],
)
def test_what_is_known_is_an_order(line, word, argument):
    reading = read(line, "british")
    assert not reading.refused, reading.refused[0].message
    assert [(order.word, order.argument, order.kind) for order in reading.orders] == [(word, argument, "word")]


@pytest.mark.parametrize(
    "line",
    [
        "I accept your kind offer",
        "Accept my thanks",
        "accept it or not",
        "claim to fame",
        "Claims are cheap",
        "decline and fall",
        "offer of the week",
        "Offers are welcome",
        "offer you a draw? Never!",
        "record scores!",
        "Records: 5",
        "games people play",
        "observe the rules of war",
        "my data is safe with you",
        "My database is down",
        "erase me from your memory",
        "challenge accepted!",
        "challenge me whenever you like",
        "challenge as always",
        "Challenges ahead",
        "cancel challenge of yours",
        "cancel my trip",
        "join us for a beer",
        "join g7 and play",
        "join me, word for word",
        "set up the board",
    ],
)
def test_sentences_are_prose(line):
    reading = read(line, "british")
    assert not reading.refused, reading.refused[0].message
    assert not reading.orders
    assert reading.ignored == ((1, line),)


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("offer", ("offer draw|restart|takeback",)),
        ("offer drow", ("offer draw|restart|takeback",)),
        ("offer takebck", ("offer draw|restart|takeback",)),
        ("observe", ("observe GAME",)),
        ("cancel challenge", ("cancel challenge 3",)),
        ("challenge edition two", ("challenge edition 2 as French clock 5d",)),
        ("challenge editon 2", ("challenge edition 2 as French clock 5d",)),
        ("join", ("join GAME word WORD",)),
    ],
)
def test_what_is_meant_and_cannot_be_read_is_refused(line, choices):
    reading = read(line, "british")
    assert [(fault.code, fault.choices) for fault in reading.refused] == [("OrderSyntax", choices)]
    assert not reading.orders
