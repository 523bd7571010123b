"""Standing orders: read, written, replaced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.errors import OrderSyntax, UnknownName
from adjudicator.orders import NOTHING_SAID, amend, read, read_standing, write_standing
from adjudicator.orders.standing import (
    LOCATION,
    BlockReply,
    GiveReply,
    ListReply,
    SettleReply,
    Standing,
)

NATIVES = ("native-americans", "neutral-native-americans")
INFANTRY = ("regular-infantry-start", "regular-infantry")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("on raid: block", Standing(raid=(BlockReply("always"),))),
        (
            "On raid: block with natives, location",
            Standing(raid=(BlockReply("always", (NATIVES, LOCATION)),)),
        ),
        (
            "on raid at Quebec, Gaspé: no block",
            Standing(raid=(BlockReply("never", None, "quebec"), BlockReply("never", None, "gaspe"))),
        ),
        ("on raid: ask me", Standing(raid=(BlockReply("ask"),))),
        (
            "on raid at Gaspe: block with Militia",
            Standing(raid=(BlockReply("always", (("militia",),), "gaspe"),)),
        ),
        ("on ambush: block always", Standing(ambush_block=BlockReply("always"))),
        ("on ambush: block with natives", Standing(ambush_block=BlockReply("vulnerable", (NATIVES,)))),
        ("on ambush: block never", Standing(ambush_block=BlockReply("never"))),
        ("on ambush: no block", Standing(ambush_block=BlockReply("never"))),
        (
            "on ambush: give infantry, artillery from hand first",
            Standing(ambush_give=GiveReply((INFANTRY, ("siege-artillery",)), "hand")),
        ),
        (
            "on ambush: give siege artillery, infantry, reserve first",
            Standing(ambush_give=GiveReply((("siege-artillery",), INFANTRY), "reserve")),
        ),
        ("on ambush: give hand first", Standing(ambush_give=GiveReply((), "hand"))),
        ("on ambush: give from siege first", Standing(ambush_give=GiveReply((), "siege"))),
        ("on ambush: ask me", Standing(ambush_block=BlockReply("ask"), ambush_give=GiveReply(ask=True))),
        ("on priest: give from hand", Standing(priest=GiveReply((), "hand"))),
        ("on indian leader: ask me", Standing(priest=GiveReply(ask=True))),
        (
            "on siege lost: lose bought infantry, militia",
            Standing(siege_lost=ListReply((("regular-infantry",), ("militia",)))),
        ),
        ("on siege won: settle", Standing(siege_won=SettleReply(settle=True))),
        (
            "on siege won: settle with Quebec",
            Standing(siege_won=SettleReply(settle=True, cards=(("quebec",),))),
        ),
        ("on surrender: no settle", Standing(surrender=SettleReply(settle=False))),
        ("on surrender: ask me", Standing(surrender=SettleReply(settle=False, ask=True))),
        ("on reshuffle: discard Trader, Gaspé", Standing(reshuffle=ListReply((("trader",), ("gaspe",))))),
        (
            "- on raid block with the Militia card; on priest: from reserve",
            Standing(raid=(BlockReply("always", (("militia",),)),), priest=GiveReply((), "reserve")),
        ),
    ],
)
def test_clauses(text, said):
    standing = read_standing(text, "french")
    assert standing == said
    assert read_standing(write_standing(standing, "french"), "french") == standing


@pytest.mark.parametrize(
    "text",
    [
        "on raid: fight",
        "on raid: block with",
        "on ambush: give",
        "on priest: give from siegecraft",
        "on siege lost: militia",
        "on siege won: perhaps",
        "on reshuffle: discard",
        "on raid at Boston",
        "draft Militia",
        "hello",
        "on ambush at Boston: block",
        "on raid: ask me now",
        "on raid at: block",
    ],
)
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(OrderSyntax) as caught:
        read_standing(f"\n{text}", "british")
    assert (caught.value.line, caught.value.text) == (2, text)


def test_misspelt_names_are_refused():
    with pytest.raises(UnknownName) as caught:
        read_standing("on raid: block with nativs", "british")
    assert caught.value.choices == ("Native Americans",)
    assert caught.value.span == (20, 26)


def test_a_later_clause_replaces_an_earlier_one_about_the_same():
    clauses = ("on raid: block", "on raid at Boston: no block", "on raid at boston: ask me", "on raid: never")
    text = "\n".join((*clauses, "on priest: ask me"))
    standing = read_standing(text, "british")
    assert standing.raid == (BlockReply("ask", None, "boston"), BlockReply("never"))
    assert standing.priest == GiveReply(ask=True)


def test_a_mail_sets_standing_orders_beside_its_orders():
    reading = read("draft Militia; on raid: no block\nOn raid I was unlucky\non ambush: block alwys", "british")
    assert [order.word for order in reading.orders] == ["draft"]
    assert [clause.text for clause in reading.standing] == ["on raid: no block"]
    assert [fault.text for fault in reading.refused] == ["on ambush: block alwys"]
    assert reading.ignored == ((2, "On raid I was unlucky"),)
    assert amend(NOTHING_SAID, reading.standing).raid == (BlockReply("never"),)


def test_ask_me_about_an_ambush_and_a_list_for_giving():
    standing = read_standing("on ambush: ask me; on ambush: give infantry", "british")
    assert standing.ambush_block == BlockReply("ask")
    assert standing.ambush_give == GiveReply((("regular-infantry",),))
    assert read_standing(write_standing(standing, "british"), "british") == standing


DEFAULTS = (
    "on raid: block; on raid at Boston, Albany: ask me; on ambush: block always; on ambush: give infantry; "
    "on priest: ask me; on siege lost: lose infantry; on siege won: no settle; on surrender: no settle; "
    "on reshuffle: discard Trader"
)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("on raid: default", {"on raid: block"}),
        ("on raid at Boston: default", {"on raid at Boston: ask me"}),
        ("on raid at Boston, Albany: default", {"on raid at Boston: ask me", "on raid at Albany: ask me"}),
        ("on raid at Quebec: default", set()),
        ("On ambush default.", {"on ambush: block always", "on ambush: give Regular Infantry"}),
        ("on indian leader: default", {"on priest: ask me"}),
        ("on priest: default", {"on priest: ask me"}),
        ("on siege lost: default", {"on siege lost: lose Regular Infantry"}),
        ("on siege won: default", {"on siege won: no settle"}),
        ("on surrender: default", {"on surrender: no settle"}),
        ("on reshuffle: default", {"on reshuffle: discard Trader"}),
    ],
)
def test_default_takes_back_what_was_said_about_the_occasion(text, gone):
    before = read_standing(DEFAULTS, "british")
    reading = read(text, "british")
    assert not reading.refused
    assert [(clause.line, clause.text) for clause in reading.standing] == [(1, text)]
    after = amend(before, reading.standing)
    lines = [set(write_standing(standing, "british").splitlines()) for standing in (before, after)]
    assert lines[0] - lines[1] == gone
    assert lines[1] < lines[0] or not gone
    assert amend(after, reading.standing) == after


def test_what_is_said_after_default_counts():
    standing = read_standing("on raid: block; on raid: default; on raid: no block", "british")
    assert standing == Standing(raid=(BlockReply("never"),))
    assert read_standing("on ambush: ask me; on ambush: default", "british") == NOTHING_SAID


@pytest.mark.parametrize(
    "text", ["on raid: default block", "on priest at Boston: default", "on raid: defaults of mine"]
)
def test_default_stands_alone(text):
    with pytest.raises(OrderSyntax):
        read_standing(text, "british")


ranked = st.sampled_from(
    [("militia",), NATIVES, INFANTRY, ("regular-infantry",), ("neutral-native-americans",), ("gaspe",)]
)
ranks = st.lists(ranked, min_size=1, max_size=3, unique=True).map(tuple)
blocks = st.builds(BlockReply, st.sampled_from(["always", "vulnerable"]), st.none() | ranks) | st.sampled_from(
    [BlockReply("never"), BlockReply("ask")]
)
raids = st.builds(BlockReply, st.just("always"), st.none() | ranks, st.sampled_from([None, "gaspe", "quebec"]))
gives = st.builds(GiveReply, ranks, st.sampled_from([None, "hand", "reserve", "siege"])) | st.just(GiveReply(ask=True))
settles = st.builds(SettleReply, st.just(True), st.just(()) | ranks) | st.sampled_from(
    [SettleReply(settle=False), SettleReply(settle=False, ask=True)]
)
lists = st.builds(ListReply, ranks) | st.just(ListReply(ask=True))
standings = st.builds(
    Standing,
    raid=st.lists(raids, max_size=3, unique_by=lambda reply: reply.at).map(tuple),
    ambush_block=st.none() | blocks,
    ambush_give=st.none() | gives,
    priest=st.none() | st.sampled_from([GiveReply((), "hand"), GiveReply(ask=True)]),
    siege_lost=st.none() | lists,
    siege_won=st.none() | settles,
    surrender=st.none() | settles,
    reshuffle=st.none() | lists,
).filter(lambda standing: not (standing.ambush_give and standing.ambush_give.ask))


@given(standings)
def test_what_is_written_reads_the_same(standing):
    if standing.ambush_block and standing.ambush_block.ask and standing.ambush_give is None:
        return  # `ask me` about an ambush asks about giving too
    assert read_standing(write_standing(standing, "french"), "french") == standing
