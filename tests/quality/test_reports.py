"""The kinds of fault that public bug reports tell of, found with 20 examples a claim.

Each engine has the fault of one report, and a twin without it that keeps every law of an engine.
The engines of ../shared/cases are held to the table there, where they are.
"""

from __future__ import annotations

import importlib
import time
from typing import Any

import pytest
from helpers import SHARED

from radproof import DECODE, SEED, Entry, Session, View
from radproof.laws import LAWS, asked_of
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding, Plan, search
from radproof.testing import Broken, verify

EXAMPLES = 20


class Queue:
    """First in, first out, on a few slots; a prompt in chunks of the budget, then its decodes."""

    slots = 2

    def __init__(self, deployment: Any) -> None:
        self.budget = deployment.b_lcm
        self.waiting: list[tuple[int, int]] = []
        self.running: dict[int, int] = {}  # what is left of the prompt

    def add_request(self, number: int, prompt_tokens: int) -> None:
        self.waiting.append((number, prompt_tokens))

    def admits(self) -> bool:
        return True

    def schedule(self) -> list[tuple[int, int]]:
        while self.waiting and len(self.running) < self.slots and self.admits():
            number, prompt = self.waiting.pop(0)
            self.running[number] = prompt
        room, batch = self.budget, []
        for number, left in self.running.items():
            tokens = min(left or 1, room)
            if tokens:
                batch.append((number, tokens))
                room -= tokens
        return batch

    def update(self, number: int, tokens: int, finished: bool) -> None:
        self.running[number] = max(0, self.running[number] - tokens)
        if finished:
            del self.running[number]


class OneSlot(Queue):
    slots = 1


class FullUntilADecodeEnds(Queue):
    """SGLang 22518: what ends with its prompt does not clear the flag of a full batch."""

    full = False

    def admits(self) -> bool:
        return not self.full

    def schedule(self) -> list[tuple[int, int]]:
        batch = super().schedule()
        self.full = self.full or len(self.running) == self.slots
        return batch

    def clears(self, decoding: bool) -> bool:
        return decoding

    def update(self, number: int, tokens: int, finished: bool) -> None:
        decoding = not self.running[number]
        super().update(number, tokens, finished)
        if finished and self.clears(decoding):
            self.full = False


class FullUntilOneEnds(FullUntilADecodeEnds):
    def clears(self, decoding: bool) -> bool:
        return True


class LooksOnArrival(OneSlot):
    """inference-sim 326: the queue is looked at when a request arrives, and at no other time."""

    arrived = False

    def add_request(self, number: int, prompt_tokens: int) -> None:
        super().add_request(number, prompt_tokens)
        self.arrived = True

    def admits(self) -> bool:
        return self.arrived

    def schedule(self) -> list[tuple[int, int]]:
        batch = super().schedule()
        self.arrived = False
        return batch


class NewestHoldThePlaces(OneSlot):
    """vLLM 31857: those that wait hold two places, and none of them is the first in the queue."""

    def __init__(self, deployment: Any) -> None:
        super().__init__(deployment)
        self.places: list[int] = []

    def in_turn(self) -> list[tuple[int, int]]:
        return self.waiting[::-1]

    def admits(self) -> bool:
        for number, _ in self.in_turn():
            if number not in self.places and len(self.places) < 2:
                self.places.append(number)
        return self.waiting[0][0] in self.places

    def update(self, number: int, tokens: int, finished: bool) -> None:
        super().update(number, tokens, finished)
        if finished:
            self.places.remove(number)


class OldestHoldThePlaces(NewestHoldThePlaces):
    def in_turn(self) -> list[tuple[int, int]]:
        return self.waiting


def never_looked_at_again(view: View) -> Any:
    """vllm-ascend 10699: every second request is not ready at first, and skipped ever after."""
    skipped = view.memory or frozenset()
    skipped |= {j.session for j in view.jobs if j.session % 2 and view.now < j.arrive + 300}
    return served(view, [job for job in view.jobs if job.session not in skipped]), skipped


def served(view: View, jobs: list[Any]) -> list[Entry]:
    """The first of these jobs, alone."""
    for job in jobs[:1]:
        tokens = 1 if job.phase is DECODE else job.prompt - job.prefilled
        return [Entry(job.session, job.phase, min(tokens, view.deployment.b_lcm))]
    return []


ONE_TOKEN = (0, 0, 1)
PROMPT_ALONE = (0, 1, 0)

FAULTY: dict[str, tuple[Any, dict[str, list[tuple[int, int, int]]]]] = {
    "full until a decode ends": (FullUntilADecodeEnds, {"progress": [PROMPT_ALONE] * 3}),
    # a batch of one token takes 4005 us: the third finds the second waiting, 1 us late
    "looks on arrival": (
        LooksOnArrival,
        {
            "progress": [ONE_TOKEN] * 2,
            "no_idling": [ONE_TOKEN, ONE_TOKEN, (4006, 0, 1)],
        },
    ),
    "never looked at again": (
        never_looked_at_again,
        {
            "progress": [(0, 0, 0), ONE_TOKEN],
            "no_idling": [(0, 0, 0), ONE_TOKEN, (1, 0, 1)],
        },
    ),
    "newest hold the places": (NewestHoldThePlaces, {"progress": [ONE_TOKEN] * 3}),
}
GOOD = (Queue, OneSlot, FullUntilOneEnds, OldestHoldThePlaces)


def found_by(engine: Any, *laws: str) -> dict[str, Finding]:
    claims = {name: LAWS[name].claim for name in laws}
    findings = search(claims, Loaded.of(engine), Plan(examples=EXAMPLES))
    return {finding.claim.name: finding for finding in findings}


@pytest.mark.parametrize("name", FAULTY)
def test_the_fault_of_a_report_is_found_and_its_path_is_exactly_this(name: str) -> None:
    engine, broken = FAULTY[name]
    found = found_by(engine, *broken)
    for law, path in broken.items():
        counterexample = found[law].counterexample
        assert counterexample is not None, law
        assert counterexample.path == tuple(Session(*session) for session in path)
        assert counterexample.minimal


@pytest.mark.parametrize("name", FAULTY)
def test_verify_finds_it_too_in_seconds(name: str) -> None:
    engine, broken = FAULTY[name]
    started = time.process_time()
    with pytest.raises(Broken) as raised:
        verify(engine, examples=EXAMPLES)
    assert time.process_time() - started < 60
    for law in broken:
        assert f"\n{law} under " in str(raised.value)


@pytest.mark.parametrize("engine", GOOD)
def test_its_twin_keeps_every_law_of_an_engine(engine: Any) -> None:
    asked, _ = asked_of(["engine"], Loaded.of(engine).call, SEED)
    found = found_by(engine, *asked)
    assert {finding.exit_code for finding in found.values()} == {0}
    assert all(finding.counterexample is None for finding in found.values())


# F1, F36 and Forgets need laws of work conservation and of the engine's own count.
# G21 waits for a grammar, which no engine can say yet: it is stuck, as F21 is.
TABLE = {"F6": {"progress": [PROMPT_ALONE] * 3}} | {
    name: FAULTY[kind][1]
    for name, kind in (
        ("F10", "looks on arrival"),
        ("F21", "never looked at again"),
        ("F22", "newest hold the places"),
    )
}
TWINS = ("Engine", "G6", "G10")

ENGINES = SHARED / "cases" / "engines"
needs_engines = pytest.mark.skipif(
    not ENGINES.exists(),
    reason=f"{ENGINES} is not there: the table of public reports is NOT looked for",
)


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ENGINES)
    return importlib.import_module("reports")


@needs_engines
@pytest.mark.parametrize("name", TABLE)
def test_the_table_of_public_reports_is_found(name: str, reports: Any) -> None:
    found = found_by(getattr(reports, name), *TABLE[name])
    for law, path in TABLE[name].items():
        counterexample = found[law].counterexample
        assert counterexample is not None, law
        assert counterexample.path == tuple(Session(*session) for session in path)
    with pytest.raises(Broken, match="progress"):
        verify(getattr(reports, name), examples=EXAMPLES)


@needs_engines
@pytest.mark.parametrize("name", TWINS)
def test_the_twins_of_the_table_hold(name: str, reports: Any) -> None:
    verify(getattr(reports, name), examples=EXAMPLES)
