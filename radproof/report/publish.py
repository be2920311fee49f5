"""The files that a check writes, and the exit code that a baseline gives it."""

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
    """What a check wrote, for the command that reports it."""

    lines: list[str]
    """To be printed."""
    changes: list[Change] | None
    """From the baseline; None without one to compare with."""

    def exit_code(self, code: int) -> int:
        """The check's own code; compared with a baseline, 1 if something newly fails, else 0:
        what failed before is known.
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
    """Write the files. A missing baseline is written, and nothing is compared."""
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
        # several commands of a CI step append to one summary
        before = outputs.summary.read_text("utf-8") if outputs.summary.exists() else ""
        write_text(outputs.summary, before + text)
    if outputs.annotate:
        lines += marks(findings, place)
    return Published(lines, changes)
