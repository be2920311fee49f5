"""GitHub's workflow commands: lines on standard output that GitHub shows beside the code."""

from __future__ import annotations

from collections.abc import Sequence

from radproof.report.markdown import shown
from radproof.report.place import Place
from radproof.report.sarif import headline
from radproof.search.search import Finding


def marks(findings: Sequence[Finding], place: Place | None) -> list[str]:
    """One command for each claim and law that does not hold."""
    lines = []
    for finding in findings:
        if not finding.exit_code:
            continue
        kind = "error" if finding.counterexample is not None else "warning"
        where = f"file={_property(place.file)},line={place.line}," if place is not None else ""
        text = headline(finding)
        if finding.counterexample is not None:
            text += f"\nsmallest path: {shown(finding.counterexample.path)}"
        title = _property(f"radproof: {finding.claim.name}")
        lines.append(f"::{kind} {where}title={title}::{_message(text)}")
    return lines


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
