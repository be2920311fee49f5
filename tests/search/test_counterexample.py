from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest
from helpers import every

from radproof import (
    DECODE,
    PREFILL,
    SEED,
    Claim,
    Deployment,
    Entry,
    Job,
    SchedulerError,
    Session,
    View,
    check,
    leap,
    optimal_tiling,
    run,
)
from radproof.files.paths import Breaks, PathFile, read, sha256
from radproof.mutants import MUTANTS
from radproof.schedulers.loading import Loaded
from radproof.search.counterexample import (
    ROWS,
    Counterexample,
    batch_lines,
    deployment_text,
    job_lines,
    path_lines,
    state_before,
)

CHUNK = MUTANTS["chunk_127"]


def of(
    path: Any,
    claim: Claim = optimal_tiling,
    scheduler: Any = CHUNK,
    name: str = "radproof.mutants:chunk_127",
    **more: Any,
) -> Any:
    result = leap(path, scheduler=scheduler)
    fields = {
        "path": result.path,
        "deployment": SEED,
        "scheduler": Loaded.of(scheduler, name),
        "claim": claim,
        "claim_name": claim.name,
        "verdict": check(result, claim),
        "error": None,
        "minimal": True,
        "evaluations": 17,
    }
    return Counterexample(**fields | more)


def test_the_text_says_what_happened_where_and_why() -> None:
    assert of([(0, 128, 0)]).text(Path("kept/x.json")) == "\n".join(
        [
            "optimal_tiling under radproof.mutants:chunk_127: fails at 0, in iteration 0 (counted "
            "from 0)",
            "  claim        every batch fills its tile, or every resident decodes",
            "               tokens % b_col = 0: 127 = 0 is false",
            "               tokens >= b_col: 127 >= 128 is false",
            "               tokens <= b_lcm: 127 <= 128 is true",
            "               decoders = residents: 0 = 1 is false",
            "  iteration    starts 0, ends 4635, 127 tokens, 0 served before it",
            "  jobs before  1 job, 0 decoding",
            "               1 x prefill, 128 left of 128: session 0",
            "  batch        1 x prefill of 127: session 0",
            "  path         1 session of (arrive, prompt, output)",
            "               session 0: 1 x (0, 128, 0)",
            "  deployment   b_col 128, b_lcm 128, chunk 128, t_lin 4000, t_nl 5",
            "  1-minimal    no session can be removed and no number lowered",
            "  saved        kept/x.json",
            "  replay       radproof replay kept/x.json",
        ]
    )


def test_the_text_says_where_the_budget_ran_out() -> None:
    assert (
        "  not minimal  the budget of 17 evaluations ran out; a smaller path may exist"
        in of([(0, 128, 0)], minimal=False).text().splitlines()
    )


def test_a_later_iteration_shows_the_jobs_before_it() -> None:
    late = every(lambda i, d: not (i.decoders == 2 and i.start > 9000))
    path = [(0, 128, 9), (0, 128, 7)]
    text = of(path, late, MUTANTS["greater"]).text()
    assert "mine under radproof.mutants:chunk_127: fails at 9280, in iteration 2 (coun" in text
    assert "2 jobs, 2 decoding" in text
    assert "1 x decode, 9 left: session 0" in text
    assert "1 x decode, 7 left: session 1" in text
    assert "  batch        2 x decode of 1: sessions 0..1" in text


@pytest.mark.parametrize("sessions", [500, 20_000])
def test_the_text_of_a_path_of_500_has_a_fixed_size(sessions: int) -> None:
    # all different, so that nothing runs together
    path = [(7 * i, 128 * (1 + i % 8), 1 + i) for i in range(sessions)]
    crowded = every(lambda i, d: i.residents < 200)
    text = of(path, crowded, leap(path).scheduler).text(Path("x"))
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 140
    assert f"{sessions:,} sessions of (arrive, prompt, output)" in text
    assert f"... and {sessions - ROWS + 1} more runs of sessions" in text


def test_a_violation_too_far_on_is_shown_without_its_jobs() -> None:
    far = every(lambda i, d: i.served < 10**9)
    text = of([(0, 0, 10**12)], far, MUTANTS["greater"]).text()
    assert "fails at 4005000000000, in iteration 1000000000 (counted from 0)" in text
    assert "jobs before" not in text
    assert "  batch        1 x decode of 1: session 0" in text


def test_the_size_of_a_text_does_not_grow_with_its_numbers() -> None:
    far = every(lambda i, d: i.served < 10**3000)
    text = of([(0, 0, 10**3500)], far, MUTANTS["greater"]).text()
    assert len(text) < 30_000


def test_a_scheduler_at_fault_is_shown_with_its_message(tmp_path: Path) -> None:
    error = SchedulerError("stuck", "the scheduler never makes progress: at t = 0 ...")
    found = of([(0, 128, 0)], verdict=None, error=error, name="m:x")
    assert found.text().startswith("optimal_tiling under m:x: the scheduler never makes progress")
    file = found.save(tmp_path)
    assert file.name == f"scheduler-{sha256(found.path)[:12]}.json"
    assert read(file).breaks == Breaks("scheduler", "stuck", None, True, True)


def test_a_fault_shows_the_jobs_that_the_scheduler_was_asked_about() -> None:
    """It showed the path alone, and a fault after many iterations said nothing of their jobs."""

    def late(view: View) -> Any:
        if any(job.phase is DECODE and job.done == 2 for job in view.jobs):
            raise ValueError("gone")
        job = view.jobs[-1]
        return (Entry(job.session, job.phase, 1),), None

    for evaluator in (run, leap):
        with pytest.raises(SchedulerError) as raised:
            evaluator([(0, 3, 1), (1, 0, 4), (90_000, 1, 1)], scheduler=late)
        found = of([(0, 3, 1), (1, 0, 4), (90_000, 1, 1)], verdict=None, error=raised.value)
        lines = found.text().splitlines()
        start = next(k for k, line in enumerate(lines) if "jobs before" in line)
        assert lines[1].strip().startswith("jobs before")
        assert [line[15:] for line in lines[start : start + 3]] == [
            "2 jobs, 1 decoding",
            "1 x prefill, 2 left of 3: session 0",
            "1 x decode, 2 left: session 1",
        ]
        assert "path" in lines[start + 3]


def test_a_fault_that_no_one_state_shows_has_no_jobs() -> None:
    error = SchedulerError("impure", "the scheduler is not a pure function")
    assert "jobs before" not in of([(0, 128, 0)], verdict=None, error=error).text()


def test_an_at_end_claim_is_shown_without_an_iteration() -> None:
    claim = Claim("done", "at end", lambda run, d: False, statement="never true")
    text = of([(0, 128, 0)], claim).text()
    assert "  claim        never true" in text
    assert "batch " not in text
    empty = of([(0, 0, 0)], claim).text()
    assert empty.splitlines()[0].startswith("done under radproof.mutants:chunk_127: fails at 0")


def test_a_saved_file_reads_back_as_what_was_found(tmp_path: Path) -> None:
    found = of([(0, 128, 0), (3, 256, 1)], claim_name="my_mod:claim")
    file = found.save(tmp_path / "new" / "folder")
    assert file == tmp_path / "new" / "folder" / f"optimal_tiling-{sha256(found.path)[:12]}.json"
    assert read(file) == PathFile(
        sessions=(Session(0, 128, 0), Session(3, 256, 1)),
        deployment=SEED,
        scheduler="radproof.mutants:chunk_127",
        breaks=Breaks("claim", "my_mod:claim", 0, True, True),
    )


def test_the_same_path_and_claim_have_the_same_file() -> None:
    one, other = of([(0, 128, 0)]), of([(0, 256, 0)])
    assert one.file_name == attrs.evolve(one, minimal=False).file_name
    assert one.file_name != other.file_name


def test_the_file_of_a_claim_whose_name_has_a_slash_stays_in_the_folder(tmp_path: Path) -> None:
    claim = Claim("../b c", "every iteration", lambda i, d: False)
    file = of([(0, 128, 0)], claim).save(tmp_path)
    assert file.resolve().parent == tmp_path.resolve()


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_the_state_before_an_iteration_is_the_one_it_starts_in(index: int) -> None:
    path = leap([(50, 128, 1), (50_000, 128, 1)]).path
    state = state_before(path, SEED, leap([]).scheduler, index)
    assert state is not None
    record = list(run(path).records)[index]
    assert (state.now, state.served, len(state.jobs)) == (
        record.start,
        record.served,
        record.residents,
    )


def test_runs_of_equal_sessions_jobs_and_entries_are_written_once() -> None:
    path = (Session(0, 128, 1),) * 3 + (Session(5, 0, 2),)
    assert path_lines(path) == [
        "4 sessions of (arrive, prompt, output)",
        "sessions 0..2: 3 x (0, 128, 1)",
        "session 3: 1 x (5, 0, 2)",
    ]
    jobs = (Job(2, PREFILL, 0, 128, 3), Job(0, DECODE, 0, 128), Job(1, DECODE, 0, 128))
    assert job_lines(jobs, path) == [
        "3 jobs, 2 decoding",
        "1 x prefill, 125 left of 128: session 2",
        "2 x decode, 1 left: sessions 0..1",
    ]
    batch = [Entry(s, DECODE, 1) for s in (9, 3, 5)] + [Entry(1, PREFILL, 7)]
    assert batch_lines(batch) == [
        "3 x decode of 1: sessions 9, 3, 5",
        "1 x prefill of 7: session 1",
    ]
    scattered = [Entry(s, DECODE, 1) for s in range(0, 40, 2)]
    assert batch_lines(scattered) == [
        "20 x decode of 1: sessions 0, 2, 4, 6, 8, 10, 12, 14 and 12 more"
    ]


def test_a_list_of_exactly_as_many_lines_is_shown_whole() -> None:
    path = tuple(Session(i, 0, 0) for i in range(ROWS))
    assert len(path_lines(path)) == ROWS + 1
    assert "more" not in "".join(path_lines(path))
    longer = path_lines((*path, Session(99, 0, 0)))
    assert len(longer) == ROWS + 1
    assert longer[-1] == "... and 2 more runs of sessions"


def test_the_deployment_is_one_line() -> None:
    assert deployment_text(Deployment(b_col=2, b_row=3, chunk=4, t_lin=5, t_nl=6)) == (
        "b_col 2, b_lcm 6, chunk 4, t_lin 5, t_nl 6"
    )
