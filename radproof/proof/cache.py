"""Answers kept under the SHA-256 of the question's text, its budget and the solver's version."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.errors import RadproofError
from radproof.files.text import write_text
from radproof.proof.answers import Answer, Opinion, Outcome
from radproof.proof.questions import Question

PROOFS_FOLDER = FilePath(".radproof/proofs")


@attrs.frozen
class Cache:
    """A folder of answers; None keeps nothing. A file that cannot be read counts as missing."""

    folder: FilePath | None = PROOFS_FOLDER

    def outcome(self, question: Question, version: str) -> Outcome | None:
        """Z3's answer to this question; None: not kept."""
        data = self._read(question.key(version))
        try:
            return (
                None
                if data is None
                else Outcome(
                    verdict=Answer(data["verdict"]),
                    seconds=float(data["seconds"]),
                    rlimit=int(data["rlimit"]),
                    checks=int(data["checks"]),
                    unreached=tuple(data["unreached"]),
                    model=data["model"],
                    reason=str(data["reason"]),
                    cached=True,
                )
            )
        except (KeyError, TypeError, ValueError):
            return None

    def opinion(self, question: Question, version: str) -> Opinion | None:
        """cvc5's answer to this question; None: not kept."""
        data = self._read(question.key(version))
        try:
            return (
                None
                if data is None
                else Opinion(Answer(data["verdict"]), float(data["seconds"]), str(data["reason"]))
            )
        except (KeyError, TypeError, ValueError):
            return None

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

    def _read(self, key: str) -> dict[str, Any] | None:
        if self.folder is None:
            return None
        try:
            data = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None
