import Proofs.Fill

/-!
# R, as the proofs read it

The mirror's `R` is a test, so that a fixture can run it. Here its five parts become statements of
numbers (`Tiling`), and back.
-/

namespace Radproof.Proved

/-! The deployment. -/

theorem wide_multiple {d : Deployment} (wide : Wide d) : Multiple d.bCol d.bLcm :=
  multiple_of_mod wide.1 wide.2.2.1

theorem wide_covers {d : Deployment} (wide : Wide d) : d.bCol ≤ d.bLcm :=
  multiple_ge (wide_multiple wide) wide.2.1

theorem plain_wide : Radproof.plain_wide := by
  intro d plain
  refine ⟨plain.1, ?_, mod_of_multiple plain.1 ?_, le_of_eq plain.2.2.symm⟩
  · rewrite [plain.2.1]
    exact plain.1
  · rewrite [plain.2.1]
    exact multiple_self d.bCol

/-! The five parts. -/

/-- R1: work is left, and of a prompt a multiple of b_lcm. -/
def LeftOK (d : Deployment) (j : Job) : Prop :=
  0 < phaseTotal j - j.done ∧ (j.decoding = true ∨ Multiple d.bLcm (phaseTotal j - j.done))

/-- R5: each job of the entry's number decodes, or the entry is a multiple of b_lcm. -/
def ShareOK (d : Deployment) (jobs : List Job) (e : Entry) : Prop :=
  All (fun j => Nat.beq j.number e.number = true →
    j.decoding = true ∨ Multiple d.bLcm e.tokens) jobs

/-- R6: the entry's owner stands in the list. -/
def Known (jobs : List Job) (e : Entry) : Prop := 0 < count e.number (numbersOf jobs)

/-- R2 and R6: whose number is whose. These hold of every path, tiled or not. -/
structure Numbered (s : State) : Prop where
  once : Once (owners s)
  known : All (Known s.jobs) s.iter

/-- R. -/
structure Tiling (d : Deployment) (s : State) : Prop where
  numbered : Numbered s
  left : All (LeftOK d) s.jobs
  prompts : All (fun a => Multiple d.bLcm a.session.prompt) s.pending
  shares : All (ShareOK d s.jobs) s.iter

theorem left_of_test {d : Deployment} (pos : 0 < d.bLcm) {j : Job}
    (h : jobOK (leftOf (rc d) j) j.decoding d = true) : LeftOK d j :=
  ⟨le_of_ble (both_of h).1, match either_of (both_of h).2 with
    | Or.inl decodes => Or.inl decodes
    | Or.inr tiled => Or.inr (multiple_of_test pos tiled)⟩

theorem test_of_left {d : Deployment} (pos : 0 < d.bLcm) {j : Job} (h : LeftOK d j) :
    jobOK (leftOf (rc d) j) j.decoding d = true :=
  both (ble_of_le h.1) (match h.2 with
    | Or.inl decodes => first_of decodes
    | Or.inr tiled => second_of (test_of_multiple pos tiled))

theorem share_of_test {d : Deployment} (pos : 0 < d.bLcm) {jobs : List Job} {e : Entry}
    (h : shareOK (rc d) jobs e = true) : ShareOK d jobs e := by
  refine all_imp (fun j test same => ?_) (all_of_test h)
  have its : cond (Nat.beq j.number e.number) (entryOK e.tokens j.decoding d) true = true := test
  rewrite [cond_true _ _ same] at its
  exact match either_of its with
    | Or.inl decodes => Or.inl decodes
    | Or.inr tiled => Or.inr (multiple_of_test pos tiled)

theorem test_of_share {d : Deployment} (pos : 0 < d.bLcm) {jobs : List Job} {e : Entry}
    (h : ShareOK d jobs e) : shareOK (rc d) jobs e = true := by
  refine test_of_all (all_imp (fun j its => ?_) h)
  exact cond_keeps (fun b => b = true) (Nat.beq j.number e.number)
    (fun same => match its same with
      | Or.inl decodes => first_of decodes
      | Or.inr tiled => second_of (test_of_multiple pos tiled))
    (fun _ => rfl)

theorem tiling_of_R {d : Deployment} (pos : 0 < d.bLcm) {s : State} (h : R (rc d) s = true) :
    Tiling d s :=
  have r1235 := both_of h
  have r123 := both_of r1235.1
  have r12 := both_of r123.1
  have r1 := both_of r12.1
  { numbered := Numbered.mk (once_of_distinct r1.2)
      (all_imp (fun _ => count_of_amongst) (all_of_test r1235.2)),
    left := all_imp (fun _ => left_of_test pos) (all_of_test r1.1),
    prompts := all_imp (fun _ => multiple_of_test pos) (all_of_test r12.2),
    shares := all_imp (fun _ => share_of_test pos) (all_of_test r123.2) }

theorem R_of_tiling {d : Deployment} (pos : 0 < d.bLcm) {s : State} (h : Tiling d s) :
    R (rc d) s = true :=
  both (both (both (both (test_of_all (all_imp (fun _ => test_of_left pos) h.left))
    (distinct_of_once h.numbered.once))
    (test_of_all (all_imp (fun _ => test_of_multiple pos) h.prompts)))
    (test_of_all (all_imp (fun _ => test_of_share pos) h.shares)))
    (test_of_all (all_imp (fun _ => amongst_of_count) h.numbered.known))

/-! Whose number is whose. -/

theorem owners_eq (s : State) :
    owners s = chain (numbersOf s.jobs) (List.map (fun a => a.number) s.pending) := join_eq _ _

theorem count_owners (s : State) (n : Nat) :
    count n (owners s) =
      count n (numbersOf s.jobs) + count n (List.map (fun a => a.number) s.pending) := by
  rewrite [owners_eq]
  exact count_chain n _ _

/-- No two jobs of the list have the same number. -/
theorem once_jobs {s : State} (h : Numbered s) : Once (numbersOf s.jobs) :=
  once_of_less (fun n => by
    rewrite [count_owners]
    exact le_plus _ _) h.once

/-- Under R5 and R6, the share of a job that is no decode is a multiple of b_lcm. -/
theorem share_multiple {d : Deployment} {j : Job} : ∀ {batch : List Entry},
    All (fun e => Nat.beq j.number e.number = true →
      j.decoding = true ∨ Multiple d.bLcm e.tokens) batch →
    j.decoding = true ∨ Multiple d.bLcm (shareOf j.number batch)
  | [], _ => Or.inr (multiple_zero d.bLcm)
  | e :: rest, h =>
    cond_keeps (fun share => j.decoding = true ∨ Multiple d.bLcm share)
      (Nat.beq e.number j.number)
      (fun same => h.1 (beq_of_eq (eq_of_beq same).symm))
      (fun _ => share_multiple h.2)

/-- R5 read by job: what a batch gives each. -/
theorem shares_by_job {d : Deployment} {batch : List Entry} : ∀ {jobs : List Job},
    All (ShareOK d jobs) batch →
    All (fun j => j.decoding = true ∨ Multiple d.bLcm (shareOf j.number batch)) jobs
  | [], _ => True.intro
  | _ :: _, h =>
    ⟨share_multiple (all_imp (fun _ two => two.1) h),
      shares_by_job (all_imp (fun _ two => two.2) h)⟩

end Radproof.Proved
