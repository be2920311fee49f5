import Serq.Claims

/-
Ragged prompts share a batch: 128, then 72 + 56, then 128, then 116.
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
The path's SHA-256: 1c8e93d0ad3e4d64d3f67a8cf957d26fb67a0bda9938fd033894c5cb71e3307e
Never edit this file; make it again: radproof lean fixtures --bless
-/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

namespace RadproofTerm

open SerqLang.Exec
open SerqLang.Claims.BariRad (prog deployment family_token_rate family_optimal_tiling)

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨[[(10, 200), (11, 1), (12, 0)],
    [(10, 300), (11, 1), (12, 0)]], [], none, 0, some 8, some 12⟩

def d : Deployment := deployment

/-! What the two claims ask of an iteration's record, as Claims.lean has it. -/

abbrev TokenRate (r : IterRec) : Prop := r.served * 4640 ≤ 128 * r.start

abbrev OptimalTiling (r : IterRec) : Prop := r.stats.tokens = 128 ∨ r.stats.decoders = r.residents

/-- Start, served, tokens, decoders and residents. -/
abbrev Numbers : Type := Nat × Nat × Nat × Nat × Nat

def numbers (r : IterRec) : Numbers :=
  (r.start, r.served, r.stats.tokens, r.stats.decoders, r.residents)

/-- The time, whether an iteration runs, the latest record, whether it satisfies TokenRate and
OptimalTiling, and the owner and the tokens left of each job, in order. -/
abbrev Facts : Type := Nat × Bool × Numbers × Bool × Bool × List (Nat × Nat)

def facts (m : Machine) : Facts :=
  (m.now, m.iterEnd.isSome, numbers m.last, decide (TokenRate m.last),
    decide (OptimalTiling m.last), m.jobs.map (fun j => (j.owner, j.left)))

/-- The facts of a machine, and after each of the next `k` events: the arrivals later than 0 and the
ends of iterations. -/
def factsOf : Nat → Machine → List Facts
  | 0, m => [facts m]
  | k + 1, m => facts m :: factsOf k (step d m)

def started : Machine := start d w.init.length w.attr prog w

def finished : Machine := runW d 22510 w prog

theorem events : factsOf 5 started =
  [ (0, true, (0, 0, 128, 0, 2), true, true, [(0, 200), (1, 300)]),
    (4640, true, (4640, 128, 128, 0, 2), true, true, [(0, 72), (1, 300)]),
    (9280, true, (9280, 256, 128, 0, 2), true, true, [(1, 244), (0, 1)]),
    (13920, true, (13920, 384, 116, 0, 2), true, false, [(1, 116), (0, 1)]),
    (18500, true, (18500, 500, 2, 2, 2), true, true, [(0, 1), (1, 1)]),
    (22510, false, (18500, 500, 2, 2, 2), true, true, []) ] := by decide +kernel

theorem responses : (observed finished 0, finished.preempts) =
  ([(0, 22510), (1, 22510)], 0) := by decide +kernel

theorem in_family : family_token_rate w :=
  ⟨by decide +kernel, rfl, rfl, rfl, rfl⟩

def after : Nat → Machine → Machine
  | 0, m => m
  | k + 1, m => after k (step d m)

theorem reached : (k : Nat) → (m : Machine) → Reach d w prog m → Reach d w prog (after k m)
  | 0, _, there => there
  | k + 1, _, there => reached k _ (Reach.step there)

theorem broken : (after 3 started).iterEnd.isSome = true
    ∧ ¬ OptimalTiling (after 3 started).last := by decide +kernel

theorem not_optimal_tiling : ¬ EveryIteration d family_token_rate prog OptimalTiling :=
  fun every => broken.2 (every w in_family (after 3 started)
    (reached 3 started Reach.start) broken.1)

end RadproofTerm
