import Proofs.Leap
import Proofs.TimeZero

/-!
# The leap for long lists

The tests of `leap` look for each job's entry in the whole batch; with hundreds of jobs a Lean
takes too long over that. A batch of a scheduler that fills as RAD does stands in the order of the
list, so that one walk through both finds every share. Where the walk comes to the end of the batch,
what it says is what those tests say (`walk`).
-/

namespace Radproof.Proved

/-! No number comes twice, whatever the rules. -/

theorem once_arrival {c : Config} {s : State} {a : Arrival} {later : List Arrival}
    (h : Once (owners s)) (first : s.pending = a :: later) :
    Once (owners (handle c s (Event.arrival a later))) := by
  show Once (owners (State.mk a.session.arrive later (join s.jobs (admitted [a])) s.iter s.iterEnd
    s.served s.last (endingAtOnce [a])))
  rewrite [join_eq]
  refine once_of_less (fun n => ?_) h
  rewrite [count_owners, count_owners, first]
  show count n (numbersOf (chain s.jobs (admitted [a]))) + count n (arrivalNumbers later) ≤
    count n (numbersOf s.jobs) + (count n (arrivalNumbers later) + one n a.number)
  rewrite [numbers_chain, count_chain, Nat.add_assoc,
    Nat.add_comm (count n (numbersOf (admitted _)))]
  exact le_add (le_refl _) (le_add (le_refl _)
    (le_trans (count_admitted n [a]) (le_of_eq (Nat.zero_add _))))

theorem once_of_owners {s : State} (h : Once (owners s)) : Once (numbersOf s.jobs) :=
  once_of_less (fun n => by
    rewrite [count_owners]
    exact le_plus _ _) h

theorem once_end {c : Config} {s : State} (t : Nat) (h : Once (owners s)) :
    Once (owners (handle c s (Event.iterationEnd t))) := by
  rewrite [handle_end c s t (once_of_owners h)]
  refine once_of_less (fun n => ?_) h
  rewrite [count_owners, count_owners]
  refine le_add ?_ (le_refl _)
  show count n (numbersOf (chain _ _)) ≤ _
  rewrite [numbers_chain, count_chain]
  exact count_end c s.iter n s.jobs

theorem once_handle {c : Config} (s : State) (h : Once (owners s)) (e : Event)
    (next : nextEvent s = some e) : Once (owners (handle c s e)) := by
  cases e with
  | arrival a later => exact once_arrival h (next_arrival next).1
  | iterationEnd t => exact once_end t h

/-- A start changes no list of sessions. -/
theorem once_starts {c : Config} (s : State) (h : Once (owners s)) :
    Once (owners (startIteration c s)) := by
  rewrite [start_eq]
  show Once (owners (startBatch c s (batchOf c s.jobs)))
  cases batchOf c s.jobs with
  | nil => exact h
  | cons e rest => exact h

theorem once_reached (c : Config) (path : List Session) (s : State) (reached : Reach c path s) :
    Once (owners s) := by
  refine reach_keeps c (fun s => Once (owners s)) path ?_ ?_ s reached
  · exact start_keeps c (fun s => Once (owners s)) path (numbered_initially path).once
      (fun s _ h => once_starts s h)
  · exact fun s h => step_keeps c (fun s => Once (owners s)) s h (once_handle s h)
      (fun s _ h => once_starts s h)

theorem reached_once : Radproof.reached_once := by
  intro c path s reached
  exact distinct_of_once (once_of_owners (once_reached c path s reached))

theorem reached_on : Radproof.reached_on := by
  intro c path s k reached
  induction k with
  | zero => exact reached
  | succ k ih => exact Reach.step _ ih

/-! One walk. -/

/-- Whose number is none of the jobs' has no share of a batch that the walk comes to the end of. -/
theorem along_unknown {c : Config} {k n : Nat} : ∀ {jobs : List Job} {batch : List Entry},
    repeatsAlong c k jobs batch = true → count n (numbersOf jobs) = 0 → shareOf n batch = 0
  | [], [], _, _ => rfl
  | [], _ :: _, h, _ => no_way h
  | _ :: _, [], _, _ => rfl
  | j :: jobs, e :: batch, h, absent => by
    have sum : count n (j.number :: numbersOf jobs) = 0 := absent
    have walk : (match Nat.beq e.number j.number with
      | true => cond (Nat.ble (cond j.decoding 1 e.tokens)
          (c.rules.left (phaseTotal j) (j.done + e.tokens * k))) (repeatsAlong c k jobs batch) false
      | false => repeatsAlong c k jobs (e :: batch)) = true := h
    cases same : Nat.beq e.number j.number with
    | true =>
      rewrite [same] at walk
      have rest : repeatsAlong c k jobs batch = true := by
        exact by_test (Nat.ble (cond j.decoding 1 e.tokens)
          (c.rules.left (phaseTotal j) (j.done + e.tokens * k)))
          (fun yes => (cond_true _ _ yes).symm.trans walk)
          (fun no => no_way ((cond_false _ _ no).symm.trans walk))
      show cond (Nat.beq e.number n) e.tokens (shareOf n batch) = 0
      rewrite [eq_of_beq same]
      exact (cond_false _ _ (differs sum)).trans (along_unknown rest (count_rest sum))
    | false =>
      rewrite [same] at walk
      exact along_unknown (jobs := jobs) walk (count_rest sum)

theorem nobody_served (m : Nat) : ∀ (jobs : List Job), jobs = List.map (advanced [] m) jobs
  | [] => rfl
  | i :: jobs => by
    show i :: jobs = advanced [] m i :: List.map (advanced [] m) jobs
    rewrite [advanced_none (batch := []) (j := i) rfl]
    exact congrArg (List.cons i) (nobody_served m jobs)

theorem repeats_same {c : Config} {k : Nat} {i : Job} {batch other : List Entry}
    (same : shareOf i.number batch = shareOf i.number other)
    (h : repeatsFor c batch k i = true) : repeatsFor c other k i = true := by
  show cond (Nat.beq (shareOf i.number other) 0) true
    (Nat.ble (cond i.decoding 1 (shareOf i.number other))
      (c.rules.left (phaseTotal i) (i.done + shareOf i.number other * k))) = true
  rewrite [← same]
  exact h

theorem same_advance (m : Nat) {batch other : List Entry} : ∀ {jobs : List Job},
    SameShares batch other jobs →
      List.map (advanced other m) jobs = List.map (advanced batch m) jobs
  | [], _ => rfl
  | i :: jobs, h => by
    show Job.mk i.number i.session i.decoding (i.done + shareOf i.number other * m) ::
        List.map (advanced other m) jobs =
      Job.mk i.number i.session i.decoding (i.done + shareOf i.number batch * m) ::
        List.map (advanced batch m) jobs
    rewrite [h.1, same_advance m h.2]
    exact rfl

/-- The walk says what the tests of each job say. -/
theorem walk {c : Config} {k : Nat} : ∀ {jobs : List Job} {batch : List Entry},
    Once (numbersOf jobs) → repeatsAlong c k jobs batch = true →
    All (fun j => repeatsFor c batch k j = true) jobs ∧
      ∀ m, advancedAlong m jobs batch = List.map (advanced batch m) jobs
  | [], _, _, _ => ⟨True.intro, fun _ => rfl⟩
  | j :: jobs, [], once, h => by
    refine ⟨all_of_any (fun _ => rfl) _, fun m => ?_⟩
    show j :: jobs = advanced [] m j :: List.map (advanced [] m) jobs
    rewrite [advanced_none (batch := []) (j := j) rfl]
    exact congrArg (List.cons j) (nobody_served m jobs)
  | j :: jobs, e :: batch, once, h => by
    have step : (match Nat.beq e.number j.number with
      | true => cond (Nat.ble (cond j.decoding 1 e.tokens)
          (c.rules.left (phaseTotal j) (j.done + e.tokens * k))) (repeatsAlong c k jobs batch) false
      | false => repeatsAlong c k jobs (e :: batch)) = true := h
    cases same : Nat.beq e.number j.number with
    | true =>
      rewrite [same] at step
      have covers := by_test (p := Nat.ble (cond j.decoding 1 e.tokens)
          (c.rules.left (phaseTotal j) (j.done + e.tokens * k)) = true ∧
          repeatsAlong c k jobs batch = true)
        (Nat.ble (cond j.decoding 1 e.tokens) (c.rules.left (phaseTotal j) (j.done + e.tokens * k)))
        (fun yes => ⟨yes, (cond_true _ _ yes).symm.trans step⟩)
        (fun no => no_way ((cond_false _ _ no).symm.trans step))
      have rest := walk (once_rest once) covers.2
      have its : shareOf j.number (e :: batch) = e.tokens := cond_true _ _ same
      have shares := same_behind (rest := batch) (eq_of_beq same) (others_of_once once)
      refine ⟨⟨?_, ?_⟩, fun m => ?_⟩
      · show cond (Nat.beq (shareOf j.number (e :: batch)) 0) true
          (Nat.ble (cond j.decoding 1 (shareOf j.number (e :: batch)))
            (c.rules.left (phaseTotal j) (j.done + shareOf j.number (e :: batch) * k))) = true
        rewrite [its]
        exact cond_keeps (fun b => b = true) (Nat.beq e.tokens 0) (fun _ => rfl)
          (fun _ => covers.1)
      · exact all_imp (fun i two => repeats_same two.2 two.1) (all_both rest.1 shares)
      · show (match Nat.beq e.number j.number with
          | true => Job.mk j.number j.session j.decoding (j.done + e.tokens * m) ::
              advancedAlong m jobs batch
          | false => j :: advancedAlong m jobs (e :: batch)) =
          Job.mk j.number j.session j.decoding (j.done + shareOf j.number (e :: batch) * m) ::
            List.map (advanced (e :: batch) m) jobs
        rewrite [same, its, same_advance m shares]
        exact congrArg (List.cons _) (rest.2 m)
    | false =>
      rewrite [same] at step
      have rest := walk (once_rest once) (jobs := jobs) (batch := e :: batch) step
      have nothing : shareOf j.number (e :: batch) = 0 :=
        along_unknown (jobs := jobs) step (once_first (m := j.number) (l := numbersOf jobs) once)
      refine ⟨⟨?_, rest.1⟩, fun m => ?_⟩
      · show cond (Nat.beq (shareOf j.number (e :: batch)) 0) true _ = true
        rewrite [nothing]
        exact rfl
      · show (match Nat.beq e.number j.number with
          | true => Job.mk j.number j.session j.decoding (j.done + e.tokens * m) ::
              advancedAlong m jobs batch
          | false => j :: advancedAlong m jobs (e :: batch)) = _
        rewrite [same]
        show j :: advancedAlong m jobs (e :: batch) =
          advanced (e :: batch) m j :: List.map (advanced (e :: batch) m) jobs
        rewrite [advanced_none nothing, rest.2 m]
        exact rfl
theorem leap_along : Radproof.leap_along := by
  intro c s t k fills isDistinct runs ends formed alone again
  have once := once_of_distinct isDistinct
  have walked := walk once again
  show steps c (k + 1) s = startWith c
    { s with
      now := t + lasts c s.iter * k,
      jobs := advancedAlong (k + 1) s.jobs s.iter,
      iter := [],
      iterEnd := none,
      served := s.served + tokSum s.iter * k,
      ended := [] }
    s.iter (tokSum s.iter)
  rewrite [walked.2 (k + 1)]
  exact leap c s t k fills isDistinct runs ends formed alone (test_of_all walked.1)

end Radproof.Proved
