# ruff: noqa: RUF001, RUF002 - Lean's own signs
"""The signatures that serQ's package gives to what a serQ term uses, and how to read a stub's.

Read from github.com/servingQ/serQ: lean/Serq/Exec.lean and lean/Serq/Claim.lean at
5de1f0dbb94e480c96ac3754fd5a57a3c0420950, lean/Serq/Claims.lean at
c885b9d15e391e5dabe23cd066fe019dab3e78d6, lean/Serq/Core.lean at
6087a480d6901eab5baa48c25b25048a9ca3b7e6. `ℕ` is written Nat, a `variable` as the first argument,
a coercion of a Bool as `= true`, and `∀ i < n` with its arrow. Of Machine: what a term reads.
"""

import re

PACKAGE = {
    "Mode": "plain; prefill; decode",
    "Exec.Env": "attr : Nat → Nat; serial : Nat; now : Nat; cached : Nat; cachedIn : Nat → Nat; "
    "budgetLeft : Nat",
    "Exec.PoolDef": "cap : Nat; block : Nat; viaEngine : Bool; key : Option (Env → Nat)",
    "Exec.ServeEnv": "attr : Nat → Nat; decoding : Nat; admission : Nat; remaining : Nat; "
    "residents : Nat; decoders : Nat",
    "Exec.IterStats": "tokens : Nat; prefilled : Nat; decoders : Nat; kvDecode : Nat; "
    "attention2 : Nat",
    "Exec.ChunkEnv": "residents : Nat; queued : Nat → Nat",
    "Exec.Deployment": "pools : List PoolDef; budget : Nat; chunk : Nat; memory : Option Nat; "
    "cost : IterStats → Nat; only : Option (ServeEnv → Nat); chunkAt : Option (ChunkEnv → Nat)",
    "Exec.IterRec": "start : Nat := 0; served : Nat := 0; stats : IterStats := ⟨0, 0, 0, 0, 0⟩; "
    "residents : Nat := 0; demand : Nat := 0; arrived : Nat := 0; queued : List Nat := []; "
    "holders : List Nat := []; used : List Nat := []",
    "Exec.Workload": "init : List (List (Nat × Nat)); "
    "turns : List (List (List (Nat × Nat))) := []; turnSlot : Option Nat := none; "
    "moreSlot : Nat := 0; computedSlot : Option Nat := none; arriveSlot : Option Nat := none",
    "Exec.Job": "owner : Nat; mode : Mode; left : Nat; growing : Option Nat",
    "Exec.Machine": "now : Nat; jobs : List Job; obs : List (Nat × Nat × Nat × Nat); "
    "preempts : Nat; iterEnd : Option (Nat × Nat); last : IterRec",
    "Exec.Workload.attr": "(w : Workload) (i slot : Nat) : Nat",
    "Exec.start": "(D : Deployment) (n : Nat) (init : Nat → Nat → Nat) (prog : Prog) "
    "(wl : Workload := ⟨[], [], none, 0, none, none⟩) : Machine",
    "Exec.step": "(D : Deployment) (m : Machine) : Machine",
    "Exec.runW": "(D : Deployment) (horizon : Nat) (w : Workload) (prog : Prog) : Machine",
    "Exec.observed": "(m : Machine) (name : Nat) : List (Nat × Nat)",
    "Exec.Reach": "(D : Deployment) (w : Workload) (P : Prog) : Machine → Prop; "
    "start : Reach D w P (Exec.start D w.init.length w.attr P w); "
    "step {m : Machine} : Reach D w P m → Reach D w P (Exec.step D m)",
    "Exec.EveryIteration": "(D : Deployment) (W : Workload → Prop) (P : Prog) (q : IterRec → Prop)"
    " : Prop := ∀ w, W w → ∀ m, Reach D w P m → m.iterEnd.isSome = true → q m.last",
    "Claims.BariRad.prog": ": Prog",
    "Claims.BariRad.deployment": ": Deployment",
    "Claims.BariRad.family_token_rate": "(w : Workload) : Prop := w.init.length ≤ 500 "
    "∧ w.turns = [] ∧ w.turnSlot = none ∧ w.computedSlot = some 8 ∧ w.arriveSlot = some 12",
    "Claims.BariRad.family_optimal_tiling": "(w : Workload) : Prop := w.init.length ≤ 500 "
    "∧ w.turns = [] ∧ w.turnSlot = none ∧ w.computedSlot = some 8 ∧ w.arriveSlot = some 12 "
    "∧ ∀ i, i < w.init.length → w.attr i 10 = 128 * (w.attr i 10 / 128)",
}
"""By name, below SerqLang: a structure's fields, an inductive type's head and constructors, or a
definition's arguments and type; of a proposition what it says too, for a proof unfolds it."""

STUBS_OWN = ("arrive", "mirror")
"""The last fields of the stub's Machine, which the package's has not."""


def signatures(text: str) -> dict[str, str]:
    """The signature of each definition in a stub, by its name below SerqLang."""
    text = re.sub(r"/-.*?-/", "", text, flags=re.DOTALL)
    found, inside = {}, []
    for part in re.split(r"\n\n+", text.strip()):
        word, _, rest = part.partition(" ")
        if word == "namespace":
            inside.append(rest.strip())
        elif word == "end":
            inside.pop()
        elif word in ("structure", "inductive", "def", "abbrev"):
            name, _, rest = rest.partition(" ")
            below = ".".join([*inside, name]).removeprefix("SerqLang.")
            found[below] = _fields(rest) if "where" in rest else _head(rest)
    return found


def _fields(text: str) -> str:
    head, _, body = text.partition("where\n")
    rows = [row.strip().removeprefix("| ") for row in body.splitlines()]
    rows = [row for row in rows if row.split(" ")[0] not in STUBS_OWN]
    return "; ".join(part for part in (head.strip(), *rows) if part)


def _head(text: str) -> str:
    """Up to the `:=` or the first `|` outside of brackets; to the end for a proposition."""
    flat = " ".join(text.split())
    if re.search(r": Prop :=", flat):
        return flat
    depth = 0
    for place, sign in enumerate(flat):
        depth += (sign in "([{⟨") - (sign in ")]}⟩")
        if depth == 0 and flat[place:].startswith((" :=", " | ")):
            return flat[:place].strip()
    return flat
