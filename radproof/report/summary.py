"""The job summary: Markdown with the table, and the smallest path of each failure."""

from __future__ import annotations

from collections.abc import Sequence

from radproof.laws import LAWS
from radproof.report.baseline import Change
from radproof.report.markdown import code, rows, shown
from radproof.report.sarif import headline
from radproof.report.text import AS_FAR, result_of
from radproof.search.search import Finding


def summary(
    findings: Sequence[Finding], scheduler_name: str, changes: Sequence[Change] = ()
) -> str:
    """The summary of one check. Only `changes` may depend on the clock."""
    wrong = [finding for finding in findings if finding.exit_code]
    some_open = any(result_of(finding) == AS_FAR for finding in findings)
    verdict = f"{len(wrong)} of {len(findings)} do not hold" if wrong else "all hold"
    if some_open and not wrong:
        verdict += AS_FAR.removeprefix("holds")
    table = [
        (
            code(finding.claim.name),
            LAWS[finding.claim.name].group if finding.claim.name in LAWS else "claim",
            f"**{result_of(finding)}**" if finding.exit_code else result_of(finding),
            f"{finding.iterations:,}",
            f"{finding.paths:,}",
        )
        for finding in findings
    ]
    lines = [
        f"## radproof: {scheduler_name}: {verdict}",
        "",
        *rows(("claim or law", "group", "result", "checked", "paths"), table, numbers=2),
    ]
    if changes:
        lines += ["", "### Since the baseline", "", *(f"- {change}" for change in changes)]
    for finding in wrong:
        lines += ["", f"### {finding.claim.name}", "", headline(finding)]
        found = finding.counterexample
        if found is not None:
            lines += [
                "",
                f"Smallest path, (arrive, prompt, output): {code(shown(found.path))}",
                "",
                "<details><summary>What happens</summary>",
                "",
                "```text",
                found.text(),
                "```",
                "",
                "</details>",
            ]
    return "\n".join([*lines, ""])
