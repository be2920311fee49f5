"""What a failing run refutes: that its claim holds in every iteration of every path of a family.

The proof is a term over the file's own theorems: each state is reached, for a theorem says that the
start or a step gives it; and the record of the last one breaks the claim. Its words are core Lean's
of 2021 and of today: the name of `Bool.ne_true_of_eq_false`, which would be shorter, has changed.
Whoever reads such a file compares these theorems with what is written here, word by word.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from radproof.lean.content import Source
from radproof.lean.reached import FILLS, RIGHT, RUN, Proved, reach, reached
from radproof.lean.reader import Expression, TermProof, applied, expression
from radproof.lean.tokens import Token, Unreadable

FAMILIES = {"optimal_tiling": "Tiled node"}
"""The mirror's own names of what a claim asks of a path."""

CORE = frozenset({"Bool", "Eq", "List", "True"})
"""The names of Lean's core that the proofs use."""

BREAKS = "breaks"


@attrs.frozen
class Family:
    """A set of paths in Lean, and the proof that the file's path is one of them."""

    text: str
    inside: str


EVERY_PATH = Family("fun _ => True", "True.intro")


def given_of(claim: str) -> Family:
    """The paths whose sessions are all as a claim with a given asks."""
    everywhere = f"fun path => List.all path (given_{claim} node) = true"
    return Family(FAMILIES.get(claim, everywhere), f"given_{claim}_path")


def refutation(events: Sequence[int], claim: str, family: Family) -> list[Proved]:
    """The theorems that the states are reached, by so many events each, and `refuted`."""
    last = len(events) - 1
    statement = f"¬ EveryIteration config ({family.text}) {claim}"
    holds = f"(h path {RUN.state(last)} {family.inside} {reach(last)})"
    proof = f"fun h => Bool.noConfusion\n    (Eq.trans (Eq.symm {BREAKS}) {holds})"
    reaching = [reached(place, more) for place, more in enumerate(events)]
    return [*reaching, Proved("refuted", statement, proof)]


# Reading.


def check_proof(command: TermProof, source: Source) -> None:
    """Raises Unreadable where it is not the next theorem that radproof proves by a term here."""
    possible = [written[len(source.proofs) :] for written in _written(source)]
    wanted = [rest[0].words for rest in possible if rest]
    if not wanted:
        raise Unreadable(command.line, f"{command.name} is no proof that radproof writes here")
    check_words(command.name, command.tokens, wanted)


def check_words(name: str, found: Sequence[Token], wanted: Sequence[list[str]]) -> None:
    """Raises Unreadable where the tokens are none of these, at the first that the first has not."""
    said = [text for _, text, _ in found]
    if said in wanted:
        return
    pairs = zip([*said, "nothing more"], [*wanted[0], "nothing more"], strict=False)
    place, (word, expected) = next((k, pair) for k, pair in enumerate(pairs) if pair[0] != pair[1])
    line = found[min(place, len(said) - 1)][2]
    raise Unreadable(line, f"{name}: expected {expected!r}, found {word!r}")


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
    """What radproof may prove by terms after these theorems, in order.

    That the states are reached, in a file in stretches from the first on; and where the last one
    has a record that breaks a claim, the refutation, by the claim's given or without.
    """
    events = moves(source)
    fills = [FILLS] if source.leaps else []
    reaching = [reached(place, more) for place, more in enumerate(events)]
    found = [[*fills, *reaching]] if source.leaps else []
    breaks = source.theorems.get(BREAKS)
    states = [name for name in source.of_type(("State",)) if not name.startswith(RIGHT.prefix)]
    if breaks is None or not applied(breaks.left) or not states:
        return found
    claim, record, last = applied(breaks.left), breaks.left[2][-1], len(states) - 1
    if not (
        len(events) == len(states)
        and breaks.left == ("apply", ("name", claim), [("name", "node"), record])
        and breaks.right == ("name", "false")
        and source.field(RUN.state(last), "last") == ("apply", ("name", "some"), [record])
        and source.field("config", "deployment") == ("name", "node")
    ):
        return []
    given = source.says(f"given_{claim}_path", f"List.all path (given_{claim} node)", "true")
    families = [given_of(claim), EVERY_PATH] if given else [EVERY_PATH]
    return [[*fills, *refutation(events, claim, family)] for family in families]


def moves(source: Source) -> list[int]:
    """The events of each theorem of the run, as far as there are any: 0 of the start, then more."""
    found: list[int] = []
    while (theorem := source.theorems.get(RUN.theorem(len(found)))) is not None:
        place = len(found)
        if theorem.right != ("name", RUN.state(place)):
            break
        events = _events(theorem.left, place)
        if events is None:
            break
        found.append(events)
    return found


def _events(move: Expression, place: int) -> int | None:
    """The events of the move to a state; None where it is not from the state before."""
    if not place:
        return 0 if move == expression("start config path") else None
    before = RUN.state(place - 1)
    if move == expression(f"step config {before}"):
        return 1
    if applied(move) == "steps" and len(move[2]) == 3 and move[2][1][0] == "number":
        events = int(move[2][1][1])
        return events if move == expression(f"steps config {events} {before}") else None
    return None
