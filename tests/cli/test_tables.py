"""Tables of the command line: 80 columns, and what is cut is what is longest."""

import pytest

from adjudicator.cli.told import WIDTH, table

LONG = "a-very-long-name-indeed@mail.a-long-domain-name.example.org"


def test_what_fits_is_left_as_it_is():
    assert table([["id", "whom"], ["out-1", "ann@example.org"]]) == "id     whom\nout-1  ann@example.org"
    assert table([]) == ""


@pytest.mark.parametrize("width", [1, 30, 79, 80, 81, 200])
@pytest.mark.parametrize("columns", [1, 2, 6])
def test_no_line_is_longer_than_80_columns(width, columns):
    rows = [
        ["g1"] * columns,
        *(["x" * width if at == number else "y" for at in range(columns)] for number in range(columns)),
    ]
    lines = table(rows).splitlines()
    assert len(lines) == columns + 1
    assert max(map(len, lines)) == min(WIDTH, columns * max(2, width) + 2 * (columns - 1))


def test_the_longest_column_is_cut_and_short_ones_never_are():
    head, row = table(
        [["game", "waits for", "british", "french"], ["g1", "british", LONG, "house:heuristic"]]
    ).splitlines()
    assert row.startswith("g1    british    a-very-long-name-indeed@mail")
    assert row.endswith("…  house:heuristic")
    assert len(row) == WIDTH
    assert head.index("french") == row.index("house")


def test_two_long_addresses_share_what_is_left():
    row = table([["g1", LONG, LONG]])
    first, second = row.split()[1:]
    assert abs(len(first) - len(second)) <= 1
    assert len(row) == WIDTH


def test_signs_that_are_no_print_become_blanks():
    assert table([["a\x1b[2Jb\nc"]]) == "a [2Jb c"
