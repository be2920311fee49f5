"""The model: deployments, sessions, jobs, batches and the record of an iteration.

Frozen, slotted classes of plain ints. Time is in whole microseconds, work in tokens; both are
natural numbers of any size. Everything is validated here, at the border, and trusted inside.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.readers.base import Num


class Phase(StrEnum):
    """What a job is doing: prefilling its prompt, or decoding its output."""

    PREFILL = "prefill"
    DECODE = "decode"


PREFILL, DECODE = Phase.PREFILL, Phase.DECODE


def whole(least: int) -> Any:
    """An attrs validator: an int (not a bool, not a float) of at least `least`."""

    def validate(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
        if type(value) is not int or value < least:
            raise BadInput(f"{attribute.name} {is_not_whole(value, least)}")

    return validate


def is_not_whole(value: Any, least: int) -> str:
    """The end of the sentence "<field> ..." for a value that is no whole number >= `least`."""
    try:
        shown = repr(value)
    except ValueError:  # Python spells out no more digits than this
        shown = f"a number of more than {sys.get_int_max_str_digits():,} digits"
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    wanted = "a natural number (0, 1, 2, ...)" if least == 0 else f"a whole number >= {least}"
    if type(value) is float:
        return (
            f"is {shown}, a float; it must be {wanted}: times are whole microseconds, "
            "lengths whole tokens. Round it yourself"
        )
    return f"is {shown}; it must be {wanted}"


@attrs.frozen
class Deployment:
    """One inference node: its tiles and its two speeds.

    b_col, b_row, b_red: the tile sizes of equation (7), in tokens; t_lin: microseconds for each
    (part-filled) tile of b_col tokens; t_nl: microseconds for each token; chunk: the most tokens
    that a prefill takes in one iteration, b_lcm unless given. A chunk larger than b_lcm is legal
    and bounded by the budget of b_lcm tokens.

    Raises BadInput, naming the field, where a number is out of range.
    """

    b_col: int = attrs.field(default=128, validator=whole(1))
    b_row: int = attrs.field(default=1, validator=whole(1))
    b_red: int = attrs.field(default=1, validator=whole(1))
    t_lin: int = attrs.field(default=4000, validator=whole(0))
    t_nl: int = attrs.field(default=5, validator=whole(0))
    chunk: int = attrs.field(validator=whole(1))
    b_lcm: int = attrs.field(init=False, eq=False, repr=False)

    @chunk.default
    def _chunk(self) -> int:
        # Runs before the validators, so a wrong tile must not fail here: they name it afterwards.
        tiles = (self.b_col, self.b_row, self.b_red)
        return math.lcm(*tiles) if all(type(tile) is int for tile in tiles) else 1

    @b_lcm.default
    def _b_lcm(self) -> int:
        return self._chunk()


SEED = Deployment()
"""The seed page's deployment: tiles of 128, 4000 us for a tile, 5 us for a token."""


@attrs.frozen
class Session:
    """One request: it arrives, brings a prompt of tokens and asks for an output of tokens.

    arrive: microseconds; prompt, output: tokens, 0 or more. A prompt of 0 starts as a decode.
    Raises BadInput where one is no natural number.
    """

    arrive: int = attrs.field(validator=whole(0))
    prompt: int = attrs.field(validator=whole(0))
    output: int = attrs.field(validator=whole(0))


Path: TypeAlias = tuple[Session, ...]
"""The arrivals of one run. A session's place is its number, and breaks ties between arrivals."""


def as_path(sessions: Iterable[Session | Sequence[int]]) -> Path:
    """A path of sessions, or of (arrive, prompt, output) triples.

    Raises BadInput with the row of the first session that is neither.
    """
    if isinstance(sessions, tuple) and all(type(s) is Session for s in sessions):
        return sessions
    path = []
    for row, session in enumerate(sessions):
        if isinstance(session, Session):
            path.append(session)
            continue
        if not isinstance(session, Sequence) or isinstance(session, str) or len(session) != 3:
            raise BadInput(
                f"session {row} is {session!r}; it must be three numbers: arrive, prompt, output"
            )
        try:
            path.append(Session(*session))
        except BadInput as error:
            raise BadInput(f"session {row}: {error}") from None
    return tuple(path)


@attrs.frozen
class Job:
    """What a resident session is doing: all of it is visible to a scheduler.

    `done` counts the tokens of the present phase. The length of the output is not here: a real
    scheduler does not know it either.
    """

    session: int
    phase: Phase
    arrive: int
    prompt: int
    done: int = 0

    @property
    def prefilled(self) -> int:
        """Tokens of the prompt that are prefilled."""
        return self.done if self.phase is PREFILL else self.prompt

    @property
    def generated(self) -> int:
        """Tokens of output so far."""
        return self.done if self.phase is DECODE else 0


@attrs.frozen
class Entry:
    """A job's share of a batch: the session's number, its phase, and how many tokens it gets."""

    session: int
    phase: Phase
    tokens: int


Batch: TypeAlias = Sequence[Entry]
"""A batch in the order it was filled: a tuple, or a sequence that is built when it is read."""


@attrs.frozen
class Iteration:
    """The record of one iteration, as read when it starts, after its batch is formed.

    start, end: microseconds; served: tokens of the EARLIER iterations; tokens: of this batch;
    prefilled: those of them that are prefill; decoders: decodes in this batch; decoding: all
    decodes in the job list (D); residents: all jobs in the list (r); demand: what the jobs would
    take with no budget. Source: serQ's `last` record (Exec.lean).
    """

    start: int
    end: int
    served: int
    tokens: int
    prefilled: int
    decoders: int
    decoding: int
    residents: int
    demand: int
    batch: Batch


class Node(Protocol):
    """The deployment as a rule or a claim reads it: `model.Deployment`, on numbers."""

    @property
    def b_col(self) -> Num: ...
    @property
    def b_row(self) -> Num: ...
    @property
    def b_red(self) -> Num: ...
    @property
    def b_lcm(self) -> Num: ...
    @property
    def t_lin(self) -> Num: ...
    @property
    def t_nl(self) -> Num: ...
    @property
    def chunk(self) -> Num: ...


class Record(Protocol):
    """The iteration as a claim reads it: `model.Iteration`, on numbers."""

    @property
    def start(self) -> Num: ...
    @property
    def end(self) -> Num: ...
    @property
    def served(self) -> Num: ...
    @property
    def tokens(self) -> Num: ...
    @property
    def prefilled(self) -> Num: ...
    @property
    def decoders(self) -> Num: ...
    @property
    def decoding(self) -> Num: ...
    @property
    def residents(self) -> Num: ...
    @property
    def demand(self) -> Num: ...
    @property
    def batch(self) -> Batch: ...


SCALARS = (
    "start",
    "end",
    "served",
    "tokens",
    "prefilled",
    "decoders",
    "decoding",
    "residents",
    "demand",
)
"""The numbers of a record, in order: what a claim may compare."""

DEPLOYMENT_NAMES = ("b_col", "b_row", "b_red", "b_lcm", "t_lin", "t_nl", "chunk")
"""The numbers of a deployment: what a rule or a claim may read."""


@attrs.frozen
class State:
    """The machine between two iterations, with every event up to `now` handled.

    jobs: the job list, in order; pending: the sessions still to arrive, in arrival order;
    served: tokens so far; memory: the scheduler's own; ended: the (session, time) pairs that
    ended on the way to this state from the one before.
    """

    now: int
    jobs: tuple[Job, ...]
    pending: tuple[int, ...]
    served: int = 0
    memory: Any = None
    ended: tuple[tuple[int, int], ...] = ()

    @property
    def over(self) -> bool:
        """Nothing waits and nothing is to come."""
        return not self.jobs and not self.pending
