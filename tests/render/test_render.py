"""What the mails look like: one width, the cut line first, harmless subjects, nothing that is an order."""

import random
import re
from itertools import pairwise

import pytest
from letters.our_mails import OVER, plain_mails, refusals, report_mails

from adjudicator import reports
from adjudicator.errors import IllegalAction
from adjudicator.game import events as ev
from adjudicator.game.edition import rules_for
from adjudicator.game.facts import CAPITALS, CARDS, LOCATIONS
from adjudicator.game.model import SIDES, Siege, replace
from adjudicator.game.seen import visible
from adjudicator.orders import name
from adjudicator.orders.words import WORDS
from adjudicator.render import CUT_LINE, render
from adjudicator.render.inert import assert_inert
from adjudicator.render.text import WIDTH, folded, tied
from adjudicator.render.words import LONGEST_QUOTED, marked, oneline
from adjudicator.reports.heard import Heard


@pytest.fixture(scope="module")
def mails(games, first_edition, situation):
    """All kinds of mails over positions of all games, each with where it comes from."""
    made = [("plain", render(report)) for report in plain_mails()]
    for seed, positions in games.items():
        chosen = random.Random(seed)
        for state, events in positions[::65]:
            side = chosen.choice(SIDES)
            made += [
                (f"seed {seed} turn {state.turn} {report.template}", render(report))
                for report in report_mails(situation(state, side), events[-40:], chosen)
            ]
    state, events = first_edition[-1]
    chosen = random.Random(1)
    made += [
        ("first edition " + report.template, render(report))
        for report in report_mails(situation(state, "french", rules_for(1)), events, chosen)
    ]
    return made


def test_no_line_of_any_mail_is_read_as_an_order(mails):
    harmless = set()
    for where, mail in mails:
        try:
            assert_inert(mail.text, harmless)
        except AssertionError as error:
            pytest.fail(f"{where}: {error}")


@pytest.mark.parametrize("line", ["draft Militia", "> raid Boston with Rangers", "- done", "on raid: no block"])
def test_the_check_itself_finds_an_order(line):
    with pytest.raises(AssertionError):
        assert_inert(f"Some words.\n{line}\n")


def test_the_check_finds_what_a_new_wrapping_would_bring_to_a_lines_start():
    with pytest.raises(AssertionError):
        assert_inert("Here are quite some words of no meaning that fill the line draft Militia\n")
    assert_inert(tied("Here are quite some words of no meaning that fill the line draft Militia\n"))


def test_every_mail_begins_with_the_cut_line_and_keeps_the_width(mails):
    for where, mail in mails:
        lines = mail.text.split("\n")
        assert lines[0] == CUT_LINE, where
        assert lines[-1] == "", where
        for line in lines:
            single = len(re.findall(r"[ ]", line.strip())) == 0 or "\u00a0" in line
            assert len(line) <= WIDTH or single, f"{where}: {line!r}"
            assert "\x1f" not in line, where
        assert "\n\n\n" not in mail.text, where


def test_the_cut_line_is_the_one_that_the_mail_reader_knows():
    quotes = pytest.importorskip("adjudicator.mail.quotes")
    assert quotes.CUT_LINE == CUT_LINE


def test_no_order_word_is_a_word_of_a_subject(mails):
    words = {spelling for word in WORDS for spelling in word.written}
    for where, mail in mails:
        said = re.findall(r"[a-z]+", mail.subject.lower())
        pairs = {f"{first} {second}" for first, second in pairwise(said)}
        assert not words & ({*said} | pairs), f"{where}: {mail.subject}"
        assert mail.subject
        assert "\n" not in mail.subject


def test_subjects_name_game_turn_and_what_to_do(games, situation):
    state = games[0][0][0]
    assert render(reports.turn_report(situation(state, "british"), ())).subject == (
        "[g17] Turn 1: you are to move (British)"
    )
    assert render(reports.turn_report(situation(state, "french"), ())).subject == (
        "[g17] Turn 1: the British are to move"
    )
    chosen = random.Random(0)
    answer = reports.answer(
        situation(state, "british"), applied=["pass"], refused=refusals(chosen), not_tried=["a", "b"]
    )
    assert render(answer).subject == "[g17] Turn 1: 2 of 5 orders refused (British)"


def test_numbers_and_nouns_agree(games, situation):
    here = situation(games[0][0][0], "british")
    refused = [IllegalAction("No.", line=1, text="pass").value]
    one = render(reports.answer(here, refused=refused))
    assert "1 of 1 order refused" in one.subject
    assert "1 of 1 order refused" in one.text
    many = reports.telling(
        reports.answer(here, refused=refused * 31), heard=Heard([(n, "so") for n in range(1, 32)]).told()
    )
    assert "1 more was refused." in render(many).text
    assert "and 1 line more." in render(many).text
    over = ev.GameOver("french", "captured-12", None, ev.Score(1, 0, 1), ev.Score(2, 12, 14))
    last = render(reports.game_over(here, (), over=over, seed="cd" * 32, commitment="ab" * 32))
    assert "attached" not in last.text
    assert last.subject == "[g17] The game is over: the French win (British 1, French 14)"
    assert "British: 1 point (1 from places" in last.text


def test_who_draws_nothing_is_told_why(games, situation):
    events = (ev.Drew("british", 0), ev.Drew("french", 0), ev.PenaltyPaid("british", 0, ("trader",)))
    text = " ".join(render(reports.history(situation(games[0][0][0], "british"), events)).text.split())
    assert "You drew no cards: your hand was full, or nothing was left to draw." in text
    assert "The French drew no cards: their hand was full, or nothing was left to" in text
    assert "Trader was discarded" in text


def test_the_welcome_has_the_commitment_on_a_line_of_its_own(games, situation):
    text = render(reports.welcome(situation(games[0][0][0], "british"), "ab" * 32)).text
    assert "ab" * 32 in text.split("\n")


def test_the_explanation_of_the_welcome_is_short(games, situation):
    text = render(reports.welcome(situation(games[0][0][0], "british"), "ab" * 32)).text
    explained = text.split("== How to play by mail ==")[1].split("== Fair shuffles ==")[0]
    assert len([line for line in explained.splitlines() if line]) <= 25


EVENTS = (
    ev.Settled("british", "albany", ("new-york", "st-marys", "boston"), True, True),
    ev.Settled("british", "albany", ("new-york", "st-marys", "boston"), False, True),
    ev.Developed("british", "norfolk", ("norfolk", "boston")),
    ev.Fortified("french", "quebec", ("fortification", "quebec"), 3),
    ev.Besieged("british", "louisbourg", ("boston", "norfolk", "siege-artillery"), 3, 1),
    ev.Reinforced("french", "british", "louisbourg", "military-leader", 0, -1),
    ev.RaidBegun("french", "deerfield", ("coureurs-de-bois", "priest"), 0),
    ev.RaidBlocked("british", "deerfield", "rangers"),
    ev.Raided("french", "deerfield", "town", True), ev.Raided("french", "deerfield", "town", False),
    ev.Raided("french", "deerfield", "village", False),
    ev.AmbushBegun("french", "neutral-native-americans", 1), ev.AmbushBlocked("british", "rangers"),
    ev.CardLost("british", "militia", "reserve"), ev.CardLost("british", "militia", "siege", "quebec"),
    ev.PriestPlayed("french", "priest"), ev.PriestPlayed("british", "indian-leader"),
    ev.NativeTaken("british", "hand"), ev.HandShown("british", "priest", ("boston", "trader")),
    ev.HandShown("french", "ambush", ("priest",)), ev.HandShown("french", "ambush", ()),
    ev.MoneyTaken("british", "money", ("boston",), 3),
    ev.MoneyTaken("british", "merchant", ("boston", "new-york"), 3),
    ev.MoneyTaken("french", "trader", ("trader", "gaspe"), 2), ev.MoneyTaken("french", "fur", ("gaspe",), 1),
    ev.Pirated("french", ("louisbourg", "ships"), 1, 1), ev.Drafted("french", "intendant", 0),
    ev.Discarded("british", ("trader", "governor"), 1), ev.Dropped("british", "norfolk"),
    ev.Reserved("french", "priest"), ev.Retrieved("french", ("priest", "trader"), 2),
    ev.Governed("british", ("home-support",), ("norfolk",)), ev.Fetched("french", "home-support", 2),
    ev.HomeSupported("british", 3, ("trader", "militia", "boston")),
    ev.Withdrew("british", "french", "boston", "militia", "village"),
    ev.Withdrew("french", "french", "boston", None, None),
    ev.SiegeWon("british", "british", "louisbourg", "priest", "village"),
    ev.SiegeWon("british", "french", "boston", None, None),
    ev.SettledWon("british", "louisbourg", "boston", True), ev.LeftNeutral("french", "albany"),
    ev.Passed("french"),
    ev.Pledged("british", "louisbourg", "militia"), ev.Reshuffled("british", 4, 9),
    ev.Drew("british", 1, ("home-support",)), ev.PenaltyPaid("british", 1),
    ev.PenaltyPaid("french", 0, ("priest", "trader")),
    ev.Exchanged("french", "priest", ("trader",)), ev.StartedWith("french", "intendant"), OVER,
)  # fmt: skip


def test_every_event_has_a_sentence_and_none_is_an_order(games, situation):
    assert {type(event) for event in EVENTS} == set(ev.Event.__args__) - {ev.TurnEnded}
    state = games[0][0][0]
    for side in SIDES:
        for event in EVENTS:
            text = render(reports.history(situation(state, side), (event, event))).text
            told = text.split("know it.")[1]
            shown = event in visible((event,), side)
            assert ("  - " in told) == (shown or bool(visible((event,), side))), event
            assert_inert(text)


def test_names_in_events_are_printed_names(games, situation):
    text = render(reports.history(situation(games[0][0][0], "british"), EVENTS)).text
    ids = {*LOCATIONS, *CARDS["british"], *CARDS["french"]}
    assert not [id_ for id_ in ids if "-" in id_ and re.search(rf"\b{id_}\b", text)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("S8.11", "ahead by 2 or more"),
        ("Governor", "returns one or two"),
        ("militia", "French card Militia: strength 1, blocks raids and ambushes."),
        ("zzz", "nothing here about"),
    ],
)
def test_rules_answer_by_word_by_number_and_by_card(word, expected):
    text = render(reports.rules_page(word)).text.replace("\u00a0", " ")
    assert expected in " ".join(text.split())


def test_a_siege_is_told_in_words(games, situation):
    state = games[0][0][0]
    besieged = replace(state, sieges=state.sieges.put("british", Siege("louisbourg", 1, ("militia",), ("militia",))))
    text = " ".join(render(reports.board(situation(besieged, "french"))).text.split())
    assert "British siege of Louisbourg: attacker ahead by 1. The British win at the start of their turn with 2" in text


NOT_ON_THE_HELP_PAGE = {
    "leave", "register", "join", "claim", "accept", "decline", "record", "games", "my data", "erase me", "challenges",
    "offer", "observe", "unobserve", "challenge", "cancel challenge",
}  # fmt: skip
"""Words of the desk, and those about people and time; less as the page comes to tell of them."""


def test_help_shows_the_form_of_every_order_word():
    text = render(reports.help_page("g17")).text.replace("\u00a0", " ")
    missing = [word.word for word in WORDS if not re.search(rf"\b{word.word}\b", text)]
    assert set(missing) <= NOT_ON_THE_HELP_PAGE


@pytest.mark.parametrize("capital", [*CAPITALS["british"], *CAPITALS["french"]])
def test_an_empty_capital_is_warned_of(games, situation, capital):
    state = games[0][0][0]
    empty = replace(state, board={place: piece for place, piece in state.board.items() if place != capital})
    text = render(reports.turn_report(situation(empty, "british"), ())).text
    assert f"{LOCATIONS[capital].name} stands empty." in text


def test_of_many_refusals_and_lines_some_are_told_and_the_others_counted(games, situation):
    state, many = games[0][0][0], [(n, "so it goes") for n in range(1, 100)]
    refused = [IllegalAction("No.", rule="S3.1", line=n, text="pass").value for n in range(1, 51)]
    report = reports.telling(
        reports.answer(situation(state, "british"), refused=refused), heard=Heard(many, many, many).told()
    )
    text = render(report).text
    assert text.count("  No. (rule S3.1)") == 30
    assert "20 more were refused." in text
    assert text.count("so it goes") == 90
    assert text.count("and 69 lines more.") == 3


def test_files_and_subjects_that_were_not_read_are_told(games, situation):
    answer = reports.answer(situation(games[0][0][0], "british"))
    text = render(reports.telling(answer, heard=Heard(files=("my orders.txt", ""), subject=True).told())).text
    told = " ".join(text.replace("\u00a0", " ").split())
    assert "An attached file called “my_orders.txt” was not read." in told
    assert "An attached file without a name was not read." in told
    assert "The subject of your mail looks like an order" in told
    nothing = render(reports.telling(answer, heard=Heard().told())).text
    assert "attached" not in nothing
    assert "subject" not in nothing.lower()


STANDING = "on raid: block with location\non raid at Boston: no block"


def test_standing_orders_are_shown_in_every_mail_about_a_position_in_a_few_lines(games, situation):
    here = situation(games[0][0][0], "british", standing=STANDING)
    bare = situation(games[0][0][0], "british")
    for make in (
        lambda at: reports.turn_report(at, ()), reports.answer, reports.stale, reports.again, reports.status,
        reports.board, lambda at: reports.joined(at, ()), lambda at: reports.welcome(at, "ab" * 32),
    ):  # fmt: skip
        text = render(make(here)).text.replace("\u00a0", " ")
        assert "== Your standing orders ==\n\n  yours: on raid: block with location\n" in text, make(here).template
        assert "  yours: on raid at Boston: no block\nWhere they say nothing" in text
        block = text.split("== Your standing orders ==\n\n")[1].split("\n\n")[0]
        assert len(block.splitlines()) == 2 + len(STANDING.splitlines())
        assert ("You have none." in render(make(bare)).text) == (make(here).template != "welcome")


def test_all_that_is_done_for_a_player_stands_in_the_first_mail_and_under_help_only(games, situation):
    here = situation(games[0][0][0], "british", standing=STANDING)
    said = "With a lost siege the cheapest card goes back"
    for report in (reports.welcome(here, "ab" * 32), reports.help_page("g17")):
        assert said in " ".join(render(report).text.split())
    for report in (reports.turn_report(here, ()), reports.answer(here), reports.status(here)):
        assert said not in " ".join(render(report).text.split())


def test_standing_orders_are_inert_whatever_they_name(games, situation):
    for side in SIDES:
        names = [name(side, card) for card in sorted(CARDS[side])]
        harmless = set()
        for first in range(0, len(names), 4):
            listed = ", ".join(names[first:] + names[:first])
            standing = f"on raid: block with {listed}\non siege lost: lose {listed}"
            assert_inert(render(reports.status(situation(games[0][0][0], side, standing=standing))).text, harmless)


def test_a_fault_is_marked_where_it_stands():
    shown, carets = marked({"text": "draft governer", "span": [6, 14]})
    assert [shown, carets] == ["draft governer", "      ^^^^^^^^"]
    far, under = marked({"text": "x" * 300 + " governer", "span": [301, 309]})
    assert far[under.index("^") : under.rindex("^") + 1] == "governer"
    assert len(far) <= LONGEST_QUOTED
    assert marked({"text": "", "span": None}) == ("", "")


def test_players_words_stay_on_one_line_of_bounded_length():
    assert oneline("a\nb;  c") == "a b; c"
    assert folded("a; pass\n") == "a,\u00a0pass\n"
    assert len(oneline("x" * 300)) == LONGEST_QUOTED


def test_long_lines_are_folded_and_blank_lines_never_doubled():
    text = folded("- " + "word " * 40 + "\n\n\n\nend")
    first, second, *_ = text.splitlines()
    assert first.startswith("- word")
    assert second.startswith("  word")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.endswith("word\n\nend\n")
