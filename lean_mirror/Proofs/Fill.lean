import Proofs.Step

/-!
# The fill: who gets how much of a budget

The jobs are gone through in order; each that is served takes what it wants, while the budget
lasts. First of any scheduler in rule form, by cases of one job (`fill_cases`): an entry belongs to
a job of the list, has its phase, and is not empty. Then of RAD, which takes the lesser of want and
rest: the lemmas `fillAmounts_*`, `fillIter_ones`, `tokSum_fillIter` and `shareOf_fillIter`.
-/

namespace Radproof.Proved

/-- One job: it is passed over, or ends the fill, or gets its entry and the fill goes on. -/
theorem fill_cases (c : Config) (mode : Bool) (j : Job) (jobs : List Job) (b : Nat)
    (p : List Entry → Prop)
    (skip : serves c mode j = false → p (fillIter c mode jobs b))
    (stop : serves c mode j = true → c.rules.take (wantOf c j) b = 0 → p [])
    (give : ∀ t, serves c mode j = true → c.rules.take (wantOf c j) b = t + 1 →
      p (Entry.mk j.number j.decoding (t + 1) :: fillIter c mode jobs (b - (t + 1)))) :
    p (fillIter c mode (j :: jobs) b) := by
  show p (match serves c mode j with
    | false => fillIter c mode jobs b
    | true =>
      match c.rules.take (wantOf c j) b with
      | 0 => []
      | t + 1 =>
        Entry.mk j.number j.decoding (t + 1)
          :: force (b - (t + 1)) (fun less => fillIter c mode jobs less))
  cases served : serves c mode j with
  | false => exact skip served
  | true =>
    show p (match c.rules.take (wantOf c j) b with
      | 0 => []
      | t + 1 =>
        Entry.mk j.number j.decoding (t + 1)
          :: force (b - (t + 1)) (fun less => fillIter c mode jobs less))
    cases taken : c.rules.take (wantOf c j) b with
    | zero => exact stop served taken
    | succ t =>
      show p (Entry.mk j.number j.decoding (t + 1)
        :: force (b - (t + 1)) (fun less => fillIter c mode jobs less))
      rewrite [force_eq]
      exact give t served taken

/-! Of any scheduler in rule form. -/

theorem fill_pos (c : Config) (mode : Bool) :
    ∀ (jobs : List Job) (b : Nat), All (fun e => 0 < e.tokens) (fillIter c mode jobs b)
  | [], _ => True.intro
  | j :: jobs, b => fill_cases c mode j jobs b (All (fun e => 0 < e.tokens))
    (fun _ => fill_pos c mode jobs b)
    (fun _ _ => True.intro)
    (fun t _ _ => ⟨le_plus_one (zero_le t), fill_pos c mode jobs _⟩)

theorem fill_serves (c : Config) (mode : Bool) : ∀ (jobs : List Job) (b : Nat),
    All (fun e => c.rules.serves mode e.decoding = true) (fillIter c mode jobs b)
  | [], _ => True.intro
  | j :: jobs, b => fill_cases c mode j jobs b
    (All (fun e => c.rules.serves mode e.decoding = true))
    (fun _ => fill_serves c mode jobs b)
    (fun _ _ => True.intro)
    (fun _ served _ => ⟨served, fill_serves c mode jobs _⟩)

/-- The owner of an entry stands in the list. -/
theorem fill_known (c : Config) (mode : Bool) : ∀ (jobs : List Job) (b : Nat),
    All (fun e => 0 < count e.number (numbersOf jobs)) (fillIter c mode jobs b)
  | [], _ => True.intro
  | j :: jobs, b => fill_cases c mode j jobs b
    (All (fun e => 0 < count e.number (j.number :: numbersOf jobs)))
    (fun _ => all_imp (fun _ h => le_trans h (le_plus _ _)) (fill_known c mode jobs b))
    (fun _ _ => True.intro)
    (fun _ _ _ => ⟨by
      show 1 ≤ count j.number (numbersOf jobs) + one j.number j.number
      rewrite [one_self]
      exact le_plus_left 1 _,
      all_imp (fun _ h => le_trans h (le_plus _ _)) (fill_known c mode jobs _)⟩)

/-- An entry is of the phase of each job with its number. -/
def Owned (jobs : List Job) (e : Entry) : Prop :=
  All (fun j => Nat.beq j.number e.number = true → j.decoding = e.decoding) jobs

/-- An entry of the rest is none of the first job's. -/
theorem owned_rest {j : Job} {jobs : List Job} (once : Once (numbersOf (j :: jobs))) {e : Entry}
    (known : 0 < count e.number (numbersOf jobs)) (owned : Owned jobs e) : Owned (j :: jobs) e :=
  ⟨fun same => by
    rewrite [← eq_of_beq same, once_first (m := j.number) (l := numbersOf jobs) once] at known
    exact not_less_zero known, owned⟩

theorem fill_owned (c : Config) (mode : Bool) : ∀ (jobs : List Job) (b : Nat),
    Once (numbersOf jobs) → All (Owned jobs) (fillIter c mode jobs b)
  | [], _, _ => True.intro
  | j :: jobs, b, once =>
    have rest : ∀ b, All (Owned (j :: jobs)) (fillIter c mode jobs b) := fun b =>
      all_imp (fun _ h => owned_rest once h.1 h.2)
        (all_both (fill_known c mode jobs b) (fill_owned c mode jobs b (once_rest once)))
    fill_cases c mode j jobs b (All (Owned (j :: jobs)))
      (fun _ => rest b)
      (fun _ _ => True.intro)
      (fun _ _ _ => ⟨⟨fun _ => rfl, all_imp (fun _ other same => not_both same other)
        (others_of_once once)⟩, rest _⟩)

/-- Whom the list does not have, the fill gives nothing. -/
theorem share_unknown {n : Nat} : ∀ {batch : List Entry} {jobs : List Job},
    All (fun e => 0 < count e.number (numbersOf jobs)) batch → count n (numbersOf jobs) = 0 →
    shareOf n batch = 0
  | [], _, _, _ => rfl
  | e :: rest, jobs, known, absent => by
    show cond (Nat.beq e.number n) e.tokens (shareOf n rest) = 0
    have other : Nat.beq e.number n = false := false_of (fun same => by
      have some : 0 < count e.number (numbersOf jobs) := known.1
      rewrite [eq_of_beq same, absent] at some
      exact not_less_zero some)
    exact (cond_false _ _ other).trans (share_unknown known.2 absent)

/-! Of RAD. -/

theorem fillAmounts_zero : Radproof.fillAmounts_zero := by
  intro d mode jobs
  induction jobs with
  | nil => exact rfl
  | cons j jobs ih =>
    refine fill_cases (rc d) mode j jobs 0 (fun l => l = []) (fun _ => ih) (fun _ _ => rfl) ?_
    intro t _ taken
    have most : minimum (wantOf (rc d) j) 0 ≤ 0 := minimum_le_right _ 0
    have some : minimum (wantOf (rc d) j) 0 = t + 1 := taken
    rewrite [some] at most
    exact not_less_zero most

theorem tokSum_fillIter : Radproof.tokSum_fillIter := by
  intro d mode jobs
  induction jobs with
  | nil => exact fun left => zero_le left
  | cons j jobs ih =>
    intro left
    refine fill_cases (rc d) mode j jobs left (fun l => tokSum l ≤ left) (fun _ => ih left)
      (fun _ _ => zero_le left) ?_
    intro t _ taken
    have most : minimum (wantOf (rc d) j) left ≤ left := minimum_le_right _ left
    have some : minimum (wantOf (rc d) j) left = t + 1 := taken
    rewrite [some] at most
    show tokSum (fillIter (rc d) mode jobs (left - (t + 1))) + (t + 1) ≤ left
    refine le_trans (le_add (ih _) (le_refl (t + 1))) (le_of_eq ?_)
    rewrite [Nat.add_comm]
    exact minus_exact most

theorem fillAmounts_fifo : Radproof.fillAmounts_fifo := by
  intro d mode j jobs left e rest served filled
  revert filled
  refine fill_cases (rc d) mode j jobs left
    (fun l => l = e :: rest → rest = [] ∨ e.tokens = wantOf (rc d) j)
    (fun other => not_both served other) (fun _ _ h => by cases h) ?_
  intro t _ taken filled
  have some : minimum (wantOf (rc d) j) left = t + 1 := taken
  cases filled
  exact by_test (Nat.ble (wantOf (rc d) j) left)
    (fun enough => Or.inr (by
      rewrite [minimum_left (le_of_ble enough)] at some
      exact some.symm))
    (fun short => Or.inl (by
      rewrite [minimum_right (le_of_less (less_of_not_ble short))] at some
      rewrite [some, minus_zero (le_refl (t + 1))]
      exact fillAmounts_zero d mode jobs))

theorem fillIter_ones : Radproof.fillIter_ones := by
  intro d jobs
  induction jobs with
  | nil => exact fun _ _ _ => rfl
  | cons j jobs ih =>
    intro left allDecode fit
    have two : (j.decoding && List.all jobs (fun j => j.decoding)) = true := allDecode
    have decodes := (both_of two).1
    refine pos_cases (le_trans (le_plus_one (zero_le (size jobs))) fit) (fun b hb => ?_)
    rewrite [hb] at fit
    rewrite [hb]
    have wants : wantOf (rc d) j = 1 := cond_true _ _ decodes
    have takes : (rc d).rules.take (wantOf (rc d) j) (b + 1) = 1 := by
      rewrite [wants]
      exact minimum_left (le_plus_left 1 b)
    refine fill_cases (rc d) true j jobs (b + 1)
      (fun l => l = List.map (fun j => Entry.mk j.number true 1) (j :: jobs)) ?_ ?_ ?_
    · intro other
      have served : same true j.decoding = false := other
      rewrite [decodes] at served
      exact no_way served.symm
    · intro _ none
      exact not_zero (takes.symm.trans none)
    · intro t _ taken
      have one : t = 0 := plus_one_inj (taken.symm.trans takes)
      rewrite [one, decodes]
      exact congrArg (List.cons _) (ih b (both_of two).2 (le_of_plus_one fit))

theorem fillAmounts_sum : Radproof.fillAmounts_sum := by
  intro d mode jobs
  induction jobs with
  | nil => exact fun left _ => (minimum_right (zero_le left)).symm
  | cons j jobs ih =>
    intro left h
    have parts : ((serves (rc d) mode j && Nat.ble 1 (wantOf (rc d) j)) &&
      List.all jobs (fun j => serves (rc d) mode j && Nat.ble 1 (wantOf (rc d) j))) = true := h
    have wants : 1 ≤ wantOf (rc d) j := le_of_ble (both_of (both_of parts).1).2
    refine fill_cases (rc d) mode j jobs left
      (fun l => tokSum l = minimum left (total (wantOf (rc d)) jobs + wantOf (rc d) j)) ?_ ?_ ?_
    · exact fun other => not_both (both_of (both_of parts).1).1 other
    · intro _ none
      have zero : left = 0 := by_test (Nat.ble (wantOf (rc d) j) left)
        (fun enough => by
          have want : wantOf (rc d) j = 0 := (minimum_left (le_of_ble enough)).symm.trans none
          rewrite [want] at wants
          exact not_less_zero wants)
        (fun short => (minimum_right (le_of_less (less_of_not_ble short))).symm.trans none)
      rewrite [zero]
      exact (minimum_left (zero_le _)).symm
    · intro t _ taken
      have some : minimum (wantOf (rc d) j) left = t + 1 := taken
      show tokSum (fillIter (rc d) mode jobs (left - (t + 1))) + (t + 1) = _
      rewrite [ih _ (both_of parts).2]
      exact by_test (Nat.ble (wantOf (rc d) j) left)
        (fun enough => by
          have want : wantOf (rc d) j = t + 1 :=
            (minimum_left (le_of_ble enough)).symm.trans some
          rewrite [want] at enough
          rewrite [want]
          exact minimum_minus (le_of_ble enough))
        (fun short => by
          have less := le_of_less (less_of_not_ble short)
          have whole : left = t + 1 := (minimum_right less).symm.trans some
          rewrite [minimum_left (le_trans less (le_plus_left _ _)), whole,
            minus_zero (le_refl (t + 1)), minimum_left (zero_le _)]
          exact Nat.zero_add _)

/-- What the jobs of a number want. -/
def wantsOf (c : Config) (n : Nat) (jobs : List Job) : Nat :=
  total (fun k => cond (Nat.beq k.number n) (wantOf c k) 0) jobs

theorem share_le_wants (d : Deployment) (mode : Bool) (n : Nat) : ∀ (jobs : List Job) (b : Nat),
    shareOf n (fillIter (rc d) mode jobs b) ≤ wantsOf (rc d) n jobs
  | [], _ => le_refl 0
  | j :: jobs, b => fill_cases (rc d) mode j jobs b
    (fun l => shareOf n l ≤ wantsOf (rc d) n jobs + cond (Nat.beq j.number n) (wantOf (rc d) j) 0)
    (fun _ => le_trans (share_le_wants d mode n jobs b) (le_plus _ _))
    (fun _ _ => zero_le _)
    (fun t _ taken => by
      have most : minimum (wantOf (rc d) j) b ≤ wantOf (rc d) j := minimum_le_left _ b
      have some : minimum (wantOf (rc d) j) b = t + 1 := taken
      rewrite [some] at most
      show cond (Nat.beq j.number n) (t + 1) (shareOf n (fillIter (rc d) mode jobs _)) ≤ _
      exact by_test (Nat.beq j.number n)
        (fun same => by
          rewrite [cond_true _ _ same, cond_true _ _ same]
          exact le_trans most (le_plus_left _ _))
        (fun other => by
          rewrite [cond_false _ _ other]
          exact le_trans (share_le_wants d mode n jobs _) (le_plus _ _)))

theorem shareOf_fillIter : Radproof.shareOf_fillIter := by
  intro d mode j jobs left
  exact share_le_wants d mode j.number (j :: jobs) left

theorem wants_unknown (c : Config) (n : Nat) : ∀ {jobs : List Job},
    count n (numbersOf jobs) = 0 → wantsOf c n jobs = 0
  | jobs, absent => total_zero (all_imp (fun _ other => cond_false _ _ other) (all_others absent))

/-- The one job of a number. -/
theorem wants_of_one (c : Config) : ∀ {jobs : List Job}, Once (numbersOf jobs) →
    All (fun k => wantsOf c k.number jobs = wantOf c k) jobs
  | [], _ => True.intro
  | j :: jobs, once => by
    refine ⟨?_, all_imp (fun k h => ?_) (all_both (wants_of_one c (once_rest once))
      (others_of_once once))⟩
    · show wantsOf c j.number jobs + cond (Nat.beq j.number j.number) (wantOf c j) 0 = wantOf c j
      rewrite [wants_unknown c j.number (once_first (m := j.number) (l := numbersOf jobs) once),
        cond_true _ _ (beq_refl j.number)]
      exact Nat.zero_add _
    · show wantsOf c k.number jobs + cond (Nat.beq j.number k.number) (wantOf c j) 0 = wantOf c k
      rewrite [cond_false _ _ (beq_comm h.2)]
      exact h.1

theorem fillAmounts_le_want : Radproof.fillAmounts_le_want := by
  intro d mode jobs left j isDistinct _
  refine test_of_all (all_imp (fun k most => ?_)
    (wants_of_one (rc d) (once_of_distinct isDistinct)))
  refine cond_keeps (fun b => b = true) (Nat.beq k.number j.number) (fun _ => ?_) (fun _ => rfl)
  have share := share_le_wants d mode k.number jobs left
  rewrite [most] at share
  exact ble_of_le share

end Radproof.Proved
