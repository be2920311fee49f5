"""From a file on disk to a test term: a path file, a saved counterexample, or a state file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path as FilePath

import attrs

from radproof.claims import Claim
from radproof.errors import BadInput, RadproofError
from radproof.files import states
from radproof.files.paths import PathFile, parse
from radproof.files.text import read_text, write_text
from radproof.laws import claim_named
from radproof.lean import cti_terms
from radproof.lean.budget import MOST_EVENTS
from radproof.lean.definitions import rule_form
from radproof.lean.document import Document
from radproof.lean.export import Subject, conformance, counterexample, own_claims
from radproof.lean.roundtrip import Reading, compare_with_run, read_back
from radproof.model import SEED
from radproof.runs import run
from radproof.schedulers.loading import load


@attrs.frozen
class Exported:
    """A Lean file's text, and what it holds."""

    text: str
    document: Document
    reading: Reading


def export_file(
    file: str | os.PathLike[str], command: str | None = None, imports: bool = False
) -> Exported:
    """The test term of a file, read back and compared with a fresh run before it is returned.

    `command` says how to make it again; with `imports`, it imports the mirror instead of containing
    it.
    Raises BadInput (NotInLean, TooLarge) naming the file.
    """
    name = FilePath(file).name
    text = read_text(file)
    command = command or f"radproof lean export {'--import ' * imports}{name}"
    try:
        if states.is_state(text):
            document = cti_terms.document(states.parse(text), command, imports)
            return Exported(document.text(), document, read_back(document.text(), name))
        return export(parse(text), name, command, imports)
    except BadInput as error:
        raise type(error)(f"{os.fspath(file)}: {error}") from None


def export(
    found: PathFile, name: str, command: str | None = None, imports: bool = False
) -> Exported:
    """The test term of a path file's content; `name` stands for it in the text."""
    spec = found.scheduler or "rad"
    subject = Subject(
        path=found.sessions,
        deployment=found.deployment or SEED,
        scheduler=rule_form(load(spec)),
        title=found.note or f"The run of {name}",
        command=command or f"radproof lean export {name}",
        horizon=found.horizon,
        notes=(f"Scheduler: {spec}",),
        imports=imports,
    )
    if found.breaks is None:
        run(subject.path, subject.deployment, subject.scheduler, found.horizon, limit=MOST_EVENTS)
        return _compared(conformance(subject), name, subject, {})
    if found.breaks.kind != "claim":
        raise BadInput(
            "the file is about a batch that the machine refuses; Lean's machine takes any batch, "
            "so there is nothing to state."
        )
    claim = claim_named(found.breaks.name)
    document = counterexample(subject, claim, found.breaks.given)
    return _compared(document, name, subject, own_claims([claim]))


def _compared(
    document: Document, name: str, subject: Subject, claims: Mapping[str, Claim]
) -> Exported:
    text = document.text()
    return Exported(text, document, compare_with_run(text, name, subject, claims))


def write_term_beside(file: str | os.PathLike[str]) -> str:
    """Write the test term of a saved counterexample beside it; a line that says where, or why not.

    What cannot be exported raises nothing: the counterexample must be reported all the same.
    """
    target = FilePath(file).with_suffix(".lean")
    try:
        found = export_file(file)
        write_text(target, found.text)
    except RadproofError as error:
        return f"no Lean file: {str(error).removeprefix(f'{os.fspath(file)}: ')}"
    return f"{target} (theorems for {found.document.events} events)"
