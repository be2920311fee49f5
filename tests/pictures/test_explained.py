from __future__ import annotations

from pathlib import Path

import pytest
from commandline import radproof

from radproof import BadInput, Claim, Session, optimal_tiling
from radproof.files.paths import Breaks, PathFile, write
from radproof.pictures import explained, page_of, write_beside

pytestmark = pytest.mark.usefixtures("here")

PATH = (Session(0, 129, 0),)


def test_a_plain_path_is_explained_by_the_two_claims() -> None:
    story = explained(PathFile(PATH))
    assert [v.claim.name for v in story.verdicts] == ["token_rate", "optimal_tiling"]
    assert story.scheduler.name == "rad"


@pytest.mark.parametrize(("given", "result"), [(True, "out of scope"), (False, "fails")])
def test_a_counterexample_is_explained_by_what_it_breaks(given: bool, result: str) -> None:
    broken = PathFile(PATH, breaks=Breaks(kind="claim", name="optimal_tiling", given=given))
    [verdict] = explained(broken).verdicts
    assert verdict.claim is optimal_tiling
    assert verdict.result.value == result


def test_a_claim_of_the_reader_s_goes_first() -> None:
    mine = Claim("mine", "every iteration", lambda i, d: i.start < 1)
    broken = PathFile(PATH, breaks=Breaks(kind="claim", name="optimal_tiling"))
    assert [v.claim for v in explained(broken, mine).verdicts] == [mine]


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown scheduler 'rda'"):
        explained(PathFile(PATH, scheduler="rda"))
    with pytest.raises(BadInput, match="unknown claim 'tiling'"):
        explained(PathFile(PATH, breaks=Breaks(kind="claim", name="tiling")))


def test_the_horizon_of_the_file_is_kept() -> None:
    assert explained(PathFile(PATH, horizon=100)).run.iterations == 1


def test_the_page_has_the_lean_term_of_what_is_shown() -> None:
    given = PathFile((Session(0, 128, 1),))
    page = page_of(explained(given), given, "it.json", "radproof check it.json", ("a note",))
    assert "lines of Lean" in page
    assert "radproof lean export it.json" in page
    assert '<p class="note">a note.</p>' in page


def test_every_failure_of_a_check_has_its_page_beside_it() -> None:
    result = radproof(
        "check", "--scheduler", "radproof.mutants:chunk_127", "--examples", "20",
        "--claim", "optimal_tiling", "--claim", "chunk_starts",
    )  # fmt: skip
    assert result.exit_code == 1
    files = sorted(Path(".radproof/counterexamples").glob("*.json"))
    assert len(files) == 2
    for file in files:
        page = file.with_suffix(".html")
        assert f"picture      {page}" in result.output
        text = page.read_text("utf-8")
        assert f'<code id="command">radproof replay {file}</code>' in text
        assert 'class="marked"' in text


def test_a_fault_has_its_page_too() -> None:
    Path("user_idle.py").write_text("def idle(view):\n    return (), None\n")
    result = radproof("check", "--scheduler", "user_idle:idle", "--examples", "20")
    assert result.exit_code == 2
    [page] = Path(".radproof/counterexamples").glob("*.html")
    assert "The scheduler is at fault" in page.read_text("utf-8")


def test_what_cannot_be_drawn_is_a_line_and_no_error() -> None:
    write("gone.json", PathFile(PATH, scheduler="nowhere:it"))
    assert write_beside("gone.json").startswith("no picture: scheduler 'nowhere:it': ")
    assert not Path("gone.html").exists()
