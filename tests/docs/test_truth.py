"""The page of changed rules, from results that are given."""

from __future__ import annotations

from docs.generate.truth import text
from radproof.model import Deployment
from tests.oracles.small_paths import Break, Truth
from tests.quality.changed import ENTRIES
from tests.quality.truth import STATEMENTS, Judged, Said

BREAK = Break(((0, 2, 0), (0, 2, 0)), Deployment(b_col=2, b_row=4, t_lin=0, t_nl=1))


def judged(name: str, said: Said, *broken: str, cut: int = 0) -> Judged:
    return Judged(ENTRIES[name], said, Truth(dict.fromkeys(broken, BREAK), cut, 1))


def words(**changed: str) -> dict[str, str]:
    return dict.fromkeys(STATEMENTS, "follows") | changed


def test_the_page_counts_false_words_and_refutations_that_no_path_breaks() -> None:
    page = text(
        [
            judged(
                "chunk_64",
                Said(words(optimal_tiling="does not follow"), ("rad_batch",)),
                "optimal_tiling",
            ),
            judged("loop: overfull", Said(words()), "optimal_tiling", cut=3),
            judged("mode: one hundred", Said(words(leap="open"), ("rad_batch",))),
            judged("refused: in", Said({}, refusal="it tests membership")),
        ]
    )
    assert (
        "- changed rules, orders and loops: 4, 3 of them written for this table; 1 change" in page
    )
    assert "would read them differently: 1" in page
    assert "- with a theorem that a path breaks: 2" in page
    assert "said to follow that a path breaks: **1**" in page
    assert "and that no path breaks: 1, 1 theorems" in page
    assert "given up after 80 iterations: 1" in page
    assert "| optimal_tiling | 2 | 1 | 0 |" in page
    assert (
        "| follows | follows | no **X** | follows | follows | follows | follows | `rad_batch` | "
        "optimal_tiling: `2 x (0, 2, 0)` at 2 x 2, t_lin 0, t_nl 1 |" in page
    )
    assert "**follows: false**" in page
    assert "| follows | follows | follows | (open) | `rad_batch` |  |" in page
    assert "| refused | refused | refused | refused |  |  |" in page
