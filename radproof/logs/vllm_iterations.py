"""vLLM's iteration lines, written under --enable-logging-iteration-details.

One line an iteration, from core.py or loggers.py: how many context and generation requests, their
tokens, and the elapsed time (without scheduling). No request ids, whole-second stamps, nothing on
who waits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from decimal import Decimal

from radproof.logs.lines import bad, in_order, lines
from radproof.logs.log import Log, Step, record
from radproof.number import Num
from radproof.readers.intervals import Unseen

_LINE = re.compile(
    r"Iteration\((\d{1,18})\): (\d{1,18}) context requests, (\d{1,18}) context tokens, "
    r"(\d{1,18}) generation requests, (\d{1,18}) generation tokens, "
    r"iteration elapsed time: (\d{1,15}\.\d{1,6}) ms"
    r"(?=$|, GPU KV cache usage: \d+(?:\.\d+)?%(?:$| )|, kv cache: [^()]+\(\d[^()]*\)(?:$| )| )",
    re.ASCII,
)
_ENGINE = re.compile(r"Engine (\d+): |\((EngineCore\w*)", re.ASCII)
NO_IDS = "the lines name no request"
NO_WAITING = "the lines do not say who waits"
NO_START = "an iteration's start is not logged (the stamps are whole seconds, of the line)"
MIXED_UP = (
    "generation tokens exceed generation requests: speculation, or a preempted request that "
    "prefills again"
)
ASYNC = "scheduling is asynchronous, so elapsed times overlap and are no occupancy"

UNKNOWN = "whether scheduling was asynchronous is not logged; if so, elapsed times are no occupancy"


def read(log: Log) -> Iterator[Step]:
    """The steps of the log; lines that are no iteration are passed over.

    Raises BadInput for an iteration line that is cut or damaged, stands twice, is out of order or
    missing, and for the lines of two engines in one file.
    """
    for law in ("request_tokens", "computed_once"):
        log.why[law] = NO_IDS
    for law in ("admission_order", "first_token_order", "request_lifecycle"):
        log.why[law] = NO_IDS
    log.why["one_at_a_time"] = NO_START
    log.notes.append(UNKNOWN)
    before: int | None = None
    engine: str | None = None
    served: Num = 0
    dummies = 0
    tailed = False
    for line, text in lines(log.file):
        if "non-default args: {" in text:
            _arguments(log, text)
        if "Iteration(" not in text:
            continue
        match = _LINE.search(text) if text.count("Iteration(") == 1 else None
        if match is None:
            raise bad(
                log.file,
                line,
                f"starts an iteration and does not end it as vLLM does: "
                f"{text[text.index('Iteration(') :][:60]!r}; it is cut or damaged. Leave out the "
                "rest of the log from here, or write it again",
            )
        cache = " cache" in text[match.end() :]
        if tailed and not cache and not text.endswith("(dummy)"):
            raise bad(log.file, line, "ends before the cache usage that the lines before it have")
        tailed = tailed or cache
        number, contexts, prefilled, generations, generated = map(int, match.groups()[:5])
        said = _ENGINE.search(text)
        name = (said[1] or said[2]) if said else ""
        if engine is not None and name != engine:
            raise bad(
                log.file, line, f"is of engine {name!r}, the lines before of {engine!r}; "
                "give the lines of one engine",
            )  # fmt: skip
        engine = name
        in_order(log.file, line, "iteration", number, before)
        if before is None and number:
            served = Unseen.at_least(number, f"the log starts at iteration {number}")
        before = number
        if text.endswith("(dummy)"):
            dummies += 1
            continue
        if prefilled < contexts or generated < generations:
            raise bad(log.file, line, "has fewer tokens than requests; it is damaged")
        tokens = prefilled + generated
        waits = Unseen.at_least(contexts + generations, NO_WAITING)
        split = generated == generations
        yield Step(
            line=line,
            number=number,
            record=record(
                start=Unseen.at_least(0, NO_START),
                end=Unseen.at_least(0, NO_START),
                served=served,
                tokens=tokens,
                prefilled=prefilled if split else Unseen(prefilled, tokens, (MIXED_UP,)),
                decoders=generations if split else Unseen(0, generations, (MIXED_UP,)),
                decoding=Unseen.at_least(generations if split else 0, NO_WAITING),
                residents=waits,
                demand=Unseen.at_least(tokens, NO_WAITING),
            ),
            duration=int(Decimal(match[6]) * 1000),
        )
        served = served + tokens
    if dummies:
        log.notes.append(f"{dummies:,} dummy iterations of data parallelism are passed over")


def _arguments(log: Log, text: str) -> None:
    """The token budget and the kind of scheduling, from the line of the engine's arguments."""
    try:
        given = ast.literal_eval(text[text.index("{") :])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        log.notes.append("the line of the engine's arguments cannot be read")
        return
    budget = given.get("max_num_batched_tokens") if isinstance(given, dict) else None
    if type(budget) is int and budget > 0:
        log.budget = budget
    asynchronous = given.get("async_scheduling") if isinstance(given, dict) else None
    if asynchronous is not None and UNKNOWN in log.notes:
        log.notes.remove(UNKNOWN)
    if asynchronous is True:
        log.untimed = ASYNC
