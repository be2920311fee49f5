"""The scheduler keeps the laws of any engine."""

from pathlib import Path

from tiny_engine.scheduler import Scheduler

from radproof import Deployment
from radproof.testing import verify

OURS = Deployment(b_col=16, t_lin=500, t_nl=20)
CORPUS = Path(__file__).parent.parent / "corpus"


def test_the_scheduler_keeps_the_laws_of_any_engine() -> None:
    verify(Scheduler, laws=["engine"], deployment=OURS, examples=50, corpus=CORPUS)
