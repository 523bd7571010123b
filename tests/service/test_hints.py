"""Questions and wishes that came to nothing: the answer tells why, and how they are written."""

import pytest
from post_office import PostOffice, text_of

from adjudicator.render.inert import assert_inert
from adjudicator.service.config import Config


def said(mail) -> str:
    return " ".join(text_of(mail).split())


@pytest.fixture
def game(sqlite_office) -> PostOffice:
    sqlite_office.new_game()
    return sqlite_office


@pytest.mark.parametrize("body", ["rules foo", "rules: foo?", "rules sieges"])
def test_any_one_word_can_be_asked_of_the_rules(game, body):
    game.answer("british", body)
    text = said(game.last("british"))
    assert game.last("british")["Subject"] == "[g1] What the rulebook says"
    assert "or for one of these words" in text
    assert "rule S8.11 siege" in text
    assert ("There is nothing here about" in text) == ("foo" in body)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("rules about foo", 'The word "rules" takes one word or the number of a rule'),
        ("help foo", 'The word "help" stands alone. For one thing only, ask for its rules: e.g. help e.g. rules raid'),
        ("show the board", "What you can look at is: e.g. status e.g. board e.g. history"),
        ("history 3", 'The word "history" counts only if nothing else stands on the line.'),
        ("status now", 'The word "status" counts only if nothing else stands on the line.'),
        ("record please, Sir", 'The word "record" counts only'),
        ("my data as a file", 'The words "my data" count only'),
        ("press Hello Ann", 'The word "press" needs a colon, and your message behind it: e.g. press: Good luck!'),
        ("set foo", "e.g. set zone Europe/Berlin e.g. set confirm on"),
        ("set language de", 'The word "set" takes one of these: e.g. set zone Europe/Berlin'),
        ("set zone", 'The words "set zone" take the name of a time zone: e.g. set zone Europe/Berlin'),
        ("set zone Nowhere/City", "Not done: No time zone is called that. The nearest are"),
        ("set address not-an-address", 'The words "set address" take one address that mails can go to'),
        ("set name 12", 'The words "set name" take a name of letters'),
        ("leave yesterday", 'The word "leave" takes two dates'),
        ("offer peace now", "takes one of these: e.g. offer draw e.g. offer restart e.g. offer takeback"),
        ("register Bob", "To change your name, write: e.g. set name NEW NAME"),
    ],
)
def test_what_came_to_nothing_is_told_with_how_it_is_written(game, body, told):
    game.answer("british", body)
    text = said(game.last("british"))
    assert told in text
    assert "not to be had" not in text
    assert f"line 1: {body}" in text


def test_sentences_get_no_lessons(game):
    game.answer(
        "british", "Set sail and leave the board to me, my friend!\nHistory will tell who of us was right here."
    )
    assert "The word" not in said(game.last("british"))


@pytest.mark.parametrize(
    "word", ["offer draw", "accept", "record", "claim", "rules siege", "status", "games", "resign"]
)
def test_words_with_an_answer_of_their_own_are_told_to_need_a_mail_of_their_own(game, word):
    game.answer("british", f"draft Ships\n{word}\nstop")
    text = said(game.last("british"))
    assert f"== Understood and not carried out == line 2: {word}" in text
    assert f"Not done, as it has an answer of its own: {word}. That counts only in a mail without game orders" in text


def test_of_two_such_words_the_second_is_told_to_need_another_mail(game):
    game.answer("british", "board\naccept")
    assert "Not done, as it has an answer of its own: board. That counts" in said(game.last("british"))
    game.answer("british", "claim")
    assert "Not done" not in said(game.last("british"))


def test_nothing_counts_beside_a_line_that_cannot_be_read(game):
    game.answer("british", "raid Boston\npress: hello\n\nnote: x")
    text = said(game.last("british"))
    assert "line 2: press: hello line 4: note: x Nothing of a mail counts if a line of it cannot be read." in text


@pytest.mark.parametrize(
    ("body", "subject"),
    [
        ("press: hello", "your message was passed on"),
        ("note: x", "your remark was kept"),
        ("on raid: no block\n\npress: hello", "your message was passed on"),
        ("next turn: pass", "your orders for next time are kept"),
        ("set zone Europe/Berlin", "your time zone was changed"),
        ("set zone", "what you asked for was not done"),
    ],
)
def test_the_subject_says_what_was_taken(game, body, subject):
    game.answer("british", body)
    assert game.last("british")["Subject"] == f"[g1] Turn 1: {subject} (British)"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("draft x", 'The word "draft" makes an order only with what it needs behind it: e.g. draft CARD'),
        ("raid!! zzz", "e.g. raid PLACE with CARD, CARD"),
        ("pass it", 'The word "pass" counts only if nothing else stands on the line.'),
    ],
)
def test_a_short_line_with_an_order_word_is_told_what_is_missing(game, body, told):
    game.answer("british", body)
    assert told in said(game.last("british"))


@pytest.mark.parametrize(
    "more",
    ["draft Ships", "next turn: pass", "set zone Europe/Berlin", "set zone", "on raid: no block", "challenge clock x"],
)
def test_what_is_asked_back_beside_something_else_is_told_in_the_answer_to_that(game, more):
    before = game.count("british")
    game.answer("british", f"{more}\nmy data")
    asking, answer = game.boxes["ann@example.org"][before:]
    assert asking["Reply-To"].startswith("confirm.")
    assert answer["Reply-To"].startswith("g1.")
    assert "another mail, called Is this from you, asks you about it" in said(answer)


def test_what_is_asked_back_alone_has_one_mail(game):
    before = game.count("british")
    game.answer("british", "Hello!\nmy data")
    (asking,) = game.boxes["ann@example.org"][before:]
    assert asking["Reply-To"].startswith("confirm.")


def test_what_cannot_be_asked_back_now_is_said_to_be_undone(game):
    game.config = Config(domain="play.example.org", answers_per_hour=1)
    game.answer("british", "status")
    game.answer("british", "draft Ships\nmy data")
    assert "we cannot ask you now. Nothing of it was done" in said(game.last("british"))


def test_one_wish_that_is_fit_does_not_hide_another_that_is_not(game):
    game.answer("british", "draft Ships\nmy data\nset address nonsense\nset zone Europe/Berlin")
    text = said(game.last("british"))
    done, _, undone = text.partition("== Understood and not carried out ==")
    assert "line 2: my data (asked back) line 4: set zone Europe/Berlin" in done
    assert undone.startswith(" line 3: set address nonsense")
    assert 'The words "set address" take one address' in undone
    assert "e.g. set zone" not in undone


def inert_part(mail) -> str:
    """What an answer tells of a mail, its no-break spaces kept."""
    return mail.get_body().get_content().partition("== Your")[0]


def test_no_hint_is_an_order_when_it_comes_back(game):
    wrong = ["rules about foo", "help foo", "show board", "history 3", "press Hello", "note that", "leave yesterday",
             "offer peace now", "join us", "observe the rules", "unobserve it all", "register Bob",
             "set foo", "set zone", "set name 12", "set address x", "set newkey now", "set confirm maybe", "draft x",
             "raid zzz", "my data now", "press: hello", "draft Militia", "next trun: pass"]  # fmt: skip
    game.answer("british", "\n".join(wrong))
    text = text_of(game.last("british"))
    assert "The word" in text
    assert "NOT carried out" in text
    assert_inert(inert_part(game.last("british")))
    game.answer("british", "draft Bostn\nnext trun: pass\nnext turn:\noffer draw\nnote: x")
    assert_inert(inert_part(game.last("british")))


def test_of_two_offers_the_one_that_was_made_is_told_as_made(game):
    game.answer("british", "offer draw\noffer restart")
    done, _, undone = said(game.last("british")).partition("Understood and not carried out")
    assert "offer restart" in done
    assert "line 1: offer draw" in undone


@pytest.mark.parametrize(
    ("line", "hint"),
    [("setle Halifax from Boston with Norfolk, NY", "settle"), ("my sister draught it all", ""), ("Setle it then", "")],
)
def test_a_line_with_more_faults_than_one_is_told_how_such_an_order_is_written(game, line, hint):
    game.answer("british", line)
    told = said(game.last("british"))
    assert (f'The word "{hint}" makes an order only with what it needs' in told) == bool(hint)
