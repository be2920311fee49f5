"""serQ agrees: on its recorded answers, and live where its interpreter is installed."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from helpers import GOLDEN, counts, deployment_of, lines, quick, schedule
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import serq
from radproof.strategies import deployments, paths

from radproof import CLAIMS, SEED, Deployment, Session, leap, run
from radproof.model import Path

needs_serq = pytest.mark.skipif(
    importlib.util.find_spec("pyserq") is None,
    reason="pyserq is not installed here (wheels: Linux x86_64, macOS arm64), so radproof is NOT "
    "held against the live interpreter, only against its recorded answers",
)
BOTH = pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])


@BOTH
@pytest.mark.parametrize("line", lines(GOLDEN), ids=lambda line: line["name"])
def test_a_golden_line_is_what_serq_found(line: dict[str, Any], evaluate: Any) -> None:
    result = evaluate(line["path"], deployment_of(line), horizon=line["horizon"])
    assert result.iterations == line["iterations"]
    assert list(result.completions) == line["completion"]
    assert {name: counts(result, claim) for name, claim in CLAIMS.items()} == line["claims"]
    if "schedule" in line:
        assert schedule(result) == line["schedule"]


def test_the_golden_lines_are_there() -> None:
    """An empty file would pass every test above."""
    found = lines(GOLDEN)
    assert len(found) >= 100
    assert sum("schedule" in line for line in found) >= 80
    assert sum(line["claims"]["optimal_tiling"]["failures"] > 0 for line in found) >= 20
    assert sum(line["horizon"] is not None for line in found) >= 10


@st.composite
def affordable(draw: st.DrawFn, most: int = 300) -> tuple[Deployment, Path, int | None]:
    """A path that serQ runs exactly and soon: shorter lengths, and a horizon now and then."""
    seeds = draw(st.booleans())
    deployment = SEED if seeds else draw(deployments(tiles=False, chunks=True))
    path = draw(paths("natural", deployment, most if seeds else 30))
    tile = 9 * deployment.b_lcm
    path = tuple(
        Session(s.arrive % 10**9, s.prompt if s.prompt <= tile else s.prompt % tile, s.output % 60)
        for s in path
    )
    ends = [record.end for record in run(path, deployment, limit=120).records]
    at = draw(st.sampled_from(ends)) if ends else 0
    off = draw(st.sampled_from((-1, 0, 1)))
    return deployment, path, max(0, at + off)


def triples(path: Path) -> list[tuple[int, int, int]]:
    return [(s.arrive, s.prompt, s.output) for s in path]


def agrees(case: tuple[Deployment, Path, int | None], with_schedule: bool) -> None:
    d, path, horizon = case
    found = serq.run_serq(
        triples(path),
        b_col=d.b_col,
        t_lin=d.t_lin,
        t_nl=d.t_nl,
        chunk=d.chunk,
        horizon=horizon,
        schedule=with_schedule,
    )
    result = run(path, d, horizon=horizon)
    assert result.iterations == found.iterations
    assert result.completions == found.completions
    for name, claim in CLAIMS.items():
        theirs = found.claims[name]
        assert counts(result, claim) == {
            "checked": theirs.checked,
            "failures": theirs.failures,
            "first": theirs.first,
        }
    if with_schedule:
        assert found.schedule is not None
        read = [[start, [list(entry) for entry in batch]] for start, batch in found.schedule]
        assert schedule(result) == read


@needs_serq
@given(affordable())
@quick(80)
def test_completions_and_claims_are_serq_s(case: tuple[Deployment, Path, int | None]) -> None:
    agrees(case, with_schedule=False)


@needs_serq
@given(affordable(most=40))
@settings(quick(15))
def test_the_whole_schedule_is_serq_s(case: tuple[Deployment, Path, int | None]) -> None:
    agrees(case, with_schedule=True)


@needs_serq
@pytest.mark.parametrize("output", [0, 1, 5])
def test_runs_to_the_end_agree_too(output: int) -> None:
    path = tuple(Session(i * 3000, 100 * i, output * i) for i in range(30))
    agrees((SEED, path, None), with_schedule=False)


@needs_serq
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"b_col": 0}, "b_col and chunk must be 1 or more, t_lin and t_nl 0 or more"),
        ({"t_lin": -1}, "b_col and chunk must be 1 or more, t_lin and t_nl 0 or more"),
        ({"horizon": -1}, "the horizon -1 is before time 0"),
        ({"path": [(0, 1)]}, r"session 0 is \(0, 1\), not three whole numbers from 0 up"),
        ({"path": [(0, 1, 1.5)]}, "session 0 is .*, not three whole numbers from 0 up"),
        ({"path": [(2**53, 1, 1)]}, r"serQ is exact below 2\*\*53"),
        ({"path": [(0, 0, 2**45)]}, r"serQ is exact below 2\*\*53"),
    ],
)
def test_what_serq_could_not_run_exactly_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        serq.run_serq(arguments.pop("path", [(0, 1, 1)]), **arguments)


def test_a_missing_or_another_pyserq_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(serq.importlib, "import_module", absent)
    with pytest.raises(serq.SerqMissing, match=r"pip install 'radproof\[serq\]'"):
        serq._pyserq()

    class Other:
        __version__ = "0.2.0"

    monkeypatch.setattr(serq.importlib, "import_module", lambda name: Other)
    with pytest.raises(serq.SerqMissing, match=r"\(found 0\.2\.0\)"):
        serq._pyserq()


def test_a_trace_that_cannot_be_read_is_an_error() -> None:
    read = serq._read_schedule("noise\nITER 4640.0 1:0:p128 2:0:d1 | x\nITER 9.00 3:0:d1\n")
    assert read == ((4640, ((1, "p", 128), (2, "d", 1))), (9, ((3, "d", 1),)))
    with pytest.raises(RuntimeError, match="a batch this module cannot read"):
        serq._read_schedule("ITER 4640.5 1:0:p128\n")
