from __future__ import annotations

import json
import signal as signals
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from click.testing import Result as Ran
from commandline import (
    RAGGED,
    ROUND_ROBIN,
    as_json,
    one_line,
    path_file,
    radproof,
    user,
)
from sarif_schema import required

from radproof.claims import Result
from radproof.files.paths import read, write
from radproof.laws import LAWS
from radproof.report.baseline import Baseline
from radproof.search.situations import SITUATIONS

pytestmark = pytest.mark.usefixtures("here")


def test_check_finds_saves_and_shows_a_counterexample() -> None:
    result = radproof("check", "--scheduler", "radproof.mutants:chunk_127", "--claim",
                      "optimal_tiling", "--examples", "20")  # fmt: skip
    assert result.exit_code == 1
    (file,) = Path(".radproof/counterexamples").glob("*.json")
    assert f"  replay       radproof replay {file}" in result.output
    assert file.with_suffix(".lean").is_file()
    assert "1-minimal" in result.output
    found = read(file)
    assert (found.sessions, found.scheduler) == (
        read(file).sessions,
        "radproof.mutants:chunk_127",
    )
    assert [(s.arrive, s.prompt, s.output) for s in found.sessions] == [(0, 128, 0)]


def test_check_json_has_the_fields_of_the_design() -> None:
    found = as_json("check", "--scheduler", "radproof.mutants:chunk_127", "--claim",
                    "optimal_tiling", "--out", "kept", "--examples", "20", code=1)  # fmt: skip
    claim = found["claims"]["optimal_tiling"]
    assert found["result"] == claim["result"] == "fails"
    assert (claim["kind"], claim["failures"], claim["first"]) == ("every iteration", 1, 0)
    assert claim["paths"] >= 1
    assert claim["checked"] >= 1
    assert set(found["sometimes"]) == set(SITUATIONS)
    assert found["minimal"] is True
    assert (found["interrupted"], found["not_saved"]) == (False, {})
    assert Path(found["counterexample"]).parent == Path("kept")
    assert read(found["counterexample"]).breaks is not None


def test_check_holds_with_exit_code_0_and_no_counterexample() -> None:
    found = as_json("check", "--claim", "token_rate", "--examples", "200")
    assert found["result"] == found["claims"]["token_rate"]["result"] == "holds"
    assert (found["counterexample"], found["minimal"], found["seed"]) == (None, False, 0)
    assert all(found["sometimes"].values())
    assert not Path(".radproof").exists()


def test_check_is_not_evaluated_where_a_situation_was_not_reached() -> None:
    result = radproof("check", "--claim", "token_rate", "--examples", "1")
    assert result.exit_code == 3
    assert "not evaluated" in result.output
    assert "token_rate: no path reached: " in result.output
    assert "full decode batch" in result.output


def test_check_says_the_same_twice() -> None:
    arguments = ("check", "--claim", "token_rate", "--examples", "60", "--seed", "5")
    assert radproof(*arguments).output == radproof(*arguments).output
    assert "seed 5, scheduler rad" in radproof(*arguments).output


def test_check_takes_the_user_s_own_scheduler_and_claims() -> None:
    name = user(ROUND_ROBIN)
    found = as_json("check", "--scheduler", f"{name}:one", "--claim", f"{name}:few",
                    "--examples", "5", code=1)  # fmt: skip
    assert found["claims"]["few"]["result"] == "fails"
    assert len(read(found["counterexample"]).sessions) == 3
    breaks = read(found["counterexample"]).breaks
    assert breaks is not None
    assert breaks.name == f"{name}:few"


def test_check_of_some_iteration_is_witnessed_or_not_evaluated() -> None:
    name = user(ROUND_ROBIN)
    found = as_json("check", "--claim", f"{name}:crowded", "--examples", "30")
    assert found["result"] == "witnessed"
    assert len(read(found["counterexample"]).sessions) == 2
    missing = as_json("check", "--claim", f"{name}:never", "--examples", "30", code=3)
    assert (missing["result"], missing["counterexample"]) == ("not evaluated", None)


def test_check_of_a_file_checks_the_claims_on_it() -> None:
    name = user(ROUND_ROBIN)
    file = path_file("[[0, 128, 1], [0, 128, 1], [0, 128, 1]]")
    found = as_json("check", file, "--claim", f"{name}:few", "--claim", "token_rate", code=1)
    assert list(found["claims"]) == ["few", "token_rate"]
    assert found["claims"]["few"]["first"] == 0
    assert as_json("check", file)["claims"]["optimal_tiling"]["result"] == "holds"


def test_a_claim_that_is_out_of_scope_alone_does_not_count_as_holding() -> None:
    assert radproof("check", path_file(RAGGED), "--claim", "optimal_tiling").exit_code == 3


def test_check_of_a_file_is_unknown_beyond_the_budget() -> None:
    name = user(ROUND_ROBIN)
    result = radproof("check", path_file("[[0, 0, 1000000000]]"), "--claim", f"{name}:slow")
    assert result.exit_code == 3
    assert "unknown" in result.output
    assert "slow: 1000000000 iterations, and this claim can only be evaluated one " in result.output


@pytest.mark.parametrize(
    ("scheduler", "message"),
    [("raises", "ValueError: no such tile"), ("nothing", "the scheduler never makes progress")],
)
def test_check_ends_with_2_where_the_scheduler_is_at_fault(scheduler: str, message: str) -> None:
    name = user(ROUND_ROBIN)
    found = as_json("check", "--scheduler", f"{name}:{scheduler}", "--examples", "20", code=2)
    assert found["result"] == "not evaluated"
    assert message in found["claims"]["token_rate"]["error"]
    assert list(found["claims"]) == ["token_rate"]
    assert len(read(found["counterexample"]).sessions) == 1
    result = radproof("check", "--scheduler", f"{name}:{scheduler}", "--examples", "20")
    assert message in result.output
    replayed = radproof("replay", found["counterexample"])
    assert (replayed.exit_code, message in replayed.output) == (2, True)
    assert "reproduced." in replayed.output


def test_found_files_come_back_in_the_next_run() -> None:
    arguments = ("check", "--scheduler", "radproof.mutants:chunk_127", "--claim", "optimal_tiling")
    first = as_json(*arguments, code=1)
    again = as_json(*arguments, code=1)
    assert again["counterexample"] == first["counterexample"]
    assert first["claims"]["optimal_tiling"]["paths"] > 1
    assert again["claims"]["optimal_tiling"]["paths"] == 1


GATE = ("check", "--examples", "4", "--scheduler", "radproof.mutants:tail_alone")


def test_laws_are_listed_in_the_table_and_decide_the_exit_code() -> None:
    files = ("--sarif", "s.json", "--summary", "sum.md")
    result = radproof(*GATE, "--laws", "engine", *files)
    assert result.exit_code == 0, result.output
    assert all(name in result.output for name, law in LAWS.items() if law.group == "engine")
    assert "optimal_tiling" not in result.output
    result = radproof(*GATE, "--claim", "prefill_filled", "--annotate", *files)
    assert result.exit_code == 1, result.output
    assert "::error " in result.output
    required(json.loads(Path("s.json").read_text("utf-8")))
    assert Path("sum.md").read_text("utf-8").count("## radproof: ") >= 2


def test_with_a_baseline_only_what_newly_fails_fails_the_check() -> None:
    arguments = (*GATE, "--claim", "prefill_filled", "--baseline", "base.json")
    assert radproof(*arguments).exit_code == 1
    known = radproof(*arguments)
    assert known.exit_code == 0
    assert "baseline: nothing has changed" in known.output
    before = Baseline.read("base.json")
    attrs.evolve(before, results={"prefill_filled": Result.HOLDS}).write("base.json")
    worse = radproof(*arguments)
    assert worse.exit_code == 1
    assert "baseline: newly failing: prefill_filled (holds, now fails)" in worse.output


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--scheduler", "radproof.mutants:lifo_decode"), "tail_alone, and not radproof.mu"),
        (("--seed", "3"), "of seed 0, and not 3. "),
        (("--claim", "clock"), "of claims prefill_filled, and not clock, prefill_filled. "),
        (("--laws", "engine"), "of claims prefill_filled, and not engine, prefill_filled. "),
    ],
)  # fmt: skip
def test_the_baseline_of_another_check_is_refused_before_the_search(
    changed: tuple[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (*GATE, "--claim", "prefill_filled", "--baseline", "base.json")
    assert radproof(*arguments).exit_code == 1
    monkeypatch.setattr("radproof.search.search.search", None)
    assert said in one_line(*arguments, *changed)


def test_two_claims_of_one_name_are_refused() -> None:
    """Of two results of one name, JSON and a baseline kept the last."""
    one, other = user(ROUND_ROBIN), user(ROUND_ROBIN)
    both = ("--claim", f"{one}:few", "--claim", f"{other}:few")
    for given in ((), (path_file(RAGGED),)):
        assert one_line("check", *given, *both) == (
            f"{one}:few and {other}:few are both named 'few'; rename one, or leave one out."
        )


def test_a_fault_stays_a_fault_with_a_baseline() -> None:
    arguments = ("check", "--scheduler", f"{user(ROUND_ROBIN)}:raises", "--laws", "engine",
                 "--examples", "2", "--baseline", "base.json")  # fmt: skip
    for _ in range(2):
        result = radproof(*arguments)
        assert result.exit_code == 2
        assert "baseline: not written, since the scheduler is at fault" in result.output


def test_a_committed_counterexample_runs_first() -> None:
    Path("corpus").mkdir()
    Path("corpus/known.json").write_text("[[0, 7, 0], [0, 9, 0]]", "utf-8")
    found = as_json(*GATE, "--claim", "prefill_filled", code=1)
    assert found["claims"]["prefill_filled"]["paths"] == 1


def test_an_unknown_group_of_laws_is_refused() -> None:
    result = radproof("check", "--laws", "engine,red")
    assert result.exit_code == 2
    assert "unknown laws 'red'. Did you mean 'rad'?" in result.output


def test_a_law_of_a_group_that_cannot_be_asked_is_named_and_leaves_the_exit_code() -> None:
    result = radproof("check", "--laws", "engine", "--examples", "30")
    assert result.exit_code == 0, result.output
    assert "own_count: not evaluated; the scheduler has no count of its own" in result.output
    assert "work_conserving   " in result.output
    found = as_json("check", "--laws", "engine", "--examples", "30")
    assert list(found["not_asked"]) == ["own_count"]
    assert "own_count" not in found["claims"]


def test_a_law_that_cannot_be_asked_is_not_evaluated_where_it_is_named() -> None:
    result = radproof("check", "--laws", "engine", "--claim", "own_count", "--examples", "1")
    assert result.exit_code == 3
    assert "own_count: the scheduler has no count of its own" in result.output
    found = as_json("check", "--claim", "own_count", "--examples", "1", code=3)
    assert found["claims"]["own_count"]["reason"].startswith("the scheduler has no count")
    assert found["not_asked"] == {}


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ("lambda d: 128", "returned 128; it must return radproof.Limits(budget, max_num_seqs"),
        ("lambda d: d.tile", "raised AttributeError"),
    ],
)
def test_limits_that_are_no_limits_are_refused(limits: str, message: str) -> None:
    name = user(f"{ROUND_ROBIN}\none.limits = {limits}\n")
    said = one_line("check", "--laws", "engine", "--scheduler", f"{name}:one")
    assert "the scheduler's limits(deployment)" in said
    assert message in said


FAILING = (*GATE, "--claim", "prefill_filled")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ((), ".radproof/counterexamples/prefill_filled-"),
        (("--out", "file"), "file/prefill_filled-"),
        (("--baseline", "file/b.json"), "file/b.json"),
        (("--sarif", "file/s.json"), "file/s.json"),
        (("--summary", "file/s.md"), "file/s.md"),
    ],
)
def test_a_finding_is_shown_whatever_cannot_be_written(
    options: tuple[str, ...], named: str, here: Path
) -> None:
    """The one line about the file was all that was left of the finding, with exit code 2."""
    Path("file").touch()
    if not options:
        Path(".radproof").touch()
    result = radproof(*FAILING, *options)
    assert result.exit_code == 1
    assert "prefill_filled   every iteration   fails at 0" in result.stdout
    assert "1-minimal" in result.stdout
    assert result.stderr.startswith(f"radproof: {here / named}")
    assert result.stderr.count("\n") == 1
    assert ("  not saved    " in result.stdout) == (not options or options[0] == "--out")
    found = json.loads(radproof(*FAILING, *options, "--json").stdout)
    assert found["claims"]["prefill_filled"]["result"] == "fails"
    assert bool(found["not_saved"]) == (found["counterexample"] is None)


def test_where_all_holds_a_file_that_cannot_be_written_is_all_that_is_wrong() -> None:
    Path("file").touch()
    result = radproof(*GATE, "--claim", "clock", "--sarif", "file/s.json")
    assert (result.exit_code, "clock   whole run   holds" in result.stdout) == (2, True)


def test_all_that_is_not_saved_is_one_line() -> None:
    Path("file").touch()
    name = user(ROUND_ROBIN)
    result = radproof("check", "--scheduler", f"{name}:one_token", "--claim", "prefill_filled",
                      "--claim", "optimal_tiling", "--claim", f"{name}:few", "--examples", "2",
                      "--out", "file")  # fmt: skip
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith(" 2 more counterexamples not saved.\n")
    assert result.stdout.count("  not saved    ") == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full here")
def test_a_full_standard_output_is_no_fault_of_radproof_s() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "radproof", *FAILING],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    said = b"radproof: standard output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (1, said)


STOPS = """
import os, signal
from collections.abc import Iterator
from pathlib import Path
from radproof import Claim
asked = 0

def stops(run, d):
    global asked
    asked += len(run.path) > 4
    if asked == 9:
        if list(Path(".radproof/counterexamples").glob("few-*.json")):
            Path("saved").touch()
        os.kill(os.getpid(), signal.NAME)
    return True

few = Claim("few", "every iteration", lambda i, d: i.residents < 4)
many = Claim("many", "every iteration", lambda i, d: i.residents < 999)
stops = Claim("stops", "at end", stops)
"""


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as in a terminal; a shell's background jobs, and the tests in one, ignore it."""
    before = signals.signal(signals.SIGINT, signals.default_int_handler)
    yield
    signals.signal(signals.SIGINT, before)


def interrupted(signal: str, *options: str, claims: str = "few many stops") -> Ran:
    name = user(STOPS.replace("NAME", signal))
    given = [word for one in claims.split() for word in ("--claim", f"{name}:{one}")]
    return radproof("check", *given, "--examples", "300", *options)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
def test_an_interrupted_check_shows_and_keeps_what_it_has_found(signal: str) -> None:
    """Ctrl-C lost what was found a minute before."""
    result = interrupted(signal, "--summary", "s.md", "--baseline", "b.json")
    assert result.exit_code == 130
    assert Path("saved").exists()  # when it was found, not when the search was interrupted
    assert "few     every iteration   fails at " in result.stdout
    assert "many    every iteration   not evaluated" in result.stdout
    assert "many: the search was interrupted" in result.stdout
    assert "\ninterrupted: what was still open is not evaluated" in result.stdout
    assert "1-minimal    no session" not in result.stdout
    (file,) = Path(".radproof/counterexamples").glob("*.json")
    assert f"  saved        {file}\n" in result.stdout
    assert radproof("replay", str(file)).exit_code == 1
    assert not Path("s.md").exists()
    assert not Path("b.json").exists()


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_check_says_so_in_json() -> None:
    result = interrupted("SIGINT", "--json")
    assert result.exit_code == 130
    found = json.loads(result.stdout)
    assert (found["interrupted"], found["result"], found["minimal"]) == (True, "fails", False)
    assert found["claims"]["few"]["result"] == "fails"
    assert found["claims"]["many"]["result"] == "not evaluated"
    assert Path(found["counterexample"]).exists()
    early = json.loads(interrupted("SIGINT", "--json", claims="many stops").stdout)
    assert (early["interrupted"], early["result"]) == (True, "not evaluated")


def test_the_minimal_path_takes_the_place_of_the_one_that_was_found() -> None:
    name = user(STOPS)
    arguments = ("check", "--claim", f"{name}:few", "--examples", "300")
    assert as_json(*arguments, code=1)["minimal"] is True
    (file,) = Path(".radproof/counterexamples").glob("*.json")
    found = read(file)
    assert len(found.sessions) == 4
    # one that was there before is somebody's
    file.unlink()
    large = attrs.evolve(found, sessions=found.sessions * 2)
    write(kept := file.with_name("large.json"), large)
    assert as_json(*arguments, code=1)["counterexample"] == str(file)
    assert kept.exists()
