"""A rule is added in one file, and every reader takes it up.

The rule is added to a copy of the package, which is then run. The scheduler and its twins in Lean
call it, since a rule that nobody calls shows nothing; but no list of rules is touched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from radproof.lemmas.obligations import WORLD
from radproof.proof.fingerprint import rules_hash

ROOT = Path(__file__).parent.parent

RULE = '''def rest_after(remaining: Num, tokens: Num) -> Num:
    """What remains of a budget once a job has got its tokens."""
    return monus(remaining, tokens)


'''
FIELD = "    rest_after: Callable[..., Any] = rest_after\n"
FIRST_LINE_OF_THE_BUNDLE = "@attrs.frozen\nclass Rules:\n"
LAST_FIELD = "    left: Callable[..., Any] = attrs.field(default=left, metadata=_COUNTS)\n"

CALLS = {
    "schedulers/rule_form.py": (
        "            remaining -= tokens\n",
        "            remaining = rules.rest_after(remaining, tokens)\n",
    ),
    "lean/twin.py": (
        "        remaining = max(remaining - tokens, 0)\n",
        "        remaining = c.rules.rest_after(remaining, tokens)\n",
    ),
    "lean/mirror.lean": (
        "force (remaining - (t + 1)) (fun less",
        "force (c.rules.restAfter remaining (t + 1)) (fun less",
    ),
}
"""Where the copy calls the rule, instead of the subtraction that stands there."""

SCHEDULER = """
import attrs
from radproof import RULES, RuleScheduler
from radproof.number import monus

twice = RuleScheduler(attrs.evolve(RULES, rest_after=lambda rest, n: monus(rest, 2 * n)))
no_number = RuleScheduler(attrs.evolve(RULES, rest_after=lambda rest, n: max(rest - n, 0)))
"""

PROGRAM = """
import json, sys
import radproof
from click.testing import CliRunner
from radproof import Deployment, Session, leap, run
from radproof.cli.main import main
from radproof.files.paths import PathFile, write
from radproof.lean.definitions import mirror
from radproof.lean.errors import NotTheSame
from radproof.lean.roundtrip import parse_source, read_back
from radproof.lean.sources import export_file
from radproof.readers.terms import Term
from radproof.rules import RULES, SIGNATURES
from counted import twice

def proved(scheduler):
    options = ["--lemma", "duration_pos", "--json", "--no-cache"]
    return CliRunner().invoke(main, ["prove", "--scheduler", scheduler, *options])

path, node = tuple(Session(0, 8, 5) for _ in range(3)), Deployment(b_col=4)
by_step, by_leap = run(path, node, twice), leap(path, node, twice)
names = [Term("name", (name,)) for name in SIGNATURES["rest_after"].parameters]
certificate, of_rad = (json.loads(proved(s).stdout) for s in ("counted:twice", "rad"))
write("path.json", PathFile(sessions=path, deployment=node, scheduler="counted:twice"))
exported = export_file("path.json")
try:
    read_back(exported.text.replace("2 * tokens", "tokens"), "edited")
    edited = ""
except NotTheSame as error:
    edited = str(error)
json.dump(
    {
        "package": radproof.__file__,
        "engine": by_leap.engine,
        "the same": [*by_step.records] == [*by_leap.records]
        and by_step.completions == by_leap.completions,
        "decoders": max(record.decoders for record in by_leap.records),
        "RAD's decoders": max(record.decoders for record in run(path, node).records),
        "text": RULES.rest_after(*names).text(),
        "RAD's hash": of_rad["rules"],
        "hash": certificate["rules"],
        "verdicts": [row["verdict"] for row in certificate["lemmas"]],
        "refused": proved("counted:no_number").stderr,
        "mirror": mirror(),
        "export": exported.text,
        "changed": parse_source(exported.text).definitions["changed"].body,
        "edited": edited,
        "lean's decoders": max(s.last.decoders for s in exported.reading.states if s.last),
    },
    sys.stdout,
)
"""


def _replace(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1, (file, before)
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the copy with one more rule says of itself."""
    folder = tmp_path_factory.mktemp("copy")
    package = folder / "radproof"
    shutil.copytree(ROOT / "radproof", package, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("strategies", "properties"):  # parts of the package, as in the wheel
        shutil.copytree(ROOT / part, package / part, ignore=shutil.ignore_patterns("__pycache__"))
    rules = package / "rules.py"
    _replace(rules, FIRST_LINE_OF_THE_BUNDLE, RULE + FIRST_LINE_OF_THE_BUNDLE)
    _replace(rules, LAST_FIELD, LAST_FIELD + FIELD)
    for place, (before, after) in CALLS.items():
        _replace(package / place, before, after)
    (folder / "counted.py").write_text(SCHEDULER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    assert Path(answers["package"]).is_relative_to(folder)
    return answers


def test_step_and_leap_run_by_it(found: dict[str, Any]) -> None:
    assert found["engine"] == "leap"
    assert found["the same"]
    # a token counts twice, so that a budget of four is spent on two decodes
    assert (found["RAD's decoders"], found["decoders"]) == (3, 2)


def test_it_is_printed(found: dict[str, Any]) -> None:
    assert found["text"] == "if remaining >= tokens then remaining - tokens else 0"


def test_a_proof_is_about_it(found: dict[str, Any]) -> None:
    assert found["verdicts"] == ["proved"]
    assert len({found["hash"], found["RAD's hash"], rules_hash(WORLD)}) == 3
    assert found["refused"].startswith("radproof: rest_after is not arithmetic over numbers")


def test_lean_has_it(found: dict[str, Any]) -> None:
    assert "  left : Nat → Nat → Nat\n  restAfter : Nat → Nat → Nat\n  order :" in found["mirror"]
    assert "restAfter := fun remaining tokens => remaining - tokens" in found["mirror"]


def test_an_exported_run_reads_back_with_the_rule_in_it(found: dict[str, Any]) -> None:
    text = "{ rad with\n    restAfter := fun remaining tokens => remaining - 2 * tokens }"
    assert text in found["export"]
    base, fields = found["changed"][1:]
    assert (base, [*fields]) == ("rad", ["restAfter"])
    assert found["lean's decoders"] == found["decoders"]
    assert "is false" in found["edited"]
