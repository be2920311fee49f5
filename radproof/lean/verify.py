"""Running a Lean over the emitted files, where there is one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as FilePath

import attrs

from radproof.lean.errors import NoLean
from radproof.lean.serq import against_stub, is_serq

VARIABLE = "RADPROOF_LEAN"
SECONDS = 120.0
"""The time limit for a file; the largest fixture takes a few seconds."""

ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
_THEOREM = re.compile(r"^theorem (\S+)", re.MULTILINE)
_AXIOMS = re.compile(r"'(\S+)' depends on axioms: \[(.*?)\]", re.DOTALL)
_FREE = re.compile(r"'(\S+)' does not depend on any axioms")
_NAMESPACE = re.compile(r"^namespace (\S+)", re.MULTILINE)


@attrs.frozen
class Checked:
    """What a Lean said of a file."""

    file: FilePath
    theorems: int
    verdict: str
    """``checked``, ``fails`` or ``out of time``."""
    seconds: float
    axioms: tuple[str, ...] = ()
    """The axioms that its theorems depend on."""
    message: str = ""
    """The first fault, in words."""


def find_lean(given: str | None = None) -> str:
    """The `lean` to use, from the flag, RADPROOF_LEAN, PATH or elan, in this order.

    Raises NoLean where none is found, or where the named one is not executable.
    """
    for named, where in ((given, "--lean"), (os.environ.get(VARIABLE), VARIABLE)):
        if named:
            found = shutil.which(named)
            if found is None:
                raise NoLean(f"not verified: {where} names {named}, which is not executable.")
            return found
    elan = FilePath(os.environ.get("ELAN_HOME", FilePath.home() / ".elan")) / "bin" / "lean"
    found = shutil.which("lean") or shutil.which(str(elan))
    if found is None:
        raise NoLean(
            "not verified: no lean found. Install one (elan, https://lean-lang.org), or name it "
            f"with --lean or {VARIABLE}. `radproof lean read` checks a file without one."
        )
    return found


def lean_version(lean: str) -> str:
    """What `lean --version` says. Raises NoLean where it does not name a Lean 4."""
    try:
        ran = subprocess.run([lean, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoLean(f"not verified: {lean} --version cannot be run ({error}).") from None
    said = ran.stdout.strip()
    if ran.returncode != 0 or not re.match(r"Lean \(version 4\.", said):
        shown = said or ran.stderr.strip()
        raise NoLean(f"not verified: {lean} is not Lean 4; its --version says {shown[:80]!r}.")
    return said


def verify_files(
    lean: str, files: Iterable[FilePath], jobs: int | None = None, seconds: float = SECONDS
) -> Iterator[Checked]:
    """Check each file in a process of its own, `jobs` at a time; in the order of the files."""
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda file: _check(lean, file, seconds), list(files))


def _check(lean: str, file: FilePath, seconds: float) -> Checked:
    text = file.read_text(encoding="utf-8")
    if is_serq(text):
        text = against_stub(text)
    area = _NAMESPACE.findall(text)[-1]
    theorems = [f"{area}.{name}" for name in _THEOREM.findall(text)]
    questions = "".join(f"#print axioms {name}\n" for name in theorems)
    began = time.monotonic()
    try:
        code, said = _run(lean, file.name, text + questions, seconds)
    except subprocess.TimeoutExpired:
        return Checked(file, len(theorems), "out of time", time.monotonic() - began)
    axioms = axioms_said(said)
    wrong = first_fault(said, theorems, axioms)
    if code != 0 and not wrong:
        wrong = said.strip() or f"lean ended with {code}"
    return Checked(
        file=file,
        theorems=len(theorems),
        verdict="fails" if wrong else "checked",
        seconds=time.monotonic() - began,
        axioms=tuple(sorted(frozenset().union(*axioms.values()))),
        message=wrong,
    )


def _run(lean: str, name: str, text: str, seconds: float) -> tuple[int, str]:
    """A Lean's exit code on a file of this name and text, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        asked = FilePath(folder) / name
        asked.write_text(text, encoding="utf-8")
        ran = subprocess.run(
            [lean, str(asked)], capture_output=True, text=True, timeout=seconds, cwd=folder
        )
    return ran.returncode, (ran.stdout + ran.stderr).replace(str(asked), name)


def axioms_said(said: str) -> dict[str, frozenset[str]]:
    """The axioms of each theorem that a Lean said something of."""
    free = {name: frozenset[str]() for name in _FREE.findall(said)}
    return free | {
        name: frozenset(axiom.strip() for axiom in found.split(","))
        for name, found in _AXIOMS.findall(said)
    }


def first_fault(
    said: str,
    theorems: list[str],
    axioms: Mapping[str, frozenset[str]],
    allowed: frozenset[str] = ALLOWED_AXIOMS,
) -> str:
    """The first fault in what a Lean said; empty where there is none."""
    for line in said.splitlines():
        if ": error" in line or "sorry" in line:
            return line
    for name, used in axioms.items():
        if not used <= allowed:
            return f"{name} uses the axiom {', '.join(sorted(used - allowed))}"
    missing = [name for name in theorems if name not in axioms]
    return f"no answer about the axioms of {missing[0]}" if missing else ""
