"""Test terms against serQ's own package: a run in its words, and what breaks a claim in them.

serQ's records, jobs and machines have no decidable equality, so a machine is stated by its numbers,
in one theorem for all the events. The package has only RAD's program, with a deployment of which
the chunk may differ; changed rules are refused.
"""

from __future__ import annotations

import os
import re
from pathlib import Path as FilePath

import attrs

from radproof.claims import CLAIMS, optimal_tiling
from radproof.errors import BadInput
from radproof.files.paths import PathFile, read, sha256
from radproof.lean import twin
from radproof.lean.budget import within_budget
from radproof.lean.comments import escaped
from radproof.lean.definitions import MARK, fill, mirror, rule_form, template
from radproof.lean.errors import NotInLean, NotTheSame, TooLarge
from radproof.lean.literals import truth
from radproof.lean.tokens import check_characters
from radproof.model import SEED, Deployment, Path
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import load

VERSIONS = {"5de1f0db": "serq_5de1f0db.lean"}
"""The template for each supported commit of serQ's Exec.lean. Older ones have fewer fields."""

MOST_SESSIONS = 500
"""serQ's claims are about workloads of at most so many sessions."""

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
    horizon = states[-1].now if found.horizon is None else found.horizon
    theorems = [_events(config, states), _responses(states, found.sessions)]
    theorems += _refuted(states, found.sessions, deployment)
    chunk = deployment.chunk
    title = found.note or f"The run of {name}"
    notes = [f"The path's SHA-256: {sha256(found.sessions)}"]
    notes.append(f"Never edit this file; make it again: {command}")
    parts = {
        "TITLE": escaped(title),
        "NOTES": "\n".join(map(escaped, notes)),
        "PATH": _workload(found.sessions),
        "DEPLOYMENT": "deployment" if chunk == SEED.chunk else _with_chunk(chunk),
        "HORIZON": str(horizon),
        "THEOREMS": "\n\n".join(theorems),
    }
    text = fill(template(VERSIONS[version]), parts)
    return SerqTerm(text, len(states) - 1, len(_THEOREM.findall(parts["THEOREMS"])))


def is_serq(text: str) -> bool:
    """Whether the text is a term against serQ's package."""
    return text.startswith(_IMPORT)


_VALUES = r"(?:[\d\s()\[\],]|true|false)*"
_PARTS = {
    "TITLE": r"(?:(?!/-|-/)[^\n])*",
    "NOTES": r"(?:(?!/-|-/).)*",
    "PATH": r"[\d\s()\[\],]*",
    "DEPLOYMENT": r"(?:deployment|\{ deployment with chunk := \d+ \})",
    "HORIZON": r"\d+",
    "THEOREMS": r"(?P<theorems>.*)",
}
"""What may stand in a template's places."""


def _pattern_of_theorems() -> str:
    """What may stand among a term's theorems: their own text, with any numbers and truths."""
    pattern = "\n\n".join((_events_text("@", "@"), _responses_text("@")))
    refutations = ("\n\n".join(_refutation("@", within)) for within in (True, False))
    either = "|".join(map(re.escape, refutations))
    return f"{re.escape(pattern)}(?:\n\n(?:{either}))?".replace("@", _VALUES)


def theorems(text: str) -> list[str]:
    """The names of a term's theorems. Raises NotTheSame where it is no template, filled."""
    check_characters(text)
    for file in VERSIONS.values():
        pattern = "".join(
            _PARTS[part] if place % 2 else re.escape(part)
            for place, part in enumerate(MARK.split(template(file)))
        )
        found = re.fullmatch(pattern, text, re.DOTALL | re.ASCII)
        if found is not None and re.fullmatch(_pattern_of_theorems(), found["theorems"], re.ASCII):
            return [f"RadproofTerm.{name}" for name in _THEOREM.findall(found["theorems"])]
    raise NotTheSame("it is not a term against serQ's package as radproof writes it.")


def against_stub(text: str) -> str:
    """The term with the stub instead of serQ's package, for a `lean` without the package."""
    package = mirror().strip() + "\n" + template("serq_stub.lean")
    return text.replace(_IMPORT, package).replace(_KERNEL, "by decide")


def _events(config: twin.Config, states: list[twin.State]) -> str:
    rows = ",\n    ".join(_facts(config, state) for state in states)
    return _events_text(len(states) - 1, rows)


def _events_text(count: int | str, rows: str) -> str:
    return f"theorem events : factsOf {count} started =\n  [ {rows} ] := {_KERNEL}"


def _facts(config: twin.Config, state: twin.State) -> str:
    """The numbers of a state; serQ's record before the first iteration is all zeros."""
    i, zeros = state.last, "(0, 0, 0, 0, 0), true, true"
    jobs = ", ".join(f"({j.number}, {config.rules.left(j.total, j.done)})" for j in state.jobs)
    last = zeros
    if i is not None:
        kept = [truth(bool(claim.holds(i, config.deployment))) for claim in CLAIMS.values()]
        numbers = f"({i.start}, {i.served}, {i.tokens}, {i.decoders}, {i.residents})"
        last = ", ".join([numbers, *kept])
    return f"({state.now}, {truth(state.iter_end is not None)}, {last}, [{jobs}])"


def _responses(states: list[twin.State], path: Path) -> str:
    """What RAD's program observes (0), from each arrival to its end; and no preemption."""
    ends = sorted((number, state.now) for state in states for number in state.ended)
    observed = ", ".join(f"({number}, {end - path[number].arrive})" for number, end in ends)
    return _responses_text(observed)


def _responses_text(observed: str) -> str:
    left = "(observed finished 0, finished.preempts)"
    return f"theorem responses : {left} =\n  ([{observed}], 0) := {_KERNEL}"


def _refuted(states: list[twin.State], path: Path, deployment: Deployment) -> list[str]:
    """That not every iteration tiles, where one does not; token_rate is a theorem at any chunk.

    The family is that of serQ's claim, or the same without its hypothesis for a path outside it.
    """
    broken = next(
        (
            k
            for k, state in enumerate(states)
            if state.last is not None and not optimal_tiling.holds(state.last, deployment)
        ),
        None,
    )
    if broken is None:
        return []
    if len(path) > MOST_SESSIONS:
        raise TooLarge(
            f"the path has {len(path)} sessions and breaks optimal_tiling; serQ's claim is about "
            f"at most {MOST_SESSIONS}. Drop sessions, or cut the run before "
            f"t = {states[broken].now}."
        )
    within = all(optimal_tiling.in_scope(session, deployment) for session in path)
    return _refutation(broken, within)


def _refutation(broken: int | str, within: bool) -> list[str]:
    family = "family_optimal_tiling" if within else "family_token_rate"
    parts = [_KERNEL, "rfl", "rfl", "rfl", "rfl", *([_KERNEL] if within else [])]
    return [
        f"theorem in_family : {family} w :=\n  ⟨{', '.join(parts)}⟩",
        _REACHED,
        f"theorem broken : (after {broken} started).iterEnd.isSome = true\n"
        f"    ∧ ¬ OptimalTiling (after {broken} started).last := {_KERNEL}",
        f"theorem not_optimal_tiling : ¬ EveryIteration d {family} prog OptimalTiling :=\n"
        f"  fun every => broken.2 (every w in_family (after {broken} started)\n"
        f"    (reached {broken} started Reach.start) broken.1)",
    ]


_REACHED = """def after : Nat → Machine → Machine
  | 0, m => m
  | k + 1, m => after k (step d m)

theorem reached : (k : Nat) → (m : Machine) → Reach d w prog m → Reach d w prog (after k m)
  | 0, _, there => there
  | k + 1, _, there => reached k _ (Reach.step there)"""


def _with_chunk(chunk: int) -> str:
    return f"{{ deployment with chunk := {chunk} }}"


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
