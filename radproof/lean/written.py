"""What radproof writes, and nothing else: which files a Lean may be run on.

A Lean runs the commands of the file that it checks (`#eval`, macros), and a theorem may rest on an
axiom that the file adds. So a file is given to one if radproof could have written it, whole: a
generated file of this version, a filled template, or the mirror with facts of the fragment.
"""

from __future__ import annotations

import re

from radproof.lean.fixtures import whole_files
from radproof.lean.frame import NAMESPACE
from radproof.lean.roundtrip import parse_source
from radproof.lean.serq import is_serq, theorems

_THEOREM = re.compile(r"^theorem (\w+)", re.MULTILINE)


def theorems_of(text: str) -> list[str]:
    """The whole names of a file's theorems. Raises NotTheSame where radproof did not write it."""
    if text in whole_files().values():
        return [f"{NAMESPACE}.{name}" for name in _THEOREM.findall(text)]
    if is_serq(text):
        return theorems(text)
    return [f"{NAMESPACE}.{name}" for name in parse_source(text).stated]
