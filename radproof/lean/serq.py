"""Test terms against serQ's own package: the same facts as tuples of naturals.

serQ's records, jobs and machines have no decidable equality, so a state is stated by its numbers.
The package has only RAD's program, with a deployment of which the chunk may differ; changed rules
are refused.
"""

from __future__ import annotations

import os
import re
from pathlib import Path as FilePath

import attrs

from radproof.errors import BadInput
from radproof.files.paths import PathFile, read, sha256
from radproof.lean import twin
from radproof.lean.budget import within_budget
from radproof.lean.comments import escaped
from radproof.lean.definitions import MARK, fill, mirror, rule_form, template
from radproof.lean.errors import NotInLean, NotTheSame
from radproof.lean.tokens import check_characters
from radproof.model import SEED, Path
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import load

VERSIONS = {"5de1f0db": "serq_5de1f0db.lean"}
"""The template for each supported commit of serQ's Exec.lean. Older ones have fewer fields."""

_THEOREM = re.compile(r"^theorem (\w+)", re.MULTILINE)
_KERNEL, _IMPORT = "by decide +kernel", "import Serq.Claims\n"


@attrs.frozen
class SerqTerm:
    """A term against serQ's package."""

    text: str
    events: int
    theorems: int


def export_serq(
    file: str | os.PathLike[str], version: str | None, command: str | None = None
) -> SerqTerm:
    """The term of a path file.

    Raises BadInput for an unknown version, NotInLean for other rules or another deployment.
    """
    if version not in VERSIONS:
        raise BadInput(
            f"--serq-version is {version!r}; it must be a commit of serQ's Exec.lean that has a "
            f"template: {', '.join(VERSIONS)}."
        )
    found = read(file)
    again = f"radproof lean export {FilePath(file).name} --target serq --serq-version {version}"
    try:
        return _term(found, FilePath(file).name, version, command or again)
    except BadInput as error:
        raise type(error)(f"{os.fspath(file)}: {error}") from None


def _term(found: PathFile, name: str, version: str, command: str) -> SerqTerm:
    spec, deployment = found.scheduler or "rad", found.deployment or SEED
    if rule_form(load(spec)) != RuleScheduler() or (
        attrs.evolve(deployment, chunk=SEED.chunk) != SEED
    ):
        raise NotInLean(
            "the serQ target supports only RAD at the default deployment; only `chunk` may differ. "
            "Export changed rules to the mirror."
        )
    _same_order(found.sessions)
    config = twin.Config(deployment)
    states = within_budget(twin.event_states(config, found.sessions, found.horizon), "the run")
    facts, count = _facts(config, states)
    rad = "SerqLang.Claims.BariRad.deployment"
    chunk = deployment.chunk
    title = found.note or f"The run of {name}"
    notes = [f"The path's SHA-256: {sha256(found.sessions)}"]
    notes.append(f"Never edit this file; make it again: {command}")
    parts = {
        "TITLE": escaped(title),
        "NOTES": "\n".join(map(escaped, notes)),
        "PATH": _workload(found.sessions),
        "DEPLOYMENT": rad if chunk == SEED.chunk else f"{{ {rad} with chunk := {chunk} }}",
        "FACTS": facts,
    }
    return SerqTerm(fill(template(VERSIONS[version]), parts), len(states) - 1, count)


def is_serq(text: str) -> bool:
    """Whether the text is a term against serQ's package."""
    return text.startswith(_IMPORT)


_NUMBERS = r"\d+(?:, \d+)*"
_FACT = (
    r"theorem \w+ : (?:\(after \d+\)\.(?:now = \d+|iterEnd\.isSome = (?:true|false))"
    rf"|jobs \(after \d+\) = \[(?:\({_NUMBERS}\)(?:, \({_NUMBERS}\))*)?\]"
    rf"|last \(after \d+\) = \({_NUMBERS}\)) := {re.escape(_KERNEL)}"
)
_PARTS = {
    "TITLE": r"(?:(?!/-|-/)[^\n])*",
    "NOTES": r"(?:(?!/-|-/).)*",
    "PATH": r"[\d\s()\[\],]*",
    "DEPLOYMENT": r"(?:\{ )?SerqLang\.Claims\.BariRad\.deployment(?: with chunk := \d+ \})?",
    "FACTS": rf"(?P<facts>(?:{_FACT}\n\n)*{_FACT})",
}
"""What may stand in a template's places."""


def theorems(text: str) -> list[str]:
    """The names of a term's theorems. Raises NotTheSame where it is no template, filled."""
    check_characters(text)
    for file in VERSIONS.values():
        pattern = "".join(
            _PARTS[part] if place % 2 else re.escape(part)
            for place, part in enumerate(MARK.split(template(file)))
        )
        found = re.fullmatch(pattern, text, re.DOTALL | re.ASCII)
        if found is not None:
            return [f"RadproofTerm.{name}" for name in _THEOREM.findall(found["facts"])]
    raise NotTheSame("it is not a term against serQ's package as radproof writes it.")


def against_stub(text: str) -> str:
    """The term with the stub instead of serQ's package, for a `lean` without the package."""
    package = mirror().strip() + "\n" + template("serq_stub.lean")
    return text.replace(_IMPORT, package).replace(_KERNEL, "rfl")


def _facts(config: twin.Config, states: list[twin.State]) -> tuple[str, int]:
    facts = []
    for k, s in enumerate(states):
        jobs = ", ".join(f"({j.number}, {config.rules.left(j.total, j.done)})" for j in s.jobs)
        running = "true" if s.iter_end is not None else "false"
        facts += [f"theorem now_{k} : (after {k}).now = {s.now} := {_KERNEL}"]
        facts += [f"theorem runs_{k} : (after {k}).iterEnd.isSome = {running} := {_KERNEL}"]
        facts += [f"theorem jobs_{k} : jobs (after {k}) = [{jobs}] := {_KERNEL}"]
        if s.last is not None:
            i = s.last
            row = f"({i.start}, {i.served}, {i.tokens}, {i.decoders}, {i.residents})"
            facts += [f"theorem last_{k} : last (after {k}) = {row} := {_KERNEL}"]
    return "\n\n".join(facts), len(facts)


def _workload(path: Path) -> str:
    rows = [f"[(10, {s.prompt}), (11, {s.output}), (12, {s.arrive})]" for s in path]
    return "[" + ",\n    ".join(rows) + "]"


def _same_order(path: Path) -> None:
    """Raises BadInput where serQ would list the sessions of time 0 in another order.

    It lists those without a prompt after those with one.
    """
    empty = False
    for number, session in enumerate(path):
        if session.arrive == 0 and session.output + session.prompt > 0:
            if empty and session.prompt > 0:
                raise BadInput(
                    f"session {number} has a prompt and arrives at 0 after one without; serQ lists "
                    "those two the other way round. Put the sessions without a prompt last."
                )
            empty = empty or session.prompt == 0
