"""The files of lean_mirror/ that are generated: the mirror, the lemmas' statements, the fixtures.

A fixture's source is a path file or a state file in ``lean_mirror/sources/<group>/<name>.json``;
`export` makes its text. Only the sources and this package go into it, so the bytes are the same on
every machine.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path as FilePath

import attrs

from radproof.errors import BadInput
from radproof.files.text import write_text
from radproof.lean.definitions import MODULE, lemmas, mirror
from radproof.lean.drift import check_drift, check_leaps
from radproof.lean.interpret import leaping, machine
from radproof.lean.serq import against_stub, export_serq
from radproof.lean.sources import export_file

SOURCES, FIXTURES, SERQ, STUB = "sources", "Fixtures", "serq", "SerqStub"
SERQ_TERMS = ("arrival-at-end", "chunk-of-64", "ragged-pair", "ragged-thirteen")
SERQ_VERSION = "5de1f0db"
_MODULE = re.compile("[A-Z][A-Za-z0-9]*")
COMMAND = "radproof lean fixtures --bless"


@attrs.frozen
class Fixture:
    """A generated file: its place under lean_mirror/, its text, and how much it states."""

    place: str
    text: str
    events: int = 0
    theorems: int = 0

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return len(self.text.encode())


def find_root(given: str | None = None) -> FilePath:
    """The folder lean_mirror/. Raises BadInput where it is neither here nor the given one."""
    root = FilePath(given) if given else FilePath.cwd() / "lean_mirror"
    if not (root / SOURCES).is_dir():
        raise BadInput(
            f"{root} has no folder {SOURCES}/, so it is not lean_mirror. Run this at the top of "
            "radproof's repository, or name the folder with --root."
        )
    return root


def whole_files() -> dict[str, str]:
    """The files that no source changes: the mirror, the lemmas' statements, serQ's stub."""
    head = f"/- Generated; never edit it: {COMMAND} -/\n\n"
    text = mirror().strip()
    return {
        f"{MODULE}.lean": f"{head}{text}\n",
        f"{FIXTURES}/Lemmas.lean": head + lemmas(),
        f"{STUB}.lean": head + against_stub("import Serq.Claims\n").strip() + "\n",
    }


def generate(root: FilePath, progress: Callable[[str], None] = lambda name: None) -> list[Fixture]:
    """Every generated file, in order of their places.

    Raises BadInput for a source without a name of its own; NotTheSame where the mirror's text and
    Python differ (`drift.py`), or a file and a run.
    """
    sources = sorted((root / SOURCES).glob("*/*.json"))
    places = _places(sources)
    check_drift(machine())
    check_leaps(leaping(machine()))
    found = [Fixture(place, text) for place, text in whole_files().items()]
    for name in SERQ_TERMS:
        source = root / SOURCES / "conformance" / f"{name}.json"
        term = export_serq(source, SERQ_VERSION, COMMAND)
        place = f"{SERQ}/{_title(name)}.lean"
        found.append(Fixture(place, term.text, term.events, term.theorems))
    for source, place in zip(sources, places, strict=True):
        exported = export_file(source, COMMAND)
        document = exported.document
        found.append(Fixture(place, exported.text, document.events, document.theorems))
        progress(place)
    return sorted(found, key=lambda fixture: fixture.place)


def stale(root: FilePath, found: list[Fixture]) -> str:
    """A diff from what is on disk to what should be there; empty where no file is stale."""
    wanted = {fixture.place: fixture.text for fixture in found}
    diffs = []
    for place in sorted({*wanted, *_on_disk(root)}):
        file = root / place
        before = file.read_bytes().decode("utf-8", "replace") if file.is_file() else ""
        after = wanted.get(place, "")
        if before != after:
            lines = difflib.unified_diff(
                before.splitlines(keepends=True),
                after.splitlines(keepends=True),
                f"{place} (on disk)",
                f"{place} (generated)",
                n=1,
            )
            diffs.append("".join(lines) or f"{place}: the files differ in their line ends\n")
    return "".join(diffs)


def _places(sources: list[FilePath]) -> list[str]:
    """The fixture of each source. Raises BadInput where two sources have one, or no module's name.

    Some disks hold one file for two names that differ in their case alone.
    """
    taken: dict[str, FilePath] = {}
    places = []
    for source in sources:
        group, name = _title(source.parent.name), _title(source.stem)
        for title, of in ((group, source.parent), (name, source)):
            if not _MODULE.fullmatch(title):
                raise BadInput(
                    f"{of}: {of.stem!r} makes no name of a Lean module ({title!r}). Rename it: "
                    "letters of a to z and digits, joined with - or _, a letter first."
                )
        places.append(f"{FIXTURES}/{group}/{name}.lean")
        other = taken.setdefault(places[-1].casefold(), source)
        if other is not source:
            raise BadInput(
                f"{source} and {other.name} would both be written to {places[-1]}. Rename one of "
                "them: - and _ are left out of a module's name, and case does not count."
            )
    return places


def bless(root: FilePath, found: list[Fixture]) -> list[str]:
    """Write every stale file and delete those without a source; a line for each of both."""
    wanted = {fixture.place: fixture.text for fixture in found}
    changed = []
    for place in sorted({*wanted, *_on_disk(root)}):
        file = root / place
        if place not in wanted:
            file.unlink()
            changed.append(f"deleted: {place}")
        elif file.is_file() and file.read_bytes() == wanted[place].encode():
            continue
        else:
            write_text(file, wanted[place])
            changed.append(f"written: {place}")
    return changed


def emitted(root: FilePath) -> list[FilePath]:
    """The generated files on disk that a Lean can check, each on its own."""
    alone = (f"{MODULE}.lean", f"{STUB}.lean")
    return [root / place for place in (*alone, *sorted(_on_disk(root)))]


def _on_disk(root: FilePath) -> list[str]:
    files = [*(root / FIXTURES).glob("**/*.lean"), *(root / SERQ).glob("*.lean")]
    return [file.relative_to(root).as_posix() for file in files]


def _title(name: str) -> str:
    """A Lean module's name from a file's: arrival-at-end is ArrivalAtEnd."""
    return "".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").split("-"))
