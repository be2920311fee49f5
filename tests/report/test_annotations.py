from __future__ import annotations

from radproof.mutants import decisions
from radproof.report.annotations import marks
from radproof.report.place import Place, place_of
from radproof.search.search import Finding


def test_annotations_are_escaped(findings: list[Finding]) -> None:
    lines = marks(findings, place_of(decisions.tail_alone))
    assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)
    assert all("\n" not in line for line in lines)
    (line,) = [line for line in lines if "prefill_filled" in line]
    assert "title=radproof%3A prefill_filled::" in line
    assert line.endswith("%0Asmallest path: 2 x (0, 1, 0)")


def test_a_file_name_cannot_end_its_property(findings: list[Finding]) -> None:
    (*_, line) = marks(findings, Place("a,b:c%.py", 3))
    assert line.startswith("::error file=a%2Cb%3Ac%25.py,line=3,title=")


def test_what_holds_is_not_annotated(findings: list[Finding]) -> None:
    assert not any("clock" in line for line in marks(findings, None))


def test_without_a_source_an_annotation_has_no_place(undecided: Finding) -> None:
    (line,) = marks([undecided], None)
    assert line.startswith("::warning title=radproof%3A token_rate::token_rate is not evaluated: ")
    assert "smallest path" not in line
