"""Verdicts and runs of the leap against an evaluator that shares no code with it.

`runs.run` iterates the definition, and a plain loop over its records asks the claim of each. The
claims and the schedulers are Python source, put together from pieces that a user could write:
constants of every size, products, ``try`` around a comparison, questions about a number's type;
memory that counts, that repeats, or that is equal though changed.

RADPROOF_DIFFERENTIAL is the number of scenarios (400 unless set); issue 12 asks for 100,000.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import attrs
from helpers import quick
from hypothesis import given, settings
from hypothesis import strategies as st

from radproof import DECODE, Claim, Deployment, Entry, Result, Run, check, leap, run
from radproof.evaluators.general import leapable
from radproof.number import both, either, ite, maximum, minimum, monus, negate

EXAMPLES = int(os.environ.get("RADPROOF_DIFFERENTIAL", "0"))
# The default run draws the same scenarios each time; one that asks for a number draws new ones.
SCENARIOS = settings(quick(EXAMPLES or 400), derandomize=not EXAMPLES)

LONGEST = 300
"""Iterations of a scenario; the loop asks the claim of each."""


@st.composite
def constants(draw: st.DrawFn) -> str:
    power = draw(st.sampled_from([0, 1, 3, 6, 8, 12, 31, 32, 62, 63, 64, 70]))
    near = 2**power + draw(st.integers(-2, 2))
    return str(draw(st.sampled_from((near, -near, draw(st.integers(0, 300)), 0, 1))))


GROWING = ("i.start", "i.end", "i.served", "i.demand")
LEAVES = st.one_of(
    st.sampled_from(GROWING),
    st.sampled_from(("i.tokens", "i.prefilled", "i.decoders", "i.residents", "i.decoding")),
    st.sampled_from(("d.b_col", "d.b_lcm", "d.t_lin", "d.t_nl", "len(i.batch)")),
    constants(),
).map(lambda text: f"({text})")


def larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    forms = (
        "({} + {})",
        "({} - {})",
        "({} * {})",
        "minimum({}, {})",
        "monus({}, {})",
        "max({}, {})",
    )
    return st.one_of(
        st.builds(str.format, st.sampled_from(forms), parts, parts),
        st.builds(str.format, st.sampled_from(("({} // {})", "({} % {})")), parts, DIVISORS),
        st.builds("ite({} <= {}, {}, {})".format, parts, parts, parts, parts),
        st.builds("abs({})".format, parts),
        st.builds("({} if {} > {} else {})".format, parts, parts, parts, parts),
    )


DIVISORS = constants().map(lambda text: f"(abs({text}) + 1)")
NUMBERS = st.recursive(LEAVES, larger, max_leaves=4)
COMPARED = st.one_of(
    st.builds("({} {} {})".format, NUMBERS, st.sampled_from(("<=", "<", "==", "!=", ">")), NUMBERS),
    st.builds("(isinstance({}, int) and {} > {})".format, NUMBERS, NUMBERS, NUMBERS),
    st.builds("(type({}) is int and {} > {})".format, NUMBERS, NUMBERS, NUMBERS),
    st.builds("({} & 1 == 0)".format, NUMBERS),
    st.builds("({} in range(0, 200, 3))".format, NUMBERS),
    st.builds("({} in ({}, {}))".format, NUMBERS, NUMBERS, constants()),
    st.builds("(hash({}) % 3 == 0)".format, NUMBERS),
    st.builds("(str({})[-1] < '7')".format, NUMBERS),
    st.builds("({} / 2 < 60.5)".format, st.sampled_from(GROWING)),
    st.builds("({}.bit_length() < 6)".format, st.sampled_from(GROWING)),
    st.builds("(sorted([{}, {}, 60])[1] != 60)".format, NUMBERS, NUMBERS),
    st.builds("(-{} <= -{})".format, NUMBERS, NUMBERS),
    st.builds("(+{} > 7)".format, NUMBERS),
    st.builds("('%d' % {} < '5')".format, NUMBERS),
    st.builds("(repr({}) < '5')".format, NUMBERS),
    st.builds("(format({}, 'd') < '5')".format, NUMBERS),
    st.builds("({} in {{0, 3, 6, 60}})".format, NUMBERS),
    st.builds("({} + 0.5 < 60)".format, st.sampled_from(GROWING)),
    st.builds("(divmod({}, 7)[1] < 5)".format, NUMBERS),
)
TRUTHS = st.recursive(
    COMPARED,
    lambda parts: st.one_of(
        st.builds("both({}, {})".format, parts, parts),
        st.builds("either({}, {})".format, parts, parts),
        st.builds("({} and not {})".format, parts, parts),
        st.builds("negate({})".format, parts),
        st.builds("({} or {})".format, parts, parts),
    ),
    max_leaves=3,
)

BODIES = (
    "    return {0}\n",
    "    try:\n        return {0}\n    except Exception:\n        return {1}\n",
    "    try:\n        return {0}\n    except (TypeError, AttributeError):\n        return True\n",
    "    with suppress(Exception):\n        return {0}\n    return {1}\n",
    "    found = True\n    try:\n        found = {0}\n    finally:\n        return found\n",
    "    if {0}:\n        return {1}\n    return True\n",
)


def compiled(source: str, name: str) -> Any:
    import contextlib

    names: dict[str, Any] = {
        "suppress": contextlib.suppress,
        **{f.__name__: f for f in (ite, both, either, negate, minimum, maximum, monus)},
        **{"Entry": Entry, "DECODE": DECODE, "Same": Same},
    }
    exec(compile(source, "<drawn>", "exec", dont_inherit=True), names)
    return names[name]


class Same:
    """A memory that equals every other of its class."""

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    __hash__ = None  # type: ignore[assignment]


CLAIMS = st.builds(str.format, st.sampled_from(BODIES), TRUTHS, TRUTHS).map(
    lambda body: "def holds(i, d):\n" + body
)

# A scheduler serves one job, the `turn`-th of the list, whatever else its memory holds.
CHOICES = (
    "0",
    "-1 if view.now > {0} else 0",
    "view.now // {0}",
    "(view.now & 8) // 8",
    "turns // {0}",
    "-1 if type(view.now) is int and view.now > {0} else 0",
    "-1 if isinstance(view.now, int) and view.now > {0} else 0",
    "view.jobs[0].generated // {0}",
    "-1 if sum(job.generated for job in view.jobs) > {0} else 0",
    "sorted(range(len(view.jobs)), key=lambda k: view.jobs[k].done)[0]",
)
MEMORIES = (
    # how many turns are read from the memory, and the next memory
    ("0", "None"),
    ("view.memory or 0", "turns + 1"),
    ("view.memory or 0", "min(turns + 1, 4)"),
    ("0 if view.memory is None else view.memory.turns", "Same(turns + 1)"),
    ("3 if view.memory is True else 0", "{None: 1}.get(view.memory, True)"),
    ("len(view.memory or [])", "(view.memory or []) + [0]"),
    ("len(view.memory or ())", "(0,) * min(turns + 1, 5)"),
    ("view.memory or 0", "view.now"),
    ("view.memory or 0", "max([0, *(job.done for job in view.jobs)])"),
)


@st.composite
def schedulers(draw: st.DrawFn) -> str:
    turns, memory = draw(st.sampled_from(MEMORIES))
    choice = draw(st.sampled_from(CHOICES)).format(draw(st.integers(1, 90)))
    lines = [f"turns = {turns}"]
    if draw(st.booleans()):
        lines += ["try:", f"    turn = {choice}", "except Exception:", "    turn = 0"]
    else:
        lines += [f"turn = {choice}"]
    lines += [
        "job = view.jobs[turn % len(view.jobs)]",
        "left = job.prompt - job.done",
        "tokens = 1 if job.phase is DECODE else min(left, view.deployment.b_lcm)",
        f"return (Entry(job.session, job.phase, tokens),), {memory}",
    ]
    return "def scheduler(view):\n" + "".join(f"    {line}\n" for line in lines)


@attrs.frozen
class Scenario:
    claim: str
    scheduler: str | None
    deployment: Deployment
    path: list[tuple[int, int, int]]


SESSIONS = st.tuples(st.integers(0, 120), st.integers(0, 12), st.integers(0, 15))
DEPLOYMENTS = st.builds(
    Deployment,
    b_col=st.integers(1, 4),
    t_lin=st.integers(1, 9),
    t_nl=st.sampled_from((0, 1, 3, 2**61, 10**30)),
)
DRAWN = st.builds(
    Scenario,
    claim=CLAIMS,
    scheduler=st.one_of(st.none(), schedulers()),
    deployment=DEPLOYMENTS,
    path=st.one_of(
        st.lists(SESSIONS, min_size=1, max_size=8),
        st.lists(SESSIONS, min_size=20, max_size=25),  # more stretches than are decided singly
    ),
)


def evaluated(evaluate: Callable[[], Any]) -> Any:
    """What it gives, or the kind of the error that it ends with."""
    try:
        return evaluate()
    except Exception as error:
        return type(error).__name__


def looped(stepped: Run, holds: Any) -> tuple[int, int, int | None]:
    """(checked, failures, first failure), one record after the other."""
    checked, failures, first = 0, 0, None
    for record in stepped.records:
        checked += 1
        if not holds(record, stepped.deployment):
            failures += 1
            first = record.start if first is None else first
    return checked, failures, first


def decided(leapt: Run, holds: Any) -> tuple[int, int, int | None]:
    verdict = check(leapt, Claim("drawn", "every iteration", holds))
    assert (verdict.result is Result.FAILS) == bool(verdict.failures)
    assert verdict.result is not Result.UNKNOWN
    return verdict.checked, verdict.failures, verdict.first if verdict.failures else None


def differs(scenario: Scenario) -> str | None:
    """None where the leap and the plain loop agree."""
    arguments: tuple[Any, ...] = (scenario.path, scenario.deployment)
    if scenario.scheduler is not None:
        scheduler = compiled(scenario.scheduler, "scheduler")
        arguments += (scheduler,)
    stepped = evaluated(lambda: run(*arguments, limit=LONGEST))
    if isinstance(stepped, Run) and not stepped.whole:
        return None
    leapt = evaluated(lambda: leap(*arguments))
    if not isinstance(stepped, Run) or not isinstance(leapt, Run):
        return None if stepped == leapt else f"step {stepped}, leap {leapt}"
    if list(stepped.records) != list(leapt.records) or stepped.completions != leapt.completions:
        return "the runs differ"
    holds = compiled(scenario.claim, "holds")
    loop, whole = (
        evaluated(lambda: looped(stepped, holds)),
        evaluated(lambda: decided(leapt, holds)),
    )
    if isinstance(loop, str):  # the claim raises on a record: `check` says so, in words
        return None if whole == "BadInput" else f"loop raised {loop}, leap {whole}"
    return None if loop == whole else f"loop {loop}, leap {whole}"


@SCENARIOS
@given(DRAWN)
def test_the_leap_and_a_plain_loop_agree(scenario: Scenario) -> None:
    said = differs(scenario)
    assert said is None, "\n".join(
        [said or "", scenario.claim, scenario.scheduler or "rad", f"{scenario}"]
    )


def test_some_schedulers_of_the_scenarios_leap() -> None:
    """A fuzzer whose schedulers all went step by step would compare the definition with itself."""
    drawn: list[bool] = []

    @settings(quick(100))
    @given(schedulers(), st.just([(0, 40, 60), (500, 9, 30)]))
    def property_(source: str, path: Any) -> None:
        scheduler = compiled(source, "scheduler")
        found = evaluated(lambda: leap(path, Deployment(b_col=4, t_lin=3, t_nl=1), scheduler))
        drawn.append(
            isinstance(found, Run)
            and leapable(scheduler)
            and len(found.stretches) * 3 < found.iterations
        )

    property_()
    assert sum(drawn) > len(drawn) // 5
