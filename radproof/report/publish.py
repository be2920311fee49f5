"""What one check writes for others to read, and how a baseline changes its exit code."""

from __future__ import annotations

import json
from collections.abc import Sequence

import attrs

from radproof.files.text import write_text
from radproof.report.annotations import marks
from radproof.report.baseline import Baseline, Change, compare
from radproof.report.outputs import Outputs
from radproof.report.place import place_of
from radproof.report.sarif import sarif
from radproof.report.summary import summary
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding


@attrs.frozen
class Published:
    """lines: to be printed; changes: from the baseline, None where there was none to compare."""

    lines: list[str]
    changes: list[Change] | None

    def exit_code(self, code: int) -> int:
        """With a baseline, 1 where something is newly failing, else 0: what failed before is
        known. Without one, the check's own.
        """
        if self.changes is None:
            return code
        return int(any(change.worse for change in self.changes))


def publish(
    outputs: Outputs,
    findings: Sequence[Finding],
    scheduler: Loaded,
    seconds: float,
) -> Published:
    """Write the files. A baseline that is not there yet is written and compared with nothing."""
    lines: list[str] = []
    changes: list[Change] | None = None
    place = place_of(scheduler.source)
    if outputs.baseline is not None:
        results = {finding.claim.name: finding.result.value for finding in findings}
        new = Baseline(scheduler.name, results, round(seconds, 1))
        if outputs.baseline.exists():
            changes = compare(Baseline.read(outputs.baseline), new)
            lines += [f"baseline: {change}" for change in changes]
            lines += [] if changes else ["baseline: nothing has changed"]
        else:
            new.write(outputs.baseline)
            lines.append(f"baseline: written to {outputs.baseline}")
    if outputs.sarif is not None:
        log = sarif(findings, scheduler.name, place)
        write_text(outputs.sarif, json.dumps(log, indent=1) + "\n")
    if outputs.summary is not None:
        text = summary(findings, scheduler.name, changes or ())
        # GitHub's file of a step is appended to, by every command of the step
        before = outputs.summary.read_text("utf-8") if outputs.summary.exists() else ""
        write_text(outputs.summary, before + text)
    if outputs.annotate:
        lines += marks(findings, place)
    return Published(lines, changes)
