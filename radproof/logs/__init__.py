"""Real engines' logs, judged by the claims and laws that judge a run.

Every iteration that a log shows becomes a record, `radproof.model.Iteration`. A number that the
log does not show is an `Unseen` one, with the bounds that are known and the reason: a claim that
has one truth within the bounds is decided; any other is not evaluated, with the reason.
"""

from radproof.logs.formats import LOG_FORMATS, open_log
from radproof.logs.judge import LogVerdict, Setting, judge
from radproof.logs.laws import LOG_LAWS
from radproof.logs.log import Log, Step
from radproof.readers.intervals import Maybe, NotShown, Unseen

__all__ = [
    "LOG_FORMATS",
    "LOG_LAWS",
    "Log",
    "LogVerdict",
    "Maybe",
    "NotShown",
    "Setting",
    "Step",
    "Unseen",
    "judge",
    "open_log",
]
