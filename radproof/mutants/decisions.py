"""RAD with another decision: schedulers that are Python functions of the view.

Most of them come from a public report about a real engine, which `source` names.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from radproof.model import DECODE, PREFILL, Batch, Entry, Job
from radproof.mutants.catalogue import mutant
from radproof.rules import decode_mode
from radproof.schedulers.batches import residents
from radproof.schedulers.protocol import View
from radproof.schedulers.rad import rad
from radproof.schedulers.sarathi import Sarathi


def _mode(view: View, jobs: Iterable[Job]) -> bool:
    seen = list(jobs)
    decodes = sum(job.phase is DECODE for job in seen)
    return bool(decode_mode(decodes, len(seen), view.deployment))


def _batch(view: View, mode: bool, jobs: Iterable[Job] | None = None) -> Batch:
    """RAD's batch in this mode, of all jobs or of some."""
    d = view.deployment
    chosen = [j for j in (view.jobs if jobs is None else jobs) if (j.phase is DECODE) == mode]
    batch, remaining = [], d.b_col if mode else d.b_lcm
    for job in chosen:
        tokens = min(1 if mode else min(job.prompt - job.done, d.chunk), remaining)
        if tokens <= 0:
            break
        batch.append(Entry(job.session, job.phase, tokens))
        remaining -= tokens
    return tuple(batch)


@mutant(killed_by="decodes_served")
def decode_skipped(view: View) -> tuple[Batch, Any]:
    """The last decode of a batch is left out where there is another one."""
    batch, memory = rad(view)
    return (batch[:-1] if len(batch) > 1 and batch[0].phase is DECODE else batch), memory


@mutant(killed_by="mode", source="vLLM PR 1034")
def newest_starves(view: View) -> tuple[Batch, Any]:
    """The newest session is served only when it is the only one."""
    newest = max(view.jobs, key=lambda job: (job.arrive, job.session))
    others = [job for job in view.jobs if job is not newest] or [newest]
    return _batch(view, _mode(view, others), others), view.memory


@mutant(killed_by="progress", source="inference-sim INV-1")
def session_lost(view: View) -> tuple[Batch, Any]:
    """A prompt that comes while the engine decodes is forgotten."""
    decoded, known, lost = view.memory or (False, frozenset(), frozenset())
    present = frozenset(job.session for job in view.jobs)
    if decoded:
        lost |= {job.session for job in view.jobs if job.phase is PREFILL} - known
    jobs = [job for job in view.jobs if job.session not in lost]
    mode = _mode(view, jobs)
    return _batch(view, mode, jobs), (mode, known | present, lost)


@mutant(killed_by="well_formed", source="vLLM 10583")
def session_duplicated(view: View) -> tuple[Batch, Any]:
    """The first entry of a part-filled batch is put in again."""
    batch, memory = rad(view)
    room = sum(entry.tokens for entry in batch) < view.deployment.b_col
    return ((*batch, batch[0]) if room else batch), memory


@mutant(killed_by="one_token_per_decode")
def two_tokens_asked(view: View) -> tuple[Batch, Any]:
    """A decode by itself is asked for two tokens."""
    batch, memory = rad(view)
    if len(batch) == 1 and batch[0].phase is DECODE:
        return (Entry(batch[0].session, DECODE, 2),), memory
    return batch, memory


@mutant(killed_by="batch_not_empty", source="vLLM 30320")
def zero_tokens(view: View) -> tuple[Batch, Any]:
    """The prompt behind a full batch of prefills is put in with no tokens."""
    batch, memory = rad(view)
    if batch[0].phase is PREFILL:
        inside = {entry.session for entry in batch}
        for job in residents(view).waiting:
            if job.session not in inside:
                return (*batch, Entry(job.session, PREFILL, 0)), memory
    return batch, memory


@mutant(killed_by="batch_not_empty", source="Sarathi-Serve's chunk")
def negative_chunk(view: View) -> tuple[Batch, Any]:
    """Sarathi's own: min(left, C - n) is negative where decodes exceed C; only 0 is guarded."""
    budget = Sarathi().budget or view.deployment.b_lcm
    jobs = residents(view)
    batch = [Entry(job.session, DECODE, 1) for job in jobs.decodes]
    for job in (*jobs.started, *jobs.waiting):
        tokens = min(job.prompt - job.done, budget - sum(entry.tokens for entry in batch))
        if tokens == 0:
            break
        batch.append(Entry(job.session, PREFILL, tokens))
    return tuple(batch), view.memory


@mutant(killed_by="mode")
def latched_mode(view: View) -> tuple[Batch, Any]:
    """The mode stays what it was until a session leaves."""
    mode, known = view.memory or (None, frozenset())
    present = frozenset((job.session, job.phase) for job in view.jobs)
    if mode is None or not known <= present:
        mode = _mode(view, view.jobs)
    return _batch(view, mode), (mode, present)


@mutant(killed_by="mode")
def mode_before_arrivals(view: View) -> tuple[Batch, Any]:
    """The mode is read before the arrivals of the instant are."""
    earlier = [job for job in view.jobs if job.arrive < view.now] or view.jobs
    return _batch(view, _mode(view, earlier)), view.memory


@mutant(killed_by="mode")
def arrivals_late(view: View) -> tuple[Batch, Any]:
    """An arrival is seen one iteration late, unless nobody else is there."""
    known = view.memory or frozenset()
    seen = [job for job in view.jobs if job.session in known] or view.jobs
    return _batch(view, _mode(view, seen), seen), frozenset(job.session for job in view.jobs)


@mutant(killed_by="no_idling", source="inference-sim INV-8")
def waits_for_company(view: View) -> tuple[Batch, Any]:
    """The first request waits until a second one comes."""
    come = (view.memory or frozenset()) | {job.session for job in view.jobs}
    return (rad(view)[0] if len(come) > 1 else ()), come


@mutant(killed_by="progress", source="vllm-metal PR 200")
def never_chunks(view: View) -> tuple[Batch, Any]:
    """A prompt is prefilled whole where it fits, and otherwise waits forever."""
    d = view.deployment
    fits = [job for job in view.jobs if job.phase is DECODE or job.prompt <= d.b_lcm]
    return _batch(view, _mode(view, fits), fits), view.memory


@mutant(killed_by="mode", source="vLLM 53130")
def admission_stops(view: View) -> tuple[Batch, Any]:
    """Once b_col decode, no prompt is begun until all of them have ended."""
    decodes = sum(job.phase is DECODE for job in view.jobs)
    stopped = decodes > 0 and (bool(view.memory) or decodes >= view.deployment.b_col)
    return _batch(view, stopped or _mode(view, view.jobs)), stopped


@mutant(killed_by="one_partial")
def round_robin(view: View) -> tuple[Batch, Any]:
    """Prompts take turns, the least prefilled one first."""
    jobs = sorted(view.jobs, key=lambda job: job.done)
    return _batch(view, _mode(view, jobs), jobs), view.memory


@mutant(killed_by="prefill_filled", source="SGLang 22984")
def tail_alone(view: View) -> tuple[Batch, Any]:
    """A batch of prefills is one prompt's, a ragged tail's too."""
    batch, memory = rad(view)
    return (batch[:1] if batch[0].phase is PREFILL else batch), memory


@mutant(killed_by="mode", source="vLLM 52693")
def ghost_decodes(view: View) -> tuple[Batch, Any]:
    """A prompt that was prefilled is counted as a decode from then on, an ended one too."""
    finished: frozenset[int] = view.memory or frozenset()
    present = {job.session for job in view.jobs}
    decodes = sum(job.phase is DECODE for job in view.jobs)
    ghosts = len(finished - present)
    mode = bool(decode_mode(decodes + ghosts, len(view.jobs) + ghosts, view.deployment))
    batch = _batch(view, mode and decodes > 0)
    left = {job.session: job.prompt - job.done for job in view.jobs if job.phase is PREFILL}
    done = {entry.session for entry in batch if left.get(entry.session) == entry.tokens}
    return batch, finished | done


@mutant(killed_by="well_formed", source="vLLM 7632")
def empty_prompt_raises(view: View) -> tuple[Batch, Any]:
    """The share of a prompt that is cached is worked out, of an empty one too."""
    shares = [job.prefilled / job.prompt for job in view.jobs]
    return rad(view)[0], sum(shares)


@mutant(killed_by="mode")
def decodes_before_tail(view: View) -> tuple[Batch, Any]:
    """A prompt's last chunk waits until no session decodes."""
    started = residents(view).started
    d = view.deployment
    hold = any(job.prompt - job.done <= d.chunk for job in started)
    decodes = any(job.phase is DECODE for job in view.jobs)
    return _batch(view, (hold and decodes) or _mode(view, view.jobs)), view.memory


_calls = itertools.count()


@mutant(killed_by="pure")
def turns_by_a_counter(view: View) -> tuple[Batch, Any]:
    """Every other call serves the list from its end."""
    jobs = view.jobs if next(_calls) % 2 else view.jobs[::-1]
    return _batch(view, _mode(view, jobs), jobs), view.memory


@mutant(killed_by="pure")
def changes_its_memory(view: View) -> tuple[Batch, Any]:
    """Its memory is one list, to which every call adds."""
    memory: list[int] = [] if view.memory is None else view.memory
    memory.append(view.now)
    return rad(view)[0], memory
