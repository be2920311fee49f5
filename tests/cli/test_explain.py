from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from commandline import (
    RAGGED,
    ROUND_ROBIN,
    as_json,
    one_line,
    path_file,
    radproof,
    refused,
    user,
)

from radproof.files.paths import read

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def saved() -> str:
    result = radproof("check", "--scheduler", "radproof.mutants:chunk_127", "--examples", "5")
    assert result.exit_code == 1
    [file] = Path(".radproof/counterexamples").glob("*.json")
    return str(file)


def test_without_an_option_it_is_a_timeline_and_the_exit_code_is_0(saved: str) -> None:
    result = radproof("explain", saved)
    assert result.exit_code == 0
    assert "optimal_tiling: fails at 0" in result.output
    assert "▼ 0" in result.output
    assert "token_rate" not in result.output  # the file is about optimal_tiling


def test_it_writes_what_is_asked_for_and_says_where(saved: str) -> None:
    result = radproof(
        "explain", saved, "--html", "out/it.html", "--perfetto", "it.trace.json", "--png", "it.png"
    )
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "html      out/it.html",
        "perfetto  it.trace.json",
        "png       it.png",
    ]
    page = Path("out/it.html").read_text("utf-8")
    assert "<title>optimal_tiling fails at 0, in iteration 0 (counted from 0)</title>" in page
    assert "radproof lean export" in page  # the Lean term is there
    assert "theorem" in page
    assert json.loads(Path("it.trace.json").read_text())["traceEvents"]
    assert Path("it.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_bytes_twice(saved: str) -> None:
    for name in ("a", "b"):
        radproof("explain", saved, "--html", f"{name}.html", "--perfetto", f"{name}.json")
    for kind in ("html", "json"):
        assert Path(f"a.{kind}").read_bytes() == Path(f"b.{kind}").read_bytes()


def test_json_says_what_was_written_and_what_is_marked(saved: str) -> None:
    found = as_json("explain", saved, "--html", "it.html")
    assert found["files"] == {"html": "it.html"}
    assert found["mark"] == {
        "iteration": 0,
        "start": 0,
        "end": 4635,
        "label": "optimal_tiling fails at 0",
    }
    assert (found["sessions"], found["iterations"]) == (1, 2)
    assert as_json("explain", path_file("[[0, 128, 1]]"))["mark"] is None


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--scheduler", "radproof.mutants:chunk_127"), 1),
        (("--tile", "pad", "--speed", "1/2", "--window", "0s-1s", "--limit", "2"), 0),
    ],
)
def test_the_page_s_command_runs_what_the_page_shows(options: tuple[str, ...], code: int) -> None:
    path = path_file("[[0, 128, 1], [0, 256, 1], [2000000, 128, 1]]", "a path.json")
    assert radproof("explain", path, "--html", "it.html", *options).exit_code == 0
    page = Path("it.html").read_text("utf-8")
    [command] = re.findall(r'<code id="command">(.*?)</code>', page)
    words = shlex.split(command.replace("&#x27;", "'"))
    assert words[0] == "radproof"
    result = radproof(*words[1:])
    assert result.exit_code == code
    cut = "--limit" in options
    assert f"on {2 if cut else 3} sessions," in page
    shaped = ["--tile", "pad", "--speed", "1/2", "--window", "0us-1000000us", "--limit", "2"]
    assert words[3:] == (shaped if cut else list(options))


def test_a_counterexample_s_command_replays_it(saved: str) -> None:
    radproof("explain", saved, "--html", "it.html")
    page = Path("it.html").read_text("utf-8")
    assert f'<code id="command">radproof replay {saved}</code>' in page


def test_another_claim_than_the_file_s_is_checked_again_and_has_its_own_lean(saved: str) -> None:
    other = ("--claim", "token_rate", "--tile", "pad")
    assert radproof("explain", saved, "--html", "it.html", *other).exit_code == 0
    page = Path("it.html").read_text("utf-8")
    [command] = re.findall(r'<code id="command">(.*?)</code>', page)
    assert command == f"radproof check {saved} --claim token_rate --tile pad"
    assert radproof(*shlex.split(command)[1:]).exit_code == 0
    assert "theorem" in page
    assert "still_fails" not in page
    assert radproof("explain", saved, "--html", "it.html", "--limit", "1").exit_code == 0
    page = Path("it.html").read_text("utf-8")
    [command] = re.findall(r'<code id="command">(.*?)</code>', page)
    assert command == f"radproof check {saved} --claim optimal_tiling --limit 1"
    assert radproof(*shlex.split(command)[1:]).exit_code == 1


def test_a_minimal_counterexample_s_page_says_so(saved: str) -> None:
    radproof("explain", saved, "--html", "it.html")
    assert "1-minimal" in Path("it.html").read_text("utf-8")
    radproof("explain", saved, "--html", "it.html", "--scheduler", "rad")
    assert "1-minimal" not in Path("it.html").read_text("utf-8")


def test_a_second_picture_that_cannot_be_drawn_leaves_no_first() -> None:
    far = path_file(f"[[{10**20}, 128, 3]]")
    said = one_line("explain", far, "--html", "it.html", "--perfetto", "it.json")
    assert "Perfetto's clock" in said
    assert not Path("it.html").exists()


def test_json_says_what_the_claims_came_to() -> None:
    found = as_json("explain", path_file(RAGGED))
    assert found["claims"]["optimal_tiling"]["result"] == "out of scope"
    assert found["claims"]["token_rate"]["result"] == "holds"


def test_a_claim_can_be_named() -> None:
    name = user(ROUND_ROBIN)
    path = path_file("[[0, 128, 1], [0, 128, 1], [0, 128, 1]]")
    result = radproof("explain", path, "--claim", f"{name}:few")
    assert "few: fails at 0" in result.output
    assert "unknown claim 'fw'" in one_line("explain", path, "--claim", "fw")


def test_the_claim_s_hypothesis_is_the_file_s() -> None:
    """A counterexample found without the hypothesis is explained without it."""
    text = read(path_file(RAGGED))
    dropped = {
        "schema": "radproof.path/1",
        "sessions": [[s.arrive, s.prompt, s.output] for s in text.sessions],
        "breaks": {"kind": "claim", "name": "optimal_tiling", "given": False},
    }
    assert "optimal_tiling: fails at" in radproof("explain", path_file(json.dumps(dropped))).output
    kept = path_file(json.dumps({k: v for k, v in dropped.items() if k != "breaks"}))
    assert "optimal_tiling: out of scope" in radproof("explain", kept).output


def test_a_scheduler_at_fault_is_drawn_as_far_as_it_came() -> None:
    name = user(ROUND_ROBIN)
    result = radproof(
        "explain", path_file("[[7, 1, 1]]"), "--scheduler", f"{name}:raises", "--html", "it.html"
    )
    assert result.exit_code == 0, result.output
    page = Path("it.html").read_text("utf-8")
    assert "<h1>The scheduler is at fault" in page
    assert "no such tile" in page
    found = as_json("explain", "path.json", "--scheduler", f"{name}:raises")
    assert found["mark"]["start"] == 7
    assert "no such tile" in found["error"]


def test_plain_code_has_no_lean_term_and_the_page_says_why() -> None:
    name = user(ROUND_ROBIN)
    radproof("explain", path_file("[[0, 1, 1]]"), "--scheduler", f"{name}:one", "--html", "it.html")
    assert "No Lean term: scheduler" in Path("it.html").read_text("utf-8")


def test_a_counterexample_to_induction_is_refused() -> None:
    result = radproof("prove", "--scheduler", "radproof.mutants:chunk_127", "--out", "kept")
    files = sorted(Path("kept").glob("*.state.json"))
    assert files, result.output
    said = one_line("explain", str(files[0]))
    assert "a counterexample to induction: a state, not a path" in said
    assert f"radproof replay {files[0]}" in said


def test_nothing_is_half_written_where_a_file_cannot_be() -> None:
    Path("file").write_text("")
    said = one_line("explain", path_file(RAGGED), "--html", "file/it.html")
    assert "cannot be written" in said
    assert sorted(p.name for p in Path().iterdir()) == ["file", "path.json"]


def test_a_missing_file_is_named() -> None:
    assert refused("explain", "nothing.json").startswith("radproof: nothing.json: there is no such")


@pytest.mark.parametrize(
    "outputs",
    [("--html", "path.json"), ("--png", "./path.json"), ("--html", "it", "--perfetto", "./it")],
)
def test_no_file_is_written_over_another(outputs: tuple[str, ...]) -> None:
    path = path_file(RAGGED)
    said = refused("explain", path, *outputs)
    assert "FILE, --html, --perfetto and --png must name different files." in said
    assert Path(path).read_text() == RAGGED
