"""Changed rules, orders and loops, of which `radproof prove` may say nothing that is false.

Each is RAD with something changed, harmless changes among them, and its statement in one line.
`ENTRIES` has those below, the mutants in rule form and the changed rules that refute a lemma; what
reads the same to the solver is listed once. A sabotage changes the code of the loop itself, and its
entry is RAD's rules under it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from unittest import mock

import attrs

from radproof import machine, rules
from radproof.errors import BadInput
from radproof.lemmas.obligations import WORLD, World
from radproof.model import DECODE, PREFILL, Batch, Entry, Job, Path
from radproof.mutants import CATALOGUE
from radproof.number import both, ceil_div, either, floor_div, ite, maximum, minimum, monus, negate
from radproof.proof.fingerprint import rules_hash
from radproof.rules import RULES, Rules
from radproof.schedulers import RuleScheduler, rad
from radproof.schedulers.protocol import View
from tests.proof.changed_rules import CHANGED as OF_LEMMAS

Sabotage: TypeAlias = Callable[[], contextlib.AbstractContextManager[Any]]


@attrs.frozen
class Changed:
    """RAD with something changed."""

    name: str
    statement: str
    scheduler: RuleScheduler = attrs.field(default=rad, repr=False)
    sabotage: Sabotage | None = attrs.field(default=None, repr=False)
    """In its context the loop's own code is changed."""
    own: bool = True
    """Whether it is defined here."""

    @contextlib.contextmanager
    def applied(self) -> Iterator[World]:
        """The world of its rules, while the loop is changed."""
        with self.sabotage() if self.sabotage else contextlib.nullcontext():
            yield World(self.scheduler)


OWN: dict[str, Changed] = {}


def _enter(one: Changed) -> None:
    if one.name in OWN:
        raise ValueError(f"two changes are called {one.name!r}")
    OWN[one.name] = one


def changed(name: str, statement: str, **by_rule: Any) -> None:
    """Enter RAD with these rules, or with an `order`."""
    order = by_rule.pop("order", None)
    _enter(Changed(name, statement, RuleScheduler(attrs.evolve(RULES, **by_rule), order)))


# the mode

changed(
    "mode: half a tile",
    "decodes take over when they fill half a tile",
    decode_mode=lambda k, r, d: either(2 * k >= d.b_col, k == r),
)
changed(
    "mode: b_lcm decodes",
    "decodes wait until they fill b_lcm",
    decode_mode=lambda k, r, d: either(k >= d.b_lcm, k == r),
)
changed(
    "mode: a chunk of decodes",
    "decodes wait until they fill a chunk",
    decode_mode=lambda k, r, d: either(k >= d.chunk, k == r),
)
changed(
    "mode: the majority",
    "the phase that more residents have goes first",
    decode_mode=lambda k, r, d: 2 * k > r,
)
changed(
    "mode: exactly b_col",
    "decodes take over at exactly b_col",
    decode_mode=lambda k, r, d: either(k == d.b_col, k == r),
)
changed(
    "mode: all of a tile",
    "the test of all residents is limited to a tile (harmless)",
    decode_mode=lambda k, r, d: either(k >= d.b_col, both(k == r, r <= d.b_col)),
)
changed(
    "mode: minimum",
    "k >= min(b_col, r) (harmless)",
    decode_mode=lambda k, r, d: k >= minimum(d.b_col, r),
)
changed(
    "mode: strict",
    "k > b_col - 1, and no prompt waits (harmless)",
    decode_mode=lambda k, r, d: either(k > d.b_col - 1, r - k == 0),
)
changed(
    "mode: at least all",
    "k >= r for k == r (harmless)",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k >= r),
)
changed(
    "mode: squares",
    "both sides of the threshold times b_col (harmless)",
    decode_mode=lambda k, r, d: either(k * d.b_col >= d.b_col * d.b_col, k == r),
)
changed(
    "mode: negated",
    "not (fewer than b_col and fewer than all) (harmless)",
    decode_mode=lambda k, r, d: negate(both(k < d.b_col, k < r)),
)
changed("mode: always", "it is always Decode Mode", decode_mode=lambda k, r, d: k >= 0)
changed("mode: never", "it is never Decode Mode", decode_mode=lambda k, r, d: k < 0)
changed(
    "mode: all but one",
    "decodes go first when one prompt waits",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k + 1 >= r),
)
changed(
    "mode: the other",
    "the two modes are exchanged",
    decode_mode=lambda k, r, d: negate(either(k >= d.b_col, k == r)),
)
changed(
    "mode: even",
    "decodes go first when their number is even",
    decode_mode=lambda k, r, d: k % 2 == 0,
)
changed(
    "mode: crowded",
    "decodes go first in a crowd of two tiles",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k == r, r > 2 * d.b_col),
)
changed(
    "mode: one hundred",
    "100 decodes take over, whatever the tile",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k == r, k >= 100),
)
changed(
    "mode: where tiles are free",
    "decodes go first where t_lin is 0",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k == r, both(d.t_lin == 0, k >= 1)),
)
changed(
    "mode: at 400 residents",
    "it is Prefill Mode at 400 residents",
    decode_mode=lambda k, r, d: both(r != 400, either(k >= d.b_col, k == r)),
)

# who is served

changed("serves: decodes in Decode Mode", "no prompt is served", serves=lambda m, x: both(m, x))
changed("serves: nobody", "nobody is served", serves=lambda m, x: both(m, negate(m)))
changed("serves: decodes", "only decodes are served", serves=lambda m, x: x)
changed("serves: prompts", "only prompts are served", serves=lambda m, x: negate(x))
changed(
    "serves: by cases",
    "the same test by cases (harmless)",
    serves=lambda m, x: ite(m, x, negate(x)),
)
changed(
    "serves: not unequal",
    "not (mode != decoding) (harmless)",
    serves=lambda m, x: negate(m != x),
)

# the budget

changed(
    "budget: exchanged",
    "decodes have b_lcm tokens, prefills b_col",
    budget=lambda m, d: ite(m, d.b_lcm, d.b_col),
)
changed(
    "budget: no more than a chunk",
    "min(b_lcm, chunk) for prefills (harmless)",
    budget=lambda m, d: ite(m, d.b_col, minimum(d.b_lcm, d.chunk)),
)
changed(
    "budget: a chunk",
    "prefills have a chunk of tokens",
    budget=lambda m, d: ite(m, d.b_col, d.chunk),
)
changed(
    "budget: a decode too many",
    "b_col + 1 decodes",
    budget=lambda m, d: ite(m, d.b_col + 1, d.b_lcm),
)
changed(
    "budget: a prefill token too many",
    "b_lcm + 1 prefill tokens",
    budget=lambda m, d: ite(m, d.b_col, d.b_lcm + 1),
)
changed(
    "budget: a tile more",
    "b_lcm + b_col prefill tokens",
    budget=lambda m, d: ite(m, d.b_col, d.b_lcm + d.b_col),
)
changed(
    "budget: a tile less",
    "b_lcm - b_col prefill tokens, where that is a tile",
    budget=lambda m, d: ite(m, d.b_col, maximum(d.b_lcm - d.b_col, d.b_col)),
)
changed("budget: one", "one token a batch", budget=lambda m, d: ite(m, 1, 1))
changed("budget: nothing", "no tokens at all", budget=lambda m, d: ite(m, 0, 0))
changed(
    "budget: one decode",
    "one decode a batch",
    budget=lambda m, d: ite(m, 1, d.b_lcm),
)
changed(
    "budget: whole tiles",
    "b_lcm rounded down to tiles (harmless)",
    budget=lambda m, d: ite(m, d.b_col, floor_div(d.b_lcm, d.b_col) * d.b_col),
)
changed(
    "budget: at most 128 decodes",
    "min(b_col, 128) decodes",
    budget=lambda m, d: ite(m, minimum(d.b_col, 128), d.b_lcm),
)
changed(
    "budget: t_nl more",
    "t_nl more tokens for prefills",
    budget=lambda m, d: ite(m, d.b_col, d.b_lcm + d.t_nl),
)
changed(
    "budget: short at the seed's tile",
    "one prefill token too few where b_col is 128",
    budget=lambda m, d: ite(m, d.b_col, d.b_lcm - ite(d.b_col == 128, 1, 0)),
)
changed(
    "budget: negative",
    "minus a tile for decodes",
    budget=lambda m, d: ite(m, 0 - d.b_col, d.b_lcm),
)

# what a job wants

changed(
    "want: the whole prompt",
    "a prefill wants all that is left (harmless: the budget is b_lcm)",
    want=lambda x, left, d: ite(x, 1, left),
)
changed(
    "want: b_lcm",
    "a prefill wants b_lcm (harmless: a chunk is no less)",
    want=lambda x, left, d: ite(x, 1, minimum(left, d.b_lcm)),
)
changed(
    "want: b_col",
    "a prefill wants one tile of b_col",
    want=lambda x, left, d: ite(x, 1, minimum(left, d.b_col)),
)
changed(
    "want: a chunk and one",
    "a prefill wants one token more than a chunk (harmless)",
    want=lambda x, left, d: ite(x, 1, minimum(left, d.chunk + 1)),
)
changed(
    "want: a tile for a decode",
    "a decode wants b_col tokens",
    want=lambda x, left, d: ite(x, d.b_col, minimum(left, d.chunk)),
)
changed(
    "want: not a last token",
    "a prefill never wants its last token",
    want=lambda x, left, d: ite(x, 1, ite(left == 1, 0, minimum(left, d.chunk))),
)
changed(
    "want: two chunks of a long prompt",
    "a long prefill wants two chunks (harmless)",
    want=lambda x, left, d: ite(x, 1, ite(left > 2 * d.chunk, 2 * d.chunk, minimum(left, d.chunk))),
)
changed(
    "want: one or more",
    "max(1, min(left, chunk)) (harmless)",
    want=lambda x, left, d: ite(x, 1, maximum(1, minimum(left, d.chunk))),
)
changed(
    "want: whole tiles",
    "a prefill wants whole tiles of b_col, where it has one",
    want=lambda x, left, d: ite(
        x, 1, minimum(d.chunk, ite(left >= d.b_col, left - left % d.b_col, left))
    ),
)
changed(
    "want: by cases",
    "the same minimum by cases (harmless)",
    want=lambda x, left, d: ite(x, 1, ite(left < d.chunk, left, d.chunk)),
)
changed(
    "want: one hundred",
    "a prefill wants 100 tokens",
    want=lambda x, left, d: ite(x, 1, minimum(left, 100)),
)
changed(
    "want: as the loop asks",
    "a decode wants a token where nothing is left of its prompt (harmless: it is so asked)",
    want=lambda x, left, d: ite(x, ite(left == 0, 1, 0), minimum(left, d.chunk)),
)
changed(
    "want: nothing of a decode where tokens are free",
    "a decode wants nothing where t_nl is 0",
    want=lambda x, left, d: ite(x, minimum(d.t_nl, 1), minimum(left, d.chunk)),
)
changed(
    "want: less than nothing",
    "a decode wants -1 tokens",
    want=lambda x, left, d: ite(x, -1, minimum(left, d.chunk)),
)

# what it gets

changed(
    "take: all or nothing",
    "a job gets its whole want or nothing",
    take=lambda want, rest: ite(want <= rest, want, 0),
)
changed(
    "take: not the last token",
    "a token of the budget is kept back",
    take=lambda want, rest: minimum(want, rest - 1),
)
changed(
    "take: natural",
    "max(0, min) (harmless)",
    take=lambda want, rest: maximum(minimum(want, rest), 0),
)
changed(
    "take: one more",
    "a job gets a token where no budget remains",
    take=lambda want, rest: minimum(want, maximum(rest, 1)),
)
changed(
    "take: twice the rest", "the rest counts twice", take=lambda want, rest: minimum(want, 2 * rest)
)
changed(
    "take: half",
    "a job gets half of what it could, rounded up",
    take=lambda want, rest: ceil_div(minimum(want, rest), 2),
)
changed("take: one token", "everyone gets one token", take=lambda want, rest: minimum(1, rest))
changed(
    "take: by cases",
    "the same minimum by cases (harmless)",
    take=lambda want, rest: ite(rest >= want, want, rest),
)
changed(
    "take: monus",
    "want - (want - rest) (harmless)",
    take=lambda want, rest: monus(want, monus(want, rest)),
)

# the clock


def _lasts(tiles: Any, tokens: Any, d: Any) -> Any:
    return maximum(1, d.t_lin * tiles + d.t_nl * tokens)


changed(
    "duration: slower tokens",
    "a token costs t_nl + 1",
    duration=lambda n, d: rules.duration(n, d) + n,
)
changed(
    "duration: twice", "a batch lasts twice as long", duration=lambda n, d: 2 * rules.duration(n, d)
)
changed(
    "duration: overhead",
    "a batch lasts 10 us longer",
    duration=lambda n, d: rules.duration(n, d) + 10,
)
changed(
    "duration: tiles of b_lcm",
    "a tile is b_lcm tokens",
    duration=lambda n, d: _lasts(ceil_div(n, d.b_lcm), n, d),
)
changed(
    "duration: at least one tile",
    "tiles are rounded down, to one or more",
    duration=lambda n, d: _lasts(maximum(1, floor_div(n, d.b_col)), n, d),
)
changed(
    "duration: full tiles",
    "a part-filled tile costs its tokens too",
    duration=lambda n, d: _lasts(ceil_div(n, d.b_col), d.b_col * ceil_div(n, d.b_col), d),
)
changed(
    "duration: 2 us or more", "max(2, ...)", duration=lambda n, d: maximum(2, rules.duration(n, d))
)
changed(
    "duration: one tile",
    "every batch lasts one full tile",
    duration=lambda n, d: _lasts(1, d.b_col, d),
)
changed(
    "duration: one token more",
    "a batch lasts a token longer",
    duration=lambda n, d: rules.duration(n + 1, d),
)
changed(
    "duration: one token is free",
    "a batch of one token lasts 1 us",
    duration=lambda n, d: ite(n == 1, 1, rules.duration(n, d)),
)
changed(
    "duration: at most 5 us",
    "a long batch is cut short",
    duration=lambda n, d: minimum(rules.duration(n, d), 5),
)
changed(
    "duration: at most a second",
    "a batch of more than a second is cut short",
    duration=lambda n, d: minimum(rules.duration(n, d), 10**6),
)
changed(
    "duration: rounded up by hand",
    "(n + b_col - 1) // b_col tiles (harmless)",
    duration=lambda n, d: _lasts(floor_div(n + d.b_col - 1, d.b_col), n, d),
)
changed(
    "duration: nothing lasts nothing",
    "a batch of no tokens takes no time (harmless)",
    duration=lambda n, d: ite(n == 0, 0, rules.duration(n, d)),
)
changed(
    "duration: attention",
    "a batch lasts n^2 longer",
    duration=lambda n, d: rules.duration(n, d) + n * n,
)
changed("duration: nothing", "no batch takes time", duration=lambda n, d: 0 * n)
changed("duration: 1 us", "every batch lasts 1 us", duration=lambda n, d: 1 + 0 * n)
changed(
    "duration: odd",
    "an odd batch lasts 1 us longer",
    duration=lambda n, d: rules.duration(n, d) + n % 2,
)

# the tokens served

changed("served: odd", "an odd batch counts a token more", served_after=lambda s, n: s + n + n % 2)
changed("served: the larger", "the largest batch counts", served_after=maximum)
changed("served: the last", "the last batch counts", served_after=lambda s, n: n)
changed(
    "served: one too few", "a batch counts a token less", served_after=lambda s, n: s + monus(n, 1)
)
changed(
    "served: two at most",
    "a batch counts two tokens at most",
    served_after=lambda s, n: s + minimum(n, 2),
)
changed(
    "served: twice after a million",
    "tokens count twice after the first million",
    served_after=lambda s, n: s + ite(s > 10**6, 2 * n, n),
)
changed("served: turned round", "n + s (harmless)", served_after=lambda s, n: n + s)
changed("served: natural", "max(0, s + n) (harmless)", served_after=lambda s, n: maximum(0, s + n))
changed(
    "served: from one",
    "the first batch counts a token more",
    served_after=lambda s, n: s + n + ite(s == 0, 1, 0),
)

# the work done and left

changed("done: the last share", "only the last share is done", done_after=lambda done, n: n)
changed("done: the larger", "only the largest share is done", done_after=maximum)
changed(
    "done: one too few",
    "a share counts a token less",
    done_after=lambda done, n: done + monus(n, 1),
)
changed(
    "done: one token", "a share counts one token", done_after=lambda done, n: done + minimum(n, 1)
)
changed(
    "done: at most 100",
    "a share counts 100 tokens at most",
    done_after=lambda done, n: done + minimum(n, 100),
)
changed("done: turned round", "n + done (harmless)", done_after=lambda done, n: n + done)
changed("left: integers", "total - done (harmless)", left=lambda total, done: total - done)
changed(
    "left: done counts twice", "total - 2 done", left=lambda total, done: monus(total, 2 * done)
)
changed(
    "left: by cases",
    "the same monus by cases (harmless)",
    left=lambda total, done: ite(done >= total, 0, total - done),
)
changed(
    "left: maximum",
    "max(total - done, 0) (harmless)",
    left=lambda total, done: maximum(total - done, 0),
)
changed(
    "left: the last token is dropped",
    "one token left is none",
    left=lambda total, done: ite(total == done + 1, 0, monus(total, done)),
)
changed(
    "left: at most 1000",
    "no more than 1000 are left",
    left=lambda total, done: minimum(monus(total, done), 1000),
)
changed("left: twice", "twice as much is left", left=lambda total, done: 2 * monus(total, done))
changed(
    "left: one more once begun",
    "one token more is left of a phase that has begun",
    left=lambda total, done: ite(done == 0, total, monus(total + 1, done)),
)

# two rules

changed(
    "mode and budget: b_col + 1",
    "decodes take over at b_col + 1, and so many are served",
    decode_mode=lambda k, r, d: either(k >= d.b_col + 1, k == r),
    budget=lambda m, d: ite(m, d.b_col + 1, d.b_lcm),
)
changed(
    "served and duration: twice",
    "tokens count twice and batches last twice as long",
    served_after=lambda s, n: s + 2 * n,
    duration=lambda n, d: 2 * rules.duration(n, d),
)
changed(
    "done and left: twice",
    "work is counted in half tokens",
    done_after=lambda done, n: done + 2 * n,
    left=lambda total, done: monus(2 * total, done),
)
changed(
    "want and take: nothing is nothing",
    "a decode wants nothing of its prompt, and takes a token",
    want=lambda x, left, d: ite(x, minimum(left, 1), minimum(left, d.chunk)),
    take=lambda want, rest: minimum(maximum(want, 1), rest),
)
changed(
    "mode and serves: exchanged",
    "the modes are exchanged, and who is served in them (the budgets are not)",
    decode_mode=lambda k, r, d: negate(either(k >= d.b_col, k == r)),
    serves=lambda m, x: m != x,
)
changed(
    "mode, serves and budget: exchanged",
    "the modes are exchanged in all three (harmless)",
    decode_mode=lambda k, r, d: negate(either(k >= d.b_col, k == r)),
    serves=lambda m, x: m != x,
    budget=lambda m, d: ite(m, d.b_lcm, d.b_col),
)

# orders

changed("order: arrival", "by arrival and number", order=lambda job: (job.arrive, job.session))
changed("order: number", "by the session's number", order=lambda job: job.session)
changed(
    "order: last number", "by the session's number, the last first", order=lambda job: -job.session
)
changed(
    "order: decodes first",
    "decodes before prompts (harmless: batches are not mixed)",
    order=lambda job: 0 if job.phase is DECODE else 1,
)
changed("order: short prompts", "by the prompt's length", order=lambda job: job.prompt)
changed(
    "order: long prompts",
    "by the prompt's length, the longest first",
    order=lambda job: -job.prompt,
)
changed("order: most done", "who has done most goes first", order=lambda job: -job.done)
changed("order: none", "by a constant (harmless)", order=lambda job: 0)
changed(
    "order: new decodes",
    "the decode that arrived last goes first",
    order=lambda job: -job.arrive if job.phase is DECODE else 0,
)
changed("order: even prompts", "even prompts go first", order=lambda job: job.prompt % 2)
changed("order: least prefilled", "by the tokens prefilled", order=lambda job: job.prefilled)
changed(
    "order: most generated",
    "the decode with the most tokens goes first",
    order=lambda job: -job.generated,
)
changed(
    "order: even arrivals",
    "who arrives at an even time goes first",
    order=lambda job: job.arrive % 2,
)
changed(
    "order: prompt and arrival",
    "by the prompt's length, then by arrival",
    order=lambda job: (job.prompt, job.arrive),
)
changed(
    "order: old decodes",
    "the decode that arrived first goes first",
    order=lambda job: job.arrive if job.phase is DECODE else 0,
)

# what ints and solvers read differently: prove refuses it


def _short_at_the_seed(mode: Any, d: Any) -> Any:
    if d.b_col == 128:
        return ite(mode, d.b_col, d.b_lcm - 1)
    return ite(mode, d.b_col, d.b_lcm)


def _off_at_400(k: Any, r: Any, d: Any) -> Any:
    if r == 400:
        return False
    return either(k >= d.b_col, k == r)


changed(
    "refused: float division",
    "decodes take over at 0.95 of a tile, by / on ints",
    decode_mode=lambda k, r, d: either(k / d.b_col > 0.95, k == r),
)
changed(
    "refused: if on the deployment", "the budget asks if b_col == 128", budget=_short_at_the_seed
)
changed("refused: if on a number", "the mode asks if 400 are resident", decode_mode=_off_at_400)
changed(
    "refused: in",
    "the mode looks the residents up in a tuple",
    decode_mode=lambda k, r, d: either(k >= d.b_col, k == r, r in (3, 5)),
)
changed(
    "refused: a table",
    "the want of a short prompt comes from a dict",
    want=lambda x, left, d: ite(x, 1, {1: 0}.get(left, minimum(left, d.chunk))),
)
changed("refused: min", "take is Python's min", take=lambda want, rest: min(want, rest))
changed(
    "refused: a truth counted",
    "served counts a truth as a token",
    served_after=lambda s, n: s + n + (n > 1),
)
changed("refused: an open divisor", "tiles of the tokens", duration=lambda n, d: n // (d.t_nl + n))


# the loop itself: RuleScheduler's and the machine's own code


def sabotaged(name: str, statement: str, owner: object, attribute: str, changes: Any) -> None:
    """Enter RAD under a loop of which one function is changed; `changes` gets the right one."""
    right = getattr(owner, attribute)

    def wrong(*arguments: Any) -> Any:
        return changes(right, *arguments)

    _enter(Changed(name, statement, sabotage=lambda: mock.patch.object(owner, attribute, wrong)))


def _served(self: RuleScheduler, view: View, keep_budget: bool, go_on: bool) -> Batch:
    found, d = [], view.deployment
    mode = self.rules.decode_mode(sum(job.phase is DECODE for job in view.jobs), len(view.jobs), d)
    remaining = self.rules.budget(mode, d)
    for job in view.jobs:
        decoding = job.phase is DECODE
        if not self.rules.serves(mode, decoding):
            continue
        left = self.rules.left(job.prompt, job.prefilled)
        tokens = self.rules.take(self.rules.want(decoding, left, d), remaining)
        if tokens <= 0:
            if go_on:
                continue
            break
        found.append(Entry(job.session, job.phase, tokens))
        remaining -= 0 if keep_budget else tokens
    return tuple(found)


def _in_call(name: str, statement: str, changes: Any) -> None:
    sabotaged(name, statement, RuleScheduler, "__call__", changes)


def _in_end(name: str, statement: str, changes: Any) -> None:
    """`changes` gets the jobs that stay and those that rejoin, and gives the two again."""

    def wrong(right: Any, jobs: Any, batch: Batch, path: Path, bundle: Rules) -> Any:
        stay, rejoin, finished = right(jobs, batch, path, bundle)
        stay, rejoin = changes(stay, rejoin, {entry.session for entry in batch})
        return stay, rejoin, finished

    sabotaged(name, statement, machine, "_apply", wrong)


def _in_admission(name: str, statement: str, changes: Any) -> None:
    """`changes` gets the jobs that arrive together, and gives them again."""

    def wrong(right: Any, *arguments: Any) -> Any:
        jobs, pending, ended = right(*arguments)
        return changes(jobs), pending, ended

    sabotaged(name, statement, machine, "_admit", wrong)


_in_call(
    "loop: overfull",
    "a share is not taken off the budget",
    lambda right, self, view: (_served(self, view, True, False), view.memory),
)
_in_end(
    "loop: rejoin first",
    "a finished prompt rejoins before all who stay",
    lambda stay, rejoin, _: ((), (*rejoin, *stay)),
)
_in_admission(
    "loop: reversed admission", "who arrives together stands in reverse", lambda j: j[::-1]
)
_in_call(
    "loop: goes on",
    "the loop goes on behind a job that gets nothing (harmless)",
    lambda right, self, view: (_served(self, view, False, True), view.memory),
)
_in_call(
    "loop: the first is skipped",
    "the first job is skipped where there is another",
    lambda right, self, view: right(
        self, attrs.evolve(view, jobs=view.jobs[1:] if len(view.jobs) > 1 else view.jobs)
    ),
)
_in_call(
    "loop: backwards",
    "the list is served from its end",
    lambda right, self, view: right(self, attrs.evolve(view, jobs=view.jobs[::-1])),
)
_in_call(
    "loop: the last entry is dropped",
    "the last of two or more entries is left out",
    lambda right, self, view: (
        (lambda batch: batch[:-1] if len(batch) > 1 else batch)(right(self, view)[0]),
        view.memory,
    ),
)
_in_call(
    "loop: one token each",
    "every entry has one token, whatever it takes of the budget",
    lambda right, self, view: (
        tuple(Entry(e.session, e.phase, 1) for e in right(self, view)[0]),
        view.memory,
    ),
)
_in_end(
    "loop: round robin",
    "a job that was served goes behind those that were not",
    lambda stay, rejoin, served: (
        tuple(sorted(stay, key=lambda job: job.session in served)),
        rejoin,
    ),
)
_in_end(
    "loop: rejoin in reverse",
    "prompts that finish together rejoin in reverse",
    lambda stay, rejoin, _: (stay, rejoin[::-1]),
)
_in_end("loop: no rejoin", "a finished prompt does not decode", lambda stay, rejoin, _: (stay, ()))
_in_end(
    "loop: stays in reverse",
    "the list is reversed at every end",
    lambda stay, rejoin, _: (stay[::-1], rejoin),
)
_in_admission(
    "loop: all arrive as prompts",
    "a decode that arrives is admitted as a prompt of no tokens",
    lambda jobs: tuple(Job(j.session, PREFILL, j.arrive, j.prompt) for j in jobs),
)


def _entries() -> Iterator[Changed]:
    for mutant in CATALOGUE.values():
        if isinstance(mutant.scheduler, RuleScheduler):
            yield Changed(mutant.name, mutant.about, mutant.scheduler, own=False)
    for name, (world, lemma) in OF_LEMMAS.items():
        if (world.rate, world.tiling) == (WORLD.rate, WORLD.tiling):
            yield Changed(name, f"it refutes {lemma}", world.scheduler, own=False)
    yield from OWN.values()


def _once(entries: Iterator[Changed]) -> Iterator[Changed]:
    """Without the rules that read the same to the solver as earlier ones; orders are kept."""
    known: set[str] = set()
    for one in entries:
        read = one.name
        if one.sabotage is None and one.scheduler.order is None:
            with contextlib.suppress(BadInput):
                read = rules_hash(World(one.scheduler))
        if read not in known:
            known.add(read)
            yield one


ENTRIES: dict[str, Changed] = {one.name: one for one in _once(_entries())}
"""Every change by name."""
