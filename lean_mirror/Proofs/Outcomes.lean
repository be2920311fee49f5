import Proofs.Invariant

/-!
# What an event does to the list: who joins, who stays, who rejoins

By cases of one arrival (`admitted_cases`) and of one job (`outcome_cases`). R1 goes over to
whoever joins, stays or rejoins. No number comes twice (R2): an arrival's was to come, and the end
of an iteration brings none. A batch keeps its owners (R6) to its end.
-/

namespace Radproof.Proved

/-! Arrivals. -/

/-- One arrival: a prompt to prefill, or at once an output to decode, or nothing to do. -/
theorem admitted_cases (a : Arrival) (l : List Arrival) (p : List Job → Prop)
    (prompt : 0 < a.session.prompt → p (Job.mk a.number a.session false 0 :: admitted l))
    (output : 0 < a.session.output → p (Job.mk a.number a.session true 0 :: admitted l))
    (nothing : p (admitted l)) : p (admitted (a :: l)) :=
  match a, prompt, output, nothing with
  | Arrival.mk _ (Session.mk _ (k + 1) _), prompt, _, _ => prompt (le_plus_one (zero_le k))
  | Arrival.mk _ (Session.mk _ 0 (k + 1)), _, output, _ => output (le_plus_one (zero_le k))
  | Arrival.mk _ (Session.mk _ 0 0), _, _, nothing => nothing

theorem admitted_left {d : Deployment} : ∀ {l : List Arrival},
    All (fun a => Multiple d.bLcm a.session.prompt) l → All (LeftOK d) (admitted l)
  | [], _ => True.intro
  | a :: l, h => admitted_cases a l (All (LeftOK d))
    (fun pos => ⟨⟨pos, Or.inr h.1⟩, admitted_left h.2⟩)
    (fun pos => ⟨⟨pos, Or.inl rfl⟩, admitted_left h.2⟩)
    (admitted_left h.2)

/-- What arrives joins with its whole prompt. -/
theorem rad_settle : Radproof.rad_settle := by
  intro d arrivals wide tiled
  exact test_of_all (all_imp (fun _ => test_of_left wide.2.1)
    (admitted_left (all_imp (fun _ => multiple_of_test wide.2.1) (all_of_test tiled))))

theorem rad_exec : Radproof.rad_exec := by
  intro d a wide tiled
  exact rad_settle d [a] wide (both tiled rfl)

def arrivalNumbers (l : List Arrival) : List Nat := List.map (fun a => a.number) l

theorem count_admitted (n : Nat) : ∀ (l : List Arrival),
    count n (numbersOf (admitted l)) ≤ count n (arrivalNumbers l)
  | [] => le_refl 0
  | a :: l => admitted_cases a l
    (fun jobs => count n (numbersOf jobs) ≤ count n (arrivalNumbers l) + one n a.number)
    (fun _ => le_add (count_admitted n l) (le_refl _))
    (fun _ => le_add (count_admitted n l) (le_refl _))
    (le_trans (count_admitted n l) (le_plus _ _))

theorem admitted_number (a : Arrival) : All (fun j => j.number = a.number) (admitted [a]) :=
  admitted_cases a [] (All (fun j => j.number = a.number))
    (fun _ => ⟨rfl, True.intro⟩) (fun _ => ⟨rfl, True.intro⟩) True.intro

/-! The end of an iteration. -/

/-- One job and its share: it waits; or has work left and stays; or it is a prompt that is done, and
rejoins; or it ends. -/
theorem outcome_cases (c : Config) (j : Job) (share : Nat) (p : Outcome → Prop)
    (waits : share = 0 → p (Outcome.stays j))
    (stays : ∀ t u, share = t + 1 →
      c.rules.left (phaseTotal j) (c.rules.doneAfter j.done share) = u + 1 →
      p (Outcome.stays (Job.mk j.number j.session j.decoding (c.rules.doneAfter j.done share))))
    (rejoins : ∀ t, share = t + 1 → j.decoding = false → 0 < j.session.output →
      c.rules.left (phaseTotal j) (c.rules.doneAfter j.done share) = 0 →
      p (Outcome.rejoins (Job.mk j.number j.session true 0)))
    (finishes : p (Outcome.finishes j.number)) : p (outcome c j share) :=
  match share, waits, stays, rejoins with
  | 0, waits, _, _ => waits rfl
  | t + 1, _, stays, rejoins => by
    show p (force (c.rules.doneAfter j.done (t + 1)) (fun progress =>
      match c.rules.left (phaseTotal j) progress with
      | 0 => finished j
      | _ + 1 => Outcome.stays (Job.mk j.number j.session j.decoding progress)))
    rewrite [force_eq]
    show p (match c.rules.left (phaseTotal j) (c.rules.doneAfter j.done (t + 1)) with
      | 0 => finished j
      | _ + 1 =>
        Outcome.stays (Job.mk j.number j.session j.decoding (c.rules.doneAfter j.done (t + 1))))
    cases left : c.rules.left (phaseTotal j) (c.rules.doneAfter j.done (t + 1)) with
    | succ u => exact stays t u rfl left
    | zero =>
      have over := rejoins t rfl
      exact match j, over, finishes, left with
        | Job.mk _ (Session.mk _ _ 0) false _, _, finishes, _ => finishes
        | Job.mk _ (Session.mk _ _ (k + 1)) false _, over, _, left =>
          over rfl (le_plus_one (zero_le k)) left
        | Job.mk _ (Session.mk _ _ 0) true _, _, finishes, _ => finishes
        | Job.mk _ (Session.mk _ _ (_ + 1)) true _, _, finishes, _ => finishes

/-- A job that goes on has its number still. -/
theorem outcome_count (c : Config) (j : Job) (share n : Nat) :
    count n (numbersOf (stayed (outcome c j share))) +
      count n (numbersOf (rejoined (outcome c j share))) ≤ one n j.number :=
  outcome_cases c j share
    (fun o => count n (numbersOf (stayed o)) + count n (numbersOf (rejoined o)) ≤ one n j.number)
    (fun _ => le_of_eq (Nat.zero_add (one n j.number)))
    (fun _ _ _ _ => le_of_eq (Nat.zero_add (one n j.number)))
    (fun _ _ _ _ _ => le_of_eq ((Nat.zero_add (0 + one n j.number)).trans (Nat.zero_add _)))
    (zero_le _)

theorem count_end (c : Config) (batch : List Entry) (n : Nat) : ∀ (jobs : List Job),
    count n (numbersOf (stayers c batch jobs)) + count n (numbersOf (rejoiners c batch jobs)) ≤
      count n (numbersOf jobs)
  | [] => le_refl 0
  | j :: jobs => by
    show count n (numbersOf (chain _ (stayers c batch jobs))) +
      count n (numbersOf (chain _ (rejoiners c batch jobs))) ≤
      count n (numbersOf jobs) + one n j.number
    rewrite [numbers_chain, numbers_chain, count_chain, count_chain, swap_middle,
      Nat.add_comm (count n (numbersOf jobs))]
    exact le_add (outcome_count c j _ n) (count_end c batch n jobs)

/-- R1 after a share that R5 allows. -/
theorem outcome_left {d : Deployment} {j : Job} {share : Nat} (left : LeftOK d j)
    (tiled : j.decoding = true ∨ Multiple d.bLcm share) :
    All (LeftOK d) (stayed (outcome (rc d) j share)) ∧
      All (LeftOK d) (rejoined (outcome (rc d) j share)) :=
  outcome_cases (rc d) j share
    (fun o => All (LeftOK d) (stayed o) ∧ All (LeftOK d) (rejoined o))
    (fun _ => ⟨⟨left, True.intro⟩, True.intro⟩)
    (fun t u _ more => ⟨⟨⟨by
      show 0 < phaseTotal j - (j.done + share)
      rewrite [show phaseTotal j - (j.done + share) = u + 1 from more]
      exact le_plus_one (zero_le u), by
      show j.decoding = true ∨ Multiple d.bLcm (phaseTotal j - (j.done + share))
      rewrite [minus_plus]
      exact match left.2, tiled with
        | Or.inl decodes, _ => Or.inl decodes
        | Or.inr _, Or.inl decodes => Or.inl decodes
        | Or.inr whole, Or.inr part => Or.inr (multiple_minus whole part)⟩, True.intro⟩,
      True.intro⟩)
    (fun _ _ _ output _ => ⟨True.intro, ⟨⟨output, Or.inl rfl⟩, True.intro⟩⟩)
    ⟨True.intro, True.intro⟩

theorem end_left {d : Deployment} {batch : List Entry} : ∀ {jobs : List Job},
    All (LeftOK d) jobs →
    All (fun j => j.decoding = true ∨ Multiple d.bLcm (shareOf j.number batch)) jobs →
    All (LeftOK d) (stayers (rc d) batch jobs) ∧ All (LeftOK d) (rejoiners (rc d) batch jobs)
  | [], _, _ => ⟨True.intro, True.intro⟩
  | _ :: _, left, tiled =>
    have first := outcome_left left.1 tiled.1
    have rest := end_left left.2 tiled.2
    ⟨all_chain first.1 rest.1, all_chain first.2 rest.2⟩

/-! Numbers. -/

/-- Whoever is still to come is no job yet. -/
theorem to_come_is_new {s : State} {a : Arrival} {later : List Arrival} (h : Numbered s)
    (first : s.pending = a :: later) : count a.number (numbersOf s.jobs) = 0 := by
  have most := h.once a.number
  rewrite [count_owners, first] at most
  have sum : count a.number (numbersOf s.jobs) +
    (count a.number (arrivalNumbers later) + one a.number a.number) ≤ 1 := most
  rewrite [one_self, ← Nat.add_assoc] at sum
  exact zero_of_le (le_trans (le_plus _ _) (le_of_plus_one sum))

theorem numbered_arrival {c : Config} {s : State} {a : Arrival} {later : List Arrival}
    (h : Numbered s) (first : s.pending = a :: later) :
    Numbered (handle c s (Event.arrival a later)) := by
  show Numbered (State.mk a.session.arrive later (join s.jobs (admitted [a])) s.iter s.iterEnd
    s.served s.last (endingAtOnce [a]))
  rewrite [join_eq]
  refine Numbered.mk (once_of_less (fun n => ?_) h.once) (all_imp (fun e known => ?_) h.known)
  · rewrite [count_owners, count_owners, first]
    show count n (numbersOf (chain s.jobs (admitted [a]))) + count n (arrivalNumbers later) ≤
      count n (numbersOf s.jobs) + (count n (arrivalNumbers later) + one n a.number)
    rewrite [numbers_chain, count_chain, Nat.add_assoc,
      Nat.add_comm (count n (numbersOf (admitted _)))]
    exact le_add (le_refl _) (le_add (le_refl _)
      (le_trans (count_admitted n [a]) (le_of_eq (Nat.zero_add _))))
  · show 0 < count e.number (numbersOf (chain s.jobs (admitted [a])))
    rewrite [numbers_chain, count_chain]
    exact le_trans known (le_plus _ _)

theorem numbered_end {c : Config} {s : State} (t : Nat) (h : Numbered s) :
    Numbered (handle c s (Event.iterationEnd t)) := by
  rewrite [handle_end c s t (once_jobs h)]
  refine Numbered.mk (once_of_less (fun n => ?_) h.once) True.intro
  rewrite [count_owners, count_owners]
  refine le_add ?_ (le_refl _)
  show count n (numbersOf (chain _ _)) ≤ _
  rewrite [numbers_chain, count_chain]
  exact count_end c s.iter n s.jobs

theorem numbered_handle {c : Config} (s : State) (h : Numbered s) (e : Event)
    (next : nextEvent s = some e) : Numbered (handle c s e) := by
  cases e with
  | arrival a later => exact numbered_arrival h (next_arrival next).1
  | iterationEnd t => exact numbered_end t h

end Radproof.Proved
