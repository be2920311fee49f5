"""``make mutants-of-us``: put faults into the core of radproof, and see whether its tests notice.

Each fault (`operators`) runs against tests that run its line, those of the module's own file
first, then the fastest. It is *killed* by the first that fails. What survives must be in
equivalent.toml, with the reason why no test can tell it from the program; a line there that is
killed, or that no longer exists, is an error. Ends with 0 iff there is nothing to do in the modules
asked about: those of `CORE`, unless some are named.

What is known is kept in build/mutants, and used again while the module, and the test that killed a
fault (all files that ran against one that survived), are unchanged. Remove it for a fresh run.

No library does this here: mutmut leaves decorated functions alone, and every law is one;
cosmic-ray starts a whole test command for each fault, which takes days.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mutation.operators import Mutant, mutants
from mutation.trials import Seen, covered, first_failure

CORE = {
    "": ["machine", "model", "rules", "number", "invariants", "runs"],
    "schedulers/": ["rule_form", "adapters"],
    "laws/": ["ledger", "batch", "along", "path"],
    "evaluators/": ["decide", "rad", "columns", "general"],
    "readers/": ["base", "affine", "intervals", "arrays"],
    "search/": ["search", "minimise", "crosscheck"],
}
MODULES = [f"radproof/{room}{name}.py" for room, names in CORE.items() for name in names]

ROOMS = ("laws", "evaluators", "readers", "schedulers", "search", "report")
LEFT_OUT = ("documents", "examples", "one_edit_site", "packaging", "plugin", "shared", "strategies")
"""Tests of the top folder that start processes of their own, read documents, or take minutes."""

SECONDS = 3.0
"""What the tests beside a module's own may take in all, for one fault."""

KEPT = Path("build/mutants")
EQUIVALENT = Path("tests/mutation/equivalent.toml")


def main(modules: Sequence[str]) -> int:
    """Print a line for each fault that needs an answer, and the table. Returns the exit code."""
    unknown = [module for module in modules if not Path(module).is_file()]
    if unknown:
        print(f"no such module: {unknown[0]}. Give a file, such as {MODULES[0]}", file=sys.stderr)
        return 2
    try:
        seen = what_tests_cover(list(dict.fromkeys([*MODULES, *modules])))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    rows, open_ones = [], 0
    for module in modules or MODULES:
        row, wrong = one_module(module, seen)
        rows.append(row)
        open_ones += wrong
    print(f"\n{'module':38}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'alive':>7}{'seconds':>9}")
    for name, counts, seconds in rows:
        total = sum(counts.values())
        print(
            f"{name:38}{total:8}{counts['killed']:8}{counts['equivalent']:12}"
            f"{counts['alive']:7}{seconds:9.0f}"
        )
    return 1 if open_ones else 0


def one_module(module: str, seen: dict[str, Seen]) -> tuple[tuple[str, Counter[str], float], int]:
    """The row of a module, and how many of its faults and listed ones need an answer."""
    start = time.monotonic()
    listed = [entry for entry in _listed() if entry["module"] == module]
    source = Path(module).read_text(encoding="utf-8")
    verdicts = _Verdicts(module, source)
    counts: Counter[str] = Counter()
    wrong = 0
    for mutant in mutants(source):
        entry = next((entry for entry in listed if _is(entry, mutant)), None)
        if entry is not None:
            listed.remove(entry)
        killer = verdicts.killer(mutant, selected(mutant, module, seen))
        counts["killed" if killer else "equivalent" if entry else "alive"] += 1
        if killer and entry is not None:
            print(f"{module}:{mutant}\n    is listed as equivalent, but killed by {killer}")
            wrong += 1
        elif not killer and entry is None:
            print(f"{module}:{mutant}\n    is alive", flush=True)
            wrong += 1
    for entry in listed:
        print(f"{module}: listed, but no such fault: {entry}")
    return (module, counts, time.monotonic() - start), wrong + len(listed)


def selected(mutant: Mutant, module: str, seen: dict[str, Seen]) -> list[dict[str, float]]:
    """The tests to run, in order, and the seconds of each: the module's own, and others."""
    room, name = f"tests/{module.removeprefix('radproof/')}".rsplit("/", 1)
    own = f"{room}/test_{name}::"
    ran = {test: found.lines.get(module, ()) for test, found in seen.items()}
    asked = {test for test, lines in ran.items() if any(line in mutant.lines for line in lines)}
    if not asked or mutant.at_import:
        asked = {test for test, lines in ran.items() if lines}
    near: dict[str, float] = {}
    far: dict[str, float] = {}
    for test in sorted(asked, key=lambda test: seen[test].seconds):
        seconds = seen[test].seconds
        if test.startswith(own):
            near[test] = seconds
        elif sum(far.values()) + seconds <= SECONDS:
            far[test] = seconds
    return [near, far]


class _Verdicts:
    """What killed each fault of one module, as far as it is known."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, _digest(source)
        self.file = KEPT / f"{module.replace('/', '.')}.json"
        self.known: dict[str, dict[str, Any]] = _read(self.file)

    def killer(self, mutant: Mutant, rounds: list[dict[str, float]]) -> str | None:
        """The test that kills it, or None."""
        name = f"{mutant.where}: {mutant.was} -> {mutant.now} [{mutant.nth}]"
        before = self.known.get(name, {"killer": None, "key": ""})
        killer = before["killer"]
        tests = {test: seconds for each in rounds for test, seconds in each.items()}
        if before["key"] == self._key(killer, tests):
            return killer
        if killer in tests:
            rounds = [{killer: tests[killer]}, *rounds]
        code = mutant.compiled(str(Path(self.module).resolve()))
        failures = (first_failure(each, self.module, code) for each in rounds if each)
        killer = next((failure for failure in failures if failure), None)
        self.known[name] = {"killer": killer, "key": self._key(killer, tests)}
        _write(self.file, self.known)
        return killer

    def _key(self, killer: str | None, tests: dict[str, float]) -> str:
        if killer and "::" in killer:
            return _digest(self.source, _test_alone(killer))
        files = sorted({test.split("::")[0] for test in tests})
        return _digest(self.source, *(Path(file).read_text("utf-8") for file in files))


@cache
def _test_alone(test: str) -> str:
    """The file of a test without the other tests in it: what the test is and what it may use."""
    file, _, name = test.split("[")[0].partition("::")
    tree = ast.parse(Path(file).read_text("utf-8"))
    kept = (node for node in tree.body if getattr(node, "name", name) == name or not _tests(node))
    return "\n".join(map(ast.unparse, kept))


def _tests(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def what_tests_cover(modules: Sequence[str]) -> dict[str, Seen]:
    """What each test of the suite runs of these modules; only changed test files are run again.

    Where a module has changed since, a line counts as run where the same line was run before.
    """
    sources = {m: Path(m).read_text("utf-8") for m in modules if Path(m).is_file()}
    kept = KEPT / "covered.json"
    known: dict[str, Any] = _read(kept) or {"sources": {}, "files": {}}
    version = _digest(*sources.values())
    known["sources"][version] = sources
    for file in suite():
        key = _digest(Path(file).read_text("utf-8"))
        found = known["files"].get(file)
        if (
            found
            and found["key"] == key
            and sources.keys() <= known["sources"][found["sources"]].keys()
        ):
            continue
        print(f"seeing what {file} covers", flush=True)
        tests = {
            name: [round(test.seconds, 3), test.lines]
            for name, test in covered(file, list(sources)).items()
        }
        known["files"][file] = {"key": key, "sources": version, "tests": tests}
        used = {version, *(each["sources"] for each in known["files"].values())}
        known["sources"] = {each: known["sources"][each] for each in used}
        _write(kept, known)
    moved = {
        (version, module): _moved(text, sources[module])
        for version, texts in known["sources"].items()
        for module, text in texts.items()
        if module in sources
    }
    return {
        name: Seen(
            seconds,
            {
                module: [now[line] for line in lines if line in now]
                for module, lines in found.items()
                if (now := moved.get((known["files"][file]["sources"], module)))
            },
        )
        for file in suite()
        for name, (seconds, found) in known["files"][file]["tests"].items()
    }


def _moved(before: str, after: str) -> dict[int, int]:
    """Where each line of a text is now, if it is."""
    ours, theirs = before.splitlines(), after.splitlines()
    blocks = difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return {
        block.a + offset + 1: block.b + offset + 1
        for block in blocks
        for offset in range(block.size)
    }


def suite() -> list[str]:
    """The test files that are run."""
    found = [
        *(file for file in Path("tests").glob("test_*.py") if file.stem[5:] not in LEFT_OUT),
        *(file for room in ROOMS for file in Path("tests", room).glob("test_*.py")),
    ]
    return sorted(map(str, found))


def _listed() -> list[dict[str, Any]]:
    return tomllib.loads(EQUIVALENT.read_text("utf-8")).get("mutant", [])


def _is(entry: dict[str, Any], mutant: Mutant) -> bool:
    place = entry["in"], entry["was"], entry["now"], entry.get("nth", 0)
    return place == (mutant.where, mutant.was, mutant.now, mutant.nth)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def _write(file: Path, value: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".new")
    unfinished.write_text(json.dumps(value, indent=0), encoding="utf-8")
    unfinished.replace(file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
