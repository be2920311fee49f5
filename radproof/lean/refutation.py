"""What a failing run refutes: that its claim holds in every iteration of every path of a family.

The proof is a term over the file's own theorems: each state is reached, for a theorem says that the
start or a step gives it; and the record of the last one breaks the claim. Its words are core Lean's
of 2021 and of today: the name of `Bool.ne_true_of_eq_false`, which would be shorter, has changed.
Whoever reads such a file compares these theorems with what is written here, word by word.
"""

from __future__ import annotations

import attrs

from radproof.lean.content import Source
from radproof.lean.document import RIGHT, RunNames
from radproof.lean.reader import TermProof, applied
from radproof.lean.tokens import Unreadable, tokens

FAMILIES = {"optimal_tiling": "Tiled node"}
"""The mirror's own names of what a claim asks of a path."""

CORE = frozenset({"Bool", "Eq", "True"})
"""The names of Lean's core that the proofs use."""

BREAKS, RUN = "breaks", RunNames()


@attrs.frozen
class Family:
    """A set of paths in Lean, and the proof that the file's path is one of them."""

    text: str
    inside: str


EVERY_PATH = Family("fun _ => True", "True.intro")


@attrs.frozen
class Proved:
    """A theorem's name, its statement, and the term that proves it."""

    name: str
    statement: str
    proof: str

    @property
    def words(self) -> list[str]:
        """From the name to the end of the proof."""
        text = f"{self.name} : {self.statement} := {self.proof}"
        return [word for _, word, _ in tokens(text)[:-1]]


def given_of(claim: str) -> Family:
    """The paths whose sessions are all as a claim with a given asks."""
    everywhere = f"fun path => List.all path (given_{claim} node) = true"
    return Family(FAMILIES.get(claim, everywhere), f"given_{claim}_path")


def refutation(last: int, claim: str, family: Family) -> list[Proved]:
    """The theorems that the states up to `last` are reached, and `refuted`."""
    found = []
    for place in range(last + 1):
        before = (
            f"(Reach.step {RUN.state(place - 1)} reach_{place - 1})" if place else "Reach.start"
        )
        proof = f"Eq.subst (motive := Reach config path) {RUN.theorem(place)} {before}"
        found.append(Proved(f"reach_{place}", f"Reach config path {RUN.state(place)}", proof))
    statement = f"¬ EveryIteration config ({family.text}) {claim}"
    holds = f"(h path {RUN.state(last)} {family.inside} reach_{last})"
    proof = f"fun h => Bool.noConfusion\n    (Eq.trans (Eq.symm {BREAKS}) {holds})"
    return [*found, Proved("refuted", statement, proof)]


# Reading.


def check_proof(command: TermProof, source: Source) -> None:
    """Raises Unreadable where it is not the next theorem of a refutation of this run."""
    possible = [written[len(source.proofs) :] for written in _written(source)]
    wanted = [rest[0].words for rest in possible if rest]
    if not wanted:
        raise Unreadable(command.line, f"{command.name} is no proof that radproof writes here")
    found = [text for _, text, _ in command.tokens]
    if found in wanted:
        return
    pairs = zip([*found, "nothing more"], [*wanted[0], "nothing more"], strict=False)
    place, (said, expected) = next((k, pair) for k, pair in enumerate(pairs) if pair[0] != pair[1])
    line = command.tokens[min(place, len(found) - 1)][2]
    raise Unreadable(line, f"{command.name}: expected {expected!r}, found {said!r}")


def check_refuted(source: Source) -> None:
    """Raises Unreadable where a claim breaks in a file that does not have the whole refutation."""
    breaks, written = source.theorems.get(BREAKS), _written(source)
    if breaks is None or any(len(theorems) == len(source.proofs) for theorems in written):
        return
    if not written:
        raise Unreadable(breaks.line, f"{BREAKS} is not about the last iteration of the run")
    missing = written[0][len(source.proofs)].name
    raise Unreadable(breaks.line, f"{BREAKS} is there, and {missing}, which follows, is not")


def _written(source: Source) -> list[list[Proved]]:
    """The refutations that radproof writes after these theorems: by the claim's given, or without.

    None where they do not say that the last state of the run has a record that breaks a claim.
    """
    breaks = source.theorems.get(BREAKS)
    states = [name for name in source.of_type(("State",)) if not name.startswith(RIGHT.prefix)]
    if breaks is None or not applied(breaks.left) or not states:
        return []
    claim, record, last = applied(breaks.left), breaks.left[2][-1], len(states) - 1
    moves = ["start config path", *(f"step config {RUN.state(k)}" for k in range(last))]
    run = all(source.says(RUN.theorem(k), move, RUN.state(k)) for k, move in enumerate(moves))
    if not (
        run
        and breaks.left == ("apply", ("name", claim), [("name", "node"), record])
        and breaks.right == ("name", "false")
        and source.field(RUN.state(last), "last") == ("apply", ("name", "some"), [record])
        and source.field("config", "deployment") == ("name", "node")
    ):
        return []
    given = source.says(f"given_{claim}_path", f"List.all path (given_{claim} node)", "true")
    families = [given_of(claim), EVERY_PATH] if given else [EVERY_PATH]
    return [refutation(last, claim, family) for family in families]
