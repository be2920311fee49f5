"""From the ints of a model to a state that `machine.step` takes.

A scene builder gets the values of a lemma's variables and gives the state, path and deployment
they speak of, or None where the model has no machine state (a batch of more than a whole tile,
say). Whether what the lemma denies really happens there is for `audit` to say.
"""

from __future__ import annotations

import attrs

from radproof.lemmas.obligations import World
from radproof.model import DECODE, PREFILL, Deployment, Job, Path, Session, State
from radproof.readers.terms import Names


@attrs.frozen
class Scene:
    """One step to be taken: from this state, on this path, at this deployment."""

    state: State
    path: Path
    deployment: Deployment


@attrs.frozen
class Resident:
    """A job for a scene: its phase, its session's prompt and output, what is done of the phase."""

    decoding: bool
    prompt: int
    output: int
    done: int = 0
    arrive: int = 0


def deployment(v: Names) -> Deployment:
    """The deployment of the values of `symbols.NODE`: b_row is the b_lcm, so their lcm is too."""
    b_lcm = v.tiles * v.b_col
    return Deployment(b_col=v.b_col, b_row=b_lcm, t_lin=v.t_lin, t_nl=v.t_nl, chunk=b_lcm + v.slack)


def scene(
    node: Deployment,
    residents: list[Resident],
    now: int = 0,
    served: int = 0,
    coming: list[Session] | None = None,
) -> Scene | None:
    """A state with these jobs in the list, and these sessions still to arrive.

    None where a number is negative, or more is done than the whole: no state of the machine.
    """
    path, jobs = [], []
    for number, one in enumerate(residents):
        total = one.output if one.decoding else one.prompt
        if min(one.prompt, one.output, one.done, one.arrive) < 0 or one.done > total:
            return None
        path.append(Session(one.arrive, one.prompt, one.output))
        phase = DECODE if one.decoding else PREFILL
        jobs.append(Job(number, phase, one.arrive, one.prompt, one.done))
    path += coming or []
    if now < 0 or served < 0:
        return None
    pending = tuple(range(len(jobs), len(path)))
    return Scene(State(now, tuple(jobs), pending, served), tuple(path), node)


def one_batch(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` alone in the list, at time 0."""
    return scene(deployment(v), [Resident(False, v.tokens, 1)])


def one_token(v: Names, world: World) -> Scene | None:
    """A prompt of one token alone in the list, at time 0."""
    return scene(deployment(v), [Resident(False, 1, 1)])


def batch_later(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` alone in the list at `now`, after `served` tokens."""
    return scene(deployment(v), [Resident(False, v.tokens, 1)], v.now, v.served)


def waiting(v: Names, world: World) -> Scene | None:
    """An empty list at `now`, after `served` tokens; the next session arrives `wait` later."""
    coming = [Session(max(0, v.now + v.wait), 1, 1)]
    return scene(deployment(v), [], v.now, v.served, coming)


def filling(v: Names, world: World, second: str = "") -> Scene | None:
    """A prompt of `want`, and one as long as the variable `second` says; a tile of `budget`."""
    wants = [v.want, getattr(v, second)] if second else [v.want]
    if v.budget < 1:
        return None
    node = Deployment(b_col=v.budget, chunk=max(*wants, v.budget))
    return scene(node, [Resident(False, want, 1) for want in wants if want > 0])


def crowd(v: Names, world: World) -> Scene | None:
    """`decodes` decodes of two tokens each, then prompts up to `residents` jobs: at most 400."""
    if not 0 <= v.decodes <= v.residents <= 400:
        return None
    waiting = v.residents - v.decodes
    left = v.left or v.tiles * v.b_col
    prefills = [Resident(False, left, 2)] + [Resident(False, v.tiles * v.b_col, 2)] * (waiting - 1)
    return scene(
        deployment(v),
        [Resident(True, 0, 2)] * v.decodes + (prefills if waiting else []),
    )


def repeating(v: Names, world: World) -> Scene | None:
    """The one job of the lemma, alone in the list, at a tile of `remaining` tokens."""
    if v.remaining < 1:
        return None
    node = Deployment(b_col=v.remaining, chunk=v.tiles * v.b_col + v.slack)
    if v.decoding:
        return scene(node, [Resident(True, 0, v.prompt, v.done)])
    return scene(node, [Resident(False, v.prompt, 1, v.done)])


def job_list(v: Names, world: World, node: dict[str, int]) -> Scene | None:
    """The occupied places of an unrolled list (`unrolled.sorts`) at the deployment `node`."""
    residents = [
        Resident(
            getattr(v, f"decoding_{i}"),
            getattr(v, f"prompt_{i}"),
            getattr(v, f"output_{i}"),
            getattr(v, f"done_{i}"),
        )
        for i in range(v.residents)
    ]
    return scene(deployment(Names(node)), residents)


def at_work(v: Names, world: World) -> Scene | None:
    """A prompt of `total` with `done` of it done, at a tile of `share`."""
    return scene(Deployment(b_col=v.share), [Resident(False, v.total, 1, v.done)])


def mixed(v: Names, world: World) -> Scene | None:
    """A prompt, then a batch of decodes, in Decode Mode; else one decode, then a prompt."""
    prompt, decode = Resident(False, 2, 1), Resident(True, 0, 2)
    return scene(Deployment(b_col=2), [prompt, decode, decode] if v.mode else [decode, prompt])


def one_of_each(v: Names, world: World) -> Scene | None:
    """A prompt with `left` tokens to go alone, where the decode's want is right; else a decode."""
    node = deployment(v)
    if world.rules.want(True, v.left, node) != 1:
        return scene(Deployment(b_col=4), [Resident(True, 0, 9)])
    return scene(node, [Resident(False, v.left, 1)])


def ragged(v: Names, world: World) -> Scene | None:
    """The last part of this prompt, beyond whole tiles of `b_lcm`, alone in the list."""
    tiles = v.prompt - v.prompt % v.b_lcm
    return scene(Deployment(b_col=v.b_lcm), [Resident(False, v.prompt, 1, tiles)])


def arriving(v: Names, world: World) -> Scene | None:
    """An empty list at time 0; a session with this prompt and output comes at 1."""
    return scene(deployment(v), [], coming=[Session(1, v.prompt, v.output)])


def repeated(v: Names, world: World) -> Scene | None:
    """A prompt of three whole tiles, alone in the list."""
    return scene(deployment(v), [Resident(False, 3 * v.tiles * v.b_col, 1)], v.now, v.served)


def ending(v: Names, world: World) -> Scene | None:
    """The one job of the lemma, alone in the list."""
    one = Resident(v.decoding, v.prompt, v.output, v.done)
    return scene(deployment(v), [one])


def flight(v: Names, world: World) -> Scene | None:
    """`decodes` decodes, a prompt with `left` to go, others up to `residents`: at most 400 jobs."""
    if v.residents > 400:
        return None
    tile = v.tiles * v.b_col
    prefills = max(0, v.residents - v.decodes)
    first = Resident(False, v.left + v.flight * tile, 2, v.flight * tile)
    rest = [Resident(False, tile, 2)] * (prefills - 1)
    return scene(
        deployment(v),
        [Resident(True, tile, 2)] * v.decodes + ([first, *rest] if prefills else []),
    )


def two_prompts(v: Names, world: World) -> Scene | None:
    """Two prompts with `left` and `later` to go, before them one that leaves `remaining`."""
    first = v.tiles * v.b_col - v.remaining
    prompts = [Resident(False, left, 1) for left in (first, v.left, v.later) if left != 0]
    return scene(deployment(v), prompts)


def two_arrivals(v: Names, world: World) -> Scene | None:
    """Two prompts as they arrived, a tile that takes no more than one token at once."""
    first = Resident(False, v.prompt, 1, v.done, v.arrive)
    second = Resident(False, v.later_prompt, 1, 0, v.later_arrive)
    return scene(Deployment(b_col=1), [first, second], v.later_arrive)


def newcomer(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` that arrived at `old`; two sessions come at `new` and at `next`."""
    resident = Resident(False, v.tokens, 1, arrive=v.old)
    coming = [Session(v.new, 1, 1), Session(v.next, 1, 1)]
    return scene(deployment(v), [resident], v.now, coming=coming)
