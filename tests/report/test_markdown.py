from __future__ import annotations

from radproof.model import as_path
from radproof.report.markdown import code, rows, shown


def test_a_table_has_its_numbers_on_the_right() -> None:
    assert rows(("a", "n"), [("x", "1")], numbers=1) == [
        "| a | n |",
        "| --- | --: |",
        "| x | 1 |",
    ]


def test_a_cell_cannot_end_its_column_or_its_row() -> None:
    assert rows(("a",), [("|D|\nand more",)])[-1] == "| \\|D\\| and more |"


def test_a_path_is_one_line_of_equal_neighbours() -> None:
    path = as_path([(0, 1, 0), (0, 1, 0), (5, 2, 1), (6, 1, 0)])
    assert code(shown(path)) == "`2 x (0, 1, 0), (5, 2, 1), (6, 1, 0)`"
    assert shown(path, most=2) == "2 x (0, 1, 0), (5, 2, 1), ... and 1 more"
    assert shown(()) == ""
