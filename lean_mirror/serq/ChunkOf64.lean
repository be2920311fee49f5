import Serq.Claims

/-
A chunk of 64 at the seed's tile: a lone prefill fills half of it, and optimal_tiling fails.
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
The path's SHA-256: 0901da784f43656a4b6775595ad1d7694271a4d6bce9a7f41b54325645f17627
Never edit this file; make it again: radproof lean fixtures --bless
-/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

namespace RadproofTerm

open SerqLang.Exec
open SerqLang.Claims.BariRad (prog deployment family_token_rate family_optimal_tiling)

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨[[(10, 256), (11, 1), (12, 0)],
    [(10, 128), (11, 2), (12, 4640)],
    [(10, 0), (11, 0), (12, 9000)]], [], none, 0, some 8, some 12⟩

def d : Deployment := { deployment with chunk := 64 }

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

def finished : Machine := runW d 25935 w prog

theorem events : factsOf 8 started =
  [ (0, true, (0, 0, 64, 0, 1), true, false, [(0, 256)]),
    (4320, true, (4320, 64, 64, 0, 1), true, false, [(0, 192)]),
    (4640, true, (4320, 64, 64, 0, 1), true, false, [(0, 192), (1, 128)]),
    (8640, true, (8640, 128, 128, 0, 2), true, true, [(0, 128), (1, 128)]),
    (9000, true, (8640, 128, 128, 0, 2), true, true, [(0, 128), (1, 128)]),
    (13280, true, (13280, 256, 128, 0, 2), true, true, [(0, 64), (1, 64)]),
    (17920, true, (17920, 384, 2, 2, 2), true, true, [(0, 1), (1, 2)]),
    (21930, true, (21930, 386, 1, 1, 1), true, true, [(1, 1)]),
    (25935, false, (21930, 386, 1, 1, 1), true, true, []) ] := by decide +kernel

theorem responses : (observed finished 0, finished.preempts) =
  ([(0, 21930), (1, 21295), (2, 0)], 0) := by decide +kernel

theorem in_family : family_optimal_tiling w :=
  ⟨by decide +kernel, rfl, rfl, rfl, rfl, by decide +kernel⟩

def after : Nat → Machine → Machine
  | 0, m => m
  | k + 1, m => after k (step d m)

theorem reached : (k : Nat) → (m : Machine) → Reach d w prog m → Reach d w prog (after k m)
  | 0, _, there => there
  | k + 1, _, there => reached k _ (Reach.step there)

theorem broken : (after 0 started).iterEnd.isSome = true
    ∧ ¬ OptimalTiling (after 0 started).last := by decide +kernel

theorem not_optimal_tiling : ¬ EveryIteration d family_optimal_tiling prog OptimalTiling :=
  fun every => broken.2 (every w in_family (after 0 started)
    (reached 0 started Reach.start) broken.1)

end RadproofTerm
