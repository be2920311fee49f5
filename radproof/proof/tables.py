"""The certificate on the screen: the obligation table, the proof tree, what is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from radproof.lemmas.catalogue import LOOP, THEOREMS, Theorem
from radproof.proof.answers import Answer
from radproof.proof.certificate import Certificate, LemmaRow
from radproof.proof.horn import Induction
from radproof.proof.trusted import TRUSTED
from radproof.report.text import drawn

PLAIN_WIDTH = 160
"""The columns of a table that goes to a file or a pipe."""

STYLES = {Answer.PROVED: "green", Answer.REFUTED: "bold red"}


def obligations(certificate: Certificate) -> Table:
    """One row per lemma: name, Lean name, encoding, verdict, cost, vacuity, the other readers."""
    second = any(row.second for row in certificate.rows)
    columns = ["lemma", "Lean", "encoding", "verdict", "seconds", "rlimit / budget", "vacuity"]
    columns += ["cvc5", "numpy"] if second else ["numpy"]
    rows = (list(_cells(row, second)) for row in certificate.rows)
    return drawn(columns, rows, ("seconds", "rlimit / budget", "numpy"))


def _cells(row: LemmaRow, second: bool) -> Iterator[str | Text]:
    outcome = row.outcome
    yield row.lemma.name
    yield row.lemma.lean or "-"
    yield row.lemma.encoding
    yield Text(outcome.verdict.value, style=STYLES.get(outcome.verdict, "bold yellow"))
    yield f"{outcome.seconds:.3f}"
    used = f"{outcome.rlimit:,} / {row.lemma.budget:,}"
    yield Text(used + " !", style="bold yellow") if row.over_half else used
    reached = outcome.checks - len(outcome.unreached)
    asked = outcome.verdict in (Answer.PROVED, Answer.VACUOUS)
    yield f"{reached} of {outcome.checks}" if asked else "-"
    if second:
        yield row.second.verdict.value if row.second else "-"
    if row.cases is None:
        yield "-"
    else:
        yield f"{row.cases:,} cases" if row.wrong is None else Text("false", style="bold red")


def proof_tree(certificate: Certificate) -> Group:
    """From each theorem to its compositions, and from each of them to the lemmas below it."""
    lemmas = {row.lemma.name: row.lemma for row in certificate.rows}

    def grow(branch: Tree, names: Iterable[str]) -> None:
        for name in names:
            leaf = branch.add(f"{name}: {certificate.verdict(name)}")
            if name in lemmas:
                grow(leaf, lemmas[name].rests_on)

    trees = []
    shown: set[str] = set()
    for theorem in THEOREMS:
        root = Tree(_theorem(theorem, certificate))
        names = [*(one.name for one in theorem.compositions), *LOOP]
        grow(root, (name for name in names if name not in shown))
        again = [f"{name}: {certificate.verdict(name)}" for name in names if name in shown]
        if again:
            root.add(f"above: {', '.join(again)}")
        shown.update(names)
        trees.append(root)
    return Group(*trees)


def _theorem(theorem: Theorem, certificate: Certificate) -> str:
    lean = f" ({theorem.lean})" if theorem.lean else ""
    because = certificate.because(theorem)
    said = certificate.theorem(theorem).value + (f" ({because})" if because else "")
    return f"{theorem.name}{lean}: {said}. {theorem.statement(certificate.world)}"


def _induction(one: Induction) -> str:
    found = f"{one.name}: {one.verdict.value}"
    if one.reason:
        return f"{found}: {one.reason}"
    return f"{found} by {one.invariant}, which {one.questions} plain questions confirm"


def remarks(certificate: Certificate) -> Iterator[str]:
    """What keeps the certificate from being clean, one line each."""
    for row in certificate.rows:
        name = row.lemma.name
        if row.disagreement:
            yield f"{name}: the readers disagree: {row.disagreement}. Report this to radproof."
        elif row.outcome.verdict in (Answer.UNKNOWN, Answer.VACUOUS):
            yield f"{name}: {row.outcome.verdict.value}: {row.outcome.reason}"
        elif row.second is not None and row.second.verdict is Answer.UNKNOWN:
            yield f"{name}: cvc5 gave up: {row.second.reason}"
        if row.over_half:
            yield (
                f"{name}: used {row.outcome.rlimit:,} of its {row.lemma.budget:,} resource units, "
                "more than half. Split the lemma or raise its budget before it turns unknown."
            )


def summary_line(certificate: Certificate) -> str:
    """The number of lemmas of each verdict, the solvers, the scheduler, the rules."""
    counts = dict.fromkeys(Answer, 0)
    for row in certificate.rows:
        counts[row.outcome.verdict] += 1
    said = ", ".join(f"{count} {answer.value}" for answer, count in counts.items() if count)
    return (
        f"{len(certificate.rows)} lemmas: {said}. {' and '.join(certificate.solvers)}; "
        f"scheduler {certificate.scheduler}, rules {certificate.rules[:12]}"
    )


def console() -> Console:
    """Standard output; as wide as the table needs where it is not a terminal."""
    found = Console()
    return found if found.is_terminal else Console(width=PLAIN_WIDTH)


def show(certificate: Certificate, console: Console, whole: bool = True) -> None:
    """Print it; the tree and what is trusted only with `whole`, where every lemma was asked."""
    console.print(obligations(certificate))
    if whole:
        console.print(proof_tree(certificate))
        console.print("\ninduction over the path, by Spacer (z3's engine for Horn clauses):")
        for one in certificate.inductions:
            console.print(f"  {_induction(one)}", highlight=False, soft_wrap=True, markup=False)
        console.print("\ntrusted:")
        for name, statement in TRUSTED:
            console.print(f"  {name}: {statement}", highlight=False, soft_wrap=True)
    for remark in remarks(certificate):
        console.print(f"\n{remark}", highlight=False, soft_wrap=True, markup=False)
    console.print(f"\n{summary_line(certificate)}", highlight=False, soft_wrap=True, markup=False)
