"""The facts of the loop in the compositions, at what happens in runs of the product's own code.

The compositions take from the loop equations, and facts in words. Here each is looked at in runs
of `machine.step` under RAD and under changed rules and orders: every variable has its value from
the run, and the fact is true there. So are the ranges of the path and the deployment; what is
called later is what comes later; and, under RAD, every invariant and every goal is true.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import attrs
import pytest
import z3
from lemmas import sabotage
from lemmas.instances import Instance, instances
from lemmas.real_runs import Run, run
from proof.changed_rules import CHANGED

from radproof.lemmas import composed_run, loop
from radproof.lemmas.catalogue import COMPOSITIONS, THEOREMS, assumed_by, shown_by
from radproof.lemmas.composed_leap import COVERED
from radproof.lemmas.composition import Invariant
from radproof.lemmas.obligations import WORLD, Lemma, Sequent, Source, World
from radproof.lemmas.opaque import as_asked
from radproof.lemmas.symbols import boolean
from radproof.model import Deployment, Path, as_path
from radproof.mutants import CATALOGUE
from radproof.number import both, ite, maximum, negate
from radproof.readers.terms import Names
from radproof.rules import RULES
from radproof.schedulers import RuleScheduler
from radproof.schedulers.rule_form import in_rule_form

KNOWN = {one.name: one for one in COMPOSITIONS}


def _all_or_nothing(wanted, remaining):
    return ite(wanted > remaining, 0, wanted)


STOPS = World(RuleScheduler(attrs.evolve(RULES, take=_all_or_nothing)))
"""Its fill stops where something remains, and others behind would get it."""

CHANGED_WORLDS = (
    [STOPS]
    + [world for world, _ in CHANGED.values() if world.scheduler != WORLD.scheduler]
    + [World(mutant.scheduler) for mutant in CATALOGUE.values() if in_rule_form(mutant.scheduler)]
)


# the runs


def a_node(draw: random.Random) -> Deployment:
    b_col = draw.choice((1, 2, 2, 3, 4))
    b_row = draw.choice((1, 1, 2))
    b_lcm = Deployment(b_col=b_col, b_row=b_row).b_lcm
    return Deployment(
        b_col=b_col,
        b_row=b_row,
        t_lin=draw.choice((0, 1, 7, 40)),
        t_nl=draw.choice((0, 1, 5)),
        chunk=b_lcm + draw.choice((0, 0, 1, b_lcm)),
    )


def a_path(draw: random.Random, node: Deployment, whole: bool) -> Path:
    """Up to seven sessions; `whole`: as Assumption 3 wants them, and none without a prompt."""
    spread = draw.choice((0, 3, 30, 200))
    sizes = (1, 1, 2, 3, 5) if whole else range(3 * node.b_lcm + 2)
    tile = node.b_lcm if whole else 1
    return as_path(
        (draw.randint(0, spread), draw.choice(sizes) * tile, draw.choice((0, 1, 1, 2, 3, 6, 9)))
        for _ in range(draw.randint(1, 7))
    )


def runs(worlds: Iterable[World], count: int, seed: int) -> Iterator[tuple[Run, random.Random]]:
    for place, world in enumerate(worlds):
        for number in range(count):
            draw = random.Random(f"{seed} {place} {number}")
            node = a_node(draw)
            yield run(world, node, a_path(draw, node, draw.choice((True, False)))), draw


def corner() -> Iterator[tuple[Run, random.Random]]:
    """The second prompt gets nothing, though the third would get a token."""
    path = as_path([(0, 3, 1), (0, 3, 1), (0, 1, 1)])
    for number in range(3):
        yield run(STOPS, Deployment(b_col=4), path), random.Random(number)


# what is looked at


class Read(Names):
    """Values that tell which of them are read."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            self.read.add(name)
        return super().__getattr__(name)


@contextmanager
def later_values(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Read]]]:
    """Each invariant that a composition shows, with the values at which it shows it."""
    found: list[tuple[str, Read]] = []

    def goal(self: Invariant, v: Names, world: World) -> Any:
        read = Read(v._values)
        found.append((self.name, read))
        return tuple(attrs.evolve(part, invariant=self.name) for part in self.parts(read, world))

    with monkeypatch.context() as patch:
        patch.setattr(Invariant, "goal", goal)
        yield found


PREMISES: dict[str, Callable[[Run], bool]] = {
    "chunk >= b_lcm": lambda run: run.node.chunk >= run.node.b_lcm,
    "t_lin + t_nl >= 1": lambda run: run.node.t_lin + run.node.t_nl >= 1,
    "every prompt has a token or more": lambda run: all(one.prompt >= 1 for one in run.path),
    "Assumption 3 (every prompt is a multiple of b_lcm)": lambda run: all(
        one.prompt % run.node.b_lcm == 0 for one in run.path
    ),
}


@cache
def _premises() -> dict[str, tuple[tuple[str, ...], ...]]:
    """By invariant and by composition: of each theorem in which it stands, the path's premises."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for theorem in THEOREMS:
        of_a_path = tuple(text for text in theorem.premises() if text != COVERED)
        names = {one.name for one in theorem.compositions}
        for one in theorem.compositions:
            names |= assumed_by(one) | shown_by(one)
        for name in names:
            found.setdefault(name, []).append(of_a_path)
    return {name: tuple(premises) for name, premises in found.items()}


def may_be_used(run: Run, name: str) -> bool:
    """Whether the run meets the premises of a theorem in which this stands."""
    return any(all(PREMISES[text](run) for text in texts) for texts in _premises()[name])


@attrs.define
class Look:
    """All that was found by looking."""

    wrong: Counter[tuple[str, str]] = attrs.field(factory=Counter)
    examples: dict[tuple[str, str], Any] = attrs.field(factory=dict)
    met: Counter[str] = attrs.field(factory=Counter)
    """By composition, the instances that are as its theorem wants them."""
    different: dict[str, set[Any]] = attrs.field(factory=dict)
    """The different ones among them."""
    instances: dict[str, list[tuple[World, Instance]]] = attrs.field(factory=dict)

    def says(self, run: Run, one: Instance, text: str) -> None:
        key = one.composition, text
        self.wrong[key] += 1
        self.examples.setdefault(key, (run.world, run.node, run.path, one))


def look(
    found: Iterable[tuple[Run, random.Random]],
    monkeypatch: pytest.MonkeyPatch,
    compositions: dict[str, Lemma] = KNOWN,
) -> Look:
    """Look at every fact of every instance in the runs."""
    told = Look()
    with later_values(monkeypatch) as shown:
        for one_run, draw in found:
            for one in instances(one_run, draw):
                if one.composition not in compositions:
                    continue
                shown.clear()
                sequent = compositions[one.composition].build(Names(one.values), one_run.world)
                _look_at(told, one_run, one, sequent, list(shown))
    return told


def _look_at(
    told: Look, run: Run, one: Instance, sequent: Sequent, shown: list[tuple[str, Read]]
) -> None:
    sources = (Source.LOOP, Source.PATH, Source.DEPLOYMENT)
    for fact in sequent.facts:
        if fact.source in sources and not fact.holds:
            told.says(run, one, fact.text)
    for text in _later_otherwise(one, shown):
        told.says(run, one, text)
    if not all(fact.holds for fact in sequent.facts if fact.source is Source.PREMISE):
        return
    told.met[one.composition] += 1
    values = tuple(sorted(one.values.items()))
    told.different.setdefault(one.composition, set()).add(values)
    told.instances.setdefault(one.composition, []).append((run.world, one))
    if run.world is not WORLD:
        return
    for fact in sequent.facts:
        if fact.invariant and may_be_used(run, fact.invariant) and not fact.holds:
            told.says(run, one, f"{fact.invariant}: {fact.text}")
    if may_be_used(run, one.composition):
        for part in sequent.goal:
            if not part.truth and may_be_used(run, part.invariant or one.composition):
                told.says(run, one, f"shown: {part.text}")


GHOSTS = {"k"}
"""How many whole tiles are left of a prompt: of whole tiles alone does it say anything."""


def _later_otherwise(one: Instance, shown: list[tuple[str, Read]]) -> Iterator[str]:
    """Where the values at which an invariant is shown are not those of the run afterwards."""
    times: Counter[str] = Counter()
    for name, v in shown:
        comes = one.later.get(name, ())
        if times[name] >= len(comes):
            yield f"{name} is shown, and nobody says what comes"
            continue
        then = comes[times[name]]
        times[name] += 1
        for variable in v.read - GHOSTS:
            value = v._values[variable]
            if variable in then:
                if then[variable] != value:
                    yield f"{name}: {variable} afterwards"
            elif variable not in one.values or one.values[variable] != value:
                yield f"{name}: nobody says what {variable} is afterwards"


@pytest.fixture(scope="module")
def looks() -> tuple[Look, Look]:
    """What was found under RAD, and under every changed rule and order."""
    patch = pytest.MonkeyPatch()
    others = itertools.chain(corner(), runs(CHANGED_WORLDS, 1, 2))
    return look(runs([WORLD], 16, 1), patch), look(others, patch)


def test_every_fact_is_true_in_runs_under_rad(looks):
    under_rad, _ = looks
    assert not under_rad.wrong, under_rad.examples


def test_every_fact_of_the_loop_is_true_in_runs_under_changed_rules_and_orders(looks):
    _, under_others = looks
    assert not under_others.wrong, under_others.examples


def test_every_composition_is_met_dozens_of_times(looks):
    for name in KNOWN:
        assert sum(one.met[name] for one in looks) >= 90, name
        different = {values for one in looks for values in one.different[name]}
        assert len(different) >= 12, name


# where a fact could be false


def variables_of(composition: Lemma) -> dict[str, set[str]]:
    """By text, the variables of each fact in words."""
    found: dict[str, set[str]] = {}
    for fact in as_asked(composition, WORLD).facts:
        if fact.source is Source.LOOP and not fact.defines:
            names = {str(one) for one in z3.z3util.get_vars(boolean(fact.holds))}
            found.setdefault(fact.text, set()).update(names)
    return found


def beside(values: dict[str, Any], names: set[str]) -> Iterator[dict[str, Any]]:
    """The values with one of these changed by one, or to the other truth."""
    for name in sorted(names & values.keys()):
        value = values[name]
        for other in (not value,) if isinstance(value, bool) else (value - 1, value + 1):
            yield values | {name: other}


@pytest.mark.parametrize(
    "composition", [one for one in COMPOSITIONS if variables_of(one)], ids=lambda one: one.name
)
def test_every_fact_in_words_is_met_where_one_step_makes_it_false(composition, looks):
    met: Counter[str] = Counter()
    facts = variables_of(composition)
    for world, one in looks[0].instances[composition.name] + looks[1].instances[composition.name]:
        for text, names in facts.items():
            if met[text] < 20:
                met[text] += any(
                    not fact.holds
                    for values in beside(one.values, names)
                    for fact in composition.build(Names(values), world).facts
                    if fact.text == text
                )
        if all(met[text] >= 20 for text in facts):
            return
    raise AssertionError({text: met[text] for text in facts})


# what a wrong fact, a wrong equation and a wrong machine would look like

ORDERED = [world for world in CHANGED_WORLDS if world.scheduler.order is not None]
SOME_WORLDS = [
    WORLD,
    STOPS,
    *ORDERED,
    CHANGED["done_after: one too many"][0],
    CHANGED["served_after: twice"][0],
    CHANGED["duration: 1 us too long"][0],
]


def found_wrong(
    monkeypatch: pytest.MonkeyPatch, compositions: dict[str, Lemma] = KNOWN
) -> set[tuple[str, str]]:
    """What the first runs find that find anything."""
    for number in range(12):
        found = itertools.chain(corner(), runs(SOME_WORLDS, 1, number))
        told = look(found, monkeypatch, compositions)
        if told.wrong:
            return set(told.wrong)
    return set()


def _one_of_two(v, world):
    return both(negate(v.decoding), v.former_prompt == v.prompt, v.former_after == v.after)


WRONG: dict[tuple[str, str], Callable[[Names, World], Any]] = {
    ("clock.idles", "the next arrival is not before now"): lambda v, world: v.wait > 0,
    ("run.batch", "every decode was passed"): lambda v, world: v.decodes == v.decoders,
    ("run.batch", "every prompt was passed"): lambda v, world: v.waiting <= 2,
    ("run.batch", "a job is resident"): lambda v, world: v.residents >= 2,
    ("run.stays", "stays"): lambda v, world: v.share > 0,
    ("run.stays", "it may admit sessions"): lambda v, world: v.admits == 0,
    ("run.rejoins", "it has an output"): lambda v, world: v.output > 1,
    ("run.arrives", "none or some were admitted before it"): lambda v, world: v.admitted >= 1,
    ("run.arrives", "sessions are admitted in turn"): lambda v, world: v.new == v.rank,
    ("run.one_job", "sessions are admitted in turn"): lambda v, world: v.new == v.rank + 1,
    ("run.arrives", "it has a prompt, or none and an output"): lambda v, world: v.prompt > 0,
    ("optimal_tiling.fill", "the job is one of the list"): lambda v, world: v.decodes > v.seen,
    ("optimal_tiling.fill", "and so are those before it"): lambda v, world: v.waiting >= 1,
    ("one_part_filled.fill", "the former is this job, or another"): _one_of_two,
    ("leap.full_want", "the former is this job, or another"): lambda v, world: v.served,
    ("one_part_filled.turn", "who is passed first was passed"): lambda v, world: v.former_passed,
    ("one_part_filled.turn", "the latter has its share"): lambda v, world: (
        v.latter_share == v.offer
    ),
    ("one_part_filled.stays", "stays"): lambda v, world: v.former_share == 0,
    ("one_part_filled.begun", "the job is one of the two"): lambda v, world: (
        v.done == v.latter_done
    ),
    (
        "one_part_filled.begun",
        "it stands behind the other, or is passed after it",
    ): lambda v, world: v.behind,
    ("arrival_order", "the pending stand in arrival order"): lambda v, world: (
        v.latter_arrive < v.next_arrive
    ),
    ("arrival_order", "a new prompt has nothing done"): lambda v, world: v.former_done == 0,
    ("arrival_order.idles", "the time goes on to it"): lambda v, world: v.end == v.now,
    (
        "decodes_fit.iteration",
        "a session decodes at once only without a prompt",
    ): lambda v, world: v.arriving == 0,
    ("leap.fill", "the index is natural"): lambda v, world: v.index >= 1,
    ("leap.between", "the last repetition is not before it"): lambda v, world: v.last > v.index,
}
"""Of each fact in words, another that a run breaks: a stronger one, or of the wrong variable."""


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_a_wrong_fact_is_found(name, text, monkeypatch):
    one, holds = KNOWN[name], WRONG[name, text]

    def build(v: Names, world: World) -> Sequent:
        sequent = one.build(v, world)
        facts = tuple(
            attrs.evolve(fact, holds=holds(v, world)) if fact.text == text else fact
            for fact in sequent.facts
        )
        return attrs.evolve(sequent, facts=facts)

    wrong = found_wrong(monkeypatch, {name: attrs.evolve(one, build=build)})
    assert (name, text) in wrong


def test_of_every_fact_in_words_a_wrong_one_is_looked_for():
    texts = {text for one in COMPOSITIONS for text in variables_of(one)}
    assert texts == {text for _, text in WRONG}


WRONG_EQUATIONS: dict[str, Callable[..., Any]] = {
    # a decode is asked with what is left of its prompt, were it at its tokens
    "asked": lambda decoding, prompt, done, world: world.rules.left(prompt, done),
    # who is not served stops the fill
    "filling": lambda filling, served, offer: both(filling, offer > 0),
    # who comes after the end of the fill still gets its offer
    "share": lambda filling, served, offer: ite(served, maximum(offer, 0), 0),
    # the batch ends when RAD's would
    "end": lambda now, tokens, world, d: now + RULES.duration(tokens, d),
    "served_tokens": lambda served, tokens, world: served + tokens,
    # a rule is asked what nothing has done
    "done": lambda done, share, world: world.rules.done_after(done, share),
    "total": lambda decoding, prompt, output: prompt,
    # the list is passed as it stands
    "first_passed": lambda one, other, world: True,
    "stays": lambda total, done, share, world: share == 0,
}


@pytest.mark.parametrize("name", WRONG_EQUATIONS)
def test_a_wrong_equation_is_found(name, monkeypatch):
    monkeypatch.setattr(loop, name, WRONG_EQUATIONS[name])
    assert found_wrong(monkeypatch)


WRONG_LATER = {"waiting": 0, "rest": 0, "first": 1, "decoders": 0, "remaining": 0, "seen": 1}


@pytest.mark.parametrize("variable", WRONG_LATER)
def test_a_wrong_value_after_a_job_is_found(variable, monkeypatch):
    passed = composed_run.passed

    def otherwise(v: Names) -> Names:
        return passed(v).but(**{variable: WRONG_LATER[variable]})

    monkeypatch.setattr(composed_run, "passed", otherwise)
    assert ("run.fill", f"fill: {variable} afterwards") in found_wrong(
        monkeypatch, {"run.fill": KNOWN["run.fill"]}
    )


SABOTAGED = (
    "the batch overfills",
    "who goes on to decode goes first",
    "admission is reversed",
    "stop at who is not served",
    "the list backwards",
    "the order is ignored",
    "admitted at the front",
    "who goes on to decode is lost",
    "what is served is not counted",
    "a session comes twice",
    "shares are applied twice",
    "a new decode has done what it had",
    "sessions in the order of their numbers",
)


@pytest.mark.parametrize("name", SABOTAGED)
def test_a_changed_machine_is_found(name, monkeypatch):
    with monkeypatch.context() as patch:
        sabotage.SABOTAGES[name].carry_out(patch)
        try:
            found = found_wrong(monkeypatch)
        except AssertionError as error:
            found = {("the list", str(error))}
    assert found
