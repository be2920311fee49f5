"""The mirror's text: the template `mirror.lean`, with the rules, claims and invariants in it.

`expressions.py` writes these from the Python functions that run; the template has none of them.
"""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from radproof.claims import CLAIMS, Claim
from radproof.lean.comments import docstring
from radproof.lean.errors import NotInLean
from radproof.lean.expressions import (
    DEPLOYMENT,
    Fields,
    lean_field,
    lean_text,
    read_term,
    uses,
    variable,
)
from radproof.lean.state_invariants import CONDITIONS
from radproof.model import DECODE, DEPLOYMENT_NAMES, PREFILL, SCALARS, Node
from radproof.readers.terms import Term
from radproof.rules import SIGNATURES
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import Loaded
from radproof.schedulers.rule_form import in_rule_form

MIRROR_VERSION = 1
MODULE = "RadproofMirror"

RECORD = Fields("i", SCALARS)
SESSION = Fields("s", ("arrive", "prompt", "output"))

MARK = re.compile("--([A-Z][A-Z ]*)--")

_TRUTHS = ("decoding",)
"""The parameters of the conditions that are truths."""

_TYPES = {int: "Nat", bool: "Bool", Node: "Deployment"}
"""The Lean type of each kind of parameter of a rule."""


def template(name: str) -> str:
    """The text of a template of this package."""
    return (importlib.resources.files("radproof.lean") / name).read_text(encoding="utf-8")


def fill(text: str, parts: Mapping[str, str]) -> str:
    """A template's text with a part for each ``--MARK--``; marks within a part stay as they are."""
    return MARK.sub(lambda mark: parts[mark.group(1)], text)


@cache
def mirror() -> str:
    """The mirror: everything a test term needs, in core Lean 4."""
    rad = _structure("rad", rule_fields(RuleScheduler()), base=None)
    claims = "\n\n".join(claim_definition(claim) for claim in CLAIMS.values())
    conditions = "\n\n".join(_condition(name, *found) for name, found in CONDITIONS.items())
    parts = {"RULE FIELDS": _field_types(), "RULES": rad, "CLAIMS": claims}
    return fill(template("mirror.lean"), {**parts, "CONDITIONS": conditions})


def lemmas(scheduler: RuleScheduler | None = None, told: str = "") -> str:
    """The mirror, and the lemmas' statements over it: Fixtures/Lemmas.lean.

    scheduler: whose rules stand in the place of RAD's; `told` then says so. Raises NotInLean as
    `rule_fields` does.
    """
    text = mirror().strip()
    if scheduler is not None:
        rad, own = (rule_fields(each) for each in (RuleScheduler(), scheduler))
        changed = docstring(told) + "\n" + _structure("rad", own, base=None)
        text = text.replace(_structure("rad", rad, base=None), changed)
    return "\n\n".join([text, stretches(), template("lemmas.lean")])


def stretches() -> str:
    """What a file in stretches needs beside the mirror: many events in one."""
    return template("stretches.lean").strip()


def rule_fields(scheduler: RuleScheduler) -> dict[str, str]:
    """Each field of Lean's `Rules` and its text, for a scheduler in rule form.

    Raises NotInLean, naming the rule, where one is not plain arithmetic.
    """
    fields = {}
    for rule in SIGNATURES:
        fields[lean_field(rule)] = _lambda(getattr(scheduler.rules, rule), rule)
    fields["order"] = _order(scheduler.order)
    return fields


def rules_definition(name: str, scheduler: RuleScheduler) -> str:
    """The definition of a scheduler's rules: RAD's, with its changes."""
    rad, own = rule_fields(RuleScheduler()), rule_fields(scheduler)
    return _structure(name, {k: v for k, v in own.items() if v != rad[k]}, base="rad")


def rule_form(loaded: Loaded) -> RuleScheduler:
    """The scheduler itself, where it is in rule form. Raises NotInLean where it is plain code."""
    scheduler = loaded.call
    if in_rule_form(scheduler):
        return scheduler
    raise NotInLean(
        f"scheduler {loaded.name} is plain Python code, and Lean has only rules. Write it in rule "
        "form, radproof.RuleScheduler(attrs.evolve(radproof.RULES, ...)), to export it."
    )


def claim_definition(claim: Claim) -> str:
    """A claim on the record of an iteration, as a Bool."""
    name = lean_name(claim.name)
    body = read_term(claim.holds, (RECORD, DEPLOYMENT), f"claim {claim.name}")
    parameters = f"({_or_blank(body, 'd')} : Deployment) ({_or_blank(body, 'i')} : Record)"
    said = docstring(f"{claim.statement} (Bari.lean: {claim.name}).") + "\n"
    comment = said if name in CLAIMS else ""
    text = f"{comment}def {name} {parameters} : Bool :=\n  {lean_text(body)}"
    if claim.given is None:
        return text
    given = read_term(claim.given, (SESSION, DEPLOYMENT), f"the given of claim {claim.name}")
    parameters = f"({_or_blank(given, 'd')} : Deployment) ({_or_blank(given, 's')} : Session)"
    what = f"/-- What {name} asks of every session of the path. -/\n"
    return f"{text}\n\n{what}def given_{name} {parameters} : Bool :=\n  {lean_text(given)}"


def _condition(name: str, function: Callable[..., Any], parameters: tuple[str, ...]) -> str:
    arguments = [variable(p, p in _TRUTHS) for p in parameters]
    body = lean_text(read_term(function, (*arguments, DEPLOYMENT), f"condition {name}"))
    typed = " ".join(f"({p} : {'Bool' if p in _TRUTHS else 'Nat'})" for p in parameters)
    return f"def {name} {typed} (d : Deployment) : Bool :=\n  {body}"


def lean_name(name: str) -> str:
    """A claim's name as a Lean identifier."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


def _field_types() -> str:
    """The fields of Lean's `Rules` that are rules, one per line, with their types."""
    return "\n".join(
        f"  {lean_field(rule)} : "
        + " → ".join(_TYPES[kind] for kind in (*found.parameters.values(), found.result))
        for rule, found in SIGNATURES.items()
    )


def _structure(name: str, fields: dict[str, str], base: str | None) -> str:
    if base is not None and not fields:
        return f"def {name} : Rules := {base}"
    head = f"{base} with\n    " if base is not None else ""
    body = ",\n    ".join(f"{field} := {text}" for field, text in fields.items())
    return f"def {name} : Rules :=\n  {{ {head}{body} }}"


def _lambda(function: Callable[..., Any], rule: str) -> str:
    names = SIGNATURES[rule].parameters
    arguments = tuple(
        Fields(name, DEPLOYMENT_NAMES) if kind is Node else variable(name, kind is bool)
        for name, kind in names.items()
    )
    body = read_term(function, arguments, f"rule {rule} ({_where(function)})")
    return f"fun {' '.join(_or_blank(body, n) for n in names)} => {lean_text(body)}"


def _where(function: Callable[..., Any]) -> str:
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', '?')}"


def _or_blank(body: Term, name: str) -> str:
    return name if uses(body, name) else "_"


class _AnyJob(Fields):
    """A job of a known phase whose numbers are fields of the Lean variable j."""

    def __init__(self, decoding: bool) -> None:
        names = ("session", "arrive", "prompt", "done", "prefilled", "generated")
        rename = {"session": "number", "arrive": "session.arrive", "prompt": "session.prompt"}
        rename["prefilled"] = "session.prompt" if decoding else "done"
        super().__init__("j", names, rename | {"generated": "done"})
        self.phase = DECODE if decoding else PREFILL
        if not decoding:
            self.generated = 0


def _order(order: Callable[[Any], Any] | None) -> str:
    """The order as a sort by a list of numbers, one list for each phase."""
    if order is None:
        return "fun jobs => jobs"
    keys = []
    for decoding in (False, True):
        try:
            key = order(_AnyJob(decoding))
        except TypeError as error:
            raise NotInLean(f"the order cannot be written in Lean: {error}.") from None
        parts = key if isinstance(key, tuple) else (key,)
        keys.append([read_term(lambda p=part: p, (), "the order") for part in parts])
    prefill, decode = ("[" + ", ".join(map(_number, key)) + "]" for key in keys)
    if prefill == decode:
        j = "j" if any(uses(part, "j") for part in keys[0]) else "_"
        return f"fun jobs => sortBy (fun {j} => {prefill}) jobs"
    return f"fun jobs => sortBy (fun j => cond j.decoding {decode} {prefill}) jobs"


def _number(part: Term) -> str:
    if part.op == "constant":
        return str(int(part.args[0]))  # False sorts before True
    return lean_text(part)
