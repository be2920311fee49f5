from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from radproof import __version__, check, leap, token_rate
from radproof.cli import main
from radproof.pathfile import read
from radproof.situations import SITUATIONS
from radproof.workload import poisson

SECONDS = 1_000_000
HOUR = Path(__file__).resolve().parents[2] / "shared/data/traces/azure_2023_conv.csv"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("user_"):
            del sys.modules[name]


def radproof(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def as_json(*arguments: str, code: int = 0) -> dict[str, Any]:
    result = radproof(*arguments, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(*arguments: str, code: int = 2) -> str:
    """The message: on standard error, with the exit code, and never a traceback."""
    result = radproof(*arguments)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def one_line(*arguments: str, code: int = 2) -> str:
    said = refused(*arguments, code=code)
    assert said.startswith("radproof: ")
    assert said.endswith("\n")
    assert said.count("\n") == 1
    return said.removeprefix("radproof: ").rstrip("\n")


def path_file(text: str, name: str = "path.json") -> str:
    Path(name).write_text(text)
    return name


def user(text: str) -> str:
    """A module of the user's own in the folder, by its name."""
    name = f"user_{uuid.uuid4().hex[:8]}"
    Path(f"{name}.py").write_text(text)
    return name


RAGGED = "[[0, 128, 1], [0, 129, 1]]"
ROUND_ROBIN = """
from radproof import DECODE, Claim, Entry

def one(view):
    job = view.jobs[0]
    tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, 128)
    return (Entry(job.session, job.phase, tokens),), None

def one_token(view):
    job = view.jobs[0]
    return (Entry(job.session, job.phase, 1),), None

def nothing(view):
    return (), None

def raises(view):
    raise ValueError("no such tile")

crowded = Claim("crowded", "some iteration", lambda i, d: i.residents >= 2)
never = Claim("never", "some iteration", lambda i, d: i.start < 0)
few = Claim("few", "every iteration", lambda i, d: i.residents < 3)
done = Claim("done", "at end", lambda run, d: run.ended == len(run.path))
slow = Claim("slow", "every iteration", lambda i, d: i.start ** 2 >= 0)
number = 7
"""


# run


def test_run_draws_the_page_s_workload_and_prints_its_table_and_figures() -> None:
    result = radproof("run", "--rate", "20", "--horizon", "100s", "--seed", "1")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    expected = leap(poisson(20, 100 * SECONDS, 1), horizon=100 * SECONDS)
    assert lines[0].split() == ["claim", "kind", "result", "iterations", "paths"]
    row = ["every", "iteration", "holds", f"{expected.iterations:,}", "1"]
    assert lines[2].split() == ["token_rate", *row]
    assert lines[3].split() == ["optimal_tiling", *row]
    assert lines[4].startswith("note: the path has 1,934 sessions; the two claims are stated for ")
    assert f"iterations  {expected.iterations:,}" in lines
    assert "arrivals    1,934" in lines
    assert f"ended       {expected.ended:,}" in lines
    assert lines[-1].startswith("response    mean 1.295 s, p99 3.896 s")


def test_the_counts_of_a_drawn_run_stay_what_they_are() -> None:
    """A change here is a change of the draw or of the machine: neither may happen unsaid."""
    found = as_json("run", "--rate", "20", "--horizon", "100s", "--seed", "1")
    assert (found["iterations"], found["arrivals"], found["ended"]) == (23189, 1934, 1903)
    assert found["response"]["p99"] == 3895908


def test_run_json_has_the_fields_of_the_design() -> None:
    file = path_file("[[0, 128, 1], [4640, 128, 1], [100000, 1, 1]]")
    found = as_json("run", file, "--horizon", "13290us")
    assert found["claims"]["token_rate"] == {
        "kind": "every iteration",
        "result": "holds",
        "checked": 3,
        "failures": 0,
        "first": None,
    }
    assert found["claims"]["optimal_tiling"]["result"] == "out of scope"
    assert found["completions"] == [13290, 13290, None]
    assert (found["iterations"], found["arrivals"], found["ended"]) == (3, 2, 2)
    assert found["engine"] == "leap"
    assert found["response"] == {"mean": (13290 + 13290 - 4640) / 2, "p99": 13290}


@pytest.mark.parametrize("engine", ["leap", "step"])
def test_both_engines_say_the_same(engine: str) -> None:
    found = as_json("run", path_file(RAGGED), "--engine", engine)
    assert found.pop("engine") == engine
    other = as_json("run", path_file(RAGGED))
    other.pop("engine")
    assert found == other


def test_run_reads_what_a_file_says_and_options_go_first() -> None:
    name = user(ROUND_ROBIN)
    file = path_file(
        json.dumps(
            {
                "schema": "radproof.path/1",
                "sessions": [[0, 4, 1]],
                "deployment": {"b_col": 2, "t_lin": 10, "t_nl": 1},
                "scheduler": f"{name}:one_token",
                "horizon": 22,
            }
        )
    )
    assert as_json("run", file, code=1)["iterations"] == 3  # 11 us each
    assert as_json("run", file, "--scheduler", "rad")["iterations"] == 2  # 12 us each
    assert as_json("run", file, "--scheduler", "rad", "--horizon", "1s")["iterations"] == 3


def test_run_exits_1_where_a_claim_fails() -> None:
    result = radproof(
        "run", path_file("[[0, 128, 1]]"), "--scheduler", "radproof.mutants:chunk_127"
    )
    assert result.exit_code == 1
    assert "fails at 0" in result.output


def test_run_exits_3_where_nothing_was_evaluated() -> None:
    result = radproof("run", path_file("[[0, 0, 0]]"))
    assert result.exit_code == 3
    assert "token_rate: no iteration" in result.output
    assert result.output.count("not evaluated") == 2


def test_run_says_what_is_out_of_scope_and_what_padding_cost() -> None:
    kept = radproof("run", path_file(RAGGED))
    assert kept.exit_code == 0
    assert "optimal_tiling: session 1, (0, 129, 1), is outside the claim's given" in kept.output
    padded = radproof("run", path_file(RAGGED), "--tile", "pad")
    assert padded.exit_code == 0
    assert (
        "note: 1 prompts rounded up to the tile: 127 tokens more than 257, 49.42 %" in padded.output
    )
    assert "out of scope" not in padded.output


def test_run_says_that_a_chunk_larger_than_the_budget_is_bounded_by_it() -> None:
    file = path_file(
        '{"schema": "radproof.path/1", "sessions": [[0, 1, 1]], "deployment": {"chunk": 300}}'
    )
    assert (
        "note: chunk is 300, more than a prefill batch: the budget of 128 tokens bounds it"
        in radproof("run", file).output
    )


@pytest.mark.skipif(not HOUR.exists(), reason="no ../shared/data/traces here")
def test_run_reads_the_azure_hour() -> None:
    found = as_json("run", str(HOUR), "--tile", "pad")
    assert (found["arrivals"], found["ended"]) == (19_366, 19_366)
    assert {c["result"] for c in found["claims"].values()} == {"holds"}


@pytest.mark.parametrize("digits", [20, 400, 4299])
def test_run_shows_lengths_of_any_size(digits: int) -> None:
    file = path_file(f"[[0, 0, {10**digits}]]")
    text = radproof("run", file, "--json").output
    bound = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # for the reader; the command printed under its own bound
    try:
        found = json.loads(text)
    finally:
        sys.set_int_max_str_digits(bound)
    assert found["iterations"] == 10**digits
    assert found["claims"]["token_rate"]["checked"] == 10**digits
    assert found["completions"] == [4005 * 10**digits]
    result = radproof("run", file)
    assert result.exit_code == 0, result.exception
    assert f"iterations  {10**digits:,}" in result.output


# check


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


# replay


@pytest.fixture
def saved() -> str:
    arguments = ("check", "--scheduler", "radproof.mutants:chunk_127", "--claim", "optimal_tiling")
    return str(as_json(*arguments, code=1)["counterexample"])


def test_replay_reproduces_a_saved_counterexample(saved: str) -> None:
    result = radproof("replay", saved)
    assert result.exit_code == 1
    assert result.output.startswith(
        "optimal_tiling under radproof.mutants:chunk_127: fails at 0, in iteration 0 (counted from"
    )
    assert result.output.endswith("\nreproduced.\n")
    found = as_json("replay", saved, code=1)
    assert (found["reproduced"], found["claim"], found["result"]) == (
        *(True, "optimal_tiling", "fails"),
    )
    assert (found["first"], found["error"]) == (0, None)


def test_replay_of_a_mended_scheduler_exits_0(saved: str) -> None:
    result = radproof("replay", saved, "--scheduler", "rad")
    assert result.exit_code == 0
    assert result.output.endswith("\nnot reproduced: this path no longer breaks it.\n")
    assert as_json("replay", saved, "--scheduler", "rad")["reproduced"] is False


def test_replay_that_ends_in_another_mistake_is_not_called_reproduced(saved: str) -> None:
    name = user(ROUND_ROBIN)
    result = radproof("replay", saved, "--scheduler", f"{name}:raises")
    assert result.exit_code == 2
    assert "no such tile" in result.output
    assert "\nreproduced." not in result.output


def test_replay_of_a_plain_path_checks_both_claims() -> None:
    assert radproof("replay", path_file("[[0, 128, 1]]")).exit_code == 0
    bad = radproof(
        "replay", path_file("[[0, 128, 1]]"), "--scheduler", "radproof.mutants:chunk_127"
    )
    assert (bad.exit_code, "fails at 0" in bad.output) == (1, True)


def test_replay_of_a_claim_that_is_gone_says_so(saved: str) -> None:
    text = Path(saved).read_text().replace('"optimal_tiling"', '"optimal_tilling"')
    assert one_line("replay", path_file(text)).startswith(
        "unknown claim 'optimal_tilling'. Did you mean 'optimal_tiling'?"
    )


# help and bad input


@pytest.mark.parametrize("command", [(), ("run",), ("check",), ("replay",)])
def test_help_has_an_example_on_a_line_of_its_own(command: tuple[str, ...]) -> None:
    result = radproof(*command, "--help")
    assert result.exit_code == 0
    examples = [line for line in result.output.splitlines() if line.startswith("    radproof ")]
    assert examples, result.output
    assert "\\b" not in result.output
    assert radproof(*command, "-h").output == result.output


def test_the_version_is_the_package_s() -> None:
    assert __version__ in radproof("--version").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nothing.json"), "nothing.json: there is no such file."),
        (("check", "nothing.json"), "nothing.json: there is no such file."),
        (("replay", "nothing.json"), "nothing.json: there is no such file."),
        (("run", "."), ". is a folder; name a path file in it."),
        (("run", "--rate", "-1", "--horizon", "1s"), "rate is -1.0; it must be a positive"),
        (("run", "--rate", "nan", "--horizon", "1s"), "rate is nan; it must be a positive"),
        (("run", "--rate", "1", "--horizon", "1s", "--seed", "-1"), "seed is -1; it must be a nat"),
        (("check", "--scheduler", "rda"), "unknown scheduler 'rda'. Did you mean 'rad'?"),
        (("check", "--scheduler", "no_mod:x"), "scheduler 'no_mod:x': there is no module 'no_"),
        (("check", "--scheduler", "radproof.mutants:chunk_128"), "scheduler 'radproof.mutants:chu"),
        (("check", "--claim", "token_rat"), "unknown claim 'token_rat'. Did you mean 'token_rate'"),
        (("check", "--claim", "radproof:rad"), "claim 'radproof:rad' is RuleScheduler, not a radp"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    assert one_line(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "path.json: the file is empty."),
        (
            "[[0, 128, 1], [0, 12",
            "path.json: line 1 column 21: the JSON ends in the middle; the fi",
        ),
        ("[[0, 128, 1], [0, 1.5, 1]]", "path.json: session 1: prompt is 1.5, a float; it must be "),
        ("[[0, 128, 1], [-3, 1, 1]]", "path.json: session 1: arrive is -3; it must be a natural n"),
        ("[[0, 128, 1], [3, 1]]", "path.json: session 1 is [3, 1]; it must be three numbers: arr"),
        ('{"schema": "other", "sessions": []}', "path.json: field \"schema\" is 'other'; this rad"),
        (
            '{"schema": "radproof.path/1", "sessions": [], "deployment": {"b_col": 0}}',
            'path.json: field "deployment": b_col is 0; it must be a whole number >= 1',
        ),
        ("[[0, " + "9" * 5000 + ", 1]]", "path.json: the JSON cannot be read: Exceeds the limit"),
    ],
    ids=range(8),
)
def test_a_bad_file_is_named_on_one_line(text: str, message: str) -> None:
    for command in ("run", "check", "replay"):
        assert one_line(command, path_file(text)).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run",), "name a FILE to run, or draw arrivals with --rate R --horizon T; one of t"),
        (("run", "x.json", "--rate", "1"), "name a FILE to run, or draw arrivals with --rate R --"),
        (("run", "--rate", "1"), "--rate draws arrivals up to the horizon: add --horizon 100s."),
        (("run", "--rate", "1", "--horizon", "100"), "'100' is not a time; write a number and its"),
        (("run", "--rate", "1", "--horizon", "0.5us"), "'0.5us' is finer than a microsecond"),
        (("run", "--rate", "1", "--horizon", "9" * 5000 + "s"), "Error"),
        (("run", "--rate", "x", "--horizon", "1s"), "'x' is not a valid float"),
        (("run", "x.json", "--engine", "jump"), "'jump' is not one of 'leap', 'step'"),
        (("check", "--examples", "0"), "0 is not in the range x>=1"),
        (("check", "--seed", "-1"), "-1 is not in the range x>=0"),
        (("nothing",), "No such command 'nothing'"),
        (("check", "--nothing"), "No such option"),
        (("replay",), "Missing argument 'FILE'"),
    ],
    ids=range(13),
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


def test_a_scheduler_at_fault_on_a_file_is_one_line() -> None:
    name = user(ROUND_ROBIN)
    said = one_line("run", path_file("[[7, 1, 1]]"), "--scheduler", f"{name}:nothing")
    assert said.startswith("the scheduler never makes progress: at t = 7 it returned an empty ")


def test_a_claim_that_raises_is_a_message_and_not_a_traceback() -> None:
    name = user(
        "from radproof import Claim\n"
        "def holds(i, d):\n    return i.tokens / (i.decoders - i.decoders) > 1\n"
        "odd = Claim('odd', 'every iteration', holds)\n"
    )
    said = refused("check", path_file("[[0, 1, 1]]"), "--claim", f"{name}:odd")
    assert "ZeroDivisionError" in said


def test_a_folder_of_counterexamples_with_another_file_in_it_names_that_file() -> None:
    Path("kept").mkdir()
    Path("kept/x.json").write_text("{}")
    assert one_line("check", "--out", "kept").startswith('kept/x.json: field "schema" is None; ')


def test_interrupting_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("radproof.cli.evaluate", interrupted)
    result = radproof("run", path_file("[[0, 1, 1]]"))
    assert result.exit_code == 130
    assert "radproof: interrupted; nothing is left half written." in result.stderr


def test_python_m_radproof_is_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "radproof", "run", path_file(RAGGED), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == as_json("run", path_file(RAGGED))


def test_the_command_line_starts_without_z3_and_hypothesis() -> None:
    code = "import sys, radproof.cli; print({'z3', 'hypothesis', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_verdicts_of_run_are_those_of_the_library() -> None:
    found = as_json("run", path_file(RAGGED))
    verdict = check(leap(json.loads(RAGGED)), token_rate)
    assert found["claims"]["token_rate"]["checked"] == verdict.checked
