"""The proofs of lean_mirror/Proofs/: what they may consist of, and how a Lean checks them.

They are written by hand, over the lemmas' statements in Fixtures/Lemmas.lean, which this package
generates. A Lean compiles each in the order of its imports; then radproof itself asks for a proof
of each statement, by name and outside the proofs' namespace, and for its axioms. So it does not
matter what a proof file says of itself. `faults` needs no Lean.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path as FilePath

import attrs

from radproof.errors import BadInput
from radproof.files.text import read_text
from radproof.lean.definitions import lemmas
from radproof.lean.errors import NotTheSame
from radproof.lean.frame import IMPORTS, base_of, is_framed
from radproof.lean.verify import SECONDS, Checked, judged

FOLDER, STATED, NAMESPACE = "Proofs", "Fixtures.Lemmas", "Radproof.Proved"
ALLOWED = frozenset({"propext"})
"""The axioms that a proof may use: core Lean's own lemmas of numbers may bring it in."""

LEAP = IMPORTS["proofs"].split()[1]
"""The proof that a file in stretches imports."""

_COMMANDS = ("import", "namespace", "end", "theorem", "def", "structure")
"""What may begin at the start of a line."""

_FORBIDDEN = re.compile(
    r"\b(sorry|admit|axiom|decide|native\w*|unsafe|opaque|extern|implemented_by|partial|private"
    r"|protected|noncomputable|set_option|attribute|instance|deriving|macro\w*|notation\w*|syntax"
    r"|infix\w*|prefix|postfix|elab\w*|declare_\w+|builtin_\w+|initialize|open|export|local|scoped"
    r"|section|variables?|universes?|abbrev|constant|example|inductive|class|mutual|run_\w+|by_elab"
    r"|eval\w*|simproc\w*|register_\w+|unif_hint)\b|@\[|[#\"\u00ab]"
)
"""Words that assume something, run something, or change what the text means."""

_COMMENT, _IN_BLOCK = re.compile(r"/-|--[^\n]*"), re.compile(r"/-|-/")
_COLUMN_0 = re.compile(r"^[^\s].*", re.MULTILINE)
_DECLARED = re.compile(r"^(theorem|def|structure) (\S+)(.*?)(?: :=|$)", re.MULTILINE)
_STATEMENT = re.compile(r"^def (\w+) : Prop :=", re.MULTILINE)
_IMPORT = re.compile(r"^import (\S+)$", re.MULTILINE)


@attrs.frozen
class Proof:
    """A file of Proofs/: its module, its text, and what it imports."""

    file: FilePath
    text: str

    @property
    def module(self) -> str:
        """As Lean imports it: Proofs.Rate."""
        return f"{FOLDER}.{self.file.stem}"

    @property
    def imports(self) -> list[str]:
        """The modules, in order."""
        return _IMPORT.findall(without_comments(self.text))

    @property
    def theorems(self) -> list[str]:
        """The names of its theorems, in order, each with the namespace."""
        return [
            f"{NAMESPACE}.{name}" for kind, name, _ in _declared(self.text) if kind == "theorem"
        ]


def statements() -> list[str]:
    """The names of the lemmas' statements, in order: the definitions of type Prop."""
    return _STATEMENT.findall(without_comments(lemmas()))


def in_order(root: FilePath) -> list[Proof]:
    """The files of Proofs/, each after those that it imports.

    Raises BadInput where there is none, or one imports what is neither there nor the statements.
    """
    found = {p.module: p for p in (Proof(f, read_text(f)) for f in _files(root))}
    if not found:
        raise BadInput(f"{root / FOLDER} has no proofs. Run this on radproof's own lean_mirror.")
    ordered: dict[str, Proof] = {}

    def place(module: str, above: tuple[str, ...]) -> None:
        if module in ordered or module == STATED:
            return
        proof = found.get(module)
        if proof is None or module in above:
            fault = "is not there" if proof is None else "imports itself"
            raise BadInput(f"{FOLDER}: {module} {fault} (imported by {above[-1]}).")
        for imported in proof.imports:
            place(imported, (*above, module))
        ordered[module] = proof

    for module in sorted(found):
        place(module, ())
    return list(ordered.values())


def faults(found: Sequence[Proof]) -> list[str]:
    """What in these files no proof may have, and which statements have no theorem of their name."""
    wrong = [fault for proof in found for fault in _faults(proof)]
    proved = [
        (name, rest.strip())
        for proof in found
        for kind, name, rest in _declared(proof.text)
        if kind == "theorem"
    ]
    for name in statements():
        types = [rest for theorem, rest in proved if theorem == name]
        if types != [f": Radproof.{name}"]:
            has = " and ".join(types) or "none"
            wrong.append(
                f"{FOLDER}: {name} wants one theorem {name} : Radproof.{name}; it has {has}"
            )
    return wrong


def refuse_faulty(found: Sequence[Proof]) -> None:
    """Raises BadInput where `faults` has something to say."""
    wrong = faults(found)
    if wrong:
        raise BadInput("\n".join(wrong))


def verify_proofs(
    lean: str, root: FilePath, found: Sequence[Proof], seconds: float = SECONDS
) -> Iterator[Checked]:
    """Compile the proofs in order, then ask for each statement as it stands in the lemmas.

    The last row is that question, under the name of the folder. Raises BadInput where `faults` has
    something to say.
    """
    refuse_faulty(found)
    return _compiled(lean, root, found, seconds)


def _compiled(
    lean: str, root: FilePath, found: Sequence[Proof], seconds: float
) -> Iterator[Checked]:
    with tempfile.TemporaryDirectory() as folder:
        run = _Run(lean, FilePath(folder), seconds)
        stated = run.check(root / (STATED.replace(".", "/") + ".lean"), STATED, lemmas(), [])
        yield from (row for row in stated if run.failed)
        for proof in found:
            yield from run.check(proof.file, proof.module, proof.text, proof.theorems)
        names = [asked_as(name) for name in statements()]
        yield from run.check(root / FOLDER, "AsStated", as_stated(found), names)


def compile_for_leaps(
    lean: str, root: FilePath, folder: FilePath, seconds: float = SECONDS
) -> None:
    """Compile into a folder the proofs that a file in stretches imports.

    Raises BadInput as `verify_proofs` does, and NotTheSame where one of them fails.
    """
    found = in_order(root)
    refuse_faulty(found)
    run = _Run(lean, folder, seconds)
    rows = list(run.check(root / FOLDER, STATED, lemmas(), []))
    for proof in _below(found, LEAP):
        rows += run.check(proof.file, proof.module, proof.text, proof.theorems)
    for row in rows:
        if row.verdict != "checked":
            raise NotTheSame(
                f"not verified: a file imports {LEAP}, and {lean} does not compile it: {row.file}: "
                f"{row.message or row.verdict}"
            )


def _below(found: Sequence[Proof], module: str) -> list[Proof]:
    """A proof with those that it imports, and those that they import, in order."""
    needed = {module}
    for proof in reversed(found):
        if proof.module in needed:
            needed.update(proof.imports)
    return [proof for proof in found if proof.module in needed]


def refuse_alone(files: Iterable[FilePath]) -> None:
    """Raises BadInput for a file of the proofs, or one that imports the statements."""
    for file in files:
        text = read_text(file)
        if base_of(text) == "proofs" and is_framed(text):
            continue
        imports = _IMPORT.findall(without_comments(text))
        if any(name == STATED or name.startswith(f"{FOLDER}.") for name in imports):
            raise BadInput(
                f"{file} imports {imports[0]}, so it cannot be checked alone. `radproof lean "
                "verify` without FILES compiles the proofs in order."
            )


def as_stated(found: Sequence[Proof]) -> str:
    """The question: each statement, proved by the theorem of its name."""
    imports = "".join(f"import {proof.module}\n" for proof in found)
    return imports + "\n".join(asked())


def asked() -> list[str]:
    """A theorem for each statement: the one of its name proves it."""
    return [
        f"theorem {asked_as(name)} : Radproof.{name} := {NAMESPACE}.{name}" for name in statements()
    ]


def asked_as(name: str) -> str:
    """The name of that theorem."""
    return f"AsStated.{name}"


@attrs.define
class _Run:
    """One folder of compiled modules; after the first that fails nothing more is checked."""

    lean: str
    folder: FilePath
    seconds: float
    failed: bool = False

    def check(
        self, file: FilePath, module: str, text: str, theorems: list[str]
    ) -> Iterator[Checked]:
        """Compile a module, and ask for the axioms of its theorems."""
        if self.failed:
            return
        asked = self.folder / (module.replace(".", "/") + ".lean")
        asked.parent.mkdir(exist_ok=True)
        questions = "".join(f"\n#print axioms {name}" for name in theorems)
        asked.write_text(f"{text}\n{questions}\n", encoding="utf-8")
        began = time.monotonic()
        try:
            code, said = self._lean(asked.relative_to(self.folder))
        except subprocess.TimeoutExpired:
            self.failed = True
            yield Checked(file, len(theorems), "out of time", time.monotonic() - began)
            return
        found = judged(file, theorems, code, said, time.monotonic() - began, ALLOWED)
        self.failed = found.verdict == "fails"
        yield found

    def _lean(self, asked: FilePath) -> tuple[int, str]:
        compiled = asked.with_suffix(".olean")
        ran = subprocess.run(
            [self.lean, "-o", str(compiled), str(asked)],
            capture_output=True,
            text=True,
            timeout=self.seconds,
            cwd=self.folder,
            env={**os.environ, "LEAN_PATH": str(self.folder)},
        )
        return ran.returncode, ran.stdout + ran.stderr


def _files(root: FilePath) -> list[FilePath]:
    return sorted((root / FOLDER).glob("*.lean"))


@cache
def without_comments(text: str) -> str:
    """The text with its comments gone, as Lean reads them: blocks may stand in one another."""
    kept, depth, place = [], 0, 0
    while found := (_IN_BLOCK if depth else _COMMENT).search(text, place):
        if depth == 0:
            kept.append(text[place : found.start()])
        depth += {"/-": 1, "-/": -1}.get(found.group(), 0)
        place = found.end()
    return "".join(kept) + ("" if depth else text[place:])


def without_imports(text: str) -> str:
    """The text of a proof file for one file that has everything in it."""
    return _IMPORT.sub("", text)


def _declared(text: str) -> list[tuple[str, str, str]]:
    """Kind, name and the rest of the line, up to `:=`, of each declaration."""
    return _DECLARED.findall(without_comments(text))


def _faults(proof: Proof) -> list[str]:
    text = without_comments(proof.text)
    name = f"{FOLDER}/{proof.file.name}"
    wrong = [
        f"{name}: {line!r} begins no {', '.join(_COMMANDS)}"
        for line in _COLUMN_0.findall(text)
        if line.split()[0] not in _COMMANDS
    ]
    wrong += [
        f"{name}: {word.group()!r} has no place in a proof" for word in _FORBIDDEN.finditer(text)
    ]
    spaces = [line for line in _COLUMN_0.findall(text) if line.startswith(("namespace", "end"))]
    if spaces != [f"namespace {NAMESPACE}", f"end {NAMESPACE}"]:
        wrong.append(f"{name}: all of it stands in one namespace, {NAMESPACE}")
    taken = set(statements())
    for kind, declared, _ in _declared(proof.text):
        if "." in declared or (kind != "theorem" and declared in taken):
            wrong.append(f"{name}: {kind} {declared} takes a name that is not its own")
    return wrong
