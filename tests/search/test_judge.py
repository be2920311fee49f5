"""Many laws on one run of each path: the same as one by one, and the same every time."""

from __future__ import annotations

import attrs

from radproof import Result, rad
from radproof.files.paths import PathFile, parse
from radproof.laws import LAWS, checks
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.report.text import finding_row
from radproof.schedulers import sarathi, vllm
from radproof.search.judge import Terms, judge

SMALL = Terms(TILE_OF_TWO, examples=40, max_sessions=12)


def test_rad_keeps_everything() -> None:
    findings = judge(checks(), rad, Terms(TILE_OF_TWO, examples=150), scheduler_name="rad")
    assert {f.claim.name: f.result for f in findings} == dict.fromkeys(checks(), Result.HOLDS)


def test_rad_keeps_the_laws_at_scaled_down_deployments() -> None:
    terms = Terms(scaled=True, examples=100)
    laws = {name: law.claim for name, law in LAWS.items()}
    findings = judge(laws, rad, terms, scheduler_name="rad")
    assert {f.result for f in findings} == {Result.HOLDS}


def test_the_same_seed_gives_the_same_report() -> None:
    one, other = (judge(checks(), sarathi, SMALL, scheduler_name="sarathi") for _ in range(2))
    assert [finding_row(f) for f in one] == [finding_row(f) for f in other]
    paths = [[f.counterexample and f.counterexample.path for f in fs] for fs in (one, other)]
    assert paths[0] == paths[1]
    texts = [[f.counterexample and f.counterexample.text() for f in fs] for fs in (one, other)]
    assert texts[0] == texts[1]


def test_a_faulty_scheduler_is_judged_by_the_rest_where_it_is_not_at_fault() -> None:
    findings = {f.claim.name: f for f in judge(checks(), vllm, SMALL, scheduler_name="vllm")}
    assert findings["progress"].counterexample is not None
    assert findings["progress"].exit_code == 2
    assert findings["served_recomputed"].result is Result.HOLDS
    assert findings["batch_budget"].result is Result.FAILS


def test_a_saved_path_is_tried_first() -> None:
    saved = parse(
        '{"schema": "radproof.path/1", "deployment": {"b_col": 4, "t_lin": 1, "t_nl": 1},'
        ' "sessions": [[0, 4, 1], [0, 4, 1], [0, 4, 1], [0, 4, 1], [0, 4, 1]]}'
    )
    assert isinstance(saved, PathFile)
    laws = {"decode_bound": LAWS["decode_bound"].claim}
    mutant = CATALOGUE["greater"].scheduler
    (found,) = judge(laws, mutant, Terms(examples=1), scheduler_name="m", saved=[saved])
    assert found.counterexample is not None
    assert found.counterexample.deployment.b_col == 4
    assert found.paths == 1


def test_what_nothing_reached_is_not_evaluated() -> None:
    free = attrs.evolve(TILE_OF_TWO, t_lin=0, t_nl=0)
    laws = {"clock": LAWS["clock"].claim}  # says nothing where a batch costs nothing
    (finding,) = judge(laws, rad, Terms(free, examples=5), scheduler_name="rad")
    assert finding.result is Result.NOT_EVALUATED
    assert finding.exit_code == 3


def test_a_prompt_longer_than_any_budget_is_always_tried() -> None:
    laws = {"progress": LAWS["progress"].claim}
    terms = Terms(TILE_OF_TWO, examples=1)
    (finding,) = judge(laws, vllm, terms, scheduler_name="vllm")
    assert finding.counterexample is not None
    assert [s.prompt for s in finding.counterexample.path] == [33]  # 16 tiles and one token
