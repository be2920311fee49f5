"""radproof: a property-based verification harness for LLM-inference schedulers.

    from radproof import run, check, optimal_tiling
    check(run([(0, 128, 1), (4640, 128, 1)]), optimal_tiling)

Importing this package loads neither Hypothesis nor Z3 nor numpy.
"""

from radproof.claims import CLAIMS, Claim, Result, Verdict, check, optimal_tiling, token_rate
from radproof.errors import BadInput, RadproofError, SchedulerError, Undecided
from radproof.evaluators.general import leap
from radproof.machine import initial, step
from radproof.model import (
    DECODE,
    PREFILL,
    SEED,
    Deployment,
    Entry,
    Iteration,
    Job,
    Phase,
    Session,
    State,
)
from radproof.rules import RULES, Rules
from radproof.runs import Run, Stretch, run
from radproof.schedulers import RuleScheduler, rad
from radproof.schedulers.protocol import Limits, Scheduler, View

__version__ = "0.1.0"

__all__ = [
    "CLAIMS",
    "DECODE",
    "PREFILL",
    "RULES",
    "SEED",
    "BadInput",
    "Claim",
    "Deployment",
    "Entry",
    "Iteration",
    "Job",
    "Limits",
    "Phase",
    "RadproofError",
    "Result",
    "RuleScheduler",
    "Rules",
    "Run",
    "Scheduler",
    "SchedulerError",
    "Session",
    "State",
    "Stretch",
    "Undecided",
    "Verdict",
    "View",
    "check",
    "initial",
    "leap",
    "optimal_tiling",
    "rad",
    "run",
    "step",
    "token_rate",
]
