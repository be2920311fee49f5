"""What the tests of the Lean bridge draw: small paths, small tiles, RAD and its mutants."""

import hypothesis.strategies as st
from hypothesis import reject

from radproof import Deployment, SchedulerError, Session, run
from radproof.mutants import MUTANTS
from radproof.schedulers import RuleScheduler

SMALL = st.builds(
    Deployment,
    b_col=st.integers(1, 4),
    b_row=st.integers(1, 3),
    t_lin=st.integers(0, 9),
    t_nl=st.integers(0, 3),
    chunk=st.integers(1, 6),
)
PATHS = st.lists(
    st.builds(Session, st.integers(0, 40), st.integers(0, 9), st.integers(0, 4)), max_size=6
).map(tuple)
# These two serve for ever, and an event-by-event machine would follow them.
ENDLESS = ("nothing_done", "runs_backwards")
ENDING = [mutant for name, mutant in MUTANTS.items() if name not in ENDLESS]
SCHEDULERS = st.sampled_from([RuleScheduler(), *ENDING])


def run_or_reject(path, deployment, scheduler):
    """A run by the definition; mutants at a tile of one may serve nothing, which is no run."""
    try:
        return run(path, deployment, scheduler, limit=300)
    except SchedulerError:
        return reject()
