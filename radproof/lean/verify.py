"""Running a Lean over the emitted files, where there is one.

A Lean gets a copy of a file that radproof wrote (`written.py`), with a question about the axioms of
each theorem behind it; only its answers count. What a file says of itself does not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as FilePath

import attrs

from radproof.files.text import write_text
from radproof.lean.definitions import MODULE, mirror
from radproof.lean.errors import NoLean, NotTheSame
from radproof.lean.frame import base_of, read_source
from radproof.lean.serq import against_stub, is_serq
from radproof.lean.written import theorems_of

VARIABLE = "RADPROOF_LEAN"
SECONDS = 120.0
"""The time limit for a file; the largest fixture takes a few seconds."""

ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
_AXIOMS = re.compile(r"'(\S+)' depends on axioms: \[(.*?)\]", re.DOTALL)
_FREE = re.compile(r"'(\S+)' does not depend on any axioms")


@attrs.frozen
class Checked:
    """What a Lean said of a file."""

    file: FilePath
    theorems: int
    verdict: str
    """``checked``, ``fails``, ``refused`` (radproof did not write it) or ``out of time``."""
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
            return os.path.abspath(found)
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
    lean: str,
    files: Iterable[FilePath],
    jobs: int | None = None,
    seconds: float = SECONDS,
    compile_proofs: Callable[[FilePath], None] | None = None,
) -> Iterator[Checked]:
    """Check each file in a process of its own, `jobs` at a time; in the order of the files.

    compile_proofs: compiles into a folder what files in stretches import, if one of them does.
    Raises BadInput where a file is not text; NotTheSame or NoLean where a Lean does not compile the
    mirror that a file imports.
    """
    texts = [(file, read_source(file)) for file in files]
    with tempfile.TemporaryDirectory() as library:
        if any(base_of(text) == "mirror" for _, text in texts):
            _compile_mirror(lean, FilePath(library), seconds)
        if compile_proofs and any(base_of(text) == "proofs" for _, text in texts):
            compile_proofs(FilePath(library))
        with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
            yield from pool.map(
                lambda found: _check(lean, library, found[0], found[1], seconds), texts
            )


def _compile_mirror(lean: str, library: FilePath, seconds: float) -> None:
    """Compile this version's mirror for the files that import it."""
    write_text(library / f"{MODULE}.lean", mirror().strip() + "\n")
    command = [lean, "-o", f"{MODULE}.olean", f"{MODULE}.lean"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=library)
    except subprocess.TimeoutExpired:
        raise NoLean(
            f"not verified: {lean} takes more than {seconds:g} s to compile the mirror, which a "
            "file imports. Give it more with --seconds."
        ) from None
    if ran.returncode != 0:
        raise NotTheSame(f"{lean} does not compile the mirror: {(ran.stdout + ran.stderr).strip()}")


def _check(lean: str, library: str, file: FilePath, text: str, seconds: float) -> Checked:
    try:
        theorems = theorems_of(text)
    except NotTheSame as error:
        return Checked(file, 0, "refused", 0.0, message=_refusal(error))
    if is_serq(text):
        text = against_stub(text)
    questions = "".join(f"#print axioms {name}\n" for name in theorems)
    began = time.monotonic()
    try:
        code, said = _run(lean, library, file.name, text + questions, seconds)
    except subprocess.TimeoutExpired:
        return Checked(file, len(theorems), "out of time", time.monotonic() - began)
    return judged(file, theorems, code, said, time.monotonic() - began)


def judged(
    file: FilePath,
    theorems: list[str],
    code: int,
    said: str,
    seconds: float,
    allowed: frozenset[str] = ALLOWED_AXIOMS,
) -> Checked:
    """What a Lean's exit code and its words say of a file with these theorems."""
    axioms = axioms_said(said)
    wrong = first_fault(said, theorems, axioms, allowed)
    if code != 0 and not wrong:
        wrong = said.strip() or f"lean ended with {code}"
    return Checked(
        file=file,
        theorems=len(theorems),
        verdict="fails" if wrong else "checked",
        seconds=seconds,
        axioms=tuple(sorted(frozenset[str]().union(*axioms.values()))),
        message=wrong,
    )


def _refusal(error: NotTheSame) -> str:
    return f"{str(error).removesuffix('.')}; radproof did not write this, so no Lean was run on it"


def _run(lean: str, library: str, name: str, text: str, seconds: float) -> tuple[int, str]:
    """A Lean's exit code on a file of this name and text, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        asked = FilePath(folder) / "Asked.lean"
        write_text(asked, text)
        ran = subprocess.run(
            [lean, str(asked)],
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=folder,
            env={**os.environ, "LEAN_PATH": library},
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
