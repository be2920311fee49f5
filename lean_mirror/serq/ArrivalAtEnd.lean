import Serq.Claims

/-
An arrival at the very end of an iteration is seen by the next one.
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
The path's SHA-256: 8b2aa600c7d8b0e913403d44027fde36e79c7e931b8f5839f94b5c3c3d49515e
Never edit this file; make it again: radproof lean fixtures --bless
-/

set_option maxRecDepth 100000

namespace RadproofTerm

open SerqLang.Exec

/-- (10, v_p), (11, v_d), (12, arrive) of each session; computed slot 8, arrive slot 12. -/
def w : Workload := ⟨[[(10, 128), (11, 1), (12, 0)],
    [(10, 128), (11, 1), (12, 4640)]], [], none, 0, some 8, some 12⟩

def d : Deployment := SerqLang.Claims.BariRad.deployment

/-- The machine after `k` events: the arrivals later than 0 and the ends of iterations. -/
def after : Nat → Machine
  | 0 => start d w SerqLang.Claims.BariRad.prog
  | k + 1 => step d (after k)

/-- start, served, tokens, decoders and residents of the latest iteration. -/
def last (m : Machine) : Nat × Nat × Nat × Nat × Nat :=
  (m.last.start, m.last.served, m.last.stats.tokens, m.last.stats.decoders, m.last.residents)

/-- Owner and tokens left of each job, in order. -/
def jobs (m : Machine) : List (Nat × Nat) := List.map (fun j => (j.owner, j.left)) m.jobs

theorem now_0 : (after 0).now = 0 := by decide +kernel

theorem runs_0 : (after 0).iterEnd.isSome = true := by decide +kernel

theorem jobs_0 : jobs (after 0) = [(0, 128)] := by decide +kernel

theorem last_0 : last (after 0) = (0, 0, 128, 0, 1) := by decide +kernel

theorem now_1 : (after 1).now = 4640 := by decide +kernel

theorem runs_1 : (after 1).iterEnd.isSome = true := by decide +kernel

theorem jobs_1 : jobs (after 1) = [(0, 128), (1, 128)] := by decide +kernel

theorem last_1 : last (after 1) = (0, 0, 128, 0, 1) := by decide +kernel

theorem now_2 : (after 2).now = 4640 := by decide +kernel

theorem runs_2 : (after 2).iterEnd.isSome = true := by decide +kernel

theorem jobs_2 : jobs (after 2) = [(1, 128), (0, 1)] := by decide +kernel

theorem last_2 : last (after 2) = (4640, 128, 128, 0, 2) := by decide +kernel

theorem now_3 : (after 3).now = 9280 := by decide +kernel

theorem runs_3 : (after 3).iterEnd.isSome = true := by decide +kernel

theorem jobs_3 : jobs (after 3) = [(0, 1), (1, 1)] := by decide +kernel

theorem last_3 : last (after 3) = (9280, 256, 2, 2, 2) := by decide +kernel

theorem now_4 : (after 4).now = 13290 := by decide +kernel

theorem runs_4 : (after 4).iterEnd.isSome = false := by decide +kernel

theorem jobs_4 : jobs (after 4) = [] := by decide +kernel

theorem last_4 : last (after 4) = (9280, 256, 2, 2, 2) := by decide +kernel

end RadproofTerm
