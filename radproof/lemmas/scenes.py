"""From the ints of a model to a state that `machine.step` takes.

A scene builder gets the values of a lemma's variables and gives the state, path and deployment
that they describe, or None where no state of the machine has them (a batch of more than a whole
tile, say). `proof.audit` judges the step from there.
"""

from __future__ import annotations

import attrs

from radproof.lemmas.obligations import World
from radproof.model import DECODE, PREFILL, Deployment, Job, Path, Session, State
from radproof.readers.terms import Names


@attrs.frozen
class Scene:
    """One step to take: from this state, on this path, at this deployment."""

    state: State
    path: Path
    deployment: Deployment
    world: World | None = None
    """The world by whose rules it is taken, where the model says them too."""


@attrs.frozen
class Resident:
    """A job for a scene: its phase, its session's numbers, the tokens done of the phase."""

    decoding: bool
    prompt: int
    output: int
    done: int = 0
    arrive: int = 0


def deployment_of(v: Names) -> Deployment:
    """The deployment of the values of `symbols.NODE`; its b_row is the b_lcm, and so is the lcm."""
    b_lcm = v.tiles * v.b_col
    return Deployment(b_col=v.b_col, b_row=b_lcm, t_lin=v.t_lin, t_nl=v.t_nl, chunk=b_lcm + v.slack)


def scene(
    node: Deployment,
    residents: list[Resident],
    now: int = 0,
    served: int = 0,
    coming: list[Session] | None = None,
) -> Scene | None:
    """A state with these jobs in the list and these sessions still to arrive.

    None where a number is negative, or a job has done more than its total: the machine has no such
    state.
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
    return scene(deployment_of(v), [Resident(False, v.tokens, 1)])


def one_token(v: Names, world: World) -> Scene | None:
    """A prompt of one token alone in the list, at time 0."""
    return scene(deployment_of(v), [Resident(False, 1, 1)])


def batch_later(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` alone in the list at `now`, after `served` tokens."""
    return scene(deployment_of(v), [Resident(False, v.tokens, 1)], v.now, v.served)


def starting(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` alone in the list at `start`, after `served` tokens."""
    return scene(deployment_of(v), [Resident(False, v.tokens, 1)], v.start, v.served)


def waiting(v: Names, world: World) -> Scene | None:
    """An empty list at `now`, after `served` tokens; the next session arrives `wait` later."""
    coming = [Session(max(0, v.now + v.wait), 1, 1)]
    return scene(deployment_of(v), [], v.now, v.served, coming)


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
        deployment_of(v),
        [Resident(True, 0, 2)] * v.decodes + (prefills if waiting else []),
    )


def one_decode(v: Names, world: World) -> Scene | None:
    """A decode of nine tokens after a prompt of `prompt`, at a tile with room for its want."""
    node = deployment_of(v)
    wanted = world.rules.want(True, world.rules.left(v.prompt, v.prompt), node)
    if wanted > node.b_col:
        node = Deployment(b_col=wanted, t_lin=v.t_lin, t_nl=v.t_nl)
    return scene(node, [Resident(True, v.prompt, 9)])


def overfull(v: Names, world: World) -> Scene | None:
    """More decodes than a batch may have tokens, at most 400; in Prefill Mode two whole tiles."""
    b_lcm = v.tiles * v.b_col
    if v.mode:
        return scene(deployment_of(v), [Resident(True, 0, 2)] * min(b_lcm + 1, 400))
    return scene(deployment_of(v), [Resident(False, b_lcm, 1)] * 2)


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
    return scene(deployment_of(Names(node)), residents)


def at_work(v: Names, world: World) -> Scene | None:
    """A prompt of `total` with `done` of it done, at a tile of `share`."""
    return scene(Deployment(b_col=v.share), [Resident(False, v.total, 1, v.done)])


def both_phases(v: Names, world: World) -> Scene | None:
    """A prompt, then a batch of decodes, in Decode Mode; else one decode, then a prompt."""
    prompt, decode = Resident(False, 2, 1), Resident(True, 0, 2)
    return scene(Deployment(b_col=2), [prompt, decode, decode] if v.mode else [decode, prompt])


def one_prompt(v: Names, world: World) -> Scene | None:
    """A prompt with `left` to go, alone in the list."""
    return scene(deployment_of(v), [Resident(False, v.left, 1)])


def ragged(v: Names, world: World) -> Scene | None:
    """A prompt whose whole tiles of `b_lcm` are done: its rest is alone in the list."""
    tiles = v.prompt - v.prompt % v.b_lcm
    return scene(Deployment(b_col=v.b_lcm), [Resident(False, v.prompt, 1, tiles)])


def arriving(v: Names, world: World) -> Scene | None:
    """An empty list at time 0; a session with this prompt and output comes at 1."""
    return scene(Deployment(b_col=4), [], coming=[Session(1, v.prompt, v.output)])


def repeated(v: Names, world: World) -> Scene | None:
    """A prompt of three whole tiles, alone in the list at time 0."""
    return scene(deployment_of(v), [Resident(False, 3 * v.tiles * v.b_col, 1)], 0, v.served)


def ending(v: Names, world: World) -> Scene | None:
    """The one job of the lemma, alone in the list."""
    one = Resident(v.decoding, v.prompt, v.output, v.done)
    return scene(deployment_of(v), [one])


def flight(v: Names, world: World) -> Scene | None:
    """`decodes` decodes, then prompts up to `residents` jobs, the first with `left` to go."""
    if v.residents > 400:
        return None
    tile = v.tiles * v.b_col
    prefills = max(0, v.residents - v.decodes)
    first = Resident(False, v.left + v.flight * tile, 2, v.flight * tile)
    rest = [Resident(False, tile, 2)] * (prefills - 1)
    return scene(
        deployment_of(v),
        [Resident(True, tile, 2)] * v.decodes + ([first, *rest] if prefills else []),
    )


def two_prompts(v: Names, world: World) -> Scene | None:
    """A prompt that leaves `remaining` of the tile, then two with `left` and `later` to go."""
    first = v.tiles * v.b_col - v.remaining
    prompts = [Resident(False, left, 1) for left in (first, v.left, v.later) if left != 0]
    return scene(deployment_of(v), prompts)


def two_arrivals(v: Names, world: World) -> Scene | None:
    """Two prompts in the order they arrived, at a tile of one token."""
    first = Resident(False, v.prompt, 1, v.done, v.arrive)
    second = Resident(False, v.later_prompt, 1, 0, v.later_arrive)
    return scene(Deployment(b_col=1), [first, second], v.later_arrive)


def newcomer(v: Names, world: World) -> Scene | None:
    """A prompt of `tokens` that arrived at `old`; two sessions come at `new` and at `next`."""
    resident = Resident(False, v.tokens, 1, arrive=v.old)
    coming = [Session(v.new, 1, 1), Session(v.next, 1, 1)]
    return scene(deployment_of(v), [resident], v.now, coming=coming)


def two_of_a_phase(v: Names, world: World, decoding: bool) -> Scene | None:
    """The two jobs of the lemma, at a tile of the tokens that both get."""
    tile = v.share + v.later_share
    if tile < 1:
        return None
    node = Deployment(b_col=tile, chunk=v.tiles * v.b_col + v.slack)
    jobs = (v.prompt, v.done, v.arrive), (v.later_prompt, v.later_done, v.later_arrive)
    return scene(
        node,
        [
            Resident(decoding, prompt, done + 9 if decoding else 1, done, arrive)
            for prompt, done, arrive in jobs
        ],
        max(v.arrive, v.later_arrive),
    )
