"""What a gate in CI hands over: SARIF, annotations, a job summary, a comparison with a baseline."""

from __future__ import annotations

from radproof.gate.baseline import Baseline, Change, compare
from radproof.gate.marks import marks
from radproof.gate.place import Place, place_of
from radproof.gate.publish import Outputs, Published, publish
from radproof.gate.sarif import sarif
from radproof.gate.summary import summary

__all__ = [
    "Baseline",
    "Change",
    "Outputs",
    "Place",
    "Published",
    "compare",
    "marks",
    "place_of",
    "publish",
    "sarif",
    "summary",
]
