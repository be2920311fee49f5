"""What the tests of the Lean bridge share: small paths, small tiles, RAD and its mutants."""

import hypothesis.strategies as st
from hypothesis import reject

from radproof import SEED, Deployment, SchedulerError, Session, run
from radproof.lean.export import Subject
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
# What no natural number can express is refused: an order that goes below 0, or negates; a
# batch that ends before it starts. And a run that never ends is too long.
NOT_IN_LEAN = {
    "fewest_tokens_first",
    "lifo_decode",
    "lifo_prefill",
    "longest_first",
    "nothing_done",
    "odd_sessions_first",
    "runs_backwards",
}
PAIR = (Session(0, 128, 1), Session(4640, 128, 1))
IN_LEAN = {name: mutant for name, mutant in MUTANTS.items() if name not in NOT_IN_LEAN}
SCHEDULERS = st.sampled_from([RuleScheduler(), *IN_LEAN.values()])


def run_or_reject(path, deployment, scheduler):
    """A run by the definition; a mutant that serves nothing, as at a tile of one, has none."""
    try:
        return run(path, deployment, scheduler, limit=300)
    except SchedulerError:
        return reject()


def subject(path=PAIR, deployment=SEED, scheduler=None, **more):
    """What a test term is about; RAD where no scheduler is given."""
    return Subject(path, deployment, scheduler or RuleScheduler(), "a test", "none", **more)
