"""Answers kept under the SHA-256 of the question's text, its budget and the solver's version."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, TypeVar

import attrs

from radproof.errors import RadproofError
from radproof.files.text import write_text
from radproof.proof.answers import Answer, Opinion, Outcome
from radproof.proof.questions import Question

Answered = TypeVar("Answered", Outcome, Opinion)

PROOFS_FOLDER = FilePath(".radproof/proofs")


@attrs.frozen
class Cache:
    """A folder of answers; None keeps nothing. A file that cannot be read counts as missing.

    So does *unknown*: a later radproof may know a way to ask.
    """

    folder: FilePath | None = PROOFS_FOLDER

    def outcome(self, question: Question, version: str) -> Outcome | None:
        """Z3's answer to this question; None: not kept."""
        return self._kept(question, version, _outcome)

    def opinion(self, question: Question, version: str) -> Opinion | None:
        """cvc5's answer to this question; None: not kept."""
        return self._kept(question, version, _opinion)

    def keep(self, question: Question, version: str, answer: Outcome | Opinion) -> None:
        """Keep an answer; where the folder cannot be written, keep nothing and raise nothing."""
        if self.folder is None:
            return
        data = attrs.asdict(answer) | {"lemma": question.lemma.name, "solver": version}
        for name in ("cached", "proof"):
            data.pop(name, None)
        text = json.dumps(data, indent=1, sort_keys=True) + "\n"
        with contextlib.suppress(RadproofError):
            write_text(self.folder / f"{question.key(version)}.json", text)

    def _kept(
        self, question: Question, version: str, build: Callable[[Any], Answered]
    ) -> Answered | None:
        if self.folder is None:
            return None
        file = self.folder / f"{question.key(version)}.json"
        try:
            kept = build(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return None if kept.verdict is Answer.UNKNOWN else kept


def _outcome(data: Mapping[str, Any]) -> Outcome:
    return Outcome(
        verdict=Answer(data["verdict"]),
        seconds=float(data["seconds"]),
        rlimit=int(data["rlimit"]),
        checks=int(data["checks"]),
        unreached=tuple(data["unreached"]),
        model=data["model"],
        reason=str(data["reason"]),
        cached=True,
    )


def _opinion(data: Mapping[str, Any]) -> Opinion:
    return Opinion(Answer(data["verdict"]), float(data["seconds"]), str(data["reason"]))
