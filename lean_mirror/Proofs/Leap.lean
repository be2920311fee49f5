import Proofs.Outcomes

/-!
# The leap: so many repetitions of an iteration are one stretch

One end, with everybody staying and the same batch starting again, is a stretch of one
(`step_again`); a stretch and one more end are the longer stretch (`stretch_more`). For a scheduler
that fills as RAD does, the batch is the same as long as what is left covers each share
(`leap_share`), and what is left only falls, so that the last end of the stretch answers for those
before it.
-/

namespace Radproof.Proved

/-! The jobs of a stretch. -/

theorem advanced_none {batch : List Entry} {j : Job} (none : shareOf j.number batch = 0) (k : Nat) :
    advanced batch k j = j := by
  cases j with
  | mk number session decoding done =>
    show Job.mk number session decoding (done + shareOf number batch * k) = _
    rewrite [show shareOf number batch = 0 from none, Nat.zero_mul]
    exact rfl

theorem advanced_again (batch : List Entry) (k : Nat) (j : Job) :
    advanced batch 1 (advanced batch k j) = advanced batch (k + 1) j := by
  show Job.mk j.number j.session j.decoding
    ((j.done + shareOf j.number batch * k) + shareOf j.number batch * 1) = _
  rewrite [Nat.mul_one, Nat.add_assoc]
  exact rfl

theorem map_twice (batch : List Entry) (k : Nat) : ∀ (jobs : List Job),
    List.map (advanced batch 1) (List.map (advanced batch k) jobs) =
      List.map (advanced batch (k + 1)) jobs
  | [] => rfl
  | j :: jobs => by
    show advanced batch 1 (advanced batch k j) :: List.map (advanced batch 1) _ =
      advanced batch (k + 1) j :: List.map (advanced batch (k + 1)) jobs
    rewrite [advanced_again, map_twice batch k jobs]
    exact rfl

theorem numbers_advanced (batch : List Entry) (k : Nat) : ∀ (jobs : List Job),
    numbersOf (List.map (advanced batch k) jobs) = numbersOf jobs
  | [] => rfl
  | j :: jobs => congrArg (List.cons j.number) (numbers_advanced batch k jobs)

theorem decodes_advanced (batch : List Entry) (k : Nat) : ∀ (jobs : List Job),
    decodes (List.map (advanced batch k) jobs) = decodes jobs
  | [] => rfl
  | j :: jobs => congrArg (fun n => n + cond j.decoding 1 0) (decodes_advanced batch k jobs)

theorem size_advanced (batch : List Entry) (k : Nat) : ∀ (jobs : List Job),
    size (List.map (advanced batch k) jobs) = size jobs
  | [] => rfl
  | _ :: jobs => congrArg (fun n => n + 1) (size_advanced batch k jobs)

/-! One end: everybody stays, with a share more. -/

/-- A served job has work left after its share. -/
def Stays (c : Config) (batch : List Entry) (j : Job) : Prop :=
  shareOf j.number batch = 0 ∨ 0 < leftOf c (advanced batch 1 j)

/-- The outcome of a job with so many tokens done, by what is left. -/
def outcomeWith (j : Job) (progress : Nat) : Nat → Outcome
  | 0 => finished j
  | _ + 1 => Outcome.stays (Job.mk j.number j.session j.decoding progress)

/-- A job that has work left after its share stays. -/
theorem outcome_more (c : Config) (j : Job) (t u : Nat)
    (more : c.rules.left (phaseTotal j) (c.rules.doneAfter j.done (t + 1)) = u + 1) :
    outcome c j (t + 1) = Outcome.stays
      (Job.mk j.number j.session j.decoding (c.rules.doneAfter j.done (t + 1))) := by
  show force (c.rules.doneAfter j.done (t + 1)) (fun progress =>
    outcomeWith j progress (c.rules.left (phaseTotal j) progress)) = _
  rewrite [force_eq]
  show outcomeWith j (c.rules.doneAfter j.done (t + 1))
    (c.rules.left (phaseTotal j) (c.rules.doneAfter j.done (t + 1))) = _
  rewrite [more]
  exact rfl

theorem outcome_stays {c : Config} (counts : Counts c) {batch : List Entry} {j : Job}
    (h : Stays c batch j) :
    outcome c j (shareOf j.number batch) = Outcome.stays (advanced batch 1 j) := by
  cases share : shareOf j.number batch with
  | zero =>
    rewrite [advanced_none share]
    exact rfl
  | succ t =>
    have done : c.rules.doneAfter j.done (t + 1) = j.done + shareOf j.number batch * 1 := by
      rewrite [counts.2, Nat.mul_one, share]
      exact rfl
    cases h with
    | inl none => exact not_zero (share.symm.trans none)
    | inr work =>
      refine pos_cases work (fun u left => ?_)
      have more : c.rules.left (phaseTotal j) (c.rules.doneAfter j.done (t + 1)) = u + 1 := by
        rewrite [done]
        exact left
      refine (outcome_more c j t u more).trans ?_
      rewrite [done]
      exact rfl

theorem stayers_all {c : Config} (counts : Counts c) {batch : List Entry} : ∀ {jobs : List Job},
    All (Stays c batch) jobs →
    stayers c batch jobs = List.map (advanced batch 1) jobs ∧ rejoiners c batch jobs = [] ∧
      finishers c batch jobs = []
  | [], _ => ⟨rfl, rfl, rfl⟩
  | j :: jobs, h => by
    have rest := stayers_all counts h.2
    refine ⟨?_, ?_, ?_⟩
    · show chain (stayed (outcome c j (shareOf j.number batch))) (stayers c batch jobs) = _
      rewrite [outcome_stays counts h.1, rest.1]
      exact rfl
    · show chain (rejoined (outcome c j (shareOf j.number batch))) (rejoiners c batch jobs) = _
      rewrite [outcome_stays counts h.1, rest.2.1]
      exact rfl
    · show chain (finishing (outcome c j (shareOf j.number batch))) (finishers c batch jobs) = _
      rewrite [outcome_stays counts h.1, rest.2.2]
      exact rfl

/-! One end and one start. -/

/-- The end, where everybody stays. -/
def afterEnd (s : State) (t : Nat) : State :=
  { s with
    now := t,
    jobs := List.map (advanced s.iter 1) s.jobs,
    iter := [],
    iterEnd := none,
    ended := [] }

theorem handle_again {c : Config} (counts : Counts c) {s : State} (t : Nat)
    (once : Once (numbersOf s.jobs)) (stays : All (Stays c s.iter) s.jobs) :
    handle c s (Event.iterationEnd t) = afterEnd s t := by
  have everyone := stayers_all counts stays
  rewrite [handle_end c s t once, everyone.1, everyone.2.1, everyone.2.2, chain_nil]
  exact rfl

theorem map_some {α β : Type} (f : α → β) {a : List α} (some : a ≠ []) : List.map f a ≠ [] := by
  cases a with
  | nil => exact absurd rfl some
  | cons x a => exact fun none => by cases none

/-- The batch that ran starts after the end: a stretch of one. -/
theorem start_again (c : Config) {s : State} (t : Nat) : ∀ {batch : List Entry}, batch = s.iter →
    batch ≠ [] → startBatch c (afterEnd s t) batch = stretch c s t 0
  | [], _, runs => absurd rfl runs
  | e :: rest, same, _ => by
    show startWith c (afterEnd s t) (e :: rest) (tokSum (e :: rest)) =
      startWith c (afterEnd s t) s.iter (tokSum s.iter)
    rewrite [same]
    exact rfl

/-- One end, everybody stays, and the same batch starts again: a stretch of one. -/
theorem step_again {c : Config} (counts : Counts c) {s : State} {t : Nat}
    (once : Once (numbersOf s.jobs)) (resident : s.jobs ≠ []) (runs : s.iter ≠ [])
    (ends : s.iterEnd = some t) (alone : pendingAt t s.pending = false)
    (stays : All (Stays c s.iter) s.jobs)
    (again : batchOf c (List.map (advanced s.iter 1) s.jobs) = s.iter) :
    step c s = stretch c s t 0 := by
  rewrite [step_some c s _ (next_is_end ends alone), handle_again counts t once stays,
    settle_starts c (s := afterEnd s t) (map_some _ resident) rfl alone, start_eq]
  exact start_again c t again (fun none => runs (again.symm.trans none))

/-! Many. -/

/-- A stretch, and one more end: the longer stretch. -/
theorem stretch_more {c : Config} (counts : Counts c) (s : State) (t k : Nat) :
    stretch c (stretch c s t k) (t + lasts c s.iter * k + lasts c s.iter) 0 =
      stretch c s t (k + 1) := by
  have served : c.rules.servedAfter (s.served + tokSum s.iter * k) (tokSum s.iter) =
      s.served + tokSum s.iter * (k + 1) := by
    rewrite [counts.1, Nat.add_assoc]
    exact rfl
  show startWith c
      { stretch c s t k with
        now := t + lasts c s.iter * k + lasts c s.iter,
        jobs := List.map (advanced s.iter 1) (List.map (advanced s.iter (k + 1)) s.jobs),
        iter := [],
        iterEnd := none,
        served := c.rules.servedAfter (s.served + tokSum s.iter * k) (tokSum s.iter),
        ended := [] } s.iter (tokSum s.iter) =
    startWith c
      { s with
        now := t + lasts c s.iter * (k + 1),
        jobs := List.map (advanced s.iter (k + 1 + 1)) s.jobs,
        iter := [],
        iterEnd := none,
        served := s.served + tokSum s.iter * (k + 1),
        ended := [] } s.iter (tokSum s.iter)
  rewrite [map_twice, served, Nat.add_assoc t]
  exact rfl

theorem pending_earlier {t u : Nat} (less : t ≤ u) : ∀ {l : List Arrival},
    pendingAt u l = false → pendingAt t l = false
  | [], _ => rfl
  | a :: _, h => false_of (fun now => by
    have before : Nat.ble a.session.arrive u = false := h
    exact not_both (ble_of_le (le_trans (le_of_ble now) less)) before)

theorem stays_of_test {c : Config} {s : State} {i : Nat}
    (h : List.all s.jobs (fun j => staysFor c s.iter (i + 1) j) = true) :
    All (fun j => Stays c s.iter (advanced s.iter i j)) s.jobs := by
  refine all_imp (fun j test => ?_) (all_of_test h)
  have its : cond (Nat.beq (shareOf j.number s.iter) 0) true
    (Nat.ble 1 (leftOf c (advanced s.iter (i + 1) j))) = true := test
  show shareOf j.number s.iter = 0 ∨ 0 < leftOf c (advanced s.iter 1 (advanced s.iter i j))
  rewrite [advanced_again]
  exact by_test (Nat.beq (shareOf j.number s.iter) 0)
    (fun none => Or.inl (eq_of_beq none))
    (fun served => Or.inr (by
      rewrite [cond_false _ _ served] at its
      exact le_of_ble its))

theorem all_map {α β : Type} {p : β → Prop} {f : α → β} : ∀ {a : List α},
    All (fun x => p (f x)) a → All p (List.map f a)
  | [], _ => True.intro
  | _ :: _, h => ⟨h.1, all_map h.2⟩

theorem leap_affine : Radproof.leap_affine := by
  intro c s t k counts isDistinct resident runs ends
  have once := once_of_distinct isDistinct
  induction k with
  | zero =>
    intro alone each
    have first := each 0 (le_refl 0)
    have stays := stays_of_test first.1
    refine step_again counts once resident runs ends alone (all_imp (fun j its => ?_) stays) first.2
    exact its
  | succ k ih =>
    intro alone each
    have before : t + lasts c s.iter * k ≤ t + lasts c s.iter * (k + 1) :=
      le_add (le_refl t) (le_plus _ _)
    have first := ih (pending_earlier before alone)
      (fun i less => each i (le_trans less (le_plus k 1)))
    have now := each (k + 1) (le_refl (k + 1))
    show step c (steps c (k + 1) s) = stretch c s t (k + 1)
    rewrite [first, ← stretch_more counts]
    refine step_again counts ?_ (map_some _ resident) runs ?_ ?_ ?_ ?_
    · show Once (numbersOf (List.map (advanced s.iter (k + 1)) s.jobs))
      rewrite [numbers_advanced]
      exact once
    · exact rfl
    · rewrite [Nat.add_assoc]
      exact alone
    · exact all_map (stays_of_test now.1)
    · show batchOf c (List.map (advanced s.iter 1) (List.map (advanced s.iter (k + 1)) s.jobs)) =
        s.iter
      rewrite [map_twice]
      exact now.2

/-! The batch stays the same while what is left covers its shares. -/

/-- What `repeatsFor` tests, for a scheduler that fills as RAD does. -/
def Repeats (batch : List Entry) (k : Nat) (j : Job) : Prop :=
  shareOf j.number batch = 0 ∨
  cond j.decoding 1 (shareOf j.number batch) ≤ phaseTotal j - (j.done + shareOf j.number batch * k)

theorem repeats_of_test {c : Config} (fills : FillsAsRad c) {batch : List Entry} {k : Nat}
    {jobs : List Job} (h : List.all jobs (fun j => repeatsFor c batch k j) = true) :
    All (Repeats batch k) jobs := by
  refine all_imp (fun j test => ?_) (all_of_test h)
  have its : cond (Nat.beq (shareOf j.number batch) 0) true
    (Nat.ble (cond j.decoding 1 (shareOf j.number batch))
      (c.rules.left (phaseTotal j) (j.done + shareOf j.number batch * k))) = true := test
  exact by_test (Nat.beq (shareOf j.number batch) 0)
    (fun none => Or.inl (eq_of_beq none))
    (fun served => Or.inr (by
      rewrite [cond_false _ _ served, fills.2.2.2.1] at its
      exact le_of_ble its))

/-- What is left only falls, so the last answers for those before it. -/
theorem repeats_before {batch : List Entry} {i k : Nat} (before : i ≤ k) {j : Job}
    (h : Repeats batch k j) : Repeats batch i j :=
  match h with
  | Or.inl nothing => Or.inl nothing
  | Or.inr covers => Or.inr (le_trans covers
      (minus_less (phaseTotal j) (le_add (le_refl j.done) (le_mul_left _ before))))

/-- Who is served and takes the share again, takes the same. -/
theorem take_again {c : Config} (fills : FillsAsRad c) {batch : List Entry} {k b t : Nat} {j : Job}
    (h : Repeats batch k j) (share : shareOf j.number batch = t + 1)
    (taken : c.rules.take (wantOf c j) b = t + 1) :
    c.rules.take (wantOf c (advanced batch k j)) b = t + 1 := by
  have covers : cond j.decoding 1 (shareOf j.number batch) ≤
      phaseTotal j - (j.done + shareOf j.number batch * k) := match h with
    | Or.inl nothing => not_zero (share.symm.trans nothing)
    | Or.inr covers => covers
  cases j with
  | mk number session decoding done =>
    cases decoding with
    | true =>
      have same : wantOf c (advanced batch k (Job.mk number session true done)) =
          wantOf c (Job.mk number session true done) := by
        show c.rules.want true _ _ = c.rules.want true _ _
        rewrite [fills.2.2.1, fills.2.2.1]
        exact rfl
      rewrite [same]
      exact taken
    | false =>
      have least : shareOf number batch ≤
          session.prompt - (done + shareOf number batch * k) := covers
      have its : shareOf number batch = t + 1 := share
      have was : minimum (minimum (session.prompt - done) c.deployment.chunk) b = t + 1 := by
        have rule : c.rules.take (c.rules.want false (c.rules.left session.prompt done)
          c.deployment) b = t + 1 := taken
        rewrite [fills.2.1, fills.2.2.1, fills.2.2.2.1] at rule
        exact rule
      show c.rules.take (c.rules.want false (c.rules.left session.prompt
        (done + shareOf number batch * k)) c.deployment) b = t + 1
      rewrite [fills.2.1, fills.2.2.1, fills.2.2.2.1]
      show minimum (minimum (session.prompt - (done + shareOf number batch * k))
        c.deployment.chunk) b = t + 1
      rewrite [its] at least
      rewrite [its]
      exact minimum_same (minus_less session.prompt (le_plus done _)) least was

theorem fill_again {c : Config} (fills : FillsAsRad c) (mode : Bool) {batch : List Entry}
    {k : Nat} : ∀ (jobs : List Job) (b : Nat), Once (numbersOf jobs) →
      SameShares (fillIter c mode jobs b) batch jobs → All (Repeats batch k) jobs →
      fillIter c mode (List.map (advanced batch k) jobs) b = fillIter c mode jobs b
  | [], _, _, _, _ => rfl
  | j :: jobs, b, once, shares, again => by
    revert shares
    refine fill_cases c mode j jobs b
      (fun l => SameShares l batch (j :: jobs) →
        fillIter c mode (advanced batch k j :: List.map (advanced batch k) jobs) b = l)
      (fun other shares => ?_) (fun served none shares => ?_) (fun t served taken shares => ?_)
    · have rest := fill_again fills mode jobs b (once_rest once) shares.2 again.2
      refine fill_cases c mode (advanced batch k j) (List.map (advanced batch k) jobs) b
        (fun l => l = fillIter c mode jobs b) (fun _ => rest) (fun s _ => not_both s other)
        (fun _ s _ => not_both s other)
    · have nothing : shareOf j.number batch = 0 := shares.1.symm
      rewrite [advanced_none nothing]
      refine fill_cases c mode j (List.map (advanced batch k) jobs) b (fun l => l = [])
        (fun other => not_both served other) (fun _ _ => rfl)
        (fun t _ taken => not_zero (taken.symm.trans none))
    · have share : shareOf j.number batch = t + 1 := by
        have its : cond (Nat.beq j.number j.number) (t + 1) _ = shareOf j.number batch := shares.1
        exact its.symm.trans (cond_true _ _ (beq_refl j.number))
      have behind := same_behind (j := j) (e := Entry.mk j.number j.decoding (t + 1))
        (rest := fillIter c mode jobs (b - (t + 1))) rfl (others_of_once once)
      have rest := fill_again fills mode jobs (b - (t + 1)) (once_rest once)
        (all_imp (fun _ two => two.1.trans two.2) (all_both behind shares.2)) again.2
      have takes := take_again fills again.1 share taken
      refine fill_cases c mode (advanced batch k j) (List.map (advanced batch k) jobs) b
        (fun l => l = Entry.mk j.number j.decoding (t + 1) :: fillIter c mode jobs (b - (t + 1)))
        (fun other => not_both served other)
        (fun _ none => not_zero (takes.symm.trans none)) (fun u _ more => ?_)
      rewrite [show u = t from plus_one_inj (more.symm.trans takes), rest]
      exact rfl

/-- The batch in the mode that the list has. -/
theorem batch_in {c : Config} {jobs : List Job} {mode : Bool} (h : decodeMode c jobs = mode) :
    batchOf c jobs = batchIn c mode jobs := by
  show (match decodeMode c jobs with
    | true => batchIn c true jobs
    | false => batchIn c false jobs) = batchIn c mode jobs
  rewrite [h]
  cases mode with
  | true => exact rfl
  | false => exact rfl

theorem mode_again (c : Config) (batch : List Entry) (k : Nat) (jobs : List Job) :
    decodeMode c (List.map (advanced batch k) jobs) = decodeMode c jobs := by
  show c.rules.decodeMode (decodes (List.map (advanced batch k) jobs))
    (size (List.map (advanced batch k) jobs)) c.deployment = _
  rewrite [decodes_advanced, size_advanced]
  exact rfl

theorem same_as_itself (batch : List Entry) (jobs : List Job) : SameShares batch batch jobs :=
  all_of_any (fun _ => rfl) jobs

theorem batch_again {c : Config} (fills : FillsAsRad c) {jobs : List Job} {k : Nat}
    (once : Once (numbersOf jobs)) (again : All (Repeats (batchOf c jobs) k) jobs) :
    batchOf c (List.map (advanced (batchOf c jobs) k) jobs) = batchOf c jobs := by
  refine (batch_in (mode_again c (batchOf c jobs) k jobs)).trans ?_
  have filled : batchOf c jobs = fillIter c (decodeMode c jobs) jobs
      (c.rules.budget (decodeMode c jobs) c.deployment) := by
    refine (batch_in rfl).trans ?_
    show fillIter c _ (c.rules.order jobs) _ = _
    rewrite [fills.1]
    exact rfl
  show fillIter c _ (c.rules.order (List.map (advanced (batchOf c jobs) k) jobs)) _ = _
  rewrite [fills.1]
  refine (fill_again fills _ jobs _ once ?_ again).trans filled.symm
  rewrite [← filled]
  exact same_as_itself _ jobs

theorem leap_share : Radproof.leap_share := by
  intro c jobs k fills isDistinct again
  exact batch_again fills (once_of_distinct isDistinct) (repeats_of_test fills again)

/-! The leap. -/

theorem stays_of_repeats {c : Config} (fills : FillsAsRad c) {batch : List Entry} {k : Nat}
    {jobs : List Job} (h : All (Repeats batch k) jobs) :
    List.all jobs (fun j => staysFor c batch k j) = true := by
  refine test_of_all (all_imp (fun j its => ?_) h)
  show cond (Nat.beq (shareOf j.number batch) 0) true
    (Nat.ble 1 (c.rules.left (phaseTotal j) (j.done + shareOf j.number batch * k))) = true
  rewrite [fills.2.2.2.1]
  refine cond_keeps (fun b => b = true) (Nat.beq (shareOf j.number batch) 0) (fun _ => rfl)
    (fun served => ?_)
  cases its with
  | inl none => exact not_both (beq_of_eq none) served
  | inr covers =>
    refine ble_of_le (le_trans (cond_keeps (fun n => 1 ≤ n) j.decoding (fun _ => le_refl 1)
      (fun _ => ?_)) covers)
    cases share : shareOf j.number batch with
    | zero => exact not_both (beq_of_eq share) served
    | succ t => exact le_plus_one (zero_le t)

theorem leap : Radproof.leap := by
  intro c s t k fills isDistinct runs ends formed alone again
  have once := once_of_distinct isDistinct
  have repeated := repeats_of_test fills again
  have resident : s.jobs ≠ [] := fun none => by
    rewrite [none] at formed
    have nothing : batchOf c [] = [] := by
      refine (batch_in rfl).trans ?_
      show fillIter c _ (c.rules.order []) _ = _
      rewrite [fills.1]
      exact rfl
    exact runs (formed.symm.trans nothing)
  refine leap_affine c s t k fills.2.2.2.2 isDistinct resident runs ends alone (fun i within => ?_)
  have before := all_imp (fun _ its => repeats_before (le_plus_one within) its) repeated
  refine ⟨stays_of_repeats fills before, ?_⟩
  rewrite [← formed] at before
  rewrite [← formed]
  exact batch_again fills once before

/-! For example: a prompt of 1,000 tiles beside a decode, and a session that comes later. Each
hypothesis is computed once, however many iterations the stretch has. -/

def tileOf128 : Deployment :=
  { bCol := 128, bRow := 1, bRed := 1, bLcm := 128, tLin := 4000, tNl := 5, chunk := 128 }

def longPrompt : State :=
  { now := 0,
    pending := [Arrival.mk 2 (Session.mk 5000000 128 1)],
    jobs := [Job.mk 0 (Session.mk 0 0 9) true 0, Job.mk 1 (Session.mk 0 128000 1) false 0],
    iter := [Entry.mk 1 false 128],
    iterEnd := some 4640,
    served := 128,
    last := none,
    ended := [] }

/-- The shares that leave a tile for the batch that runs at the end: 999 events are one stretch. -/
theorem leap_of_a_prompt :
    steps (rc tileOf128) 999 longPrompt = stretch (rc tileOf128) longPrompt 4640 998 :=
  leap (rc tileOf128) longPrompt 4640 998
    ⟨fun _ => rfl, fun _ _ => rfl, fun _ _ _ => rfl, fun _ _ => rfl, fun _ _ => rfl, fun _ _ => rfl⟩
    rfl (fun h => by cases h) rfl rfl rfl rfl

theorem leap_comes_to :
    stretch (rc tileOf128) longPrompt 4640 998 =
      { now := 4635360,
        pending := [Arrival.mk 2 (Session.mk 5000000 128 1)],
        jobs := [Job.mk 0 (Session.mk 0 0 9) true 0, Job.mk 1 (Session.mk 0 128000 1) false 127872],
        iter := [Entry.mk 1 false 128],
        iterEnd := some 4640000,
        served := 128000,
        last := some
          { start := 4635360, stop := 4640000, served := 127872, tokens := 128, prefilled := 128,
            decoders := 0, decoding := 1, residents := 2, demand := 129 },
        ended := [] } := rfl

/-- One repetition more, and the prompt is done: the test refuses it. -/
theorem leap_ends_there :
    List.all longPrompt.jobs (fun j => repeatsFor (rc tileOf128) longPrompt.iter 1000 j) = false :=
  rfl

end Radproof.Proved
