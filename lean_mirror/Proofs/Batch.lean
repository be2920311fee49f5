import Proofs.Invariant

/-!
# RAD's batch under R: it fills its tile, or every resident decodes

In Decode Mode each decode takes one token, so the batch has b_col tokens, or all the decodes there
are; and then Decode Mode had been chosen because all decode. In Prefill Mode the first prompt has
b_lcm tokens left or more (R1), and takes all of the budget. The claim `optimal_tiling` follows of
every iteration that starts from R.
-/

namespace Radproof.Proved

theorem serves_rad : Radproof.serves_rad := by
  intro d mode j
  show same mode j.decoding = true ↔ _
  cases mode with
  | true => cases j.decoding with
    | true => exact ⟨fun _ => ⟨fun _ => rfl, fun h => no_way h.symm⟩, fun _ => rfl⟩
    | false => exact ⟨fun h => no_way h, fun h => no_way (h.1 rfl)⟩
  | false => cases j.decoding with
    | true => exact ⟨fun h => no_way h, fun h => no_way (h.2 rfl).symm⟩
    | false => exact ⟨fun _ => ⟨fun h => no_way h, fun _ => rfl⟩, fun _ => rfl⟩

/-- The decodes of a batch. -/
def decoders (batch : List Entry) : Nat := total (fun e => cond e.decoding 1 0) batch

/-! Decode Mode. -/

theorem fill_decode (d : Deployment) (n : Nat) (s : Session) (done : Nat) (jobs : List Job)
    (b : Nat) :
    fillIter (rc d) true (Job.mk n s true done :: jobs) (b + 1) =
      Entry.mk n true 1 :: fillIter (rc d) true jobs b := by
  have takes : (rc d).rules.take (wantOf (rc d) (Job.mk n s true done)) (b + 1) = 1 :=
    minimum_left (le_plus_left 1 b)
  refine fill_cases (rc d) true (Job.mk n s true done) jobs (b + 1)
    (fun l => l = Entry.mk n true 1 :: fillIter (rc d) true jobs b) (fun other => ?_)
    (fun _ none => not_zero (takes.symm.trans none)) (fun t _ taken => ?_)
  · have served : true = false := other
    exact no_way served.symm
  · rewrite [show t = 0 from plus_one_inj (taken.symm.trans takes)]
    exact rfl

/-- One token for each decode: the budget is used up, or all decodes are served. -/
theorem decode_batch (d : Deployment) : ∀ (jobs : List Job) (b : Nat),
    (b ≤ decodes jobs → tokSum (fillIter (rc d) true jobs b) = b) ∧
    (decodes jobs ≤ b → decoders (fillIter (rc d) true jobs b) = decodes jobs)
  | [], _ => ⟨fun h => (zero_of_le h).symm, fun _ => rfl⟩
  | Job.mk _ _ false _ :: jobs, b => decode_batch d jobs b
  | Job.mk n s true done :: jobs, 0 => by
    rewrite [fillAmounts_zero]
    exact ⟨fun _ => rfl, fun h => not_less_zero h⟩
  | Job.mk n s true done :: jobs, b + 1 => by
    rewrite [fill_decode]
    have rest := decode_batch d jobs b
    exact ⟨fun h => congrArg (fun x => x + 1) (rest.1 (le_of_plus_one h)),
      fun h => congrArg (fun x => x + 1) (rest.2 (le_of_plus_one h))⟩

/-- Whose number's entries are of another phase gets nothing. -/
theorem share_other_phase {j : Job} : ∀ {batch : List Entry},
    All (fun e => Nat.beq j.number e.number = true → j.decoding = e.decoding) batch →
    All (fun e => e.decoding = true) batch → j.decoding = false → shareOf j.number batch = 0
  | [], _, _, _ => rfl
  | e :: batch, owned, phase, prompt => by
    refine (cond_false _ _ (false_of (fun same => ?_))).trans
      (share_other_phase owned.2 phase.2 prompt)
    have its := owned.1 (beq_of_eq (eq_of_beq same).symm)
    rewrite [prompt, phase.1] at its
    exact no_way its

/-- `Owned`, by job. -/
theorem owned_by_job {batch : List Entry} : ∀ {jobs : List Job}, All (Owned jobs) batch →
    All (fun j => All (fun e => Nat.beq j.number e.number = true → j.decoding = e.decoding) batch)
      jobs
  | [], _ => True.intro
  | _ :: _, h => ⟨all_imp (fun _ two => two.1) h, owned_by_job (all_imp (fun _ two => two.2) h)⟩

theorem decode_entries (d : Deployment) (jobs : List Job) (b : Nat) :
    All (fun e => e.decoding = true) (fillIter (rc d) true jobs b) :=
  all_imp (fun e served =>
    ((serves_rad d true (Job.mk 0 (Session.mk 0 0 0) e.decoding 0)).1 served).1 rfl)
    (fill_serves (rc d) true jobs b)

/-- In Decode Mode prompts get nothing. -/
theorem decode_shares (d : Deployment) {jobs : List Job} (b : Nat) (once : Once (numbersOf jobs)) :
    All (fun j => j.decoding = false → shareOf j.number (fillIter (rc d) true jobs b) = 0) jobs :=
  all_imp (fun _ owned => share_other_phase owned (decode_entries d jobs b))
    (owned_by_job (fill_owned (rc d) true jobs b once))

/-! Prefill Mode. -/

/-- The first prompt takes all of the budget, and is alone in the batch. -/
theorem fill_prompt {d : Deployment} (wide : Wide d) (n : Nat) (s : Session) (done : Nat)
    (jobs : List Job) (left : LeftOK d (Job.mk n s false done)) :
    fillIter (rc d) false (Job.mk n s false done :: jobs) d.bLcm = [Entry.mk n false d.bLcm] := by
  have enough : d.bLcm ≤ s.prompt - done := match left.2 with
    | Or.inl decodes => no_way decodes
    | Or.inr tiled => multiple_ge tiled left.1
  have wants : d.bLcm ≤ wantOf (rc d) (Job.mk n s false done) :=
    cond_keeps (fun w => d.bLcm ≤ w) (Nat.ble (s.prompt - done) d.chunk)
      (fun _ => enough) (fun _ => wide.2.2.2)
  have takes : (rc d).rules.take (wantOf (rc d) (Job.mk n s false done)) d.bLcm = d.bLcm :=
    minimum_right wants
  refine fill_cases (rc d) false (Job.mk n s false done) jobs d.bLcm
    (fun l => l = [Entry.mk n false d.bLcm]) (fun other => ?_) (fun _ none => ?_)
    (fun t _ taken => ?_)
  · have served : true = false := other
    exact no_way served.symm
  · have pos := wide.2.1
    rewrite [takes.symm.trans none] at pos
    exact not_less_zero pos
  · have whole : d.bLcm = t + 1 := takes.symm.trans taken
    rewrite [← whole, minus_zero (le_refl d.bLcm), fillAmounts_zero]
    exact rfl

/-- Where not all decode, the batch of Prefill Mode is b_lcm tokens of the first prompt. -/
theorem prefill_batch {d : Deployment} (wide : Wide d) : ∀ (jobs : List Job),
    All (LeftOK d) jobs → Nat.beq (decodes jobs) (size jobs) = false →
    ∃ n, fillIter (rc d) false jobs d.bLcm = [Entry.mk n false d.bLcm]
  | [], _, h => no_way h.symm
  | Job.mk _ _ true _ :: jobs, left, h => prefill_batch wide jobs left.2 h
  | Job.mk n s false done :: jobs, left, _ => ⟨n, fill_prompt wide n s done jobs left.1⟩

/-! Which of the two. -/

/-- What holds of either mode's fill holds of RAD's batch. -/
theorem batch_keeps (d : Deployment) (jobs : List Job) (p : List Entry → Prop)
    (decode : decodeMode (rc d) jobs = true → p (fillIter (rc d) true jobs d.bCol))
    (prefill : decodeMode (rc d) jobs = false → p (fillIter (rc d) false jobs d.bLcm)) :
    p (batchOf (rc d) jobs) := by
  show p (match decodeMode (rc d) jobs with
    | true => fillIter (rc d) true jobs d.bCol
    | false => fillIter (rc d) false jobs d.bLcm)
  cases mode : decodeMode (rc d) jobs with
  | true => exact decode mode
  | false => exact prefill mode

/-- Decode Mode: the decodes fill the tile, or all decode. -/
theorem decode_mode {d : Deployment} {jobs : List Job} (h : decodeMode (rc d) jobs = true) :
    d.bCol ≤ decodes jobs ∨ decodes jobs = size jobs :=
  match either_of (a := Nat.ble d.bCol (decodes jobs)) h with
  | Or.inl full => Or.inl (le_of_ble full)
  | Or.inr whole => Or.inr (eq_of_beq whole)

/-- Prefill Mode: fewer decodes than a tile, and not all decode. -/
theorem prefill_mode {d : Deployment} {jobs : List Job} (h : decodeMode (rc d) jobs = false) :
    decodes jobs + 1 ≤ d.bCol ∧ Nat.beq (decodes jobs) (size jobs) = false :=
  have two := neither_of (a := Nat.ble d.bCol (decodes jobs)) h
  ⟨less_of_not_ble two.1, two.2⟩

theorem batch_known (d : Deployment) (jobs : List Job) :
    All (Known jobs) (batchOf (rc d) jobs) :=
  batch_keeps d jobs (All (Known jobs)) (fun _ => fill_known _ _ _ _) (fun _ => fill_known _ _ _ _)

theorem numbered_start (d : Deployment) (s : State) (h : Numbered s) :
    Numbered (startIteration (rc d) s) := by
  have known := batch_known d s.jobs
  rewrite [start_eq]
  cases batch : batchOf (rc d) s.jobs with
  | nil => exact h
  | cons e rest =>
    rewrite [batch] at known
    exact Numbered.mk h.once known

theorem batch_pos (d : Deployment) (jobs : List Job) :
    All (fun e => 0 < e.tokens) (batchOf (rc d) jobs) :=
  batch_keeps d jobs (All (fun e => 0 < e.tokens)) (fun _ => fill_pos _ _ _ _)
    (fun _ => fill_pos _ _ _ _)

/-- R5 of the batch: in Decode Mode owners decode, in Prefill Mode the entry is b_lcm. -/
theorem batch_shares {d : Deployment} (wide : Wide d) {jobs : List Job}
    (left : All (LeftOK d) jobs) (once : Once (numbersOf jobs)) :
    All (ShareOK d jobs) (batchOf (rc d) jobs) :=
  batch_keeps d jobs (All (ShareOK d jobs))
    (fun _ => all_imp
      (fun e two => all_imp (fun j phase its => Or.inl ((phase its).trans
        (((serves_rad d true (Job.mk 0 (Session.mk 0 0 0) e.decoding 0)).1 two.2).1 rfl))) two.1)
      (all_both (fill_owned (rc d) true jobs d.bCol once) (fill_serves (rc d) true jobs d.bCol)))
    (fun mode => match prefill_batch wide jobs left (prefill_mode mode).2 with
      | ⟨n, batch⟩ => by
        rewrite [batch]
        exact ⟨all_of_any (fun _ _ => Or.inr (multiple_self d.bLcm)) jobs, True.intro⟩)

/-- The batch fills its tile, or every resident decodes. -/
theorem batch_full {d : Deployment} (wide : Wide d) {jobs : List Job}
    (left : All (LeftOK d) jobs) :
    (tokSum (batchOf (rc d) jobs) = d.bCol ∨ tokSum (batchOf (rc d) jobs) = d.bLcm) ∨
      decoders (batchOf (rc d) jobs) = size jobs :=
  batch_keeps d jobs
    (fun l => (tokSum l = d.bCol ∨ tokSum l = d.bLcm) ∨ decoders l = size jobs)
    (fun mode => by_test (Nat.ble d.bCol (decodes jobs))
      (fun full => Or.inl (Or.inl ((decode_batch d jobs d.bCol).1 (le_of_ble full))))
      (fun few => match decode_mode mode with
        | Or.inl full => not_both (ble_of_le full) few
        | Or.inr whole => Or.inr (((decode_batch d jobs d.bCol).2
            (le_of_less (less_of_not_ble few))).trans whole)))
    (fun mode => match prefill_batch wide jobs left (prefill_mode mode).2 with
      | ⟨n, batch⟩ => by
        rewrite [batch]
        exact Or.inl (Or.inr (Nat.zero_add d.bLcm)))

theorem rad_batch : Radproof.rad_batch := by
  intro d s wide inv _
  have tiling := tiling_of_R wide.2.1 inv
  exact ⟨test_of_all (all_imp (fun _ => test_of_share wide.2.1)
    (batch_shares wide tiling.left (once_jobs tiling.numbered))), batch_full wide tiling.left⟩

/-- With a job resident, the batch has an entry. -/
theorem batch_some {d : Deployment} (wide : Wide d) {jobs : List Job} (left : All (LeftOK d) jobs)
    (some : jobs ≠ []) : batchOf (rc d) jobs ≠ [] := by
  intro empty
  have full := batch_full wide left
  rewrite [empty] at full
  have none : ∀ {n : Nat}, 0 < n → 0 = n → False := fun pos zero => by
    rewrite [← zero] at pos
    exact not_less_zero pos
  cases full with
  | inl tiles => cases tiles with
    | inl col => exact none wide.1 col
    | inr lcm => exact none wide.2.1 lcm
  | inr decode => cases jobs with
    | nil => exact some rfl
    | cons j jobs => exact none (le_plus_one (zero_le (size jobs))) decode

theorem nonempty_batch : Radproof.nonempty_batch := by
  intro d j jobs wide inv
  have left := (tiling_of_R wide.2.1 inv).left
  have pos := batch_pos d (j :: jobs)
  have some := batch_some wide left (fun h => by cases h)
  cases batch : batchOf (rc d) (j :: jobs) with
  | nil => exact absurd batch some
  | cons e rest =>
    rewrite [batch] at pos
    show 1 ≤ tokSum rest + e.tokens
    exact le_trans pos.1 (le_plus_left _ _)

end Radproof.Proved
