"""The code of the loop, changed in one place: what the lemmas about the loop must refute."""

from __future__ import annotations

import inspect
import textwrap

import attrs

from radproof import machine
from radproof.schedulers import RuleScheduler, rule_form


@attrs.frozen
class Sabotage:
    """One piece of one function, and what stands in its place."""

    function: str
    before: str
    after: str
    lemma: str
    """The smallest lemma that is to be refuted."""

    def carry_out(self, monkeypatch) -> None:
        """Put the changed function in the place of the function, until the test ends."""
        owner, module = (
            (RuleScheduler, rule_form) if self.function == "__call__" else (machine, machine)
        )
        source = textwrap.dedent(inspect.getsource(getattr(owner, self.function)))
        assert source.count(self.before) == 1, self
        names = dict(vars(module))
        exec(
            "from __future__ import annotations\n" + source.replace(self.before, self.after), names
        )
        made = names[self.function]
        if owner is RuleScheduler:
            monkeypatch.setattr(owner, self.function, made)
        else:
            # a function of the machine calls the others by the module's own names
            monkeypatch.setattr(owner, self.function, type(made)(made.__code__, vars(module)))


SABOTAGES = {
    "the batch overfills": Sabotage(
        "__call__", "remaining -= tokens", "remaining -= 0", "loop[2+1]"
    ),
    "who goes on to decode goes first": Sabotage(
        "finish", "stay + rejoin", "rejoin + stay", "loop[1+2]"
    ),
    "admission is reversed": Sabotage(
        "_admit", "return tuple(jobs)", "return tuple(jobs[::-1])", "loop[0+2]"
    ),
    "skip who gets nothing": Sabotage("__call__", "break", "continue", "loop[2+1]"),
    "stop at who is not served": Sabotage("__call__", "continue", "break", "loop[2+1]"),
    "one token more of the budget": Sabotage(
        "__call__", "budget(mode, d)", "budget(mode, d) + 1", "loop[1+2]"
    ),
    "decodes begun are counted": Sabotage(
        "__call__",
        "job.phase is DECODE for",
        "job.phase is DECODE and job.done > 0 for",
        "loop[1+2]",
    ),
    "the last resident is not counted": Sabotage(
        "__call__", "len(view.jobs)", "max(1, len(view.jobs) - 1)", "loop[2+1]"
    ),
    "a want of the whole prompt": Sabotage("__call__", "job.prefilled)", "0)", "loop[1+2]"),
    "two entries at the most": Sabotage(
        "__call__", "if tokens <= 0:", "if tokens <= 0 or len(batch) == 2:", "loop.batch[3]"
    ),
    "the list backwards": Sabotage(
        "__call__", "for job in view.jobs if", "for job in view.jobs[::-1] if", "loop[2+1]"
    ),
    "the order is ignored": Sabotage(
        "__call__", "sorted(view.jobs, key=self.order)", "view.jobs", "loop.order[2]"
    ),
    "the order is reversed": Sabotage(
        "__call__", "key=self.order)", "key=self.order, reverse=True)", "loop.order[2]"
    ),
    "admitted at the front": Sabotage(
        "finish", "state.jobs + arrivals", "arrivals + state.jobs", "loop[1+2]"
    ),
    "who goes on to decode is lost": Sabotage("finish", "stay + rejoin", "stay", "loop[1+2]"),
    "the clock stands while idle": Sabotage(
        "finish", "max(state.now, path[state.pending[0]].arrive)", "state.now", "loop[0+2]"
    ),
    "what is served is not counted": Sabotage(
        "finish", "rules.served_after(state.served, tokens)", "state.served", "loop[0+2]"
    ),
    "an end at the wrong time": Sabotage(
        "finish", "(session, end) for", "(session, state.now) for", "loop[1+2]"
    ),
    "who ends is forgotten": Sabotage("finish", "ended + tuple", "tuple", "loop[0+2]"),
    "admitted up to the start": Sabotage("finish", "path, end)", "path, state.now)", "loop[0+2]"),
    "an arrival at the end waits": Sabotage(
        "_admit", "arrive > until", "arrive >= until", "loop[0+2]"
    ),
    "who waits does not stop the rest": Sabotage("_admit", "break", "continue", "loop[1+2]"),
    "a session without a prompt is lost": Sabotage(
        "_admit", "jobs.append(Job(session, DECODE, arrive, prompt))", "pass", "loop[0+2]"
    ),
    "a session comes twice": Sabotage(
        "_admit", "pending[count:]", "pending[max(0, count - 1) :]", "loop[0+2]"
    ),
    "shares are applied twice": Sabotage(
        "_apply",
        "done_after(job.done, share)",
        "done_after(rules.done_after(job.done, share), share)",
        "loop[1+2]",
    ),
    "a prompt without an output decodes": Sabotage(
        "_apply", "job.phase is PREFILL and session.output > 0", "job.phase is PREFILL", "loop[1+2]"
    ),
    "the prompt is left of every phase": Sabotage(
        "_apply",
        "session.prompt if job.phase is PREFILL else session.output",
        "session.prompt",
        "loop[1+2]",
    ),
    "a new decode has done what it had": Sabotage(
        "_apply",
        "Job(job.session, DECODE, job.arrive, job.prompt)",
        "Job(job.session, DECODE, job.arrive, job.prompt, done)",
        "loop[1+2]",
    ),
    "the last job of a list of two is lost": Sabotage(
        "_apply",
        "return tuple(stay)",
        "return tuple(stay[:1] if len(jobs) == 2 else stay)",
        "loop[0+2]",
    ),
    "the batch lasts as long as its entries": Sabotage(
        "start",
        "rules.duration(tokens, deployment)",
        "rules.duration(len(batch), deployment)",
        "loop[1+2]",
    ),
    "every resident decodes in the record": Sabotage(
        "start", "residents=len(state.jobs)", "residents=len(batch)", "loop[2+1]"
    ),
    "a decode may take two tokens": Sabotage(
        "_check", "entry.tokens != 1", "entry.tokens > 2", "loop[1+2]"
    ),
    "a prompt may take more than is left": Sabotage(
        "_check", "entry.tokens > job.prompt - job.done", "entry.tokens > job.prompt", "loop[1+2]"
    ),
    "the scheduler forgets": Sabotage("__call__", "view.memory", "1", "loop[1+2]"),
    "the machine forgets": Sabotage("finish", "memory=memory", "memory=1", "loop[0+2]"),
    "idle where a job is resident": Sabotage(
        "step", "if batch else None", "if len(batch) > 1 else None", "loop[1+2]"
    ),
    "nobody is stuck": Sabotage("finish", "elif state.pending:", "elif True:", "loop[1+0]"),
    "sessions in the order of their numbers": Sabotage(
        "initial",
        "key=lambda session: path[session].arrive",
        "key=lambda session: session",
        "loop.initial[3]",
    ),
    "the last session first among ties": Sabotage(
        "initial", "range(len(path))", "reversed(range(len(path)))", "loop.initial[3]"
    ),
}
