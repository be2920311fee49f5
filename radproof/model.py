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
    """The phase of a job: prefilling its prompt, or decoding its output."""

    PREFILL = "prefill"
    DECODE = "decode"


PREFILL, DECODE = Phase.PREFILL, Phase.DECODE


def whole(least: int) -> Any:
    """An attrs validator: an int (not a bool, not a float) of at least `least`."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
        if type(value) is not int or value < least:
            raise BadInput(f"{attribute.name} {is_not_whole(value, least)}")

    return validate


def is_not_whole(value: object, least: int) -> str:
    """The end of the sentence "<field> ..." for a value that is not a whole number >= `least`."""
    try:
        shown = repr(value)
    except ValueError:  # Python's limit on the digits of an int in text
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
    """One inference node: the tile sizes of equation (7), in tokens, and its two speeds.

    Raises BadInput, naming the field, where a number is out of range.
    """

    b_col: int = attrs.field(default=128, validator=whole(1))
    """Tokens of a tile; a decode batch has at most b_col entries."""

    b_row: int = attrs.field(default=1, validator=whole(1))
    """It counts through b_lcm alone."""

    b_red: int = attrs.field(default=1, validator=whole(1))
    """It counts through b_lcm alone."""

    t_lin: int = attrs.field(default=4000, validator=whole(0))
    """Microseconds for each tile of b_col tokens, full or not."""

    t_nl: int = attrs.field(default=5, validator=whole(0))
    """Microseconds for each token."""

    chunk: int = attrs.field(validator=whole(1))
    """The most tokens that a prefill takes in one iteration, b_lcm unless given. One larger than
    b_lcm is legal, and bounded by the budget of b_lcm tokens."""

    b_lcm: int = attrs.field(init=False, eq=False, repr=False)
    """The least common multiple of the three tile sizes."""

    @chunk.default
    def _chunk(self) -> int:
        # This runs before the validators, so it lets a wrong tile pass: they name its field.
        tiles = (self.b_col, self.b_row, self.b_red)
        return math.lcm(*tiles) if all(type(tile) is int for tile in tiles) else 1

    @b_lcm.default
    def _b_lcm(self) -> int:
        return self._chunk()


SEED = Deployment()
"""The seed page's deployment: tiles of 128, 4000 us for a tile, 5 us for a token."""


@attrs.frozen
class Session:
    """One request: its arrival, its prompt and the output that it asks for.

    arrive: microseconds; prompt, output: tokens, 0 or more. A prompt of 0 starts as a decode.
    Raises BadInput where one is not a natural number.
    """

    arrive: int = attrs.field(validator=whole(0))
    prompt: int = attrs.field(validator=whole(0))
    output: int = attrs.field(validator=whole(0))


Path: TypeAlias = tuple[Session, ...]
"""The arrivals of one run. A session's place is its number, which breaks ties between arrivals."""


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
    """A resident session, as the scheduler sees it.

    `done` counts the tokens of the present phase. A job has no length of its output: a real
    scheduler does not know it either.
    """

    session: int
    phase: Phase
    arrive: int
    prompt: int
    done: int = 0

    @property
    def prefilled(self) -> int:
        """Tokens of the prompt that have been prefilled."""
        return self.done if self.phase is PREFILL else self.prompt

    @property
    def generated(self) -> int:
        """Tokens of the output so far."""
        return self.done if self.phase is DECODE else 0


@attrs.frozen
class Entry:
    """A job's share of a batch: the session's number, its phase, and how many tokens it gets."""

    session: int
    phase: Phase
    tokens: int


Batch: TypeAlias = Sequence[Entry]
"""A batch in the order in which it was filled: a tuple, or a sequence that is built when read."""


@attrs.frozen
class Iteration:
    """The record of one iteration at its start, once its batch is formed.

    Source: serQ's `last` record (Exec.lean).
    """

    start: int
    """Microseconds."""

    end: int
    """Microseconds."""

    served: int
    """Tokens of all EARLIER iterations."""

    tokens: int
    """Tokens of this batch."""

    prefilled: int
    """Prefill tokens of this batch."""

    decoders: int
    """Decodes in this batch."""

    decoding: int
    """All decodes in the job list (D)."""

    residents: int
    """All jobs in the list (r)."""

    demand: int
    """Tokens that the jobs would take without a budget."""

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
"""The numbers of a record, in order: those that a claim may compare."""

DEPLOYMENT_NAMES = ("b_col", "b_row", "b_red", "b_lcm", "t_lin", "t_nl", "chunk")
"""The numbers of a deployment: those that a rule or a claim may read."""


@attrs.frozen
class State:
    """The machine between two iterations, with every event up to `now` (microseconds) handled."""

    now: int
    jobs: tuple[Job, ...]
    """The job list, in order."""

    pending: tuple[int, ...]
    """The sessions yet to arrive, in arrival order."""

    served: int = 0
    """Tokens so far."""

    memory: Any = None
    """The scheduler's memory."""

    ended: tuple[tuple[int, int], ...] = ()
    """(session, time) of the sessions that ended between the previous state and this one."""

    @property
    def over(self) -> bool:
        """Whether no job is resident and no arrivals remain."""
        return not self.jobs and not self.pending
