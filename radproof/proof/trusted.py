"""What a certificate takes on trust; a solver checks everything else in it.

This file states the whole of it in words: the two principles of induction, the equations of the
loop, the reading of Python as arithmetic, and the solvers. How the lemmas compose is not among
them: each case of a theorem's induction is itself asked of the solvers (`lemmas.composition`).
"""

from __future__ import annotations

TRUSTED: tuple[tuple[str, str], ...] = (
    (
        "induction over the path",
        "A law that holds at time 0, and that an arrival, an idle time and an iteration each "
        "keep, holds at every instant of every path: paths are finite sequences of these events. "
        "A stretch is an induction over its repetitions.",
    ),
    (
        "induction over the job list",
        "What is true before a fill's first job, and is kept by every job that it passes, is true "
        "after its last. That a thing is true of every job, or of every two jobs, is such a "
        "statement: of each as it is passed, of two when the later is.",
    ),
    (
        "the loop",
        "The equations of lemmas/loop.py are what RuleScheduler and machine.step compute, with the "
        "list as its docstring says: a fill passes every job once, in the order of the scheduler; "
        "sorted is stable; who arrives joins the end of the list in the order of arrivals, and who "
        "stays keeps its place. Tests hold the unrolled lists, built of these equations, against "
        "machine.step, and machine.step against serQ's own runs.",
    ),
    (
        "the numbers",
        "Python's and the solvers' whole numbers are of any size and have the same + - *, the same "
        "comparisons and, for divisors >= 1, the same // and %. Before a proof the bytecode of "
        "every rule, claim and order is read, and refused where it does anything but these, "
        "radproof.number's helpers and calls of functions that pass the same check.",
    ),
    ("the solvers", "Z3's unsat, and with --solver both also cvc5's on the same SMT-LIB text."),
)
"""(name, statement) of each trusted thing."""
