import Serq.Claims

/-
Thirteen prompts of 10 tokens: the first batch is 12 x 10 + 8.
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
The path's SHA-256: f445fdd90a179cfa4f5297d593280a2c502aba6a9c74abcfb4cc4a286d5c78f0
Never edit this file; make it again: radproof lean fixtures --bless
-/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

namespace RadproofTerm

open SerqLang.Exec
open SerqLang.Claims.BariRad (prog deployment family_token_rate family_optimal_tiling)

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨[[(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)],
    [(10, 10), (11, 1), (12, 0)]], [], none, 0, some 8, some 12⟩

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

def finished : Machine := runW d 12715 w prog

theorem events : factsOf 3 started =
  [ (0, true, (0, 0, 128, 0, 13), true, true, [(0, 10), (1, 10), (2, 10), (3, 10), (4, 10), (5, 10), (6, 10), (7, 10), (8, 10), (9, 10), (10, 10), (11, 10), (12, 10)]),
    (4640, true, (4640, 128, 2, 0, 13), true, false, [(12, 2), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (11, 1)]),
    (8650, true, (8650, 130, 13, 13, 13), true, true, [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1)]),
    (12715, false, (8650, 130, 13, 13, 13), true, true, []) ] := by decide +kernel

theorem responses : (observed finished 0, finished.preempts) =
  ([(0, 12715), (1, 12715), (2, 12715), (3, 12715), (4, 12715), (5, 12715), (6, 12715), (7, 12715), (8, 12715), (9, 12715), (10, 12715), (11, 12715), (12, 12715)], 0) := by decide +kernel

theorem in_family : family_token_rate w :=
  ⟨by decide +kernel, rfl, rfl, rfl, rfl⟩

def after : Nat → Machine → Machine
  | 0, m => m
  | k + 1, m => after k (step d m)

theorem reached : (k : Nat) → (m : Machine) → Reach d w prog m → Reach d w prog (after k m)
  | 0, _, there => there
  | k + 1, _, there => reached k _ (Reach.step there)

theorem broken : (after 1 started).iterEnd.isSome = true
    ∧ ¬ OptimalTiling (after 1 started).last := by decide +kernel

theorem not_optimal_tiling : ¬ EveryIteration d family_token_rate prog OptimalTiling :=
  fun every => broken.2 (every w in_family (after 1 started)
    (reached 1 started Reach.start) broken.1)

end RadproofTerm
