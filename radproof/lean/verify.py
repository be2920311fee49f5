"""Running a Lean over the emitted files, where there is one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as FilePath

import attrs

from radproof.lean.errors import NoLean
from radproof.lean.serq import against_stub, is_serq

VARIABLE = "RADPROOF_LEAN"
SECONDS = 120.0
"""The time limit of a file; the largest fixture takes a few seconds."""

ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
_THEOREM = re.compile(r"^theorem (\S+)", re.MULTILINE)
_AXIOMS = re.compile(r"'(\S+)' depends on axioms: \[(.*?)\]", re.DOTALL)
_FREE = re.compile(r"'(\S+)' does not depend on any axioms")
_NAMESPACE = re.compile(r"^namespace (\S+)", re.MULTILINE)


@attrs.frozen
class Checked:
    """What a Lean said of a file: verdict ``checked``, ``fails`` or ``out of time``."""

    file: FilePath
    theorems: int
    verdict: str
    seconds: float
    axioms: tuple[str, ...] = ()
    message: str = ""


def find_lean(given: str | None = None) -> str:
    """The `lean` to use: the flag, RADPROOF_LEAN, PATH, elan's, in this order.

    Raises NoLean where there is none, or where the one that is named cannot be run.
    """
    for named, where in ((given, "--lean"), (os.environ.get(VARIABLE), VARIABLE)):
        if named:
            found = shutil.which(named)
            if found is None:
                raise NoLean(f"not verified: {where} names {named}, which is no program to run.")
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
    """What `lean --version` says. Raises NoLean where it says nothing of a Lean 4."""
    try:
        ran = subprocess.run([lean, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoLean(f"not verified: {lean} --version cannot be run ({error}).") from None
    said = ran.stdout.strip()
    if ran.returncode != 0 or not re.match(r"Lean \(version 4\.", said):
        shown = said or ran.stderr.strip()
        raise NoLean(f"not verified: {lean} is no Lean 4; its --version says {shown[:80]!r}.")
    return said


def verify_files(
    lean: str, files: Iterable[FilePath], jobs: int | None = None, seconds: float = SECONDS
) -> Iterator[Checked]:
    """Each file checked in a process of its own, `jobs` at a time; in the order of the files."""
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        yield from pool.map(lambda file: _check(lean, file, seconds), list(files))


def _check(lean: str, file: FilePath, seconds: float) -> Checked:
    text = file.read_text(encoding="utf-8")
    if is_serq(text):
        text = against_stub(text)
    area = _NAMESPACE.findall(text)[-1]
    theorems = [f"{area}.{name}" for name in _THEOREM.findall(text)]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        # Beside the text itself, ask for the axioms of each theorem.
        asked = FilePath(folder) / file.name
        questions = "".join(f"#print axioms {name}\n" for name in theorems)
        asked.write_text(text + questions, encoding="utf-8")
        try:
            ran = subprocess.run(
                [lean, str(asked)], capture_output=True, text=True, timeout=seconds, cwd=folder
            )
        except subprocess.TimeoutExpired:
            return Checked(file, len(theorems), "out of time", time.monotonic() - began)
    said = (ran.stdout + ran.stderr).replace(str(asked), file.name)
    wrong = _wrong(said, theorems)
    if ran.returncode != 0 and not wrong:
        wrong = said.strip() or f"lean ended with {ran.returncode}"
    used = sorted({a.strip() for _, found in _AXIOMS.findall(said) for a in found.split(",")})
    return Checked(
        file=file,
        theorems=len(theorems),
        verdict="fails" if wrong else "checked",
        seconds=time.monotonic() - began,
        axioms=tuple(used),
        message=wrong,
    )


def _wrong(said: str, theorems: list[str]) -> str:
    """The first thing that must not be in what a Lean said; empty where all is well."""
    for line in said.splitlines():
        if ": error" in line or "sorry" in line:
            return line
    for name, found in _AXIOMS.findall(said):
        unexpected = {a.strip() for a in found.split(",")} - ALLOWED_AXIOMS
        if unexpected:
            return f"{name} uses the axiom {', '.join(sorted(unexpected))}"
    answered = {name for name, _ in _AXIOMS.findall(said)} | set(_FREE.findall(said))
    missing = [name for name in theorems if name not in answered]
    return f"no answer about the axioms of {missing[0]}" if missing else ""
