"""Going along a run once, for every law of a path at the same time."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import attrs

from radproof.claims import Claim, Family, Found
from radproof.invariants import GIVEN
from radproof.laws import ledger, path
from radproof.laws.law import Group, Law
from radproof.laws.path import AtClose, AtMoment, Breach
from radproof.model import Deployment, Iteration
from radproof.runs import Run


@attrs.define
class _Tally:
    """What one law has said along one run."""

    checked: int = 0
    failures: int = 0
    first: int | None = None
    index: int | None = None
    record: Iteration | None = None
    reason: str = ""

    def found(self, cut: int | None) -> Found:
        reason = self.reason
        if cut is not None and not self.failures:
            reason = f"the law was followed for {cut} iterations, and no further"
        return Found(
            checked=self.checked,
            failures=self.failures,
            first=self.first,
            index=self.index,
            record=self.record,
            reason=reason,
            cut=cut is not None,
        )


def follow(run: Run) -> dict[str, Found]:
    """What every law of a path says of this run, by name."""
    tallies = {name: _Tally() for name in (*AT_MOMENT, *AT_CLOSE)}
    read, cut = 0, None
    for m in ledger.moments(run):
        if not m.batch:
            _close(m, run, tallies)
            break
        read += len(m.batch) + len(run.path) // 8
        if read > ledger.BUDGET:
            cut = m.index
            break
        for name, at_moment in AT_MOMENT.items():
            said = at_moment(m)
            if said is None:
                continue
            tally, count = tallies[name], m.stretch.count
            tally.checked += count
            if said is True:
                continue
            if not tally.failures:
                tally.index = m.index + said.after
                tally.record = m.stretch.record(said.after)
                tally.first = tally.record.start if said.first is None else said.first
                tally.reason = said.reason
            tally.failures += count - said.after
    return {name: tally.found(cut) for name, tally in tallies.items()}


def _close(m: ledger.Moment, run: Run, tallies: dict[str, _Tally]) -> None:
    for name, at_close in AT_CLOSE.items():
        said = at_close(m, run)
        if said is None:
            continue
        tally = tallies[name]
        tally.checked += 1
        if isinstance(said, Breach):
            if not tally.failures:
                tally.first, tally.reason = said.first, said.reason
            tally.failures += 1


_last: tuple[weakref.ref[Run], dict[str, Found]] | None = None


def _followed(run: Run) -> dict[str, Found]:
    """`follow`, remembered for the run that was asked about last: one walk for all laws."""
    global _last
    if _last is None or _last[0]() is not run:
        _last = weakref.ref(run), follow(run)
    return _last[1]


AT_MOMENT: dict[str, AtMoment] = {}
AT_CLOSE: dict[str, AtClose] = {}


def _law(
    name: str,
    statement: str,
    *,
    group: Group,
    source: str,
    family: Family = "natural",
    at_moment: AtMoment | None = None,
    at_close: AtClose | None = None,
) -> Law:
    if at_moment is not None:
        AT_MOMENT[name] = at_moment
    if at_close is not None:
        AT_CLOSE[name] = at_close
    return Law(
        Claim(
            name=name,
            kind="whole run",
            holds=_reader(name),
            given=GIVEN[family],
            family=family,
            statement=statement,
        ),
        group,
        source,
        tested="tests/laws/test_path.py",
    )


def _reader(name: str) -> Callable[[Run, Deployment], Found]:
    def holds(run: Run, deployment: Deployment) -> Found:
        return _followed(run)[name]

    return holds


PATH_LAWS = (
    _law(
        "clock",
        "b_col start = b_col idle + (t_lin + t_nl b_col) served + t_lin (unfilled tokens)",
        group="engine",
        source="the exact identity behind Theorem 1's rate",
        at_moment=path.clock,
    ),
    _law(
        "served_recomputed",
        "`served` is the sum of the batches before",
        group="engine",
        source="Exec.lean: served",
        at_moment=path.served,
    ),
    _law(
        "counts_recomputed",
        "residents and decoding are the arrivals, less those that have had their work",
        group="engine",
        source="semantics: job list; vLLM 52693",
        at_moment=path.counts,
    ),
    _law(
        "no_idling",
        "an iteration starts at the end of the one before, or when the first work arrives",
        group="engine",
        source="law 7 of RAD on a path; vLLM PR 200",
        at_moment=path.no_idling,
    ),
    _law(
        "conservation",
        "each session gets exactly v_p + v_d tokens, and ends once, then",
        group="engine",
        source="law 6 of RAD on a path; TensorRT-LLM 1377; inference-sim INV-1",
        at_moment=path.entitled,
        at_close=path.ends,
    ),
    _law(
        "progress",
        "every run ends: all sessions, in no more iterations than tokens asked for",
        group="engine",
        source="inference-sim INV-8; vllm-metal PR 200",
        at_moment=path.bounded,
        at_close=path.all_end,
    ),
    _law(
        "lifecycle",
        "arrive <= first batch < first token <= end, for each session",
        group="engine",
        source="vLLM PR 56238, 9998",
        at_close=path.lifecycle,
    ),
    _law(
        "prefill_order",
        "prompts start and finish in order of arrival, and are never interrupted",
        group="rad",
        source="law 2 of RAD on a path",
        at_moment=path.prefill_order,
    ),
    _law(
        "decode_order",
        "the decodes of a batch are the first of those that decode",
        group="rad",
        source="Exec.lean: fillIter, list order",
        at_moment=path.decode_order,
    ),
    _law(
        "one_partial",
        "at most one prompt is partly prefilled",
        group="rad",
        source="law 2 of RAD on a path",
        at_moment=path.one_partial,
    ),
    _law(
        "finish_order",
        "of sessions that ask for the same, the earlier one ends no later",
        group="rad",
        source="first in, first out",
        at_close=path.finish_order,
    ),
    _law(
        "chunk_starts",
        "a chunk of a prompt starts at a multiple of b_lcm",
        group="rad",
        family="assumption3",
        source="law 3 of RAD on a path; vllm-tt-plugin 74",
        at_moment=path.chunk_starts,
    ),
    _law(
        "active_bound",
        "decodes and prompts in flight are b_col together, at the most",
        group="rad",
        family="positive",
        source="law 1 of RAD on a path; vLLM PR 1034, nano-vllm PR 271",
        at_moment=path.active_bound,
    ),
    _law(
        "prefill_run",
        "a run of prefill batches is at most (b_col - D at its start) max(v_p) / b_lcm long",
        group="rad",
        family="positive",
        source="law 5 of RAD on a path",
        at_moment=path.prefill_run,
    ),
)
