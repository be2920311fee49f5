import Fixtures.Lemmas

/-!
# What the proofs need of truths and numbers

From core Lean: the laws of `+` and `*`, `Nat.le.intro` and `Nat.le.dest` (`a ≤ b` is `a + k = b`
for some `k`), and one unfolding of `/` and of `%`. The names of core's other lemmas changed over
the years, so what is needed of them is proved here, under names of our own.
-/

namespace Radproof.Proved

/-! Truths. -/

theorem no_way {p : Prop} (h : false = true) : p := by cases h

theorem not_both {p : Prop} {b : Bool} (h : b = true) (g : b = false) : p :=
  no_way (g.symm.trans h)

theorem both_of {a b : Bool} (h : (a && b) = true) : a = true ∧ b = true :=
  match a, b, h with
  | true, true, _ => ⟨rfl, rfl⟩
  | true, false, h => no_way h
  | false, _, h => no_way h

theorem both {a b : Bool} (h : a = true) (g : b = true) : (a && b) = true :=
  match a, b, h, g with
  | true, true, _, _ => rfl
  | true, false, _, g => no_way g
  | false, _, h, _ => no_way h

theorem either_of {a b : Bool} (h : (a || b) = true) : a = true ∨ b = true :=
  match a, b, h with
  | true, _, _ => Or.inl rfl
  | false, true, _ => Or.inr rfl
  | false, false, h => no_way h

theorem first_of {a b : Bool} (h : a = true) : (a || b) = true :=
  match a, h with
  | true, _ => rfl
  | false, h => no_way h

theorem second_of {a b : Bool} (h : b = true) : (a || b) = true :=
  match a, b, h with
  | true, _, _ => rfl
  | false, true, _ => rfl
  | false, false, h => no_way h

theorem neither_of {a b : Bool} (h : (a || b) = false) : a = false ∧ b = false :=
  match a, b, h with
  | false, false, _ => ⟨rfl, rfl⟩
  | false, true, h => no_way h.symm
  | true, _, h => no_way h.symm

theorem false_of {b : Bool} (h : b = true → False) : b = false :=
  match b, h with
  | false, _ => rfl
  | true, h => False.elim (h rfl)

/-- A test comes out true or false. -/
theorem by_test {p : Prop} (b : Bool) (yes : b = true → p) (no : b = false → p) : p :=
  match b, yes, no with
  | true, yes, _ => yes rfl
  | false, _, no => no rfl

/-- What holds of both choices holds of `cond`. -/
theorem cond_keeps {α : Type} (p : α → Prop) (b : Bool) {x y : α}
    (hx : b = true → p x) (hy : b = false → p y) : p (cond b x y) :=
  match b, hx, hy with
  | true, hx, _ => hx rfl
  | false, _, hy => hy rfl

theorem cond_true {α : Type} {b : Bool} (x y : α) (h : b = true) : cond b x y = x :=
  match b, h with
  | true, _ => rfl
  | false, h => no_way h

theorem cond_false {α : Type} {b : Bool} (x y : α) (h : b = false) : cond b x y = y :=
  match b, h with
  | false, _ => rfl
  | true, h => no_way h.symm

/-! The order. -/

theorem le_plus (a k : Nat) : a ≤ a + k := Nat.le.intro rfl

theorem le_plus_left (a k : Nat) : a ≤ k + a := Nat.le.intro (Nat.add_comm a k)

theorem le_refl (a : Nat) : a ≤ a := le_plus a 0

theorem le_of_eq {a b : Nat} (h : a = b) : a ≤ b := Nat.le.intro (k := 0) h

theorem zero_le (a : Nat) : 0 ≤ a := Nat.le.intro (Nat.zero_add a)

theorem le_trans {a b c : Nat} (h : a ≤ b) (g : b ≤ c) : a ≤ c :=
  match Nat.le.dest h, Nat.le.dest g with
  | ⟨k, hk⟩, ⟨l, hl⟩ => Nat.le.intro (k := k + l) (by rewrite [← Nat.add_assoc, hk]; exact hl)

theorem swap_middle (a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d) := by
  rewrite [Nat.add_assoc, Nat.add_left_comm b c d, ← Nat.add_assoc]
  exact rfl

theorem le_add {a b c d : Nat} (h : a ≤ b) (g : c ≤ d) : a + c ≤ b + d :=
  match Nat.le.dest h, Nat.le.dest g with
  | ⟨k, hk⟩, ⟨l, hl⟩ => Nat.le.intro (k := k + l) (by
      rewrite [swap_middle, hk, hl]
      exact rfl)

theorem le_mul_left {a b : Nat} (k : Nat) (h : a ≤ b) : k * a ≤ k * b :=
  match Nat.le.dest h with
  | ⟨m, hm⟩ => Nat.le.intro (k := k * m) (by
      rewrite [← Nat.left_distrib, hm]
      exact rfl)

theorem plus_one (a k : Nat) : (a + 1) + k = (a + k) + 1 := Nat.succ_add a k

theorem plus_one_inj {a b : Nat} (h : a + 1 = b + 1) : a = b := Nat.succ.inj h

theorem plus_cancel {a b : Nat} : ∀ {r : Nat}, a + r = b + r → a = b
  | 0, h => h
  | _ + 1, h => plus_cancel (plus_one_inj h)

theorem not_zero {p : Prop} {a : Nat} (h : a + 1 = 0) : p := by cases h

theorem le_plus_one {a b : Nat} (h : a ≤ b) : a + 1 ≤ b + 1 := le_add h (le_refl 1)

theorem le_of_plus_one {a b : Nat} (h : a + 1 ≤ b + 1) : a ≤ b :=
  match Nat.le.dest h with
  | ⟨k, hk⟩ => Nat.le.intro (plus_one_inj ((plus_one a k).symm.trans hk))

theorem le_of_less {a b : Nat} (h : a + 1 ≤ b) : a ≤ b := le_trans (le_plus a 1) h

theorem not_less_zero {p : Prop} {a : Nat} (h : a + 1 ≤ 0) : p :=
  match Nat.le.dest h with
  | ⟨k, hk⟩ => not_zero ((plus_one a k).symm.trans hk)

theorem not_less_self {p : Prop} : ∀ {a : Nat}, a + 1 ≤ a → p
  | 0, h => not_less_zero h
  | a + 1, h => not_less_self (a := a) (le_of_plus_one h)

theorem zero_of_le {a : Nat} (h : a ≤ 0) : a = 0 :=
  match a, h with
  | 0, _ => rfl
  | _ + 1, h => not_less_zero h

theorem le_antisymm {a b : Nat} (h : a ≤ b) (g : b ≤ a) : a = b :=
  match Nat.le.dest h with
  | ⟨0, hk⟩ => hk
  | ⟨k + 1, hk⟩ => not_less_self (a := a) (le_trans (le_plus_one (le_plus a k)) (by
      have more : (a + k) + 1 = b := hk
      rewrite [more]
      exact g))

/-- A positive number is one and more. -/
theorem pos_cases {p : Prop} {a : Nat} (h : 0 < a) (g : ∀ k, a = k + 1 → p) : p :=
  match a, h, g with
  | 0, h, _ => not_less_zero h
  | k + 1, _, g => g k rfl

/-! The tests of numbers. -/

theorem le_of_ble : ∀ {a b : Nat}, Nat.ble a b = true → a ≤ b
  | 0, b, _ => zero_le b
  | _ + 1, 0, h => no_way h
  | a + 1, b + 1, h => le_plus_one (le_of_ble (a := a) (b := b) h)

theorem ble_of_le : ∀ {a b : Nat}, a ≤ b → Nat.ble a b = true
  | 0, 0, _ => rfl
  | 0, _ + 1, _ => rfl
  | _ + 1, 0, h => not_less_zero h
  | a + 1, b + 1, h => ble_of_le (a := a) (b := b) (le_of_plus_one h)

theorem less_of_not_ble : ∀ {a b : Nat}, Nat.ble a b = false → b + 1 ≤ a
  | 0, 0, h => no_way h.symm
  | 0, _ + 1, h => no_way h.symm
  | a + 1, 0, _ => le_plus_one (zero_le a)
  | a + 1, b + 1, h => le_plus_one (less_of_not_ble (a := a) (b := b) h)

theorem eq_of_beq : ∀ {a b : Nat}, Nat.beq a b = true → a = b
  | 0, 0, _ => rfl
  | 0, _ + 1, h => no_way h
  | _ + 1, 0, h => no_way h
  | a + 1, b + 1, h => congrArg Nat.succ (eq_of_beq (a := a) (b := b) h)

theorem beq_refl : ∀ (a : Nat), Nat.beq a a = true
  | 0 => rfl
  | a + 1 => beq_refl a

theorem beq_of_eq {a b : Nat} (h : a = b) : Nat.beq a b = true := by
  rewrite [h]
  exact beq_refl b

theorem beq_comm {a b : Nat} (h : Nat.beq a b = false) : Nat.beq b a = false :=
  false_of (fun g => not_both (beq_of_eq (eq_of_beq g).symm) h)

/-! Subtraction. -/

theorem plus_minus : ∀ (a k : Nat), (a + k) - a = k
  | 0, k => Nat.zero_add k
  | a + 1, k => by
    rewrite [plus_one]
    exact (Nat.succ_sub_succ_eq_sub (a + k) a).trans (plus_minus a k)

theorem minus_plus (a b : Nat) : ∀ (c : Nat), a - (b + c) = (a - b) - c
  | 0 => rfl
  | c + 1 => congrArg Nat.pred (minus_plus a b c)

theorem minus_zero : ∀ {a b : Nat}, a ≤ b → a - b = 0
  | 0, 0, _ => rfl
  | a + 1, 0, h => not_less_zero h
  | 0, b + 1, _ => congrArg Nat.pred (minus_zero (zero_le b))
  | a + 1, b + 1, h =>
    (Nat.succ_sub_succ_eq_sub a b).trans (minus_zero (a := a) (b := b) (le_of_plus_one h))

/-- What is taken away and what is left make the whole. -/
theorem minus_exact {a b : Nat} (h : a ≤ b) : a + (b - a) = b :=
  match Nat.le.dest h with
  | ⟨k, hk⟩ => by
    rewrite [← hk, plus_minus]
    exact rfl

theorem pred_le : ∀ (a : Nat), Nat.pred a ≤ a
  | 0 => le_refl 0
  | a + 1 => le_plus a 1

theorem minus_le (a : Nat) : ∀ (b : Nat), a - b ≤ a
  | 0 => le_refl a
  | b + 1 => le_trans (pred_le (a - b)) (minus_le a b)

theorem minus_less {a b : Nat} (n : Nat) (h : a ≤ b) : n - b ≤ n - a :=
  match Nat.le.dest h with
  | ⟨k, hk⟩ => by
    rewrite [← hk, minus_plus]
    exact minus_le (n - a) k

/-- What is left, put back, makes the whole or more. -/
theorem le_minus_plus (a b : Nat) : a ≤ b + (a - b) :=
  by_test (Nat.ble b a) (fun h => le_of_eq (minus_exact (le_of_ble h)).symm)
    (fun h => le_trans (le_of_less (less_of_not_ble h)) (le_plus b (a - b)))

/-! The lesser and the greater of two. -/

theorem minimum_left {a b : Nat} (h : a ≤ b) : minimum a b = a := cond_true a b (ble_of_le h)

theorem minimum_right {a b : Nat} (h : b ≤ a) : minimum a b = b :=
  cond_keeps (fun m => m = b) (Nat.ble a b)
    (fun g => le_antisymm (le_of_ble g) h) (fun _ => rfl)

theorem minimum_ge {a b c : Nat} (h : c ≤ a) (g : c ≤ b) : c ≤ minimum a b :=
  cond_keeps (fun m => c ≤ m) (Nat.ble a b) (fun _ => h) (fun _ => g)

theorem minimum_le_left (a b : Nat) : minimum a b ≤ a :=
  cond_keeps (fun m => m ≤ a) (Nat.ble a b)
    (fun _ => le_refl a) (fun h => le_of_less (less_of_not_ble h))

theorem minimum_le_right (a b : Nat) : minimum a b ≤ b :=
  cond_keeps (fun m => m ≤ b) (Nat.ble a b) (fun h => le_of_ble h) (fun _ => le_refl b)

/-- A want that has fallen, and still covers the share, takes the share. -/
theorem minimum_same {want less cap budget share : Nat} (fell : less ≤ want)
    (covers : share ≤ less) (h : minimum (minimum want cap) budget = share) :
    minimum (minimum less cap) budget = share := by
  have inCap : share ≤ cap := by
    rewrite [← h]
    exact le_trans (minimum_le_left _ _) (minimum_le_right _ _)
  have inBudget : share ≤ budget := by
    rewrite [← h]
    exact minimum_le_right _ _
  refine le_antisymm ?_ (minimum_ge (minimum_ge covers inCap) inBudget)
  rewrite [← h]
  exact minimum_ge (le_trans (minimum_le_left _ _)
    (minimum_ge (le_trans (minimum_le_left _ _) fell) (minimum_le_right _ _)))
    (minimum_le_right _ _)

/-- What is taken first goes off the budget and on top of the rest. -/
theorem minimum_minus {t b s : Nat} (h : t ≤ b) :
    minimum (b - t) s + t = minimum b (s + t) :=
  match Nat.le.dest h with
  | ⟨k, hk⟩ => by
    rewrite [← hk, plus_minus, Nat.add_comm s t]
    exact by_test (Nat.ble k s)
      (fun less => by
        rewrite [minimum_left (le_of_ble less), minimum_left (le_add (le_refl t) (le_of_ble less))]
        exact Nat.add_comm k t)
      (fun more => by
        have less := le_of_less (less_of_not_ble more)
        rewrite [minimum_right less, minimum_right (le_add (le_refl t) less)]
        exact Nat.add_comm s t)

theorem maximum_ge_right (a b : Nat) : b ≤ maximum a b :=
  cond_keeps (fun m => b ≤ m) (Nat.ble b a) (fun h => le_of_ble h) (fun _ => le_refl b)

theorem maximum_right {a b : Nat} (h : a ≤ b) : maximum a b = b :=
  cond_keeps (fun m => m = b) (Nat.ble b a)
    (fun g => le_antisymm h (le_of_ble g)) (fun _ => rfl)

/-! Division. -/

theorem ite_true {c : Prop} (d : Decidable c) (h : c) (a b : Nat) : (@ite Nat c d a b) = a :=
  match d with
  | isTrue _ => rfl
  | isFalse no => absurd h no

theorem ite_false {c : Prop} (d : Decidable c) (h : ¬ c) (a b : Nat) : (@ite Nat c d a b) = b :=
  match d with
  | isTrue yes => absurd yes h
  | isFalse _ => rfl

/-- `m + 1` goes into `m + 1 + k`. -/
theorem fits (m k : Nat) : 0 < m + 1 ∧ m + 1 ≤ (m + 1) + k :=
  ⟨le_plus_one (zero_le m), le_plus (m + 1) k⟩

/-- `m + 1` does not go into what is not above `m`. -/
theorem fits_not {m n : Nat} (h : n ≤ m) : ¬ (0 < m + 1 ∧ m + 1 ≤ n) :=
  fun g => not_less_self (le_trans g.2 h)

theorem div_more (m k : Nat) : ((m + 1) + k) / (m + 1) = k / (m + 1) + 1 := by
  rewrite [Nat.div_eq, ite_true _ (fits m k), plus_minus]
  exact rfl

theorem div_less {m n : Nat} (h : n ≤ m) : n / (m + 1) = 0 := by
  rewrite [Nat.div_eq, ite_false _ (fits_not h)]
  exact rfl

theorem mod_more (m k : Nat) : ((m + 1) + k) % (m + 1) = k % (m + 1) := by
  rewrite [Nat.mod_eq, ite_true _ (fits m k), plus_minus]
  exact rfl

theorem mod_less {m n : Nat} (h : n ≤ m) : n % (m + 1) = n := by
  rewrite [Nat.mod_eq, ite_false _ (fits_not h)]
  exact rfl

/-- Whole steps of `m + 1`: what holds below, and of a step more than where it holds, holds. -/
theorem by_steps (m : Nat) (p : Nat → Prop) (below : ∀ n, n ≤ m → p n)
    (above : ∀ k, p k → p ((m + 1) + k)) : ∀ (fuel n : Nat), n ≤ fuel → p n
  | 0, n, h => below n (le_trans h (zero_le m))
  | fuel + 1, n, h =>
    by_test (Nat.ble n m) (fun hb => below n (le_of_ble hb)) (fun hb =>
      match Nat.le.dest (less_of_not_ble hb) with
      | ⟨k, hk⟩ => by
        rewrite [← hk]
        rewrite [← hk, plus_one] at h
        exact above k (by_steps m p below above fuel k
          (le_trans (le_plus_left k m) (le_of_plus_one h))))

/-- `n` is its quotient of full tiles, and a rest that is less than a tile. -/
theorem div_rest (m n : Nat) : ∃ r, n = (m + 1) * (n / (m + 1)) + r ∧ r ≤ m :=
  by_steps m (fun n => ∃ r, n = (m + 1) * (n / (m + 1)) + r ∧ r ≤ m)
    (fun n h => ⟨n, by
      rewrite [div_less h]
      exact (Nat.zero_add n).symm, h⟩)
    (fun k h =>
      match h with
      | ⟨r, hr, less⟩ => ⟨r, by
        have sum : (m + 1) * (k / (m + 1) + 1) + r = (m + 1) + k := by
          rewrite [Nat.left_distrib, Nat.mul_one, Nat.add_right_comm, ← hr]
          exact Nat.add_comm k (m + 1)
        rewrite [div_more]
        exact sum.symm, less⟩)
    n n (le_refl n)

/-- The tiles that `n` tokens are charged for hold them (Bari.lean: the ceiling in tiled_rate). -/
theorem tiles_hold (m n : Nat) : n ≤ (m + 1) * ((n + (m + 1) - 1) / (m + 1)) :=
  match div_rest m (n + m) with
  | ⟨r, hr, less⟩ =>
    match Nat.le.dest less with
    | ⟨k, hk⟩ => Nat.le.intro (k := k) (plus_cancel (r := r) (by
        have sum : (n + k) + r = n + m := by
          rewrite [Nat.add_assoc, Nat.add_comm k r, hk]
          exact rfl
        exact sum.trans hr))

/-! Multiples. -/

def Multiple (b n : Nat) : Prop := ∃ k, n = b * k

theorem multiple_zero (b : Nat) : Multiple b 0 := ⟨0, rfl⟩

theorem multiple_self (b : Nat) : Multiple b b := ⟨1, (Nat.mul_one b).symm⟩

theorem multiple_of_mod {b n : Nat} (pos : 0 < b) (h : n % b = 0) : Multiple b n :=
  pos_cases pos (fun m hb => by
    rewrite [hb] at h
    rewrite [hb]
    exact by_steps m (fun n => n % (m + 1) = 0 → Multiple (m + 1) n)
      (fun n less hz => ⟨0, (mod_less less).symm.trans hz⟩)
      (fun k ih hz => match ih ((mod_more m k).symm.trans hz) with
        | ⟨q, hq⟩ => ⟨q + 1, by
          rewrite [Nat.left_distrib, Nat.mul_one, ← hq]
          exact Nat.add_comm (m + 1) k⟩)
      n n (le_refl n) h)

theorem mod_of_multiple {b n : Nat} (pos : 0 < b) (h : Multiple b n) : n % b = 0 :=
  match h with
  | ⟨k, hk⟩ => pos_cases pos (fun m hb => by
      rewrite [hk, hb]
      clear hk
      induction k with
      | zero => exact mod_less (zero_le m)
      | succ k ih =>
        have more : (m + 1) * (k + 1) = (m + 1) + (m + 1) * k := by
          rewrite [Nat.left_distrib, Nat.mul_one]
          exact Nat.add_comm _ _
        exact ((congrArg (fun n => n % (m + 1)) more).trans (mod_more m _)).trans ih)

theorem multiple_of_test {b n : Nat} (pos : 0 < b) (h : Nat.beq (n % b) 0 = true) :
    Multiple b n := multiple_of_mod pos (eq_of_beq h)

theorem test_of_multiple {b n : Nat} (pos : 0 < b) (h : Multiple b n) :
    Nat.beq (n % b) 0 = true := beq_of_eq (mod_of_multiple pos h)

theorem multiple_minus {b n k : Nat} (h : Multiple b n) (g : Multiple b k) : Multiple b (n - k) :=
  match h, g with
  | ⟨p, hp⟩, ⟨q, hq⟩ => by
    rewrite [hp, hq]
    exact by_test (Nat.ble q p)
      (fun hb => match Nat.le.dest (le_of_ble hb) with
        | ⟨r, hr⟩ => ⟨r, by
          rewrite [← hr, Nat.left_distrib, plus_minus]
          exact rfl⟩)
      (fun hb => ⟨0, minus_zero (le_mul_left b (le_of_less (less_of_not_ble hb)))⟩)

/-- A positive multiple of `b` is at least `b`. -/
theorem multiple_ge {b n : Nat} (h : Multiple b n) (pos : 0 < n) : b ≤ n :=
  match h with
  | ⟨0, hk⟩ => by
    rewrite [hk] at pos
    exact not_less_zero pos
  | ⟨k + 1, hk⟩ => by
    rewrite [hk]
    exact le_plus_left b (b * k)

end Radproof.Proved
