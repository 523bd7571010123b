"""Which lines are the writer's own: what must never become own, and what must not get lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.quotes import CUT_LINE, classify

HEADS = [
    "On Fri, Jan 1, 2027 at 8:00 PM Game 17 <game.secret@example.org> wrote:",
    "Am 01.01.27 um 20:00 schrieb Game 17:",
    "2027. 01. 01. 20:00 keltezéssel, Game 17 írta:",
    "Blah 2027 blah 20:00 blah <game.secret@example.org>:",
    "Game 17 <game.secret@example.org> wrote on 01/01/2027 20:00:00:",
    "-----Original Message-----",
    "---------- Weitergeleitete Nachricht ----------",
    "Begin forwarded message:",
    "-----Original Message-----\nFrom: Game 17 <game.secret@example.org>\nSent: Friday\nTo: Ann\nSubject: x",
    "-----Original Message----- From: Game 17 <game.secret@example.org> Sent: Friday To: Ann Subject: x",
    "____ Von: Game 17 <game.secret@example.org> Gesendet: 1. Jan 2027 An: Ann Betreff: x",
    "From: Game 17 <game.secret@example.org> Date: Friday, January 1, 2027 To: Ann Subject: x",
    "*From:* Game 17 <game.secret@example.org>\n*Sent:* Friday, January 1, 2027 8:00 PM\n*To:* Ann",
    "________________________________\n\nFrom: Game 17\nSent: Friday\nTo: Ann\nSubject: x",
    CUT_LINE,
    f"  {CUT_LINE}  ",
    CUT_LINE.replace("~", ""),
]
OWN = [
    "draft governor", "Dear service, orders of 2027-01-01, 20:00:", "press: write to bob@example.net, or:",
    "on raid: block with natives", "if blocked: draft Militia", "merchant Norfolk: Philadelphia, New York",
    "leave 2027-01-05 to 2027-01-20", "note: 20:00", "Ann wrote:", "--- 20:00 ---", "-----", "____", "-", "- draft x",
    "---- orders ----", "To: you\nFrom: me", "I wrote: draft governor", "a > b", "10:00", "ann@example.net:",
    "Sent the Rangers ahead", "Data: none", "From: me To: you Subject: orders", "~~~~~~", "|| Militia",
]  # fmt: skip
ANY_LINE = st.one_of(st.sampled_from(OWN), st.text(st.characters(exclude_characters="\n\r"), max_size=60))


def kinds(text, marked=None):
    return "".join(kind[0] for kind in classify(text.split("\n"), marked))


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_below_a_head_nothing_unmarked_is_own(head, gap):
    text = f"draft governor\n\n{head}{gap}draft trader\n\nraid Boston\n"
    assert kinds(text) == "oo" + "q" * (text.count("\n") - 1)


@pytest.mark.parametrize("head", [head for head in HEADS if "adjudicator" not in head])
def test_below_marked_quotes_the_text_is_own_again(head):
    count = head.count("\n") + 1
    assert kinds(f"{head}\n> draft trader\n>\n> x\n\ndraft governor") == "q" * (count + 3) + "oo"


@pytest.mark.parametrize("line", OWN)
def test_what_only_resembles_a_head_is_own(line):
    text = f"{line}\ndraft governor\ndraft bateaux"
    assert kinds(text) == "o" * (text.count("\n") + 1)


def test_a_doubtful_head_above_a_marked_quote_is_a_quote():
    assert kinds("draft governor\nAnn wrote:\n> x") == "oqq"
    assert kinds("draft governor\nAnn meinte um 20:00:\n> x") == "oqq"
    assert kinds("draft governor\nme:\n> x") == "ooq"


def test_an_order_right_above_a_head_stays_own():
    for order in ("draft governor", "leave 2027-01-05 to 2027-01-20"):
        assert kinds(f"{order}\n{HEADS[0]}\ndraft trader") == "oqq"
        wrapped = HEADS[0].replace(" <", "\n<")
        assert kinds(f"{order}\n{wrapped}\ndraft trader") == "oqqq"


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", " > ", "| ", "GS> "])
def test_marks_of_quotes(mark):
    assert kinds(f"draft governor\n{mark}draft trader\ndraft bateaux") == "oqo"


@pytest.mark.parametrize("dashes", ["-- ", "--", "- -- "])
def test_a_signature_reaches_to_the_next_quote(dashes):
    assert kinds(f"draft governor\n{dashes}\nAnn\ndraft trader") == "osss"
    assert kinds(f"draft governor\n{dashes}\nAnn\n> x\ndraft bateaux") == "ossqo"


@pytest.mark.parametrize(
    "footer",
    ["Ann Example\nphone: +49 (221) 555-01 23", "Ann Example\nann@example.org",
     "Example Ltd, www.example.org\n\ndraft trader",
     "games mailing list\ngames@lists.example.org\nhttps://lists.example.org/games", "Checked for viruses. http://example.org"],
)  # fmt: skip
@pytest.mark.parametrize("rule", ["____", "_" * 47, " ________ "])
def test_a_footer_below_underscores_is_a_signature(rule, footer):
    count = footer.count("\n") + 2
    assert kinds(f"draft governor\n\n{rule}\n{footer}") == "oo" + "s" * count
    assert kinds(f"draft governor\n{rule}\n{footer}\n> x\ndraft bateaux") == "o" + "s" * count + "qo"


@pytest.mark.parametrize(
    "below",
    ["draft governor", "draft governor\ndraft bateaux\nAnn", "leave 2027-01-05 to 2027-01-20", "on raid: no block",
     "x\n" * 13 + "ann@example.org", "draft governor\n____\nand 10 money, 20:00, 1/2", "___\nann"],
)  # fmt: skip
def test_orders_below_underscores_are_own(below):
    assert set(kinds(f"Hello,\n____\n{below}")) == {"o"}


def test_orders_between_two_lines_of_underscores_are_own():
    assert kinds("Hello,\n____\ndraft governor\n____\nAnn\nwww.example.org") == "ooosss"


@pytest.mark.parametrize(
    "line",
    ["Sent from my phone", "Von meinem iPhone gesendet", "Envoyé de mon iPhone", "iPhoneから送信", "_Sent from Mail_",
     "Отправлено с iPhone", "Az iPhone készülékemről küldve", "[Get Outlook for iOS](x)"],  # noqa: RUF001 - Cyrillic is meant
)  # fmt: skip
def test_an_advertisement_is_a_signature_of_one_line(line):
    assert kinds(f"draft governor\n{line}\ndraft bateaux") == "oso"


def test_a_torn_quote_is_no_answer():
    long = "> " + "x" * 70
    assert kinds(f"{long}\ndraft trader\n> y\ndraft governor") == "qqqo"
    assert kinds("> short\ndraft governor\n> y") == "qoq"
    # A word is torn off only where it had no room on the line above.
    assert kinds(f"> {'x' * 63}\nreserve:\n> y") == "qqq"
    assert kinds(f"> {'x' * 62}\npass\n> y") == "qoq"
    assert kinds(f"> {'x' * 64}\nreserve: and more\ny\n> z") == "qooq"


def test_what_the_html_marks_as_quote_is_one_even_without_signs():
    assert kinds("draft governor\nOn x wrote:\ndraft trader\nb", ["own", "own", "quote", "own"]) == "oqqo"
    assert kinds("draft governor\ndraft trader", ["own", "signature"]) == "os"


@given(st.lists(ANY_LINE, max_size=12), st.sampled_from(HEADS), st.lists(ANY_LINE, min_size=1, max_size=12))
def test_no_text_below_an_unmarked_head_is_ever_own(above, head, below):
    below = [line for line in below if line.strip()] or ["draft trader"]
    if classify([below[0]])[0] == "quote":
        below.insert(0, "draft trader")
    lines = [*above, "", *head.split("\n"), "", *below]
    assert set(classify(lines)[-len(below) :]) <= {"quote"}, lines


@given(st.lists(ANY_LINE, max_size=30))
def test_every_line_gets_a_kind_and_marked_lines_are_quotes(lines):
    found = classify(lines)
    assert len(found) == len(lines)
    assert all(kind == "quote" for kind, line in zip(found, lines, strict=True) if line.startswith(">"))
