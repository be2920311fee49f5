"""The files that a check writes, and the exit code that a baseline gives it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import attrs

from radproof.errors import BadInput, SchedulerError
from radproof.files.text import read_text, write_text
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
    errors: list[str]
    """Why files could not be written."""

    def exit_code(self, code: int) -> int:
        """The check's own code; compared with a baseline, 1 if something newly fails, else 0:
        what failed before is known. A fault of the scheduler stays 2: it ends runs, so that what
        would have failed after it is not known.
        """
        if self.changes is None or code == SchedulerError.exit_code:
            return code
        return int(any(change.worse for change in self.changes))


def publish(
    outputs: Outputs,
    findings: Sequence[Finding],
    scheduler: Loaded,
    new: Baseline,
    old: Baseline | None,
) -> Published:
    """Write the files. `old`, the stored baseline, is compared with `new`, the results of the
    check; where it is missing, `new` is written.

    A file that cannot be written is an error in what is returned, and stops no other file.
    """
    lines: list[str] = []
    errors: list[str] = []
    changes: list[Change] | None = None
    place = place_of(scheduler.source)
    if outputs.baseline is not None:
        if old is not None:
            changes = compare(old, new)
            lines += [f"baseline: {change}" for change in changes]
            lines += [] if changes else ["baseline: nothing has changed"]
        elif any(finding.exit_code == SchedulerError.exit_code for finding in findings):
            lines.append("baseline: not written, since the scheduler is at fault")
        else:
            with _listed(errors):
                new.write(outputs.baseline)
                lines.append(f"baseline: written to {outputs.baseline}")
    if outputs.sarif is not None:
        log = sarif(findings, scheduler.name, place)
        with _listed(errors):
            write_text(outputs.sarif, json.dumps(log, indent=1) + "\n")
    if outputs.summary is not None:
        text = summary(findings, scheduler.name, changes or ())
        with _listed(errors):
            # several commands of a CI step append to one summary; a device has no text before
            before = read_text(outputs.summary) if os.path.isfile(outputs.summary) else ""
            write_text(outputs.summary, before + text)
    if outputs.annotate:
        lines += marks(findings, place)
    return Published(lines, changes, errors)


@contextmanager
def _listed(errors: list[str]) -> Iterator[None]:
    """Add an error about a file to `errors`."""
    try:
        yield
    except BadInput as error:
        errors.append(str(error))
