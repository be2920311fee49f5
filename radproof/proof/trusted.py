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
        "The equations of lemmas/loop.py, and what the compositions say of the loop in words (who "
        "is passed, who stays, who is admitted and when), are true of RuleScheduler and "
        "machine.step. Compared on symbols, under any rules (`loop`): the whole step, that is the "
        "batch, the record, the clock, the list afterwards and who is to come, from one job with "
        "up to two sessions to come, from two jobs with up to one, and from none with one or two; "
        "the batch alone of three jobs, and of two with any order; and the order in which three "
        "sessions are to arrive. Compared in drawn runs only, of up to seven sessions under RAD "
        "and under changed rules and orders: every equation and every such fact, at the values of "
        "each event, job, pair of jobs and repetition, and that what a composition calls later is "
        "what the machine comes to. Trusted: that it is so in every longer list and every other "
        "run. Each turn of its loops reads one job, or one session, and what remains of the "
        "budget. So are Python's sorted, and that machine.states takes one step after another. "
        "The leap and RAD's own evaluator are not proved: tests compare them with machine.step.",
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
