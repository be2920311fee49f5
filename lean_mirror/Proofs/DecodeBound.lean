import Proofs.Tiling

/-!
# Beyond Bari.lean: at most b_col decodes, where every prompt is a positive multiple of b_lcm

The bound alone is not inductive: beside b_col decodes, a prompt that is just being finished would
rejoin as one more. The invariant counts those in flight too: the prompts that the running batch
serves. RAD serves prompts only where fewer than b_col decode, and then one prompt alone.
-/

namespace Radproof.Proved

/-- 1 for a decode, else 0. -/
def isDecode (j : Job) : Nat := cond j.decoding 1 0

/-- 1 for a prompt that the batch serves, else 0. -/
def inFlight (batch : List Entry) (j : Job) : Nat :=
  cond j.decoding 0 (cond (Nat.beq (shareOf j.number batch) 0) 0 1)

def flight (batch : List Entry) (jobs : List Job) : Nat := total (inFlight batch) jobs

structure Bound (d : Deployment) (s : State) : Prop where
  few : decodes s.jobs + flight s.iter s.jobs ≤ d.bCol
  prompts : All (fun a => 0 < a.session.prompt) s.pending

theorem decodes_chain (a b : List Job) : decodes (chain a b) = decodes a + decodes b :=
  total_chain isDecode a b

/-- Where the batch gives prompts nothing, none is in flight. -/
theorem flight_none {batch : List Entry} {jobs : List Job}
    (h : All (fun j => j.decoding = false → shareOf j.number batch = 0) jobs) :
    flight batch jobs = 0 := by
  refine total_zero (all_imp (fun j none => ?_) h)
  refine cond_keeps (fun n => n = 0) j.decoding (fun _ => rfl) (fun prompt => ?_)
  exact cond_true 0 1 (beq_of_eq (none prompt))

/-! The end of an iteration: what was in flight rejoins at most. -/

theorem outcome_decodes (c : Config) (batch : List Entry) (j : Job) :
    decodes (stayed (outcome c j (shareOf j.number batch))) +
      decodes (rejoined (outcome c j (shareOf j.number batch))) ≤
      isDecode j + inFlight batch j :=
  outcome_cases c j (shareOf j.number batch)
    (fun o => decodes (stayed o) + decodes (rejoined o) ≤ isDecode j + inFlight batch j)
    (fun _ => le_add (le_of_eq (Nat.zero_add (isDecode j))) (zero_le _))
    (fun _ _ _ _ => le_add (le_of_eq (Nat.zero_add (isDecode j))) (zero_le _))
    (fun t served prompt _ _ => by
      have flies : inFlight batch j = 1 := by
        show cond j.decoding 0 (cond (Nat.beq (shareOf j.number batch) 0) 0 1) = 1
        rewrite [prompt, served]
        exact rfl
      rewrite [flies]
      exact le_plus_left 1 (isDecode j))
    (zero_le _)

theorem end_decodes (c : Config) (batch : List Entry) : ∀ (jobs : List Job),
    decodes (stayers c batch jobs) + decodes (rejoiners c batch jobs) ≤
      decodes jobs + flight batch jobs
  | [] => le_refl 0
  | j :: jobs => by
    show decodes (chain _ (stayers c batch jobs)) + decodes (chain _ (rejoiners c batch jobs)) ≤
      (decodes jobs + isDecode j) + (flight batch jobs + inFlight batch j)
    rewrite [decodes_chain, decodes_chain, swap_middle, swap_middle (decodes jobs),
      Nat.add_comm (decodes jobs + flight batch jobs)]
    exact le_add (outcome_decodes c batch j) (end_decodes c batch jobs)

/-! A start: no prompt beside b_col decodes, and else one alone. -/

/-- A batch of one entry has its owner in flight, and nobody else. -/
theorem flight_one (n tokens : Nat) : ∀ (jobs : List Job),
    flight [Entry.mk n false tokens] jobs ≤ count n (numbersOf jobs)
  | [] => le_refl 0
  | j :: jobs => by
    refine le_add (flight_one n tokens jobs) ?_
    refine cond_keeps (fun k => k ≤ one n j.number) j.decoding (fun _ => zero_le _) (fun _ => ?_)
    show cond (Nat.beq (cond (Nat.beq n j.number) tokens 0) 0) 0 1 ≤ cond (Nat.beq j.number n) 1 0
    exact by_test (Nat.beq j.number n)
      (fun same => by
        rewrite [cond_true _ _ same]
        exact cond_keeps (fun k => k ≤ 1) (Nat.beq (cond (Nat.beq n j.number) tokens 0) 0)
          (fun _ => zero_le 1) (fun _ => le_refl 1))
      (fun other => by
        rewrite [cond_false tokens 0 (beq_comm other)]
        exact zero_le _)

theorem batch_bound {d : Deployment} (wide : Wide d) {jobs : List Job}
    (left : All (LeftOK d) jobs) (once : Once (numbersOf jobs)) (few : decodes jobs ≤ d.bCol) :
    decodes jobs + flight (batchOf (rc d) jobs) jobs ≤ d.bCol :=
  batch_keeps d jobs (fun l => decodes jobs + flight l jobs ≤ d.bCol)
    (fun _ => by
      show decodes jobs + flight (fillIter (rc d) true jobs d.bCol) jobs ≤ d.bCol
      rewrite [flight_none (decode_shares d d.bCol once)]
      exact few)
    (fun mode => match prefill_batch wide jobs left (prefill_mode mode).2 with
      | ⟨n, batch⟩ => by
        rewrite [batch]
        exact le_trans (le_add (le_refl _) (le_trans (flight_one n d.bLcm jobs) (once n)))
          (prefill_mode mode).1)

/-! The obligations. -/

/-- R and the bound. -/
def Bounded (d : Deployment) (s : State) : Prop := Tiling d s ∧ Bound d s

theorem bound_start {d : Deployment} (wide : Wide d) (s : State) (h : Bounded d s) :
    Bounded d (startIteration (rc d) s) := by
  refine ⟨tiling_start wide s h.1, ?_⟩
  have few := batch_bound wide h.1.left (once_jobs h.1.numbered) (le_trans (le_plus _ _) h.2.few)
  rewrite [start_eq]
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact h.2
  | cons e rest =>
    rewrite [batch] at few
    exact Bound.mk few h.2.prompts

/-- Arrivals with a prompt bring no decode. -/
theorem admitted_prompts : ∀ {l : List Arrival}, All (fun a => 0 < a.session.prompt) l →
    All (fun j => j.decoding = false) (admitted l)
  | [], _ => True.intro
  | Arrival.mk _ (Session.mk _ 0 _) :: _, h => not_less_zero h.1
  | Arrival.mk _ (Session.mk _ (_ + 1) _) :: _, h => ⟨rfl, admitted_prompts h.2⟩

theorem no_decodes {jobs : List Job} (h : All (fun j => j.decoding = false) jobs) :
    decodes jobs = 0 := total_zero (all_imp (fun _ prompt => cond_false _ _ prompt) h)

theorem bound_handle {d : Deployment} (s : State) (h : Bounded d s) (e : Event)
    (next : nextEvent s = some e) : Bounded d (handle (rc d) s e) := by
  refine ⟨tiling_handle s h.1 e next, ?_⟩
  cases e with
  | arrival a later =>
    have first := (next_arrival next).1
    have prompts := h.2.prompts
    rewrite [first] at prompts
    show Bound d (State.mk a.session.arrive later (join s.jobs (admitted [a])) s.iter s.iterEnd
      s.served s.last (endingAtOnce [a]))
    rewrite [join_eq]
    refine Bound.mk ?_ prompts.2
    show decodes (chain s.jobs (admitted [a])) +
      total (inFlight s.iter) (chain s.jobs (admitted [a])) ≤ d.bCol
    have new : flight s.iter (admitted [a]) = 0 := by
      refine flight_none (all_imp (fun j its _ => ?_) (admitted_number a))
      rewrite [its]
      exact share_unknown h.1.numbered.known (to_come_is_new h.1.numbered first)
    have none : decodes (admitted [a]) = 0 :=
      no_decodes (admitted_prompts (l := [a]) ⟨prompts.1, True.intro⟩)
    rewrite [decodes_chain, total_chain, none]
    show decodes s.jobs + (flight s.iter s.jobs + flight s.iter (admitted [a])) ≤ d.bCol
    rewrite [new]
    exact h.2.few
  | iterationEnd t =>
    rewrite [handle_end (rc d) s t (once_jobs h.1.numbered)]
    refine Bound.mk ?_ h.2.prompts
    show decodes (chain (stayers (rc d) s.iter s.jobs) (rejoiners (rc d) s.iter s.jobs)) +
      flight [] _ ≤ d.bCol
    rewrite [decodes_chain, flight_none (all_of_any (fun _ _ => rfl) _)]
    exact le_trans (end_decodes (rc d) s.iter s.jobs) h.2.few

theorem bound_initially {d : Deployment} {path : List Session}
    (tiled : All (fun s => Multiple d.bLcm s.prompt) path)
    (prompts : All (fun s => 0 < s.prompt) path) : Bounded d (initially path) := by
  have inPath : All (fun a => 0 < a.session.prompt) (inOrder (numbered 0 path)) :=
    all_inOrder (all_numbered 0 prompts)
  refine ⟨tiling_initially tiled, Bound.mk ?_ (all_afterZero inPath)⟩
  show decodes (admitted (atZero (inOrder (numbered 0 path)))) + flight [] _ ≤ d.bCol
  rewrite [no_decodes (admitted_prompts (all_atZero inPath)),
    flight_none (all_of_any (fun _ _ => rfl) _)]
  exact zero_le _

theorem decode_bound : Radproof.decode_bound := by
  intro d path s wide tiled prompts reached
  have positive : All (fun s => 0 < s.prompt) path :=
    all_imp (fun _ => le_of_ble) (all_of_test prompts)
  have bounded := reach_keeps (rc d) (Bounded d) path
    (start_keeps (rc d) (Bounded d) path (bound_initially (tiled_prompts wide tiled) positive)
      (fun s _ => bound_start wide s))
    (fun s h => step_keeps (rc d) (Bounded d) s h (bound_handle s h)
      (fun s _ => bound_start wide s)) s reached
  exact ble_of_le (le_trans (le_plus _ _) bounded.2.few)

end Radproof.Proved
