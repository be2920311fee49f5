"""A counterexample as an object: what broke, where, and a text of a fixed size about it."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable
from pathlib import Path as FilePath

import attrs

from radproof.claims import Claim, Verdict, sides
from radproof.errors import SchedulerError
from radproof.files.paths import Breaks, PathFile, sha256, write
from radproof.machine import states
from radproof.model import DECODE, Batch, Deployment, Job, Path, State
from radproof.runs import Run
from radproof.schedulers.loading import Loaded
from radproof.schedulers.protocol import Scheduler

ROWS = 8
"""The most lines of a printed list; the rest is counted. A path of 500 never prints whole."""

_FAR = 20_000
"""The most iterations to run again to show the job list before the violating one."""


@attrs.frozen
class Counterexample:
    """The path that breaks a claim, or on which the scheduler is at fault."""

    path: Path = attrs.field(repr=False)
    deployment: Deployment
    scheduler: Loaded
    claim: Claim
    claim_name: str
    """The name that finds the claim again: its own, or module:name."""

    verdict: Verdict | None
    """The claim's on the path; None where the scheduler is at fault."""

    error: SchedulerError | None
    """The scheduler's fault."""

    minimal: bool
    """Whether the path is 1-minimal."""

    evaluations: int = 0
    """How many paths minimising ran; 0 where the path was not minimised."""

    again: str = ""
    """What came when it was run again, where the failure was seen once and then not; else empty."""

    @classmethod
    def of(
        cls,
        run: Run,
        scheduler: Loaded,
        claim: Claim,
        verdict: Verdict | None,
        error: SchedulerError | None = None,
        minimal: bool = False,
    ) -> Counterexample:
        """The counterexample of a run: the claim's verdict on it, or the fault that ended it."""
        return cls(
            path=run.path,
            deployment=run.deployment,
            scheduler=scheduler,
            claim=claim,
            claim_name=claim.name,
            verdict=verdict,
            error=error,
            minimal=minimal,
        )

    def as_impure(self, pure: Claim) -> Counterexample:
        """The same path as one that breaks the law `pure`: it gave two answers."""
        told = str(self.verdict if self.error is None else self.error).removesuffix(".")
        error = SchedulerError(
            "impure",
            f"the scheduler is not a pure function: the same path gave, for {self.claim.name}: "
            f"{told}; and run again: {self.again}. Keep all state in the memory that it returns.",
        )
        return attrs.evolve(self, claim=pure, claim_name=pure.name, verdict=None, error=error)

    @property
    def file_name(self) -> str:
        """The name of its path file, the same for the same path and claim."""
        what = re.sub(r"[^\w.-]+", "-", self.claim.name) if self.error is None else "scheduler"
        return f"{what}-{sha256(self.path)[:12]}.json"

    def save(self, folder: FilePath) -> FilePath:
        """Write the path file into `folder`; returns where it is."""
        file = folder / self.file_name
        if self.error is None:
            breaks = Breaks(
                kind="claim",
                name=self.claim_name,
                first=None if self.verdict is None else self.verdict.first,
                minimal=self.minimal,
            )
        else:
            breaks = Breaks(kind="scheduler", name=self.error.kind, minimal=self.minimal)
        write(
            file,
            PathFile(
                sessions=self.path,
                deployment=self.deployment,
                scheduler=self.scheduler.name,
                breaks=breaks,
            ),
        )
        return file

    def text(
        self,
        saved: FilePath | None = None,
        lean: str = "",
        picture: str = "",
        unsaved: str = "",
    ) -> str:
        """A report: the violating iteration, the jobs before it, the batch, both sides; of a
        fault, the jobs of which the scheduler was asked.

        saved: where the path file is; lean, picture: where its Lean term and its page are, or why
        they are missing; unsaved: why there is no path file.
        """
        lines = [f"{self.claim.name} under {self.scheduler.name}: {self.headline}"]
        if self.verdict is not None and self.verdict.record is not None:
            lines += self._iteration(self.verdict)
        elif self.verdict is not None and self.verdict.reason:
            lines += _labelled("claim", [self.claim.statement, self.verdict.reason])
        elif self.error is not None and self.error.state is not None:
            lines += _labelled("jobs before", job_lines(self.error.state.jobs, self.path))
        lines += _labelled("path", path_lines(self.path))
        lines.append(f"  deployment   {deployment_text(self.deployment)}")
        if self.minimal:
            lines.append("  1-minimal    no session can be removed and no number lowered")
        elif self.again:
            lines += _labelled(
                "run again",
                [self.again, "it failed once, and not again: no smaller path was looked for"],
            )
        elif self.evaluations:
            lines.append(
                f"  not minimal  the budget of {self.evaluations} evaluations ran out; "
                "a smaller path may exist"
            )
        if saved is not None:
            lines.append(f"  saved        {saved}")
            lines.append(f"  replay       {shlex.join(['radproof', 'replay', str(saved)])}")
        for label, beside in (("not saved", unsaved), ("picture", picture), ("lean", lean)):
            if beside:
                lines.append(f"  {label:12} {beside}")
        return "\n".join(lines)

    @property
    def headline(self) -> str:
        """What fails, in one line."""
        once = " (not reproducible)" if self.again else ""
        if self.error is not None:
            return f"{self.error}{once}"
        assert self.verdict is not None
        where = f", in iteration {self.verdict.index}" if self.verdict.index is not None else ""
        return f"{self.verdict}{once}{where}" + (" (counted from 0)" if where else "")

    def _iteration(self, verdict: Verdict) -> list[str]:
        record = verdict.record
        assert record is not None
        assert verdict.index is not None
        lines = _labelled(
            "claim",
            [self.claim.statement or self.claim.name]
            + [
                f"{text}: {values} is {str(truth).lower()}"
                for text, values, truth in sides(self.claim, record, self.deployment)
            ]
            + ([verdict.reason] if verdict.reason else []),
        )
        if self.claim.kind == "at end":
            return lines
        state = state_before(self.path, self.deployment, self.scheduler.call, verdict.index)
        lines.append(
            f"  iteration    starts {record.start}, ends {record.end}, "
            f"{record.tokens} tokens, {record.served} served before it"
        )
        if state is not None:
            lines += _labelled("jobs before", job_lines(state.jobs, self.path))
        lines += _labelled("batch", batch_lines(record.batch))
        return lines


def _labelled(label: str, lines: list[str]) -> list[str]:
    return [f"  {label if n == 0 else '':12} {line}" for n, line in enumerate(lines)]


def state_before(
    path: Path, deployment: Deployment, scheduler: Scheduler, index: int
) -> State | None:
    """The state in which iteration `index` starts.

    None where it is too far on to run again, or the scheduler does not come to it again.
    """
    if index > _FAR:
        return None
    started = (
        before for before, record, _ in states(path, deployment, scheduler) if record is not None
    )
    try:
        return next(itertools.islice(started, index, None), None)
    except SchedulerError:
        return None


def deployment_text(d: Deployment) -> str:
    """One line: the numbers of a deployment."""
    return f"b_col {d.b_col}, b_lcm {d.b_lcm}, chunk {d.chunk}, t_lin {d.t_lin}, t_nl {d.t_nl}"


def path_lines(path: Path) -> list[str]:
    """The sessions run-length, in at most `ROWS` lines, below a heading."""
    rows = []
    number = 0
    for session, group in itertools.groupby(path):
        count = len(list(group))
        rows.append(f"{session_range(number, count)}: {count} x {attrs.astuple(session)}")
        number += count
    heading = f"{counted(len(path), 'session')} of (arrive, prompt, output)"
    return [heading] + _some(rows, "runs of sessions")


def job_lines(jobs: tuple[Job, ...], path: Path) -> list[str]:
    """The job list in order, run-length, in at most `ROWS` lines, below a heading."""

    def what(job: Job) -> str:
        if job.phase is DECODE:
            return f"decode, {path[job.session].output - job.done} left"
        return f"prefill, {job.prompt - job.done} left of {job.prompt}"

    rows = []
    for text, group in itertools.groupby(jobs, key=what):
        sessions = [job.session for job in group]
        rows.append(f"{len(sessions)} x {text}: {_listed(sessions)}")
    decodes = sum(job.phase is DECODE for job in jobs)
    return [f"{counted(len(jobs), 'job')}, {decodes} decoding"] + _some(rows, "runs of jobs")


def batch_lines(batch: Batch) -> list[str]:
    """The entries in order, run-length, in at most `ROWS` lines."""
    rows = []
    for (phase, tokens), group in itertools.groupby(batch, key=lambda e: (e.phase, e.tokens)):
        sessions = [entry.session for entry in group]
        rows.append(f"{len(sessions)} x {phase.value} of {tokens}: {_listed(sessions)}")
    return _some(rows, "runs of entries")


def _some(rows: list[str], what: str) -> list[str]:
    if len(rows) <= ROWS:
        return rows
    return rows[: ROWS - 1] + [f"... and {len(rows) - ROWS + 1} more {what}"]


def counted(count: int, what: str) -> str:
    """``1 session``, or ``2,000 sessions``."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def session_range(first: int, count: int) -> str:
    """``session 3``, or ``sessions 3..7``."""
    return f"session {first}" if count == 1 else f"sessions {first}..{first + count - 1}"


def _listed(sessions: Iterable[int]) -> str:
    listed = list(sessions)
    if listed == list(range(listed[0], listed[0] + len(listed))):
        return session_range(listed[0], len(listed))
    shown = ", ".join(map(str, listed[:ROWS]))
    return f"sessions {shown}" + (f" and {len(listed) - ROWS} more" if len(listed) > ROWS else "")
