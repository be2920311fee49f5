"""serQ's interpreter as an oracle: run RAD on any path and read back what serQ found.

serQ (`pyserq` on PyPI, the extra `radproof[serq]`) is an independent implementation, in Rust, of
the machine that `radproof.step` defines. This module runs RAD there, on a path and a deployment
given as plain integers, and hands back plain integers. It imports nothing else from radproof, so
the two sides share no rule: where they agree, two programs agree.

    run_serq([(0, 128, 1), (4640, 128, 1)]).completions        # (13290, 13290)

RAD is written below in serQ's own language (`_RAD`, `_CLIENT`) and compiled once per deployment.
Three things cannot be said in that language and are set in the compiled program (serQ's IR, which
is JSON):

* **The phases.** An engine call `card (prompt, output)` counts the end of the prefill as the first
  output token, so `output` tokens would take one decode iteration fewer. The call is replaced by a
  prefill run of `prompt` followed by a decode run of `output`.
* **The path.** Every session starts at time 0 with its own numbers and first waits at a `gate` for
  its arrival. The gate is a queue with a server for every session, so the end of a wait is one
  exact addition; serQ compiles its `delay` to processor sharing, which shares a float rate.
* **The horizon.** serQ wants one above zero. Times here are whole, so half a microsecond past ours
  includes the same events, and "until everything ended" is a bound that no run can pass.

What else to know:

* Time and work are floats over there, exact on whole numbers below 2**53. A run in which a number
  (a time, or a side of `token_rate`) could reach that is refused with `ValueError`.
* The claims have no `given`: with one, a session outside it makes the whole path out of scope, and
  the bare claim is never read.
* A schedule exists only on serQ's standard error, under the undocumented variable SERQ_TRACE_ITER,
  which holds for a whole process. `schedule=True` therefore runs in a child, this module as a
  program (JSON in, JSON out), and leaves our own environment and standard error alone. The child
  takes a tenth of a second to start: ask for schedules of short paths.
* The syntax and the IR move between serQ's releases, so exactly one version is accepted.
"""

from __future__ import annotations

import functools
import importlib
import json
import operator
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import attrs

VERSION = "0.1.6"
"""The only version of pyserq whose syntax and IR this module knows."""

EXACT = 2**53
"""serQ's numbers are floats: whole numbers below this are exact."""

MOST_SESSIONS = 1_000_000
"""The servers at the gate: a further session could arrive late."""

CLAIMS = ("token_rate", "optimal_tiling")

_RAD = """
fn main() {{
  let b_col = {b_col};
  let chunk = {chunk};
  let t_lin = {t_lin};
  let t_nl = {t_nl};
  def decode_mode() {{ running.decoding >= b_col || running.decoding == running.count }}
  device gpu {{ }}
  engine card on gpu {{
    tokens cap b_col;
    scheduler {{
      advance running only (decode_mode() ? decoding : !decoding) each at most (chunk);
    }}
    worker {{
      forward (max(1, t_lin * ceil(batch.tokens / b_col) + t_nl * batch.tokens));
    }}
  }}
  claim token_rate: every iteration of card (served * (t_lin + t_nl * b_col) <= b_col * now);
  claim optimal_tiling: every iteration of card (tokens == b_col || decoders == residents);
  server (prompt, output) {{ card (prompt, output); }}
}}
"""

_CLIENT = """
stage gate : fifo({most_sessions});
workload {{
  arrive none;
  init {{ set arrive = 0; set prompt = 0; set output = 0; }}
  send (prompt, output);
  session {{ run gate (cost(gate, arrive)); turn; observe ended = now; }}
}}
"""

_BATCH = re.compile(r"ITER (\d+)\.0+((?: \d+:\d+:[pd]\d+)*)(?: \||$)")
_ENTRY = re.compile(r"(\d+):\d+:([pd])(\d+)")

Schedule = tuple[tuple[int, tuple[tuple[int, str, int], ...]], ...]


class SerqMissing(RuntimeError):
    """pyserq is not installed, or not in the version this module was written for."""


@attrs.frozen
class SerqClaim:
    """What one run found of one claim, `given` dropped."""

    checked: int
    failures: int
    first: int | None
    """The start of the first iteration that fails it."""


@attrs.frozen
class SerqRun:
    """One run of RAD in serQ's interpreter."""

    iterations: int
    completions: tuple[int | None, ...]
    """When each session ended, in the order given; None where it had not by the horizon."""
    claims: dict[str, SerqClaim]
    schedule: Schedule | None
    """Each iteration's start and its entries (session, "p" or "d", tokens), where asked for."""
    seconds: float
    """The interpreter alone. With a schedule, most of it is spent printing."""


@attrs.frozen
class PreparedRun:
    """A program, a path and a horizon that are ready to run, any number of times."""

    sessions: int
    program: Any
    """A `pyserq.Program`."""

    def run(self) -> SerqRun:
        """Run the interpreter and read its report. `seconds` times the first of the two."""
        pyserq = _pyserq()
        started = time.perf_counter()
        report = pyserq.run(self.program)
        seconds = time.perf_counter() - started
        completions: list[int | None] = [None] * self.sessions
        ended = report.observe("ended")
        for session, at in zip(ended.sessions, ended.times, strict=True):
            completions[int(session)] = int(at)
        claims = {}
        for name in CLAIMS:
            found = report.claim(name)
            first = None if found.first is None else int(found.first)
            claims[name] = SerqClaim(int(found.checked), int(found.failures), first)
        iterations = int(report.stage("card").iterations)
        return SerqRun(iterations, tuple(completions), claims, None, seconds)

    def run_in_child(self) -> SerqRun:
        """Run it in a process of its own, and read its schedule too."""
        child = subprocess.run(
            [sys.executable, __file__],
            input=json.dumps({"sessions": self.sessions, "ir": self.program.to_json()}),
            capture_output=True,
            encoding="utf-8",
            env=os.environ
            | {
                "SERQ_TRACE_ITER": "1",
                "PYTHONPATH": os.pathsep.join(sys.path),  # the same radproof and pyserq as here
                "PYTHONSAFEPATH": "1",
                "PYTHONIOENCODING": "utf-8",
            },
            check=False,
        )
        if child.returncode != 0:
            said = [line for line in child.stderr.splitlines() if not line.startswith("ITER ")]
            raise RuntimeError(f"the serQ child ended with {child.returncode}: {said[-1:]}")
        found = json.loads(child.stdout)
        schedule = _read_schedule(child.stderr)
        if len(schedule) != found["iterations"]:
            raise RuntimeError("serQ's trace is not one batch for each iteration")
        return SerqRun(
            iterations=found["iterations"],
            completions=tuple(found["completions"]),
            claims={name: SerqClaim(**claim) for name, claim in found["claims"].items()},
            schedule=schedule,
            seconds=found["seconds"],
        )


def prepare(
    path: Sequence[tuple[int, int, int]],
    *,
    b_col: int = 128,
    t_lin: int = 4000,
    t_nl: int = 5,
    chunk: int = 128,
    horizon: int | None = None,
) -> PreparedRun:
    """Compile RAD for a deployment and give it a path; the arguments are those of `run_serq`.

    ValueError where an argument is out of range, or where serQ could not run it exactly.
    """
    if min(b_col, chunk) < 1 or min(t_lin, t_nl) < 0:
        raise ValueError("b_col and chunk must be 1 or more, t_lin and t_nl 0 or more")
    if horizon is not None and horizon < 0:
        raise ValueError(f"the horizon {horizon} is before time 0")
    if len(path) > MOST_SESSIONS:
        raise ValueError(f"{len(path)} sessions: the oracle takes at most {MOST_SESSIONS}")
    triples = [_triple(i, session) for i, session in enumerate(path)]

    tokens = sum(prompt + output for _, prompt, output in triples)
    end = horizon
    if end is None:  # each token takes an iteration of its own at worst
        end = max((t[0] for t in triples), default=0) + tokens * max(1, t_lin + t_nl)
    full_tile = t_lin + t_nl * b_col
    served = min(tokens, (end + 1) * b_col)
    largest = max(
        (end + 1) * max(2, b_col), served * full_tile, full_tile, chunk, *(max(t) for t in triples)
    )
    if largest >= EXACT:
        raise ValueError(f"this run has numbers up to {largest}; serQ is exact below 2**53")

    text, slots = _template(b_col, t_lin, t_nl, chunk)
    ir = json.loads(text)
    ir["arrival"] = {"Sessions": [{"attrs": list(zip(slots, t, strict=True))} for t in triples]}
    ir["horizon"] = end + 0.5
    return PreparedRun(len(triples), _pyserq().Program.from_json(json.dumps(ir)))


def run_serq(
    path: Sequence[tuple[int, int, int]],
    *,
    b_col: int = 128,
    t_lin: int = 4000,
    t_nl: int = 5,
    chunk: int = 128,
    horizon: int | None = None,
    schedule: bool = False,
) -> SerqRun:
    """Run RAD on a path in serQ's interpreter.

    The path's triples are (arrive, prompt, output), in whole microseconds and tokens, in any
    order; equal arrivals keep the order given. Events at the horizon count; without one the run
    goes on until every session has ended. With `schedule`, the run happens in a child process.
    """
    prepared = prepare(path, b_col=b_col, t_lin=t_lin, t_nl=t_nl, chunk=chunk, horizon=horizon)
    return prepared.run_in_child() if schedule else prepared.run()


def _pyserq() -> ModuleType:
    wanted = f"serQ's interpreter, pyserq {VERSION}, is needed here: pip install 'radproof[serq]'"
    try:
        module = importlib.import_module("pyserq")
    except ImportError as error:
        raise SerqMissing(wanted) from error
    if module.__version__ != VERSION:
        raise SerqMissing(f"{wanted} (found {module.__version__})")
    return module


def _triple(i: int, session: Sequence[int]) -> tuple[int, int, int]:
    try:
        arrive, prompt, output = map(operator.index, session)
    except (TypeError, ValueError):
        arrive = prompt = output = -1
    if min(arrive, prompt, output) < 0:
        raise ValueError(f"session {i} is {session!r}, not three whole numbers from 0 up")
    return int(arrive), int(prompt), int(output)


@functools.lru_cache(maxsize=64)
def _template(b_col: int, t_lin: int, t_nl: int, chunk: int) -> tuple[str, tuple[int, int, int]]:
    """RAD's IR without a path, and the attribute slots of arrive, prompt and output."""
    program = _pyserq().compile(
        source=_RAD.format(b_col=b_col, t_lin=t_lin, t_nl=t_nl, chunk=chunk),
        workload_source=_CLIENT.format(most_sessions=MOST_SESSIONS),
        horizon=1,
    )
    ir = json.loads(program.to_json())
    block, sides = ir["blocks"][ir["session"]], ir["sides"][ir["session"]]
    (at,) = (i for i, statement in enumerate(block) if "Request" in statement)
    call = block[at]["Request"]
    card = call["stage"]
    resource = {"Stage": {"base": card["base"], "count": card["count"]}}
    block[at : at + 1] = [
        {"Run": {"stage": card, "mode": mode, "work": {"Cost": [resource, work]}, "growing": None}}
        for mode, work in (("Prefill", call["input"]), ("Decode", call["output"]))
    ]
    sides[at : at + 1] = [sides[at]] * 2
    ir["stages"][card["base"]]["kind"]["Step"]["request"] = None  # no call is left
    slot = ir["attrs"].index
    return json.dumps(ir), (slot("arrive"), slot("prompt"), slot("output"))


def _read_schedule(trace: str) -> Schedule:
    """Read the batches off serQ's trace, one line `ITER start session:turn:p128 ...` for each."""
    batches = []
    for line in trace.splitlines():
        if not line.startswith("ITER "):
            continue
        found = _BATCH.match(line)
        if found is None:
            raise RuntimeError(f"serQ's trace has a batch this module cannot read: {line!r}")
        entries = tuple(
            (int(session), phase, int(tokens))
            for session, phase, tokens in _ENTRY.findall(found[2])
        )
        batches.append((int(found[1]), entries))
    return tuple(batches)


def _serve_parent() -> None:
    """The child's side: one run, JSON on standard input to JSON on standard output."""
    asked = json.load(sys.stdin)
    program = _pyserq().Program.from_json(asked["ir"])
    json.dump(attrs.asdict(PreparedRun(asked["sessions"], program).run()), sys.stdout)


if __name__ == "__main__":
    _serve_parent()
