"""What is an order, what is prose, and what is refused."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.game import actions as act
from adjudicator.orders import caret, read
from adjudicator.orders.parser import MOST_PARTS
from adjudicator.orders.words import WORDS

SETTLE = ("deerfield", (("new-haven",), ("st-marys",), ("philadelphia",)))


def one(text, side="british"):
    reading = read(text, side)
    assert not reading.refused, (text, reading.refused[0].message)
    assert len(reading.orders) == 1, text
    return reading.orders[0]


def refusal(text, side="british"):
    reading = read(text, side)
    assert not reading.orders, text
    assert len(reading.refused) == 1, text
    return reading.refused[0]


@pytest.mark.parametrize(
    "text",
    [
        "settle Deerfield from New Haven with St. Mary's, Philadelphia",
        "SETTLE DEERFIELD FROM NEW HAVEN WITH ST MARYS AND PHILADELPHIA!",
        "settle Deerfield with St. Mary\u2019s & Philadelphia from New Haven",
        "settle Deerfield: New Haven, Saint Mary's, Philadelphia",
        "settle Deerfield with New Haven, St. Mary's, Philadelphia",
        "please settle the Deerfield card from New Haven using St Mary's + Phil.",
        "settle in Deerfield from new-haven by st. marys, philadelphia",
        "1. settle deer from newhaven with st m, phila",
        "\u2022 settle\u00a0D\u00e9erfield\u00a0from New\u2003Haven with \u201cSt Mary\u00b4s\u201d, Phil",
    ],
)
def test_one_settlement_in_many_words(text):
    order = one(text)
    assert (order.target, order.cards) == SETTLE
    assert order.word == "settle"


@pytest.mark.parametrize(
    ("text", "target", "cards"),
    [
        (
            "besiege Louisbourg from Halifax with Boston, Siege Artillery",
            "louisbourg",
            "halifax boston siege-artillery",
        ),
        (
            "besiege Louisbourg with Boston, Siege Artillery from Halifax",
            "louisbourg",
            "halifax boston siege-artillery",
        ),
        (
            "lay siege to Louisbourg: Halifax, Boston, artillery",
            "louisbourg",
            "halifax boston siege-artillery",
        ),
        ("settle Kennebec with Pemaquid, Boston", "kennebec", "pemaquid boston"),
        ("reinforce with Militia at Louisbourg", "louisbourg", "militia"),
        ("raid on Deerfield with Rangers and Indian Leader", "deerfield", "rangers indian-leader"),
        ("raid Deerfield with 2 natives", "deerfield", "neutral-native-americans neutral-native-americans"),
        ("merchant Norfolk: Philadelphia, New York", None, "norfolk philadelphia new-york"),
        ("merchant Norfolk with Philadelphia and New York", None, "norfolk philadelphia new-york"),
        ("take money from Boston", None, "boston"),
        ("withdraw Louisbourg losing Militia", "louisbourg", "militia"),
        ("discard: Kennebec, Ft Halifax", None, "kennebec fort-halifax"),
        ("governor Kennebec, Militia", None, "kennebec militia"),
        ("military leader to Louisbourg", "louisbourg", ""),
    ],
)
def test_words_may_stand_in_another_order(text, target, cards):
    order = one(text)
    assert order.target == target
    assert " ".join(ranked[0] for ranked in order.cards) == cards


@pytest.mark.parametrize(
    "line",
    [
        "Thanks!",
        "Settle down",
        "pass me the salt",
        "Raid was fun",
        "I will draft Militia next week",
        "Check this out",
        "here are my orders for this turn:",
        "Hi,",
        "leave me alone",
        "On Sunday I am away.",
        "raid can wait",
        "settle no more",
        "Give in already",
        "Press on!",
        "help me",
        "done, thanks",
        "set up the board",
        "Money to be made",
        "No settlers left",
        "Priest took my natives",
        "rules are rules",
        "note to self",
        "if blocked, I will cry",
        "Otherwise: nothing new",
        "join us for a beer",
        "> draft trader",
        "| draft trader",
        "Sent from my telephone",
        "-- ",
        "Home support was late",
        "Stop it",
        "trade is slow",
        "lose no time",
        "Indian leader is no good",
        "block party",
        "start with the basics",
        "draft xyzzy",
    ],
)
def test_prose(line):
    reading = read(line, "british")
    assert not reading.refused, caret(reading.refused[0])
    assert not reading.orders
    assert reading.ignored == ((1, line.strip()),)


@pytest.mark.parametrize(
    ("line", "code", "choices"),
    [
        ("draft governer", "UnknownName", ("Governor",)),
        ("draft batteaux", "UnknownName", ("Bateaux",)),
        ("draft", "OrderSyntax", ("draft CARD",)),
        ("raid fort with natives", "AmbiguousName", None),
        ("raid Deerfeild with natives", "UnknownName", ("Deerfield",)),
        ("draft Mil", "AmbiguousName", ("Military Leader", "Militia")),
        ("draft leader", "AmbiguousName", ("Indian Leader", "Military Leader")),
        ("draft Militia next week", "OrderSyntax", None),
        ("draft Militia, Governor", "OrderSyntax", ("draft CARD",)),
        ("settle Deerfield with New Haven, Boston", "OrderSyntax", None),
        ("settle Deerfield", "OrderSyntax", None),
        ("settle Deerfield with", "OrderSyntax", None),
        ("besiege Louisbourg from Halifax with Boston", "OrderSyntax", None),
        ("develop Albany", "OrderSyntax", ("develop PLACE with CARD",)),
        ("leader", "OrderSyntax", ("leader PLACE",)),
        ("ambush", "OrderSyntax", ("ambush with CARD",)),
        ("withdraw", "OrderSyntax", None),
        ("give Militia from Boston", "OrderSyntax", None),
        ("draft neutral Militia", "UnknownName", ("Militia",)),
        ("draft Militia from Boston at Albany", "OrderSyntax", None),
        ("pass, pass", "OrderSyntax", ("pass",)),
        ("discard:", "OrderSyntax", None),
        ("leave 2030-12-20", "OrderSyntax", None),
        ("if hand shown: whatever", "OrderSyntax", ()),
        ("otherwise: draft Militia", "OrderSyntax", ()),
    ],
)
def test_refused(line, code, choices):
    found = refusal(line)
    assert found.code == code, found.message
    if choices is not None:
        assert found.choices == choices
    assert (found.line, found.text) == (1, line)
    start, end = found.span
    assert 0 <= start < end <= len(line)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("reserve Militia, Rangers", "S13.3"),
        ("govern", "S13.6"),
        ("trade", "S12.3"),
        ("raid Deerfield", "S9.1"),
    ],
)
def test_what_is_missing_or_too_much_names_the_rule(line, rule):
    assert refusal(line).rule == rule


def test_counting_is_left_to_the_rules_where_an_action_can_hold_the_cards(start):
    assert one("merchant Norfolk").resolve(start) == act.Merchant("norfolk", ())
    assert len(one("govern Militia, Trader, Bateaux").cards) == 3


def test_all_faults_of_a_mail_are_told():
    reading = read("draft governer\n\nHello\ndraft batteaux; pass", "french")
    assert [(fault.line, fault.text) for fault in reading.refused] == [
        (1, "draft governer"),
        (4, "draft batteaux"),
    ]
    assert [(order.line, order.text, order.span) for order in reading.orders] == [(4, "pass", (16, 20))]
    assert reading.ignored == ((3, "Hello"),)


def test_a_caret_stands_under_the_fault():
    assert caret(refusal("draft governer")) == "draft governer\n      ^^^^^^^^"
    # Full-width letters take two columns, combining accents none.
    assert caret(refusal("\uff44raft governer")) == "\uff44raft governer\n       ^^^^^^^^"
    assert caret(refusal("dra\u0301ft governer")) == "dra\u0301ft governer\n      ^^^^^^^^"


def test_each_order_of_a_line_may_have_a_number_or_a_bullet():
    for line in (
        "1. draft governor; 2. draft bateaux",
        "- draft governor;- draft bateaux",
        "a) draft governor ; b) draft bateaux",
    ):
        orders = read([(1, line)], "british").orders
        assert [order.text for order in orders] == ["draft governor", "draft bateaux"], line
        assert [line[slice(*order.span)] for order in orders] == ["draft governor", "draft bateaux"], line


def test_several_orders_on_a_line():
    reading = read([(7, "draft governor; draft bateaux ;; thanks")], "british")
    assert [(order.line, order.text) for order in reading.orders] == [
        (7, "draft governor"),
        (7, "draft bateaux"),
    ]
    assert reading.ignored == ((7, "thanks"),)


def test_invisible_and_wide_characters_fold_away():
    for line in (
        "dra\u00adft go\u200bvernor",
        "\ufeffdraft governor",
        "\uff24\uff32\uff21\uff26\uff34\u3000governor",
    ):
        assert one(line).cards == (("governor",),)
    assert one("trade Gaspe\u0301\uff0cQue\u0301bec", "french").cards == (("gaspe",), ("quebec",))


def test_press_runs_to_the_next_blank_line_and_parts_nothing():
    reading = read(
        "press: well played; draft Militia\ndraft Trader\n\ndraft Governor\nnote: a; draft Bateaux", "british"
    )
    assert [(order.word, order.argument) for order in reading.orders] == [
        ("press", "well played; draft Militia\ndraft Trader"),
        ("draft", ""),
        ("note", "a; draft Bateaux"),
    ]
    assert [order.kind for order in reading.orders] == ["word", "game", "word"]


@pytest.mark.parametrize(
    ("line", "word", "argument"),
    [
        ("rules S8.11", "rules", "S8.11"),
        ("rules raid", "rules", "raid"),
        ("help", "help", ""),
        ("leave 2030-12-20 to 2031-01-05", "leave", "2030-12-20 to 2031-01-05"),
        ("leave: cancel.", "leave", "cancel"),
        ("register Anna Kov\u00e1cs", "register", "Anna Kov\u00e1cs"),
        ("join a1-b2.", "join", "a1-b2"),
        ("set language fr", "set", "language fr"),
        ("Check!", "check", ""),
        ("Resign.", "resign", ""),
        ("end turn", "done", ""),
        ("STOP", "stop", ""),
    ],
)
def test_words_that_are_no_move(line, word, argument):
    order = one(line)
    assert (order.word, order.argument, order.kind) == (word, argument, "word")


def test_a_bare_name_means_the_own_card_then_the_neutral_one(start, edit):
    state = edit(start, "french", hand=("neutral-native-americans", "native-americans", "neutral-native-americans"))
    both = one("raid Deerfield with natives, natives", "french").resolve(state)
    assert both == act.Raid("deerfield", ("native-americans", "neutral-native-americans"))
    neutral = edit(start, "french", hand=("neutral-native-americans",))
    assert one("ambush with natives", "french").resolve(neutral) == act.Ambush("neutral-native-americans")
    assert one("ambush with own natives", "french").resolve(neutral) == act.Ambush("native-americans")
    assert one("ambush with natives", "french").resolve(start) == act.Ambush("native-americans")


def test_infantry_is_the_start_card_first(start, edit):
    state = edit(start, "french", hand=("regular-infantry",))
    assert one("reserve infantry", "french").resolve(state) == act.Reserve("regular-infantry")
    state = edit(start, "french", hand=("regular-infantry", "regular-infantry-start"))
    assert one("reserve Regular Infantry", "french").resolve(state) == act.Reserve("regular-infantry-start")
    assert one("reserve bought Infantry", "french").resolve(state) == act.Reserve("regular-infantry")
    assert one("draft infantry", "french").resolve(start) == act.Draft("regular-infantry")
    assert one("draft start infantry", "french").resolve(start) == act.Draft("regular-infantry-start")


def test_a_card_of_the_other_side_is_left_to_the_rules(start):
    assert one("draft Intendant").resolve(start) == act.Draft("intendant")


def test_fortify_takes_the_own_card_first(start, edit):
    own = edit(start, "british", hand=("neutral-fortification", "fortification"))
    assert one("fortify Albany").resolve(own) == act.Fortify("albany", "fortification")
    neutral = edit(start, "british", hand=("neutral-fortification",))
    assert one("fortify Albany").resolve(neutral) == act.Fortify("albany", "neutral-fortification")


def test_piracy_may_name_louisbourg(start):
    assert one("piracy with Louisbourg and Port Royal", "french").resolve(start) == act.Piracy("port-royal")


def test_give_takes_the_reserve_before_the_hand(start, edit):
    state = edit(start, "british", hand=("militia",), reserve=("militia",))
    assert one("give Militia").resolve(state) == act.Give("militia", "reserve")
    assert one("give Militia from hand").resolve(state) == act.Give("militia", "hand")
    assert one("give Militia").resolve(edit(state, "british", reserve=())) == act.Give("militia", "hand")


def test_lose_finds_the_siege(siege_state, start):
    assert one("lose Militia").resolve(siege_state) == act.Lose("louisbourg", "militia")
    assert one("lose Militia at Louisbourg").resolve(siege_state) == act.Lose("louisbourg", "militia")
    with pytest.raises(Exception, match="No siege") as caught:
        one("lose Militia").resolve(start)
    assert (caught.value.code, caught.value.line, caught.value.text) == ("IllegalAction", 1, "lose Militia")


@given(st.text(max_size=300), st.sampled_from(["british", "french"]))
def test_no_text_breaks_the_reader(text, side):
    reading = read(text, side)
    for fault in reading.refused:
        assert fault.text
        assert caret(fault).count("\n") <= 1
    for order in reading.orders:
        line = text.splitlines()[order.line - 1]
        assert line[order.span[0] : order.span[1]].startswith(order.text.split("\n")[0])


PIECES = [written for word in WORDS for written in word.written] + [
    "Boston",
    "new",
    "infantry",
    "neutral",
    "fort",
    "with",
    "from",
    "losing",
    "at",
    ":",
    ",",
    "and",
    ";",
    "on raid",
    "block",
    "ask me",
    "2",
    "\n",
    "governer",
    "if blocked",
    "press:",
    "natives",
    "the",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["british", "french"]))
def test_no_heap_of_order_words_breaks_the_reader(words, side):
    for fault in read(" ".join(words), side).refused:
        assert fault.message
        assert fault.span[1] <= len(fault.text)


@pytest.mark.parametrize(
    "line",
    [
        "draft " + "Militia, " * 100,
        "draft " + "a " * 490,
        "on raid: block with " + "x, " * 300,
        ";" * 999,
        "draft " + "'" * 990,
        "raid " + "with from " * 99,
        "settle " + "q" * 990,
        "1." * 500,
    ],
)
def test_no_line_takes_long(line):
    assert_is_read_like_prose("\n".join([line] * 100))


@pytest.mark.parametrize(
    "line",
    [
        "draft " + "x y " * 230,
        "merchant " + "a b c d e f g h " * 55,
        "raid Deerfild with " + "coureur, " * 100,
        "draft governer;" * 60,
        "draft x y x y " * 70,
        "raid Boston with " + "pass " * 180,
    ],
)
def test_no_mail_full_of_such_lines_takes_long(line):
    assert_is_read_like_prose("\n".join([line] * 300))


def assert_is_read_like_prose(text):
    """Check that hostile text costs little more than prose of the same length, on a slow machine too."""
    prose = "\n".join(["word " * 180] * (len(text) // 900 + 1))
    assert seconds(text) < 25 * seconds(prose), text[:30]


def seconds(text):
    begun = time.process_time()
    read(text, "british")
    return time.process_time() - begun


def test_so_many_orders_are_read_and_no_more():
    assert len(read("pass; pass\n" * (MOST_PARTS // 2), "british").orders) == MOST_PARTS
    beyond = read("pass; pass\n" * (MOST_PARTS // 2) + "pass\npass\n", "british")
    assert len(beyond.orders) == MOST_PARTS + 1
    (refusal,) = beyond.refused
    assert refusal.line == MOST_PARTS // 2 + 1
    assert "more than 2000 orders" in refusal.message


@pytest.mark.parametrize(
    "line",
    [
        "draft governor" + "!" * 987,
        "draft Governor; " + "x" * 100_000 + "; draft Militia",
        "x" * 5000 + "; draft Militia",
        "pass; " * 3_000,
        "Dear Ben; " * 200 + "on raid: no block",
        "next turn: pass; " * 100,
        "draft Governer, " * 100,
        "note: " + "la " * 400,
        "check" + " " * 1_000 + "; hello",
    ],
)
def test_an_order_in_a_line_over_a_thousand_characters_is_refused_with_the_reason(line):
    reading = read(f"hello\n{line}\ndraft Ships", "british")
    (refusal,) = reading.refused
    assert (refusal.line, refusal.text) == (2, line[:1000])
    assert refusal.message == (
        f"This line has {len(line)} characters, and orders are read in lines of at most 1000. "
        "Write each order on a line of its own."
    )
    assert reading.ignored == ((1, "hello"),)
    assert [order.text for order in reading.orders] == ["draft Ships"]


def test_a_line_of_a_thousand_characters_is_read():
    assert len(read("draft governor" + "!" * 986, "british").orders) == 1


@pytest.mark.parametrize(
    "line", ["Well played! " * 100, "x" * 100_000, "one; two; " * 10_000, "> draft Governor; " * 100, "; " * 50_000]
)
def test_a_line_over_a_thousand_characters_without_orders_is_prose(line):
    reading = read(f"{line}\ndraft Ships", "british")
    assert (reading.refused, reading.ignored) == ((), ((1, line),))
    assert len(reading.orders) == 1


def test_long_press_messages_are_passed_on():
    (order,) = read("press: " + "la " * 400, "british").orders
    assert order.word == "press"


@pytest.mark.parametrize(
    "line", ["x; " * 300_000, "draft x y; " * 90_000, ("x y z " * 170 + "; ") * 900, "a b " * 250_000]
)
def test_no_long_line_takes_long(line):
    assert_is_read_like_prose(line)


def test_the_order_of_groups_means_nothing():
    pick = random.Random(7)
    for _ in range(50):
        groups = ["from New Haven", "with St. Mary's, Philadelphia", "at Deerfield"]
        pick.shuffle(groups)
        order = one("settle " + " ".join(groups))
        assert (order.target, order.cards) == SETTLE, groups
