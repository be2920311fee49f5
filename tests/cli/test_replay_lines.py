"""Every replay line that a command prints reproduces what it was printed for."""

from __future__ import annotations

import html
import re
import shlex
from pathlib import Path

import attrs
import pytest
from commandline import ROUND_ROBIN, path_file, radproof, refused, user

from radproof.cli import prove
from radproof.laws import checks
from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import COMPOSITION
from radproof.mutants import CATALOGUE
from radproof.mutants.catalogue import Mutant
from radproof.mutants.matrix import plan
from radproof.schedulers.rule_form import in_rule_form
from radproof.search.search import search

FOLDER = "some folder"  # a space in the name, so that a line must be quoted

MUTANTS = [pytest.param(mutant, id=name) for name, mutant in CATALOGUE.items()]
PROVABLE = [
    pytest.param(mutant, id=name)
    for name, mutant in CATALOGUE.items()
    if in_rule_form(mutant.scheduler)
]
ONCE = [
    one.name
    for one in LEMMAS
    if one.encoding != COMPOSITION and re.fullmatch(r"[^\[]+(\[[12]\])?", one.name)
]
"""The lemmas that have a state to replay where they are refuted; of those on whole lists, which are
the same at every length, those of one and two jobs."""


@pytest.fixture(autouse=True)
def _here(here: Path) -> None:
    """Each in a folder of its own."""


def lines_of(output: str) -> list[str]:
    return re.findall(r"^\s*replay:?\s+(radproof replay .*)$", output, re.MULTILINE)


def reproduced(line: str, code: int = 1) -> None:
    """Run a line: it says so, with exit code `code`, or 2 where the scheduler is at fault."""
    program, *arguments = shlex.split(line)
    assert program == "radproof"
    result = radproof(*arguments)
    fault = '"kind": "scheduler"' in Path(arguments[1]).read_text()
    assert result.exit_code == (2 if fault else code), result.output
    assert result.output.endswith("\nreproduced.\n"), result.output


def page_line(page: Path) -> str:
    [line] = set(re.findall(r"radproof (?:replay|check) [^<\n]*", html.unescape(page.read_text())))
    return line


CHECKS = {
    "a claim": ("--scheduler", "radproof.mutants:chunk_127"),
    "a claim of one's own": ("--scheduler", "{user}:one", "--claim", "{user}:few"),
    "a witness": ("--scheduler", "{user}:one", "--claim", "{user}:crowded"),
    "a law by its name": ("--scheduler", "{user}:one", "--claim", "full_or_all_decode"),
    "laws": ("--scheduler", "radproof.mutants:tail_alone", "--laws", "rad"),
    "laws of a clock": ("--scheduler", "radproof.mutants:runs_backwards", "--laws", "engine,rad"),
    "a fault": ("--scheduler", "{user}:raises", "--laws", "engine"),
    "a fault beside a claim": ("--scheduler", "{user}:raises"),
    "an idle engine": ("--scheduler", "radproof.mutants:only_full_decodes", "--laws", "engine"),
    "an impure one": ("--scheduler", "radproof.mutants:turns_by_a_counter", "--laws", "engine"),
}


@pytest.mark.parametrize("options", CHECKS.values(), ids=CHECKS)
def test_check(options: tuple[str, ...]) -> None:
    name = user(ROUND_ROBIN)
    asked = [option.format(user=name) for option in options]
    found = radproof("check", *asked, "--examples", "5", "--out", FOLDER)
    lines = lines_of(found.output)
    assert len(lines) == len([*Path(FOLDER).glob("*.json")]) > 0, found.output
    for line in lines:
        # a witness is found again, and is no failure
        reproduced(line, code=0 if found.exit_code == 0 else 1)
        assert page_line(Path(shlex.split(line)[2]).with_suffix(".html")) == line


@pytest.mark.parametrize("mutant", MUTANTS)
def test_what_is_found_of_a_mutant(mutant: Mutant) -> None:
    asked = {mutant.killed_by: checks()[mutant.killed_by]}
    few = attrs.evolve(plan(mutant), examples=100)
    for finding in search(asked, mutant.loaded, few):
        found = finding.counterexample
        assert found is not None
        [line] = lines_of(found.text(found.save(Path(FOLDER))))
        reproduced(line)


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all: what a change leaves as it is, is proved once and then kept there."""
    return tmp_path_factory.mktemp("proofs")


@pytest.mark.parametrize("mutant", PROVABLE)
def test_prove(mutant: Mutant, proofs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(proofs)
    monkeypatch.setattr(prove, "SHOWN", len(LEMMAS))
    lemmas = [word for name in ONCE for word in ("--lemma", name)]
    out = Path(FOLDER, mutant.name)
    found = radproof("prove", "--scheduler", mutant.spec, *lemmas, "--out", str(out))
    lines = lines_of(found.output)
    assert len(lines) == len([*out.glob("*.json")])
    assert found.exit_code == (1 if "refuted" in found.output else 0), found.output
    for line in lines:
        reproduced(line)


def test_prove_without_the_hypothesis() -> None:
    found = radproof("prove", "--no-given", "--lemma", "rad_start[1]", "--lemma", "rad_batch")
    lines = lines_of(found.output)
    assert lines
    for line in lines:
        reproduced(line)


@pytest.fixture
def saved() -> str:
    asked = ("--scheduler", "radproof.mutants:chunk_127", "--claim", "optimal_tiling")
    [line] = lines_of(radproof("check", *asked, "--examples", "5", "--out", FOLDER).output)
    return shlex.split(line)[2]


@pytest.mark.parametrize("options", [(), ("--scheduler", "radproof.mutants:budget_127")])
def test_explain(saved: str, options: tuple[str, ...]) -> None:
    assert radproof("explain", saved, "--html", "it.html", *options).exit_code == 0
    line = page_line(Path("it.html"))
    assert line.startswith("radproof replay ")
    reproduced(line)


def test_explain_another_claim(saved: str) -> None:
    options = ("--claim", "chunk_starts", "--scheduler", "radproof.mutants:chunk_127")
    assert radproof("explain", saved, "--html", "it.html", *options).exit_code == 0
    line = page_line(Path("it.html"))
    result = radproof(*shlex.split(line)[1:])
    assert (result.exit_code, "chunk_starts" in result.output) == (1, True)


def test_explain_of_a_state_says_what_shows_it() -> None:
    asked = ("--scheduler", "radproof.mutants:one_too_small", "--lemma", "clock_identity")
    [line] = lines_of(radproof("prove", *asked, "--out", FOLDER).output)
    said = refused("explain", shlex.split(line)[2])
    assert line in said
    reproduced(line)


def test_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pytester.path)
    name = user(ROUND_ROBIN)
    result = pytester.runpytest_subprocess(
        *("--pyargs", "radproof.properties", "-m", "claims", "-p", "no:cacheprovider"),
        *(
            "--radproof-profile",
            "dev",
            "--radproof-scheduler",
            f"{name}:one",
            "-k",
            "optimal_tiling",
        ),
    )
    lines = lines_of(result.stdout.str())
    assert lines
    for line in lines:
        reproduced(line)


def test_a_path_of_the_users_has_no_line() -> None:
    file = path_file("[[0, 128, 1]]")
    result = radproof("check", file, "--scheduler", "radproof.mutants:chunk_127")
    assert result.exit_code == 1
    assert lines_of(result.output) == []
