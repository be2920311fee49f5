"""What a certificate takes on trust; a solver checks everything else in it.

This file states the whole of it in words: the principles by which the lemmas compose to theorems,
the reading of Python as arithmetic, and the tools.
"""

from __future__ import annotations

TRUSTED: tuple[tuple[str, str], ...] = (
    (
        "induction over the path",
        "A law that holds at time 0, and that an arrival, an idle time and an iteration each "
        "keep, holds at every instant of every path: paths are finite sequences of these events. "
        "Spacer's word is not taken: plain questions confirm that its invariant is such a law.",
    ),
    (
        "induction over the job list",
        "A statement true of the empty list (base), and of a list whenever it is true of its tail "
        "(step), is true of every list.",
    ),
    (
        "composition",
        "The edges of the proof tree: a lemma's hypotheses are the conclusions of those it depends "
        "on, at the values that the loop of RuleScheduler and machine.step give them. In a batch "
        "all of whose wants are 1, there are as many entries as tokens.",
    ),
    (
        "generic witness",
        "A lemma about one job, or about two places of the list, with no assumption on which, is "
        "true of every job, or every two places.",
    ),
    (
        "the loop",
        "The code of machine.step and of RuleScheduler does to a longer list what it does to the "
        "lists on which it is run and compared with the lemmas (`loop`): one job with up to two "
        "sessions to come, two jobs with up to one, no job with one or two, and for a batch three "
        "jobs, or two with an order, all under any rules. Each turn of its loops reads one job and "
        "what remains of the budget; tests compare drawn lists of up to six jobs. Python's sorted "
        "is trusted, and that machine.states takes one step after another. The leap and RAD's own "
        "evaluator are not proved: tests compare them with machine.step.",
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
