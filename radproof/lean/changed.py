"""The proofs of the mirror under other rules: which of them still go through.

The proofs are about `rad`. Where the rules of a scheduler stand in its place, most do not care: the
proof of `served_rate` never opens a rule. Those that do go through as they are, and are then proofs
about the changed rules; or they break, at a theorem that a Lean names. A proof that breaks refutes
nothing: another may exist.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath

import attrs

from radproof.files.text import write_text
from radproof.lean.definitions import lemmas
from radproof.lean.errors import NoLean
from radproof.lean.proofs import (
    ALLOWED,
    NAMESPACE,
    Proof,
    asked,
    asked_as,
    refuse_faulty,
    without_comments,
    without_imports,
)
from radproof.lean.proofs import statements as stated
from radproof.lean.verify import axioms_said
from radproof.schedulers import RuleScheduler

FOLDER = FilePath(".radproof/lean")
"""Where a file is kept, unless another is named."""

SECONDS = 300.0
"""The time limit of the one file that has everything in it."""

_DECLARED = re.compile(r"(?:theorem|def|structure|inductive) ([\w.]+)")
_ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: error", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][\w']*")


@attrs.frozen
class Stands:
    """Whether the proof of a statement goes through."""

    statement: str
    broken_at: tuple[str, ...] = ()
    """The theorems below it whose own proofs break, and not since one below them does, in the order
    of the files; empty: none."""

    @property
    def proved(self) -> bool:
        """Whether it does."""
        return not self.broken_at


def obligations(scheduler: RuleScheduler, name: str, proofs: Sequence[Proof]) -> str:
    """One file: the mirror with these rules as `rad`, the statements, and their proofs.

    name: the scheduler's, for the comment above them. Raises NotInLean where a rule is not plain
    arithmetic, and BadInput where `proofs.faults` has something to say.
    """
    refuse_faulty(proofs)
    told = f"`rad` has the rules of {name} here: which of the proofs still go through?"
    parts = [lemmas(scheduler, told), *(without_imports(proof.text) for proof in proofs)]
    return "\n\n".join([*(part.strip() for part in parts), *asked()]) + "\n"


def kept_in(text: str) -> FilePath:
    """The file of a text, named after it."""
    return FOLDER / f"Proofs{hashlib.sha256(text.encode()).hexdigest()[:8]}.lean"


def judge(lean: str, text: str, seconds: float = SECONDS) -> tuple[list[Stands], float]:
    """What a Lean says of each statement of an `obligations` text, and the seconds it took.

    Raises NoLean where it takes too long, or says nothing of a statement.
    """
    questions = "".join(f"#print axioms {asked_as(one)}\n" for one in stated())
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        write_text(FilePath(folder) / "Asked.lean", text + questions)
        try:
            ran = subprocess.run(
                [lean, "Asked.lean"], capture_output=True, text=True, timeout=seconds, cwd=folder
            )
        except subprocess.TimeoutExpired:
            raise NoLean(
                f"not verified: {lean} takes more than {seconds:g} s for these rules. Give it more "
                "with --seconds."
            ) from None
    said = ran.stdout + ran.stderr
    return list(_standings(text, said)), time.monotonic() - began


def _standings(text: str, said: str) -> Iterator[Stands]:
    axioms = axioms_said(said)
    declared = _declarations(text)
    below = _below(declared)
    broken = {_at(declared, int(line)) for line in _ERROR.findall(said)}
    # a theorem that breaks is not there for those above it, which then break too
    first = {one for one in broken if below[one] & broken == {one}}
    for name in stated():
        used = axioms.get(asked_as(name))
        if used is None:
            raise NoLean(f"not verified: it says nothing of {name}: {said.strip()[:200]}")
        at = tuple(
            one.removeprefix(f"{NAMESPACE}.")
            for one in declared
            if one in first and one in below[asked_as(name)]
        )
        if not used <= ALLOWED and not at:
            raise NoLean(f"not verified: {name} rests on {', '.join(sorted(used))}, unexplained")
        yield Stands(name, () if used <= ALLOWED else at)


def _declarations(text: str) -> dict[str, tuple[int, str]]:
    """The first line of each declaration, from 1, and its text, by its whole name."""
    lines, space, starts = text.split("\n"), "", []
    for number, line in enumerate(lines, 1):
        if line.startswith("namespace "):
            space = line.split()[1] + "."
        elif line.startswith("end "):
            space = ""
        elif (found := _DECLARED.match(line)) is not None:
            starts.append((number, space + found[1]))
    ends = [number for number, _ in starts[1:]] + [len(lines) + 1]
    return {
        name: (number, without_comments("\n".join(lines[number - 1 : end - 1])))
        for (number, name), end in zip(starts, ends, strict=True)
    }


def _at(declared: Mapping[str, tuple[int, str]], line: int) -> str:
    """The declaration that a line is in."""
    return max((number, name) for name, (number, _) in declared.items() if number <= line)[1]


def _below(declared: Mapping[str, tuple[int, str]]) -> dict[str, set[str]]:
    """Each declaration with all that it names, and what those name, and so on.

    It may have too much: a statement and its theorem have the same last name.
    """
    below: dict[str, set[str]] = {}
    by_last: dict[str, set[str]] = {}
    for name, (_, text) in declared.items():  # what it names stands above it
        found = {name}
        for word in set(_WORD.findall(text)):
            for one in by_last.get(word, ()):
                found |= below[one]
        below[name] = found
        by_last.setdefault(name.rpartition(".")[2], set()).add(name)
    return below
