"""A second opinion: cvc5 on the same SMT-LIB text, through its Python package (extra `cvc5`)."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from radproof.errors import RadproofError
from radproof.proof.answers import Answer, Opinion

if TYPE_CHECKING:
    import cvc5

    from radproof.proof.questions import Question

RLIMIT = 300_000
"""cvc5's resource units for a lemma (`rlimit-per`); the hardest needs less than half of them."""


def demand() -> None:
    """Raises RadproofError, with the remedy, where cvc5 is not installed."""
    if importlib.util.find_spec("cvc5") is None:
        raise RadproofError(
            "cvc5 is not installed. Install the extra (pip install 'radproof[cvc5]'), or ask Z3 "
            "alone with --solver z3."
        )


def version() -> str:
    """The solver's name and version, as a cache key and a report have it."""
    demand()
    import cvc5

    return f"cvc5 {cvc5.__version__}"


def ask(name: str, text: str, proof: bool = False) -> Opinion:
    """Ask cvc5 the text of one question; with `proof`, keep its proof (CPC) where it says unsat."""
    demand()
    import cvc5

    started = time.perf_counter()
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("rlimit-per", str(RLIMIT))
    if proof:
        solver.setOption("produce-proofs", "true")
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, name)
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += str(command.invoke(solver, symbols))
    answer = said.strip()
    verdict = {"unsat": Answer.PROVED, "sat": Answer.REFUTED}.get(answer, Answer.UNKNOWN)
    kept = _proof(solver) if proof and verdict is Answer.PROVED else None
    reason = answer if verdict is Answer.UNKNOWN else ""
    return Opinion(verdict, time.perf_counter() - started, reason, kept)


class Worker:
    """cvc5 in a process of its own, so that it works while Z3 does: started here, read at the end.

    Raises RadproofError where the process ends without its answers.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        demand()
        self._names = [question.lemma.name for question in questions]
        self._process: subprocess.Popen[str] | None = None
        if questions:
            # from a file rather than a pipe, so that neither process waits for the other to read
            with tempfile.TemporaryFile("w+", encoding="utf-8") as asked:
                json.dump([[q.lemma.name, q.text] for q in questions], asked)
                asked.seek(0)
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__],
                    stdin=asked,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                )

    def opinions(self) -> list[Opinion]:
        """cvc5's opinions, in the order of the questions."""
        if self._process is None:
            return []
        said, _ = self._process.communicate()
        try:
            rows = json.loads(said)
        except ValueError:
            rows = []
        if len(rows) != len(self._names):
            raise RadproofError(
                f"cvc5's process ended with code {self._process.returncode} and without its "
                "answers. Run it again, or ask Z3 alone with --solver z3."
            )
        return [Opinion(Answer(verdict), seconds, reason) for verdict, seconds, reason in rows]

    def stop(self) -> None:
        """End the process if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def _proof(solver: cvc5.Solver) -> str:
    from cvc5 import ProofComponent, ProofFormat

    proofs = solver.getProof(ProofComponent.FULL)
    texts = (solver.proofToString(proof, ProofFormat.CPC) for proof in proofs)
    return "\n".join(text.decode() if isinstance(text, bytes) else text for text in texts)


def _main() -> None:
    """The worker: questions as JSON on standard input, opinions as JSON on standard output."""
    found = [ask(name, text) for name, text in json.load(sys.stdin)]
    json.dump([[one.verdict.value, one.seconds, one.reason] for one in found], sys.stdout)


if __name__ == "__main__":
    _main()
