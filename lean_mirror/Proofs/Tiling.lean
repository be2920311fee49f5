import Proofs.Batch
import Proofs.TimeZero

/-!
# Theorem 2: optimal_tiling, for RAD and prompts of whole tiles

R holds at time 0, an event keeps it (`rad_handle`), a start keeps it (`rad_start`), and the batch
that starts from R fills its tile or all decode (`rad_batch`). An arrival is no owner of the
running batch, because its number is that of no job (R2); the end of an iteration takes multiples
of b_lcm off prompts (R5) and empties the batch.
-/

namespace Radproof.Proved

/-! A start. -/

theorem tiling_start {d : Deployment} (wide : Wide d) (s : State) (h : Tiling d s) :
    Tiling d (startIteration (rc d) s) := by
  have shares := batch_shares wide h.left (once_jobs h.numbered)
  have numbered := numbered_start d s h.numbered
  rewrite [start_eq]
  rewrite [start_eq] at numbered
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact h
  | cons e rest =>
    rewrite [batch] at shares numbered
    exact Tiling.mk numbered h.left h.prompts shares

/-- A record of a full tile, or of decodes alone, is as the claim has it. -/
theorem record_tiled {d : Deployment} (wide : Wide d) {i : Record}
    (full : (i.tokens = d.bCol ∨ i.tokens = d.bLcm) ∨ i.decoders = i.residents) :
    optimal_tiling d i = true :=
  match full with
  | Or.inl (Or.inl col) => first_of (by
      show (Nat.beq (i.tokens % d.bCol) 0 && Nat.ble d.bCol i.tokens && Nat.ble i.tokens d.bLcm)
        = true
      rewrite [col]
      exact both (both (test_of_multiple wide.1 (multiple_self d.bCol)) (ble_of_le (le_refl _)))
        (ble_of_le (wide_covers wide)))
  | Or.inl (Or.inr lcm) => first_of (by
      show (Nat.beq (i.tokens % d.bCol) 0 && Nat.ble d.bCol i.tokens && Nat.ble i.tokens d.bLcm)
        = true
      rewrite [lcm]
      exact both (both (test_of_multiple wide.1 (wide_multiple wide))
        (ble_of_le (wide_covers wide))) (ble_of_le (le_refl _)))
  | Or.inr decode => second_of (beq_of_eq decode)

/-- What starts is as the claim has it; where nothing starts, what was last is. -/
theorem start_tiled {d : Deployment} (wide : Wide d) (s : State) (h : Tiling d s)
    (last : onLast optimal_tiling (rc d) s = true) :
    onLast optimal_tiling (rc d) (startIteration (rc d) s) = true := by
  have full := batch_full wide h.left
  rewrite [start_eq]
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact last
  | cons e rest =>
    rewrite [batch] at full
    exact record_tiled (i := recordOf (rc d) s (e :: rest) (tokSum (e :: rest))) wide full

theorem rad_start : Radproof.rad_start := by
  intro d s wide inv
  have h := tiling_of_R wide.2.1 inv
  refine ⟨R_of_tiling wide.2.1 (tiling_start wide s h), fun some => ?_⟩
  have full := batch_full wide h.left
  have starts := batch_some wide h.left some
  rewrite [start_eq]
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact absurd batch starts
  | cons e rest =>
    rewrite [batch] at full
    exact record_tiled (i := recordOf (rc d) s (e :: rest) (tokSum (e :: rest))) wide full

/-! An event. -/

theorem tiling_arrival {d : Deployment} {s : State} {a : Arrival} {later : List Arrival}
    (h : Tiling d s) (first : s.pending = a :: later) :
    Tiling d (handle (rc d) s (Event.arrival a later)) := by
  have numbered := numbered_arrival (c := rc d) h.numbered first
  have prompts := h.prompts
  rewrite [first] at prompts
  refine Tiling.mk numbered ?_ prompts.2 ?_
  · show All (LeftOK d) (join s.jobs (admitted [a]))
    rewrite [join_eq]
    exact all_chain h.left (admitted_left ⟨prompts.1, True.intro⟩)
  · show All (ShareOK d (join s.jobs (admitted [a]))) s.iter
    rewrite [join_eq]
    refine all_imp (fun e two => all_chain two.1 (all_imp (fun j its same => ?_)
      (admitted_number a))) (all_both h.shares h.numbered.known)
    have known : 0 < count e.number (numbersOf s.jobs) := two.2
    rewrite [← eq_of_beq same, its, to_come_is_new h.numbered first] at known
    exact not_less_zero known

theorem tiling_end {d : Deployment} {s : State} (t : Nat) (h : Tiling d s) :
    Tiling d (handle (rc d) s (Event.iterationEnd t)) := by
  have numbered := numbered_end (c := rc d) t h.numbered
  have left := end_left h.left (shares_by_job h.shares)
  rewrite [handle_end (rc d) s t (once_jobs h.numbered)]
  rewrite [handle_end (rc d) s t (once_jobs h.numbered)] at numbered
  exact Tiling.mk numbered (all_chain left.1 left.2) h.prompts True.intro

theorem tiling_handle {d : Deployment} (s : State) (h : Tiling d s) (e : Event)
    (next : nextEvent s = some e) : Tiling d (handle (rc d) s e) := by
  cases e with
  | arrival a later => exact tiling_arrival h (next_arrival next).1
  | iterationEnd t => exact tiling_end t h

theorem rad_handle : Radproof.rad_handle := by
  intro d s e wide inv next
  exact R_of_tiling wide.2.1 (tiling_handle s (tiling_of_R wide.2.1 inv) e next)

/-! Time 0. -/

theorem tiling_initially {d : Deployment} {path : List Session}
    (tiled : All (fun s => Multiple d.bLcm s.prompt) path) : Tiling d (initially path) :=
  have inPath : All (fun a => Multiple d.bLcm a.session.prompt) (inOrder (numbered 0 path)) :=
    all_inOrder (all_numbered 0 tiled)
  Tiling.mk (numbered_initially path) (admitted_left (all_atZero inPath)) (all_afterZero inPath)
    True.intro

theorem tiled_prompts {d : Deployment} (wide : Wide d) {path : List Session}
    (tiled : Tiled d path) :
    All (fun s => Multiple d.bLcm s.prompt) path :=
  all_imp (fun _ => multiple_of_test wide.2.1) (all_of_test tiled)

theorem rad_initial : Radproof.rad_initial := by
  intro d path wide tiled
  exact R_of_tiling wide.2.1 (start_keeps (rc d) (Tiling d) path
    (tiling_initially (tiled_prompts wide tiled)) (fun s _ => tiling_start wide s))

/-! The theorem. -/

/-- R, and the claim of the latest iteration. -/
def Tiles (d : Deployment) (s : State) : Prop :=
  Tiling d s ∧ onLast optimal_tiling (rc d) s = true

theorem tiles_start {d : Deployment} (wide : Wide d) (s : State) (h : Tiles d s) :
    Tiles d (startIteration (rc d) s) :=
  ⟨tiling_start wide s h.1, start_tiled wide s h.1 h.2⟩

theorem tiles_handle {d : Deployment} (s : State) (h : Tiles d s) (e : Event)
    (next : nextEvent s = some e) : Tiles d (handle (rc d) s e) := by
  refine ⟨tiling_handle s h.1 e next, ?_⟩
  cases e with
  | arrival a later => exact h.2
  | iterationEnd t =>
    rewrite [handle_end (rc d) s t (once_jobs h.1.numbered)]
    exact h.2

theorem tiles_step {d : Deployment} (wide : Wide d) (s : State) (h : Tiles d s) :
    Tiles d (step (rc d) s) :=
  step_keeps (rc d) (Tiles d) s h (tiles_handle s h) (fun s _ => tiles_start wide s)

theorem tiles_at_start {d : Deployment} (wide : Wide d) (path : List Session)
    (tiled : Tiled d path) : Tiles d (start (rc d) path) :=
  start_keeps (rc d) (Tiles d) path ⟨tiling_initially (tiled_prompts wide tiled), rfl⟩
    (fun s _ => tiles_start wide s)

theorem BariRad_optimal_tiling : Radproof.BariRad_optimal_tiling := by
  intro d wide
  have tested : ∀ {s : State}, Tiles d s →
      R (rc d) s = true ∧ onLast optimal_tiling (rc d) s = true :=
    fun h => ⟨R_of_tiling wide.2.1 h.1, h.2⟩
  exact every_iteration_of (rc d) (Tiled d)
    (fun s => R (rc d) s = true ∧ onLast optimal_tiling (rc d) s = true) optimal_tiling
    (fun path tiled => tested (tiles_at_start wide path tiled))
    (fun s h => tested (tiles_step wide s ⟨tiling_of_R wide.2.1 h.1, h.2⟩))
    (fun _ h => h.2)

end Radproof.Proved
