import Serq.Claims

/-
--TITLE--
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
--NOTES--
-/

set_option maxRecDepth 100000
set_option maxHeartbeats 0

namespace RadproofTerm

open SerqLang.Exec
open SerqLang.Claims.BariRad (prog deployment family_token_rate family_optimal_tiling)

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨--PATH--, [], none, 0, some 8, some 12⟩

def d : Deployment := --DEPLOYMENT--

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

def finished : Machine := runW d --HORIZON-- w prog

--THEOREMS--

end RadproofTerm
