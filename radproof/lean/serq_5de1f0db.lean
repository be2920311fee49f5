import Serq.Claims

/-
--TITLE--
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
--NOTES--
-/

set_option maxRecDepth 100000

namespace RadproofTerm

open SerqLang.Exec

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨--PATH--, [], none, 0, some 8, some 12⟩

def d : Deployment := --DEPLOYMENT--

/-- The machine after `k` events: the arrivals later than 0 and the ends of iterations. -/
def after : Nat → Machine
  | 0 => start d w SerqLang.Claims.BariRad.prog
  | k + 1 => step d (after k)

/-- start, served, tokens, decoders and residents of the latest iteration. -/
def last (m : Machine) : Nat × Nat × Nat × Nat × Nat :=
  (m.last.start, m.last.served, m.last.stats.tokens, m.last.stats.decoders, m.last.residents)

/-- Owner and tokens left of each job, in order. -/
def jobs (m : Machine) : List (Nat × Nat) := List.map (fun j => (j.owner, j.left)) m.jobs

--FACTS--

end RadproofTerm
