import Proofs.Lists

/-!
# The step taken apart: an invariant is kept by an event and by the start of an iteration

`step_keeps` and `reach_keeps` are serQ's `every_iteration_of` in its five obligations: an
invariant holds before time 0's iteration starts, every event keeps it, every start keeps it; so
each state that is reached has it. Nothing else in these files opens `step`, `nextEvent` or
`start`.
-/

namespace Radproof.Proved

/-- The schema as the mirror states it (Exec.lean: every_iteration_of). -/
theorem every_iteration_of : Radproof.every_iteration_of := by
  intro c family inv claim starts steps gives path s inside reached
  have holds : inv s := by
    induction reached with
    | start => exact starts path inside
    | step s _ ih => exact steps s ih
  exact gives s holds

/-! The step without its working out. -/

theorem workedOut_eq (s : State) : workedOut s = s := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    show (match join jobs [] with
      | [] => State.mk now pending [] iter iterEnd served last ended
      | j :: rest => State.mk now pending (j :: rest) iter iterEnd served last ended) = _
    rewrite [join_nil]
    cases jobs with
    | nil => exact rfl
    | cons j rest => exact rfl

/-- What follows an event: with no job, nothing; else an iteration may start. -/
def settle (c : Config) (s : State) : State :=
  match s with
  | State.mk now pending [] iter iterEnd served last ended =>
    State.mk now pending [] iter iterEnd served last ended
  | State.mk now pending (j :: rest) iter iterEnd served last ended =>
    afterEvent c (State.mk now pending (j :: rest) iter iterEnd served last ended)

/-- `step`, by what the next event is. -/
def stepOn (c : Config) (s : State) : Option Event → State
  | none => s
  | some e =>
    match handle c (workedOut s) e with
    | State.mk now pending jobs iter iterEnd served last ended =>
      match join jobs [] with
      | [] => State.mk now pending [] iter iterEnd served last ended
      | j :: rest => afterEvent c (State.mk now pending (j :: rest) iter iterEnd served last ended)

theorem step_eq (c : Config) (s : State) : step c s = stepOn c s (nextEvent s) := rfl

theorem step_none (c : Config) (s : State) (h : nextEvent s = none) : step c s = s := by
  rewrite [step_eq, h]
  exact rfl

theorem step_some (c : Config) (s : State) (e : Event) (h : nextEvent s = some e) :
    step c s = settle c (handle c s e) := by
  rewrite [step_eq, h]
  show (match handle c (workedOut s) e with
      | State.mk now pending jobs iter iterEnd served last ended =>
        match join jobs [] with
        | [] => State.mk now pending [] iter iterEnd served last ended
        | j :: rest =>
          afterEvent c (State.mk now pending (j :: rest) iter iterEnd served last ended)) = _
  rewrite [workedOut_eq]
  cases handle c s e with
  | mk now pending jobs iter iterEnd served last ended =>
    show (match join jobs [] with
      | [] => State.mk now pending [] iter iterEnd served last ended
      | j :: rest =>
        afterEvent c (State.mk now pending (j :: rest) iter iterEnd served last ended)) = _
    rewrite [join_nil]
    cases jobs with
    | nil => exact rfl
    | cons j rest => exact rfl

/-! What may start. -/

/-- After an event the state is as it was, or an iteration starts. -/
theorem afterEvent_keeps (c : Config) (p : State → Prop) (s : State) (h : p s)
    (starts : s.iterEnd = none → p (startIteration c s)) : p (afterEvent c s) := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    cases iterEnd with
    | some t => exact h
    | none => exact cond_keeps p (pendingAt now pending) (fun _ => h) (fun _ => starts rfl)

theorem settle_keeps (c : Config) (p : State → Prop) (s : State) (h : p s)
    (starts : s.iterEnd = none → p (startIteration c s)) : p (settle c s) := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    cases jobs with
    | nil => exact h
    | cons j rest => exact afterEvent_keeps c p _ h starts

/-- Where nothing runs and nobody comes now, an iteration starts. -/
theorem settle_starts (c : Config) {s : State} (some : s.jobs ≠ []) (idle : s.iterEnd = none)
    (alone : pendingAt s.now s.pending = false) : settle c s = startIteration c s := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    have its : iterEnd = none := idle
    rewrite [its]
    cases jobs with
    | nil => exact absurd rfl some
    | cons j jobs => exact cond_false _ _ alone

/-- The state with a batch, once it starts; with an empty batch nothing starts. -/
def startBatch (c : Config) (s : State) : List Entry → State
  | [] => s
  | e :: rest => startWith c s (e :: rest) (tokSum (e :: rest))

theorem start_eq (c : Config) (s : State) :
    startIteration c s = startBatch c s (batchOf c s.jobs) := by
  have same : startIteration c s = startBatch c s (join (batchOf c s.jobs) []) := by
    show (match join (batchOf c s.jobs) [] with
      | [] => s
      | e :: rest => startWith c s (e :: rest) (tokSum (e :: rest))) = _
    cases join (batchOf c s.jobs) [] with
    | nil => exact rfl
    | cons e rest => exact rfl
  rewrite [join_nil] at same
  exact same

/-! The next event. -/

/-- Whoever comes next comes no earlier. -/
def NotBefore (t : Nat) : List Arrival → Prop
  | [] => True
  | a :: _ => t ≤ a.session.arrive

/-- An arrival comes next: it is the first to come, and no iteration ends before it. -/
theorem next_arrival {s : State} {a : Arrival} {later : List Arrival}
    (h : nextEvent s = some (Event.arrival a later)) :
    s.pending = a :: later ∧ ∀ t, s.iterEnd = some t → a.session.arrive ≤ t := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    cases pending with
    | nil => cases iterEnd with
      | none => cases h
      | some t => cases h
    | cons b rest => cases iterEnd with
      | none =>
        cases h
        exact ⟨rfl, fun t g => by cases g⟩
      | some u =>
        have test : cond (Nat.ble b.session.arrive u) (some (Event.arrival b rest))
          (some (Event.iterationEnd u)) = some (Event.arrival a later) := h
        exact by_test (Nat.ble b.session.arrive u)
          (fun hb => by
            rewrite [cond_true _ _ hb] at test
            cases test
            exact ⟨rfl, fun t g => by
              cases g
              exact le_of_ble hb⟩)
          (fun hb => by
            rewrite [cond_false _ _ hb] at test
            cases test)

/-- The end of an iteration comes next: whoever is still to come, comes later. -/
theorem next_end {s : State} {t : Nat} (h : nextEvent s = some (Event.iterationEnd t)) :
    s.iterEnd = some t ∧ NotBefore t s.pending := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    cases pending with
    | nil => cases iterEnd with
      | none => cases h
      | some u =>
        cases h
        exact ⟨rfl, True.intro⟩
    | cons b rest => cases iterEnd with
      | none => cases h
      | some u =>
        have test : cond (Nat.ble b.session.arrive u) (some (Event.arrival b rest))
          (some (Event.iterationEnd u)) = some (Event.iterationEnd t) := h
        exact by_test (Nat.ble b.session.arrive u)
          (fun hb => by
            rewrite [cond_true _ _ hb] at test
            cases test)
          (fun hb => by
            rewrite [cond_false _ _ hb] at test
            cases test
            exact ⟨rfl, le_of_less (less_of_not_ble hb)⟩)

/-- The end comes next where whoever is to come, comes later. -/
theorem next_is_end {s : State} {t : Nat} (ends : s.iterEnd = some t)
    (alone : pendingAt t s.pending = false) : nextEvent s = some (Event.iterationEnd t) := by
  cases s with
  | mk now pending jobs iter iterEnd served last ended =>
    have its : iterEnd = some t := ends
    rewrite [its]
    cases pending with
    | nil => exact rfl
    | cons a later => exact cond_false (some (Event.arrival a later)) _ alone

/-! The obligations of an invariant. -/

/-- Every event keeps it, every start keeps it: a step keeps it. -/
theorem step_keeps (c : Config) (p : State → Prop) (s : State) (h : p s)
    (handles : ∀ e, nextEvent s = some e → p (handle c s e))
    (starts : ∀ s, s.iterEnd = none → p s → p (startIteration c s)) : p (step c s) := by
  cases next : nextEvent s with
  | none =>
    rewrite [step_none c s next]
    exact h
  | some e =>
    rewrite [step_some c s e next]
    exact settle_keeps c p _ (handles e next) (fun idle => starts _ idle (handles e next))

/-- Time 0 with what arrives then, before an iteration starts. -/
def initially (path : List Session) : State :=
  { now := 0,
    pending := afterZero (inOrder (numbered 0 path)),
    jobs := admitted (atZero (inOrder (numbered 0 path))),
    iter := [],
    iterEnd := none,
    served := 0,
    last := none,
    ended := endingAtOnce (atZero (inOrder (numbered 0 path))) }

theorem start_keeps (c : Config) (p : State → Prop) (path : List Session) (h : p (initially path))
    (starts : ∀ s, s.iterEnd = none → p s → p (startIteration c s)) : p (start c path) :=
  afterEvent_keeps c p (initially path) h (fun idle => starts _ idle h)

theorem reach_keeps (c : Config) (p : State → Prop) (path : List Session)
    (initial : p (start c path)) (steps : ∀ s, p s → p (step c s)) (s : State)
    (reached : Reach c path s) : p s := by
  induction reached with
  | start => exact initial
  | step s _ ih => exact steps s ih

/-! The end of an iteration. -/

/-- The job that stays, if the outcome says so. -/
def stayed : Outcome → List Job
  | Outcome.stays j => [j]
  | Outcome.rejoins _ => []
  | Outcome.finishes _ => []

/-- The job that rejoins, if the outcome says so. -/
def rejoined : Outcome → List Job
  | Outcome.stays _ => []
  | Outcome.rejoins j => [j]
  | Outcome.finishes _ => []

/-- The session that ends, if the outcome says so. -/
def finishing : Outcome → List Nat
  | Outcome.stays _ => []
  | Outcome.rejoins _ => []
  | Outcome.finishes n => [n]

theorem place_eq (o : Outcome) (goOn : List Job → List Job → List Nat → State)
    (stay rejoin : List Job) (ended : List Nat) :
    place o goOn stay rejoin ended =
      goOn (turnOnto (stayed o) stay) (turnOnto (rejoined o) rejoin)
        (turnOnto (finishing o) ended) := by
  cases o with
  | stays j => exact rfl
  | rejoins j => exact rfl
  | finishes n => exact rfl

/-- Whom the end of this batch lets stay, in order. -/
def stayers (c : Config) (batch : List Entry) : List Job → List Job
  | [] => []
  | j :: jobs => chain (stayed (outcome c j (shareOf j.number batch))) (stayers c batch jobs)

/-- Whom it lets rejoin as a decode, in order. -/
def rejoiners (c : Config) (batch : List Entry) : List Job → List Job
  | [] => []
  | j :: jobs => chain (rejoined (outcome c j (shareOf j.number batch))) (rejoiners c batch jobs)

/-- Whose session it ends, in order. -/
def finishers (c : Config) (batch : List Entry) : List Job → List Nat
  | [] => []
  | j :: jobs => chain (finishing (outcome c j (shareOf j.number batch))) (finishers c batch jobs)

/-- The state after the end of an iteration, once it is known who stays, rejoins and ends. -/
def endWith (s : State) (t : Nat) (stay rejoin : List Job) (ended : List Nat) : State :=
  { s with
    now := t,
    jobs := turnOnto stay (turnOnto rejoin []),
    iter := [],
    iterEnd := none,
    ended := turnOnto ended [] }

/-- Two batches that give each job the same share. -/
def SameShares (one other : List Entry) : List Job → Prop :=
  All (fun j => shareOf j.number one = shareOf j.number other)

theorem same_shares (c : Config) {one other : List Entry} :
    ∀ {jobs : List Job}, SameShares one other jobs →
      stayers c one jobs = stayers c other jobs ∧ rejoiners c one jobs = rejoiners c other jobs ∧
      finishers c one jobs = finishers c other jobs
  | [], _ => ⟨rfl, rfl, rfl⟩
  | j :: jobs, h => by
    have rest := same_shares c h.2
    refine ⟨?_, ?_, ?_⟩
    · show chain (stayed (outcome c j (shareOf j.number one))) (stayers c one jobs) = _
      rewrite [h.1, rest.1]
      exact rfl
    · show chain (rejoined (outcome c j (shareOf j.number one))) (rejoiners c one jobs) = _
      rewrite [h.1, rest.2.1]
      exact rfl
    · show chain (finishing (outcome c j (shareOf j.number one))) (finishers c one jobs) = _
      rewrite [h.1, rest.2.2]
      exact rfl

/-- Only the share of this number goes when its entry does. -/
theorem share_without {n m : Nat} (h : Nat.beq m n = false) :
    ∀ (batch : List Entry), shareOf n (without m batch) = shareOf n batch
  | [] => rfl
  | e :: rest =>
    cond_keeps (fun l => shareOf n l = cond (Nat.beq e.number n) e.tokens (shareOf n rest))
      (Nat.beq e.number m)
      (fun same => by
        rewrite [eq_of_beq same]
        exact (cond_false _ _ h).symm)
      (fun _ => by
        show cond (Nat.beq e.number n) e.tokens (shareOf n (without m rest)) = _
        rewrite [share_without h rest]
        exact rfl)

/-- The entry of a job in front says nothing of the others. -/
theorem same_behind {j : Job} {e : Entry} {rest : List Entry} (its : e.number = j.number)
    {jobs : List Job} (others : All (fun k => Nat.beq k.number j.number = false) jobs) :
    SameShares rest (e :: rest) jobs := by
  refine all_imp (fun k other => ?_) others
  show shareOf k.number rest = cond (Nat.beq e.number k.number) e.tokens (shareOf k.number rest)
  rewrite [its]
  exact (cond_false _ _ (beq_comm other)).symm

/-- The walk through the list and the batch comes to each job's own share. -/
theorem end_eq (c : Config) (s : State) (t : Nat) :
    ∀ (jobs : List Job) (batch : List Entry) (stay rejoin : List Job) (ended : List Nat),
      Once (numbersOf jobs) →
      endIteration c s t jobs batch stay rejoin ended =
        endWith s t (turnOnto (stayers c batch jobs) stay)
          (turnOnto (rejoiners c batch jobs) rejoin) (turnOnto (finishers c batch jobs) ended)
  | [], _, _, _, _, _ => rfl
  | j :: jobs, [], stay, rejoin, ended, once =>
    end_eq c s t jobs [] (j :: stay) rejoin ended (once_rest once)
  | j :: jobs, e :: more, stay, rejoin, ended, once => by
    have others := others_of_once once
    -- whatever the batch goes on as, if it gives the rest what the whole batch gives
    have goOn : ∀ (share : Nat) (batch : List Entry), share = shareOf j.number (e :: more) →
        SameShares batch (e :: more) jobs →
        place (outcome c j share) (endIteration c s t jobs batch) stay rejoin ended =
          endWith s t (turnOnto (stayers c (e :: more) (j :: jobs)) stay)
            (turnOnto (rejoiners c (e :: more) (j :: jobs)) rejoin)
            (turnOnto (finishers c (e :: more) (j :: jobs)) ended) := by
      intro share batch its rest
      have same := same_shares c rest
      rewrite [place_eq, end_eq c s t jobs batch _ _ _ (once_rest once), turn_twice_chain,
        turn_twice_chain, turn_twice_chain, same.1, same.2.1, same.2.2, its]
      exact rfl
    show (match Nat.beq e.number j.number with
      | true => place (outcome c j e.tokens) (endIteration c s t jobs more) stay rejoin ended
      | false =>
        place (outcome c j (shareOf j.number more))
          (endIteration c s t jobs (e :: without j.number more)) stay rejoin ended) = _
    cases first : Nat.beq e.number j.number with
    | true =>
      refine goOn e.tokens more (cond_true _ _ first).symm (all_imp (fun k other => ?_) others)
      rewrite [← eq_of_beq first] at other
      exact (cond_false _ _ (beq_comm other)).symm
    | false =>
      refine goOn _ (e :: without j.number more) (cond_false _ _ first).symm
        (all_imp (fun k other => ?_) others)
      show cond (Nat.beq e.number k.number) e.tokens (shareOf k.number (without j.number more)) = _
      rewrite [share_without (beq_comm other)]
      exact rfl

/-- The end of an iteration, where no two jobs have the same number. -/
theorem handle_end (c : Config) (s : State) (t : Nat) (once : Once (numbersOf s.jobs)) :
    handle c s (Event.iterationEnd t) =
      { s with
        now := t,
        jobs := chain (stayers c s.iter s.jobs) (rejoiners c s.iter s.jobs),
        iter := [],
        iterEnd := none,
        ended := finishers c s.iter s.jobs } := by
  show endIteration c s t s.jobs s.iter [] [] [] = _
  rewrite [end_eq c s t s.jobs s.iter [] [] [] once]
  show State.mk t s.pending
    (turnOnto (turnOnto (stayers c s.iter s.jobs) [])
      (turnOnto (turnOnto (rejoiners c s.iter s.jobs) []) []))
    [] none s.served s.last (turnOnto (turnOnto (finishers c s.iter s.jobs) []) []) = _
  rewrite [turn_twice, turn_twice, turn_twice]
  show State.mk t s.pending
    (chain (stayers c s.iter s.jobs) (chain (rejoiners c s.iter s.jobs) []))
    [] none s.served s.last (chain (finishers c s.iter s.jobs) []) = _
  rewrite [chain_nil, chain_nil]
  exact rfl

/-- Whatever the numbers: the end of an iteration leaves all but the jobs and the clock alone. -/
theorem end_shape (c : Config) (s : State) (t : Nat) :
    ∀ (jobs : List Job) (batch : List Entry) (stay rejoin : List Job) (ended : List Nat),
      ∃ left over, endIteration c s t jobs batch stay rejoin ended =
        State.mk t s.pending left [] none s.served s.last over
  | [], _, _, _, _ => ⟨_, _, rfl⟩
  | j :: jobs, [], stay, rejoin, ended => end_shape c s t jobs [] (j :: stay) rejoin ended
  | j :: jobs, e :: more, stay, rejoin, ended => by
    show ∃ left over, (match Nat.beq e.number j.number with
      | true => place (outcome c j e.tokens) (endIteration c s t jobs more) stay rejoin ended
      | false =>
        place (outcome c j (shareOf j.number more))
          (endIteration c s t jobs (e :: without j.number more)) stay rejoin ended) =
      State.mk t s.pending left [] none s.served s.last over
    cases Nat.beq e.number j.number with
    | true =>
      show ∃ left over, place (outcome c j e.tokens) (endIteration c s t jobs more) stay rejoin
        ended = State.mk t s.pending left [] none s.served s.last over
      rewrite [place_eq]
      exact end_shape c s t jobs more _ _ _
    | false =>
      show ∃ left over, place (outcome c j (shareOf j.number more))
        (endIteration c s t jobs (e :: without j.number more)) stay rejoin ended =
        State.mk t s.pending left [] none s.served s.last over
      rewrite [place_eq]
      exact end_shape c s t jobs _ _ _ _

end Radproof.Proved
