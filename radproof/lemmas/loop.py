"""The loop's equations: what RuleScheduler and the machine do with the rules, one function each.

They loop and branch over a job list, which a solver cannot read. What they do with one job, and at
an iteration's start and end, is here as arithmetic; `unrolled` and the compositions are built of
it. Of the list itself they use this: the fill passes every job once, in the order of
`RuleScheduler.order`, so that what it counts and adds up is that of the list; `sorted` is stable,
so that of two jobs the former is passed first unless its key is larger; `machine._admit` appends
whom it admits in the order of their arrivals, and jobs that stay keep their order.
"""

from __future__ import annotations

from radproof.lemmas.obligations import World
from radproof.model import Node
from radproof.number import Num, Truth, both, either, ite, negate
from radproof.readers.terms import Names

# RuleScheduler.__call__


def mode(decodes: Num, residents: Num, world: World, d: Node) -> Truth:
    """The mode of the list's counts."""
    found: Truth = world.rules.decode_mode(decodes, residents, d)
    return found


def limit(mode: Truth, world: World, d: Node) -> Num:
    """What remains before the first job: the budget of the mode, in tokens."""
    found: Num = world.rules.budget(mode, d)
    return found


def asked(decoding: Truth, prompt: Num, done: Num, world: World) -> Num:
    """What is left of a job's prompt as its want is asked: of a decode's, nothing."""
    found: Num = world.rules.left(prompt, ite(decoding, prompt, done))
    return found


def served(mode: Truth, decoding: Truth, world: World) -> Truth:
    """Whether the job is served in this mode."""
    found: Truth = world.rules.serves(mode, decoding)
    return found


def wanted(decoding: Truth, asked: Num, world: World, d: Node) -> Num:
    """What the job wants, in tokens."""
    found: Num = world.rules.want(decoding, asked, d)
    return found


def offer(wanted: Num, remaining: Num, world: World) -> Num:
    """What it would take of what remains."""
    found: Num = world.rules.take(wanted, remaining)
    return found


def share(filling: Truth, served: Truth, offer: Num) -> Num:
    """What it gets: its offer, where it is served and no served job before it got nothing."""
    return ite(both(filling, served, offer > 0), offer, 0)


def filling(filling: Truth, served: Truth, offer: Num) -> Truth:
    """Whether the fill goes on after the job: it stops at a served job that gets nothing."""
    return both(filling, either(negate(served), offer > 0))


def first_passed(one: Names, other: Names, world: World) -> Truth:
    """Whether the fill passes `one` before `other`, where `one` stands first in the list."""
    return world.offered_first(one, other)


# machine.start and machine.finish


def lasts(tokens: Num, world: World, d: Node) -> Num:
    """How long a batch of `tokens` lasts."""
    found: Num = world.rules.duration(tokens, d)
    return found


def end(now: Num, tokens: Num, world: World, d: Node) -> Num:
    """When the batch ends."""
    return now + lasts(tokens, world, d)


def served_tokens(served: Num, tokens: Num, world: World) -> Num:
    """The tokens served when it ends; an idle time ends with a batch of no tokens."""
    found: Num = world.rules.served_after(served, tokens)
    return found


# machine._apply


def total(decoding: Truth, prompt: Num, output: Num) -> Num:
    """The tokens of a job's phase."""
    return ite(decoding, output, prompt)


def done(done: Num, share: Num, world: World) -> Num:
    """What a job has done when the batch ends: without a share, what it had."""
    return ite(share == 0, done, world.rules.done_after(done, share))


def stays(total: Num, done: Num, share: Num, world: World) -> Truth:
    """Whether it stays in the list, where `done` is what it has done when the batch ends."""
    return either(share == 0, world.rules.left(total, done) > 0)
