import Serq.Claims

/-
Thirteen prompts of 10 tokens: the first batch is 12 x 10 + 8.
Against serQ's Exec.lean at 5de1f0db: a Workload has 6 fields, a Deployment has 7.
The path's SHA-256: f445fdd90a179cfa4f5297d593280a2c502aba6a9c74abcfb4cc4a286d5c78f0
Never edit this file; make it again: radproof lean fixtures --bless
-/

set_option maxRecDepth 100000

namespace RadproofTerm

open SerqLang.Exec

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

theorem jobs_0 : jobs (after 0) = [(0, 10), (1, 10), (2, 10), (3, 10), (4, 10), (5, 10), (6, 10), (7, 10), (8, 10), (9, 10), (10, 10), (11, 10), (12, 10)] := by decide +kernel

theorem last_0 : last (after 0) = (0, 0, 128, 0, 13) := by decide +kernel

theorem now_1 : (after 1).now = 4640 := by decide +kernel

theorem runs_1 : (after 1).iterEnd.isSome = true := by decide +kernel

theorem jobs_1 : jobs (after 1) = [(12, 2), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (11, 1)] := by decide +kernel

theorem last_1 : last (after 1) = (4640, 128, 2, 0, 13) := by decide +kernel

theorem now_2 : (after 2).now = 8650 := by decide +kernel

theorem runs_2 : (after 2).iterEnd.isSome = true := by decide +kernel

theorem jobs_2 : jobs (after 2) = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (11, 1), (12, 1)] := by decide +kernel

theorem last_2 : last (after 2) = (8650, 130, 13, 13, 13) := by decide +kernel

theorem now_3 : (after 3).now = 12715 := by decide +kernel

theorem runs_3 : (after 3).iterEnd.isSome = false := by decide +kernel

theorem jobs_3 : jobs (after 3) = [] := by decide +kernel

theorem last_3 : last (after 3) = (8650, 130, 13, 13, 13) := by decide +kernel

end RadproofTerm
