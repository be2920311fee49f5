import Proofs.Numbers

/-!
# Lists: the mirror's own functions, `All`, and how often a number occurs

The mirror joins lists by turning them over, so that each is worked out at once; here `join`
becomes `chain`, which goes through its first list only. `distinct` becomes: no number occurs
twice.
-/

namespace Radproof.Proved

theorem force_eq {α : Type} (n : Nat) (f : Nat → α) : force n f = f n :=
  match n with
  | 0 => rfl
  | _ + 1 => rfl

theorem chain_nil {α : Type} : ∀ (a : List α), chain a [] = a
  | [] => rfl
  | x :: a => congrArg (List.cons x) (chain_nil a)

theorem turn_twice {α : Type} :
    ∀ (a b c : List α), turnOnto (turnOnto a b) c = turnOnto b (chain a c)
  | [], _, _ => rfl
  | x :: a, b, c => turn_twice a (x :: b) c

/-- Turning over one list and then the next is turning over their chain. -/
theorem turn_twice_chain {α : Type} :
    ∀ (a b c : List α), turnOnto b (turnOnto a c) = turnOnto (chain a b) c
  | [], _, _ => rfl
  | x :: a, b, c => turn_twice_chain a b (x :: c)

theorem join_eq {α : Type} (a b : List α) : join a b = chain a b := turn_twice a [] b

theorem join_nil {α : Type} (a : List α) : join a [] = a := (join_eq a []).trans (chain_nil a)

theorem map_chain {α β : Type} (f : α → β) :
    ∀ (a b : List α), List.map f (chain a b) = chain (List.map f a) (List.map f b)
  | [], _ => rfl
  | x :: a, b => congrArg (List.cons (f x)) (map_chain f a b)

/-! What holds of all. -/

/-- It holds of each. -/
def All {α : Type} (p : α → Prop) : List α → Prop
  | [] => True
  | x :: a => p x ∧ All p a

theorem all_imp {α : Type} {p q : α → Prop} (h : ∀ x, p x → q x) : ∀ {a : List α}, All p a → All q a
  | [], _ => True.intro
  | x :: _, g => ⟨h x g.1, all_imp h g.2⟩

theorem all_both {α : Type} {p q : α → Prop} :
    ∀ {a : List α}, All p a → All q a → All (fun x => p x ∧ q x) a
  | [], _, _ => True.intro
  | _ :: _, h, g => ⟨⟨h.1, g.1⟩, all_both h.2 g.2⟩

theorem all_of_any {α : Type} {p : α → Prop} (h : ∀ x, p x) : ∀ (a : List α), All p a
  | [] => True.intro
  | x :: a => ⟨h x, all_of_any h a⟩

theorem all_chain {α : Type} {p : α → Prop} :
    ∀ {a b : List α}, All p a → All p b → All p (chain a b)
  | [], _, _, g => g
  | _ :: _, _, h, g => ⟨h.1, all_chain h.2 g⟩

theorem all_of_test {α : Type} {p : α → Bool} :
    ∀ {a : List α}, List.all a p = true → All (fun x => p x = true) a
  | [], _ => True.intro
  | x :: a, h =>
    have two : (p x && List.all a p) = true := h
    ⟨(both_of two).1, all_of_test (both_of two).2⟩

theorem test_of_all {α : Type} {p : α → Bool} :
    ∀ {a : List α}, All (fun x => p x = true) a → List.all a p = true
  | [], _ => rfl
  | x :: a, h => by
    show (p x && List.all a p) = true
    exact both h.1 (test_of_all h.2)

/-! Sums. -/

theorem total_chain {α : Type} (f : α → Nat) :
    ∀ (a b : List α), total f (chain a b) = total f a + total f b
  | [], b => (Nat.zero_add (total f b)).symm
  | x :: a, b => by
    show total f (chain a b) + f x = (total f a + f x) + total f b
    rewrite [total_chain f a b]
    exact Nat.add_right_comm _ _ _

theorem total_zero {α : Type} {f : α → Nat} :
    ∀ {a : List α}, All (fun x => f x = 0) a → total f a = 0
  | [], _ => rfl
  | x :: a, h => by
    show total f a + f x = 0
    rewrite [total_zero h.2, h.1]
    exact rfl

/-! How often a number occurs. -/

/-- 1 where the two are the same, else 0. -/
def one (n m : Nat) : Nat := cond (Nat.beq m n) 1 0

def count (n : Nat) (l : List Nat) : Nat := total (one n) l

theorem one_self (n : Nat) : one n n = 1 := cond_true 1 0 (beq_refl n)

theorem count_chain (n : Nat) (a b : List Nat) : count n (chain a b) = count n a + count n b :=
  total_chain (one n) a b

/-- No number occurs twice. -/
def Once (l : List Nat) : Prop := ∀ n, count n l ≤ 1

theorem once_rest {m : Nat} {l : List Nat} (h : Once (m :: l)) : Once l :=
  fun n => le_trans (le_plus _ _) (h n)

/-- Where numbers occur once, the first does not occur in the rest. -/
theorem once_first {m : Nat} {l : List Nat} (h : Once (m :: l)) : count m l = 0 := by
  have most : count m l + one m m ≤ 1 := h m
  rewrite [one_self] at most
  exact zero_of_le (le_of_plus_one most)

theorem differs {n m : Nat} {l : List Nat} (h : count n (m :: l) = 0) : Nat.beq m n = false :=
  false_of (fun same => by
    have sum : count n l + one n m = 0 := h
    rewrite [show one n m = 1 from cond_true 1 0 same] at sum
    exact not_zero sum)

theorem count_rest {n m : Nat} {l : List Nat} (h : count n (m :: l) = 0) : count n l = 0 :=
  zero_of_le (le_trans (le_plus (count n l) (one n m)) (le_of_eq h))

theorem amongst_of_count {n : Nat} : ∀ {l : List Nat}, 0 < count n l → amongst n l = true
  | [], h => not_less_zero h
  | m :: l, h => by
    show (Nat.beq m n || amongst n l) = true
    exact by_test (Nat.beq m n) (fun same => first_of same) (fun other => by
      have sum : 0 < count n l + one n m := h
      rewrite [show one n m = 0 from cond_false 1 0 other] at sum
      exact second_of (amongst_of_count sum))

theorem count_of_amongst {n : Nat} : ∀ {l : List Nat}, amongst n l = true → 0 < count n l
  | [], h => no_way h
  | m :: l, h =>
    have two : (Nat.beq m n || amongst n l) = true := h
    match either_of two with
    | Or.inl same => by
      show 1 ≤ count n l + one n m
      rewrite [show one n m = 1 from cond_true 1 0 same]
      exact le_plus_left 1 _
    | Or.inr rest => le_trans (count_of_amongst rest) (le_plus _ _)

theorem count_of_not_amongst {n : Nat} {l : List Nat} (h : amongst n l = false) : count n l = 0 :=
  by_test (Nat.ble (count n l) 0) (fun g => zero_of_le (le_of_ble g))
    (fun g => not_both (amongst_of_count (less_of_not_ble g)) h)

theorem once_of_distinct : ∀ {l : List Nat}, distinct l = true → Once l
  | [], _ => fun _ => zero_le 1
  | m :: l, h => fun n => by
    have two : cond (amongst m l) false (distinct l) = true := h
    exact by_test (amongst m l)
      (fun twice => no_way ((cond_true _ _ twice).symm.trans two))
      (fun new => by
        have rest : distinct l = true := (cond_false _ _ new).symm.trans two
        show count n l + one n m ≤ 1
        exact cond_keeps (fun k => count n l + k ≤ 1) (Nat.beq m n)
          (fun same => by
            rewrite [← eq_of_beq same, count_of_not_amongst new]
            exact le_refl 1)
          (fun _ => once_of_distinct rest n))

theorem distinct_of_once : ∀ {l : List Nat}, Once l → distinct l = true
  | [], _ => rfl
  | m :: l, h => by
    show cond (amongst m l) false (distinct l) = true
    have new : amongst m l = false := false_of (fun twice => by
      have some := count_of_amongst twice
      rewrite [once_first h] at some
      exact not_less_zero some)
    exact (cond_false _ _ new).trans (distinct_of_once (once_rest h))

/-- The part of a list without twins has none. -/
theorem once_of_less {a b : List Nat} (h : ∀ n, count n a ≤ count n b) (g : Once b) : Once a :=
  fun n => le_trans (h n) (g n)

/-! The numbers of jobs. -/

theorem numbers_chain (a b : List Job) :
    numbersOf (chain a b) = chain (numbersOf a) (numbersOf b) := map_chain _ a b

/-- Whose number does not occur is none of the jobs. -/
theorem all_others {n : Nat} :
    ∀ {jobs : List Job}, count n (numbersOf jobs) = 0 →
      All (fun k => Nat.beq k.number n = false) jobs
  | [], _ => True.intro
  | j :: jobs, h => by
    have sum : count n (j.number :: numbersOf jobs) = 0 := h
    exact ⟨differs sum, all_others (count_rest sum)⟩

/-- Where numbers occur once, the jobs after the first have other numbers. -/
theorem others_of_once {j : Job} {jobs : List Job} (h : Once (numbersOf (j :: jobs))) :
    All (fun k => Nat.beq k.number j.number = false) jobs :=
  all_others (once_first (m := j.number) (l := numbersOf jobs) h)

end Radproof.Proved
