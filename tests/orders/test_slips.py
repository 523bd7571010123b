"""Misspelt conditions, `next turn` and occasions: refused with what was meant, never plain words."""

import pytest

from adjudicator.orders import read
from adjudicator.orders.words import MOST_AHEAD

RAID = "raid Boston with natives"


def reading_of(line, side="french"):
    return read(f"{RAID}\n{line}", side)


@pytest.mark.parametrize(
    "line",
    [
        "nextturn: draft Militia", "NEXT  Turn : draft Militia", "next turn - draft Militia",
        "Next-turn: draft Militia", "next turn draft Militia", "next turn, draft Militia",
        "* next turn \N{EN DASH} draft Militia",
    ],
)  # fmt: skip
def test_blanks_capitals_and_a_dash_for_the_colon_do_not_matter(line):
    reading = reading_of(line)
    assert not reading.refused
    assert [order.text for order in reading.ahead] == ["draft Militia"]
    assert len(reading.orders) == 1


def test_blanks_in_a_condition_do_not_matter():
    assert reading_of("ifblocked: pass").orders[1].condition == reading_of("if blocked: pass").orders[1].condition


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("next turns: draft Militia", "next turn: draft Militia"),
        ("next trun: draft Militia", "next turn: draft Militia"),
        ("nxt turn draft Militia", "next turn: draft Militia"),
        ("next: draft Militia", "next turn: draft Militia"),
        ("next round: pass", "next turn: pass"),
        ("for the next turn: draft Militia", "next turn: draft Militia"),
        ("In my next turn: draft Militia", "next turn: draft Militia"),
        ("next trun: nothing", "next turn: nothing"),
        ("next trun: if blocked: pass", "next turn: if blocked: pass"),
        ("if bloked: draft Militia", "if blocked: draft Militia"),
        ("if bloked draft Militia", "if blocked: draft Militia"),
        ("if not bocked: pass", "if not blocked: pass"),
        ("if ilegal: pass", "if illegal: pass"),
        ("if hand show: pass", "if hand shown: pass"),
        ("otherwize: pass", "otherwise: pass"),
        ("else: draft Militia", "otherwise: draft Militia"),
        ("on seige lost: lose militia", "on siege lost: lose militia"),
        ("on raids: block with natives", "on raid: block with natives"),
        ("one raid at Quebec: no block", "on raid at Quebec: no block"),
        ("on priets: give from hand", "on priest: give from hand"),
    ],
)
def test_a_slip_before_what_is_clearly_an_order_is_refused_with_what_was_meant(line, meant):
    (fault,) = reading_of(line).refused
    assert (fault.line, fault.text, fault.choices) == (2, line, (meant,))
    assert fault.message.endswith(f"Near to it: {meant.partition(':')[0].removesuffix(' at Quebec')}.")
    right = read(f"{RAID}\nif blocked: pass\nnext turn: {RAID}\n{fault.choices[0]}", "french")
    assert not right.refused
    assert not right.ignored


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("on siege: lose Militia", ("on siege lost: lose Militia", "on siege won: settle [with CARD, CARD]")),
        ("On sieges lose Militia", ("on siege lost lose Militia", "on siege won: settle [with CARD, CARD]")),
        ("on siege at Quebec: lose Militia", ("on siege lost: lose Militia", "on siege won: settle [with CARD, CARD]")),
        ("on seige end: settle", ("on siege lost: lose CARD, CARD", "on siege won: settle")),
        ("on siege: ask me", ("on siege lost: ask me", "on siege won: ask me")),
        ("on siege: default", ("on siege lost: default", "on siege won: default")),
        ("on indian: give from hand", ("on indian leader: give from hand",)),
    ],
)
def test_half_of_an_occasion_is_refused_with_all_that_it_may_be(line, choices):
    (fault,) = reading_of(line).refused
    assert (fault.line, fault.text, fault.choices) == (2, line, choices)
    meant = ", ".join(choice.split(":")[0].removesuffix(" lose Militia") for choice in choices)
    assert fault.message.endswith(f" is no occasion for a standing order. Near to it: {meant}.")


@pytest.mark.parametrize("before", ["next turn:", "otherwise:", "if blocked:", "next turn: if blocked:"])
def test_a_misspelt_order_word_behind_them_is_refused_too(before):
    (fault,) = reading_of(f"{before} drft Militia").refused
    assert fault.message == "“drft” is no order word. Near to it: draft."


@pytest.mark.parametrize("line", ["next turn:", "nextturn -", "Next trun:", "otherwise:", "next turn; draft Militia"])
def test_orders_below_a_condition_that_stands_alone_are_not_for_now(line):
    fault = reading_of(f"{line}\ndraft Militia").refused[0]
    assert fault.message.startswith("No order stands behind")
    assert "before each order" in fault.message


@pytest.mark.parametrize(
    "line",
    [
        "Next time: I shall win", "Next turn I will raid you", "next: the board", "Next, draft Militia they said",
        "otherwise I would draft Militia", "until the next turn", "next turn", "otherwise.", "Else: nothing new",
        "If you like: draws are fine", "on rain: no game", "on Tuesday: no time", "On the other hand: well played",
        "In the next turns we shall see", "Then: good luck",
        "On siege tactics: never lose Militia", "on sieges: see the rules", "On siege: who wins?",
    ],
)  # fmt: skip
def test_sentences_stay_plain_words(line):
    reading = reading_of(line)
    assert not reading.refused, reading.refused[0].message
    assert reading.ignored == ((2, line),)


def test_so_many_orders_can_wait_for_the_next_turn_and_no_more():
    most = read("\n".join(["next turn: pass"] * MOST_AHEAD), "french")
    assert (len(most.ahead), most.refused) == (MOST_AHEAD, ())
    (fault,) = read("\n".join(["next turn: pass"] * (MOST_AHEAD + 5)), "french").refused
    assert fault.line == MOST_AHEAD + 1
    assert f"at most {MOST_AHEAD} can wait" in fault.message
    assert str(MOST_AHEAD + 5) in fault.message
    cleared = read("\n".join(["next turn: pass"] * MOST_AHEAD + ["next turn: nothing", "next turn: pass"]), "french")
    assert not cleared.refused


@pytest.mark.parametrize("line", ["chek", "Chek!", "chek please", "- cheque", "checks", "chekc", "cheock:", "chck"])
@pytest.mark.parametrize("order", ["draft Militia", "next turn: draft Militia", "done"])
def test_a_misspelt_check_above_orders_is_refused(line, order):
    reading = read(f"Hello Ben,\n{line}\nnote: a good day\n{order}", "french")
    (fault,) = reading.refused
    assert (fault.line, fault.choices) == (2, ("check",))
    assert fault.message.endswith("is no order word. Near to it: check.")
    assert reading.ignored == ((1, "Hello Ben,"),)


def test_a_misspelt_check_on_the_line_of_its_order_is_refused():
    (fault,) = read("chek; draft Militia", "french").refused
    assert fault.text == "chek"


@pytest.mark.parametrize("line", ["Heck!", "Chuck,", "chek it out", "Check it out", "Czech"])
def test_words_near_to_check_stay_plain_words(line):
    reading = read(f"{line}\ndraft Militia", "french")
    assert (reading.refused, reading.ignored) == ((), ((1, line),))


@pytest.mark.parametrize(
    "text", ["chek", "chek\npress: hello", "chek\nstatus", "draft Militia\n\nChek", "chekc", "draft Militia\nchekc"]
)
def test_without_an_order_below_it_a_misspelt_check_is_nothing(text):
    assert read(text, "french").refused == ()


def test_check_with_a_mark_is_check():
    assert [order.word for order in read("Check!\ndraft Militia", "french").orders] == ["check", "draft"]


SEVERAL = "There are several orders on this line. Write each on a line of its own, or put a semicolon between them."


@pytest.mark.parametrize(
    ("line", "near", "orders"),
    [
        ("riad Boston with natives, draft Militia", "raid", ("raid Boston with natives", "draft Militia")),
        ("drafft Governor and draft Militia", "draft", ("draft Governor", "draft Militia")),
        ("Drafft Governor, then draft Militia", "draft", ("draft Governor", "draft Militia")),
        ("drafft Governor; drafft Militia, pass", "draft", ("draft Militia", "pass")),
        ("drafft Governor and drafft Militia", "draft", ("draft Governor", "draft Militia")),
        ("drafft Militia, draft Governer", "draft", ("draft Militia", "draft Governer")),
        ("monye from Quebec, draft Militia", "money", ("money from Quebec", "draft Militia")),
        ("psas, draft Militia", "pass", ("pass", "draft Militia")),
        ("stopp: draft Militia", "stop", ("stop", "draft Militia")),
        ("chek: draft Governor", "check", ("check", "draft Governor")),
        ("chek, draft Governor", "check", ("check", "draft Governor")),
        ("Chcek draft Governor", "check", ("check", "draft Governor")),
        ("next turn: drafft Governor, pass", "draft", ("next turn: draft Governor", "next turn: pass")),
        ("otherwise: drafft Governor, pass", "draft", ("otherwise: draft Governor", "otherwise: pass")),
        ("on rad: block with natives, on ambush: block never", "on raid",
         ("on raid: block with natives", "on ambush: block never")),
        ("on riad at Quebec: no block, draft Militia", "on raid", ("on raid at Quebec: no block", "draft Militia")),
    ],
)  # fmt: skip
def test_a_slip_before_several_orders_on_a_line_is_refused_with_each_of_them(line, near, orders):
    reading = read(f"raid Boston with natives\n{line}\ndraft Trader\ndone", "french")
    fault = reading.refused[-1]
    assert fault.line == 2
    assert fault.message.endswith(f"Near to it: {near}. {SEVERAL}")
    assert fault.choices == orders
    assert not reading.ignored


@pytest.mark.parametrize(
    "line",
    [
        "Chuck, draft Militia", "Clair, draft Militia", "Black, draft Militia", "Donne: draft Militia",
        "Craft beer, draft Militia", "drafft it, then pass the salt", "On rain: no game, draft Militia",
        "Draught beer, then pass", "Loose talk, then pass",
    ],
)  # fmt: skip
def test_sentences_with_an_order_behind_their_comma_stay_plain_words(line):
    reading = reading_of(line)
    assert (reading.refused, reading.ignored) == ((), ((2, line),))


def test_a_slip_in_a_condition_with_no_colon_before_several_orders_is_refused():
    (fault,) = reading_of("if bloked draft Governor, draft Militia").refused
    assert fault.message.endswith("Near to it: if blocked.")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("stopp", "stop"), ("Sttop!", "stop"), ("stoop", "stop"), ("donee", "done"), ("- ddone.", "done"),
        ("passs", "pass"), ("ppass", "pass"), ("noo block", "no"), ("if blocked: passs", "pass"),
        ("next turn: donee", "done"), ("raidd Boston with natives", "raid"),
    ],
)  # fmt: skip
def test_a_letter_that_stands_twice_is_a_slip(line, meant):
    reading = reading_of(line)
    (fault,) = reading.refused
    assert (fault.line, fault.values["meant"]) == (2, meant)
    assert not reading.ignored


@pytest.mark.parametrize(
    "line", ["Don", "Donn", "Donne", "Doone", "Dona", "Step", "Stops", "Passe", "Bass", "stopp it"]
)
def test_names_and_words_near_to_those_that_end_a_turn_stay_plain_words(line):
    reading = reading_of(line)
    assert (reading.refused, reading.ignored) == ((), ((2, line),))


@pytest.mark.parametrize(
    "line", ["Next turn? Nothing.", "next turn ? Draft Militia", "Next turn?: pass", "nxt turn? draft Militia"]
)
def test_a_question_about_the_next_turn_is_no_order_for_it(line):
    reading = reading_of(f"next turn: pass\n{line}")
    assert (reading.refused, reading.ignored) == ((), ((3, line),))
    assert ([order.text for order in reading.ahead], reading.clears_ahead) == (["pass"], False)


@pytest.mark.parametrize("line", ["Leave: none.", "leave none", "leave off"])
def test_only_cancel_takes_days_off_back(line):
    assert read(line, "french").ignored == ((1, line),)
    assert [order.argument for order in read("leave cancel", "french").orders] == ["cancel"]
