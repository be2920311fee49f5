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
        "A stretch is an induction over its repetitions. Spacer's word is not taken: plain "
        "questions confirm that its invariant is such a law.",
    ),
    (
        "induction over the job list",
        "What is true before a fill's first job, and is kept by every job that it passes, is true "
        "after its last. That a thing is true of every job, or of every two jobs, is such a "
        "statement: of each as it is passed, of two when the later is.",
    ),
    (
        "the loop",
        "The equations of lemmas/loop.py are those of RuleScheduler and machine.step, with the "
        "list as its docstring says. Their code is run on symbols and compared with them (`loop`): "
        "one job with up to two sessions to come, two jobs with up to one, no job with one or two, "
        "and for a batch three jobs, or two with an order, all under any rules. That it does the "
        "same to a longer list is trusted: each turn of its loops reads one job and what remains "
        "of the budget, and tests compare drawn lists of up to six jobs. So are Python's sorted, "
        "and that machine.states takes one step after another. The leap and RAD's own evaluator "
        "are not proved: tests compare them with machine.step.",
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
