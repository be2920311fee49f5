import Proofs.Step

/-!
# Theorem 1: token_rate, for every scheduler in rule form that pays at least the tiled price

`RateInv` is inductive by itself: an arrival and an end move the clock on and nothing else of it; a
start adds a batch's tokens on one side and what it lasts on the other. Whom the batch serves, in
which order, mode or number, is never asked. RAD pays the tiled price (`tiled_rate`): the tiles it
is charged for hold its tokens.
-/

namespace Radproof.Proved

/-! The price. -/

/-- A batch of RAD lasts at least as long as its tokens do in full tiles. -/
theorem tiled_rate : Radproof.tiled_rate := by
  intro d b pos
  refine pos_cases pos (fun m hb => ?_)
  show b * (d.tLin + d.tNl * d.bCol) ≤
    d.bCol * maximum 1 (d.tLin * ((b + d.bCol - 1) / d.bCol) + d.tNl * b)
  rewrite [hb]
  refine le_trans ?_ (le_mul_left (m + 1) (maximum_ge_right 1 _))
  rewrite [Nat.left_distrib b, Nat.left_distrib (m + 1)]
  refine le_add ?_ (le_of_eq ?_)
  · rewrite [← Nat.mul_assoc, Nat.mul_comm (m + 1) d.tLin, Nat.mul_assoc, Nat.mul_comm b d.tLin]
    exact le_mul_left d.tLin (tiles_hold m b)
  · rewrite [Nat.mul_comm d.tNl (m + 1), Nat.mul_comm d.tNl b, ← Nat.mul_assoc, ← Nat.mul_assoc,
      Nat.mul_comm b (m + 1)]
    exact rfl

theorem rad_priced : Radproof.rad_priced := by
  intro d pos
  exact ⟨fun tokens => tiled_rate d tokens pos, fun _ _ => le_refl _⟩

/-! The invariant in its parts. -/

/-- The rate at a time. -/
def RateAt (d : Deployment) (time served : Nat) : Prop :=
  served * (d.tLin + d.tNl * d.bCol) ≤ d.bCol * time

theorem rate_later {d : Deployment} {now later served : Nat} (h : now ≤ later)
    (g : RateAt d now served) : RateAt d later served := le_trans g (le_mul_left d.bCol h)

/-- The rate of the present: at the end of what runs, or now. -/
def Present (d : Deployment) (now served : Nat) : Option Nat → Prop
  | none => RateAt d now served
  | some t => now ≤ t ∧ RateAt d t served

/-- `RateInv`, its three parts. -/
structure Rate (c : Config) (s : State) : Prop where
  sorted : sortedFrom s.now s.pending = true
  present : Present c.deployment s.now s.served s.iterEnd
  last : onLast token_rate c s = true

theorem rate_of_inv {c : Config} {s : State} (h : RateInv c s = true) : Rate c s := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    have parts := both_of h
    refine Rate.mk (both_of parts.1).1 ?_ parts.2
    cases iterEnd with
    | none => exact le_of_ble (both_of parts.1).2
    | some t =>
      have two := both_of (both_of parts.1).2
      exact ⟨le_of_ble two.1, le_of_ble two.2⟩

theorem inv_of_rate {c : Config} {s : State} (h : Rate c s) : RateInv c s = true := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    refine both (both h.sorted ?_) h.last
    have present := h.present
    cases iterEnd with
    | none => exact ble_of_le present
    | some t => exact both (ble_of_le present.1) (ble_of_le present.2)

/-! A start adds tokens on one side and time on the other. -/

theorem rate_start {c : Config} (priced : Priced c) (s : State) (idle : s.iterEnd = none)
    (h : Rate c s) : Rate c (startIteration c s) := by
  rewrite [start_eq]
  cases batchOf c s.jobs with
  | nil => exact h
  | cons e rest =>
    have now := h.present
    rewrite [idle] at now
    refine Rate.mk h.sorted ⟨le_plus _ _, ?_⟩ (ble_of_le now)
    show c.rules.servedAfter s.served (tokSum (e :: rest)) *
        (c.deployment.tLin + c.deployment.tNl * c.deployment.bCol) ≤
      c.deployment.bCol * (s.now + c.rules.duration (tokSum (e :: rest)) c.deployment)
    have sum : (s.served + tokSum (e :: rest)) *
        (c.deployment.tLin + c.deployment.tNl * c.deployment.bCol) ≤
        c.deployment.bCol * (s.now + c.rules.duration (tokSum (e :: rest)) c.deployment) := by
      rewrite [Nat.right_distrib, Nat.left_distrib c.deployment.bCol]
      exact le_add now (priced.1 (tokSum (e :: rest)))
    refine le_trans ?_ sum
    rewrite [Nat.mul_comm (c.rules.servedAfter _ _), Nat.mul_comm (s.served + _)]
    exact le_mul_left _ (priced.2 _ _)

theorem startIteration_inv : Radproof.startIteration_inv := by
  intro c s priced idle h
  exact inv_of_rate (rate_start priced s idle (rate_of_inv h))

/-! An event moves the clock on. -/

theorem present_later {d : Deployment} {now served t : Nat} {ending : Option Nat} (h : now ≤ t)
    (first : ∀ u, ending = some u → t ≤ u) (g : Present d now served ending) :
    Present d t served ending := by
  cases ending with
  | none => exact rate_later h g
  | some u => exact ⟨first u rfl, g.2⟩

theorem sorted_parts {t : Nat} {a : Arrival} {later : List Arrival}
    (h : sortedFrom t (a :: later) = true) :
    t ≤ a.session.arrive ∧ sortedFrom a.session.arrive later = true :=
  have two : (Nat.ble t a.session.arrive && sortedFrom a.session.arrive later) = true := h
  ⟨le_of_ble (both_of two).1, (both_of two).2⟩

theorem sorted_from {t u : Nat} : ∀ {l : List Arrival}, NotBefore u l → sortedFrom t l = true →
    sortedFrom u l = true
  | [], _, _ => rfl
  | _ :: _, first, h => both (ble_of_le first) (sorted_parts h).2

theorem rate_handle (c : Config) (s : State) (h : Rate c s) (e : Event)
    (next : nextEvent s = some e) : Rate c (handle c s e) := by
  cases e with
  | arrival a later =>
    have found := next_arrival next
    have sorted := h.sorted
    rewrite [found.1] at sorted
    exact Rate.mk (sorted_parts sorted).2
      (present_later (sorted_parts sorted).1 found.2 h.present) h.last
  | iterationEnd t =>
    have found := next_end next
    have present := h.present
    rewrite [found.1] at present
    cases end_shape c s t s.jobs s.iter [] [] [] with
    | intro left rest => cases rest with
      | intro over shape =>
        show Rate c (endIteration c s t s.jobs s.iter [] [] [])
        rewrite [shape]
        exact Rate.mk (sorted_from found.2 h.sorted) present.2 h.last

theorem rate_step {c : Config} (priced : Priced c) (s : State) (h : Rate c s) :
    Rate c (step c s) :=
  step_keeps c (Rate c) s h (rate_handle c s h) (rate_start priced)

theorem step_inv : Radproof.step_inv := by
  intro c s priced h
  exact inv_of_rate (rate_step priced s (rate_of_inv h))

/-! Time 0: the arrivals are put in order. -/

theorem sorted_insert (a : Arrival) : ∀ {t : Nat} {l : List Arrival}, t ≤ a.session.arrive →
    sortedFrom t l = true → sortedFrom t (insertArrival a l) = true
  | _, [], first, _ => both (ble_of_le first) rfl
  | t, b :: rest, first, h =>
    cond_keeps (fun l => sortedFrom t l = true) (Nat.ble a.session.arrive b.session.arrive)
      (fun before => both (ble_of_le first) (both before (sorted_parts h).2))
      (fun after => both (ble_of_le (sorted_parts h).1)
        (sorted_insert a (le_of_less (less_of_not_ble after)) (sorted_parts h).2))

theorem sorted_inOrder : ∀ (l : List Arrival), sortedFrom 0 (inOrder l) = true
  | [] => rfl
  | a :: rest => sorted_insert a (zero_le a.session.arrive) (sorted_inOrder rest)

theorem sorted_afterZero : ∀ {l : List Arrival}, sortedFrom 0 l = true →
    sortedFrom 0 (afterZero l) = true
  | [], _ => rfl
  | a :: rest, h =>
    cond_keeps (fun l => sortedFrom 0 l = true) (Nat.ble a.session.arrive 0)
      (fun now => by
        have rest := (sorted_parts h).2
        rewrite [zero_of_le (le_of_ble now)] at rest
        exact sorted_afterZero rest)
      (fun _ => h)

theorem rate_initially (c : Config) (path : List Session) : Rate c (initially path) := by
  refine Rate.mk (sorted_afterZero (sorted_inOrder _)) ?_ rfl
  show 0 * (c.deployment.tLin + c.deployment.tNl * c.deployment.bCol) ≤ c.deployment.bCol * 0
  rewrite [Nat.zero_mul]
  exact zero_le _

theorem rate_reach {c : Config} (priced : Priced c) (path : List Session) (s : State)
    (reached : Reach c path s) : Rate c s :=
  reach_keeps c (Rate c) path
    (start_keeps c (Rate c) path (rate_initially c path) (rate_start priced))
    (rate_step priced) s reached

theorem reach_inv : Radproof.reach_inv := by
  intro c path s priced reached
  exact inv_of_rate (rate_reach priced path s reached)

/-! The theorem. -/

/-- Of every scheduler in rule form that pays at least the tiled price. -/
theorem served_rate : Radproof.served_rate := by
  intro c priced
  exact every_iteration_of c (fun _ => True) (fun s => RateInv c s = true) token_rate
    (fun path _ => reach_inv c path _ priced Reach.start)
    (fun s h => step_inv c s priced h)
    (fun _ h => (rate_of_inv h).last)

/-- Of RAD. -/
theorem BariRad_token_rate : Radproof.BariRad_token_rate := by
  intro d pos
  exact served_rate (rc d) (rad_priced d pos)

end Radproof.Proved
