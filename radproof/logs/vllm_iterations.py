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

import attrs

from radproof.logs.laws import REQUEST_LAWS
from radproof.logs.lines import bad, in_order, text_lines
from radproof.logs.log import Log, Step, record
from radproof.number import Num
from radproof.readers.intervals import Unseen

_START = "Iteration("
_LINE = re.compile(
    r"Iteration\((\d{1,18})\): (\d{1,18}) context requests, (\d{1,18}) context tokens, "
    r"(\d{1,18}) generation requests, (\d{1,18}) generation tokens, "
    r"iteration elapsed time: (\d{1,15}\.\d{1,6}) ms"
    r"(?=$|, GPU KV cache usage: \d+(?:\.\d+)?%(?:$| )|, kv cache: [^()]+\(\d[^()]*\)(?:$| )| )",
    re.ASCII,
)
_ENGINE = re.compile(r"Engine (\d+): |\((EngineCore\w*)", re.ASCII)
_DUMMY = "(dummy)"

_NO_WAITING = "the lines do not say who waits"
_NO_START = "an iteration's start is not logged (the stamps are whole seconds, of the line)"
_MIXED_UP = (
    "generation tokens exceed generation requests: speculation, or a preempted request that "
    "prefills again"
)
_ASYNC = "scheduling is asynchronous, so elapsed times overlap and do not measure occupancy"
_UNKNOWN = (
    "whether scheduling was asynchronous is not logged; if so, elapsed times do not measure "
    "occupancy"
)


@attrs.define
class VLLMIterations:
    """Gives the steps of the log; skips lines that are not iterations.

    Raises BadInput for an iteration line that is cut or damaged, duplicated, out of order or
    missing, and for the lines of two engines in one file.
    """

    log: Log
    number: int | None = None
    """The number of the last iteration."""
    engine: str | None = None
    """The engine that the lines so far are of."""
    served: Num = 0
    """Tokens of the iterations so far."""
    dummies: int = 0
    cached: bool = False
    """Whether a line so far ended with the usage of the cache."""

    def __iter__(self) -> Iterator[Step]:
        log = self.log
        log.cannot_answer("the lines name no request", *REQUEST_LAWS)
        log.cannot_answer(_NO_START, "one_at_a_time")
        log.notes.append(_UNKNOWN)
        for line, text in text_lines(log.file):
            if "non-default args: {" in text:
                self._arguments(text)
            if _START in text:
                found = self._match(line, text)
                self._follow(line, text, int(found[1]))
                if text.endswith(_DUMMY):
                    self.dummies += 1
                else:
                    yield self._iteration(line, found)
        if self.dummies:
            log.notes.append(f"{self.dummies:,} dummy iterations of data parallelism are skipped")

    def _arguments(self, text: str) -> None:
        """The token budget and the kind of scheduling, from the line of the engine's arguments."""
        log = self.log
        try:
            given = ast.literal_eval(text[text.index("{") :])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            log.notes.append("the line of the engine's arguments cannot be read")
            return
        budget = given.get("max_num_batched_tokens") if isinstance(given, dict) else None
        if type(budget) is int and budget > 0:
            log.budget = budget
        asynchronous = given.get("async_scheduling") if isinstance(given, dict) else None
        if asynchronous is not None and _UNKNOWN in log.notes:
            log.notes.remove(_UNKNOWN)
        if asynchronous is True:
            log.untimed = _ASYNC

    def _match(self, line: int, text: str) -> re.Match[str]:
        """An iteration line in its parts. Raises BadInput where it is cut or damaged."""
        file = self.log.file
        match = _LINE.search(text) if text.count(_START) == 1 else None
        if match is None:
            raise bad(
                file,
                line,
                "starts an iteration and does not end it as vLLM does: "
                f"{text[text.index(_START) :][:60]!r}; it is cut or damaged. Remove the rest of "
                "the log from here, or write it again",
            )
        cached = " cache" in text[match.end() :]
        if self.cached and not cached and not text.endswith(_DUMMY):
            raise bad(file, line, "ends before the cache usage that the lines before it have")
        self.cached = self.cached or cached
        return match

    def _follow(self, line: int, text: str, number: int) -> None:
        """Raises BadInput where an iteration cannot come after those before it."""
        file = self.log.file
        said = _ENGINE.search(text)
        engine = (said[1] or said[2]) if said else ""
        if self.engine is not None and engine != self.engine:
            raise bad(
                file, line, f"is of engine {engine!r}, the lines before of {self.engine!r}; "
                "give the lines of one engine",
            )  # fmt: skip
        self.engine = engine
        in_order(file, line, "iteration", number, self.number)
        if self.number is None and number:
            self.served = Unseen.at_least(number, f"the log starts at iteration {number}")
        self.number = number

    def _iteration(self, line: int, found: re.Match[str]) -> Step:
        number, contexts, prefilled, generations, generated = map(int, found.groups()[:5])
        if prefilled < contexts or generated < generations:
            raise bad(self.log.file, line, "has fewer tokens than requests; it is damaged")
        tokens = prefilled + generated
        split = generated == generations
        step = Step(
            line=line,
            number=number,
            record=record(
                start=Unseen.at_least(0, _NO_START),
                end=Unseen.at_least(0, _NO_START),
                served=self.served,
                tokens=tokens,
                prefilled=prefilled if split else Unseen(prefilled, tokens, (_MIXED_UP,)),
                decoders=generations if split else Unseen(0, generations, (_MIXED_UP,)),
                decoding=Unseen.at_least(generations if split else 0, _NO_WAITING),
                residents=Unseen.at_least(contexts + generations, _NO_WAITING),
                demand=Unseen.at_least(tokens, _NO_WAITING),
            ),
            duration=int(Decimal(found[6]) * 1000),
        )
        self.served = self.served + tokens
        return step
