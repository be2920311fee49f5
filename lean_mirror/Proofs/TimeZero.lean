import Proofs.Outcomes

/-!
# Time 0: the path in order, numbered, and parted into who is there and who is to come

What holds of all sessions of the path holds of both parts, and no number comes twice.
-/

namespace Radproof.Proved

/-- The parts of a path keep what holds of all of it. -/
theorem all_insert {p : Arrival → Prop} {a : Arrival} (its : p a) : ∀ {l : List Arrival}, All p l →
    All p (insertArrival a l)
  | [], _ => ⟨its, True.intro⟩
  | b :: _, h => cond_keeps (All p) (Nat.ble a.session.arrive b.session.arrive)
    (fun _ => ⟨its, h⟩) (fun _ => ⟨h.1, all_insert its h.2⟩)

theorem all_inOrder {p : Arrival → Prop} : ∀ {l : List Arrival}, All p l → All p (inOrder l)
  | [], _ => True.intro
  | _ :: _, h => all_insert h.1 (all_inOrder h.2)

theorem all_atZero {p : Arrival → Prop} : ∀ {l : List Arrival}, All p l → All p (atZero l)
  | [], _ => True.intro
  | a :: _, h => cond_keeps (All p) (Nat.ble a.session.arrive 0)
    (fun _ => ⟨h.1, all_atZero h.2⟩) (fun _ => True.intro)

theorem all_afterZero {p : Arrival → Prop} : ∀ {l : List Arrival}, All p l → All p (afterZero l)
  | [], _ => True.intro
  | a :: _, h => cond_keeps (All p) (Nat.ble a.session.arrive 0)
    (fun _ => all_afterZero h.2) (fun _ => h)

theorem all_numbered {q : Session → Prop} : ∀ {path : List Session} (k : Nat), All q path →
    All (fun a => q a.session) (numbered k path)
  | [], _, _ => True.intro
  | s :: path, k, h => by
    show All _ (Arrival.mk k s :: force (k + 1) (fun next => numbered next path))
    rewrite [force_eq]
    exact ⟨h.1, all_numbered (k + 1) h.2⟩

theorem numbers_insert (n : Nat) (a : Arrival) : ∀ (l : List Arrival),
    count n (arrivalNumbers (insertArrival a l)) = count n (arrivalNumbers l) + one n a.number
  | [] => rfl
  | b :: l => cond_keeps
    (fun k => count n (arrivalNumbers k) = (count n (arrivalNumbers l) + one n b.number) +
      one n a.number)
    (Nat.ble a.session.arrive b.session.arrive) (fun _ => rfl)
    (fun _ => by
      show count n (arrivalNumbers (insertArrival a l)) + one n b.number = _
      rewrite [numbers_insert n a l]
      exact Nat.add_right_comm _ _ _)

theorem numbers_inOrder (n : Nat) : ∀ (l : List Arrival),
    count n (arrivalNumbers (inOrder l)) = count n (arrivalNumbers l)
  | [] => rfl
  | a :: l => by
    show count n (arrivalNumbers (insertArrival a (inOrder l))) = _
    rewrite [numbers_insert, numbers_inOrder n l]
    exact rfl

theorem numbers_zero (n : Nat) : ∀ (l : List Arrival),
    count n (arrivalNumbers (atZero l)) + count n (arrivalNumbers (afterZero l)) =
      count n (arrivalNumbers l)
  | [] => rfl
  | a :: l => by
    show count n (arrivalNumbers (cond (Nat.ble a.session.arrive 0) (a :: atZero l) [])) +
      count n (arrivalNumbers (cond (Nat.ble a.session.arrive 0) (afterZero l) (a :: l))) = _
    exact by_test (Nat.ble a.session.arrive 0)
      (fun now => by
        rewrite [cond_true _ _ now, cond_true _ _ now]
        show (count n (arrivalNumbers (atZero l)) + one n a.number) + _ = _
        rewrite [Nat.add_right_comm, numbers_zero n l]
        exact rfl)
      (fun later => by
        rewrite [cond_false _ _ later, cond_false _ _ later]
        exact Nat.zero_add _)

/-- Numbers go up from `k`, so none comes twice. -/
theorem numbers_numbered (n : Nat) : ∀ (path : List Session) (k : Nat),
    count n (arrivalNumbers (numbered k path)) ≤ 1 ∧
    (n + 1 ≤ k → count n (arrivalNumbers (numbered k path)) = 0)
  | [], _ => ⟨zero_le 1, fun _ => rfl⟩
  | s :: path, k => by
    show count n (arrivalNumbers (Arrival.mk k s :: force (k + 1) (fun m => numbered m path))) ≤ 1 ∧
      (n + 1 ≤ k →
        count n (arrivalNumbers (Arrival.mk k s :: force (k + 1) (fun m => numbered m path))) = 0)
    rewrite [force_eq]
    show count n (arrivalNumbers (numbered (k + 1) path)) + one n k ≤ 1 ∧
      (n + 1 ≤ k → count n (arrivalNumbers (numbered (k + 1) path)) + one n k = 0)
    have rest := numbers_numbered n path (k + 1)
    exact by_test (Nat.beq k n)
      (fun same => by
        have its := eq_of_beq same
        rewrite [its] at rest
        rewrite [its, rest.2 (le_refl (n + 1)), one_self]
        exact ⟨le_refl 1, fun h => not_less_self h⟩)
      (fun other => by
        rewrite [show one n k = 0 from cond_false 1 0 other]
        exact ⟨rest.1, fun h => rest.2 (le_trans h (le_plus k 1))⟩)

theorem numbered_initially (path : List Session) : Numbered (initially path) := by
  refine Numbered.mk (fun n => ?_) True.intro
  rewrite [count_owners]
  refine le_trans (le_add (count_admitted n _) (le_refl _)) ?_
  show count n (arrivalNumbers (atZero (inOrder (numbered 0 path)))) +
    count n (arrivalNumbers (afterZero (inOrder (numbered 0 path)))) ≤ 1
  rewrite [numbers_zero, numbers_inOrder]
  exact (numbers_numbered n path 0).1

end Radproof.Proved
